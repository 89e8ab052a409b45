/** Lists of an effect, a page at a time: its items, the people concerned, and groups with their sums. They are made of what is counted. */
import type { Context } from '../../context.js';
import { Application } from '../../entities/Application.js';
import type { RecordClass } from '../../entities/description.js';
import { Profile } from '../../entities/Profile.js';
import { User } from '../../entities/User.js';
import { containsWords, wordsOf } from '../../services/read/foldedText.js';
import { readByKeys, type Slice, sliceFrom } from '../../services/read/readPages.js';
import type { Row } from '../../services/read/select.js';
import type { Bits } from './bits.js';
import { wholeWithUsers } from './describeChangeSet.js';
import type { Group } from './effectDiff.js';
import {
  type AccessDelta,
  type AccessSums,
  type Counted,
  differenceOf,
  profilesOn,
  Sum,
  sessionsOf,
  valuesOn,
} from './effectSides.js';
import type { CountedEffect } from './outcomes.js';

/** A person gains or loses applications and entries by a profile. */
export interface PersonItem {
  counted: Counted;
  userId: number;
  profileId: string;
  applicationIds: number[];
  scopes: string[];
}

/** People of a group in the order of their numbers, and how many items come before each. */
interface Listed {
  people: { userId: number; group: Group }[];
  starts: number[];
  total: number;
}
const listed = new WeakMap<AccessDelta, Listed>();

/** The profiles of the group by which its people gain or lose something. */
const profilesBy = ({ counted, side }: AccessDelta, group: Group, values: Bits): number[] =>
  profilesOn(group, side).filter((profile) => valuesOn(counted, side)[profile]!.meets(values));

function listItems(delta: AccessDelta): Listed {
  const known = listed.get(delta);
  if (known) return known;
  const sizes = new Map(
    delta.groups.map((group) => [
      group,
      profilesBy(delta, group, differenceOf(delta.counted, group, delta.side)).length,
    ]),
  );
  const people = delta.groups
    .flatMap((group) => group.userIds.map((userId) => ({ userId, group })))
    .sort((one, other) => one.userId - other.userId);
  let total = 0;
  const starts = people.map(({ group }) => {
    total += sizes.get(group)!;
    return total - sizes.get(group)!;
  });
  const list = { people, starts, total };
  listed.set(delta, list);
  return list;
}

export function sliceItems(delta: AccessDelta, start: number, first: number): Slice<PersonItem> {
  const { people, starts, total } = listItems(delta);
  const { counted, side } = delta;
  const items: PersonItem[] = [];
  const after = starts.findIndex((each) => each > start);
  for (
    let at = (after < 0 ? people.length : after) - 1;
    at >= 0 && at < people.length && starts[at]! < start + first;
    at++
  ) {
    const { userId, group } = people[at]!;
    const values = differenceOf(counted, group, side);
    profilesBy(delta, group, values).forEach((profile, index) => {
      const place = starts[at]! + index;
      if (place < start || place >= start + first) return;
      const own = namesOf(counted, valuesOn(counted, side)[profile]!.common(values));
      items.push({ counted, userId, profileId: counted.profiles.values[profile]!, ...own });
    });
  }
  return { items, start, total };
}

/** Applications in the order of their numbers, and entries in that of their texts. */
export function namesOf({ values }: Counted, bits: Bits): { applicationIds: number[]; scopes: string[] } {
  const all = [...bits].map((place) => values.values[place]!);
  return {
    applicationIds: all.filter((value) => typeof value === 'number').sort((one, other) => one - other),
    scopes: all.filter((value) => typeof value === 'string').sort(),
  };
}

/** An item with its records. */
export interface AccessItem {
  user: Row;
  profile: Row;
  applications: Row[];
  scopes: string[];
}

export type EffectCounts = Pick<AccessDelta, 'applications' | 'scopes' | 'pairs' | 'profiles' | 'users' | 'sessions'>;

export function countsOf({ applications, scopes, pairs, profiles, users, sessions }: AccessDelta): EffectCounts {
  return { applications, scopes, pairs, profiles, users, sessions };
}

