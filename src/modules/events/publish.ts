/** Reads the queue of causes in the order of the commits, and writes their events. */
import type { Sql } from '../../sql.js';
import { type Cause, type EventDraft, makeEvents } from './causes.js';
import { deliveredTypes, type StreamKind } from './eventTypes.js';

/** Causes that one transaction makes events of, if no transaction of theirs has more. */
const causesMax = 500;
const rowsAtOnce = 5_000;

/**
 * SQL: every transaction with a lower number has ended. A cause of a slow transaction has a low number and would be skipped
 * without this bound (docs/decisions/0055).
 */
const horizon = '(pg_snapshot_xmin(pg_current_snapshot())::text)::bigint + reading.added';

/** SQL: whether there are causes that can be read. */
export const hasCauses = `exists (
    select from event_causes cause join event_readings reading
      on (cause.transaction_id, cause.event_cause_id) > (reading.transaction_id, reading.event_cause_id)
    where cause.transaction_id < ${horizon})`;

const columns = `kind, transaction_id::text, event_cause_id::text, occurred_at, change_set_id::text, subject_id, user_guid::text,
  profile_id, reason, trace_id, detail`;

// a transaction is never divided: what it took covers the sessions that it ended
const nextCauses = `
  with next as materialized (
    select cause.* from event_causes cause, event_readings reading
    where (cause.transaction_id, cause.event_cause_id) > (reading.transaction_id, reading.event_cause_id)
      and cause.transaction_id < ${horizon}
    order by cause.transaction_id, cause.event_cause_id limit ${causesMax}
  ), last as (select max(transaction_id) as transaction_id from next)
  select ${columns} from (
    select * from next
    union all
    select * from event_causes where transaction_id = (select transaction_id from last)
      and event_cause_id > (select max(event_cause_id) from next where transaction_id = (select transaction_id from last))
  ) causes
  order by causes.transaction_id, causes.event_cause_id`;

interface Wishing {
  kind: StreamKind;
  events: string[] | null;
  is_limited: boolean;
}

/** What the streams together want; for one stream, what it wants. */
export async function readWishes(sql: Sql, eventStreamGuid: string | null = null) {
  const streams = await sql.rows<Wishing>(
    `select kind, events, profile_ids is not null or application_guids is not null as is_limited from event_streams
     where $1::uuid is null and status <> 'disabled' or event_stream_guid = $1::uuid`,
    [eventStreamGuid],
  );
  return {
    types: new Set(streams.flatMap(({ kind, events }) => deliveredTypes(kind, events))),
    isLimited: streams.some(({ is_limited }) => is_limited),
  };
}

/** Makes the events of the next causes. Returns how many causes there were. Processes that do it at the same moment wait for each other. */
export const publishNext = (sql: Sql): Promise<number> =>
  sql.transaction(async (own) => {
    await own.rows('select from event_readings for update');
    const causes = await own.rows<Cause>(nextCauses);
    const last = causes.at(-1);
    if (!last) return 0;
    const drafts = await makeEvents(own, causes, await readWishes(own));
    await insertEvents(own, drafts);
    await own.rows('update event_readings set transaction_id = $1, event_cause_id = $2', [
      last.transaction_id,
      last.event_cause_id,
    ]);
    return causes.length;
  });

const insertDrafts = `insert into published_events (event_guid, type, occurred_at, user_guid, profile_id, session_guid, data, trace_id,
    profile_ids, application_guids, event_stream_guid)
  select event_guid, type, occurred_at, user_guid, profile_id, session_guid, data, trace_id, profile_ids, application_guids, $2::uuid
  from rows from (jsonb_to_recordset($1::jsonb) as (event_guid uuid, type text, occurred_at timestamptz, user_guid uuid, profile_id text,
    session_guid uuid, data jsonb, trace_id text, profile_ids jsonb, application_guids jsonb)) with ordinality draft
  order by draft.ordinality`;

/**
 * Numbers of events have the order of commits, because their writers wait for each other until they have committed.
 * @param only the stream that gets them; null: each that wants them
 */
export async function insertEvents(sql: Sql, drafts: readonly EventDraft[], only: string | null = null): Promise<void> {
  await sql.rows('select from event_readings for update');
  for (let first = 0; first < drafts.length; first += rowsAtOnce)
    await sql.rows(insertDrafts, [JSON.stringify(drafts.slice(first, first + rowsAtOnce)), only]);
}
