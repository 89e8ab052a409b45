/**
 * Keeps who uses which operation how. Requests are counted in memory when they have ended and written by a statement every
 * two seconds, so no answer waits for one. The rows are bounded: what finds no row of its own is counted as `others`.
 */
import { toStorable } from '../../entities/storableText.js';
import type { Log } from '../../observability/log.js';
import type { Sql } from '../../sql.js';
import { CountedKinds } from '../countedKinds.js';
import { startPeriodicWork } from '../periodicWork.js';

/** A request, in what it has in common with others. */
export interface UsageKey {
  /** As presented; of one that isn't known nothing is kept. */
  clientId: string;
  /** Guid of the user who called. */
  caller: string;
  operation: string;
  option: string;
  mediaType: string;
  product: string;
}

export interface UsageRecorder {
  note(key: UsageKey, isBrownout: boolean): void;
  close(): Promise<void>;
}

/** Most rows, but for the one that counts the others. */
export const usagesMax = 10_000;
/** Of these, those of one client or user, or of all who are neither: whoever makes up names takes no room from others. */
export const usagesOfOneMax = 1_000;
/** The operation of those that found no row. */
export const others = 'others';

const writeIntervalMs = 2_000;
/** Kinds of requests that are counted at a time: more in one interval are others. */
const kindsMax = 2_000;
const textMax = 100;

const names = ['clientId', 'caller', 'operation', 'option', 'mediaType', 'product'] as const;
const columns = 'client_id, caller, operation, option, media_type, product';

const write = `with given as (
    select coalesce(known.client_id, '') as client_id, caller, operation, option, media_type, product,
      min(first_seen_at) as first_seen_at, max(last_seen_at) as last_seen_at, sum(count) as count, sum(brownouts) as brownouts
    from unnest($1::text[], $2::text[], $3::text[], $4::text[], $5::text[], $6::text[], $7::timestamptz[], $8::timestamptz[],
        $9::bigint[], $10::bigint[]) asked (${columns}, first_seen_at, last_seen_at, count, brownouts)
      left join clients known using (client_id)
    group by 1, 2, 3, 4, 5, 6
  ), taken as (
    select client_id, caller, count(*) as rows from usages join (select distinct client_id, caller from given) asking using (client_id, caller)
    group by 1, 2
  ), ranked as (
    select given.*, usages.usage_id is not null or given.operation = '${others}' as is_known,
      row_number() over (partition by usages.usage_id is null, client_id, caller order by given.last_seen_at)
        <= ${usagesOfOneMax} - coalesce(taken.rows, 0) as fits
    from given left join usages using (${columns}) left join taken using (client_id, caller)
  ), judged as (
    select ranked.*, is_known or fits and row_number() over (partition by is_known, fits order by last_seen_at)
        <= ${usagesMax} - (select count(*) from usages where operation <> '${others}') as has_row
    from ranked
  )
  insert into usages (${columns}, first_seen_at, last_seen_at, count, brownouts)
  select case when has_row then client_id else '' end, case when has_row then caller else '' end,
    case when has_row then operation else '${others}' end, case when has_row then option else '' end,
    case when has_row then media_type else '' end, case when has_row then product else '' end,
    min(first_seen_at), max(last_seen_at), sum(count), sum(brownouts)
  from judged group by 1, 2, 3, 4, 5, 6
  on conflict (${columns}) do update set count = usages.count + excluded.count,
    brownouts = usages.brownouts + excluded.brownouts,
    first_seen_at = least(usages.first_seen_at, excluded.first_seen_at),
    last_seen_at = greatest(usages.last_seen_at, excluded.last_seen_at)`;

interface Counted {
  key: UsageKey;
  firstSeenAt: Date;
  lastSeenAt: Date;
  count: number;
  brownouts: number;
}

interface Options {
  /** Connections that no request waits for. */
  sql: Sql;
  log: Log;
  clock: { now(): Date };
  /** 0: none is kept. */
  retentionDays: number;
}

export function openUsageRecorder({ sql, log, clock, retentionDays }: Options): UsageRecorder {
  if (retentionDays === 0) return { note: () => undefined, close: async () => undefined };
  const counted = new CountedKinds<Counted>(
    kindsMax,
    ({ key: { clientId, caller, operation, option, mediaType, product } }) =>
      `${clientId}\n${caller}\n${operation}\n${option}\n${mediaType}\n${product}`,
    (more) => ({ ...more, key: { ...nothing, operation: others } }),
    (known, { brownouts }) => {
      known.brownouts += brownouts;
    },
  );
  const writes = startPeriodicWork({
    intervalMs: writeIntervalMs,
    take: () => counted.takeAll(),
    work: (written) =>
      sql.transaction(async (inside) => {
        // one process at a time: together they keep to the bound, and none waits for another's rows in another order
        await inside.rows("select pg_advisory_xact_lock(hashtext('gatehouse usage'))");
        await inside.rows(write, valuesOf(written));
      }),
    // while the database is away they are counted on, up to the same bound
    giveBack: (each) => counted.add(each),
    log,
    failure: 'usage not kept',
  });

  return {
    note(key, isBrownout) {
      const now = clock.now();
      counted.add({ key, firstSeenAt: now, lastSeenAt: now, count: 1, brownouts: isBrownout ? 1 : 0 });
    },
    close: writes.close,
  };
}

const nothing: UsageKey = { clientId: '', caller: '', operation: '', option: '', mediaType: '', product: '' };

/** What a caller sent, in the characters of header fields: nothing that PostgreSQL or a terminal would trip over. */
const bounded = (text: string): string => text.replace(/[^\x20-\x7e]/g, '?').slice(0, textMax);

const valuesOf = (written: readonly Counted[]): unknown[] => [
  // clients are known by their whole id, in whatever script
  written.map(({ key }) => toStorable(key.clientId)),
  ...names.slice(1).map((name) => written.map(({ key }) => bounded(key[name]))),
  written.map(({ firstSeenAt }) => firstSeenAt),
  written.map(({ lastSeenAt }) => lastSeenAt),
  written.map(({ count }) => count),
  written.map(({ brownouts }) => brownouts),
];
