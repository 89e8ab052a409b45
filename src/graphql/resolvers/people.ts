/** Changes of users, roles and profiles, and of who holds a profile in which role. */
import { Arg, Args, Ctx, Field, Int, Mutation, Query, Resolver } from 'type-graphql';
import type { Context } from '../../context.js';
import { AccessScope } from '../../entities/AccessScope.js';
import { Profile } from '../../entities/Profile.js';
import { ProfileAccessScope } from '../../entities/ProfileAccessScope.js';
import { Role } from '../../entities/Role.js';
import { DateTime, Uuid } from '../../entities/scalars.js';
import { User } from '../../entities/User.js';
import { UserProfile } from '../../entities/UserProfile.js';
import { matchEmails } from '../../services/people/matchEmails.js';
import {
  assignAccessScope,
  assignProfile,
  assignProfiles,
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
import { type GraphContext, Load, type Loader } from '../resolving/loaders.js';
import { type Change, ChangeOf, IfRevision } from '../schema/changes.js';
import { ArgOf, FieldOf, Member, MemberOrNull, RecordAt, Requires, Result } from '../schema/operations.js';
import { changesOf } from './recordChanges.js';

export const userResolvers = changesOf(
  User,
  'userGuid',
  {
    fields: userInput,
    create: createUser,
    update: updateUser,
    deactivate: (context, userGuid, ifRevision) => updateUser(context, userGuid, { isBlocked: true }, ifRevision),
  },
  'Blocks a user: exchanges and renewals fail, and all sessions of the user end.',
);

export const roleResolvers = changesOf(
  Role,
  'roleId',
  { fields: roleInput, create: createRole, update: updateRole, delete: deleteRole },
  'Deletes a role and returns its id. Fails with CONFLICT if a user has the role.',
);

export const profileResolvers = changesOf(
  Profile,
  'profileId',
  { fields: profileInput, create: createProfile, update: updateProfile, delete: deleteProfile },
  'Deletes a profile with its links and returns its id. The sessions of the users who hold it end.',
);

@ChangeOf('setProfileAccessScopes')
class SetProfileAccessScopes implements Change {
  @FieldOf(Profile, 'profileId') profileId!: string;
  @Member([Uuid], 'Guids of the access scopes.') accessScopeGuids!: string[];
  @IfRevision() ifRevision?: number | null;
  get size() {
    return this.accessScopeGuids.length;
  }
  apply(context: Context) {
    return setProfileAccessScopes(context, this.profileId, this.accessScopeGuids, this.ifRevision);
  }
}

const GrantEndField = () =>
  Field(() => DateTime, {
    nullable: true,
    description:
      'When the grant ends; null: never. An existing grant gets this end. If absent, a new grant has no end, and the request fails with CONFLICT if the grant exists.',
  });

@ChangeOf('assignProfile')
class AssignProfile implements Change {
  @FieldOf(User, 'userGuid') userGuid!: string;
  @FieldOf(Profile, 'profileId') profileId!: string;
  @FieldOf(Role, 'roleId') roleId!: string;
  @GrantEndField() validUntil?: string | null;
  apply(context: Context) {
    return assignProfile(context, this);
  }
}

@ChangeOf(
  'assignProfiles',
  'Assigns a profile in a role to up to 10,000 users. The assignments of users who hold it already get the end; without validUntil they stay as they are.',
)
// biome-ignore lint/correctness/noUnusedVariables: its decorator makes it a member of a change set
class AssignProfiles implements Change {
  @FieldOf(Profile, 'profileId') profileId!: string;
  @FieldOf(Role, 'roleId') roleId!: string;
  @MemberOrNull(
    DateTime,
    'When the grants end; null: never. Absent: new grants have no end, and existing grants keep theirs.',
  )
  validUntil?: string | null;
  @Member([Uuid], 'Guids of the users, each once.') userGuids!: string[];
  get size() {
    return this.userGuids.length;
  }
  apply(context: Context) {
    return assignProfiles(context, this);
  }
}

@ChangeOf('assignAccessScope')
class AssignAccessScope implements Change {
  @FieldOf(Profile, 'profileId') profileId!: string;
  @FieldOf(AccessScope, 'accessScopeGuid') accessScopeGuid!: string;
  @GrantEndField() validUntil?: string | null;
  apply(context: Context) {
    return assignAccessScope(context, this);
  }
}

@ChangeOf('unassignProfile')
class UnassignProfile implements Change {
  @FieldOf(User, 'userGuid') userGuid!: string;
  @FieldOf(Profile, 'profileId') profileId!: string;
  @FieldOf(Role, 'roleId') roleId!: string;
  @IfRevision() ifRevision?: number | null;
  apply(context: Context) {
    return unassignProfile(context, this);
  }
}

@Resolver()
export class GrantResolver {
  @Mutation(() => Profile, {
    description:
      'Replaces the access scopes of a profile. Access scopes that the profile already has keep their end. The revision of the profile changes with its access scopes and with its users.',
  })
  @Requires('admin:write')
  async setProfileAccessScopes(
    @Args(() => SetProfileAccessScopes) change: SetProfileAccessScopes,
    @Load() load: Loader,
  ) {
    await change.apply(load.context);
    return load.record(Profile, 'profileId', change.profileId);
  }

  @Mutation(() => UserProfile, {
    description:
      'Assigns a profile to a user in a role, or changes when the assignment ends. The revision of the profile changes.',
  })
  @Requires('admin:write')
  async assignProfile(@Args(() => AssignProfile) change: AssignProfile, @Load() load: Loader) {
    return load.record(UserProfile, 'userProfileId', await change.apply(load.context));
  }

  @Mutation(() => ProfileAccessScope, {
    description:
      'Gives a profile an access scope, or changes when the profile loses it. The revision of the profile changes.',
  })
  @Requires('admin:write')
  async assignAccessScope(@Args(() => AssignAccessScope) change: AssignAccessScope, @Load() load: Loader) {
    return load.record(ProfileAccessScope, 'profileAccessScopeId', await change.apply(load.context));
  }

  @Mutation(() => Int, {
    nullable: true,
    description:
      'Removes a profile in a role from a user and ends the user’s sessions for the profile. Returns the number of the link, or null if there was none.',
  })
  @Requires('admin:write')
  unassignProfile(@Args(() => UnassignProfile) change: UnassignProfile, @Ctx() context: GraphContext) {
    return change.apply(context);
  }
}

@Result('The user of an e-mail address.')
class EmailMatch {
  @Member(String, 'The address as it was sent.') email!: string;
  @RecordAt(User, 'userId', 'The user of the address; null if there is none.', { nullable: true }) user!: User | null;
  @RecordAt(
    User,
    'userId',
    'A user whose address differs by at most two letters, if no user has the address. It is a guess: let a person confirm it.',
    { from: 'suggestedUserId', nullable: true },
  )
  suggestion!: User | null;
  @RecordAt(
    UserProfile,
    'userProfileId',
    'The assignment by which the user already holds the profile; null if there is none, or if no profile was sent.',
    { nullable: true },
  )
  userProfile!: UserProfile | null;
}

@Resolver(() => EmailMatch)
export class EmailMatchResolver {
  @Query(() => [EmailMatch], {
    description:
      'Finds the users of at most 1,000 e-mail addresses, ignoring case. The answer has an entry for each address, in the order of the addresses; an address of several users has an entry for each user.',
  })
  @Requires('admin:read')
  matchEmails(
    @Arg('emails', () => [String], { description: 'The addresses.' }) emails: string[],
    @ArgOf(Profile, 'profileId', { nullable: true }) profileId: string | null | undefined,
    @Ctx() context: GraphContext,
  ) {
    return matchEmails(context, emails, profileId);
  }
}
