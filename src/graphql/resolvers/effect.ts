/** Reads the effect of a change set: the access gained and lost, as counts and paged lists. */
import { Arg, Args, ArgsType, Ctx, Extensions, Field, ID, InputType, Int, Query, Resolver, Root } from 'type-graphql';
import { Application } from '../../entities/Application.js';
import type { RecordClass } from '../../entities/description.js';
import { Profile } from '../../entities/Profile.js';
import { User } from '../../entities/User.js';
import type { Effect as Counted } from '../../services/changes/effect.js';
import type { AccessDelta as Delta } from '../../services/changes/effectDiff.js';
import {
  type DifferingItem,
  type EffectGroup as Group,
  type Grouping,
  readFirstPeople,
  sliceGroups,
  sliceItems,
  slicePeople,
} from '../../services/changes/effectLists.js';
import { findKeptEffect, keepEffect } from '../../services/changes/keptEffects.js';
import {
  type ChangeGroup,
  type ChangeOutcome,
  countOutcomes,
  filterOutcomes,
  groupChanges,
  requireOutcomes,
} from '../../services/changes/outcomes.js';
import { describeGroup, readLabels } from '../../services/changes/title.js';
import { pageOfSlice, readByKeys, requireSlice } from '../../services/read/readPages.js';
import type { Row } from '../../services/read/select.js';
import { type GraphContext, Load, type Loader } from '../resolving/loaders.js';
import { connectionSelectionOf, selectionOf } from '../resolving/selection.js';
import { storedPlan } from '../schema/changes.js';
import { connectionOf, SliceOfList } from '../schema/connection.js';
import { declareEnum } from '../schema/inputs.js';
import { Computed, ComputedOrNull, Member, MemberOrNull, Requires, Result } from '../schema/operations.js';

const firstPeople = 50;

@Result('One change of access: a profile gains or loses an application or a scope, or a user gains or loses a profile.')
class AccessItem {
  @MemberOrNull(String, 'The entry of the `scopes` claim that the profile gains or loses.') scope!: string | null;
  @Member(Int, 'The number of users affected: those who hold the profile, or 1 if `user` is set.') users!: number;
}

@Result('Access gained or lost. Counts are exact; a user or session is counted once.')
class AccessDelta {
  @Member(Int, 'The number of applications that at least one profile gains or loses.') applications!: number;
  @Member(Int, 'The number of entries of the `scopes` claim that at least one profile gains or loses.') scopes!: number;
  @Member(Int, 'The number of profiles that gain or lose access, or that a user gains or loses.') profiles!: number;
  @Member(Int, 'The number of users affected.') users!: number;
  @Member(Int, 'The number of active renewal tokens affected.') sessions!: number;
}

@Result('The access that a group gains or loses.')
class GroupSums {
  @Member(Int, 'The number of users affected; each is counted once.') users!: number;
  @Member(Int, 'The number of active renewal tokens affected.') sessions!: number;
  @Member(Int, 'The number of applications that at least one profile of the group gains or loses.')
  applications!: number;
}

@Result(
  'The access that changes of one kind give and remove, or that a profile, an application or a user gains and loses.',
)
class EffectGroup {
  @Member(ID, 'Id of the profile, guid of the application or user, or the kind of change with the ids of its records.')
  key!: string;
  @Member(String, 'Name of the profile, application or user, or a sentence that says what the changes do.')
  label!: string;
  @Member(GroupSums, 'Access gained.') gains!: GroupSums;
  @Member(GroupSums, 'Access lost.') loses!: GroupSums;
}

@Result('The access that users and profiles gain and lose.')
export class Effect {
  @Member(AccessDelta, 'Access that exists only after the change.') gains!: AccessDelta;
  @Member(AccessDelta, 'Access that existed only before the change.') loses!: AccessDelta;
}

const EffectGrouping = declareEnum<Grouping | 'CHANGE'>('EffectGrouping', 'What the groups of an effect are.', {
  CHANGE:
    'A group for each kind of change, such as the mappings of one access scope. Empty for an effect without `outcomes`.',
  PROFILE: 'A group for each profile.',
  APPLICATION: 'A group for each application that a profile gains or loses.',
  USER: 'A group for each user.',
});

