/**
 * Finds what of an effect goes through a change: by a way from the person to the application or the entry, on which a record is that
 * the change wrote. What a person has on both sides goes through nothing.
 */
import type { Context } from '../../context.js';
import { describe, describedRecords } from '../../entities/description.js';
import { stamps } from '../../entities/Stamped.js';
import { lasts } from '../../services/access/grants.js';
import { scopeEntryColumn, scopeIsInUse, scopesAndTypes } from '../../services/access/scopeEntry.js';
import { Bits } from './bits.js';
import type { Group } from './effectDiff.js';
import {
  type AccessDelta,
  type AccessSums,
  type Counted,
  changeOf,
  differenceOf,
  profilesOn,
  type Reason,
  type Share,
  type Side,
  Sum,
  valuesOn,
} from './effectSides.js';
import { inState, type State } from './history/state.js';

/** The record, whichever row it is. */
export interface VersionSubject {
  table: string;
  profileId: string | null;
  userId: number | null;
  applicationId: number | null;
  scopeId: number | null;
  typeIds: number[];
}

/** What a change wrote about one record. */
export interface AccessVersion extends VersionSubject {
  id: string;
  managedBy: string | null;
  /** Nothing that decides about access differs. */
  isBeside: boolean;
  /** Whether it held before and after: a mapping in a state that opens, a grant that has not ended, a user who is not blocked. */
  was: boolean;
  is: boolean;
  isMade: boolean;
  isGone: boolean;
}

/** Columns that decide nothing about access, by table; those of a table without any that does decide are all of them. */
const besideAccess = (): Record<string, string[]> =>
  Object.fromEntries(
    describedRecords().map((record) => {
      const { table, fields } = describe(record);
      const beside = fields.filter((field) => field.isBesideAccess || field.isUnversioned || stamps.has(field.name));
      return [table, beside.map(({ column }) => column)];
    }),
  );

const number = (column: string): string => `(coalesce(after, before)->>'${column}')::int`;
const holdsIn = (version: string): string =>
  `${version} is not null and (not ${version} ? 'state' or ${version}->>'state' = any($2::text[]))
    and (${version}->>'valid_until' is null or (${version}->>'valid_until')::timestamptz > now())
    and not coalesce((${version}->>'is_blocked')::boolean, false)`;
const versionsStatement = `select record_version_id::text as id, record_table as "table", before->>'managed_by' as "managedBy",
    before is null as "isMade", after is null as "isGone",
    coalesce(${holdsIn('before')}, false) as was, coalesce(${holdsIn('after')}, false) as is,
    before is not null and after is not null and before - beside = after - beside as "isBeside",
    coalesce(after, before)->>'profile_id' as "profileId", ${number('user_id')} as "userId",
    ${number('application_id')} as "applicationId", ${number('access_scope_id')} as "scopeId",
    array_remove(array[(before->>'access_scope_type_id')::int, (after->>'access_scope_type_id')::int], null) as "typeIds"
  from record_versions cross join lateral (
    select array(select jsonb_array_elements_text(coalesce($3::jsonb->record_table, '[]'))) as beside) ignored
  where change_set_id = $1::bigint order by record_version_id`;

export const mapped = 'access_scope_applications_mappers';
export const typeMapped = 'access_scope_type_applications_mappers';

export const readVersions = ({ sql, config }: Context, changeSetId: string): Promise<AccessVersion[]> =>
  sql.rows(versionsStatement, [changeSetId, config.mappingActiveStates, JSON.stringify(besideAccess())]);

/** Names the record, whichever row it is: cells of a grid are carried out together, and a grant may be removed and given again. */
export const keyOfVersion = ({ table, applicationId, scopeId, typeIds, userId, profileId }: VersionSubject): string =>
  [table, applicationId, table === typeMapped ? typeIds[0] : scopeId, userId, profileId].join(' ');

/** Tables whose records hold or not, and have nothing else that decides what they open. */
const switches: ReadonlySet<string> = new Set(['users', 'user_profiles', 'profile_access_scopes', mapped, typeMapped]);
export const isGrant = (table: string): boolean => table === 'user_profiles' || table === 'profile_access_scopes';

