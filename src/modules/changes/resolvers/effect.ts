/** Reads the effect of a change set: the access gained and lost, as counts and paged lists. */
import { Arg, Args, ArgsType, Ctx, Extensions, Field, ID, Int, Query, Resolver, Root } from 'type-graphql';
import { Application } from '../../../entities/Application.js';
import type { RecordClass } from '../../../entities/description.js';
import { Profile } from '../../../entities/Profile.js';
import { User } from '../../../entities/User.js';
import { type GraphContext, Load, type Loader } from '../../../graphql/resolving/loaders.js';
import { connectionSelectionOf, selectionOf } from '../../../graphql/resolving/selection.js';
import { connectionOf, SliceOfList } from '../../../graphql/schema/connection.js';
import { declareEnum } from '../../../graphql/schema/inputs.js';
import {
  Computed,
  ComputedOrNull,
  Member,
  MemberOrNull,
  Requires,
  Result,
} from '../../../graphql/schema/operations.js';
import { pageOfSlice, readByKeys, requireSlice, sliceFrom } from '../../../services/read/readPages.js';
import type { Row } from '../../../services/read/select.js';
import type { ComputedEffect } from '../effect.js';
import {
  type EffectGroup as Group,
  type Grouping,
  namesOf,
  type PersonItem,
  sliceGroups,
  sliceItems,
  slicePeople,
} from '../effectLists.js';
import type { ChangeOutcome, AccessDelta as Delta, TokenCounts, TokenItem as TokensOfProfile } from '../effectSides.js';
import { findKeptEffect, keepEffect } from '../keptEffects.js';
import {
  type ChangeGroup,
  type CountedEffect,
  countOutcomes,
  filterOutcomes,
  groupChanges,
  outcomesOf,
} from '../outcomes.js';
import { describeGroup, sentencesOf, wordsFor } from '../title.js';
import { EffectOutcomeFilter, outcomeConnection } from './outcomes.js';

const firstPeople = 50;
const firstApplications = 50;
const First = (defaultValue: number) =>
  Arg('first', () => Int, { nullable: true, defaultValue, description: 'The maximum number of items.' });

@Result('A person gains or loses access by a profile.')
class AccessItem {
  @Member([String], 'The entries of the `scopes` claim.') scopes!: string[];
}

@Result(
  'Who gains or loses access: the people who, by all their profiles together, can open an application or have an entry of scopes on one side of the change only. Counts are exact.',
)
class AccessDelta {
  @Member(Int, 'The number of people, each counted once.') users!: number;
  @Member(Int, 'The number of applications that at least one person gains or loses.') applications!: number;
  @Member(Int, 'The number of entries of the `scopes` claim that at least one person gains or loses.') scopes!: number;
  @Member(Int, 'The number of pairs of a person and an application.') pairs!: number;
  @Member(Int, 'The number of applications of the person who has the fewest.') least!: number;
  @Member(Int, 'The number of applications of the person who has the most.') most!: number;
  @Member(Int, 'The number of profiles by which they gain or lose it.') profiles!: number;
  @Member(Int, 'The number of active renewal tokens that these people have for these profiles.') sessions!: number;
}

@Result('What people gain or lose by a group.')
class GroupSums {
  @Member(Int, 'The number of people, each counted once.') users!: number;
  @Member(
    Int,
    'The number of active renewal tokens that these people have for the profiles by which they gain or lose it.',
  )
  sessions!: number;
  @Member(Int, 'The number of applications that at least one of these people gains or loses.') applications!: number;
  @Member(Int, 'The number of entries of the `scopes` claim that at least one of these people gains or loses.')
  scopes!: number;
  @Member(Int, 'The number of pairs of a person and an application.') pairs!: number;
  @Member(Int, 'The number of applications of the person who has the fewest.') least!: number;
  @Member(Int, 'The number of applications of the person who has the most.') most!: number;
}

@Result(
  'What people gain and lose through changes of one kind or by a profile, who gains and loses an application, or what a person gains and loses.',
)
class EffectGroup {
  @Member(ID, 'Id of the profile, guid of the application or user, or the kind of change with the ids of its records.')
  key!: string;
  @Member(String, 'Name of the profile, application or user, or a sentence that says what the changes do.')
  label!: string;
  @Member(GroupSums, 'Access gained.') gains!: GroupSums;
  @Member(GroupSums, 'Access lost.') loses!: GroupSums;
}

