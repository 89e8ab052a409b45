/**
 * Computes who gains and loses access by a change set. The SQL that decides what is opened and issued runs on the tables before
 * and after the change, for the profiles, applications and users that the set touches.
 */
import type { Context } from '../../context.js';
import { Application } from '../../entities/Application.js';
import { versionStatement } from '../../entities/catalogueVersion.js';
import { describe, fieldsFor, type RecordClass } from '../../entities/description.js';
import { Profile } from '../../entities/Profile.js';
import { User } from '../../entities/User.js';
import { readByKeys } from '../../services/read/readPages.js';
import type { Row } from '../../services/read/select.js';
import { findChangeSetId, wholeWithUsers } from './describeChangeSet.js';
import { type Compared, type Moment, readCompared } from './effectDiff.js';
import { type Counted, countSide, countTokens, differs, type Passing } from './effectSides.js';
import { historiesSince, inState, narrowed } from './history/state.js';
import { type CarriedOut, type CountedEffect, readOutcomes } from './outcomes.js';

/** An effect, and how to count it again after its transaction. */
export interface ComputedEffect extends CountedEffect {
  /** Identifies a stored effect, for later requests. */
  effectId?: string;
  /** The catalogue version at which it was computed. */
  version: string;
  /** The changes of a dry run, as JSON. */
  changes?: readonly object[];
  /** Without `changes`: what another process counts it from, by a name in `recounts`; absent if it cannot. */
  origin?: Readonly<Record<string, unknown>>;
  /** Length as JSON of what `countAgain` keeps of the request; absent: it keeps nothing large. */
  requestLength?: number | undefined;
  /** Computes the effect again, on the current catalogue. */
  countAgain(context: Context): Promise<ComputedEffect | undefined>;
}

/**
 * Sessions of the users $2 for the profiles $3 that existed when the change began, because the change itself may have ended them;
 * compared with the times of its audit events and its commit. For the current transaction, all visible sessions.
 */
const sessionsStatement = (isUnderWay: boolean): string => `
  with moment as (
      select coalesce((select min(occurred_at) from audit_events where change_set_id = $1::bigint), occurred_at) as began,
        ${isUnderWay ? "'infinity'::timestamptz" : 'occurred_at'} as made
      from change_sets where change_set_id = $1::bigint)
  select t.profile_id as "profileId", u.user_id as "userId", count(*)::int as sessions
  from unnest($2::int[]) concerned (user_id) join users u using (user_id)
  join tokens t on t.user_id = u.user_guid and t.profile_id = any($3::text[])
  cross join moment where t.started_at <= moment.made and t.expires_at > moment.began
    and (not t.is_revoked or t.revoked_at >= moment.began)
  group by t.profile_id, u.user_id`;

async function readSessions(
  context: Context,
  { changeSetId, before, after }: Moment,
  compared: Compared,
): Promise<Counted['sessions']> {
  const { groups, profiles } = compared;
  const sessions = new Map<number, Map<number, number>>();
  const userIds = groups.flatMap((group) => group.userIds);
  if (userIds.length === 0) return sessions;
  const moved = groups.flatMap(({ before: was, after: is }) => (was === is ? [] : [...was, ...is]));
  const differing = profiles.values.map((_, profile) => profile).filter((profile) => differs(compared, profile));
  const profileIds = [...new Set([...moved, ...differing])].map((profile) => profiles.values[profile]!);
  // a user without a state before has no sessions
  const statement = inState(before, sessionsStatement(after === 'present'));
  for (const row of await context.sql.rows<{ profileId: string; userId: number; sessions: number }>(statement, [
    changeSetId,
    userIds,
    profileIds,
  ])) {
    const profile = profiles.of(row.profileId);
    const own = sessions.get(profile) ?? new Map<number, number>();
    sessions.set(profile, own.set(row.userId, row.sessions));
  }
  return sessions;
}

