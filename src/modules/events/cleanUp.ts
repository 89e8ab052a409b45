/** Removes events that no stream can get any more, deliveries that none shows, and causes that history no longer has. */
import type { Config } from '../../config/config.js';
import { deleteFrom, rowsAtOnce } from '../../services/maintenance/sweep.js';
import type { Sql } from '../../sql.js';
import { shownMax } from './waiting.js';

// a day later than streams drop them, so that a gap is noted first
const events = deleteFrom(
  'published_events',
  'published_event_id',
  'from published_events where published_at < now() - make_interval(days => $1::int + 1)',
);
const deliveries = deleteFrom(
  'event_deliveries',
  'event_delivery_id',
  `from (select event_delivery_id, row_number() over (partition by event_stream_guid order by event_delivery_id desc) as place
    from event_deliveries) placed where place > $1::int`,
);
// what was read already; with 0, history is kept forever
const causes = deleteFrom(
  'event_causes',
  'event_cause_id',
  `from event_causes where $1::int > 0 and occurred_at < now() - make_interval(days => greatest($1::int, 30))
   and transaction_id < (select transaction_id from event_readings)`,
);

export async function removeOld(
  sql: Sql,
  { eventsRetentionDays, auditRetentionDays }: Pick<Config, 'eventsRetentionDays' | 'auditRetentionDays'>,
  signal: AbortSignal,
): Promise<void> {
  for (const [statement, value] of [
    [events, eventsRetentionDays],
    [deliveries, shownMax],
    [causes, auditRetentionDays],
  ] as const)
    for (let count = rowsAtOnce; count === rowsAtOnce && !signal.aborted; )
      count = (await sql.rows<{ count: number }>(statement, [value]))[0]!.count;
}
