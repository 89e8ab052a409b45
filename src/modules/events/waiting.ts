/** What waits for a stream: reads it, and notes what was delivered, what failed and what was dropped. */
import type { Sql } from '../../sql.js';
import { deliveredTypes, type StreamKind } from './eventTypes.js';
import type { WaitingEvent } from './messages.js';

/** A stream as its delivery reads it. */
export interface Stream {
  event_stream_guid: string;
  kind: StreamKind;
  address: string | null;
  audience: string | null;
  events: string[] | null;
  /** `paused` too while its client may not receive events. */
  status: 'enabled' | 'paused' | 'disabled';
  secret: Buffer | null;
  previous: Buffer | null;
  delivered_event_id: string;
  failures: number;
  next_attempt_at: string | null;
  is_gap_untold: boolean;
  gap_from: string | null;
  gap_until: string | null;
  replay_from: string | null;
  /** How many later events a receiver has acknowledged beside the next one. */
  acknowledged: number;
}

/** SQL: whether the stream belongs to a client that may not receive events any more. */
export const isBarred = `(stream.client_id is not null and not exists (
    select from clients client where client.client_id = stream.client_id and client.is_active and client.may_receive_events))`;

/** SQL: whether the stream is sent what waits. */
export const isSent = `(stream.status = 'enabled' and not ${isBarred})`;

const columns = `event_stream_guid::text, kind, address, audience, events, secret_ciphertext as secret,
  case when stream.status = 'enabled' and ${isBarred} then 'paused' else stream.status end as status,
  case when previous_secret_ends_at > now() then previous_secret_ciphertext end as previous, delivered_event_id::text, failures,
  next_attempt_at, is_gap_untold, gap_from, gap_until, replay_from, jsonb_array_length(acknowledged) as acknowledged`;

export const readStreams = (sql: Sql): Promise<Stream[]> =>
  sql.rows<Stream>(`select ${columns} from event_streams stream order by created_at`);

export async function readStream(sql: Sql, guid: string): Promise<Stream | undefined> {
  const [stream] = await sql.rows<Stream>(
    `select ${columns} from event_streams stream where event_stream_guid = $1::uuid`,
    [guid],
  );
  return stream;
}

const concerns = (names: string): string =>
  `(stream.${names} is null or event.${names} is null or event.${names} ?| array(select jsonb_array_elements_text(stream.${names})))`;

/** SQL: whether the event is for the stream. @param types a parameter: the types that it wants */
export const isWanted = (types: string): string => `event.published_event_id > stream.delivered_event_id
    and not stream.acknowledged @> to_jsonb(event.published_event_id)
    and (event.event_stream_guid = stream.event_stream_guid or event.event_stream_guid is null
      and event.published_event_id > stream.shared_after_id and event.occurred_at >= stream.created_at and event.type = any(${types}))
    and ${concerns('profile_ids')} and ${concerns('application_guids')}`;

/** SQL: whether the event is sent now. While a stream is not enabled, only what says so. */
export const isDeliverable = `not ${isBarred}
    and (stream.status = 'enabled' or event.event_stream_guid is not null and event.type = 'stream-updated')`;

/** Events that one statement looks at: with many that wait, PostgreSQL would sort them all to find the first. */
const lookedAtMax = 2_000;

const waiting = `
  with last as (
    select coalesce(max(published_event_id), 0) as id from published_events
  ), looked_at as materialized (
    select max(published_event_id) as until, count(*) = ${lookedAtMax} as is_cut from (
      select published_event_id from published_events where published_event_id > $4::bigint order by published_event_id limit ${lookedAtMax}) next
  )
  select last.id::text as last, looked_at.until::text, looked_at.is_cut, event.* from last cross join looked_at left join lateral (
    select published_event_id::text as id, event.event_guid::text, event.type, event.occurred_at, event.user_guid::text, event.profile_id,
      event.session_guid::text, event.data, event.trace_id, event.event_stream_guid::text
    from event_streams stream join published_events event on ${isWanted('$2')}
      and event.published_event_id > $4::bigint and event.published_event_id <= looked_at.until
    where stream.event_stream_guid = $1::uuid and ${isDeliverable}
    order by event.published_event_id limit $3) event on true`;

export const wantedTypes = ({ kind, events }: Pick<Stream, 'kind' | 'events'>): string[] =>
  deliveredTypes(kind, events);

/** The next events of the stream, and the number of the last event of all. While it is not enabled, only what says so. */
export async function readWaiting(
  sql: Sql,
  stream: Stream,
  max: number,
): Promise<{ events: WaitingEvent[]; last: string }> {
  const events: WaitingEvent[] = [];
  for (let from = stream.delivered_event_id; ; ) {
    const rows = await sql.rows<LookedAt>(waiting, [
      stream.event_stream_guid,
      wantedTypes(stream),
      max - events.length,
      from,
    ]);
    events.push(...rows.filter(({ id }) => id !== null));
    const [{ last, until, is_cut: isCut }] = rows as [LookedAt];
    if (!isCut || events.length >= max) return { events, last };
    from = until!;
  }
}

