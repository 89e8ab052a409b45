/**
 * Publishes events and delivers them, in one process at a time: the one that holds the lock. Without streams it does nothing, not
 * even a statement; with streams and nothing to do, it is one statement in more than a second.
 */
import { EventEmitter } from 'node:events';
import { setTimeout as pause } from 'node:timers/promises';
import type { ProviderNetwork } from '../../auth/providerDocuments.js';
import type { Dependencies } from '../../context.js';
import { rowsAtOnce } from '../../services/maintenance/sweep.js';
import { openSlots } from '../../slots.js';
import type { Sql } from '../../sql.js';
import { removeEvents } from './cleanUp.js';
import { type Courier, deliver, openPosts } from './deliver.js';
import { resealSecrets, rotateEventKey } from './eventKeys.js';
import { hasCauses, publishNext } from './publish.js';
import { noteEnding } from './reminders.js';
import { replayNext } from './replay.js';
import {
  dropExpired,
  isBarred,
  isDeliverable,
  isSent,
  isWanted,
  readStreams,
  type Stream,
  wishesOf,
} from './waiting.js';

/** Rings in this process when a stream was made or changed, and when events were published. */
export const bell = new EventEmitter<{ stream: []; published: [] }>().setMaxListeners(0);

export interface DispatcherOptions
  extends Pick<Dependencies, 'encryptionKeys' | 'issuerUrl' | 'keys' | 'log' | 'config' | 'clock'> {
  /** Connections for background work; the process that delivers keeps one of them. */
  sql: Sql;
  network: ProviderNetwork;
  counted?: Courier['counted'];
}

/** Time between two looks, without and with events of the last seconds. Together with the others' looks: one statement a second. */
const idleMs = 1_250;
const busyMs = 250;
const busyForMs = 5_000;
/** Between two looks in any case. */
const restMs = 20;
/** Before this process tries again what failed in itself. */
const afterFailureMs = 1_000;
/** Time between two uses of the connection with the lock: when its host is gone, the server ends it after a minute without any. */
const lockUseMs = 20_000;
/** Time after which another process notices that the one with the lock has died. */
const standbyMs = 5_000;
/** Time between two looks for what was not delivered in time, and for what ends soon. */
const expiryMs = 60_000;
const upkeepMs = 3_600_000;
/** Simultaneous requests of all streams, beside one for each. */
const requestsMax = 256;

const takeLock = `select pg_try_advisory_xact_lock(hashtext('gatehouse events')) as "isMine", pg_backend_pid() as pid`;

/** By another connection: a transaction that stays open keeps the tables that it has read from every migration. */
const look = `select ${hasCauses} as "hasCauses", (select coalesce(max(published_event_id), 0)::text from published_events) as last,
  (select concat_ws('.', count(*), sum(revision), count(replay_from), count(next_attempt_at), count(*) filter (where is_gap_untold),
    count(*) filter (where ${isBarred})) from event_streams stream) as state,
  exists (select from event_streams) as any,
  exists (select from pg_locks where locktype = 'advisory' and pid = $1) as "isMine"`;

/** SQL: the streams for which something waits; the others have nothing to wait for up to now. */
const findDue = `
  with wishes as materialized (
    select (key)::uuid as guid, array(select jsonb_array_elements_text(value)) as types from jsonb_each($1::jsonb)
  ), last as materialized (
    select coalesce(max(published_event_id), 0) as id from published_events
  ), streams as materialized (
    select stream.event_stream_guid as guid, ${isSent} as is_sent,
      ${isSent} and (stream.replay_from is not null or stream.is_gap_untold)
      or exists (select from published_events event where ${isWanted('wishes.types')} and ${isDeliverable}) as is_due
    from event_streams stream join wishes on wishes.guid = stream.event_stream_guid
  ), advanced as (
    update event_streams stream set delivered_event_id = last.id, next_attempt_at = null from streams, last
    where stream.event_stream_guid = streams.guid and not streams.is_due and streams.is_sent
      and (stream.delivered_event_id < last.id or stream.next_attempt_at <= now())
  )
  select guid::text from streams where is_due`;

