/**
 * Reads what a change set does: which profiles open and issue something else, which users hold other profiles, and what these
 * users have by all their profiles, before and after. Users who hold the same profiles are one group, because they have the same.
 */
import type { Context } from '../../context.js';
import { lasts } from '../../services/access/grants.js';
import { heldEntries } from '../../services/access/held.js';
import { openings } from '../../services/access/openings.js';
import { Bits } from './bits.js';
import { inState, type State } from './history/state.js';

/** The change set, and the tables before and after it. */
export interface Moment {
  changeSetId: string;
  before: State;
  after: State;
}

/** The profiles, applications and users whose access a change set may change. */
interface Touched {
  /** Whether it created or removed a user, a profile or an application. */
  hasPassing: boolean;
  /** Profiles and applications between which ways may have appeared or disappeared. */
  profileIds: string[];
  applicationIds: number[];
  /** Profiles whose scopes may have changed. */
  scopedProfileIds: string[];
  /** Users and profiles whose links may have changed. */
  userIds: number[];
}

/** SQL: a column of the records of a table that the set ($1) touched, as they were and as they are. */
const both = (table: string, column: string, type: string): string =>
  `select (record->>'${column}')::${type} from touched_records where record_table = '${table}'`;

const scopeMappings = 'access_scope_applications_mappers';
const typeMappings = 'access_scope_type_applications_mappers';

/** Access scopes that changed themselves or whose type changed, without those of which only a profile's link or a mapping changed. */
const ownScopes = `${both('access_scopes', 'access_scope_id', 'int')} union
  select access_scope_id from access_scopes where access_scope_type_id = any(array(${both('access_scope_types', 'access_scope_type_id', 'int')}))`;
const appsTouched = both('applications', 'application_id', 'int');

const statement = `with versions as materialized (
    select record_table, before, after from record_versions where change_set_id = $1::bigint
  ), touched_records as materialized (
    select record_table, before as record from versions where before is not null
    union all select record_table, after from versions where after is not null
  )
  select exists (select from versions where (before is null or after is null)
    and record_table in ('users', 'profiles', 'applications')) as "hasPassing",
  array(select distinct profile_id from (
    ${both('profile_access_scopes', 'profile_id', 'text')} union
    select profile_id from profile_access_scopes where access_scope_id = any(array(
      ${ownScopes} union ${both(scopeMappings, 'access_scope_id', 'int')} union
      select access_scope_id from access_scopes where access_scope_type_id = any(array(
        ${both(typeMappings, 'access_scope_type_id', 'int')} union
        select access_scope_type_id from ${typeMappings} where application_id = any(array(${appsTouched})))) union
      select access_scope_id from ${scopeMappings} where application_id = any(array(${appsTouched}))
    ))) touched(profile_id) where profile_id is not null) as "profileIds",
  array(select distinct application_id from (
    ${appsTouched} union ${both(scopeMappings, 'application_id', 'int')} union ${both(typeMappings, 'application_id', 'int')} union
    select application_id from ${scopeMappings} where access_scope_id = any(array(
      ${ownScopes} union ${both('profile_access_scopes', 'access_scope_id', 'int')})) union
    select application_id from ${typeMappings} where access_scope_type_id = any(array(
      select access_scope_type_id from access_scopes where access_scope_id = any(array(
        ${ownScopes} union ${both('profile_access_scopes', 'access_scope_id', 'int')}))))
    union select application_id from ${typeMappings} where access_scope_type_id = any(array(${both('access_scopes', 'access_scope_type_id', 'int')}))
    ) touched(application_id) where application_id is not null) as "applicationIds",
  array(select distinct profile_id from (
    ${both('profile_access_scopes', 'profile_id', 'text')} union
    select profile_id from profile_access_scopes where access_scope_id = any(array(${ownScopes}))
    ) touched(profile_id) where profile_id is not null) as "scopedProfileIds",
  array(select distinct user_id from (
    ${both('user_profiles', 'user_id', 'int')} union ${both('users', 'user_id', 'int')}
    ) touched(user_id) where user_id is not null) as "userIds"`;

/** It may contain more than necessary: records without a change do not appear in the effect. */
async function readTouched(context: Context, { changeSetId, after }: Moment): Promise<Touched> {
  const [touched] = await context.sql.rows<Touched>(inState(after, statement), [changeSetId]);
  return touched!;
}

/** A list whose members have places, which are the numbers of bits. */
class Places<Value> {
  readonly values: Value[] = [];
  readonly #places = new Map<Value, number>();