interface LookedAt extends WaitingEvent {
  last: string;
  until: string | null;
  is_cut: boolean;
}

export interface Failure {
  status: number | null;
  problem: string;
  /** Seconds until it is tried again. */
  pauseSeconds: number;
}

/**
 * Notes the outcome of deliveries.
 * @param upTo all events up to this number are done; null: the number stays
 * @param beyond numbers of later events that are done
 */
export async function noteOutcome(
  sql: Sql,
  guid: string,
  {
    upTo,
    beyond,
    delivered,
    failure,
  }: { upTo: string | null; beyond: string[]; delivered: number; failure?: Failure | undefined },
): Promise<void> {
  await sql.rows(
    `update event_streams set
       delivered_event_id = greatest(delivered_event_id, coalesce($2::bigint, 0)),
       acknowledged = (select coalesce(jsonb_agg(distinct number), '[]') from (
         select number::bigint from jsonb_array_elements_text(acknowledged) kept(number) union select unnest($3::bigint[])) numbers(number)
         where number > greatest(delivered_event_id, coalesce($2::bigint, 0))),
       last_delivered_at = case when $4::int > 0 then now() else last_delivered_at end,
       failures = case when $5::text is not null then failures + 1 when $4::int > 0 then 0 else failures end,
       next_attempt_at = case when $5::text is not null then now() + make_interval(secs => $7::float8) when $4::int > 0 then null else next_attempt_at end,
       last_failed_at = case when $5::text is not null then now() else last_failed_at end,
       last_problem = coalesce($5, last_problem), last_status = case when $5::text is not null then $6::int else last_status end
     where event_stream_guid = $1::uuid`,
    [guid, upTo, beyond, delivered, failure?.problem ?? null, failure?.status ?? null, failure?.pauseSeconds ?? 0],
  );
}

/** The wanted types by the guid of the stream, as JSON. */
export const wishesOf = (streams: readonly Stream[]): string =>
  JSON.stringify(Object.fromEntries(streams.map((stream) => [stream.event_stream_guid, wantedTypes(stream)])));

/** Drops what could not be delivered in time. Returns the streams that lost something. */
export const dropExpired = (sql: Sql, retentionDays: number, streams: readonly Stream[]) =>
  sql.rows<{ guid: string; from: string; until: string; count: number }>(
    `with wishes as materialized (
       select (key)::uuid as guid, array(select jsonb_array_elements_text(value)) as types from jsonb_each($2::jsonb)
     ), expired as materialized (
       select stream.event_stream_guid as guid, min(event.occurred_at) as "from", max(event.occurred_at) as until,
         max(event.published_event_id) as last, count(*)::int as count
       from event_streams stream join wishes on wishes.guid = stream.event_stream_guid
       join published_events event on ${isWanted('wishes.types')} and event.published_at < now() - make_interval(days => $1)
       where stream.status <> 'disabled' group by 1
     )
     update event_streams stream set delivered_event_id = expired.last, is_gap_untold = true, gap_until = expired.until,
       gap_from = case when stream.is_gap_untold then least(stream.gap_from, expired."from") else expired."from" end
     from expired where stream.event_stream_guid = expired.guid
     returning expired.guid::text, expired."from", expired.until, expired.count`,
    [retentionDays, wishesOf(streams)],
  );

export const noteGapTold = (sql: Sql, guid: string, until: string): Promise<unknown> =>
  sql.rows(
    'update event_streams set is_gap_untold = false where event_stream_guid = $1::uuid and gap_until = $2::timestamptz',
    [guid, until],
  );

export interface Delivered {
  guid: string;
  event: string;
  type: string;
  sentAt: Date;
  status: number | null;
  problem: string | null;
  milliseconds: number;
}

/** The number of deliveries that a stream shows. */
export const shownMax = 100;

/** Keeps the last ones. */
export async function noteDeliveries(sql: Sql, deliveries: readonly Delivered[]): Promise<void> {
  const last = deliveries.slice(-shownMax);
  if (last.length === 0) return;
  await sql.rows(
    `insert into event_deliveries (event_stream_guid, event_guid, type, sent_at, status, problem, milliseconds)
     select guid, event, type, "sentAt", status, problem, milliseconds from rows from (jsonb_to_recordset($1::jsonb) as (
       guid uuid, event uuid, type text, "sentAt" timestamptz, status int, problem text, milliseconds int)) with ordinality delivery
     order by delivery.ordinality`,
    [JSON.stringify(last)],
  );
}
