/** Lists of an effect, a page at a time: its items, the people concerned, and groups with their sums. */
import type { Context } from '../../context.js';
import { Application } from '../../entities/Application.js';
import type { RecordClass } from '../../entities/description.js';
import { Profile } from '../../entities/Profile.js';
import { User } from '../../entities/User.js';
import { tooLarge } from '../../errors.js';
import { containsWords, wordsOf } from '../read/foldedText.js';
import { readByKeys, type Slice, sliceFrom } from '../read/readPages.js';
import type { Row } from '../read/select.js';
import { wholeWithUsers } from './describeChangeSet.js';
import type { Effect } from './effect.js';
import type { AccessDelta, AccessSums } from './effectDiff.js';

/** A profile gains or loses an application or an entry of its scopes, or a user gains or loses the profile. */
export interface DifferingItem {
  delta: AccessDelta;
  profileId: string;
  applicationId: number | null;
  scope: string | null;
  userId: number | null;
  /** How many users gain or lose it: those who hold the profile, or 1 if the item names a user. */
  users: number;
}

const itemsOfDeltas = new WeakMap<AccessDelta, DifferingItem[]>();

/** Users first, then applications, then scopes. Throws TOO_LARGE if there are too many to list. */
function itemsOf(delta: AccessDelta): DifferingItem[] {
  const cached = itemsOfDeltas.get(delta);
  if (cached) return cached;
  const { applications, holdings, scopes } = delta.differing;
  if (![applications, holdings, scopes].every(({ isWhole }) => isWhole))
    throw tooLarge('The effect is too large to be listed; its counts are exact.');
  const none = { delta, applicationId: null, scope: null, userId: null };
  const profile = (profileId: string) => ({ ...none, profileId, users: delta.holders[profileId]?.length ?? 0 });
  const items = [
    ...sorted(holdings.of).map(([profileId, userId]) => ({ ...none, profileId, userId, users: 1 })),
    ...sorted(applications.of).map(([profileId, applicationId]) => ({ ...profile(profileId), applicationId })),
    ...sorted(scopes.of).map(([profileId, scope]) => ({ ...profile(profileId), scope })),
  ];
  itemsOfDeltas.set(delta, items);
  return items;
}

/** Profiles and values, by value, then by profile. */
function sorted<Value extends string | number>(of: Record<string, Value[]>): [string, Value][] {
  const pairs = Object.entries(of).flatMap(([profileId, values]) =>
    values.map((value): [string, Value] => [profileId, value]),
  );
  return pairs.sort((one, other) => compare(one[1], other[1]) || compare(one[0], other[0]));
}

const compare = <Value>(one: Value, other: Value): number => (one < other ? -1 : one > other ? 1 : 0);

export const sliceItems = (delta: AccessDelta, start: number, first: number): Slice<DifferingItem> =>
  sliceFrom(itemsOf(delta), { start, first });

/** An item with its records. */
export interface AccessItem {
  profile: Row;
  application: Row | null;
  scope: string | null;
  user: Row | null;
  users: number;
}

export type EffectCounts = Pick<AccessDelta, 'applications' | 'scopes' | 'profiles' | 'users' | 'sessions'>;

export function countsOf({ applications, scopes, profiles, users, sessions }: AccessDelta): EffectCounts {
  return { applications, scopes, profiles, users, sessions };
}

/** The first items with their records, as the context reads them. */
export async function describeItems(context: Context, delta: AccessDelta, first: number): Promise<AccessItem[]> {
  const { items } = sliceItems(delta, 0, first);
  const records = async (record: RecordClass, key: 'profileId' | 'applicationId' | 'userId') => {
    const keys = [...new Set<unknown>(items.flatMap((item) => item[key] ?? []))];
    const rows = keys.length === 0 ? [] : await readByKeys(context, wholeWithUsers(record), key, keys);
    return new Map([...(delta.passing.get(record) ?? []), ...rows]);
  };
  const profiles = await records(Profile, 'profileId');
  const applications = await records(Application, 'applicationId');
  const users = await records(User, 'userId');
  return items.map(({ profileId, applicationId, scope, userId, users: count }) => ({
    profile: profiles.get(profileId)!,
    application: applications.get(applicationId) ?? null,
    scope,
    user: users.get(userId) ?? null,
    users: count,
  }));
}

interface PeopleFilter {
  /** Words, each of which is a part of a name or of the e-mail address. */
  text?: string | null | undefined;
  department?: string | null | undefined;
}

/** SQL: users of $1, and those of $2 that a dry run made or that are gone. */
const listedUsers = `select user_id, first_name, last_name, email, department from users where user_id = any($1::int[])
  union select * from jsonb_to_recordset($2::jsonb) as passing (user_id int, first_name text, last_name text, email text, department text)
    where not exists (select from users where users.user_id = passing.user_id)`;

/** The numbers of the people concerned, each once, by name. */
export async function slicePeople(
  { reads }: Context,
  { holders, passing }: AccessDelta,
  { text, department }: PeopleFilter,
  start: number,
  first: number,
): Promise<Slice<number>> {
  const concerned = new Set<unknown>(Object.values(holders).flat());
  const newUsers = [...(passing.get(User)?.entries() ?? [])].filter(([id]) => concerned.has(id));
  const values: unknown[] = [
    [...concerned],
    JSON.stringify(newUsers.map(([, row]) => columnsOf(row))),
    department ?? null,
    start,
    first,
  ];
  const words = containsWords(
    ['first_name', 'last_name', 'email'],
    wordsOf(text ?? ''),
    (value) => `$${values.push(value)}`,
  );
  const [row] = await reads.rows<{ total: number; ids: number[] }>(
    `with listed as materialized (select * from (${listedUsers}) u
       where ($3::text is null or department = $3::text) and ${words})
     select (select count(*)::int from listed) as total,
       array(select user_id from listed order by last_name collate "C", first_name collate "C", user_id
         limit $5::int offset $4::int) as ids`,
    values,
  );
  return { items: row!.ids, start, total: row!.total };
}

