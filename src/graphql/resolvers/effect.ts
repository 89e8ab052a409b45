/** Who gains and who loses by a change set: counts, and lists that are read a page at a time. */
import {
  Arg,
  Args,
  ArgsType,
  Ctx,
  Extensions,
  Field,
  FieldResolver,
  ID,
  Int,
  ObjectType,
  Query,
  Resolver,
  Root,
} from 'type-graphql';
import { Application } from '../../entities/Application.js';
import type { RecordClass } from '../../entities/description.js';
import { Profile } from '../../entities/Profile.js';
import { User } from '../../entities/User.js';
import type { Effect as Counted, AccessDelta as Delta } from '../../services/changes/effect.js';
import {
  type DifferingItem,
  type EffectGroup as Group,
  type Grouping,
  groupings,
  readFirstPeople,
  sliceGroups,
  sliceItems,
  slicePeople,
} from '../../services/changes/effectLists.js';
import { findKeptEffect, keepEffect } from '../../services/changes/keptEffects.js';
import { pageOfSlice, readByKeys, requireSlice } from '../../services/read/readPages.js';
import type { Row } from '../../services/read/select.js';
import { type GraphContext, Load, type Loader } from '../resolving/loaders.js';
import { connectionSelectionOf, selectionOf } from '../resolving/selection.js';
import { connectionNamed, connectionOf, SliceOfList } from '../schema/connection.js';
import { declareEnum } from '../schema/inputs.js';
import { Requires } from '../schema/operations.js';

const firstPeople = 50;

@ObjectType({
  description: 'A profile gains or loses an application or an entry of its scopes claim, or a user a profile.',
  simpleResolvers: true,
})
class AccessItem {
  @Field(() => String, { nullable: true, description: 'The entry of its scopes claim.' }) scope!: string | null;
  @Field(() => Int, {
    description: 'How many users gain or lose it: those who hold the profile; 1 where `user` is named.',
  })
  users!: number;
}

@ObjectType({
  description: 'What is gained, or lost: exact counts, of users and sessions that hold a profile concerned, each once.',
  simpleResolvers: true,
})
class AccessDelta {
  @Field(() => Int, { description: 'Applications that some profile gains or loses.' }) applications!: number;
  @Field(() => Int, { description: 'Entries of the scopes claim that some profile gains or loses.' }) scopes!: number;
  @Field(() => Int, { description: 'Profiles that gain or lose, or are gained or lost.' }) profiles!: number;
  @Field(() => Int, { description: 'Users concerned.' }) users!: number;
  @Field(() => Int, { description: 'Active renewal tokens concerned.' }) sessions!: number;
}

@ObjectType({ description: 'What a group gains or loses.', simpleResolvers: true })
class GroupSums {
  @Field(() => Int, { description: 'Users concerned, each once.' }) users!: number;
  @Field(() => Int, { description: 'Active renewal tokens concerned.' }) sessions!: number;
  @Field(() => Int, { description: 'Applications that some profile of the group gains or loses, each once.' })
  applications!: number;
}

@ObjectType({ description: 'What a profile, an application or a user gains and loses.', simpleResolvers: true })
class EffectGroup {
  @Field(() => ID, { description: 'Id of the profile, guid of the application or the user.' }) key!: string;
  @Field(() => String, { description: 'Its name.' }) label!: string;
  @Field(() => GroupSums, { description: 'What is gained.' }) gains!: GroupSums;
  @Field(() => GroupSums, { description: 'What is lost.' }) loses!: GroupSums;
}

@ObjectType({ description: 'Who gains and who loses what.', simpleResolvers: true })
export class Effect {
  @Field(() => AccessDelta, { description: 'What is there after and was not before.' }) gains!: AccessDelta;
  @Field(() => AccessDelta, { description: 'What was there before and is no more.' }) loses!: AccessDelta;
}

const EffectGrouping = declareEnum('EffectGrouping', 'What the groups of an effect are.', groupings, {
  PROFILE: 'A group for each profile.',
  APPLICATION: 'A group for each application that a profile gains or loses.',
  USER: 'A group for each user.',
});
const itemConnection = connectionNamed('AccessItem', () => AccessItem);
const groupConnection = connectionNamed('EffectGroup', () => EffectGroup);

@ArgsType()
class PeopleSlice extends SliceOfList {
  @Field(() => String, {
    nullable: true,
    description: 'Only those in whose name or e-mail address every word is a part; accents and case do not count.',
  })
  text?: string | null;
  @Field(() => String, { nullable: true, description: 'Only those of this department.' }) department?: string | null;
}

@Resolver(() => AccessDelta)
export class AccessDeltaResolver {
  @FieldResolver(() => itemConnection, {
    description: 'Users who gain or lose a profile first, then applications, then scopes.',
  })
  items(@Root() delta: Delta, @Args(() => SliceOfList) slice: SliceOfList, @Ctx() context: GraphContext) {
    const { start, first } = requireSlice(context, slice);
    return pageOfSlice(sliceItems(delta, start, first));
  }