  of(value: Value): number {
    let place = this.#places.get(value);
    if (place === undefined) {
      place = this.values.push(value) - 1;
      this.#places.set(value, place);
    }
    return place;
  }

  find(value: Value): number | undefined {
    return this.#places.get(value);
  }
}

/** Users who held the same profiles before, and hold the same ones after. Profiles are named by their places. */
export interface Group {
  before: readonly number[];
  after: readonly number[];
  userIds: readonly number[];
}

/** What profiles open and issue before and after, and who holds them. */
export interface Compared {
  /** Numbers of applications, and entries of the `scopes` claim. */
  values: Places<number | string>;
  /** The values that are applications. */
  applications: Bits;
  profiles: Places<string>;
  /** The values that each profile has, by its place: of those that somebody may gain or lose. */
  before: Bits[];
  after: Bits[];
  /** Everybody who holds another profile, or a profile that has other values. */
  groups: Group[];
}

/** A profile, and values or users that it has on one side only. */
interface Difference<Value> {
  profileId: string;
  isGained: boolean;
  values: Value[];
}

/** SQL: both sides of a relation of `profile_id` and `value`, each state of it read once. @param of the relation in a state */
const diff = ({ before, after }: Moment, of: string): string => `
  select profile_id as "profileId", is_gained as "isGained", jsonb_agg(value) as values from (
    select profile_id, value, bool_or(is_after) as is_gained from (
      select profile_id, value, true as is_after from (${inState(after, of)}) state_after
      union all select profile_id, value, false from (${inState(before, of)}) state_before) states
    group by profile_id, value having bool_and(is_after) or not bool_or(is_after)) differences
  group by profile_id, is_gained`;

/** SQL: who holds what of the users $1. Conditions on both tables, so that each is read by its index in every state. */
const holdings = `select link.profile_id, u.user_id as value from users u join user_profiles link on link.user_id = u.user_id
  where u.user_id = any($1::int[]) and link.user_id = any($1::int[]) and not u.is_blocked and ${lasts('link')}`;

/** SQL: the applications that profiles of $2 open: those of $3, or all of them if it is null. */
const opened = (restriction: string): string => `select opening.profile_id, opening.application_id as value
  from (${openings(`has.profile_id = any($2::text[]) ${restriction}`)}) opening
  join applications a on a.application_id = opening.application_id and a.is_active`;
const openedOfSome = `${opened('and m.application_id = any($3::int[])')} where a.application_id = any($3::int[])`;
const issued = heldEntries('has.profile_id = any($1::text[])');

const byProfile = (of: string): string =>
  `select profile_id as "profileId", true as "isGained", jsonb_agg(distinct value) as values from (${of}) had group by profile_id`;

/** SQL: the users who hold a profile of $1, and those of $2, grouped by all the profiles that they hold. */
const heldTogether = `select "profileIds", jsonb_agg(user_id) as "userIds" from (
    select link.user_id, array_agg(distinct link.profile_id) as "profileIds"
    from (select user_id from user_profiles holder where holder.profile_id = any($1::text[]) and ${lasts('holder')}
      union select unnest($2::int[])) concerned
    join user_profiles link using (user_id)
    where not exists (select from users u where u.user_id = link.user_id and u.is_blocked)
      and ${lasts('link')} group by link.user_id) held
  group by "profileIds"`;

/** Profiles that one statement reads, so that a large effect is never in memory as text. */
const atOnce = 500;

const chunksOf = <Value>(values: readonly Value[]): Value[][] =>
  Array.from({ length: Math.ceil(values.length / atOnce) }, (_, index) =>
    values.slice(index * atOnce, (index + 1) * atOnce),
  );

/** The values of profiles on both sides, as they are read. */
class Reading implements Compared {
  readonly values = new Places<number | string>();
  readonly applications = new Bits();
  readonly profiles = new Places<string>();
  readonly before: Bits[] = [];
  readonly after: Bits[] = [];
  readonly groups: Group[] = [];

  constructor(
    readonly context: Context,
    readonly moment: Moment,
  ) {}

  place(profileId: string): number {
    const place = this.profiles.of(profileId);
    this.before[place] ??= new Bits();
    this.after[place] ??= new Bits();
    return place;
  }

