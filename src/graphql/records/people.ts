/** Users, roles, clients and profiles in the graph. */
import { Arg, Field, Int, ObjectType } from 'type-graphql';
import { AccessScope } from '../../entities/AccessScope.js';
import { Client } from '../../entities/Client.js';
import { Profile } from '../../entities/Profile.js';
import { Role } from '../../entities/Role.js';
import { User } from '../../entities/User.js';
import { UserProfile } from '../../entities/UserProfile.js';
import {
  clientUpdateInput,
  createClient,
  endPreviousSecret,
  rotateClientSecret,
  setClientActive,
  updateClient,
} from '../../services/people/clients.js';
import {
  type Assignment,
  assignProfile,
  createProfile,
  deleteProfile,
  profileInput,
  setProfileAccessScopes,
  unassignProfile,
  updateProfile,
} from '../../services/people/profiles.js';
import {
  createRole,
  createUser,
  deleteRole,
  roleInput,
  updateRole,
  updateUser,
  userInput,
} from '../../services/people/users.js';
import { listOpenedBy } from '../../services/portal/viewer.js';
import { inputFields } from '../../services/records/input.js';
import { loadBatched, loadRecord } from '../resolving/loaders.js';
import { needFields } from '../resolving/selection.js';
import {
  declareChange,
  declareMutation,
  ifRevision,
  inputType,
  resolveBy,
  stillThere,
  under,
} from '../schema/declare.js';
import {
  declareChanges,
  declareDeactivation,
  declareDeletion,
  keyArgument,
  type RecordOperations,
} from '../schema/recordMutations.js';
import { OpenedApplication } from './OpenedApplication.js';

/** Changes of users. */

const userOperations: RecordOperations = {
  record: User,
  key: 'userGuid',
  fields: userInput,
  create: createUser,
  update: updateUser,
};

export function declareUser(): void {
  declareChanges(userOperations);
  declareDeactivation(
    userOperations,
    { isBlocked: true },
    'Blocks a user: exchange and renewal are refused, and all sessions of the user end.',
  );
}

/** Changes of roles. */

const roleOperations: RecordOperations = {
  record: Role,
  key: 'roleId',
  fields: roleInput,
  create: createRole,
  update: updateRole,
};

export function declareRole(): void {
  declareChanges(roleOperations);
  declareDeletion(roleOperations, deleteRole, 'Removes a role; CONFLICT while somebody has it.');
}

/** Changes of client applications. A secret is shown once, when it is made. */

@ObjectType({ description: 'A client with its new secret, which is shown this once.', simpleResolvers: true })
class ClientWithSecret {
  // nullable, so that the secret is answered where reading the client fails
  @Field(() => Client, { nullable: true, description: 'The client.' }) client!: Client;
  @Field(() => String, { description: 'The secret in clear; only its hash is stored.' }) clientSecret!: string;
}

