/** Determines for each change of a set who gains or loses access by it, or why nobody does. */
import type { Context } from '../../context.js';
import { tooLarge } from '../../errors.js';
import { lasts } from '../grants.js';
import { scopeIsInUse, scopesAndTypes } from '../scopeEntry.js';
import type { AccessDelta, AccessSums } from './effectDiff.js';

type Outcome = 'GAINS' | 'LOSES' | 'BOTH' | 'NOBODY' | 'UNCHANGED';
type Reason = 'ALREADY_OPEN' | 'OUT_OF_USE' | 'NOT_HELD' | 'STATE_DOES_NOT_OPEN' | 'BLOCKED';

/** An effect as it is counted inside the transaction of the changes. */
export interface CountedEffect {
  gains: AccessDelta;
  loses: AccessDelta;
  /** The outcomes of the requested changes; absent for other effects, null if there are too many differences to list. */
  outcomes?: ChangeOutcome[] | null;
}

type Values = Record<string, unknown>;

/** A change as it was sent. */
export interface ChangePart {
  /** Its place in the request. */
  path: string;
  /** Its member of `ChangeInput`. */
  name: string;
  value: Values;
}

/** The part of one side of an effect that a change causes: pairs of a profile with an application, an entry or a user. */
interface Share {
  profiles: string[];
  applications: number[];
  holdings: [profileId: string, userId: number][];
}

export interface ChangeOutcome extends ChangePart {
  outcome: Outcome;
  reason: Reason | null;
  managedBy: string | null;
  users: number;
  gains: Share;
  loses: Share;
}

/** The records that a change names, by their guids. */
interface Target {
  applications: string[];
  scopes: string[];
  types: string[];
  users: string[];
  profileId?: string;
  /** States of mappings that it sets, or removes. */
  states: string[];
  /** Whether it gives or removes access. */
  isAboutAccess: boolean;
  /** The side that it can affect; absent: both. */
  only?: 'gains' | 'loses' | undefined;
}

const nothingNamed: Target = { applications: [], scopes: [], types: [], users: [], states: [], isAboutAccess: true };

const text = (value: unknown): string[] => (typeof value === 'string' ? [value] : []);
const texts = (value: unknown): string[] =>
  Array.isArray(value) ? value.filter((each) => typeof each === 'string') : [];

function targetOf({ name, value }: ChangePart, activeStates: readonly string[]): Target {
  const input = (value.input ?? {}) as Values;
  const named = {
    ...nothingNamed,
    applications: text(value.applicationGuid),
    scopes: text(value.accessScopeGuid),
    types: text(value.accessScopeTypeGuid),
    users: text(value.userGuid),
  };
  if (name === 'mapping')
    return {
      ...named,
      states: text(value.to ?? value.from),
      only: activeStates.includes(String(value.to)) ? 'gains' : 'loses',
    };
  if (name.endsWith('ApplicationsMappers')) {
    const items = (Array.isArray(value.items) ? value.items : []) as Values[];
    const itemTexts = (field: string) => items.flatMap((item) => text(item[field]));
    const isCreation = name.startsWith('create');
    return {
      ...named,
      scopes: [...itemTexts('accessScopeGuid'), ...texts(value.accessScopeGuids)],
      types: [...itemTexts('accessScopeTypeGuid'), ...texts(value.accessScopeTypeGuids)],
      states: isCreation ? items.map(({ state }) => text(state)[0] ?? 'active') : itemTexts('state'),
      only: isCreation ? 'gains' : name.startsWith('delete') ? 'loses' : undefined,
    };
  }
  if (['assignProfile', 'assignProfiles', 'unassignProfile'].includes(name))
    return {
      ...nothingNamed,
      profileId: String(value.profileId),
      users: [...named.users, ...texts(value.userGuids)],
      only: name === 'unassignProfile' ? 'loses' : 'gains',
    };
  const profileId = text(value.profileId)[0];
  if (['setProfileAccessScopes', 'assignAccessScope', 'deleteProfile'].includes(name) && profileId !== undefined)
    return { ...nothingNamed, profileId };
  const fields = deciding[name];
  const decides = fields && (fields.length === 0 || fields.some((field) => field in input));
  return decides ? named : { ...nothingNamed, isAboutAccess: false };
}

