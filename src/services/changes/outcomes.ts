/** Determines for each change of a set who gains or loses access through it, or why nobody does. */
import type { Context } from '../../context.js';
import { describe, describedRecords } from '../../entities/description.js';
import { stamps } from '../../entities/Stamped.js';
import { lasts } from '../grants.js';
import { inState, type State } from '../history/state.js';
import { scopeEntryColumn, scopeIsInUse, scopesAndTypes } from '../scopeEntry.js';
import { Bits } from './bits.js';
import type { Group, Moment } from './effectDiff.js';
import {
  type AccessDelta,
  type AccessSums,
  type ChangeOutcome,
  type ChangePart,
  type Counted,
  changeOf,
  differenceOf,
  profilesOn,
  type Reason,
  type Share,
  type Side,
  Sum,
  type TokenDelta,
  valuesOn,
} from './effectSides.js';

/** An effect as it is counted inside the transaction of the changes. */
export interface CountedEffect {
  gains: AccessDelta;
  loses: AccessDelta;
  /** The tokens that change, whoever gains or loses anything by them. */
  tokens: TokenDelta;
}

export const outcomesOf = ({ gains }: CountedEffect): ChangeOutcome[] | undefined => gains.counted.outcomes;

/** Changes that were carried out together, and the last version that they wrote; without the number they are all changes of the set. */
export interface CarriedOut {
  parts: readonly ChangePart[];
  until?: bigint;
}

type Values = Record<string, unknown>;

// ── the records that changes name ──

/** The records that a change names, by their guids, and the states of mappings that it sets or removes. */
interface Named {
  applications: string[];
  scopes: string[];
  types: string[];
  users: string[];
  profiles: string[];
  states: string[];
}

const namedAs: Readonly<Record<string, keyof Named>> = {
  applicationGuid: 'applications',
  accessScopeGuid: 'scopes',
  accessScopeTypeGuid: 'types',
  userGuid: 'users',
  profileId: 'profiles',
  from: 'states',
  to: 'states',
  state: 'states',
};

/** Reads them wherever they stand in the change, so that a new kind of change needs nothing here. */
function readNamed(value: unknown, named: Named, key = ''): Named {
  if (Array.isArray(value)) for (const each of value) readNamed(each, named, key.replace(/s$/, ''));
  else if (typeof value === 'object' && value !== null)
    for (const [name, each] of Object.entries(value)) readNamed(each, named, name);
  else if (typeof value === 'string' && namedAs[key])
    named[namedAs[key]].push(key.endsWith('Guid') ? value.toLowerCase() : value);
  return named;
}

const nothingNamed = (): Named => ({ applications: [], scopes: [], types: [], users: [], profiles: [], states: [] });

interface LinkFact {
  id: number;
  inUse: boolean;
  /** Profiles that have the access scope, or one of the type. */
  profiles: string[];
}

interface Facts {
  applications: Map<string, { id: number; isActive: boolean }>;
  scopes: Map<string, LinkFact>;
  types: Map<string, LinkFact>;
  users: Map<string, { id: number; isBlocked: boolean; holds: string[] }>;
  /** For each profile: whether somebody holds it, and whether all holders are blocked. */
  held: Map<string, { isHeld: boolean; isBlocked: boolean }>;
}

const profilesOf = (condition: string): string => `coalesce((
  select jsonb_agg(distinct has.profile_id) from profile_access_scopes has join (${scopesAndTypes}) using (access_scope_id)
  where ${lasts('has')} and ${condition}), '[]')`;

const holdersWhere = (condition: string): string =>
  `select from user_profiles link join users u using (user_id) where link.profile_id = id and ${lasts('link')} and ${condition}`;

