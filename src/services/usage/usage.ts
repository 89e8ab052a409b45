/** Who uses which operation how: counted in memory, written every two seconds, bounded. */
import type { Context } from '../../context.js';
import { toStorable } from '../../entities/storableText.js';
import type { Log } from '../../observability/log.js';
import type { Sql } from '../../sql.js';
import { permit } from '../permit.js';
import { CountedKinds, startPeriodicWork } from '../recorders.js';

/**
 * Keeps who uses which operation how. Requests are counted in memory when they have ended and written by a statement every
 * two seconds, so no answer waits for one. The rows are bounded: what finds no row of its own is counted as `others`.
 */

/** A request, in what it has in common with others. */
export interface UsageKey {
  /** As presented; of one that isn't known nothing is kept. */
  clientId: string;
  /** The stored hash by which the client is known, counted as its where that is still its own; absent: it is proven. */
  credential?: string;
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
/** Of these, those of one client or user, or of all who are neither. */
export const usagesOfOneMax = 1_000;
/** The operation of those that have no row. */
export const others = 'others';

const writeIntervalMs = 2_000;
/** Kinds of requests that are counted at a time, of one owner no more than are left for others; more in one interval are others. */
const kindsMax = 2_000;
const textMax = 100;

const names = ['clientId', 'credential', 'caller', 'operation', 'option', 'mediaType', 'product'] as const;
const columns = 'client_id, caller, operation, option, media_type, product';

const add = `on conflict (${columns}) do update set count = usages.count + excluded.count,
    brownouts = usages.brownouts + excluded.brownouts,
    first_seen_at = least(usages.first_seen_at, excluded.first_seen_at),
    last_seen_at = greatest(usages.last_seen_at, excluded.last_seen_at)`;

const write = `
  insert into usages (${columns}, first_seen_at, last_seen_at, count, brownouts)
  select coalesce(known.client_id, '') as client_id, caller, operation, option, media_type, product,
    min(first_seen_at), max(last_seen_at), sum(count), sum(brownouts)
  from unnest($1::text[], $2::text[], $3::text[], $4::text[], $5::text[], $6::text[], $7::text[], $8::timestamptz[],
      $9::timestamptz[], $10::bigint[], $11::bigint[])
      asked (client_id, credential, caller, operation, option, media_type, product, first_seen_at, last_seen_at, count, brownouts)
    left join clients known on known.client_id = asked.client_id and (credential = '' or known.is_active
      and (known.client_secret = credential or known.previous_secret = credential and known.previous_secret_ends_at > now()))
  group by 1, 2, 3, 4, 5, 6 ${add}`;

const counts = `select coalesce(sum(rows), 0)::int as rows, coalesce(max(rows), 0)::int as rows_of_one
  from (select count(*) as rows from usages where operation <> '${others}' group by client_id, caller) owners`;

/**
 * Rows that make room. Each owner keeps the newest, and where all are too many, who has most gives most: first among
 * clients with those who are nobody, and among users, then between these two. Nobody who makes up user agents takes a row
 * of somebody who has fewer. A brown-out proves nothing: rows of nothing else go before the owner's others.
 */
const makeRoom = `with ranked as (
    select usage_id, last_seen_at, caller <> '' as is_user, row_number() over (partition by client_id, caller
      order by count > brownouts desc, last_seen_at desc, usage_id desc) as rank
    from usages where operation <> '${others}'
  ), placed as (
    select usage_id, last_seen_at, row_number() over (partition by is_user order by rank, last_seen_at desc, usage_id desc) as place
    from ranked where rank <= ${usagesOfOneMax}
  ), kept as (
    select usage_id from placed order by place, last_seen_at desc, usage_id desc limit ${usagesMax}
  ), gone as (
    delete from usages where operation <> '${others}' and usage_id not in (select usage_id from kept)
    returning first_seen_at, last_seen_at, count, brownouts
  )
  insert into usages (${columns}, first_seen_at, last_seen_at, count, brownouts)
  select '', '', '${others}', '', '', '', min(first_seen_at), max(last_seen_at), sum(count), sum(brownouts)
  from gone having count(*) > 0 ${add}`;

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
    ({ key: { clientId, credential = '', caller, operation, option, mediaType, product } }) =>
      `${clientId}\n${credential}\n${caller}\n${operation}\n${option}\n${mediaType}\n${product}`,
    (more) => ({ ...more, key: { ...nothing, operation: others } }),
    (known, { brownouts }) => {
      known.brownouts += brownouts;
    },
    ({ key: { clientId, caller } }) => `${clientId}\n${caller}`,
  );
  const writes = startPeriodicWork({
    intervalMs: writeIntervalMs,
    take: () => counted.takeAll(),
    work: (written) =>
      sql.transaction(async (inside) => {
        // one process at a time: together they keep to the bound, and none waits for another's rows in another order
        await inside.rows("select pg_advisory_xact_lock(hashtext('gatehouse usage'))");
        await inside.rows(write, valuesOf(written));
        const [found] = await inside.rows<{ rows: number; rows_of_one: number }>(counts);
        if (found!.rows > usagesMax || found!.rows_of_one > usagesOfOneMax) await inside.rows(makeRoom);
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

const nothing: UsageKey = {
  clientId: '',
  credential: '',
  caller: '',
  operation: '',
  option: '',
  mediaType: '',
  product: '',
};

/** What a caller sent, in the characters of header fields: nothing that PostgreSQL or a terminal would trip over. */
const bounded = (text: string): string => text.replace(/[^\x20-\x7e]/g, '?').slice(0, textMax);

const valuesOf = (written: readonly Counted[]): unknown[] => [
  // clients are known by their whole id, in whatever script
  written.map(({ key }) => toStorable(key.clientId)),
  ...names.slice(1).map((name) => written.map(({ key }) => bounded(key[name] ?? ''))),
  written.map(({ firstSeenAt }) => firstSeenAt),
  written.map(({ lastSeenAt }) => lastSeenAt),
  written.map(({ count }) => count),
  written.map(({ brownouts }) => brownouts),
];

/** Who still uses what, for whoever prepares an operation's end. */

export interface FoundUsage {
  clientId: string | null;
  /** Guid of the user who called the administration. */
  caller: string | null;
  /** Such as `POST /token`, or `others`. */
  operation: string;
  option: string | null;
  mediaType: string | null;
  product: string | null;
  /** ISO 8601. */
  firstSeenAt: string;
  lastSeenAt: string;
  count: number;
  /** How many of them a brown-out answered. */
  brownouts: number;
}

interface UsageFilter {
  clientId?: string | null;
  /** Part of the operation. */
  operation?: string | null;
  /** Seen since then. */
  since?: Date | string | null;
  /** Those alone of which a brown-out answered some. */
  brownedOut?: boolean | null;
  first?: number | null;
}

const statement = `select nullif(client_id, '') as "clientId", nullif(caller, '') as caller, operation,
    nullif(option, '') as option, nullif(media_type, '') as "mediaType", nullif(product, '') as product,
    first_seen_at as "firstSeenAt", last_seen_at as "lastSeenAt", count::float8 as count, brownouts::float8 as brownouts
  from usages where ($1::text is null or client_id = $1) and ($2::text is null or strpos(operation, $2) > 0)
    and ($3::timestamptz is null or last_seen_at >= $3) and (brownouts > 0 or not $4::boolean)
  order by last_seen_at desc, usage_id desc limit $5::int`;

/** Those seen last come first; a request is there some seconds after its answer. */
export async function findUsage(
  context: Context,
  { clientId, operation, since, brownedOut, first }: UsageFilter,
): Promise<FoundUsage[]> {
  permit(context, 'admin:security');
  const most = Math.min(Math.max(first ?? usagesMax + 1, 0), usagesMax + 1);
  const storable = (text: string | null | undefined) => (text == null ? null : toStorable(text));
  return context.reads.rows<FoundUsage>(statement, [
    storable(clientId),
    storable(operation),
    since ?? null,
    brownedOut ?? false,
    most,
  ]);
}