/** Changes of records that give or remove access when they set one of these fields; always, where there are none. */
const deciding: Readonly<Record<string, readonly string[]>> = {
  updateApplication: ['isActive'],
  updateAccessScope: ['isActive', 'accessScopeKey', 'concreteId', 'isWildcard'],
  updateAccessScopeType: ['isActive', 'name'],
  updateUser: ['isBlocked'],
  deactivateAccessScope: [],
  deactivateAccessScopeType: [],
  deactivateUser: [],
};

interface ScopeFact {
  id: number;
  inUse: boolean;
  /** Profiles that have the access scope, or one of the type. */
  profiles: string[];
}

interface Facts {
  applications: Map<string, { id: number; isActive: boolean }>;
  scopes: Map<string, ScopeFact>;
  types: Map<string, ScopeFact>;
  users: Map<string, { id: number; isBlocked: boolean }>;
  /** For each profile: whether somebody holds it, and whether all holders are blocked. */
  held: Map<string, { isHeld: boolean; isBlocked: boolean }>;
  /** The file that manages a record which the set changes, by table and keys. */
  managers: Map<string, string>;
}

const profilesOf = (condition: string): string => `coalesce((
  select jsonb_agg(distinct has.profile_id) from profile_access_scopes has join (${scopesAndTypes}) using (access_scope_id)
  where ${lasts('has')} and ${condition}), '[]')`;

async function readFacts({ sql }: Context, targets: readonly Target[]): Promise<Facts> {
  const all = (of: 'applications' | 'scopes' | 'types' | 'users') => [
    ...new Set(targets.flatMap((target) => target[of])),
  ];
  const rowsOf = async <Row extends { guid: string }>(statement: string, guids: string[]) =>
    new Map((guids.length === 0 ? [] : await sql.rows<Row>(statement, [guids])).map((row) => [row.guid, row]));
  const applications = await rowsOf<{ guid: string; id: number; isActive: boolean }>(
    'select application_guid::text as guid, application_id as id, is_active as "isActive" from applications where application_guid = any($1::uuid[])',
    all('applications'),
  );
  const scopes = await rowsOf<ScopeFact & { guid: string }>(
    `select asked.access_scope_guid::text as guid, access_scope_id as id, (select ${scopeIsInUse} from ${scopesAndTypes} where scope.access_scope_id = asked.access_scope_id) as "inUse",
       ${profilesOf('has.access_scope_id = asked.access_scope_id')} as profiles
     from access_scopes asked where asked.access_scope_guid = any($1::uuid[])`,
    all('scopes'),
  );
  const types = await rowsOf<ScopeFact & { guid: string }>(
    `select asked.access_scope_type_guid::text as guid, access_scope_type_id as id, asked.is_active as "inUse",
       ${profilesOf(`scope.access_scope_type_id = asked.access_scope_type_id and scope.is_active`)} as profiles
     from access_scope_types asked where asked.access_scope_type_guid = any($1::uuid[])`,
    all('types'),
  );
  const users = await rowsOf<{ guid: string; id: number; isBlocked: boolean }>(
    'select user_guid::text as guid, user_id as id, is_blocked as "isBlocked" from users where user_guid = any($1::uuid[])',
    all('users'),
  );
  const profileIds = new Set([
    ...targets.flatMap(({ profileId }) => profileId ?? []),
    ...[...scopes.values(), ...types.values()].flatMap(({ profiles }) => profiles),
  ]);
  const holderRows = await sql.rows<{ id: string; isHeld: boolean; isBlocked: boolean }>(
    `select id, exists (${holdersWhere('true')}) as "isHeld", not exists (${holdersWhere('not u.is_blocked')}) as "isBlocked"
     from unnest($1::text[]) id`,
    [[...profileIds]],
  );
  const managed = await sql.rows<{ key: string; manager: string }>(
    `select case record_table when 'profile_access_scopes' then concat('profiles ', before->>'profile_id')
       else concat_ws(' ', record_table, coalesce(before->>'user_id', before->>'application_id'),
       case when record_table like 'access_scope_type%' then before->>'access_scope_type_id' else before->>'access_scope_id' end,
       before->>'profile_id') end as key, before->>'managed_by' as manager
     from record_versions where change_set_id = (select current_change_set()) and before->>'managed_by' is not null`,
  );
  return {
    applications,
    scopes,
    types,
    users,
    held: new Map(holderRows.map((row) => [row.id, row])),
    managers: new Map(managed.map(({ key, manager }) => [key, manager])),
  };
}

