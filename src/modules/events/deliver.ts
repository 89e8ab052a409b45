/** Sends the events of one stream: in order for one subject, many subjects at a time, until nothing waits or something fails. */
import { openPost, type Post, type ProviderNetwork } from '../../auth/providerDocuments.js';
import type { Dependencies } from '../../context.js';
import type { Slots } from '../../slots.js';
import type { Sql } from '../../sql.js';
import { eventClaims, pushOf, signSet, type WaitingEvent, webhookOf } from './messages.js';
import { openSecrets, ownEvent } from './streams.js';
import {
  type Delivered,
  type Failure,
  noteDeliveries,
  noteGapTold,
  noteOutcome,
  readStream,
  readWaiting,
  type Stream,
} from './waiting.js';

const batchMax = 200;
/** Simultaneous requests to one receiver. */
const ofOneMax = 16;
const timeoutMs = 10_000;
const pauseSecondsMax = 3_600;
/** A receiver that names a longer pause is asked again then. */
const retryAfterSecondsMax = 86_400;

export interface Courier extends Pick<Dependencies, 'encryptionKeys' | 'issuerUrl' | 'keys' | 'log'> {
  sql: Sql;
  network: ProviderNetwork;
  /** Shared by all streams. */
  slots: Slots;
  /** No further request is begun after it. */
  signal: AbortSignal;
  counted(outcome: 'delivered' | 'failed', count: number): void;
}

/** The open connections of streams, by address. */
export function openPosts(network: ProviderNetwork) {
  const posts = new Map<string, { address: string; post: Post; close(): void }>();
  return {
    postOf({ event_stream_guid: guid, address }: Stream): Post {
      const found = posts.get(guid);
      if (found?.address === address) return found.post;
      found?.close();
      // an administrator or a client wrote the address: it leads inside only where the operator named its host
      const opened = openPost(address!, { ...network, isLocalByName: false }, ofOneMax);
      posts.set(guid, { address: address!, ...opened });
      return opened.post;
    },
    closeExcept(guids: ReadonlySet<string>): void {
      for (const [guid, { close }] of posts)
        if (!guids.has(guid)) {
          close();
          posts.delete(guid);
        }
    },
  };
}
type Posts = ReturnType<typeof openPosts>;

/** Delivers what waits. Returns when nothing does, when a delivery failed, or after the signal. */
export async function deliver(courier: Courier, posts: Posts, guid: string): Promise<void> {
  const { sql, signal } = courier;
  while (!signal.aborted) {
    const stream = await readStream(sql, guid);
    if (!stream || stream.kind === 'poll' || stream.replay_from !== null) return;
    const { events, last } = await readWaiting(sql, stream, stream.failures > 0 ? 1 : batchMax);
    if (stream.is_gap_untold && stream.status === 'enabled' && !(await tellGap(courier, posts, stream))) return;
    if (events.length === 0) {
      // what it does not want is not read again
      if (stream.status === 'enabled' && BigInt(last) > BigInt(stream.delivered_event_id))
        await noteOutcome(sql, guid, { upTo: last, beyond: [], delivered: 0 });
      return;
    }
    if (!(await deliverBatch(courier, posts, stream, events))) return;
  }
}

type Outcome = { id: string; delivered: Delivered; failure?: Failure };

/** False: a delivery failed. */
async function deliverBatch(courier: Courier, posts: Posts, stream: Stream, events: WaitingEvent[]): Promise<boolean> {
  const outcomes = await sendInLanes(courier, posts, stream, events);
  const done = new Set(outcomes.flatMap(({ id, failure }) => (failure ? [] : id)));
  const firstOpen = events.findIndex(({ id }) => !done.has(id));
  const closed = firstOpen < 0 ? events : events.slice(0, firstOpen);
  const failed = outcomes.find(({ failure }) => failure);
  // first, so that a stream that counts a failure shows it
  await noteDeliveries(
    courier.sql,
    outcomes.map(({ delivered }) => delivered),
  );
  await noteOutcome(courier.sql, stream.event_stream_guid, {
    // a stream that is not enabled keeps what waits
    upTo: stream.status === 'enabled' ? (closed.at(-1)?.id ?? null) : null,
    beyond:
      stream.status === 'enabled' ? [...done].filter((id) => !closed.some((event) => event.id === id)) : [...done],
    delivered: done.size,
    failure: failed?.failure,
  });
  courier.counted('delivered', done.size);
  if (failed) courier.counted('failed', 1);
  report(courier, stream, failed?.failure, done.size);
  return !failed && outcomes.length === events.length;
}

