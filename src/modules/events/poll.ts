/** The events that a receiver fetches and acknowledges (RFC 8936). */
import type { Context } from '../../context.js';
import { isGuid } from '../../entities/valueForms.js';
import { badInput } from '../../errors.js';
import { isJsonObject, withoutNulls } from '../../jsonObject.js';
import { gapEvent, setOf } from './deliver.js';
import { bell } from './dispatcher.js';
import {
  type Delivered,
  noteDeliveries,
  noteGapTold,
  noteOutcome,
  readStream,
  readWaiting,
  type Stream,
} from './waiting.js';

const eventsMax = 100;
const namesMax = 1_000;
/** With more that are acknowledged beyond one that is not, a receiver gets only that one: the list of them is read with each event. */
const beyondMax = 1_000;
/** Longest wait for an event, and the time between two looks of a process that does not deliver itself. */
const waitMs = 20_000;
const lookMs = 1_000;

interface PollRequest {
  maxEvents: number;
  isWaiting: boolean;
  acknowledged: string[];
  /** Codes by `jti`. */
  refused: Map<string, string>;
}

/** RFC 8936 §2.2. Throws BAD_USER_INPUT. */
export function readPoll(body: unknown): PollRequest {
  if (!isJsonObject(body)) throw badInput({ $: ['An object is expected.'] });
  const { maxEvents = eventsMax, returnImmediately = false, ack = [], setErrs = {} } = withoutNulls(body);
  if (typeof maxEvents !== 'number' || !Number.isInteger(maxEvents) || maxEvents < 0)
    throw badInput({ maxEvents: ['It must be a whole number from 0.'] });
  if (typeof returnImmediately !== 'boolean') throw badInput({ returnImmediately: ['It must be true or false.'] });
  if (!Array.isArray(ack) || ack.length > namesMax || !ack.every((jti) => typeof jti === 'string'))
    throw badInput({ ack: [`A list of at most ${namesMax} ids is expected.`] });
  if (!isJsonObject(setErrs) || Object.keys(setErrs).length > namesMax)
    throw badInput({ setErrs: [`An object of at most ${namesMax} ids is expected.`] });
  const refused = Object.entries(setErrs).map(([jti, fault]): [string, string] => {
    const code = isJsonObject(fault) && typeof fault.err === 'string' ? fault.err : '';
    return [jti, /^[\w-]{1,40}$/.test(code) ? code : 'no code'];
  });
  return {
    maxEvents: Math.min(maxEvents, eventsMax),
    isWaiting: !returnImmediately,
    acknowledged: ack,
    refused: new Map(refused),
  };
}

/** The answer of a poll: signed tokens by `jti`. What the receiver does not acknowledge comes again. */
export async function poll(
  context: Context,
  guid: string,
  request: PollRequest,
  signal: AbortSignal,
): Promise<{ sets: Record<string, string>; moreAvailable?: true }> {
  await acknowledge(context, guid, request);
  const until = performance.now() + waitMs;
  for (;;) {
    const stream = await readStream(context.sql, guid);
    const max = stream && stream.acknowledged >= beyondMax ? Math.min(request.maxEvents, 1) : request.maxEvents;
    const given = stream && max > 0 ? await readGiven(context, stream, max) : undefined;
    const isDone = !request.isWaiting || request.maxEvents === 0 || performance.now() >= until || signal.aborted;
    if (given && (given.events.length > 0 || isDone)) return given.answer();
    if (!given || isDone) return { sets: {} };
    await nextEvents(signal);
  }
}

async function readGiven(context: Context, stream: Stream, max: number) {
  const isHeld = stream.replay_from !== null;
  const { events: found } = isHeld ? { events: [] } : await readWaiting(context.sql, stream, max + 1);
  const events = [...(stream.is_gap_untold && stream.status === 'enabled' ? [gapEvent(stream)] : []), ...found];
  return {
    events,
    answer: async () => {
      const given = events.slice(0, max);
      const sets = await Promise.all(
        given.map(async (event) => [event.event_guid, await setOf(context, stream, event)] as const),
      );
      return { sets: Object.fromEntries(sets), ...(events.length > max && { moreAvailable: true as const }) };
    },
  };
}

const findNamed = `select published_event_id::text as id, event_guid::text as guid, type
  from event_streams stream join published_events event on published_event_id > delivered_event_id
    and (event.event_stream_guid is null or event.event_stream_guid = stream.event_stream_guid)
  where stream.event_stream_guid = $1::uuid and event_guid = any($2::uuid[])
  order by published_event_id`;

async function acknowledge({ sql, log }: Context, guid: string, { acknowledged, refused }: PollRequest): Promise<void> {
  const names = [...new Set([...acknowledged, ...refused.keys()])].filter(isGuid);
  if (names.length === 0) return;
  const stream = await readStream(sql, guid);
  if (!stream) return;
  if (stream.is_gap_untold && names.includes(gapEvent(stream).event_guid))
    await noteGapTold(sql, guid, stream.gap_until!);
  const named = await sql.rows<{ id: string; guid: string; type: string }>(findNamed, [guid, names]);
  if (named.length === 0) return;
  await noteOutcome(sql, guid, { upTo: null, beyond: named.map(({ id }) => id), delivered: named.length });
  if (stream.status === 'enabled') {
    const { events, last } = await readWaiting(sql, stream, 1);
    const upTo = events[0] ? String(BigInt(events[0].id) - 1n) : last;
    await noteOutcome(sql, guid, { upTo, beyond: [], delivered: 0 });
  }
  const sentAt = new Date();
  await noteDeliveries(
    sql,
    named.map(({ guid: event, type }): Delivered => {
      const code = refused.get(event);
      const problem = code === undefined ? null : `the receiver refuses it: ${code}`;
      return { guid, event, type, sentAt, status: null, problem, milliseconds: 0 };
    }),
  );
  if (refused.size > 0) log.warn({ stream: guid, count: refused.size }, 'a receiver refuses events');
}

/** Until events were published here, or a second has passed, or the receiver has gone. */
const nextEvents = (signal: AbortSignal): Promise<void> =>
  new Promise((resolve) => {
    const end = () => {
      clearTimeout(timer);
      bell.off('published', end);
      signal.removeEventListener('abort', end);
      resolve();
    };
    const timer = setTimeout(end, lookMs).unref();
    bell.on('published', end);
    signal.addEventListener('abort', end, { once: true });
  });