const holdersWhere = (condition: string): string =>
  `select from user_profiles link join users u using (user_id) where link.profile_id = id and ${lasts('link')} and ${condition}`;

const emptyShare: Share = { profiles: [], applications: [], holdings: [] };

/** The part of a side that belongs to the target, with sets of its applications by profile. */
class SideOfEffect {
  readonly #applications: Map<string, Set<number>>;

  constructor(private readonly delta: AccessDelta) {
    this.#applications = new Map(Object.entries(delta.differing.applications.of).map(([id, of]) => [id, new Set(of)]));
  }

  shareOf({ profileId, users }: Target, ids: { applications?: number[]; profiles?: string[]; users: number[] }): Share {
    const { applications, holdings, scopes } = this.delta.differing;
    const userIds = new Set(ids.users);
    const namesUsers = users.length > 0;
    const holdingsOf = (id: string) => (holdings.of[id] ?? []).filter((user) => !namesUsers || userIds.has(user));
    const heldIds = profileId !== undefined ? [profileId] : namesUsers ? holdings.profileIds : [];
    const pairs = heldIds.flatMap((id) => holdingsOf(id).map((user): [string, number] => [id, user]));
    if (namesUsers) return { ...emptyShare, holdings: pairs };
    const candidates = ids.profiles ?? [...new Set([...applications.profileIds, ...scopes.profileIds])];
    if (!ids.applications) {
      const profiles = candidates.filter((id) => applications.of[id] || scopes.of[id]);
      const opened = new Set(profiles.flatMap((id) => applications.of[id] ?? []));
      return { profiles, applications: [...opened], holdings: pairs };
    }
    const has = (id: string, application: number) => this.#applications.get(id)?.has(application) ?? false;
    return {
      profiles: candidates.filter((id) => ids.applications!.some((application) => has(id, application))),
      applications: ids.applications.filter((application) => candidates.some((id) => has(id, application))),
      holdings: pairs,
    };
  }

  usersOf({ profiles, holdings }: Share): Set<number> {
    return new Set([...profiles.flatMap((id) => this.delta.holders[id] ?? []), ...holdings.map(([, user]) => user)]);
  }
}