/** A line for each change of state. */
function report({ log }: Courier, stream: Stream, failure: Failure | undefined, delivered: number): void {
  const named = { stream: stream.event_stream_guid };
  const wasFailing = stream.failures > 0;
  if (failure && !wasFailing)
    log.warn({ ...named, status: failure.status, problem: failure.problem }, 'events cannot be delivered');
  if (!failure && wasFailing && delivered > 0) log.info(named, 'events are delivered again');
}

const laneOf = ({ user_guid, profile_id, id }: WaitingEvent): string => user_guid ?? profile_id ?? id;

/** Returns the outcome of each request that was sent; after a failure none is begun. */
async function sendInLanes(
  courier: Courier,
  posts: Posts,
  stream: Stream,
  events: readonly WaitingEvent[],
): Promise<Outcome[]> {
  const lanes = [...Map.groupBy(events, laneOf).values()].values();
  const outcomes: Outcome[] = [];
  let hasFailed = false;
  // the first needs no shared slot: a thousand receivers that hang must not make another wait
  const work = async (_: unknown, worker: number) => {
    for (const lane of lanes)
      for (const event of lane) {
        if (hasFailed || courier.signal.aborted) return;
        const release = worker === 0 ? undefined : await courier.slots.hold({ signal: courier.signal });
        try {
          const outcome = await send(courier, posts, stream, event);
          // what this process broke off is no failure of the receiver
          if (outcome.failure && courier.signal.aborted) return;
          outcomes.push(outcome);
          hasFailed ||= outcome.failure !== undefined;
        } finally {
          release?.();
        }
      }
  };
  await Promise.all(Array.from({ length: Math.min(ofOneMax, events.length) }, work));
  return outcomes;
}

/** Tells the receiver what it will never get, before anything newer. False: it could not be told. */
async function tellGap(courier: Courier, posts: Posts, stream: Stream): Promise<boolean> {
  const outcome = await send(courier, posts, stream, gapEvent(stream));
  await noteDeliveries(courier.sql, [outcome.delivered]);
  if (outcome.failure && courier.signal.aborted) return false;
  if (!outcome.failure) {
    await noteGapTold(courier.sql, stream.event_stream_guid, stream.gap_until!);
    courier.counted('delivered', 1);
    return true;
  }
  await noteOutcome(courier.sql, stream.event_stream_guid, {
    upTo: null,
    beyond: [],
    delivered: 0,
    failure: outcome.failure,
  });
  courier.counted('failed', 1);
  report(courier, stream, outcome.failure, 0);
  return false;
}

/** `stream.gap`, or SSF's stream-updated with the reason. Its id is the same at each repetition. */
export function gapEvent({ event_stream_guid: guid, kind, gap_from: from, gap_until: until }: Stream): WaitingEvent {
  const id = `${guid.slice(0, 24)}${Date.parse(until!).toString(16).padStart(12, '0')}`;
  const reason = `Events from ${from} to ${until} were dropped, because they could not be delivered in time.`;
  const event =
    kind === 'webhook'
      ? ownEvent('stream.gap', { eventStreamGuid: guid, from, until }, id)
      : ownEvent('stream-updated', { status: 'enabled', reason }, id);
  return {
    ...event,
    id: '0',
    occurred_at: until!,
    data: event.data as Record<string, unknown>,
    event_stream_guid: guid,
  };
}

