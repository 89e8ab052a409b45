/** Who still uses what, for whoever prepares an operation's end. */
import type { Context } from '../../context.js';
import { toStorable } from '../../entities/storableText.js';
import { permit } from '../permit.js';
import { usagesMax } from './usageRecorder.js';

export interface FoundUsage {
  clientId: string | null;
  /** Guid of the user who called the administration. */
  caller: string | null;
  /** Such as `POST /token`, or `others`. */
  operation: string;
  option: string | null;
  mediaType: string | null;
  product: string | null;
  /** ISO 8601. */
  firstSeenAt: string;
  lastSeenAt: string;
  count: number;
  /** How many of them a brown-out answered. */
  brownouts: number;
}

interface UsageFilter {
  clientId?: string | null;
  /** Part of the operation. */
  operation?: string | null;
  /** Seen since then. */
  since?: Date | null;
  /** Those alone of which a brown-out answered some. */
  brownedOut?: boolean | null;
  first?: number | null;
}

const statement = `select nullif(client_id, '') as "clientId", nullif(caller, '') as caller, operation,
    nullif(option, '') as option, nullif(media_type, '') as "mediaType", nullif(product, '') as product,
    first_seen_at as "firstSeenAt", last_seen_at as "lastSeenAt", count::float8 as count, brownouts::float8 as brownouts
  from usages where ($1::text is null or client_id = $1) and ($2::text is null or strpos(operation, $2) > 0)
    and ($3::timestamptz is null or last_seen_at >= $3) and (brownouts > 0 or not $4::boolean)
  order by last_seen_at desc, usage_id desc limit $5::int`;

/** Those seen last come first; a request is there some seconds after its answer. */
export async function findUsage(
  context: Context,
  { clientId, operation, since, brownedOut, first }: UsageFilter,
): Promise<FoundUsage[]> {
  permit(context, 'admin:security');
  const most = Math.min(Math.max(first ?? usagesMax + 1, 0), usagesMax + 1);
  const storable = (text: string | null | undefined) => (text == null ? null : toStorable(text));
  return context.reads.rows<FoundUsage>(statement, [
    storable(clientId),
    storable(operation),
    since ?? null,
    brownedOut ?? false,
    most,
  ]);
}
