/**
 * Says who decides about which items of a review: owners, or admin:security for items without one and for profiles with
 * administration scopes. Nobody decides about access of their own: a grant, or an access scope of a profile that they hold.
 */
import { hasPermission } from '../../../auth/caller.js';
import type { Context } from '../../../context.js';
import { isGuid } from '../../../entities/valueForms.js';
import { lasts } from '../../../services/access/grants.js';
import { scopeEntryColumn, scopeIsInUse, scopesAndTypes } from '../../../services/access/scopeEntry.js';
import { administeringProfiles, legacyScopes } from '../../../services/adminScopes/guard.js';
import { actorOf } from '../../../services/permit.js';

export interface Reviewer {
  guid: string;
  /** Whether the reviewer decides about items without an owner. */
  isSecurity: boolean;
  /** `legacyScopes`: with them a profile administers. */
  legacy: readonly string[];
  /** With ADMIN_AUTH=none, and for commands: there is no other person. */
  isService: boolean;
}

export function reviewerOf(context: Context): Reviewer {
  const guid = actorOf(context);
  return {
    guid: isGuid(guid) ? guid : context.config.systemUserGuid,
    isSecurity: hasPermission(context.caller, 'admin:security'),
    legacy: legacyScopes(context),
    isService: context.caller.kind === 'system',
  };
}

/** SQL: whether somebody who is not blocked holds the profile and meets the condition about the user `u`. */
const holder = (profile: string, condition: (u: string) => string, u = 'owner'): string => `exists (
    select from user_profiles link_${u} join users ${u} using (user_id)
    where link_${u}.profile_id = ${profile} and not ${u}.is_blocked and ${lasts(`link_${u}`)} and ${condition(u)})`;

/** SQL: whether the item is about access of the person: a grant, or an access scope of a profile that the person holds. */
const concerns = (item: string, person: string): string => `(case when ${item}.user_guid is not null
    then ${item}.user_guid = ${person} else ${holder(`${item}.profile_id`, (u) => `${u}.user_guid = ${person}`, 'concerned')} end)`;

/** SQL: who holds a profile that owns one of the items. */
const keepers = (items: string): string => `user_profiles keeper join users person using (user_id)
      where keeper.profile_id in (select owner_profile_id from review_items where ${items}) and not person.is_blocked and ${lasts('keeper')}`;

/**
 * SQL: whether somebody whom the item does not concern holds the profile that owns it. No subquery names the item, so that
 * PostgreSQL reads the holders once and not for each item.
 */
const hasOtherKeeper = (item: string, items: string): string => `(case when ${item}.user_guid is not null
    then ${item}.owner_profile_id in (select distinct keeper.profile_id from ${keepers(items)})
      and (${item}.owner_profile_id, ${item}.user_guid) not in (
        select keeper.profile_id, min(user_guid::text)::uuid from ${keepers(items)} group by 1 having count(distinct user_id) = 1)
    else (${item}.owner_profile_id, ${item}.profile_id) in (
      select owner_profile_id, asked.profile_id
      from (select distinct owner_profile_id, profile_id from review_items where ${items} and user_guid is null) asked
      join (select keeper.profile_id as owner_profile_id, user_id from ${keepers(items)}) own using (owner_profile_id)
      where not exists (select from user_profiles held
        where held.user_id = own.user_id and held.profile_id = asked.profile_id and ${lasts('held')})) end)`;

/** SQL: whether all who have admin:security hold the item's profile, so that nobody else could decide about its access scopes. */
const isOfAllWithSecurity = (item: string): string => `(${item}.user_guid is null and not exists (
    select from user_profiles keeper join users person using (user_id) join profile_access_scopes has using (profile_id)
    join (${scopesAndTypes}) using (access_scope_id)
    where ${scopeEntryColumn} = 'admin:security' and ${scopeIsInUse} and ${lasts('has')} and ${lasts('keeper')} and not person.is_blocked
      and not ${concerns(item, 'person.user_guid')}))`;

/** SQL: whether the item is about a profile that now has administration scopes. @param legacy SQL of `legacyScopes` */
const administersNow = (item: string, legacy: string): string =>
  `(${item}.profile_id = any(array(${administeringProfiles(legacy)})))`;

/**
 * SQL: whether the reviewer decides about the item. If nobody except those concerned holds the profile that owns it, admin:security
 * decides. `person` and `legacy` are SQL of the reviewer's guid and of `legacyScopes`; `items` is a condition on `review_items` that all
 * items of the statement meet.
 */
export function isMine(
  item: string,
  { person, legacy, items }: Record<'person' | 'legacy' | 'items', string>,
  { isSecurity, isService }: Reviewer,
): string {
  // names both, so that they have a type in every statement
  if (isService) return `(${person} is not null or ${legacy} is not null)`;
  const owner = `${item}.owner_profile_id`;
  const owned = `not ${administersNow(item, legacy)} and ${owner} is not null and ${holder(owner, (u) => `${u}.user_guid = ${person}`)}`;
  const ownerless = `(${owner} is null or ${administersNow(item, legacy)} or not ${hasOtherKeeper(item, items)})`;
  const own = concerns(item, person);
  if (!isSecurity) return `(not ${own} and ${owned})`;
  return `((not ${own} and (${ownerless} or (${owned}))) or (${own} and ${ownerless} and ${isOfAllWithSecurity(item)}))`;
}

/** How many items of open reviews wait for the caller. */
export async function countItemsWaiting(context: Context): Promise<number> {
  if (!hasPermission(context.caller, 'admin:read')) return 0;
  const reviewer = reviewerOf(context);
  const items = "review_id in (select review_id from reviews where state = 'OPEN') and decision is null";
  const [row] = await context.sql.rows<{ count: number }>(
    `select count(*)::int as count from review_items item join reviews r using (review_id)
     where r.state = 'OPEN' and item.decision is null
       and ${isMine('item', { person: '$1::uuid', legacy: '$2::text[]', items }, reviewer)}`,
    [reviewer.guid, reviewer.legacy],
  );
  return row!.count;
}
