/** What administrators see of streams beside their records: lists, what waits, the last deliveries, and advice. */
import type { Context } from '../../context.js';
import { permit } from '../../services/permit.js';
import type { StreamKind } from './eventTypes.js';
import { isBarred, isWanted, shownMax, wantedTypes } from './waiting.js';

interface StreamState {
  guid: string;
  events: string[] | null;
  profileIds: string[] | null;
  applicationGuids: string[] | null;
  isBarred: boolean;
  waiting: number;
  oldestWaitingAt: string | null;
}

/** The number of waiting events is not counted beyond this. */
const countedMax = 100_000;

const states = `
  with wishes as materialized (
    select stream.event_stream_guid, array(select jsonb_array_elements_text(value)) as types
    from jsonb_each($1::jsonb) join event_streams stream on stream.event_stream_guid = (key)::uuid
  )
  select stream.event_stream_guid::text as guid, stream.events, stream.profile_ids as "profileIds",
    stream.application_guids as "applicationGuids", ${isBarred} as "isBarred", due.count as waiting, due.oldest as "oldestWaitingAt"
  from wishes join event_streams stream using (event_stream_guid) cross join lateral (
    select count(*)::int as count, min(published_at) as oldest from (
      select published_at from published_events event where ${isWanted('wishes.types')} limit ${countedMax}) events) due`;

/** By guid. */
export async function readStates(context: Context, guids: readonly string[]): Promise<Map<string, StreamState>> {
  permit(context, 'admin:security');
  const streams = await context.reads.rows<{ guid: string; kind: StreamKind; events: string[] | null }>(
    'select event_stream_guid::text as guid, kind, events from event_streams where event_stream_guid = any($1::uuid[])',
    [guids],
  );
  const wishes = Object.fromEntries(streams.map((stream) => [stream.guid, wantedTypes(stream)]));
  const rows = await context.reads.rows<StreamState>(states, [JSON.stringify(wishes)]);
  return new Map(rows.map((row) => [row.guid, row]));
}

export interface Delivery {
  eventGuid: string;
  type: string;
  sentAt: string;
  status: number | null;
  problem: string | null;
  milliseconds: number;
}

/** The last deliveries, the newest first. */
export function listDeliveries(context: Context, guid: string): Promise<Delivery[]> {
  permit(context, 'admin:security');
  return context.reads.rows<Delivery>(
    `select event_guid::text as "eventGuid", type, sent_at as "sentAt", status, problem, milliseconds from event_deliveries
     where event_stream_guid = $1::uuid order by event_delivery_id desc limit ${shownMax}`,
    [guid],
  );
}

/** Why nothing is sent to a stream of a client, and what to do about it. */
export const adviceOnBarred =
  'Nothing is sent, because the client of the stream may not receive events: set mayReceiveEvents, or delete the stream.';

/** What to do about the last failure of a stream that is failing; null: nothing. */
export function adviceOn({
  failures,
  lastStatus: status,
  lastProblem: problem,
}: {
  failures: number;
  lastStatus: number | null;
  lastProblem: string | null;
}): string | null {
  if (failures === 0) return null;
  if (status === null) return adviceWithoutAnswer(problem ?? '');
  if (status === 401 || status === 403)
    return 'The receiver refuses the credentials: compare the secret or the authorization header there with those of the stream.';
  if (status === 404 || status === 410) return 'The receiver does not know the address: correct it.';
  if (status === 400 || status === 422)
    return 'The receiver refuses the event: its log says why. Often the secret, the audience or the keys are not those of the stream.';
  if (status === 413) return 'The receiver refuses bodies of this size: raise its limit to 1 MB.';
  if (status === 429 || status === 503) return 'The receiver is busy: events wait until it is ready.';
  if (status >= 300 && status < 400)
    return 'Redirects are not followed: enter the address to which the receiver redirects.';
  return 'The receiver failed: its log says why. Events wait meanwhile.';
}

function adviceWithoutAnswer(problem: string): string {
  if (problem.includes('private network'))
    return 'The address leads to a private network: name its host in PRIVATE_PROVIDER_HOSTS if that is intended.';
  if (problem.includes('KEY_ENCRYPTION_KEY')) return 'The secret cannot be decrypted: rotate it, or restore the key.';
  if (problem.includes('within'))
    return 'The receiver must answer within 10 seconds: let it store the event and work later.';
  if (problem.includes('proxy')) return 'The proxy of HTTPS_PROXY does not let the request pass.';
  return 'Check its address, its name, its certificate and the network.';
}

interface ListedStream {
  guid: string;
  name: string;
  kind: StreamKind;
  status: string;
  address: string | null;
  waiting: number;
  failures: number;
  lastStatus: number | null;
  lastProblem: string | null;
  lastDeliveredAt: string | null;
}

/** All streams by name, for commands. */
export async function listStreams(context: Context): Promise<ListedStream[]> {
  permit(context, 'admin:security');
  const streams = await context.sql.rows<Omit<ListedStream, 'waiting'>>(
    `select event_stream_guid::text as guid, name, kind, status, address, failures, last_status as "lastStatus",
       last_problem as "lastProblem", last_delivered_at as "lastDeliveredAt" from event_streams order by name, event_stream_guid`,
  );
  const own = { ...context, reads: context.sql };
  const states = await readStates(
    own,
    streams.map(({ guid }) => guid),
  );
  return streams.map((stream) => ({ ...stream, waiting: states.get(stream.guid)?.waiting ?? 0 }));
}

/** A profile whose tokens will open or say something else. */
export interface ChangedProfile {
  profileId: string;
  /** Whether its tokens have other scopes. */
  hasOtherScopes: boolean;
  /** Whether somebody holds it no longer. */
  isLost: boolean;
  /** Whether it opens one of the applications, before or after the change. */
  opens(applicationIds: readonly number[]): boolean;
}

interface Hearer {
  name: string;
  kind: StreamKind;
  events: string[] | null;
  profileIds: string[] | null;
  applicationIds: number[] | null;
}

const hearers = `select name, kind, events, profile_ids as "profileIds", case when application_guids is not null then array(
    select application_id from applications where application_guids ? application_guid::text) end as "applicationIds"
  from event_streams where status <> 'disabled' order by name, event_stream_guid`;

/** Names of the streams that get an event about tokens of these profiles, and of the webhooks that hear of the change. */
export async function listHearers(context: Context, changed: readonly ChangedProfile[]): Promise<string[]> {
  permit(context, 'admin:security');
  const streams = await context.sql.rows<Hearer>(hearers);
  const hears = (stream: Hearer): boolean => {
    const { kind, profileIds, applicationIds } = stream;
    const types = wantedTypes(stream);
    const isTold = ({ hasOtherScopes, isLost }: ChangedProfile): boolean =>
      kind === 'webhook' ||
      (hasOtherScopes && types.includes('token-claims-change')) ||
      (isLost && types.includes('session-revoked'));
    if (kind === 'webhook' && !types.includes('change_set.applied')) return false;
    if (kind === 'webhook' && !profileIds && !applicationIds) return true;
    return changed.some(
      (profile) =>
        isTold(profile) &&
        (!profileIds || profileIds.includes(profile.profileId)) &&
        (!applicationIds || profile.opens(applicationIds)),
    );
  };
  return streams.filter(hears).map(({ name }) => name);
}
