/** Writes decisions about items of a review, many at once. */
import type { Context } from '../../../context.js';
import { ReviewItem } from '../../../entities/ReviewItem.js';
import { badInput, conflict, GatehouseError, notFound, type Problems } from '../../../errors.js';
import { permit } from '../../../services/permit.js';
import { announceChange, writeAuditAlone } from '../../../services/records/change.js';
import { findProblem } from '../../../services/records/input.js';
import type { Sql } from '../../../sql.js';
import { isMine, type Reviewer, reviewerOf } from './reviewers.js';

export type Decision = 'KEEP' | 'END' | 'END_AT';

/** Maximum number of decisions in a request. */
export const decisionsMax = 1_000;

export interface ItemDecision {
  itemGuid: string;
  /** Null takes the decision back. */
  decision?: Decision | null | undefined;
  until?: string | null | undefined;
  note?: string | null | undefined;
  /** The revision of the item that the reviewer has read; without it, a decision of another reviewer is not replaced. */
  ifRevision?: number | null | undefined;
}

export interface StoredReview {
  reviewId: string;
  reviewGuid: string;
  name: string;
  state: 'OPEN' | 'FINISHED' | 'CANCELLED';
  undecided: 'KEEP' | 'END';
  startedBy: string;
  changeSetGuid: string | null;
}

/** Throws NOT_FOUND. @param lock locks the row until the transaction ends */
export async function getReview(
  sql: Sql,
  guid: string,
  lock: '' | 'for share' | 'for update' = '',
): Promise<StoredReview> {
  const [row] = await sql.rows<StoredReview>(
    `select review_id::text as "reviewId", review_guid::text as "reviewGuid", name, state, undecided, started_by::text as "startedBy",
       change_set_guid::text as "changeSetGuid" from reviews where review_guid = $1::uuid ${lock}`,
    [guid],
  );
  if (!row) throw notFound('The review');
  return row;
}

export function requireOpen({ state }: StoredReview): void {
  if (state !== 'OPEN') throw conflict(`The review is ${state.toLowerCase()}: its decisions stay as they are.`);
}

const boundReviewer = { person: '$3::uuid', legacy: '$4::text[]' };

/**
 * Writes all decisions or none. A trigger keeps each of them, also when it is replaced. Throws BAD_USER_INPUT, NOT_FOUND, FORBIDDEN
 * for items of other reviewers, and CONFLICT after the end and for items about which somebody else has decided meanwhile.
 */
export async function decideItems(context: Context, guid: string, items: readonly ItemDecision[]): Promise<void> {
  permit(context, 'admin:read');
  await requireDecisions(context, items);
  const reviewer = reviewerOf(context);
  await context.sql.transaction(async (sql) => {
    // a review is not finished while decisions are being written
    const review = await getReview(sql, guid, 'for share');
    requireOpen(review);
    const values = items.map(({ itemGuid: guid, ...item }) => ({ guid, ...item }));
    const { traceId, face } = context;
    await announceChange(sql.rows, { actor: reviewer.guid, traceId, face });
    const rows = await sql.rows<Written>(
      `with wanted as materialized (
         select *, case when decision is not null then $3::uuid end as decider
         from jsonb_to_recordset($2::jsonb) as wanted (guid uuid, decision text, until timestamptz, note text, "ifRevision" int)),
       chosen as materialized (
         select item.review_item_id, item.decision as before, item.decided_by, item.revision, wanted.*,
           (item.decision, item.until, item.decision_note, item.decided_by)
             is not distinct from (wanted.decision, wanted.until, wanted.note, wanted.decider) as is_done
         from review_items item join wanted on wanted.guid = item.item_guid
         where item.review_id = $1::bigint and ${isMine('item', { ...boundReviewer, items: 'item_guid in (select guid from wanted)' }, reviewer)} order by 1 for update of item),
       written as (
         update review_items item set decision = chosen.decision, until = chosen.until, decision_note = chosen.note,
           decided_by = chosen.decider, decided_at = case when chosen.decision is not null then now() end
         from chosen where item.review_item_id = chosen.review_item_id and not is_done
           and coalesce("ifRevision" = chosen.revision, before is null or chosen.decided_by = $3::uuid)
         returning item.item_guid, item.decision, item.revision)
       select item_guid::text as guid, decision, revision, false as "isDone" from written
       union all select guid::text, decision, revision, true from chosen where is_done`,
      [review.reviewId, JSON.stringify(values), reviewer.guid, reviewer.legacy],
    );
    if (rows.length < items.length) throw await refusalOf(sql, review.reviewId, items, rows, reviewer);
    const written = rows.filter(({ isDone }) => !isDone);
    const events = written.map(({ guid: subjectId, decision, revision }) => ({
      action: 'decide',
      subjectType: 'ReviewItem',
      subjectId,
      detail: { reviewGuid: guid, decision, revision },
    }));
    await writeAuditAlone(sql.rows, events);
  });
}