/** A person comes to hold profiles, or holds them no longer. */
const isHolding = ({ table }: AccessVersion): boolean => table === 'users' || table === 'user_profiles';

/** Whether each record held before and after all versions. */
function heldOver(versions: readonly AccessVersion[]): Map<string, Pick<AccessVersion, 'was' | 'is'>> {
  const held = new Map<string, Pick<AccessVersion, 'was' | 'is'>>();
  for (const version of versions) {
    const key = keyOfVersion(version);
    held.set(key, { was: (held.get(key) ?? version).was, is: version.is });
  }
  return held;
}

/** What a side of an effect is made of in the tables: the access scopes of the profiles, and what these open. */
export class SideOfEffect {
  readonly side: Side;
  readonly counted: Counted;
  /** Of grants and mappings: whether they held before and after all changes. */
  #held: ReturnType<typeof heldOver> = new Map();
  /** Profiles that have an access scope, and access scopes of a type. */
  readonly #profiles = new Map<number, number[]>();
  readonly #scopes = new Map<number, Set<number>>();
  /** What an access scope opens and puts into tokens. */
  readonly #values = new Map<number, Bits>();
  readonly #groups = new Map<number, Group[]>();
  readonly #groupOf = new Map<number, Group>();
  readonly #differences = new Map<Group, Bits>();