/** The first items with their records, as the context reads them. */
export async function describeItems(context: Context, delta: AccessDelta, first: number): Promise<AccessItem[]> {
  const { items } = sliceItems(delta, 0, first);
  const records = async (record: RecordClass, key: string, keys: unknown[]) => {
    const rows = keys.length === 0 ? [] : await readByKeys(context, wholeWithUsers(record), key, [...new Set(keys)]);
    return new Map([...(delta.counted.passing.get(record) ?? []), ...rows]);
  };
  const ids = items.flatMap(({ applicationIds }) => applicationIds);
  const applications = await records(Application, 'applicationId', ids);
  const profiles = await records(
    Profile,
    'profileId',
    items.map(({ profileId }) => profileId),
  );
  const users = await records(
    User,
    'userId',
    items.map(({ userId }) => userId),
  );
  return items.map(({ userId, profileId, applicationIds, scopes }) => ({
    user: users.get(userId)!,
    profile: profiles.get(profileId)!,
    applications: applicationIds.map((id) => applications.get(id)!),
    scopes,
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

/** The numbers of the people who gain or lose, each once, by name. */
export async function slicePeople(
  { reads }: Context,
  { groups, counted: { passing } }: AccessDelta,
  { text, department }: PeopleFilter,
  start: number,
  first: number,
): Promise<Slice<number>> {
  const concerned = new Set<unknown>(groups.flatMap(({ userIds }) => userIds));
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

/** The groups of an effect: what people gain and lose by a profile, what becomes of an application, and what a person gains and loses. */
export type Grouping = 'PROFILE' | 'APPLICATION' | 'USER';

/** The id of a profile, or the number of an application or a user. */
type GroupKey = string | number;

export interface EffectGroup {
  key: GroupKey;
  gains: AccessSums;
  loses: AccessSums;
}

const noSums: AccessSums = { users: 0, applications: 0, scopes: 0, pairs: 0, least: 0, most: 0, sessions: 0 };
const sumsOfDeltas = new WeakMap<AccessDelta, Map<Grouping, Map<GroupKey, AccessSums>>>();

/** Groups with their sums, those with the most users first. */
export function sliceGroups(
  { gains, loses }: Pick<CountedEffect, 'gains' | 'loses'>,
  by: Grouping,
  start: number,
  first: number,
): Slice<EffectGroup> {
  const [gained, lost] = [sumsBy(gains, by), sumsBy(loses, by)];
  const groups = [...new Set([...gained.keys(), ...lost.keys()])].map((key) => ({
    key,
    gains: gained.get(key) ?? noSums,
    loses: lost.get(key) ?? noSums,
  }));
  const size = (of: keyof AccessSums, group: EffectGroup) => group.gains[of] + group.loses[of];
  groups.sort(
    (one, other) =>
      size('users', other) - size('users', one) ||
      size('pairs', other) - size('pairs', one) ||
      (one.key < other.key ? -1 : 1),
  );
  return sliceFrom(groups, { start, first });
}

function sumsBy(delta: AccessDelta, by: Grouping): Map<GroupKey, AccessSums> {
  const known = sumsOfDeltas.get(delta) ?? new Map<Grouping, Map<GroupKey, AccessSums>>();
  sumsOfDeltas.set(delta, known);
  const sums = known.get(by) ?? { PROFILE: sumsByProfile, APPLICATION: sumsByApplication, USER: sumsByUser }[by](delta);
  known.set(by, sums);
  return sums;
}

/** Calls back for each group of people, with what they gain or lose and the profiles by which they do. */
function eachGroup(delta: AccessDelta, visit: (group: Group, values: Bits, profiles: readonly number[]) => void): void {
  for (const group of delta.groups) {
    const values = differenceOf(delta.counted, group, delta.side);
    visit(group, values, profilesBy(delta, group, values));
  }
}

function sumsByProfile(delta: AccessDelta): Map<GroupKey, AccessSums> {
  const sums = new Map<number, Sum>();
  eachGroup(delta, ({ userIds }, values, profiles) => {
    for (const profile of profiles) {
      const sum = sums.get(profile) ?? new Sum(delta.counted, delta.side);
      sums.set(profile, sum);
      sum.add(userIds, valuesOn(delta.counted, delta.side)[profile]!.common(values), [profile]);
    }
  });
  return new Map([...sums].map(([profile, sum]) => [delta.counted.profiles.values[profile]!, sum.sums]));
}

function sumsByApplication(delta: AccessDelta): Map<GroupKey, AccessSums> {
  const { counted, side } = delta;
  const sums = new Map<GroupKey, AccessSums>();
  eachGroup(delta, ({ userIds }, values, profiles) => {
    const sessions = profiles.map((profile) => sessionsOf(counted, profile, userIds));
    for (const place of values.common(counted.applications)) {
      const key = counted.values.values[place]!;
      const sum = sums.get(key) ?? { ...noSums, applications: 1, least: 1, most: 1 };
      sums.set(key, sum);
      sum.users += userIds.length;
      sum.pairs += userIds.length;
      profiles.forEach((profile, index) => {
        if (sessions[index]! > 0 && valuesOn(counted, side)[profile]!.has(place)) sum.sessions += sessions[index]!;
      });
    }
  });
  return sums;
}

function sumsByUser(delta: AccessDelta): Map<GroupKey, AccessSums> {
  const sums = new Map<GroupKey, AccessSums>();
  eachGroup(delta, ({ userIds }, values, profiles) => {
    const applications = values.common(delta.counted.applications).size;
    const counts = { pairs: applications, least: applications, most: applications };
    const own = { users: 1, applications, scopes: values.size - applications, ...counts };
    for (const userId of userIds) {
      const sessions = profiles.reduce((sum, profile) => sum + sessionsOf(delta.counted, profile, [userId]), 0);
      sums.set(userId, { ...own, sessions });
    }
  });
  return sums;
}
