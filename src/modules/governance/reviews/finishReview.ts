/** Finishes a review, by one change set with all its ends, which can be tried before; or cancels it. */
import type { Context } from '../../../context.js';
import { conflict, GatehouseError } from '../../../errors.js';
import { administeringProfiles, legacyScopes, permitPower } from '../../../services/adminScopes/guard.js';
import { applyEnds, lockedProfiles } from '../../../services/people/profiles.js';
import { actorOf, asService, needsApproval, permit } from '../../../services/permit.js';
import { lockChanges, madeChangeSetGuid } from '../../../services/records/change.js';
import { changeOrTry } from '../../../services/records/changeOrTry.js';
import { hasChangeSet, readAtOnce, readVersion } from '../../changes/applyChanges.js';
import { type ComputedEffect, readEffect, readPastEffectOf } from '../../changes/effect.js';
import { recounts, sizeOf } from '../../changes/keptEffects.js';
import { newTrials, shareTrial } from '../sharedTrials.js';
import { getReview, requireOpen, type StoredReview } from './decideItems.js';

const isUnchanged = (item: string): string =>
  `link.revision = ${item}.link_revision and link.valid_until is not distinct from ${item}.valid_until`;

/** SQL: whether the grant of an item exists, unchanged since the review started. */
const unchanged = (item: string): string => `(
  ${item}.kind = 'USER_PROFILE' and exists (
    select from user_profiles link where link.user_profile_id = ${item}.link_id and ${isUnchanged(item)})
  or ${item}.kind = 'PROFILE_ACCESS_SCOPE' and exists (
    select from profile_access_scopes link where link.profile_access_scope_id = ${item}.link_id and ${isUnchanged(item)}))`;

/** SQL: whether the grant was changed or removed since the review started; for a finished review, before it was finished. */
export const isChanged = (item: string): string =>
  `(case when ${item}.outcome is null then not ${unchanged(item)} else ${item}.outcome = 'CHANGED' end)`;

/** SQL: of all items of a review, what rises with each decision. */
export const revisionOfDecisions = 'sum(revision)::int';

/**
 * Ends the grants that are to end, or only computes the effect of that. Grants that were changed since the start are not
 * touched. Throws CONFLICT for a finished review, and if somebody has decided since the revision, and APPROVAL_REQUIRED for ends
 * that the caller decided.
 */
export async function finishReview(context: Context, guid: string, options: FinishOptions): Promise<void> {
  permit(context, 'admin:read');
  permit(context, 'admin:security');
  const effect = await endGrants(context, guid, options);
  if (effect) effects.set(guid, { effect, at: context.clock.now().toISOString() });
}

interface FinishOptions {
  dryRun: boolean;
  /** Of the decisions that were read; absent: whatever is decided now. */
  ifRevision?: number | null | undefined;
}

/** Ends a review that was started by mistake: nothing is removed, and its decisions stay as evidence. Throws CONFLICT unless it is open. */
export async function cancelReview(context: Context, guid: string): Promise<void> {
  permit(context, 'admin:read');
  permit(context, 'admin:security');
  await context.sql.transaction(async (sql) => {
    requireOpen(await getReview(sql, guid, 'for update'));
    await sql.rows(
      `update reviews set state = 'CANCELLED', finished_by = $2::uuid, finished_at = now() where review_guid = $1::uuid`,
      [guid, actorOf(context)],
    );
  });
}

/** Returns the effect of a dry run; the effect of a finished review is read when somebody requests it. */
async function endGrants(context: Context, guid: string, options: FinishOptions): Promise<ComputedEffect | undefined> {
  const { dryRun } = options;
  // a second person decided: see requirePermission
  const approved: Context = { ...context, isApproved: true };
  const { name } = await getReview(context.sql, guid);
  const counted = await changeOrTry(
    approved,
    'admin:security',
    !dryRun,
    (inside) => end(inside, guid, options),
    async (inside) => {
      if (dryRun) {
        const version = await readVersion(inside);
        return { ...(await readAtOnce(inside, dryRun, () => readEffect(inside))), version };
      }
      const isMade = await hasChangeSet(inside);
      await inside.sql.rows(
        `update reviews set state = 'FINISHED', finished_by = $2::uuid, finished_at = now(),
           change_set_guid = case when $3 then ${madeChangeSetGuid} end
         where review_guid = $1::uuid`,
        [guid, actorOf(context), isMade],
      );
      return undefined;
    },
    { note: `Access review: ${name}` },
  );
  return counted && { ...counted, origin: { review: guid }, countAgain: (later) => countAgain(later, guid) };
}

/** The effect of the ends of an open review, or of a finished one. */
async function countAgain(context: Context, guid: string): Promise<ComputedEffect | undefined> {
  const { state, changeSetGuid } = await getReview(context.sql, guid);
  // everybody who may read reviews may see it
  if (state === 'OPEN') return endGrants(asService(context), guid, { dryRun: true });
  return readPastEffectOf(context, changeSetGuid);
}
recounts.set('review', countAgain);

interface KeptEffect {
  effect: ComputedEffect;
  at: string;
}

const effects = newTrials<KeptEffect>(({ effect }) => sizeOf(effect));

