/** Changes of users, roles and profiles, and of who holds a profile in which role. */
import { Arg, Args, Ctx, Field, Int, Mutation, Query, Resolver } from 'type-graphql';
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
  setProfileAccessScopes,
  unassignProfile,
} from '../../services/people/profiles.js';
import { profileChanges, roleChanges, userChanges } from '../../services/people/recordChanges.js';
import { type GraphContext, Load, type Loader } from '../resolving/loaders.js';
import { ArgumentsOf, IfRevision } from '../schema/arguments.js';
import { ArgOf, FieldOf, Member, RecordAt, Requires, Result } from '../schema/operations.js';
import { resolversOf } from './recordChanges.js';

export const userResolvers = resolversOf(
  userChanges,
  'Blocks a user: exchanges and renewals fail, and all sessions of the user end.',
);

export const roleResolvers = resolversOf(
  roleChanges,
  'Deletes a role and returns its id. Fails with CONFLICT if a user has the role.',
);

export const profileResolvers = resolversOf(
  profileChanges,
  'Deletes a profile with its links and returns its id. The sessions of the users who hold it end.',
);

@ArgumentsOf('setProfileAccessScopes')
class SetProfileAccessScopes {
  @FieldOf(Profile, 'profileId') profileId!: string;
  @Member([Uuid], 'Guids of the access scopes.') accessScopeGuids!: string[];
  @IfRevision() ifRevision?: number | null;
}

const GrantEndField = () =>
  Field(() => DateTime, {
    nullable: true,
    description:
      'When the grant ends; null: never. An existing grant gets this end. If absent, a new grant has no end, and the request fails with CONFLICT if the grant exists.',
  });

@ArgumentsOf('assignProfile')
class AssignProfile {
  @FieldOf(User, 'userGuid') userGuid!: string;
  @FieldOf(Profile, 'profileId') profileId!: string;
  @FieldOf(Role, 'roleId') roleId!: string;
  @GrantEndField() validUntil?: string | null;
}

@ArgumentsOf('assignAccessScope')
class AssignAccessScope {
  @FieldOf(Profile, 'profileId') profileId!: string;
  @FieldOf(AccessScope, 'accessScopeGuid') accessScopeGuid!: string;
  @GrantEndField() validUntil?: string | null;
}

@ArgumentsOf('unassignProfile')
class UnassignProfile {
  @FieldOf(User, 'userGuid') userGuid!: string;
  @FieldOf(Profile, 'profileId') profileId!: string;
  @FieldOf(Role, 'roleId') roleId!: string;
  @IfRevision() ifRevision?: number | null;
}

@Resolver()
export class GrantResolver {
  @Mutation(() => Profile, {
    description:
      'Replaces the access scopes of a profile. Access scopes that the profile already has keep their end. The revision of the profile changes with its access scopes and with its users.',
  })
  @Requires('admin:write')
  async setProfileAccessScopes(
    @Args(() => SetProfileAccessScopes) { profileId, accessScopeGuids, ifRevision }: SetProfileAccessScopes,
    @Load() load: Loader,
  ) {
    await setProfileAccessScopes(load.context, profileId, accessScopeGuids, ifRevision);
    return load.record(Profile, 'profileId', profileId);
  }

  @Mutation(() => UserProfile, {
    description:
      'Assigns a profile to a user in a role, or changes when the assignment ends. The revision of the profile changes.',
  })
  @Requires('admin:write')
  async assignProfile(@Args(() => AssignProfile) change: AssignProfile, @Load() load: Loader) {
    return load.record(UserProfile, 'userProfileId', await assignProfile(load.context, change));
  }

  @Mutation(() => ProfileAccessScope, {
    description:
      'Gives a profile an access scope, or changes when the profile loses it. The revision of the profile changes.',
  })
  @Requires('admin:write')
  async assignAccessScope(@Args(() => AssignAccessScope) change: AssignAccessScope, @Load() load: Loader) {
    return load.record(ProfileAccessScope, 'profileAccessScopeId', await assignAccessScope(load.context, change));
  }

  @Mutation(() => Int, {
    nullable: true,
    description:
      'Removes a profile in a role from a user and ends the user’s sessions for the profile. Returns the number of the link, or null if there was none.',
  })
  @Requires('admin:write')
  unassignProfile(@Args(() => UnassignProfile) change: UnassignProfile, @Ctx() context: GraphContext) {
    return unassignProfile(context, change);
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