async function readFacts({ sql }: Context, all: readonly Named[]): Promise<Facts> {
  const rowsOf = async <Row extends { guid: string }>(of: keyof Named, statement: string) => {
    const guids = [...new Set(all.flatMap((named) => named[of]))];
    return new Map((guids.length === 0 ? [] : await sql.rows<Row>(statement, [guids])).map((row) => [row.guid, row]));
  };
  const applications = await rowsOf<{ guid: string; id: number; isActive: boolean }>(
    'applications',
    'select application_guid::text as guid, application_id as id, is_active as "isActive" from applications where application_guid = any($1::uuid[])',
  );
  const scopes = await rowsOf<LinkFact & { guid: string }>(
    'scopes',
    `select asked.access_scope_guid::text as guid, access_scope_id as id, (select ${scopeIsInUse} from ${scopesAndTypes} where scope.access_scope_id = asked.access_scope_id) as "inUse",
       ${profilesOf('has.access_scope_id = asked.access_scope_id')} as profiles
     from access_scopes asked where asked.access_scope_guid = any($1::uuid[])`,
  );
  const types = await rowsOf<LinkFact & { guid: string }>(
    'types',
    `select asked.access_scope_type_guid::text as guid, access_scope_type_id as id, asked.is_active as "inUse",
       ${profilesOf('scope.access_scope_type_id = asked.access_scope_type_id and scope.is_active')} as profiles
     from access_scope_types asked where asked.access_scope_type_guid = any($1::uuid[])`,
  );
  const users = await rowsOf<{ guid: string; id: number; isBlocked: boolean; holds: string[] }>(
    'users',
    `select user_guid::text as guid, user_id as id, is_blocked as "isBlocked",
       coalesce((select jsonb_agg(link.profile_id) from user_profiles link where link.user_id = u.user_id and ${lasts('link')}), '[]') as holds
     from users u where user_guid = any($1::uuid[])`,
  );
  const profileIds = new Set([
    ...all.flatMap(({ profiles }) => profiles),
    ...[...scopes.values(), ...types.values()].flatMap(({ profiles }) => profiles),
  ]);
  const holderRows = await sql.rows<{ id: string; isHeld: boolean; isBlocked: boolean }>(
    `select id, exists (${holdersWhere('true')}) as "isHeld", not exists (${holdersWhere('not u.is_blocked')}) as "isBlocked"
     from unnest($1::text[]) id`,
    [[...profileIds]],
  );
  return { applications, scopes, types, users, held: new Map(holderRows.map((row) => [row.id, row])) };
}

// ── the records that changes touched ──