export function startDispatcher(options: DispatcherOptions) {
  const { sql, log } = options;
  const stopping = new AbortController();
  const alarm = openAlarm();
  let living: Promise<void> | undefined;

  /** Until there is no stream, or the end of the process. */
  async function live(): Promise<void> {
    while (!stopping.signal.aborted) {
      const outcome = await attempt().catch((error: unknown) => {
        if (!stopping.signal.aborted) log.warn({ error }, 'events are not delivered for a moment');
        return 'lost' as const;
      });
      if (outcome === 'none') return;
      // whoever rings wants something of the process with the lock, which sees it by itself
      await rest(stopping.signal, outcome === 'busy' ? standbyMs * (0.9 + Math.random() / 5) : afterFailureMs);
    }
  }

  async function attempt() {
    const [stream] = await sql.rows('select from event_streams limit 1');
    return stream ? sql.transaction((lock) => lead(lock)) : 'none';
  }

  async function lead(lock: Sql): Promise<'none' | 'busy' | 'lost' | 'stopped'> {
    const [state] = await lock.rows<{ isMine: boolean; pid: number }>(takeLock, [], 'unprepared');
    if (!state!.isMine) return 'busy';
    // what is begun under a lock that is lost begins nothing more
    const own = new AbortController();
    const signal = AbortSignal.any([own.signal, stopping.signal]);
    const shift = openShift(options, signal, alarm.ring);
    log.info('this process delivers events');
    let usedAt = performance.now();
    try {
      // the causes of a restored database become those of transactions before all of this cluster
      await sql.rows('select event_transaction_id()');
      for (let busyUntil = performance.now() + busyForMs; !signal.aborted; ) {
        if (performance.now() - usedAt >= lockUseMs) {
          await lock.rows('select', [], 'unprepared');
          usedAt = performance.now();
        }
        // who rings from now on is heard after this turn
        const isRung = alarm.takeRung();
        const [seen] = await sql.rows<Seen>(look, [state!.pid]);
        if (!seen!.any) return 'none';
        if (!seen!.isMine) return 'lost';
        if ((await shift.turn(seen!)) || isRung) busyUntil = performance.now() + busyForMs;
        const ms = performance.now() < busyUntil ? busyMs : idleMs;
        await alarm.wait(Math.min(ms, shift.nextDueMs()), signal);
        await rest(signal, restMs);
      }
      return 'stopped';
    } finally {
      own.abort();
      await shift.end();
    }
  }

  const begin = () => {
    living ??= live().finally(() => {
      living = undefined;
    });
  };
  const awake = () => {
    if (stopping.signal.aborted) return;
    if (living) alarm.ring();
    else begin();
  };
  bell.on('stream', awake);
  begin();
  return {
    /** Looks at once, if there are streams: something may have happened. */
    noticed: () => {
      if (living) alarm.ring();
    },
    /** Looks whether there are streams. */
    awake,
    /** Whether this process knows of streams. */
    knowsStreams: () => living !== undefined,
    stop: async () => {
      bell.off('stream', awake);
      stopping.abort();
      alarm.ring();
      await living;
    },
  };
}

interface Seen {
  hasCauses: boolean;
  last: string;
  state: string;
  any: boolean;
  isMine: boolean;
}