function columnsOf({ userId, firstName, lastName, email, department }: Row): object {
  return { user_id: userId, first_name: firstName, last_name: lastName, email, department };
}

/** The first people of each of several items of an effect, by name. */
export async function readFirstPeople(
  { reads }: Context,
  items: readonly DifferingItem[],
  first: number,
): Promise<number[][]> {
  const keyOf = ({ delta, profileId }: DifferingItem) => `${delta.users} ${profileId}`;
  const holders = new Map(
    items.flatMap((item) => (item.userId === null ? [[keyOf(item), item.delta.holders[item.profileId] ?? []]] : [])),
  );
  const passing = items.flatMap(({ delta }) => [...(delta.passing.get(User)?.values() ?? [])]);
  const rows = await reads.rows<{ key: string; ids: number[] }>(
    `with passing as materialized (
       select * from jsonb_to_recordset($3::jsonb) as passing (user_id int, first_name text, last_name text))
     select key, array(
       select u.user_id from jsonb_array_elements_text(value) id cross join lateral (
         select user_id, first_name, last_name from users where user_id = id::int
         union select * from passing where user_id = id::int and not exists (select from users where user_id = id::int)) u
       order by last_name collate "C", first_name collate "C", user_id limit $2::int) as ids
     from jsonb_each($1::jsonb)`,
    [JSON.stringify(Object.fromEntries(holders)), first, JSON.stringify([...new Set(passing)].map(columnsOf))],
  );
  const firsts = new Map(rows.map(({ key, ids }) => [key, ids]));
  return items.map((item) => (item.userId === null ? (firsts.get(keyOf(item)) ?? []) : [item.userId].slice(0, first)));
}

/** The groups of an effect: all that a profile, an application or a user gains and loses. */
export type Grouping = 'PROFILE' | 'APPLICATION' | 'USER';

export interface EffectGroup {
  /** Id of the profile, or number of the application or the user. */
  key: string | number;
  gains: AccessSums;
  loses: AccessSums;
}

const noSums: AccessSums = { users: 0, sessions: 0, applications: 0 };
const groupsOfEffects = new WeakMap<Effect, Map<Grouping, EffectGroup[]>>();

/** Groups with their sums, those with the most users first. */
export function sliceGroups(effect: Effect, by: Grouping, start: number, first: number): Slice<EffectGroup> {
  const cached = groupsOfEffects.get(effect) ?? new Map<Grouping, EffectGroup[]>();
  groupsOfEffects.set(effect, cached);
  const groups = cached.get(by) ?? groupsOf(effect, by);
  cached.set(by, groups);
  return sliceFrom(groups, { start, first });
}

function groupsOf(effect: Effect, by: Grouping): EffectGroup[] {
  const [gains, loses] = [sumsOf(effect.gains, by), sumsOf(effect.loses, by)];
  const groups = [...new Set([...gains.keys(), ...loses.keys()])].map((key) => ({
    key,
    gains: gains.get(key) ?? noSums,
    loses: loses.get(key) ?? noSums,
  }));
  const size = (of: keyof AccessSums, group: EffectGroup) => group.gains[of] + group.loses[of];
  return groups.sort(
    (one, other) =>
      size('users', other) - size('users', one) ||
      size('applications', other) - size('applications', one) ||
      compare(one.key, other.key),
  );
}

function sumsOf(delta: AccessDelta, by: Grouping): Map<string | number, AccessSums> {
  itemsOf(delta);
  const { applications, holdings, scopes } = delta.differing;
  const concerned = new Set([applications, holdings, scopes].flatMap(({ profileIds }) => profileIds));
  if (by === 'PROFILE') return new Map([...concerned].map((id) => [id, sumsOfProfiles(delta, [id])]));
  const profiles = profilesBy(by === 'USER' ? delta.holders : delta.differing.applications.of);
  // many have the same profiles
  const sums = new Map<string, AccessSums>();
  return new Map(
    [...profiles].map(([key, profileIds]) => {
      const profileKey = profileIds.join('\n');
      const groupSums = sums.get(profileKey) ?? sumsOfProfiles(delta, profileIds);
      sums.set(profileKey, groupSums);
      if (by === 'APPLICATION') return [key, { ...groupSums, applications: 1 }];
      const sessions = profileIds.map((profileId) => delta.openSessions[profileId]?.[key] ?? 0);
      return [key, { ...groupSums, users: 1, sessions: sessions.reduce((sum, each) => sum + each, 0) }];
    }),
  );
}

/** The profiles of each value. */
function profilesBy(of: Record<string, number[]>): Map<number, string[]> {
  const profiles = new Map<number, string[]>();
  for (const [profileId, values] of Object.entries(of))
    for (const value of values) {
      const group = profiles.get(value);
      if (group) group.push(profileId);
      else profiles.set(value, [profileId]);
    }
  return profiles;
}

/** Users and applications count once, whatever number of the profiles they have. */
function sumsOfProfiles({ holders, openSessions, differing }: AccessDelta, profileIds: readonly string[]): AccessSums {
  const distinct = (of: Record<string, number[]>) =>
    profileIds.length === 1
      ? (of[profileIds[0]!]?.length ?? 0)
      : new Set(profileIds.flatMap((profileId) => of[profileId] ?? [])).size;
  const sessions = profileIds.flatMap((profileId) => Object.values(openSessions[profileId] ?? {}));
  return {
    users: distinct(holders),
    sessions: sessions.reduce((sum, each) => sum + each, 0),
    applications: distinct(differing.applications.of),
  };
}