export function declareClient(): void {
  const clientId = keyArgument(Client, 'clientId');
  const fields = inputFields(Client, { mode: 'create' }).filter(({ name }) => name !== 'isActive');
  resolveBy('ClientWithSecret', 'client', async (parent: ClientWithSecret, _given, context, info) =>
    stillThere(await loadRecord(context, info, Client, 'clientId', parent.client.clientId)),
  );
  declareMutation('createClient', {
    doc: 'Makes a client with a new secret.',
    type: () => ClientWithSecret,
    arguments: {
      input: { type: inputType('CreateClientInput', 'A new client; it is active.', fields), doc: 'Its fields.' },
    },
    resolve: (_root, { input }, context) => under('input', createClient(context, input)),
  });
  declareMutation('updateClient', {
    doc: 'Changes a client; its secret and whether it is active have operations of their own.',
    type: () => Client,
    arguments: {
      clientId,
      input: {
        type: inputType(
          'UpdateClientInput',
          'What to change: an absent field stays, null clears.',
          clientUpdateInput(),
        ),
        doc: 'What to change.',
      },
      ifRevision,
    },
    resolve: async (_root, given, context, info) => {
      await under('input', updateClient(context, given.clientId, given.input, given.ifRevision));
      return loadRecord(context, info, Client, 'clientId', given.clientId);
    },
  });
  declareMutation('rotateClientSecret', {
    doc: 'Gives a client a new secret; the one before lives on for the hours asked, with its last use to be seen.',
    type: () => ClientWithSecret,
    arguments: {
      clientId,
      keepPreviousHours: {
        type: () => Int,
        doc: 'Hours that the secret before goes on working; absent: none.',
        nullable: true,
      },
      ifRevision,
    },
    resolve: (_root, given, context) =>
      rotateClientSecret(context, given.clientId, given.keepPreviousHours ?? 0, given.ifRevision),
  });
  declareMutation('endPreviousSecret', {
    doc: 'Ends the secret before a rotation now, however long it was to go on.',
    type: () => Client,
    arguments: { clientId, ifRevision },
    resolve: async (_root, given, context, info) => {
      await endPreviousSecret(context, given.clientId, given.ifRevision);
      return loadRecord(context, info, Client, 'clientId', given.clientId);
    },
  });
  declareMutation('setClientActive', {
    doc: 'Switches a client on or off, from its very next request.',
    type: () => Client,
    arguments: { clientId, isActive: { type: () => Boolean, doc: 'Whether it may ask for tokens.' }, ifRevision },
    resolve: async (_root, given, context, info) => {
      await setClientActive(context, given.clientId, given.isActive, given.ifRevision);
      return loadRecord(context, info, Client, 'clientId', given.clientId);
    },
  });
}

/** Changes of profiles, of their access scopes, and of who holds them. */

const profileOperations: RecordOperations = {
  record: Profile,
  key: 'profileId',
  fields: profileInput,
  create: createProfile,
  update: updateProfile,
};

interface Asked {
  languageCode?: string | null;
}

function declareOpenedApplications(): void {
  Field(() => [OpenedApplication], { description: 'The applications that the profile opens, as a portal shows them.' })(
    Profile.prototype,
    'openedApplications',
  );
  const description = 'Language of names, such as `de` or `pt-BR`.';
  Arg('languageCode', () => String, { nullable: true, description })(Profile.prototype, 'openedApplications', 0);
  needFields(Profile, 'openedApplications', ['profileId']);
  resolveBy('Profile', 'openedApplications', ({ profileId }: Profile, { languageCode }: Asked, context, info) =>
    loadBatched(context, info, profileId, (ids: readonly string[]) =>
      listOpenedBy(context, ids, languageCode, context.spent),
    ),
  );
}

export function declareProfile(): void {
  declareOpenedApplications();
  declareChanges(profileOperations);
  declareDeletion(
    profileOperations,
    deleteProfile,
    'Removes a profile with its links; the sessions of its holders end.',
  );
  const profileId = keyArgument(Profile, 'profileId');
  const { type, doc } = keyArgument(AccessScope, 'accessScopeGuid');
  declareChange('setProfileAccessScopes', {
    doc: 'Gives a profile exactly these access scopes. Its revision changes with its scopes and with its holders.',
    type: () => Profile,
    arguments: { profileId, accessScopeGuids: { type: () => [type()], doc }, ifRevision },
    items: ({ accessScopeGuids }) => accessScopeGuids.length,
    apply: (context, given) =>
      setProfileAccessScopes(context, given.profileId, given.accessScopeGuids, given.ifRevision),
    answer: (_changed, given, context, info) => loadRecord(context, info, Profile, 'profileId', given.profileId),
  });
  const link = { userGuid: keyArgument(User, 'userGuid'), profileId, roleId: keyArgument(Role, 'roleId') };
  declareChange('assignProfile', {
    doc: 'Has a user hold a profile in a role; the revision of the profile changes.',
    type: () => UserProfile,
    arguments: link,
    apply: assignProfile,
    answer: (key, _given, context, info) => loadRecord(context, info, UserProfile, 'userProfileId', key),
  });
  declareChange('unassignProfile', {
    doc: 'Ends that a user holds a profile in a role, and the user’s sessions for it; answers the number of the link, null when it was not so.',
    type: () => Int,
    nullable: true,
    arguments: { ...link, ifRevision },
    apply: (context, { ifRevision, ...assignment }) => unassignProfile(context, assignment as Assignment, ifRevision),
  });
}
