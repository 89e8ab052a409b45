/** Counts which client or user uses which operation, and reads the counts. */
import type { Context } from '../../context.js';
import { clientIdLengthMax } from '../../entities/Client.js';
import { User } from '../../entities/User.js';
import { isWrittenInFourDigits, toStorable } from '../../entities/valueForms.js';
import { badInput } from '../../errors.js';
import { type CurrentRequest, endpointOf, grantOf, methodOf, operationOf } from '../../observability/currentRequest.js';
import type { Log } from '../../observability/log.js';
import { fullName } from '../../services/fullName.js';
import { permit } from '../../services/permit.js';
import { mayRead } from '../../services/read/projection.js';
import { asColumns, CountedKinds, startPeriodicWork, type TimesSeen } from '../../services/recorders.js';
import { type Sql, timeText } from '../../sql.js';

/** What requests are grouped by. They are counted in memory and written every two seconds; beyond a limit they become `others`. */
export interface UsageKey {
  /** The client id as presented; empty if unknown. */
  clientId: string;
  /** The stored hash that the presented secret matched; checked again when written. Absent if the client is proven. */
  credential?: string;
  /** Guid of the user who called. */
  caller: string;
  operation: string;
  option: string;
  mediaType: string;
  product: string;
}

interface UsageRecorder {
  note(key: UsageKey, isBrownout: boolean): void;
  close(): Promise<void>;
}

/** Rows kept, without the row of `others`. */
export const usagesMax = 10_000;
/** Rows kept for one client, one user, or all unknown callers together. */
export const usagesOfOneMax = 1_000;
/** The operation under which the rest is counted. */
export const others = 'others';

const writeIntervalMs = 2_000;
/** Kinds of requests counted in memory in one interval; one owner has at most half of the free places. The rest are `others`. */
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
 * Removes rows beyond the limits and adds them to `others`. Each owner keeps its newest rows; if there are still too many,
 * the owners with most rows lose most, among clients (with unknown callers) and among users, then between both. So invented
 * user agents never displace an owner with fewer rows. Rows that only brown-outs made go first: nobody was authenticated.
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

interface CountedUsage extends TimesSeen {
  key: UsageKey;
  brownouts: number;
}

interface Options {
  /** Background connections. */
  sql: Sql;
  log: Log;
  clock: { now(): Date };
  /** 0 switches it off. */
  retentionDays: number;
}

export function openUsageRecorder({ sql, log, clock, retentionDays }: Options): UsageRecorder {
  if (retentionDays === 0) return { note: () => undefined, close: async () => undefined };
  const counted = new CountedKinds<CountedUsage>({
    kindsMax,
    nameOf: ({ key: { clientId, credential = '', caller, operation, option, mediaType, product } }) =>
      `${clientId}\n${credential}\n${caller}\n${operation}\n${option}\n${mediaType}\n${product}`,
    otherOf: (more) => ({ ...more, key: { ...nothing, operation: others } }),
    addFurther: (total, { brownouts }) => {
      total.brownouts += brownouts;
    },
    ownerOf: ({ key: { clientId, caller } }) => `${clientId}\n${caller}`,
  });
  const writes = startPeriodicWork({
    intervalMs: writeIntervalMs,
    take: () => counted.takeAll(),
    work: (written) =>
      sql.transaction(async (inside) => {
        // one process at a time: keeps the limits exact and avoids deadlocks
        await inside.rows("select pg_advisory_xact_lock(hashtext('gatehouse usage'))");
        await inside.rows(write, asColumns(written.map(rowOf)));
        const [totals] = await inside.rows<{ rows: number; rows_of_one: number }>(counts);
        if (totals!.rows > usagesMax || totals!.rows_of_one > usagesOfOneMax) await inside.rows(makeRoom);
      }),
    // during a database outage counting goes on in memory, within the same limits
    giveBack: (count) => counted.add(count),
    log,
    failure: 'usage could not be stored',
  });

  return {
    note(key, isBrownout) {
      const now = clock.now();
      counted.add({ key, firstSeenAt: now, lastSeenAt: now, count: 1, brownouts: isBrownout ? 1 : 0 });
      writes.due();
    },
    close: writes.close,
  };
}

const nothing = Object.fromEntries(names.map((name) => [name, ''])) as unknown as UsageKey;

/** Printable ASCII, cut to `textMax`. */
const printable = (text: string): string => text.replace(/[^\x20-\x7e]/g, '?').slice(0, textMax);

function rowOf({ key, firstSeenAt, lastSeenAt, count, brownouts }: CountedUsage): unknown[] {
  const [, ...further] = names;
  // client ids may be in any script
  const texts = [toStorable(key.clientId), ...further.map((name) => printable(key[name] ?? ''))];
  return [...texts, firstSeenAt, lastSeenAt, count, brownouts];
}

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
  /** Requests answered by a brown-out. */
  brownouts: number;
}

interface UsageFilter {
  clientId?: string | null;
  /** A part of the operation's name. */
  operation?: string | null;
  /** Seen since then. */
  since?: Date | string | null;
  /** Only those with requests answered by a brown-out. */
  brownedOut?: boolean | null;
  /** Only requests of the console's pages, or only others. */
  ofConsole?: boolean | null;
}

const matching = `where ($1::text is null or client_id = $1) and ($2::text is null or strpos(operation, $2) > 0)
    and ($3::timestamptz is null or last_seen_at >= $3) and (brownouts > 0 or not $4::boolean)
    and ($5::boolean is null or (operation = 'POST /console/graphql') = $5)`;