  constructor({ side, counted, groups }: AccessDelta) {
    this.side = side;
    this.counted = counted;
    for (const group of groups) {
      for (const profile of profilesOn(group, side)) append(this.#groups, profile, group);
      this.#differences.set(group, differenceOf(counted, group, side));
    }
    // a profile may come or go without anybody gaining or losing
    for (const group of counted.groups) for (const userId of group.userIds) this.#groupOf.set(userId, group);
  }

  /** @param versions of all changes */
  async read({ sql, config }: Context, state: State, versions: readonly AccessVersion[]): Promise<void> {
    const { values, profiles } = this.counted;
    this.#held = heldOver(versions);
    if (values.values.length === 0) return;
    const links = await sql.rows<{ profileId: string; scopeId: number; typeId: number; entry: string | null }>(
      inState(state, linksStatement),
      [profiles.values],
    );
    for (const { profileId, scopeId, typeId, entry } of links) {
      append(this.#profiles, scopeId, profiles.find(profileId)!);
      this.#scopes.set(typeId, (this.#scopes.get(typeId) ?? new Set()).add(scopeId));
      const place = entry === null ? undefined : values.find(entry);
      if (!this.#values.has(scopeId)) this.#values.set(scopeId, Bits.of(place === undefined ? [] : [place]));
    }
    const own = versions.filter(({ table, isBeside }) => !isBeside && whole.has(table));
    const typeIds = new Set(own.flatMap((version) => (version.scopeId === null ? version.typeIds : [])));
    const scopeIds = new Set([
      ...own.flatMap(({ scopeId }) => scopeId ?? []),
      ...[...typeIds].flatMap((id) => [...(this.#scopes.get(id) ?? [])]),
    ]);
    if (scopeIds.size === 0) return;
    const openings = await sql.rows<{ scopeId: number; applicationIds: number[] }>(inState(state, scopesStatement), [
      config.mappingActiveStates,
      [...scopeIds],
    ]);
    for (const { scopeId, applicationIds } of openings) {
      const opened = this.#values.get(scopeId);
      for (const id of applicationIds) {
        const place = values.find(id);
        if (place !== undefined) opened?.add(place);
      }
    }
  }

  /** What goes through records that a change wrote. */
  shareOf(versions: readonly AccessVersion[]): Share {
    const share: Share = { values: new Map(), holdings: new Map() };
    const has = valuesOn(this.counted, this.side);
    const give = (profile: number, values: Bits | undefined) => {
      const given = values && has[profile]!.common(values);
      if (!given || given.isEmpty) return;
      const own = share.values.get(profile) ?? new Bits();
      own.unite(given);
      share.values.set(profile, own);
    };
    const giveScope = (scopeId: number, values = this.#values.get(scopeId)) => {
      for (const profile of this.#profiles.get(scopeId) ?? []) give(profile, values);
    };
    for (const version of versions) {
      if (version.isBeside || !this.#isOnSide(version)) continue;
      const { table, profileId, userId, applicationId, scopeId, typeIds } = version;
      const ofTypes = typeIds.flatMap((id) => [...(this.#scopes.get(id) ?? [])]);
      const profile = profileId === null ? undefined : this.counted.profiles.find(profileId);
      const place = applicationId === null ? undefined : this.counted.values.find(applicationId);
      const application = Bits.of(place === undefined ? [] : [place]);
      if (table === mapped) giveScope(scopeId!, application);
      else if (table === typeMapped) for (const id of ofTypes) giveScope(id, application);
      else if (table === 'applications') for (const each of has.keys()) give(each, application);
      else if (table === 'access_scopes') giveScope(scopeId!);
      else if (table === 'access_scope_types') for (const id of ofTypes) giveScope(id);
      else if (userId !== null) this.#addHoldings(share, userId, table === 'users' ? undefined : profile);
      else if (profile === undefined) continue;
      else if (table === 'profile_access_scopes') give(profile, this.#values.get(scopeId!));
      else if (version.isMade || version.isGone) give(profile, has[profile]);
    }
    return share;
  }

  /** Whether the record holds on this side of the change; if it holds or not, then on this side of all changes only. */
  #isOnSide(version: AccessVersion): boolean {
    const [here, beside] = this.side === 'gains' ? (['is', 'was'] as const) : (['was', 'is'] as const);
    if (!switches.has(version.table)) return version[here];
    // profiles may be held in several roles: holdings are compared as such
    const held = isHolding(version) ? version : this.#held.get(keyOfVersion(version))!;
    return version[here] && !version[beside] && held[here] && !held[beside];
  }

  /** All of it, for the only change of a set. */
  whole(): Share {
    const share: Share = { values: new Map(), holdings: new Map() };
    this.counted.profiles.values.forEach((_, profile) => {
      const change = changeOf(this.counted, profile, this.side);
      if (!change.isEmpty) share.values.set(profile, change);
    });
    for (const userId of this.#groupOf.keys()) this.#addHoldings(share, userId);
    return share;
  }

  /** @param profile only this one */
  #addHoldings({ holdings }: Share, userId: number, profile?: number): void {
    const group = this.#groupOf.get(userId);
    if (!group || group.before === group.after) return;
    const others = profilesOn(group, this.side === 'gains' ? 'loses' : 'gains');
    const moved = profilesOn(group, this.side).filter((each) => !others.includes(each));
    const own = profile === undefined ? moved : moved.filter((each) => each === profile);
    if (own.length > 0) holdings.set(userId, [...new Set([...(holdings.get(userId) ?? []), ...own])]);
  }

  /** The people who gain or lose something through the share, by groups. */
  peopleOf({ values, holdings }: Share): { group: Group; userIds: readonly number[]; isAll: boolean }[] {
    const people: { group: Group; userIds: readonly number[]; isAll: boolean }[] = [];
    for (const group of this.#groupsOf([{ values, holdings }])) {
      const difference = this.#differences.get(group)!;
      const isAll = profilesOn(group, this.side).some((profile) => values.get(profile)?.meets(difference));
      const gained = (userId: number) =>
        holdings.get(userId)?.some((profile) => valuesOn(this.counted, this.side)[profile]!.meets(difference));
      const userIds = isAll || holdings.size === 0 ? group.userIds : group.userIds.filter(gained);
      if (isAll || (holdings.size > 0 && userIds.length > 0)) people.push({ group, userIds, isAll });
    }
    return people;
  }

  #groupsOf(shares: readonly Share[]): Set<Group> {
    const groups = new Set<Group>();
    for (const { values, holdings } of shares) {
      for (const profile of values.keys()) for (const group of this.#groups.get(profile) ?? []) groups.add(group);
      for (const userId of holdings.keys()) {
        const group = this.#groupOf.get(userId)!;
        if (this.#differences.has(group)) groups.add(group);
      }
    }
    return groups;
  }

  /** Adds up what people gain or lose through the shares. */
  sumsOf(shares: readonly Share[]): AccessSums {
    const sum = new Sum(this.counted, this.side);
    const through = new Map<number, Bits>();
    const holdings = new Map<number, number[]>();
    for (const share of shares) {
      for (const [profile, values] of share.values) {
        const own = through.get(profile) ?? new Bits();
        own.unite(values);
        through.set(profile, own);
      }
      for (const [userId, profiles] of share.holdings)
        holdings.set(userId, [...(holdings.get(userId) ?? []), ...profiles]);
    }
    for (const group of this.#groupsOf(shares)) {
      const profiles = profilesOn(group, this.side);
      const ofAll = profiles.flatMap((profile) => through.get(profile) ?? []);
      // people who come to hold different profiles gain different things
      for (const userIds of Map.groupBy(group.userIds, (userId) => holdings.get(userId)?.join()).values()) {
        const ofUser = (holdings.get(userIds[0]!) ?? []).map((profile) => valuesOn(this.counted, this.side)[profile]!);
        const values = new Bits();
        for (const each of [...ofAll, ...ofUser]) values.unite(each);
        sum.add(userIds, this.#differences.get(group)!.common(values), profiles);
      }
    }
    return sum.sums;
  }
}

function append<Key, Value>(lists: Map<Key, Value[]>, key: Key, value: Value): void {
  const list = lists.get(key);
  if (list) list.push(value);
  else lists.set(key, [value]);
}

/** Tables whose records change everything that an access scope opens. */
const whole: ReadonlySet<string> = new Set(['profile_access_scopes', 'access_scopes', 'access_scope_types']);

const linksStatement = `select has.profile_id as "profileId", has.access_scope_id as "scopeId",
    scope.access_scope_type_id as "typeId", ${scopeEntryColumn} as entry
  from profile_access_scopes has join (${scopesAndTypes}) using (access_scope_id)
  where has.profile_id = any($1::text[]) and ${lasts('has')} and ${scopeIsInUse}`;

const scopesStatement = `select id as "scopeId", jsonb_agg(application_id) as "applicationIds" from unnest($2::int[]) id
  join access_scopes scope on scope.access_scope_id = id
  cross join lateral (
    select application_id from access_scope_applications_mappers where access_scope_id = id and state = any($1::text[])
    union select application_id from access_scope_type_applications_mappers
    where access_scope_type_id = scope.access_scope_type_id and state = any($1::text[])) opening
  group by id`;

/** Each person once, even if the person gains and loses. */
export function countPeople(people: readonly { group: Group; userIds: readonly number[]; isAll: boolean }[]): number {
  if (people.every(({ isAll }) => isAll))
    return [...new Set(people.map(({ group }) => group))].reduce((sum, group) => sum + group.userIds.length, 0);
  return new Set(people.flatMap(({ userIds }) => userIds)).size;
}

/** Why nobody gains or loses what profiles gain or lose through a change, or what profiles have that people gain or lose. */
export function wayOf(
  counted: Counted,
  { gains, loses }: { gains: Share; loses: Share },
): { reason: Reason; openBy?: string } | undefined {
  let isEmpty = false;
  for (const [share, side] of [
    [gains, 'gains'],
    [loses, 'loses'],
  ] as const) {
    // what somebody has before, whom it is newly given, and after, from whom it is taken
    const having = side === 'gains' ? 'loses' : 'gains';
    const other = (group: Group, values: Bits) =>
      profilesOn(group, having).find((profile) => valuesOn(counted, having)[profile]!.meets(values));
    for (const [profile, values] of share.values)
      for (const group of counted.groups) {
        if (!profilesOn(group, side).includes(profile)) continue;
        const way = other(group, values);
        if (way !== undefined) return { reason: 'ALREADY_OPEN', openBy: counted.profiles.values[way]! };
      }
    for (const [userId, profiles] of share.holdings) {
      const group = counted.groups.find(({ userIds }) => userIds.includes(userId))!;
      for (const profile of profiles) {
        const way = other(group, valuesOn(counted, side)[profile]!);
        if (way !== undefined) return { reason: 'ALREADY_OPEN', openBy: counted.profiles.values[way]! };
        isEmpty = true;
      }
    }
  }
  return isEmpty ? { reason: 'OPENS_NOTHING' } : undefined;
}
