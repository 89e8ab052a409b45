/** Reads what needs an administrator's attention, and hints about single records. */
import { Arg, Args, ArgsType, Ctx, Field, Float, Int, Query, Resolver, Root } from 'type-graphql';
import { AccessScopeType } from '../../../entities/AccessScopeType.js';
import { Client } from '../../../entities/Client.js';
import type { RecordClass } from '../../../entities/description.js';
import { Profile } from '../../../entities/Profile.js';
import { Proposal } from '../../../entities/Proposal.js';
import { Review } from '../../../entities/Review.js';
import { SigningKey } from '../../../entities/SigningKey.js';
import { DateTime } from '../../../entities/scalars.js';
import { Token } from '../../../entities/Token.js';
import { User } from '../../../entities/User.js';
import { UserProfile } from '../../../entities/UserProfile.js';
import { type GraphContext, Load, type Loader } from '../../../graphql/resolving/loaders.js';
import { connectionOf } from '../../../graphql/schema/connection.js';
import {
  Computed,
  ComputedOrNull,
  Guarded,
  Member,
  MemberOrNull,
  Needs,
  RecordAt,
  Requires,
  Result,
} from '../../../graphql/schema/operations.js';
import { permit } from '../../../services/permit.js';
import { listUnusualProfiles, unusualRule } from '../../../services/read/unusualProfiles.js';
import { findUsesCountedSince } from '../../../services/tokens/grantUses.js';
import { listSignInHours } from '../../insight/signInHours.js';
import {
  countBlockedHolders,
  countGrantsEnding,
  countMappingsOfTypes,
  countUnusedGrants,
  findNextKeyAt,
  hasTwoSecrets,
  isGoLive,
  listChangedByHand,
} from '../overview.js';

@Result('The numbers of grants that end soon.')
class GrantsEnding {
  @Member(Int, 'The number of grants.') total!: number;
  @Member(Int, 'The number of these that end within seven days.') thisWeek!: number;
  @Member(Int, 'The number of users who lose their last profile.') lastProfile!: number;
}

@Result('The numbers of assignments that nobody uses.')
class UnusedGrants {
  @Member(Int, 'The number of assignments.') total!: number;
  @Member(Int, 'The number of these of which no use is known.') never!: number;
}

@Resolver(() => UnusedGrants)
export class UnusedGrantsResolver {
  @Computed(DateTime, 'Since when uses of grants are stored: of an earlier use nothing is known.')
  usesCountedSince(@Ctx() context: GraphContext) {
    return findUsesCountedSince(context);
  }
}

@Result('Records of a file that were changed since it was applied.')
class ChangedByHand {
  @Member(String, 'Name of the file.') managedBy!: string;
  @Member(DateTime, 'When the file was last applied.') appliedAt!: string;
  @Member(Int, 'The number of records that were changed or removed after that.') records!: number;
}

@Result('The numbers of sign-ins and refusals of one hour.')
class SignInHour {
  @Member(DateTime, 'When the hour began.') hour!: string;
  @Member(Float, 'The number of exchanges of ID tokens and of sign-ins to the console.') signIns!: number;
  @Member(Float, 'The number of token requests and of sign-ins to the console that were refused.') refusals!: number;
}

@ArgsType()
class FirstFew {
  @Field(() => Int, { defaultValue: 3, description: 'The number of records to return.' }) first!: number;
  @MemberOrNull(String, 'Returns only records after this cursor.') after?: string | null;
  @MemberOrNull(Int, 'The number of records to skip. Cannot be combined with after.') offset?: number | null;
}

@Result('What needs attention. A field that cannot be read is null.')
class Overview {}

const Days = (absent: number, description: string) => Arg('days', () => Int, { defaultValue: absent, description });

@Resolver(() => Overview)
export class OverviewResolver {
  @Query(() => Overview, { description: 'Returns what needs the attention of administrators.' })
  @Requires('admin:read')
  overview(@Ctx() context: GraphContext) {
    permit(context, 'admin:read');
    return {};
  }

