/** Determines for each change of a set who gains or loses access through it, or why nobody does. */
import type { Context } from '../../context.js';
import { lasts } from '../../services/access/grants.js';
import { scopeIsInUse, scopesAndTypes } from '../../services/access/scopeEntry.js';
import type { Moment } from './effectDiff.js';
import type { AccessDelta, AccessSums, ChangeOutcome, Reason, Share, TokenCounts } from './effectSides.js';
import { kindNamed } from './kinds/all.js';
import type { ChangePart } from './plannedChange.js';
import { type AccessVersion, countPeople, isGrant, keyOfVersion, readVersions, SideOfEffect, wayOf } from './ways.js';

/** An effect as it is counted inside the transaction of the changes. */
export interface CountedEffect {
  gains: AccessDelta;
  loses: AccessDelta;
  /** The tokens that change, whoever gains or loses anything by them. */
  tokens: TokenCounts;
}

export const outcomesOf = ({ gains }: CountedEffect): ChangeOutcome[] | undefined => gains.counted.outcomes;

/** Changes that were carried out together, and the last version that they wrote; without the number they are all changes of the set. */
export interface CarriedOut {
  parts: readonly ChangePart[];
  until?: bigint;
}

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

// ── the records that changes wrote ──

const ofNoRecord = { table: '', applicationId: null, scopeId: null, typeIds: [], userId: null, profileId: null };

function keyOfCell({ name, value }: ChangePart, facts: Facts): string | undefined {
  const { does } = kindNamed(name);
  const guid = (field: string) => String(value[field]).toLowerCase();
  const written =
    'set' in does &&
    does.writes(value, {
      application: facts.applications.get(guid('applicationGuid'))?.id,
      scope: facts.scopes.get(guid('accessScopeGuid'))?.id,
      type: facts.types.get(guid('accessScopeTypeGuid'))?.id,
      user: facts.users.get(guid('userGuid'))?.id,
    });
  return written ? keyOfVersion({ ...ofNoRecord, ...written }) : undefined;
}

/** The versions that each change wrote, in the order of the changes. */
function versionsByPart(
  versions: readonly AccessVersion[],
  carriedOut: readonly CarriedOut[],
  facts: Facts,
): AccessVersion[][] {
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
  const versions = await readVersions(inside, changeSetId);
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
    if (kindNamed(part.name).effect.isBesideAccess(part.value)) return { ...share, outcome: 'UNCHANGED' };
    return { ...share, outcome: 'NOBODY', ...whyNobody(inside, named[index]!, facts, own, share, part) };
  });

  function whyNobody(
    { config }: Context,
    target: Named,
    known: Facts,
    own: readonly AccessVersion[],
    shares: { gains: Share; loses: Share },
    { name, value }: ChangePart,
  ): { reason: Reason | null; openBy?: string | null } {
    const through = wayOf(effect.gains.counted, shares);
    if (through) return through;
    const users = target.users.flatMap((guid) => known.users.get(guid) ?? []);
    const links = own.filter(({ isBeside }) => !isBeside);
    const isOfEnds =
      links.length > 0 && links.every(({ table, isMade, isGone }) => isGrant(table) && !isMade && !isGone);
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
    if (!isInUse && !kindNamed(name).effect.putsOutOfUse(value)) return { reason: 'OUT_OF_USE' };
    if (target.states.length > 0 && !target.states.some((state) => config.mappingActiveStates.includes(state)))
      return { reason: 'STATE_DOES_NOT_OPEN' };
    const holders = profiles.flatMap((id) => known.held.get(id) ?? []).filter(({ isHeld }) => isHeld);
    if (holders.length === 0) return { reason: 'NOT_HELD' };
    if (holders.every(({ isBlocked }) => isBlocked)) return { reason: 'BLOCKED' };
    const openBy = profiles.find((id) => known.held.get(id)?.isHeld && !known.held.get(id)!.isBlocked)!;
    return { reason: 'ALREADY_OPEN', openBy };
  }
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
const keyOf = ({ name, value }: ChangeOutcome): string => {
  const { family, effect } = kindNamed(name);
  return [family, effect.subject(value)].filter(Boolean).join(' ');
};
