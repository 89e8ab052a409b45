/** Announces grants and secrets of clients that end in 7 days and in one day, once a day and for days that were missed. */
import { clockTime, startOfDay } from '../../entities/endOfDay.js';
import { lasts } from '../../services/access/grants.js';
import type { Sql } from '../../sql.js';

const task = 'event reminders';
const dayMs = 86_400_000;
const daysBefore = [7, 1];
/** Days without a process that are made up for. */
const missedMax = 6;

/** Does nothing if it was done today. @param timeZone of days; each is kept as its midnight in UTC */
export const noteEnding = (sql: Sql, timeZone: string, now: Date): Promise<void> =>
  sql.transaction(async (own) => {
    await own.rows("select pg_advisory_xact_lock(hashtext('gatehouse event reminders'))");
    const [run] = await own.rows<{ finished_at: string }>('select finished_at from housekeeping_runs where task = $1', [
      task,
    ]);
    const today = Date.parse(clockTime(now.toISOString(), timeZone).day);
    const last = run ? Date.parse(run.finished_at) : today - dayMs;
    for (let day = Math.max(last + dayMs, today - missedMax * dayMs); day <= today; day += dayMs)
      for (const days of daysBefore) await noteDay(own, day + days * dayMs, days, timeZone);
    await own.rows(
      `insert into housekeeping_runs (task, finished_at) values ($1, $2)
       on conflict (task) do update set finished_at = greatest(housekeeping_runs.finished_at, excluded.finished_at)`,
      [task, new Date(today).toISOString()],
    );
  });

const noteGrants = `insert into event_causes (kind, subject_id, profile_id, detail)
  select 'grant.ending', $2::int || ' ' || $1::text || ' ' || profile_id, profile_id,
    jsonb_build_object('profileId', profile_id, 'endsOn', $1::text, 'days', $2::int, 'assignments', assignments, 'accessScopes', access_scopes)
  from (
    select profile_id, count(*) filter (where is_assignment)::int as assignments, count(*) filter (where not is_assignment)::int as access_scopes
    from (
      select profile_id, true as is_assignment, valid_until from user_profiles link where ${lasts('link')}
      union all select profile_id, false, valid_until from profile_access_scopes link where ${lasts('link')}
    ) grants where valid_until >= $3::timestamptz and valid_until < $4::timestamptz group by 1
  ) ending`;
const noteSecrets = `insert into event_causes (kind, subject_id, detail)
  select 'client.secret_ending', $2::int || ' ' || $1::text || ' ' || left(client_id, 80),
    jsonb_build_object('clientId', client_id, 'endsAt', previous_secret_ends_at, 'days', $2::int)
  from clients where previous_secret_ends_at >= $3::timestamptz and previous_secret_ends_at < $4::timestamptz`;

async function noteDay(sql: Sql, midnight: number, days: number, timeZone: string): Promise<void> {
  const dayAt = (time: number): string => new Date(time).toISOString().slice(0, 10);
  const [day, next] = [dayAt(midnight), dayAt(midnight + dayMs)];
  const [from, until] = [startOfDay(day, timeZone), startOfDay(next, timeZone)];
  for (const statement of [noteGrants, noteSecrets]) await sql.rows(statement, [day, days, from, until]);
}