@Result('A group of people who gain, or who lose.')
class AccessGroup extends GroupSums {
  @Member(ID, 'As in EffectGroup.') key!: string;
  @Member(String, 'As in EffectGroup.') label!: string;
}

@Result('A profile whose tokens change.')
class TokenItem {
  @Member(Int, 'The number of people whose tokens for the profile change.') users!: number;
  @Member(Int, 'The number of active renewal tokens that they have for the profile.') sessions!: number;
}

@Result(
  'The tokens that change, whoever gains or loses access by it: those of profiles that open other applications or have other entries, and those of profiles that people come to hold or hold no longer.',
)
export class TokenDelta {
  @Member(Int, 'The number of profiles.') profiles!: number;
  @Member(Int, 'The number of people whose tokens change, each counted once.') users!: number;
  @Member(Int, 'The number of active renewal tokens for which they are issued.') sessions!: number;
}

@Result('What changes of a request or of a proposal do, in words.')
export class ChangeSentence {
  @Member(String, 'The sentence, such as “Give IT auditor to 1,326 people as Deputy until 24 February 2027”.')
  text!: string;
  @Member(Int, 'The number of changes that it describes: they differ only in the records that it names or counts.')
  count!: number;
}

@Result('Who gains and who loses access, and which tokens change.')
export class Effect {
  @Member(AccessDelta, 'Access that exists only after the change.') gains!: AccessDelta;
  @Member(AccessDelta, 'Access that existed only before the change.') loses!: AccessDelta;
  @Member(TokenDelta, 'The tokens that change.') tokens!: TokenDelta;
}

const EffectGrouping = declareEnum<Grouping | 'CHANGE'>('EffectGrouping', 'What the groups of an effect are.', {
  CHANGE:
    'A group for each kind of change, such as the mappings of one access scope. Empty for an effect without `outcomes`.',
  PROFILE: 'A group for each profile by which people gain or lose access.',
  APPLICATION: 'A group for each application that people gain or lose.',
  USER: 'A group for each person.',
});

const itemConnection = connectionOf(AccessItem);
const tokenConnection = connectionOf(TokenItem);
const groupConnection = connectionOf(EffectGroup);
const accessGroupConnection = connectionOf(AccessGroup);

@ArgsType()
class GroupSlice extends SliceOfList {
  @Field(() => EffectGrouping as never, { description: 'The type of the groups.' }) by!: Grouping | 'CHANGE';
}

@ArgsType()
class PeopleSlice extends SliceOfList {
  @MemberOrNull(
    String,
    'Returns only users whose name or e-mail address contains every word, ignoring accents and case.',
  )
  text?: string | null;
  @MemberOrNull(String, 'Returns only users of this department.') department?: string | null;
}

@Resolver(() => AccessDelta)
export class AccessDeltaResolver {
  @Computed(
    itemConnection,
    'Each person, with the profile by which access is gained or lost; several where there are several profiles.',
  )
  items(@Root() delta: Delta, @Args(() => SliceOfList) slice: SliceOfList, @Ctx() context: GraphContext) {
    const { start, first } = requireSlice(context, slice);
    return pageOfSlice(sliceItems(delta, start, first));
  }

  @Computed(connectionOf(User), 'The people, each once, ordered by name.')
  @Extensions({ isPagedInMemory: true })
  async people(@Root() delta: Delta, @Args(() => PeopleSlice) slice: PeopleSlice, @Load() { context, info }: Loader) {
    const { start, first } = requireSlice(context, slice);
    const { items: ids, ...place } = await slicePeople(context, delta, slice, start, first);
    const { nodes } = connectionSelectionOf(info, User);
    const rows: ReadonlyMap<unknown, Row> = nodes ? await readByKeys(context, nodes, 'userId', ids) : new Map();
    const { passing } = delta.counted;
    const items = ids.map((userId) => rows.get(userId) ?? passing.get(User)?.get(userId) ?? { userId });
    return pageOfSlice({ ...place, items });
  }

  @Computed(accessGroupConnection, 'Sums by group, largest first.')
  async groups(@Root() delta: Delta, @Args(() => GroupSlice) slice: GroupSlice, @Ctx() context: GraphContext) {
    // of one side, as if nothing happened on the other
    const none = { ...delta, groups: [], users: 0 };
    const effect = delta.side === 'gains' ? { gains: delta, loses: none } : { gains: none, loses: delta };
    const { items, ...place } = await groupsOf(context, effect, slice);
    return pageOfSlice({ ...place, items: items.map(({ [delta.side]: sums, ...group }) => ({ ...group, ...sums })) });
  }
}

