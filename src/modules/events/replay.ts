/** Repeats the events of a stream since a time, from history and from the ends of sessions that are kept. */
import type { Sql } from '../../sql.js';
import { type Cause, makeEvents } from './causes.js';
import { insertEvents, readWishes } from './publish.js';

const causesAtOnce = 200;

interface Position {
  occurredAt: string;
  source: number;
  id: string;
}

/** What a transaction took covers the sessions that it ended: `set …` names its change set. */
const nextCauses = `
  select * from (
    select 'change_set' as kind, 'set ' || change_set_id as transaction_id, change_set_id::text as event_cause_id, occurred_at, 0 as source,
      change_set_id::text, null as subject_id, null as user_guid, null as profile_id, null as reason, trace_id, null::jsonb as detail
    from change_sets
    union all
    select kind, coalesce('set ' || (select same.change_set_id from event_causes same
        where same.transaction_id = cause.transaction_id and same.kind = 'change_set' limit 1), transaction_id::text),
      event_cause_id::text, occurred_at, 1, null, subject_id, user_guid::text, profile_id, reason, trace_id, detail
    from event_causes cause where kind <> 'change_set'
  ) causes
  where occurred_at >= $1::timestamptz and (occurred_at, source, event_cause_id::bigint) > ($1::timestamptz, $2::int, $3::bigint)
  order by occurred_at, source, event_cause_id::bigint limit ${causesAtOnce}`;

/** Repeats the next ones, in one transaction; the stream gets nothing else until all are written. True: there may be more. */
export const replayNext = (sql: Sql, guid: string): Promise<boolean> =>
  sql.transaction(async (own) => {
    // no event for all streams may come between the last repeated one and the first one after it
    await own.rows('select from event_readings for update');
    const [stream] = await own.rows<{ replay_from: string | null; replay_at: Position | null }>(
      'select replay_from, replay_at from event_streams where event_stream_guid = $1::uuid for update',
      [guid],
    );
    if (!stream?.replay_from) return false;
    const { occurredAt, source, id } = stream.replay_at ?? { occurredAt: stream.replay_from, source: -1, id: '0' };
    const causes = await own.rows<Cause & { source: number }>(nextCauses, [occurredAt, source, id]);
    await insertEvents(own, await makeEvents(own, causes, await readWishes(own, guid)), guid);
    const last = causes.at(-1);
    if (last && causes.length === causesAtOnce) {
      const position = { occurredAt: last.occurred_at, source: last.source, id: last.event_cause_id };
      await own.rows('update event_streams set replay_at = $2 where event_stream_guid = $1::uuid', [guid, position]);
      return true;
    }
    await own.rows(
      `update event_streams set replay_from = null, replay_at = null,
         shared_after_id = (select coalesce(max(published_event_id), 0) from published_events) where event_stream_guid = $1::uuid`,
      [guid],
    );
    return false;
  });