/** Inside the transaction of the changes. Null if the effect is too large to be listed. */
export async function readOutcomes(
  inside: Context,
  parts: readonly ChangePart[],
  effect: CountedEffect,
): Promise<ChangeOutcome[] | null> {
  const sides = [effect.gains, effect.loses];
  if (!sides.every(({ differing }) => Object.values(differing).every(({ isWhole }) => isWhole))) return null;
  const { mappingActiveStates } = inside.config;
  const targets = parts.map((part) => targetOf(part, mappingActiveStates));
  const facts = await readFacts(inside, targets);
  const [gaining, losing] = [new SideOfEffect(effect.gains), new SideOfEffect(effect.loses)];
  const counts = new Map<string, number>();
  return parts.map((part, index) => {
    const target = targets[index]!;
    const scopes = target.scopes.flatMap((guid) => facts.scopes.get(guid) ?? []);
    const types = target.types.flatMap((guid) => facts.types.get(guid) ?? []);
    const links = [...scopes, ...types];
    const applications = target.applications.flatMap((guid) => facts.applications.get(guid) ?? []);
    const users = target.users.flatMap((guid) => facts.users.get(guid) ?? []);
    const isOfScopes = target.scopes.length + target.types.length > 0;
    const profiles =
      target.profileId !== undefined
        ? [target.profileId]
        : isOfScopes
          ? [...new Set(links.flatMap((link) => link.profiles))]
          : undefined;
    const names = profiles !== undefined || applications.length > 0 || users.length > 0;
    const ids = {
      ...(applications.length > 0 && { applications: applications.map(({ id }) => id) }),
      ...(profiles && { profiles }),
      users: users.map(({ id }) => id),
    };
    const gains = names && target.only !== 'loses' ? gaining.shareOf(target, ids) : emptyShare;
    const loses = names && target.only !== 'gains' ? losing.shareOf(target, ids) : emptyShare;
    const countOf = () => new Set([...gaining.usersOf(gains), ...losing.usersOf(loses)]).size;
    // many changes concern the same profiles
    const same =
      gains.holdings.length + loses.holdings.length === 0 &&
      `${gains.profiles.join('\n')}\r${loses.profiles.join('\n')}`;
    const affected = same === false ? countOf() : (counts.get(same) ?? countOf());
    if (same !== false) counts.set(same, affected);
    const [isGained, isLost] = [gaining.usersOf(gains).size > 0, losing.usersOf(loses).size > 0];
    const unaffected = target.isAboutAccess ? 'NOBODY' : 'UNCHANGED';
    const outcome = isGained ? (isLost ? 'BOTH' : 'GAINS') : isLost ? 'LOSES' : unaffected;
    const reason = outcome === 'NOBODY' ? reasonOf() : null;
    return { ...part, outcome, reason, managedBy: managerOf(), users: affected, gains, loses };

    function reasonOf(): Reason {
      if (target.users.length > 0 && target.profileId === undefined) return 'NOT_HELD';
      if (target.users.length > 0) return users.every(({ isBlocked }) => isBlocked) ? 'BLOCKED' : 'ALREADY_OPEN';
      const isInUse = applications.every(({ isActive }) => isActive) && links.every(({ inUse }) => inUse);
      if (!isInUse) return 'OUT_OF_USE';
      if (target.states.length > 0 && !target.states.some((state) => mappingActiveStates.includes(state)))
        return 'STATE_DOES_NOT_OPEN';
      const holders = (profiles ?? []).flatMap((id) => facts.held.get(id) ?? []).filter(({ isHeld }) => isHeld);
      if (holders.length === 0) return 'NOT_HELD';
      return holders.every(({ isBlocked }) => isBlocked) ? 'BLOCKED' : 'ALREADY_OPEN';
    }

    function managerOf(): string | null {
      const keys = [
        ...applications.flatMap(({ id }) => [
          ...scopes.map((scope) => `access_scope_applications_mappers ${id} ${scope.id}`),
          ...types.map((type) => `access_scope_type_applications_mappers ${id} ${type.id}`),
          `applications ${id}`,
        ]),
        ...users.flatMap(({ id }) => [`user_profiles ${id} ${target.profileId}`, `users ${id}`]),
        ...(target.profileId === undefined ? [] : [`profiles ${target.profileId}`]),
        ...scopes.map(({ id }) => `access_scopes ${id}`),
        ...types.map(({ id }) => `access_scope_types ${id}`),
      ];
      return keys.map((key) => facts.managers.get(key)).find((manager) => manager !== undefined) ?? null;
    }
  });
}

interface OutcomeFilter {
  outcome?: Outcome | null;
  reason?: Reason | null;
  managedBy?: string | null;
}

/** Throws TOO_LARGE for an effect that is too large to be listed. */
export function requireOutcomes({ outcomes: listed }: CountedEffect): ChangeOutcome[] | undefined {
  if (listed === null) throw tooLarge('The effect is too large to be listed; its counts are exact.');
  return listed;
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
export function groupChanges({ gains, loses }: CountedEffect, all: readonly ChangeOutcome[]): ChangeGroup[] {
  const groups = [...Map.groupBy(all, keyOf)].map(([key, changes]) => {
    const [gained, lost] = [changes.map((change) => change.gains), changes.map((change) => change.loses)];
    return { key, gains: sumsOf(gains, gained), loses: sumsOf(loses, lost), changes };
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

function sumsOf(delta: AccessDelta, shares: readonly Share[]): AccessSums {
  const profiles = new Set(shares.flatMap((share) => share.profiles));
  const pairs = new Map<string, Set<number>>([...profiles].map((id) => [id, new Set(delta.holders[id] ?? [])]));
  for (const [id, user] of shares.flatMap((share) => share.holdings)) {
    const users = pairs.get(id) ?? new Set();
    pairs.set(id, users.add(user));
  }
  const sessionsOf = ([id, users]: [string, Set<number>]) =>
    Object.entries(delta.openSessions[id] ?? {}).reduce(
      (sum, [user, count]) => (users.has(Number(user)) ? sum + count : sum),
      0,
    );
  return {
    users: new Set([...pairs.values()].flatMap((users) => [...users])).size,
    sessions: [...pairs].reduce((sum, pair) => sum + sessionsOf(pair), 0),
    applications: new Set(shares.flatMap((share) => share.applications)).size,
  };
}