/** A record from the tables, or one that is no longer or not yet in them. */
const loadListed = async (load: Loader, record: RecordClass, field: string, key: unknown, { counted }: HasCounted) =>
  (await load.record(record, field, key)) ?? counted.passing.get(record)?.get(key) ?? null;
type HasCounted = Pick<Delta, 'counted'>;

@Resolver(() => AccessItem)
export class AccessItemResolver {
  @Computed(User, 'The person.')
  user(@Root() item: PersonItem, @Load() load: Loader) {
    return loadListed(load, User, 'userId', item.userId, item);
  }

  @Computed(Profile, 'The profile by which the person gains or loses access.')
  profile(@Root() item: PersonItem, @Load() load: Loader) {
    return loadListed(load, Profile, 'profileId', item.profileId, item);
  }

  @Computed(Int, 'The number of people: 1.')
  users() {
    return 1;
  }

  @Computed([User], 'The person.')
  async people(@Root() item: PersonItem, @First(firstPeople) first: number | null, @Load() load: Loader) {
    return first === 0 ? [] : [await loadListed(load, User, 'userId', item.userId, item)];
  }

  @ComputedOrNull(Application, 'The application, if there is exactly one: see `applications`.')
  application(@Root() item: PersonItem, @Load() load: Loader) {
    const [id, ...others] = item.applicationIds;
    return id === undefined || others.length > 0 ? null : loadListed(load, Application, 'applicationId', id, item);
  }

  @ComputedOrNull(String, 'The entry of the `scopes` claim, if there is exactly one: see `scopes`.')
  scope(@Root() { scopes }: PersonItem) {
    return scopes.length === 1 ? scopes[0] : null;
  }

  @Computed(Int, 'The number of applications.')
  applicationCount(@Root() { applicationIds }: PersonItem) {
    return applicationIds.length;
  }

  @Computed([Application], 'The first applications, ordered by their numbers.')
  applications(@Root() item: PersonItem, @First(firstApplications) first: number | null, @Load() load: Loader) {
    const { context, info } = load;
    const slice = requireSlice(context, { first: first ?? firstApplications });
    return load.batched(item, async (items) => {
      const listed = items.map(({ applicationIds }) => applicationIds.slice(0, slice.first));
      const rows = await readByKeys(context, selectionOf(info, Application), 'applicationId', [
        ...new Set(listed.flat()),
      ]);
      const passing = item.counted.passing.get(Application);
      return listed.map((ids) => ids.flatMap<Row>((id) => rows.get(id) ?? passing?.get(id) ?? []));
    });
  }
}

@Resolver(() => TokenDelta)
export class TokenDeltaResolver {
  @Computed(tokenConnection, 'The profiles, those with the most people first.')
  items(@Root() { items }: TokenCounts, @Args(() => SliceOfList) slice: SliceOfList, @Ctx() context: GraphContext) {
    return pageOfSlice(sliceFrom(items, requireSlice(context, slice)));
  }
}

@Resolver(() => TokenItem)
export class TokenItemResolver {
  @Computed(Profile, 'The profile.')
  profile(@Root() item: TokensOfProfile, @Load() load: Loader) {
    return loadListed(load, Profile, 'profileId', item.counted.profiles.values[item.profile], item);
  }

  @Computed(Int, 'The number of applications that these tokens open after the change only.')
  applicationsGained(@Root() { counted, gains }: TokensOfProfile) {
    return namesOf(counted, gains).applicationIds.length;
  }

  @Computed(Int, 'The number of applications that these tokens opened before the change only.')
  applicationsLost(@Root() { counted, loses }: TokensOfProfile) {
    return namesOf(counted, loses).applicationIds.length;
  }

  @Computed([String], 'The entries of the `scopes` claim that these tokens have after the change only.')
  scopesGained(@Root() { counted, gains }: TokensOfProfile) {
    return namesOf(counted, gains).scopes;
  }

  @Computed([String], 'The entries of the `scopes` claim that these tokens had before the change only.')
  scopesLost(@Root() { counted, loses }: TokensOfProfile) {
    return namesOf(counted, loses).scopes;
  }
}