const storable = (text: string | null | undefined) => (text == null ? null : toStorable(text));
const valuesOfFilter = ({ clientId, operation, since, brownedOut, ofConsole }: UsageFilter): unknown[] => [
  storable(clientId),
  storable(operation),
  since ?? null,
  brownedOut ?? false,
  ofConsole ?? null,
];

/** Ordered by last use, newest first. A request is counted some seconds after its answer. */
export async function findUsage(
  context: Context,
  { first, offset, ...filter }: UsageFilter & { first?: number | null; offset?: number },
): Promise<FoundUsage[]> {
  permit(context, 'admin:security');
  const limit = Math.min(Math.max(first ?? usagesMax + 1, 0), usagesMax + 1);
  return context.reads.rows<FoundUsage>(
    `select nullif(client_id, '') as "clientId", nullif(caller, '') as caller, operation,
       nullif(option, '') as option, nullif(media_type, '') as "mediaType", nullif(product, '') as product,
       first_seen_at as "firstSeenAt", last_seen_at as "lastSeenAt", count::float8 as count, brownouts::float8 as brownouts
     from usages ${matching} order by last_seen_at desc, usage_id desc limit $6::int offset $7::int`,
    [...valuesOfFilter(filter), limit, Math.max(offset ?? 0, 0)],
  );
}

/** The number of kinds of requests that `findUsage` finds. */
export async function countKinds(context: Context, filter: UsageFilter): Promise<number> {
  permit(context, 'admin:security');
  const [row] = await context.reads.rows<{ count: number }>(
    `select count(*)::int as count from usages ${matching}`,
    valuesOfFilter(filter),
  );
  return row!.count;
}

const headings = [
  ...['operation', 'option', 'clientId', 'client', 'callerName', 'callerEmail', 'caller', 'mediaType', 'product'],
  ...['firstSeenAt', 'lastSeenAt', 'count', 'brownouts'],
] as const;

/** The same list as a file; `of` has the filter. Names of callers are for those who may read users. */
export const usageList = {
  readWith: 'admin:security' as const,
  headings,
  select: (
    context: Context,
    { of: { since, brownedOut, ofConsole, ...of } }: { of: Readonly<Record<string, string>> },
  ) => {
    const time = since === undefined ? null : new Date(since);
    if (time && !(time.getTime() > 0 && isWrittenInFourDigits(time)))
      throw badInput({ 'of.since': ['A time is expected.'] });
    const values = valuesOfFilter({
      ...of,
      since: time,
      brownedOut: brownedOut === 'yes',
      ofConsole: ofConsole === undefined ? null : ofConsole === 'yes',
    });
    const user = mayRead(context, User) ? 'u.user_guid::text = usages.caller' : 'false';
    return {
      text: `select count(*) over ()::text as "#", client_id as "clientId",
          (select name from clients c where c.client_id = usages.client_id) as client, ${fullName('u.')} as "callerName",
          u.email as "callerEmail", caller, operation, option, media_type as "mediaType", product,
          ${timeText('first_seen_at')} as "firstSeenAt", ${timeText('last_seen_at')} as "lastSeenAt", count, brownouts
        from usages left join users u on ${user} ${matching} order by last_seen_at desc, usage_id desc`,
      values,
    };
  },
};

// the service's operations, without pages, documents and health checks
const counted =
  /^\/(token|profiles|revoke|validate-token|introspect|verify|backchannel-logout|access\/v1|api|graphql|console\/graphql)(\/|$)/;

/** Counts a request after it has ended. */
export const countUsage =
  ({ note }: UsageRecorder) =>
  (ended: CurrentRequest): void => {
    const isBrownout = ended.isBrownout && ended.response.statusCode === 410;
    const key = usageOf(ended, isBrownout);
    if (key) note(key, isBrownout);
  };

/** Undefined for other paths, and for refusals of unauthenticated callers. */
function usageOf(current: CurrentRequest, isBrownout: boolean): UsageKey | undefined {
  const endpoint = endpointOf(current);
  const method = methodOf(current);
  if (endpoint === undefined || method === undefined || method === 'OPTIONS' || !counted.test(endpoint))
    return undefined;
  const { request, response, caller = '', options } = current;
  const client = clientOf(current, isBrownout);
  // anybody can invent user agents and be refused; a served request had a token, and a brown-out checks nothing
  const isServed = response.headersSent && response.statusCode < 400;
  if (client === undefined && caller === '' && !isServed && !isBrownout) return undefined;
  const { 'content-type': mediaType = '', 'user-agent': userAgent = '' } = request.headers;
  return {
    clientId: client ?? '',
    ...(client !== undefined && !current.isClientProven && { credential: current.clientCredential ?? '' }),
    caller,
    operation: `${method} ${endpoint}`,
    option: endpoint.endsWith('/graphql') ? (operationOf(current) ?? '') : (options ?? grantOf(current, endpoint)),
    mediaType: mediaType.split(';', 1)[0]!.trim().toLowerCase(),
    // RFC 9110 §10.1.5: the first is the most significant
    product: /^[^\s(]{1,100}/.exec(userAgent.trim())?.[0] ?? '',
  };
}

/** A request counts for a client only if it proved to be that client, or a brown-out answered it before any check. */
function clientOf(
  { clientId, clientFailure, isClientProven, clientCredential }: CurrentRequest,
  isBrownout: boolean,
): string | undefined {
  const isIdentified = isClientProven || clientCredential !== undefined || isBrownout;
  return isIdentified && clientFailure === undefined && clientId !== undefined && clientId.length <= clientIdLengthMax
    ? clientId
    : undefined;
}