/** What a change wrote about one record. */
interface Version {
  id: string;
  table: string;
  managedBy: string | null;
  /** Nothing that decides about access differs. */
  isBeside: boolean;
  /** Whether it was there before and after: a mapping in a state that opens, a grant that has not ended. */
  was: boolean;
  is: boolean;
  isMade: boolean;
  isGone: boolean;
  profileId: string | null;
  userId: number | null;
  applicationId: number | null;
  scopeId: number | null;
  typeIds: number[];
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
    and (${version}->>'valid_until' is null or (${version}->>'valid_until')::timestamptz > now())`;
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

const mapped = 'access_scope_applications_mappers';
const typeMapped = 'access_scope_type_applications_mappers';

/** Cells of a grid are carried out together: which record is whose. */
const keyOfVersion = ({ table, applicationId, scopeId, typeIds, userId, profileId }: Version): string =>
  [table, applicationId, table === typeMapped ? typeIds[0] : scopeId, userId, profileId].join(' ');

function keyOfCell({ name, value }: ChangePart, facts: Facts): string | undefined {
  const guid = (field: string) => String(value[field]).toLowerCase();
  const application = facts.applications.get(guid('applicationGuid'))?.id;
  const scope = facts.scopes.get(guid('accessScopeGuid'))?.id;
  const type = facts.types.get(guid('accessScopeTypeGuid'))?.id;
  const user = facts.users.get(guid('userGuid'))?.id;
  if (name === 'mapping') return [scope ? mapped : typeMapped, application, scope ?? type, null, null].join(' ');
  return name.endsWith('signProfile') ? ['user_profiles', null, null, user, value.profileId].join(' ') : undefined;
}

/** The versions that each change wrote, in the order of the changes. */
function versionsByPart(versions: readonly Version[], carriedOut: readonly CarriedOut[], facts: Facts): Version[][] {
  let at = 0;
  return carriedOut.flatMap(({ parts, until }) => {
    const first = at;
    while (at < versions.length && (until === undefined || BigInt(versions[at]!.id) <= until)) at++;
    const own = versions.slice(first, at);
    if (parts.length === 1) return [own];
    const byKey = Map.groupBy(own, keyOfVersion);
    return parts.map((part) => byKey.get(keyOfCell(part, facts) ?? '') ?? []);
  });
}

// ── what goes through them ──

/** What a side of an effect is made of in the tables: the access scopes of the profiles that differ, and what these open. */
class SideOfEffect {
  readonly side: Side;
  readonly counted: Counted;
  /** What profiles gain or lose, whoever holds them. */
  readonly changes = new Map<number, Bits>();
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
    counted.profiles.values.forEach((_, profile) => {
      const change = changeOf(counted, profile, side);
      if (!change.isEmpty) this.changes.set(profile, change);
    });
    for (const group of groups) {
      for (const profile of profilesOn(group, side)) append(this.#groups, profile, group);
      this.#differences.set(group, differenceOf(counted, group, side));
    }
    // a profile may come or go without anybody gaining or losing
    for (const group of counted.groups) for (const userId of group.userIds) this.#groupOf.set(userId, group);
  }

  /** @param versions of all changes */
  async read({ sql, config }: Context, state: State, versions: readonly Version[]): Promise<void> {
    if (this.changes.size === 0) return;
    const { values, profiles } = this.counted;
    const profileIds = [...this.changes.keys()].map((profile) => profiles.values[profile]!);
    const links = await sql.rows<{ profileId: string; scopeId: number; typeId: number; entry: string | null }>(
      inState(state, linksStatement),
      [profileIds],
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

  /** What goes through records that a change touched. */
  shareOf(versions: readonly Version[]): Share {
    const share: Share = { values: new Map(), holdings: new Map() };
    const give = (profile: number, values: Bits) => {
      const change = this.changes.get(profile)?.common(values);
      if (!change || change.isEmpty) return;
      const own = share.values.get(profile) ?? new Bits();
      own.unite(change);
      share.values.set(profile, own);
    };
    const giveScope = (scopeId: number, values = this.#values.get(scopeId)) => {
      if (values) for (const profile of this.#profiles.get(scopeId) ?? []) give(profile, values);
    };
    for (const version of versions) {
      const [holds, holdsBeside] = this.side === 'gains' ? [version.is, version.was] : [version.was, version.is];
      if (version.isBeside || !holds || (holdsBeside && isSwitch(version.table))) continue;
      const { table, profileId, userId, applicationId, scopeId, typeIds } = version;
      const ofTypes = typeIds.flatMap((id) => [...(this.#scopes.get(id) ?? [])]);
      const profile = profileId === null ? undefined : this.counted.profiles.find(profileId);
      const place = applicationId === null ? undefined : this.counted.values.find(applicationId);
      const application = Bits.of(place === undefined ? [] : [place]);
      if (table === mapped) giveScope(scopeId!, application);
      else if (table === typeMapped) for (const id of ofTypes) giveScope(id, application);
      else if (table === 'applications') for (const id of this.changes.keys()) give(id, application);
      else if (table === 'access_scopes') giveScope(scopeId!);
      else if (table === 'access_scope_types') for (const id of ofTypes) giveScope(id);
      else if (table === 'profile_access_scopes') {
        const values = this.#values.get(scopeId!);
        if (values && profile !== undefined) give(profile, values);
      } else if (table === 'profiles') {
        if (profile !== undefined && (version.isMade || version.isGone))
          give(profile, valuesOn(this.counted, this.side)[profile]!);
      } else if (userId !== null) this.#addHoldings(share, userId, table === 'users' ? undefined : profile);
    }
    return share;
  }

  /** All of it, for the only change of a set. */
  whole(): Share {
    const share: Share = { values: this.changes, holdings: new Map() };
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

/** Inside the transaction of the changes. */
export async function readOutcomes(
  inside: Context,
  { changeSetId, before, after }: Moment,
  carriedOut: readonly CarriedOut[],
  effect: CountedEffect,
): Promise<ChangeOutcome[]> {
  const parts = carriedOut.flatMap((change) => change.parts);
  const named = parts.map(({ value }) => readNamed(value, nothingNamed()));
  const facts = await readFacts(inside, named);
  const states = inside.config.mappingActiveStates;
  const beside = JSON.stringify(besideAccess());
  const versions = await inside.sql.rows<Version>(versionsStatement, [changeSetId, states, beside]);
  const [gaining, losing] = [new SideOfEffect(effect.gains), new SideOfEffect(effect.loses)];
  const isOnly = parts.length === 1;
  if (!isOnly) {
    await gaining.read(inside, after, versions);
    await losing.read(inside, before, versions);
  }
  const ofParts = versionsByPart(versions, carriedOut, facts);
  return parts.map((part, index): ChangeOutcome => {
    const own = ofParts[index]!;
    const [gains, loses] = isOnly ? [gaining.whole(), losing.whole()] : [gaining.shareOf(own), losing.shareOf(own)];
    const [gained, lost] = [gaining.peopleOf(gains), losing.peopleOf(loses)];
    const managedBy = own.find((version) => version.managedBy !== null)?.managedBy ?? null;
    const share = {
      ...part,
      managedBy,
      gains,
      loses,
      reason: null,
      openBy: null,
      users: countPeople([...gained, ...lost]),
    };
    if (gained.length > 0) return { ...share, outcome: lost.length > 0 ? 'BOTH' : 'GAINS' };
    if (lost.length > 0) return { ...share, outcome: 'LOSES' };
    if (isBesideAccess(part)) return { ...share, outcome: 'UNCHANGED' };
    return { ...share, outcome: 'NOBODY', ...whyNobody(inside, named[index]!, facts, own, share, part) };
  });

  function whyNobody(
    { config }: Context,
    target: Named,
    known: Facts,
    own: readonly Version[],
    shares: { gains: Share; loses: Share },
    { name, value }: ChangePart,
  ): { reason: Reason | null; openBy?: string | null } {
    const through = wayOf(effect.gains.counted, shares);
    if (through) return through;
    const users = target.users.flatMap((guid) => known.users.get(guid) ?? []);
    const links = own.filter(({ isBeside }) => !isBeside);
    const isOfEnds =
      links.length > 0 && links.every(({ table, isMade, isGone }) => grants.has(table) && !isMade && !isGone);
    if (users.length > 0) {
      if (users.every(({ isBlocked }) => isBlocked))
        return { reason: users.some(({ holds }) => holds.length > 0) ? 'BLOCKED' : 'NOT_HELD' };
      if (isOfEnds) return { reason: 'END_CHANGED' };
      const [profileId] = target.profiles;
      if (profileId === undefined) return { reason: users.some(({ holds }) => holds.length > 0) ? null : 'NOT_HELD' };
      const isHeld = users.some(({ holds }) => holds.includes(profileId));
      return isHeld ? { reason: 'ALREADY_OPEN', openBy: profileId } : { reason: 'NOT_HELD' };
    }
    if (isOfEnds) return { reason: 'END_CHANGED' };
    const applications = target.applications.flatMap((guid) => known.applications.get(guid) ?? []);
    const scopes = [
      ...target.scopes.flatMap((guid) => known.scopes.get(guid) ?? []),
      ...target.types.flatMap((guid) => known.types.get(guid) ?? []),
    ];
    const profiles = target.profiles.length > 0 ? target.profiles : scopes.flatMap((link) => link.profiles);
    if (applications.length + scopes.length + profiles.length === 0) return { reason: null };
    const isInUse = applications.every(({ isActive }) => isActive) && scopes.every(({ inUse }) => inUse);
    const putsOutOfUse = name.startsWith('deactivate') || (value.input as Values | undefined)?.isActive === false;
    if (!isInUse && !putsOutOfUse) return { reason: 'OUT_OF_USE' };
    if (target.states.length > 0 && !target.states.some((state) => config.mappingActiveStates.includes(state)))
      return { reason: 'STATE_DOES_NOT_OPEN' };
    const holders = profiles.flatMap((id) => known.held.get(id) ?? []).filter(({ isHeld }) => isHeld);
    if (holders.length === 0) return { reason: 'NOT_HELD' };
    if (holders.every(({ isBlocked }) => isBlocked)) return { reason: 'BLOCKED' };
    const openBy = profiles.find((id) => known.held.get(id)?.isHeld && !known.held.get(id)!.isBlocked)!;
    return { reason: 'ALREADY_OPEN', openBy };
  }
}

/** Whether the records of the table are there or not, and have nothing else that could change what they open. */
const isSwitch = (table: string): boolean => grants.has(table) || table === mapped || table === typeMapped;
const grants: ReadonlySet<string> = new Set(['user_profiles', 'profile_access_scopes']);

/** Each person once, even if the person gains and loses. */
function countPeople(people: readonly { group: Group; userIds: readonly number[]; isAll: boolean }[]): number {
  if (people.every(({ isAll }) => isAll))
    return [...new Set(people.map(({ group }) => group))].reduce((sum, group) => sum + group.userIds.length, 0);
  return new Set(people.flatMap(({ userIds }) => userIds)).size;
}

/** Why nobody gains or loses what profiles gain or lose through a change, or what profiles have that people gain or lose. */
function wayOf(
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

/** Whether the change cannot touch access: a record or a field that is not known here can. */
function isBesideAccess({ name, value }: ChangePart): boolean {
  if (name === 'translation' || name === 'setTranslations') return true;
  if (name === 'mapping') return (value.from ?? null) === (value.to ?? null);
  const [verb, ...words] = name.split(/(?=[A-Z])/);
  const noun = words.join('');
  const record = describedRecords().find((each) => each.name === noun);
  if (!record) return false;
  const { fields, isBesideAccess: isBeside } = describe(record);
  if (isBeside) return true;
  const set = Object.keys((value.input ?? {}) as Values);
  const isSo = (test: (field: (typeof fields)[number]) => boolean) =>
    set.every((each) => fields.some((field) => field.name === each && test(field)));
  // a new record is linked to nothing yet
  if (verb === 'create') return isSo(() => true);
  return verb === 'update' && isSo((field) => field.isBesideAccess === true);
}

interface OutcomeFilter {
  outcome?: ChangeOutcome['outcome'] | null;
  reason?: Reason | null;
  managedBy?: string | null;
}

export function filterOutcomes(all: readonly ChangeOutcome[], filter: OutcomeFilter): ChangeOutcome[] {
  const conditions = Object.entries(filter).filter(([, value]) => value !== undefined && value !== null);
  return all.filter((each) => conditions.every(([name, value]) => each[name as keyof OutcomeFilter] === value));
}

/** How many changes have each outcome, reason and file; the most first. */
export function countOutcomes(all: readonly ChangeOutcome[]) {
  const groups = Map.groupBy(all, ({ outcome, reason, managedBy }) => JSON.stringify([outcome, reason, managedBy]));
  return [...groups.values()]
    .map((group) => {
      const { outcome, reason, managedBy } = group[0]!;
      return { outcome, reason, managedBy, count: group.length };
    })
    .sort((one, other) => other.count - one.count);
}

export interface ChangeGroup {
  key: string;
  gains: AccessSums;
  loses: AccessSums;
  changes: readonly ChangeOutcome[];
}

/** The changes grouped by action and kind of record, those with the most users first. */
export function groupChanges({ gains, loses }: Pick<CountedEffect, 'gains' | 'loses'>): ChangeGroup[] {
  const [gaining, losing] = [new SideOfEffect(gains), new SideOfEffect(loses)];
  const groups = [...Map.groupBy(gains.counted.outcomes ?? [], keyOf)].map(([key, changes]) => {
    const [gained, lost] = [changes.map((change) => change.gains), changes.map((change) => change.loses)];
    return { key, gains: gaining.sumsOf(gained), loses: losing.sumsOf(lost), changes };
  });
  const users = (group: ChangeGroup) => group.gains.users + group.loses.users;
  return groups.sort(
    (one, other) =>
      users(other) - users(one) || other.changes.length - one.changes.length || (one.key < other.key ? -1 : 1),
  );
}

/** Changes with the same key are described in one sentence. */
function keyOf({ name, value }: ChangeOutcome): string {
  if (name === 'mapping') {
    const state = value.to ?? null;
    return ['mapping', value.accessScopeGuid ?? value.accessScopeTypeGuid, state ?? 'none'].join(' ');
  }
  const subject = name.endsWith('ApplicationsMappers')
    ? value.applicationGuid
    : name.endsWith('signProfile') || name === 'assignProfiles'
      ? value.profileId
      : '';
  return [name === 'assignProfiles' ? 'assignProfile' : name, subject].filter(Boolean).join(' ');
}