const EffectOutcomeKind = declareEnum<ChangeOutcome['outcome']>(
  'EffectOutcomeKind',
  'Who gains or loses access by a change.',
  {
    GAINS: 'Users gain access.',
    LOSES: 'Users lose access.',
    BOTH: 'Users gain access, and users lose access.',
    NOBODY: 'The change concerns access, but nobody gains or loses any: see `reason`.',
    UNCHANGED: 'The change does not concern access.',
  },
);
const EffectOutcomeReason = declareEnum<NonNullable<ChangeOutcome['reason']>>(
  'EffectOutcomeReason',
  'Why nobody gains or loses access by a change.',
  {
    ALREADY_OPEN: 'The users concerned have the access in another way too.',
    OUT_OF_USE: 'The application, the access scope or its type is inactive.',
    NOT_HELD: 'No profile has the access scope, or nobody holds the profiles.',
    STATE_DOES_NOT_OPEN: 'The state of the mapping does not open the application.',
    BLOCKED: 'All users concerned are blocked.',
  },
);

@Result('What one change does.')
class EffectOutcome {
  @Member(String, 'The place of the change in the request, such as `changes[3].mapping`.') path!: string;
  @Member(EffectOutcomeKind, 'Who gains or loses access.') outcome!: string;
  @MemberOrNull(EffectOutcomeReason, 'Why nobody gains or loses access; null unless the outcome is NOBODY.') reason!:
    | string
    | null;
  @MemberOrNull(String, 'Name of the file or connector that manages the record to be changed; null if there is none.')
  managedBy!: string | null;
  @Member(Int, 'The number of users who gain or lose access; each is counted once.') users!: number;
}

@Result('A number of changes with the same outcome, reason and file.')
class EffectOutcomeCount {
  @Member(EffectOutcomeKind, 'The outcome.') outcome!: string;
  @MemberOrNull(EffectOutcomeReason, 'The reason.') reason!: string | null;
  @MemberOrNull(String, 'Name of the file or connector.') managedBy!: string | null;
  @Member(Int, 'The number of changes.') count!: number;
}

@InputType({ description: 'Conditions on outcomes, combined with AND.' })
class EffectOutcomeFilter {
  @MemberOrNull(EffectOutcomeKind, 'The outcome.') outcome?: ChangeOutcome['outcome'] | null;
  @MemberOrNull(EffectOutcomeReason, 'The reason.') reason?: ChangeOutcome['reason'];
  @MemberOrNull(String, 'Name of the file or connector.') managedBy?: string | null;
}

const outcomeConnection = connectionOf(EffectOutcome);
Field(() => [EffectOutcomeCount], {
  description: 'The number of changes for each outcome, reason and file, largest first. The filter does not apply.',
})(outcomeConnection.prototype, 'counts');

const itemConnection = connectionOf(AccessItem);
const groupConnection = connectionOf(EffectGroup);

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
  @Computed(itemConnection, 'The changes one by one: first profiles of users, then applications, then scopes.')
  items(@Root() delta: Delta, @Args(() => SliceOfList) slice: SliceOfList, @Ctx() context: GraphContext) {
    const { start, first } = requireSlice(context, slice);
    return pageOfSlice(sliceItems(delta, start, first));
  }

  @Computed(connectionOf(User), 'The users affected, each once, ordered by name.')
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

/** A record from the tables, or one that is no longer or not yet in them. */
const loadListed = async (load: Loader, record: RecordClass, field: string, key: unknown, { passing }: Delta) =>
  (await load.record(record, field, key)) ?? passing.get(record)?.get(key) ?? null;

@Resolver(() => AccessItem)
export class AccessItemResolver {
  @Computed(Profile, 'The profile.')
  profile(@Root() { delta, profileId }: DifferingItem, @Load() load: Loader) {
    return loadListed(load, Profile, 'profileId', profileId, delta);
  }

