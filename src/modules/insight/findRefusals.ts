/** Finds refused token requests by trace id. */
import type { Context } from '../../context.js';
import { badInput } from '../../errors.js';
import { permit } from '../../services/permit.js';
import { type Explained, explainRefusal } from './refusalWords.js';

export interface ExplainedRefusal extends Explained {
  traceId: string;
  /** ISO 8601. */
  occurredAt: string;
  endpoint: string | null;
  grant: string | null;
  /** As presented; not verified. */
  clientId: string | null;
  /** The cause, as in the log. */
  detail: string;
  /** Guid of the renewal token's record: the first half of its `jti`. */
  tokenGuid: string | null;
}

// a caller may send many requests with one trace id
const refusalsShown = 20;

const statement = `select trace_id as "traceId", occurred_at as "occurredAt", endpoint, "grant", client_id as "clientId",
    reason, detail, token_guid as "tokenGuid"
  from refused_requests where trace_id = $1 and occurred_at > now() - make_interval(days => $2::int)
  order by refused_request_id desc limit ${refusalsShown}`;

/**
 * Returns at most 20, the newest first. Throws BAD_USER_INPUT if `traceId` is malformed.
 * @param traceId 32 hexadecimal digits, or the whole `traceparent` that the caller sent
 */
export async function findRefusals(context: Context, traceId: string): Promise<ExplainedRefusal[]> {
  permit(context, 'admin:security');
  const id = /^(?:[0-9a-f]{2}-)?([0-9a-f]{32})(?:-[0-9a-f]{16}-[0-9a-f]{2})?$/i.exec(traceId.trim())?.[1];
  if (!id) throw badInput({ traceId: ['The traceId must be 32 hexadecimal digits.'] });
  const { reads, config } = context;
  const rows = await reads.rows<Omit<ExplainedRefusal, keyof Explained> & { reason: string }>(statement, [
    id.toLowerCase(),
    config.refusalRetentionDays,
  ]);
  return rows.map(({ reason, ...refusal }) => ({ ...refusal, ...explainRefusal(reason, refusal.detail) }));
}