/** The effect of the ends so far, computed at most once a minute; of a finished review, what its ends did. */
export async function readReviewEffect(context: Context, guid: string): Promise<KeptEffect | null> {
  permit(context, 'admin:read');
  const { state } = await getReview(context.sql, guid);
  const now = () => context.clock.now().toISOString();
  if (state !== 'OPEN') {
    const effect = await countAgain(context, guid);
    return effect ? { effect, at: now() } : null;
  }
  const current = await shareTrial(effects, guid, async () => {
    const effect = await endGrants(asService(context), guid, { dryRun: true });
    return { effect: effect!, at: now() };
  });
  // each reader gets an effectId of its own
  return { ...current, effect: { ...current.effect } };
}

const outcomes = `update review_items item set outcome = case
    when not ${unchanged('item')} then 'CHANGED'
    when coalesce(decision, $2) = 'KEEP' then 'KEPT'
    when decision = 'END_AT' and until > now() then 'END_SET'
    else 'ENDED' end
  where review_id = $1::bigint`;

const itemsWith = (kind: string, outcome: string): string =>
  `item.review_id = $1::bigint and item.kind = '${kind}' and item.outcome = '${outcome}'`;

async function end(inside: Context, guid: string, { dryRun, ifRevision }: FinishOptions): Promise<void> {
  const { sql } = inside;
  // in the order of every other change: the change set, the profiles, their grants
  await lockChanges(inside);
  const review = await getReview(sql, guid, 'for update');
  requireOpen(review);
  const { reviewId, undecided } = review;
  const [{ revision }] = (await sql.rows<{ revision: number }>(
    `select ${revisionOfDecisions} as revision from review_items where review_id = $1::bigint`,
    [reviewId],
  )) as [{ revision: number }];
  if ((ifRevision ?? revision) !== revision)
    throw conflict('Somebody has decided since the review was read: read it again. Nothing was changed.');
  await sql.rows(
    lockedProfiles(
      `profile_id in (select profile_id from review_items where review_id = $1::bigint and coalesce(decision, $2) <> 'KEEP')`,
    ),
    [reviewId, undecided],
  );
  await sql.rows(outcomes, [reviewId, undecided]);
  if (!dryRun) await requirePermission(inside, review);
  const links = await sql.rows<{ profile_id: string; guid: string }>(
    `delete from user_profiles link using review_items item where ${itemsWith('USER_PROFILE', 'ENDED')}
       and link.user_profile_id = item.link_id returning link.profile_id, item.user_guid::text as guid`,
    [reviewId],
  );
  const others: { profile_id: string }[] = [];
  for (const statement of [
    `delete from profile_access_scopes link using review_items item where ${itemsWith('PROFILE_ACCESS_SCOPE', 'ENDED')}
       and link.profile_access_scope_id = item.link_id`,
    setEnd('user_profiles', 'user_profile_id', 'USER_PROFILE'),
    setEnd('profile_access_scopes', 'profile_access_scope_id', 'PROFILE_ACCESS_SCOPE'),
  ])
    others.push(...(await sql.rows<{ profile_id: string }>(`${statement} returning link.profile_id`, [reviewId])));
  await applyEnds(inside.changing!, inside, links, others);
}

/** SQL: sets the ends of grants; one that ends earlier keeps its end. */
const setEnd = (table: string, key: string, kind: string): string =>
  `update ${table} link set valid_until = item.until from review_items item where ${itemsWith(kind, 'END_SET')}
     and link.${key} = item.link_id and (link.valid_until is null or link.valid_until > item.until)`;

/**
 * Ends of administration profiles need a fresh sign-in. If APPROVALS requires a second person, the caller must be another person
 * than the ones who decided the ends, or chose that undecided grants end.
 */
async function requirePermission(inside: Context, { reviewId, startedBy }: StoredReview): Promise<void> {
  const [ends] = await inside.sql.rows<{ administering: boolean; own: number; ownAdministering: number }>(
    `with administering as materialized (${administeringProfiles('$2')}),
     ends as (
       select coalesce(decided_by, $3::uuid) = $4::uuid as is_own, profile_id in (select profile_id from administering) as administers
       from review_items where review_id = $1::bigint and outcome in ('ENDED', 'END_SET'))
     select coalesce(bool_or(administers), false) as administering, count(*) filter (where is_own)::int as own,
       count(*) filter (where is_own and administers)::int as "ownAdministering" from ends`,
    [reviewId, legacyScopes(inside), startedBy, actorOf(inside)],
  );
  const { administering, own, ownAdministering } = ends!;
  if (administering) permitPower(inside);
  const guarded = needsApproval(inside, 'admin:security') ? ownAdministering : 0;
  const alone = needsApproval(inside, 'admin:write') ? own : guarded;
  // commands are exempt for emergencies
  if (alone === 0 || inside.face === 'cli') return;
  const message = `You decided ${alone} of the ends, or started the review that ends undecided grants: another person finishes it. Nothing was changed.`;
  throw new GatehouseError('APPROVAL_REQUIRED', message, { extra: { code: 'APPROVAL_REQUIRED' } });
}