@Resolver(() => Effect)
export class EffectResolver {
  @Query(() => Effect, {
    description:
      'Returns an effect that the caller has received before. The service keeps an effect for ten minutes; later, or after a change of the catalogue, it computes the effect again. Fails with NOT_FOUND if the effect is no longer available: repeat the dry run.',
  })
  @Requires('admin:read')
  effect(
    @Arg('effectId', () => ID, { description: 'The `effectId` of the effect.' }) effectId: string,
    @Ctx() context: GraphContext,
  ): Promise<ComputedEffect> {
    return findKeptEffect(context, effectId);
  }

  @Computed(ID, 'The argument for the query `effect`, which reads further pages of the lists without another dry run.')
  effectId(@Root() effect: ComputedEffect, @Ctx() context: GraphContext) {
    return keepEffect(context, effect);
  }

  @ComputedOrNull(
    outcomeConnection,
    'What each change of the request does, in the order of the changes; null for a stored change set, an undo and a catalogue file.',
  )
  outcomes(
    @Root() effect: ComputedEffect,
    @Arg('filter', () => EffectOutcomeFilter, { nullable: true, description: 'Returns only outcomes that match.' })
    filter: EffectOutcomeFilter | null | undefined,
    @Args(() => SliceOfList) slice: SliceOfList,
    @Ctx() context: GraphContext,
  ) {
    const { start, first } = requireSlice(context, slice);
    const all = outcomesOf(effect);
    if (!all) return null;
    const matching = filterOutcomes(all, filter ?? {});
    const page = pageOfSlice({ items: matching.slice(start, start + first), start, total: matching.length });
    return Object.assign(page, { counts: countOutcomes(all) });
  }

  @ComputedOrNull(
    [ChangeSentence],
    'What the changes of the request do, each with every value that it sets; null for a stored change set, an undo and a catalogue file.',
  )
  sentences(@Root() { changes }: ComputedEffect, @Ctx() context: GraphContext) {
    return changes ? sentencesOf(context, changes) : null;
  }

  @Computed(groupConnection, 'Sums by group, largest first.')
  async groups(
    @Root() effect: ComputedEffect,
    @Args(() => GroupSlice) slice: GroupSlice,
    @Ctx() context: GraphContext,
  ) {
    return pageOfSlice(await groupsOf(context, effect, slice));
  }
}

/** Groups with their names. */
async function groupsOf(context: GraphContext, effect: Sides, { by, ...slice }: GroupSlice) {
  const { start, first } = requireSlice(context, slice);
  if (by !== 'CHANGE') {
    const { items, ...place } = sliceGroups(effect, by, start, first);
    return { ...place, items: await nameGroups(context, effect, by, items) };
  }
  const groups = groupChanges(effect);
  const items = await labelChanges(context, groups.slice(start, start + first), effect.gains.counted.outcomes ?? []);
  return { items, start, total: groups.length };
}
type Sides = Pick<CountedEffect, 'gains' | 'loses'>;

/** The groups with their effects. */
async function labelChanges(context: GraphContext, groups: readonly ChangeGroup[], all: readonly ChangeOutcome[]) {
  const words = await wordsFor(
    context,
    groups.flatMap(({ changes }) => changes),
    all,
  );
  return groups.map(({ changes, ...group }) => ({ ...group, label: describeGroup(words, changes) }));
}

const groupRecords = {
  PROFILE: { record: Profile, by: 'profileId', key: 'profileId', names: ['name'] },
  APPLICATION: { record: Application, by: 'applicationId', key: 'applicationGuid', names: ['name'] },
  USER: { record: User, by: 'userId', key: 'userGuid', names: ['firstName', 'lastName'] },
} as const;

/** The groups with the keys and names of their records. */
async function nameGroups(context: GraphContext, { gains }: Sides, grouping: Grouping, groups: readonly Group[]) {
  const { record, by, key, names } = groupRecords[grouping];
  const selection = { record, fields: new Set([key, ...names]), toOne: new Map() };
  const keys = groups.map((group) => group.key);
  const rows = await readByKeys(context, selection, by, keys);
  return groups.map((group) => {
    const row: Row = rows.get(group.key) ?? gains.counted.passing.get(record)?.get(group.key) ?? {};
    const label = names
      .map((name) => row[name])
      .filter(Boolean)
      .join(' ');
    return { ...group, key: row[key] ?? group.key, label };
  });
}
