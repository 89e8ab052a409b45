/**
 * Who can open what, by the sentence of the glossary, from the rows of the tables: it knows nothing of how the service counts.
 * A person can open an application by a way: link to a profile, the profile's access scope, the scope and its type, a mapping.
 */
import type { Sql } from '../../../src/sql.js';

type Row = Record<string, unknown>;
type Table = Map<string, Row>;

const tables = {
  users: 'user_id',
  profiles: 'profile_id',
  user_profiles: 'user_profile_id',
  profile_access_scopes: 'profile_access_scope_id',
  access_scopes: 'access_scope_id',
  access_scope_types: 'access_scope_type_id',
  applications: 'application_id',
  access_scope_applications_mappers: 'access_scope_applications_mapper_id',
  access_scope_type_applications_mappers: 'access_scope_type_applications_mapper_id',
} as const;
export type World = Record<keyof typeof tables, Table>;

const unseen = new Set([
  'revision',
  'modified_date',
  'modified_by',
  'last_used_at',
  'description',
  'imported_is_blocked',
  'provisioned_active',
]);
/** Of these records the name is in no entry of scopes. */
const named = new Set(['applications', 'access_scopes', 'profiles']);

/** The catalogue of the moment; a link that has ended has `ended`. */
export async function readWorld({ rows }: Sql): Promise<World> {
  const entries = await Promise.all(
    Object.entries(tables).map(async ([table, key]) => {
      const ended =
        table === 'user_profiles' || table === 'profile_access_scopes' ? ', valid_until <= now() as ended' : '';
      const found = await rows<{ row: Row; ended?: boolean }>(
        `select to_jsonb(t) as row${ended} from ${table} t order by t.${key}`,
      );
      const rowOf = ({ row, ended: isOver }: { row: Row; ended?: boolean }): [string, Row] => {
        const isSeen = (column: string) => !unseen.has(column) && !(column === 'name' && named.has(table));
        const seen = Object.entries(row).filter(([column]) => isSeen(column));
        return [String(row[key]), { ...Object.fromEntries(seen), ended: isOver ?? false }];
      };
      return [table, new Map(found.map(rowOf))];
    }),
  );
  return Object.fromEntries(entries);
}

/** A record by which somebody has access: its table, and what identifies it. */
type Part = string;

export interface Way {
  user: string;
  profileId: string;
  /** Guid of an application, or an entry of scopes. */
  what: string;
  isApplication: boolean;
  parts: Part[];
}

/** Every way on which all links hold. */
export function waysOf(world: World, activeStates: readonly string[] = ['active']): Way[] {
  const ways: Way[] = [];
  const opens = (mapping: Row) => activeStates.includes(String(mapping.state));
  for (const link of world.user_profiles.values()) {
    const user = world.users.get(String(link.user_id))!;
    if (link.ended || user.is_blocked) continue;
    for (const has of world.profile_access_scopes.values()) {
      if (has.profile_id !== link.profile_id || has.ended) continue;
      const scope = world.access_scopes.get(String(has.access_scope_id))!;
      const type = world.access_scope_types.get(String(scope.access_scope_type_id))!;
      if (!scope.is_active || !type.is_active) continue;
      const base = {
        user: String(user.user_guid),
        profileId: String(link.profile_id),
        parts: [
          `users ${user.user_id}`,
          `held ${user.user_id} ${link.profile_id}`,
          `profiles ${link.profile_id}`,
          `has ${has.profile_id} ${has.access_scope_id}`,
          `access_scopes ${scope.access_scope_id}`,
          `access_scope_types ${type.access_scope_type_id}`,
        ],
      };
      const key = scope.is_wildcard ? '*' : scope.access_scope_key || scope.concrete_id;
      if (key !== null) ways.push({ ...base, what: `${type.name}:${key}`, isApplication: false });
      const mappings: [table: string, mapping: Row][] = [
        ...[...world.access_scope_applications_mappers.values()]
          .filter((mapping) => mapping.access_scope_id === scope.access_scope_id)
          .map((mapping): [string, Row] => ['scope mapping', mapping]),
        ...[...world.access_scope_type_applications_mappers.values()]
          .filter((mapping) => mapping.access_scope_type_id === type.access_scope_type_id)
          .map((mapping): [string, Row] => ['type mapping', mapping]),
      ];
      for (const [table, mapping] of mappings) {
        const application = world.applications.get(String(mapping.application_id))!;
        if (!opens(mapping) || !application.is_active) continue;
        const parts = [
          ...base.parts,
          `${table} ${mapping.access_scope_id ?? mapping.access_scope_type_id} ${mapping.application_id}`,
          `applications ${application.application_id}`,
        ];
        ways.push({ ...base, what: String(application.application_guid), isApplication: true, parts });
      }
    }
  }
  return ways;
}