  @ComputedOrNull(Application, 'The application that the profile gains or loses.')
  application(@Root() { delta, applicationId }: DifferingItem, @Load() load: Loader) {
    return loadListed(load, Application, 'applicationId', applicationId, delta);
  }

  @ComputedOrNull(User, 'The user who gains or loses the profile.')
  user(@Root() { delta, userId }: DifferingItem, @Load() load: Loader) {
    return loadListed(load, User, 'userId', userId, delta);
  }

  @Computed([User], 'The first users affected, ordered by name.')
  people(
    @Root() item: DifferingItem,
    @Arg('first', () => Int, { nullable: true, defaultValue: firstPeople, description: 'The maximum number of items.' })
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
      'Returns an effect that the caller has received before. The service keeps an effect for ten minutes; later, or after a change of the catalogue, it computes the effect again. Fails with NOT_FOUND if the effect is no longer available: repeat the dry run.',
  })
  @Requires('admin:read')
  effect(
    @Arg('effectId', () => ID, { description: 'The `effectId` of the effect.' }) effectId: string,
    @Ctx() context: GraphContext,
  ): Promise<Counted> {
    return findKeptEffect(context, effectId, storedPlan);
  }

  @Computed(ID, 'The argument for the query `effect`, which reads further pages of the lists without another dry run.')
  effectId(@Root() effect: Counted, @Ctx() context: GraphContext) {
    return keepEffect(context, effect);
  }

  @ComputedOrNull(
    outcomeConnection,
    'What each change of the request does, in the order of the changes; null for a stored change set, an undo and a catalogue file.',
  )
  outcomes(
    @Root() effect: Counted,
    @Arg('filter', () => EffectOutcomeFilter, { nullable: true, description: 'Returns only outcomes that match.' })
    filter: EffectOutcomeFilter | null | undefined,
    @Args(() => SliceOfList) slice: SliceOfList,
    @Ctx() context: GraphContext,
  ) {
    const { start, first } = requireSlice(context, slice);
    const all = requireOutcomes(effect);
    if (!all) return null;
    const matching = filterOutcomes(all, filter ?? {});
    const page = pageOfSlice({ items: matching.slice(start, start + first), start, total: matching.length });
    return Object.assign(page, { counts: countOutcomes(all) });
  }

  @Computed(groupConnection, 'Sums by group, largest first.')
  async groups(
    @Root() effect: Counted,
    @Arg('by', () => EffectGrouping as never, { description: 'The type of the groups.' }) by: Grouping | 'CHANGE',
    @Args(() => SliceOfList) slice: SliceOfList,
    @Ctx() context: GraphContext,
  ) {
    const { start, first } = requireSlice(context, slice);
    if (by === 'CHANGE') {
      const all = requireOutcomes(effect) ?? [];
      const groups = groupChanges(effect, all);
      const listed = await labelChanges(context, groups.slice(start, start + first), all);
      return pageOfSlice({ items: listed, start, total: groups.length });
    }
    const { items, ...place } = sliceGroups(effect, by, start, first);
    return pageOfSlice({ ...place, items: await nameGroups(context, effect, by, items) });
  }
}

/** The groups with their effects. */
async function labelChanges(context: GraphContext, groups: readonly ChangeGroup[], all: readonly ChangeOutcome[]) {
  const makers = all.filter(({ name }) => name.startsWith('create'));
  const labels = await readLabels(context, [...groups.flatMap(({ changes }) => changes), ...makers]);
  return groups.map(({ changes, ...group }) => ({ ...group, label: describeGroup(context, changes, labels) }));
}

const groupRecords = {
  PROFILE: { record: Profile, by: 'profileId', key: 'profileId', names: ['name'] },
  APPLICATION: { record: Application, by: 'applicationId', key: 'applicationGuid', names: ['name'] },
  USER: { record: User, by: 'userId', key: 'userGuid', names: ['firstName', 'lastName'] },
} as const;

/** The groups with the keys and names of their records. */
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
