/**
 * Says who decides about which items of a review: owners, or admin:security for items without one and for profiles with
 * administration scopes. Nobody decides about their own grant.
 */
import { hasPermission } from '../../auth/caller.js';
import type { Context } from '../../context.js';
import { isGuid } from '../../entities/valueForms.js';
import { administeringProfiles, legacyScopes } from '../adminScopes/guard.js';
import { lasts } from '../grants.js';
import { actorOf } from '../permit.js';

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

const holder = (owner: string, condition: string): string => `exists (
    select from user_profiles link join users u using (user_id)
    where link.profile_id = ${owner} and not u.is_blocked and ${lasts('link')} and ${condition})`;

/** SQL: whether the item is about a profile that now has administration scopes. @param legacy SQL of `legacyScopes` */
const administersNow = (item: string, legacy: string): string =>
  `(${item}.profile_id = any(array(${administeringProfiles(legacy)})))`;

/**
 * SQL: whether the reviewer decides about the item. If nobody except the person concerned holds the profile that owns it,
 * admin:security decides. @param values SQL of the reviewer's guid and of `legacy`
 */
export function isMine(
  item: string,
  { person, legacy }: Record<'person' | 'legacy', string>,
  { isSecurity, isService }: Reviewer,
): string {
  // names both, so that they have a type in every statement
  if (isService) return `(${person} is not null or ${legacy} is not null)`;
  const owned = `not ${administersNow(item, legacy)} and ${item}.owner_profile_id is not null and ${holder(`${item}.owner_profile_id`, `u.user_guid = ${person}`)}`;
  const others = holder(`${item}.owner_profile_id`, `u.user_guid is distinct from ${item}.user_guid`);
  const ownerless = `(${item}.owner_profile_id is null or ${administersNow(item, legacy)} or not ${others})`;
  return `(${item}.user_guid is distinct from ${person} and (${isSecurity ? `${ownerless} or ` : ''}(${owned})))`;
}

/** How many items of open reviews wait for the caller. */
export async function countItemsWaiting(context: Context): Promise<number> {
  if (!hasPermission(context.caller, 'admin:read')) return 0;
  const reviewer = reviewerOf(context);
  const [row] = await context.sql.rows<{ count: number }>(
    `select count(*)::int as count from review_items item join reviews r using (review_id)
     where r.state = 'OPEN' and item.decision is null
       and ${isMine('item', { person: '$1::uuid', legacy: '$2::text[]' }, reviewer)}`,
    [reviewer.guid, reviewer.legacy],
  );
  return row!.count;
}
