/** Says who decides about which items of a review: owners, or admin:security for items without one. Nobody decides about their own grant. */
import { hasPermission } from '../../auth/caller.js';
import type { Context } from '../../context.js';
import { isGuid } from '../../entities/valueForms.js';
import { lasts } from '../grants.js';
import { actorOf } from '../permit.js';

interface Reviewer {
  guid: string;
  /** Whether the reviewer decides about items without an owner. */
  isSecurity: boolean;
  /** With ADMIN_AUTH=none, and for commands: there is no other person. */
  isService: boolean;
}

export function reviewerOf(context: Context): Reviewer {
  const guid = actorOf(context);
  return {
    guid: isGuid(guid) ? guid : context.config.systemUserGuid,
    isSecurity: hasPermission(context.caller, 'admin:security'),
    isService: context.caller.kind === 'system',
  };
}

const holder = (owner: string, condition: string): string => `exists (
    select from user_profiles link join users u using (user_id)
    where link.profile_id = ${owner} and not u.is_blocked and ${lasts('link')} and ${condition})`;

/**
 * SQL: whether the reviewer decides about the item. If nobody except the person concerned holds the profile that owns it,
 * admin:security decides. @param person SQL of the reviewer's guid
 */
export function isMine(item: string, person: string, { isSecurity, isService }: Reviewer): string {
  if (isService) return 'true';
  const owned = `${item}.owner_profile_id is not null and ${holder(`${item}.owner_profile_id`, `u.user_guid = ${person}`)}`;
  const others = holder(`${item}.owner_profile_id`, `u.user_guid is distinct from ${item}.user_guid`);
  const ownerless = `(${item}.owner_profile_id is null or not ${others})`;
  return `(${item}.user_guid is distinct from ${person} and (${isSecurity ? `${ownerless} or ` : ''}${owned}))`;
}

/** How many items of open reviews wait for the caller. */
export async function countItemsWaiting(context: Context): Promise<number> {
  if (!hasPermission(context.caller, 'admin:read')) return 0;
  const reviewer = reviewerOf(context);
  const [row] = await context.sql.rows<{ count: number }>(
    `select count(*)::int as count from review_items item join reviews r using (review_id)
     where r.state = 'OPEN' and item.decision is null and $1::uuid is not null and ${isMine('item', '$1::uuid', reviewer)}`,
    [reviewer.guid],
  );
  return row!.count;
}
