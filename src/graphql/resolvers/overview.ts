/** Reads what needs an administrator's attention, and hints about single records. */
import { Arg, Args, ArgsType, Ctx, Field, FieldResolver, Int, ObjectType, Query, Resolver, Root } from 'type-graphql';
import { AccessScopeType } from '../../entities/AccessScopeType.js';
import { Client } from '../../entities/Client.js';
import { Profile } from '../../entities/Profile.js';
import { Proposal } from '../../entities/Proposal.js';
import { Review } from '../../entities/Review.js';
import { SigningKey } from '../../entities/SigningKey.js';
import { DateTime } from '../../entities/scalars.js';
import { User } from '../../entities/User.js';
import { UserProfile } from '../../entities/UserProfile.js';
import {
  countBlockedHolders,
  countGrantsEnding,
  countMappingsOfTypes,
  countUnusedGrants,
  findNextKeyAt,
  hasTwoSecrets,
  isGoLive,
  listChangedByHand,
} from '../../services/overview/overview.js';
import { permit } from '../../services/permit.js';
import { readPages } from '../../services/read/readPages.js';
import type { Row } from '../../services/read/select.js';
import { listUnusualProfiles, unusualRule } from '../../services/read/unusualProfiles.js';
import { type GraphContext, Load, type Loader } from '../resolving/loaders.js';
import { connectionSelectionOf } from '../resolving/selection.js';
import { connectionOf } from '../schema/connection.js';
import { Guarded, Needs, RecordAt, Requires } from '../schema/operations.js';

@ObjectType({ description: 'The numbers of grants that end soon.', simpleResolvers: true })
class GrantsEnding {
  @Field(() => Int, { description: 'The number of grants.' }) total!: number;
  @Field(() => Int, { description: 'The number of these that end within seven days.' }) thisWeek!: number;
  @Field(() => Int, { description: 'The number of users who then hold no profile any more.' }) lastProfile!: number;
}

@ObjectType({ description: 'The numbers of assignments that nobody uses.', simpleResolvers: true })
class UnusedGrants {
  @Field(() => Int, { description: 'The number of assignments.' }) total!: number;
  @Field(() => Int, { description: 'The number of these of which no use is known.' }) never!: number;
}

@ObjectType({ description: 'Records of a file that were changed since it was applied.', simpleResolvers: true })
class ChangedByHand {
  @Field(() => String, { description: 'Name of the file.' }) managedBy!: string;
  @Field(() => DateTime, { description: 'When the file was last applied.' }) appliedAt!: string;
  @Field(() => Int, { description: 'The number of records that were changed or removed since.' }) records!: number;
}

@ArgsType()
class FirstFew {
  @Field(() => Int, { defaultValue: 3, description: 'The number of records to return.' }) first!: number;
}

@ObjectType({ description: 'What needs attention. A field that cannot be read is null.' })
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

  @FieldResolver(() => GrantsEnding, {
    nullable: true,
    description: 'The profiles of users, and the access scopes of profiles, that end soon.',
  })
  grantsEnding(@Days(30, 'The number of days ahead.') days: number, @Ctx() context: GraphContext) {
    return countGrantsEnding(context, days);
  }

  @FieldResolver(() => [ChangedByHand], {
    nullable: true,
    description:
      'The files whose records were changed in another way since the files were last applied; applying them again may revert these changes.',
  })
  changedByHand(@Ctx() context: GraphContext) {
    return listChangedByHand(context);
  }

  @FieldResolver(() => DateTime, {
    nullable: true,
    description: 'When the next signing key takes over; null without automatic rotation.',
  })
  @Guarded(SigningKey)
  nextKeyAt(@Ctx() context: GraphContext) {
    return findNextKeyAt(context);
  }

  @FieldResolver(() => UnusedGrants, {
    nullable: true,
    description: 'The assignments of profiles that were not used for this number of days. Blocked users do not count.',
  })
  unusedGrants(@Days(90, 'The number of days without use.') days: number, @Ctx() context: GraphContext) {
    return countUnusedGrants(context, days);
  }

  @FieldResolver(() => Int, { nullable: true, description: 'The number of blocked users who hold profiles.' })
  blockedHolders(@Ctx() context: GraphContext) {
    return countBlockedHolders(context);
  }

  @FieldResolver(() => connectionOf(Client), {
    nullable: true,
    description: 'The clients that have two working secrets.',
  })
  @Guarded(Client)
  twoSecrets(@Args(() => FirstFew) page: FirstFew, @Load() load: Loader) {
    return firstOf(load, Client, page, hasTwoSecrets, [{ previousSecretEndsAt: 'ASC' }]);
  }

  @FieldResolver(() => connectionOf(Proposal), {
    nullable: true,
    description:
      'Approved proposals that wait for their time, and those that failed in the last 30 days, earliest first.',
  })
  goLives(@Args(() => FirstFew) page: FirstFew, @Load() load: Loader) {
    return firstOf(load, Proposal, page, isGoLive, [{ applyAt: 'ASC' }]);
  }

  @FieldResolver(() => connectionOf(Review), {
    nullable: true,
    description: 'The open access reviews, soonest due first.',
  })
  reviews(@Args(() => FirstFew) page: FirstFew, @Load() load: Loader) {
    return firstOf(load, Review, page, "t.state = 'OPEN'", [{ dueAt: 'ASC' }]);
  }
}

async function firstOf(
  { context, info }: Loader,
  record: typeof Client | typeof Proposal | typeof Review,
  { first }: FirstFew,
  condition: string,
  orderBy: object[],
) {
  const page = { first, orderBy: orderBy as Row[] };
  // replicas may be behind, and neither clients nor proposals nor reviews are part of the catalogue version that shows it
  const [rows] = await readPages(
    { ...context, reads: context.sql },
    record,
    page,
    connectionSelectionOf(info, record),
    { condition: (_statement, alias) => condition.replaceAll('t.', `${alias}.`) },
  );
  return rows!;
}

@ObjectType({ description: 'A profile that few colleagues hold.', simpleResolvers: true })
class UnusualProfile {
  @Field(() => Int, { description: 'The number of people in the department who hold it.' }) holders!: number;
  @Field(() => Int, { description: 'The number of people in the department.' }) colleagues!: number;
  @RecordAt(Profile, 'profileId', { description: 'The profile.' }) profile!: Profile;
}

@Resolver(() => User)
export class UnusualProfilesResolver {
  @FieldResolver(() => [UnusualProfile], {
    nullable: true,
    description: `The profiles of the user that are unusual: ${unusualRule}.`,
  })
  @Guarded(UserProfile)
  @Needs(User, 'userId')
  unusualProfiles(@Root() { userId }: User, @Load() load: Loader) {
    return load.batched(userId, (ids: readonly number[]) => listUnusualProfiles(load.context, ids));
  }
}

@Resolver(() => AccessScopeType)
export class MappingsOfTypeResolver {
  @FieldResolver(() => Int, { description: 'The number of mappings of the type and of its access scopes.' })
  @Needs(AccessScopeType, 'accessScopeTypeId')
  mappings(@Root() { accessScopeTypeId }: AccessScopeType, @Load() load: Loader) {
    return load.batched(accessScopeTypeId, (ids: readonly number[]) => countMappingsOfTypes(load.context, ids));
  }
}
