/** Removes events that no stream can get any more, deliveries that none shows, and causes that history no longer has. */
import { deleteFrom, type Sweep } from '../../services/maintenance/sweep.js';
import { shownMax } from './waiting.js';

/** A day after streams drop them; the dispatcher runs it when it has noted what each one lost. */
export const removeEvents = deleteFrom(
  'published_events',
  'published_event_id',
  'from published_events where published_at < now() - make_interval(days => $1::int + 1)',
);

export const eventSweeps: Sweep[] = [
  {
    statement: deleteFrom(
      'event_deliveries',
      'event_delivery_id',
      `from event_streams stream cross join lateral (
         select event_delivery_id from event_deliveries where event_stream_guid = stream.event_stream_guid and event_delivery_id <= (
           select event_delivery_id from event_deliveries where event_stream_guid = stream.event_stream_guid
           order by event_delivery_id desc offset $1::int limit 1)) hidden`,
    ),
    values: () => [shownMax],
  },
  {
    // what was read already
    statement: deleteFrom(
      'event_causes',
      'event_cause_id',
      `from event_causes where occurred_at < now() - make_interval(days => $1)
       and transaction_id < (select transaction_id from event_readings)`,
    ),
    values: ({ auditRetentionDays: days }) => (days === 0 ? undefined : [Math.max(days, 30)]),
  },
];
