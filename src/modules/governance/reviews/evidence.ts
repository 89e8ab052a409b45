/** Writes the evidence of a review for auditors: each grant, who decided what and when, what was done, and by which change set. */
import type { Context } from '../../../context.js';
import { isGuid } from '../../../entities/valueForms.js';
import { notFound } from '../../../errors.js';
import { type CsvValue, csvLine } from '../../../services/csvLine.js';
import { permit } from '../../../services/permit.js';
import { timeText } from '../../../sql.js';
import { getReview } from './decideItems.js';
import { isChanged } from './finishReview.js';

const atOnce = 2_000;

/** SQL: a decision about an item. A trigger keeps each of them; one of the version before may be only in the item. */
const decisionOf = `jsonb_build_object('revision', made.revision, 'decision', made.decision, 'until', ${timeText('made.until')},
    'decidedBy', made.decided_by, 'decidedByName', concat_ws(' ', maker.first_name, maker.last_name),
    'decidedAt', ${timeText('made.decided_at')}, 'note', made.note)`;

interface MadeDecision {
  decision: string | null;
  until: string | null;
  decidedBy: string;
  decidedByName: string;
  decidedAt: string;
  note: string | null;
}

/** All decisions in one cell, the first one first. */
const decisionsText = (decisions: readonly MadeDecision[] | null): string =>
  (decisions ?? [])
    .map(({ decision, until, decidedBy, decidedByName, decidedAt, note }) => {
      const what = [decision ?? 'UNDONE', until].filter(Boolean).join(' ');
      return `${decidedAt} ${decidedByName || decidedBy}: ${what}${note ? ` (${note})` : ''}`;
    })
    .join('\n');

const columns = {
  person: 'item.user_name',
  email: 'item.user_email',
  department: 'item.department',
  userGuid: 'item.user_guid::text',
  profile: 'item.profile_name',
  profileId: 'item.profile_id',
  roleId: 'item.role_id',
  accessScope: 'item.access_scope_name',
  accessScopeGuid: 'item.access_scope_guid::text',
  validUntil: timeText('item.valid_until'),
  managedBy: 'item.managed_by',
  grantedBy: 'item.granted_by::text',
  grantedByName: `concat_ws(' ', granter.first_name, granter.last_name)`,
  grantedAt: timeText('item.granted_at'),
  lastUsed: `to_char(item.last_used_at at time zone 'UTC', 'YYYY-MM-DD')`,
  opens: 'item.opens',
  unusual: 'item.is_unusual',
  ownerProfileId: 'item.owner_profile_id',
  decision: 'item.decision',
  until: timeText('item.until'),
  decidedBy: 'item.decided_by::text',
  decidedByName: `concat_ws(' ', decider.first_name, decider.last_name)`,
  decidedAt: timeText('item.decided_at'),
  note: 'item.decision_note',
  decisions: `(select jsonb_agg(${decisionOf} order by made.revision) from (
    select revision, decision, until, note, decided_by, decided_at from review_decisions own where own.review_item_id = item.review_item_id
    union all select item.revision, item.decision, item.until, item.decision_note, item.decided_by, item.decided_at
    where item.decision is not null and item.revision = 1
    ) made left join users maker on maker.user_guid = made.decided_by)`,
  changedSinceStart: isChanged('item'),
  outcome: 'item.outcome',
  changeSet: 'r.change_set_guid::text',
} as const;

const statement = `select item.review_item_id::text as "id", ${Object.entries(columns)
  .map(([name, sql]) => `${sql} as "${name}"`)
  .join(', ')}
  from review_items item join reviews r using (review_id)
  left join users granter on granter.user_guid = item.granted_by left join users decider on decider.user_guid = item.decided_by
  where item.review_id = $1::bigint and item.review_item_id > $2::bigint order by item.review_item_id limit ${atOnce}`;

type EvidenceRow = Record<string, CsvValue | MadeDecision[]> & { id: string; decisions: MadeDecision[] | null };

const headStatement = `select review_guid::text as "reviewGuid", name, state, note, filter, total, undecided, ${timeText('due_at')} as "dueAt",
    started_by::text as "startedBy", ${timeText('started_at')} as "startedAt", finished_by::text as "finishedBy",
    ${timeText('finished_at')} as "finishedAt", change_set_guid::text as "changeSetGuid", ${timeText('now()')} as "exportedAt"
  from reviews where review_guid = $1::uuid`;

/** Writes in pieces and returns the number of grants. Throws NOT_FOUND. */
export async function writeEvidence(
  context: Context,
  guid: string,
  format: 'csv' | 'json',
  write: (text: string) => Promise<void>,
): Promise<number> {
  permit(context, 'admin:read');
  if (!isGuid(guid)) throw notFound('The review');
  const { reviewId } = await getReview(context.sql, guid);
  const [head] = await context.sql.rows<Record<string, unknown>>(headStatement, [guid]);
  const names = Object.keys(columns);
  await write(format === 'csv' ? csvLine(names) : `{"review":${JSON.stringify(head)},"items":[`);
  let [last, count] = ['0', 0];
  for (;;) {
    const rows = await context.sql.rows<EvidenceRow>(statement, [reviewId, last]);
    const texts = rows.map(({ id, ...row }, index) => {
      last = id;
      if (format === 'csv') {
        const cells = { ...row, decisions: decisionsText(row.decisions) } as Record<string, CsvValue>;
        return csvLine(names.map((name) => cells[name]));
      }
      return `${count + index > 0 ? ',' : ''}\n${JSON.stringify({ ...row, decisions: row.decisions ?? [] })}`;
    });
    count += rows.length;
    if (texts.length > 0) await write(texts.join(''));
    if (rows.length < atOnce) break;
  }
  if (format === 'json') await write('\n]}\n');
  return count;
}