  /** Reads the differences of profiles, by chunks. */
  async compare(profileIds: readonly string[], of: string, values: (chunk: string[]) => unknown[]): Promise<void> {
    for (const chunk of chunksOf(profileIds))
      for (const { profileId, isGained, values: differing } of await this.#rows(diff(this.moment, of), values(chunk)))
        for (const value of differing)
          this[isGained ? 'after' : 'before'][this.place(profileId)]!.add(this.#placeOf(value));
  }

  /** Reads what profiles have after the change, by chunks; what does not differ they had before it, too. */
  async complete(profileIds: readonly string[], of: string, values: (chunk: string[]) => unknown[]): Promise<void> {
    for (const chunk of chunksOf(profileIds))
      for (const { profileId, values: had } of await this.#rows(
        inState(this.moment.after, byProfile(of)),
        values(chunk),
      )) {
        const place = this.place(profileId);
        const [before, after] = [this.before[place]!, this.after[place]!];
        for (const value of had) {
          const at = this.#placeOf(value);
          if (after.has(at)) continue;
          after.add(at);
          before.add(at);
        }
      }
  }

  #rows(statement: string, values: unknown[]): Promise<Difference<number | string>[]> {
    return this.context.sql.rows<Difference<number | string>>(statement, values);
  }

  #placeOf(value: number | string): number {
    const place = this.values.of(value);
    if (typeof value === 'number') this.applications.add(place);
    return place;
  }
}

/** Reads what the change set does, inside its transaction or later. */
export async function readCompared(
  context: Context,
  moment: Moment,
): Promise<{ compared: Compared; hasPassing: boolean }> {
  const states = context.config.mappingActiveStates;
  const { profileIds, applicationIds, scopedProfileIds, userIds, hasPassing } = await readTouched(context, moment);
  const reading = new Reading(context, moment);
  if (applicationIds.length > 0)
    await reading.compare(profileIds, openedOfSome, (chunk) => [states, chunk, applicationIds]);
  await reading.compare(scopedProfileIds, issued, (chunk) => [chunk]);
  const changedIds = [...reading.profiles.values];
  const moves =
    userIds.length === 0 ? [] : await context.sql.rows<Difference<number>>(diff(moment, holdings), [userIds]);
  if (changedIds.length + moves.length > 0) {
    const movedIds = [...new Set(moves.flatMap(({ values }) => values))];
    const held = await context.sql.rows<Held>(inState(moment.after, heldTogether), [changedIds, movedIds]);
    reading.groups.push(...groupsOf(reading, held, moves));
  }
  // whoever gains or loses a profile may gain and lose all that it has
  const movedProfiles = [...new Set(moves.map(({ profileId }) => profileId))];
  await reading.complete(movedProfiles, opened(''), (chunk) => [states, chunk]);
  const moved = new Set(movedProfiles);
  const others = reading.profiles.values.filter((profileId) => !moved.has(profileId));
  const differing = reading.values.values.filter((value) => typeof value === 'number');
  if (differing.length > 0) await reading.complete(others, openedOfSome, (chunk) => [states, chunk, differing]);
  if (moves.length > 0 || differing.length < reading.values.values.length)
    await reading.complete(reading.profiles.values, issued, (chunk) => [chunk]);
  const { values, applications, profiles, before, after, groups } = reading;
  return { compared: { values, applications, profiles, before, after, groups }, hasPassing };
}

interface Held {
  profileIds: string[];
  userIds: number[];
}

/** The groups, with the profiles before: those after without what was gained, and what was lost. */
function groupsOf(reading: Reading, held: readonly Held[], moves: readonly Difference<number>[]): Group[] {
  const movesOf = new Map<number, Record<'gains' | 'loses', number[]>>();
  for (const { profileId, isGained, values } of moves) {
    const place = reading.place(profileId);
    for (const userId of values) {
      const own = movesOf.get(userId) ?? { gains: [], loses: [] };
      own[isGained ? 'gains' : 'loses'].push(place);
      movesOf.set(userId, own);
    }
  }
  const groups: Group[] = [];
  const movers = new Map<string, { before: number[]; after: number[]; userIds: number[] }>();
  const addMover = (userId: number, after: number[]) => {
    const { gains, loses } = movesOf.get(userId)!;
    const before = [...after.filter((place) => !gains.includes(place)), ...loses].sort((one, other) => one - other);
    const key = `${before.join()} ${after.join()}`;
    const group = movers.get(key) ?? { before, after, userIds: [] };
    group.userIds.push(userId);
    movers.set(key, group);
    movesOf.delete(userId);
  };
  for (const { profileIds, userIds } of held) {
    const after = profileIds.map((profileId) => reading.place(profileId)).sort((one, other) => one - other);
    const staying = userIds.filter((userId) => !movesOf.has(userId));
    for (const userId of userIds) if (movesOf.has(userId)) addMover(userId, after);
    if (staying.length > 0) groups.push({ before: after, after, userIds: staying });
  }
  for (const userId of [...movesOf.keys()]) addMover(userId, []);
  return [...groups, ...movers.values()];
}