  @FieldResolver(() => connectionOf(User), { description: 'Who they are, each once and by name.' })
  @Extensions({ isPagedInMemory: true })
  async people(@Root() delta: Delta, @Args(() => PeopleSlice) slice: PeopleSlice, @Load() { context, info }: Loader) {
    const { start, first } = requireSlice(context, slice);
    const { items: ids, ...place } = await slicePeople(context, delta, slice, start, first);
    const { nodes } = connectionSelectionOf(info, User);
    const rows: ReadonlyMap<unknown, Row> = nodes ? await readByKeys(context, nodes, 'userId', ids) : new Map();
    const items = ids.map((userId) => rows.get(userId) ?? delta.passing.get(User)?.get(userId) ?? { userId });
    return pageOfSlice({ ...place, items });
  }
}

/** A record of the tables, or one that is not in them any more, or not yet. */
const loadListed = async (load: Loader, record: RecordClass, field: string, key: unknown, { passing }: Delta) =>
  (await load.record(record, field, key)) ?? passing.get(record)?.get(key) ?? null;

@Resolver(() => AccessItem)
export class AccessItemResolver {
  @FieldResolver(() => Profile, { description: 'The profile.' })
  profile(@Root() { delta, profileId }: DifferingItem, @Load() load: Loader) {
    return loadListed(load, Profile, 'profileId', profileId, delta);
  }

  @FieldResolver(() => Application, { nullable: true, description: 'The application that it opens, or no longer.' })
  application(@Root() { delta, applicationId }: DifferingItem, @Load() load: Loader) {
    return loadListed(load, Application, 'applicationId', applicationId, delta);
  }

  @FieldResolver(() => User, { nullable: true, description: 'The user who holds it, or no longer.' })
  user(@Root() { delta, userId }: DifferingItem, @Load() load: Loader) {
    return loadListed(load, User, 'userId', userId, delta);
  }

  @FieldResolver(() => [User], { description: 'The first of them, by name.' })
  people(
    @Root() item: DifferingItem,
    @Arg('first', () => Int, { nullable: true, defaultValue: firstPeople, description: 'The first so many.' })
    first: number | null,
    @Load() load: Loader,
  ) {
    const { context, info } = load;
    const slice = requireSlice(context, { first: first ?? firstPeople });
    return load.batched(item, async (items) => {
      const listed = await readFirstPeople(context, items, slice.first);
      const rows = await readByKeys(context, selectionOf(info, User), 'userId', [...new Set(listed.flat())]);
      const passing = item.delta.passing.get(User);
      return listed.map((ids) => ids.flatMap<Row>((id) => rows.get(id) ?? passing?.get(id) ?? []));
    });
  }
}

@Resolver(() => Effect)
export class EffectResolver {
  @Query(() => Effect, {
    description:
      'An effect that was answered to the caller: kept for ten minutes, and counted again later or when the catalogue changed since. NOT_FOUND where it is kept no more: try the changes again.',
  })
  @Requires('admin:read')
  effect(
    @Arg('effectId', () => ID, { description: 'Its `effectId`.' }) effectId: string,
    @Ctx() context: GraphContext,
  ): Promise<Counted> {
    return findKeptEffect(context, effectId);
  }

  @FieldResolver(() => ID, {
    description: 'For `effect(effectId)`, which pages its lists without trying the changes again.',
  })
  effectId(@Root() effect: Counted, @Ctx() context: GraphContext) {
    return keepEffect(context, effect);
  }

  @FieldResolver(() => groupConnection, { description: 'Sums of groups, the largest first.' })
  async groups(
    @Root() effect: Counted,
    @Arg('by', () => EffectGrouping as never, { description: 'What the groups are.' }) by: Grouping,
    @Args(() => SliceOfList) slice: SliceOfList,
    @Ctx() context: GraphContext,
  ) {
    const { start, first } = requireSlice(context, slice);
    const { items, ...place } = sliceGroups(effect, by, start, first);
    return pageOfSlice({ ...place, items: await nameGroups(context, effect, by, items) });
  }
}

const groupRecords = {
  PROFILE: { record: Profile, by: 'profileId', key: 'profileId', names: ['name'] },
  APPLICATION: { record: Application, by: 'applicationId', key: 'applicationGuid', names: ['name'] },
  USER: { record: User, by: 'userId', key: 'userGuid', names: ['firstName', 'lastName'] },
} as const;

/** The groups with the keys and the names of what they are of. */
async function nameGroups(context: GraphContext, { gains }: Counted, grouping: Grouping, groups: readonly Group[]) {
  const { record, by, key, names } = groupRecords[grouping];
  const selection = { record, fields: new Set([key, ...names]), toOne: new Map() };
  const keys = groups.map((group) => group.key);
  const rows = await readByKeys(context, selection, by, keys);
  return groups.map((group) => {
    const row: Row = rows.get(group.key) ?? gains.passing.get(record)?.get(group.key) ?? {};
    const label = names
      .map((name) => row[name])
      .filter(Boolean)
      .join(' ');
    return { ...group, key: row[key] ?? group.key, label };
  });
}
