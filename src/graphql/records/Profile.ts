/** Changes of profiles, of their access scopes, and of who holds them. */
import { Arg, Field, Int } from 'type-graphql';
import { AccessScope } from '../../entities/AccessScope.js';
import { Profile } from '../../entities/Profile.js';
import { Role } from '../../entities/Role.js';
import { User } from '../../entities/User.js';
import { UserProfile } from '../../entities/UserProfile.js';
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
import { listOpenedBy } from '../../services/portal/tiles.js';
import { loadBatched, loadRecord } from '../resolving/loaders.js';
import { needFields } from '../resolving/selection.js';
import { declareChange, ifRevision, resolveBy } from '../schema/declare.js';
import { declareChanges, declareDeletion, keyArgument, type RecordOperations } from '../schema/recordMutations.js';
import { OpenedApplication } from './OpenedApplication.js';

const operations: RecordOperations = {
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
  declareChanges(operations);
  declareDeletion(operations, deleteProfile, 'Removes a profile with its links; the sessions of its holders end.');
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
