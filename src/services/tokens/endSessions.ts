/** Ends sessions, in the transaction of a change that removes their user, profile or client, or for an administrator. */
import type { Context, EntityManager } from '../../context.js';
import { startOf } from '../../entities/valueForms.js';
import { lasts } from '../access/grants.js';
import { execute } from '../execute.js';
import { runIn, writeAudit } from '../records/change.js';
import { isLive } from './renewalToken.js';

/**
 * Revokes the active token records that meet the condition, with one audit event, and returns their number.
 * @param subject names them in the audit event
 * @param condition SQL that names the record `t`; its values are $2 and following
 * @param by what revokes them; absent: the author of the change
 */
export async function revokeRecords(
  em: EntityManager,
  context: Context,
  subject: string,
  condition: string,
  values: readonly unknown[],
  by?: string,
): Promise<number> {
  // locked in one order, so that two of these never deadlock
  const [revoked] = await execute<{ count: number }>(
    em,
    `with chosen as (
       select id from tokens t where ${isLive('t')} and ${condition} order by id for no key update
     ), revoked as (
       update tokens t set is_revoked = true, revoked_at = now(), revoked_by = coalesce($${values.length + 2}, 'user ' || change_author()), revoked_by_ip = $1
       from chosen where t.id = chosen.id returning 1
     )
     select count(*)::int as count from revoked`,
    [context.address, ...values, by ?? null],
  );
  const { count } = revoked!;
  const event = { action: 'revoke', subjectType: 'Token', subjectId: startOf(subject, 255), detail: { count } };
  if (count > 0) await writeAudit(runIn(em), [event]);
  return count;
}

/** Deletes console sessions that meet the condition, SQL that names the session `s`, so that they can't become valid again. */
export async function endConsoleSessions(
  em: EntityManager,
  condition: string,
  values: readonly unknown[],
): Promise<void> {
  await execute(em, `delete from console_sessions s where ${condition}`, values);
}

const nameUsers = (userGuids: readonly string[]): string =>
  userGuids.length === 1 ? `userGuid ${userGuids[0]}` : `${userGuids.length} users`;

/** Ends every session of users who are being blocked. Until the transaction ends, none of them begins one (`holdsNow`). */
export async function endSessionsOfUsers(em: EntityManager, context: Context, userGuids: readonly string[]) {
  await execute(em, 'select from users where user_guid = any($1::uuid[]) order by user_id for update', [userGuids]);
  await revokeRecords(em, context, nameUsers(userGuids), 't.user_id = any($2::uuid[])', [userGuids]);
  await endConsoleSessions(em, 's.user_guid = any($1::uuid[])', [userGuids]);
}

/** SQL: whether the user holds the profile, in any role. */
const isHeld = (userGuid: string, profileId: string): string => `exists (
    select from user_profiles link join users u using (user_id)
    where u.user_guid = ${userGuid} and link.profile_id = ${profileId} and ${lasts('link')})`;

/** Ends the sessions of users for a profile, except of those who still hold it in another role. Their links are removed before. */
export async function endSessionsUnlessHeld(
  em: EntityManager,
  context: Context,
  userGuids: readonly string[],
  profileId: string,
  by?: string,
) {
  const subject = `${nameUsers(userGuids)}, profileId ${profileId}`;
  const condition = `t.user_id = any($2::uuid[]) and t.profile_id = $3 and not ${isHeld('t.user_id', 't.profile_id')}`;
  await revokeRecords(em, context, subject, condition, [userGuids, profileId], by);
  const consoleSessions = `s.user_guid = any($1::uuid[]) and s.profile_id = $2 and not ${isHeld('s.user_guid', 's.profile_id')}`;
  await endConsoleSessions(em, consoleSessions, [userGuids, profileId]);
}

/** Ends the sessions of all holders of a profile, before it is removed with its links. Until then no one else begins one. */
export async function endSessionsOfProfile(em: EntityManager, context: Context, profileId: string) {
  await execute(em, 'select from user_profiles where profile_id = $1 order by user_profile_id for update', [profileId]);
  const holders = 'select u.user_guid from user_profiles link join users u using (user_id) where link.profile_id = $2';
  const condition = `t.profile_id = $2 and t.user_id in (${holders})`;
  await revokeRecords(em, context, `profileId ${profileId}`, condition, [profileId]);
  await endConsoleSessions(em, 's.profile_id = $1', [profileId]);
}