async function send(courier: Courier, posts: Posts, stream: Stream, event: WaitingEvent): Promise<Outcome> {
  const { event_stream_guid: guid, failures } = stream;
  const sentAt = new Date();
  const answer = await tryToSend(courier, posts, stream, event);
  const milliseconds = Date.now() - sentAt.getTime();
  const { status, problem } = answer;
  const delivered = { guid, event: event.event_guid, type: event.type, sentAt, status, problem, milliseconds };
  if (problem === null) return { id: event.id, delivered };
  const pauseSeconds = answer.retryAfterSeconds ?? pauseAfter(failures);
  return { id: event.id, delivered, failure: { status, problem, pauseSeconds } };
}

/** 1 s, 2 s, 4 s … up to an hour, each up to a tenth longer, so that many streams do not try at once. */
const pauseAfter = (failures: number): number =>
  Math.min(2 ** Math.min(failures, 12), pauseSecondsMax) * (1 + Math.random() / 10);

interface Tried {
  status: number | null;
  /** Null: it was delivered. */
  problem: string | null;
  retryAfterSeconds?: number | undefined;
}

async function tryToSend(courier: Courier, posts: Posts, stream: Stream, event: WaitingEvent): Promise<Tried> {
  try {
    const message = await messageOf(courier, stream, event);
    const signal = AbortSignal.any([AbortSignal.timeout(timeoutMs), courier.signal]);
    const { status, retryAfter, body } = await posts.postOf(stream)(new URL(stream.address!), { ...message, signal });
    if (status >= 200 && status < 300) return { status, problem: null };
    const isBusy = status === 429 || status === 503;
    const retryAfterSeconds = isBusy ? readRetryAfter(retryAfter) : undefined;
    return { status, problem: problemOf(status, body), ...(retryAfterSeconds !== undefined && { retryAfterSeconds }) };
  } catch (error) {
    return { status: null, problem: describe(error) };
  }
}

async function messageOf(courier: Courier, stream: Stream, event: WaitingEvent) {
  const secrets = openSecrets(stream, courier.encryptionKeys);
  if (stream.kind === 'webhook') return webhookOf(event, secrets);
  return pushOf(await setOf(courier, stream, event), secrets[0]);
}

/** The signed security event token. Another process may have made the key. */
export async function setOf(
  { issuerUrl, keys }: Pick<Courier, 'issuerUrl' | 'keys'>,
  stream: Stream,
  event: WaitingEvent,
): Promise<string> {
  const claims = eventClaims(event, {
    issuerUrl,
    eventStreamGuid: stream.event_stream_guid,
    audience: stream.audience!,
  });
  return signSet(claims, keys.ring().events ? keys.ring() : await keys.reload());
}

/** RFC 9110 §10.2.3: seconds or a date. */
function readRetryAfter(header = ''): number | undefined {
  const seconds = /^\d{1,9}$/.test(header) ? Number(header) : (Date.parse(header) - Date.now()) / 1_000;
  return Number.isFinite(seconds) ? Math.min(Math.max(seconds, 0), retryAfterSecondsMax) : undefined;
}

/** A code of RFC 8935 §2.4 in the answer; nothing else of a receiver's text is kept. */
function problemOf(status: number, body: Buffer): string {
  const code = /"err"\s{0,9}:\s{0,9}"([a-z_]{1,40})"/.exec(body.toString('latin1'))?.[1];
  if (status >= 300 && status < 400) return `answers ${status}: redirects are not followed`;
  return code ? `answers ${status}, ${code}` : `answers ${status}`;
}

function describe(error: unknown): string {
  const { name, message, code } = error as Error & { code?: string };
  if (name === 'TimeoutError') return `does not answer within ${timeoutMs / 1_000} s`;
  if (name === 'SigningKeyUnusable') return 'KEY_ENCRYPTION_KEY does not open its secret';
  if (/was not contacted/.test(message)) return message.replace('the issuer is not', 'its name is not').slice(0, 300);
  if (/^the proxy /.test(message)) return message.slice(0, 300);
  return `cannot be reached${code ? `: ${code}` : ''}`;
}