async function requireDecisions({ sql }: Context, items: readonly ItemDecision[]): Promise<void> {
  if (items.length === 0) throw badInput({ items: ['At least one decision is needed.'] });
  if (items.length > decisionsMax) throw badInput({ items: [`At most ${decisionsMax} decisions at once.`] });
  const problems: Problems = {};
  const firsts = new Map<string, number>();
  const times = items.map(({ until }) => until ?? null);
  const [row] = await sql.rows<{ over: boolean[] }>(
    `select array(select coalesce(time <= now(), false) from unnest($1::timestamptz[]) with ordinality as t (time, n) order by n) as over`,
    [times],
  );
  items.forEach(({ itemGuid, decision, until, note }, index) => {
    const guid = itemGuid.toLowerCase();
    const first = firsts.get(guid);
    if (first === undefined) firsts.set(guid, index);
    else problems[`items[${index}].itemGuid`] = [`The same as in [${first}].`];
    if (decision === 'END_AT' && !until) problems[`items[${index}].until`] = ['END_AT needs a date.'];
    else if (decision !== 'END_AT' && until) problems[`items[${index}].until`] = ['Only END_AT has a date.'];
    else if (row!.over[index]) problems[`items[${index}].until`] = ['The date has passed.'];
    const noteProblem = note ? findProblem(ReviewItem, 'decisionNote', note) : undefined;
    if (noteProblem) problems[`items[${index}].note`] = [`The note ${noteProblem}.`];
  });
  if (Object.keys(problems).length > 0) throw badInput(problems);
}

const decidedMeanwhile = 'Somebody else has decided about it since it was read: read it again.';

interface Written {
  guid: string;
  decision: Decision | null;
  revision: number;
  /** It was so before: a decision that is sent again is not kept twice. */
  isDone: boolean;
}

async function refusalOf(
  sql: Sql,
  reviewId: string,
  items: readonly ItemDecision[],
  written: readonly { guid: string }[],
  reviewer: Reviewer,
): Promise<GatehouseError> {
  const done = new Set(written.map(({ guid }) => guid));
  const inReview = await sql.rows<{ guid: string; isMine: boolean }>(
    `select item_guid::text as guid, ${isMine('item', { ...boundReviewer, items: 'item_guid = any($2::uuid[])' }, reviewer)} as "isMine"
     from review_items item where review_id = $1::bigint and item_guid = any($2::uuid[])`,
    [reviewId, items.map(({ itemGuid }) => itemGuid), reviewer.guid, reviewer.legacy],
  );
  const itemGuids = new Map(inReview.map(({ guid, isMine }) => [guid, isMine]));
  const missing: Problems = {};
  const foreign: Problems = {};
  const decided: Problems = {};
  items.forEach(({ itemGuid }, index) => {
    const guid = itemGuid.toLowerCase();
    const path = `items[${index}].itemGuid`;
    if (!itemGuids.has(guid)) missing[path] = ['The review has no such item.'];
    else if (!done.has(guid) && itemGuids.get(guid)) decided[`items[${index}].ifRevision`] = [decidedMeanwhile];
    else if (!done.has(guid))
      foreign[path] = ['The item is for another reviewer: its owner, or admin:security if it has none or administers.'];
  });
  if (Object.keys(missing).length > 0)
    return new GatehouseError('NOT_FOUND', 'The review has no such item.', { problems: missing });
  if (Object.keys(foreign).length === 0)
    return new GatehouseError('CONFLICT', `${decidedMeanwhile} No decision was saved.`, { problems: decided });
  const message = 'Some items are for other reviewers. No decision was saved.';
  return new GatehouseError('FORBIDDEN', message, { problems: foreign });
}