/** Before and after. */
type Worlds = readonly [before: World, after: World];

/** Whether the user is not blocked, holds the profile in any role, the profile has the access scope, or the mapping opens. */
function holds(world: World, part: Part): boolean {
  const [kind, one, other] = part.replace('mapping', '').split(/ +/);
  const rows = (table: keyof World) => [...world[table].values()];
  if (kind === 'users') return world.users.get(one!)?.is_blocked === false;
  if (kind === 'held')
    return (
      holds(world, `users ${one}`) &&
      rows('user_profiles').some((row) => !row.ended && `${row.user_id} ${row.profile_id}` === `${one} ${other}`)
    );
  if (kind === 'has')
    return rows('profile_access_scopes').some(
      (row) => !row.ended && `${row.profile_id} ${row.access_scope_id}` === `${one} ${other}`,
    );
  const target = kind === 'type' ? 'access_scope_type' : 'access_scope';
  return rows(`${target}_applications_mappers`).some(
    (row) => row.state === 'active' && `${row[`${target}_id`]} ${row.application_id}` === `${one} ${other}`,
  );
}

/**
 * The records that a change wrote, and that hold after it (`side` gains) or before it (loses). What holds before and after the whole
 * set gives nothing and takes nothing. @param set around all its changes
 */
export function partsThatDiffer(change: Worlds, set: Worlds, side: 'gains' | 'loses'): Set<Part> {
  const sides = ([before, after]: Worlds) => (side === 'gains' ? [after, before] : [before, after]) as [World, World];
  const [one, other] = sides(change);
  const [, beside] = sides(set);
  const parts = new Set<Part>();
  const add = (part: Part, isHeld: boolean) => {
    if (isHeld && !holds(beside, part)) parts.add(part);
  };
  for (const [name, table] of Object.entries(one) as [keyof World, Table][])
    for (const [key, row] of table) {
      if (JSON.stringify(row) === JSON.stringify(other[name].get(key))) continue;
      if (name === 'users') add(`users ${key}`, !row.is_blocked);
      // of a grant that was in force, another end gives and takes nothing
      else if (name === 'user_profiles')
        add(`held ${row.user_id} ${row.profile_id}`, isOnly(row, other[name].get(key)));
      else if (name === 'profile_access_scopes')
        add(`has ${row.profile_id} ${row.access_scope_id}`, isOnly(row, other[name].get(key)));
      else if (name === 'access_scope_applications_mappers')
        add(`scope mapping ${row.access_scope_id} ${row.application_id}`, row.state === 'active');
      else if (name === 'access_scope_type_applications_mappers')
        add(`type mapping ${row.access_scope_type_id} ${row.application_id}`, row.state === 'active');
      else parts.add(`${name} ${key}`);
    }
  return parts;
}

/** Whether a grant is in force on its own side of a change only. */
const isOnly = (own: Row, beside: Row | undefined): boolean => !own.ended && (!beside || beside.ended === true);

const pairOf = ({ user, what }: Way): string => `${user} ${what}`;

/** The ways of the pairs of a person and an application or an entry that are on one side only. */
export function differingWays(one: World, other: World): Way[] {
  const others = new Set(waysOf(other).map(pairOf));
  return waysOf(one).filter((way) => !others.has(pairOf(way)));
}

export interface Sums {
  users: number;
  applications: number;
  scopes: number;
  pairs: number;
}

/** Each person, application, entry and pair once. */
export function sumsOf(ways: readonly Way[]): Sums {
  const count = (of: (way: Way) => string, all = ways) => new Set(all.map(of)).size;
  const opening = ways.filter(({ isApplication }) => isApplication);
  return {
    users: count(({ user }) => user),
    applications: count(({ what }) => what, opening),
    scopes: count(
      ({ what }) => what,
      ways.filter(({ isApplication }) => !isApplication),
    ),
    pairs: count(pairOf, opening),
  };
}

/** Each person and profile by which there is a way, with the applications and entries. */
export function itemsOf(ways: readonly Way[]): string[] {
  const items = Map.groupBy(ways, ({ user, profileId }) => `${user} ${profileId}`);
  return [...items].map(([key, own]) => JSON.stringify([key, [...new Set(own.map(({ what }) => what))].sort()])).sort();
}

/** The sums of each group, by its key. */
export function groupsOf(ways: readonly Way[], keyOf: (way: Way) => string | undefined): Map<string, Sums> {
  const groups = Map.groupBy(ways, keyOf);
  groups.delete(undefined);
  return new Map([...groups].map(([key, own]) => [key!, sumsOf(own)]));
}
