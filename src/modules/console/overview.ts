/** Counts what needs an administrator's attention. */
import type { Context } from '../../context.js';
import { badInput } from '../../errors.js';
import { lasts } from '../../services/access/grants.js';
import { findDaysProblem, isUnused } from '../../services/access/unusedGrants.js';
import { permit } from '../../services/permit.js';
import { timeText } from '../../sql.js';

function requireDays(days: number): void {
  const problem = findDaysProblem(days);
  if (problem) throw badInput({ days: [problem] });
}

/** Profiles of users, and access scopes of profiles, that end within the days. */
export async function countGrantsEnding(context: Context, days: number) {
  permit(context, 'admin:read');
  requireDays(days);
  const [counts] = await context.sql.rows<{ total: number; thisWeek: number; lastProfile: number }>(
    `with ending as (
       select user_id, valid_until from user_profiles
       where valid_until > now() and valid_until <= now() + make_interval(days => $1)
       union all
       select null, valid_until from profile_access_scopes
       where valid_until > now() and valid_until <= now() + make_interval(days => $1))
     select count(*)::int as total, count(*) filter (where valid_until <= now() + interval '7 days')::int as "thisWeek",
       (select count(distinct user_id)::int from ending e where not exists (
         select from user_profiles other where other.user_id = e.user_id
           and (other.valid_until is null or other.valid_until > now() + make_interval(days => $1)))
         and user_id is not null) as "lastProfile"
     from ending`,
    [days],
  );
  return counts!;
}

/** Profiles of users who are not blocked that were assigned at least that long ago and not used since. */
export async function countUnusedGrants(context: Context, days: number) {
  permit(context, 'admin:read');
  requireDays(days);
  const [counts] = await context.sql.rows<{ total: number; never: number }>(
    `select count(*)::int as total, count(*) filter (where last_used_at is null)::int as never
     from user_profiles held where user_id not in (select user_id from users where is_blocked) and ${lasts('held')} and ${isUnused('held.created_date', 'last_used_at', '$1')}`,
    [days],
  );
  return counts!;
}

/** For each managed file, how many records were changed or removed by hand since it was last applied; files without such records are left out. */
export function listChangedByHand(context: Context) {
  permit(context, 'admin:read');
  return context.sql.rows<{ managedBy: string; appliedAt: string; records: number }>(
    `select applied.managed_by as "managedBy", ${timeText('made.occurred_at')} as "appliedAt", hand.records
     from (select managed_by, max(change_set_id) as change_set_id from change_sets where managed_by is not null group by managed_by) applied
     join change_sets made using (change_set_id)
     cross join lateral (
       select count(distinct (v.record_table, v.record_key))::int as records
       from (select case when link.record_table = 'profile_access_scopes' then 'profiles' else link.record_table end as record_table,
           case when link.record_table = 'profile_access_scopes' then coalesce(link.before, link.after)->>'profile_id' else link.record_key end as record_key,
           link.record_table as changed_table, link.before, link.change_set_id from record_versions link
         where link.change_set_id > applied.change_set_id) v
       join change_sets later on later.change_set_id = v.change_set_id
       where later.managed_by is distinct from applied.managed_by
         and case when v.changed_table = 'profile_access_scopes'
           then exists (select from profiles p where p.profile_id = v.record_key and p.managed_by = applied.managed_by)
           else v.before->>'managed_by' = applied.managed_by end) hand
     where hand.records > 0 order by hand.records desc, applied.managed_by collate "C"`,
  );
}

/** When the next signing key takes over; null: no automatic rotation. */
export async function findNextKeyAt(context: Context): Promise<string | null> {
  permit(context, 'admin:security');
  const days = context.config.keyRotationDays;
  if (days === 0) return null;
  const [key] = await context.sql.rows<{ at: string }>(
    `select ${timeText("greatest(active.activated_at + make_interval(days => $1), next.created_at + interval '1 day')")} as at
     from signing_keys active join signing_keys next on next.state = 'next' and next.alg = active.alg
     where active.state = 'active' and active.alg <> 'HS256'`,
    [days],
  );
  return key?.at ?? null;
}

/** Blocked users who still hold profiles. */
export async function countBlockedHolders(context: Context): Promise<number> {
  permit(context, 'admin:read');
  const [row] = await context.sql.rows<{ count: number }>(
    `select count(*)::int as count from users u where is_blocked
     and exists (select from user_profiles held where held.user_id = u.user_id)`,
  );
  return row!.count;
}

/** SQL: whether the client has two secrets that work. */
export const hasTwoSecrets = (client: string): string =>
  `(${client}.previous_secret is not null and ${client}.previous_secret_ends_at > now())`;

/** SQL: whether the proposal is scheduled, or failed recently. */
export const isGoLive = (proposal: string): string =>
  `(${proposal}.state = 'SCHEDULED' or ${proposal}.state = 'FAILED' and ${proposal}.apply_at > now() - interval '30 days')`;

/** The mappings of each type and of its access scopes. */
export async function countMappingsOfTypes({ reads }: Context, typeIds: readonly number[]): Promise<number[]> {
  const rows = await reads.rows<{ id: number; count: number }>(
    `select id, sum(count)::int as count from (
       select access_scope_type_id as id, count(*) as count from access_scope_type_applications_mappers
       where access_scope_type_id = any($1::int[]) group by 1
       union all
       select s.access_scope_type_id, count(*) from access_scope_applications_mappers m join access_scopes s using (access_scope_id)
       where s.access_scope_type_id = any($1::int[]) group by 1) counted group by id`,
    [[...typeIds]],
  );
  const counts = new Map(rows.map(({ id, count }) => [id, count]));
  return typeIds.map((id) => counts.get(id) ?? 0);
}