/** The work under the lock. */
function openShift(options: DispatcherOptions, signal: AbortSignal, ring: () => void) {
  const { sql, log, config, clock } = options;
  const posts = openPosts(options.network);
  const courier: Courier = {
    ...options,
    counted: options.counted ?? (() => undefined),
    slots: openSlots({ max: requestsMax, waitingMax: Number.POSITIVE_INFINITY }),
    signal,
  };
  const underWay = new Map<string, Promise<void>>();
  let streams: Stream[] = [];
  let seen: Seen | undefined;
  let isStale = true;
  let expiryAt = 0;
  let upkeepAt = 0;
  let upkeep: Promise<unknown> | undefined;

  const serve = async ({ event_stream_guid: guid, replay_from }: Stream): Promise<void> => {
    if (replay_from !== null) while (!signal.aborted && (await replayNext(sql, guid)));
    await deliver(courier, posts, guid);
  };
  const begin = (stream: Stream): void => {
    const { event_stream_guid: guid } = stream;
    if (underWay.has(guid)) return;
    const done = serve(stream)
      .catch(async (error: unknown) => {
        if (signal.aborted) return;
        log.warn({ error, stream: guid }, 'events are not delivered for a moment');
        await rest(signal, afterFailureMs);
      })
      .finally(() => {
        underWay.delete(guid);
        isStale = true;
        ring();
      });
    underWay.set(guid, done);
  };

  /** Beside the delivery, which goes on if something of it fails or takes long. */
  const keepUp = (): Promise<unknown> =>
    Promise.all(
      [
        () => noteEnding(sql, config.timeZone, clock.now()),
        () => resealSecrets(options, sql),
        () => rotateEventKey(options, sql),
      ].map((part) => part().catch((error: unknown) => log.error({ error }, 'the upkeep of event streams failed'))),
    );

  async function dropOld(): Promise<void> {
    for (const { guid, ...gap } of await dropExpired(sql, config.eventsRetentionDays, streams)) {
      isStale = true;
      log.warn(
        { stream: guid, from: gap.from, until: gap.until, events: gap.count },
        'events were dropped: they could not be delivered in time',
      );
    }
    posts.closeExcept(new Set(streams.map(({ event_stream_guid }) => event_stream_guid)));
    const [removed] = await sql.rows<{ count: number }>(removeEvents, [config.eventsRetentionDays]);
    // of many, the next ones at the next turn
    expiryAt = removed!.count === rowsAtOnce ? 0 : performance.now() + expiryMs;
  }

  return {
    /** True: there was something to do. */
    async turn(now: Seen): Promise<boolean> {
      if (now.hasCauses) {
        // the others at the next turn: what was published is sent, and the connection with the lock is not idle for long
        if ((await publishNext(sql)) > 0) {
          isStale = true;
          ring();
        }
        bell.emit('published');
      }
      const isOther = now.state !== seen?.state || now.last !== seen.last;
      if (isOther) bell.emit('published');
      const time = clock.now().getTime();
      const isTime = ({ next_attempt_at: at }: Stream): boolean => at === null || Date.parse(at) <= time;
      const isTriedAgain = (stream: Stream): boolean =>
        stream.next_attempt_at !== null && stream.status === 'enabled' && isTime(stream);
      const isAnyDue = streams.some(isTriedAgain);
      const isExpiry = performance.now() >= expiryAt;
      seen = now;
      if (!isStale && !isOther && !isAnyDue && !isExpiry) return false;
      isStale = false;
      streams = await readStreams(sql);
      // before a stream is tried again, what is too old for it is dropped
      if (isExpiry || streams.some(isTriedAgain)) await dropOld();
      const due = new Set((await sql.rows<{ guid: string }>(findDue, [wishesOf(streams)])).map(({ guid }) => guid));
      for (const stream of streams)
        if (
          due.has(stream.event_stream_guid) &&
          (stream.kind !== 'poll' || stream.replay_from !== null) &&
          isTime(stream)
        )
          begin(stream);
      if (performance.now() >= upkeepAt) {
        upkeepAt = performance.now() + upkeepMs;
        upkeep = keepUp();
      }
      return true;
    },
    /** Milliseconds until a failed delivery is tried again. */
    nextDueMs(): number {
      const now = clock.now().getTime();
      const times = streams.flatMap(({ next_attempt_at: at, event_stream_guid: guid, status }) =>
        at === null || status !== 'enabled' || underWay.has(guid) ? [] : Date.parse(at) - now,
      );
      return Math.max(0, Math.min(Number.MAX_SAFE_INTEGER, ...times));
    },
    async end(): Promise<void> {
      await Promise.all([...underWay.values(), upkeep]);
      posts.closeExcept(new Set());
    },
  };
}

/** A wait that ends early when somebody rings. */
function openAlarm() {
  let isRung = false;
  let wake: (() => void) | undefined;
  return {
    ring(): void {
      isRung = true;
      wake?.();
    },
    takeRung(): boolean {
      const was = isRung;
      isRung = false;
      return was;
    },
    wait: (milliseconds: number, signal: AbortSignal): Promise<void> =>
      new Promise((resolve) => {
        if (isRung || signal.aborted) return resolve();
        const end = () => {
          clearTimeout(timer);
          signal.removeEventListener('abort', end);
          wake = undefined;
          resolve();
        };
        const timer = setTimeout(end, milliseconds).unref();
        signal.addEventListener('abort', end, { once: true });
        wake = end;
      }),
  };
}

/** Ends early when the signal is aborted. */
const rest = (signal: AbortSignal, milliseconds: number): Promise<void> =>
  pause(milliseconds, undefined, { signal, ref: false }).catch(() => undefined);
