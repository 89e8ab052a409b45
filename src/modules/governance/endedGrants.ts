/** Removes grants that have ended, as change sets of the service, and ends the sessions that depended on them. */
import type { Context, EntityManager } from '../../context.js';
import { clockTime } from '../../entities/endOfDay.js';
import { execute } from '../../services/execute.js';
import { applyEnds, lockedProfiles } from '../../services/people/profiles.js';
import { change, lockChangeSets } from '../../services/records/change.js';

/** Grants of each kind that one change set removes. */
const atOnceMax = 1_000;

const ended = (table: string, columns: string): string => `select ${columns} from ${table} where valid_until <= now()`;
const endedGrantColumns = (columns: string): string =>
  `${ended('user_profiles', columns)} union all ${ended('profile_access_scopes', columns)}`;

/** @param context of the service itself */
export async function removeEndedGrants(context: Context, signal: AbortSignal): Promise<void> {
  while (!signal.aborted) {
    // most turns find nothing, by the indexes of what ends
    const [ends] = await context.sql.rows<{ first: string | null; last: string }>(
      `select min(valid_until) as first, max(valid_until) as last from (${endedGrantColumns('valid_until')}) ends`,
    );
    if (ends!.first === null) return;
    const [first, last] = [ends!.first, ends!.last].map((end) => clockTime(end, context.config.timeZone).day);
    const note = `ended on ${first === last ? first : `${first} to ${last}`}`;
    // the effect of a set of the schedule says what the ends closed
    const own: Context = { ...context, face: 'schedule' };
    const removed = await change(own, 'admin:security', (em) => remove(em, own), { note, onlyEnds: true });
    if (removed.assignments + removed.accessScopes > 0) context.log.info(removed, 'ended grants removed');
  }
}

async function remove(em: EntityManager, context: Context): Promise<{ assignments: number; accessScopes: number }> {
  // in the order of every other change: the change set, the profiles, their grants
  await execute(em, lockChangeSets, []);
  await execute(em, lockedProfiles(`profile_id in (${endedGrantColumns('profile_id')})`), []);
  const assignments = await execute<{ profile_id: string; guid: string }>(
    em,
    `with gone as (${removal('user_profiles', 'user_profile_id')} returning link.profile_id, link.user_id)
     select gone.profile_id, u.user_guid::text as guid from gone join users u using (user_id) order by gone.profile_id`,
    [],
  );
  const removeScopes = `${removal('profile_access_scopes', 'profile_access_scope_id')} returning link.profile_id`;
  const scopes = await execute<{ profile_id: string }>(em, removeScopes, []);
  await applyEnds(em, context, assignments, scopes, 'end of the grant');
  return { assignments: assignments.length, accessScopes: scopes.length };
}

/** SQL: the end is checked again under the lock, so that a grant that was just extended stays. */
const removal = (table: string, key: string): string =>
  `delete from ${table} link where link.${key} in (
     ${ended(table, key)} order by valid_until, ${key} limit ${atOnceMax} for update)`;