/** Users, profiles and applications that this set created, or that this or a later set removed. */
async function readPassing(context: Context, { changeSetId }: Moment): Promise<Passing> {
  const passing: Passing = new Map();
  for (const record of [User, Profile, Application]) {
    const { table, primaryKey } = describe(record);
    const versions = await context.sql.rows<{ before: Record<string, unknown> | null; id: unknown }>(
      `select before, coalesce(before, after)->'${primaryKey.column}' as id from record_versions
       where record_table = $2 and (change_set_id = $1::bigint and before is null or change_set_id >= $1::bigint and after is null)`,
      [changeSetId, table],
    );
    const ids = versions.map(({ id }) => id);
    const isAny = ids.length > 0;
    const rows = isAny ? await readByKeys(context, wholeWithUsers(record), primaryKey.name, ids) : new Map();
    for (const { before, id } of versions) if (before && !rows.has(id)) rows.set(id, rowOf(record, before));
    passing.set(record, rows);
  }
  return passing;
}

function rowOf(record: RecordClass, columns: Record<string, unknown>): Row {
  return Object.fromEntries(
    fieldsFor(record, 'graph').map(({ name, column, type }) => {
      const value = columns[column] ?? null;
      return [name, type === 'dateTime' && value !== null ? new Date(value as string).toISOString() : value];
    }),
  );
}

/** Reads the effect of the current transaction. @param carriedOut the requested changes, for their outcomes */
export async function readEffect(inside: Context, carriedOut: readonly CarriedOut[] = []): Promise<CountedEffect> {
  const [changeSet] = await inside.sql.rows<{ id: string }>('select current_change_set()::text as id');
  const changeSetId = changeSet!.id;
  const before = await narrowed(inside, { before: `later.change_set_id = ${BigInt(changeSetId)}` });
  const moment: Moment = { changeSetId, before, after: 'present' };
  const effect = await effectAt(inside, moment);
  if (carriedOut.length > 0) effect.gains.counted.outcomes = await readOutcomes(inside, moment, carriedOut, effect);
  return effect;
}

/** Reads the effect of an earlier change set, without the changes made since; undefined if the histories do not reach back to it. */
export async function readPastEffect(context: Context, changeSetId: string): Promise<ComputedEffect | undefined> {
  const id = BigInt(changeSetId);
  const [set] = await context.sql.rows<{ isEnding: boolean }>(
    `select face = 'schedule' as "isEnding" from change_sets
     where change_set_id = $1::bigint and occurred_at >= ${historiesSince}`,
    [changeSetId, context.config.auditRetentionDays],
  );
  if (!set) return undefined;
  const since = (comparison: string, ending?: bigint) =>
    narrowed(context, {
      ...(ending !== undefined && { ending }),
      before: `(later.occurred_at, later.change_set_id) ${comparison}
        (select occurred_at, change_set_id from change_sets where change_set_id = ${id})`,
      at: `(select occurred_at from change_sets where change_set_id = ${id})`,
    });
  const [before, after] = [await since('>=', set.isEnding ? id : undefined), await since('>')];
  const [now] = await context.reads.rows<{ version: string }>(versionStatement);
  return {
    ...(await effectAt(context, { changeSetId, before, after })),
    version: now!.version,
    countAgain: (later) => readPastEffect(later, changeSetId),
  };
}

/** The same by the guid of the change set; undefined too if nothing was changed, or the set is gone. */
export async function readPastEffectOf(
  context: Context,
  changeSetGuid: string | null,
): Promise<ComputedEffect | undefined> {
  const id = changeSetGuid === null ? undefined : await findChangeSetId(context, changeSetGuid);
  return id === undefined ? undefined : readPastEffect(context, id);
}

async function effectAt(context: Context, moment: Moment): Promise<CountedEffect> {
  const { compared, hasPassing } = await readCompared(context, moment);
  const sessions = await readSessions(context, moment, compared);
  const passing: Passing = hasPassing || moment.after !== 'present' ? await readPassing(context, moment) : new Map();
  const counted = { ...compared, sessions, passing };
  return { gains: countSide(counted, 'gains'), loses: countSide(counted, 'loses'), tokens: countTokens(counted) };
}