  @ComputedOrNull(GrantsEnding, 'The profiles of users, and the access scopes of profiles, that end soon.')
  grantsEnding(@Days(30, 'The number of days ahead.') days: number, @Ctx() context: GraphContext) {
    return countGrantsEnding(context, days);
  }

  @ComputedOrNull(
    [ChangedByHand],
    'The files in git whose records were changed in another way after the file was last applied. Applying such a file again may revert these changes.',
  )
  changedByHand(@Ctx() context: GraphContext) {
    return listChangedByHand(context);
  }

  @ComputedOrNull(DateTime, 'When the next signing key takes over; null without automatic rotation.')
  @Guarded(SigningKey)
  nextKeyAt(@Ctx() context: GraphContext) {
    return findNextKeyAt(context);
  }

  @ComputedOrNull(
    UnusedGrants,
    'The assignments of profiles that are at least this number of days old and were not used since. Blocked users do not count.',
  )
  unusedGrants(@Days(90, 'The number of days without use.') days: number, @Ctx() context: GraphContext) {
    return countUnusedGrants(context, days);
  }

  @ComputedOrNull(
    [SignInHour],
    'The sign-ins and refusals of the last hours, oldest first, from the first hour that was counted; null if usage is not counted.',
  )
  @Guarded(Token)
  signInHours(
    @Arg('hours', () => Int, { defaultValue: 48, description: 'The number of hours; at most 336.' }) hours: number,
    @Ctx() context: GraphContext,
  ) {
    return listSignInHours(context, hours);
  }

  @ComputedOrNull(Int, 'The number of blocked users who hold profiles.')
  blockedHolders(@Ctx() context: GraphContext) {
    return countBlockedHolders(context);
  }

  @ComputedOrNull(connectionOf(Client), 'The clients that have two working secrets.')
  @Guarded(Client)
  twoSecrets(@Args(() => FirstFew) page: FirstFew, @Load() load: Loader) {
    return firstOf(load, Client, page, hasTwoSecrets, 'previousSecretEndsAt');
  }

  @ComputedOrNull(
    connectionOf(Proposal),
    'Approved proposals whose time has not come, and proposals that failed in the last 30 days, earliest first.',
  )
  goLives(@Args(() => FirstFew) page: FirstFew, @Load() load: Loader) {
    return firstOf(load, Proposal, page, isGoLive, 'applyAt');
  }

  @ComputedOrNull(connectionOf(Review), 'The open access reviews, soonest due first.')
  reviews(@Args(() => FirstFew) page: FirstFew, @Load() load: Loader) {
    return firstOf(load, Review, page, (review) => `${review}.state = 'OPEN'`, 'dueAt');
  }
}

const firstOf = (
  { primary }: Loader,
  record: RecordClass,
  page: FirstFew,
  condition: (alias: string) => string,
  orderBy: string,
) => primary.list(record, { ...page, orderBy: [{ [orderBy]: 'ASC' }] }, (_statement, alias) => condition(alias));

@Result('A profile that few colleagues hold.')
class UnusualProfile {
  @Member(Int, 'The number of people in the department who hold it.') holders!: number;
  @Member(Int, 'The number of people in the department.') colleagues!: number;
  @RecordAt(Profile, 'profileId', 'The profile.') profile!: Profile;
}

@Resolver(() => User)
export class UnusualProfilesResolver {
  @ComputedOrNull([UnusualProfile], `The profiles of the user that are unusual: ${unusualRule}.`)
  @Guarded(UserProfile)
  @Needs(User, 'userId')
  unusualProfiles(@Root() { userId }: User, @Load() load: Loader) {
    return load.batched(userId, (ids: readonly number[]) => listUnusualProfiles(load.context, ids));
  }
}

@Resolver(() => AccessScopeType)
export class MappingsOfTypeResolver {
  @Computed(Int, 'The number of mappings of the type and of its access scopes.')
  @Needs(AccessScopeType, 'accessScopeTypeId')
  mappings(@Root() { accessScopeTypeId }: AccessScopeType, @Load() load: Loader) {
    return load.batched(accessScopeTypeId, (ids: readonly number[]) => countMappingsOfTypes(load.context, ids));
  }
}
