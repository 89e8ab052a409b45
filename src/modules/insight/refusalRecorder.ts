/**
 * Stores why token requests were refused, by trace id. Refusals are collected in memory and written once a second, so no
 * answer waits and an attack costs no statement for each request. Only the newest are kept. Refusals during a database
 * outage are lost; the log has them.
 */
import { openTokenBucket, type TokenBucket } from '../../auth/tokenBucket.js';
import { networkOf } from '../../config/parsers.js';
import type { DatabaseClock, NotedRefusal, RefusalRecorder } from '../../context.js';
import { toStorable } from '../../entities/valueForms.js';
import type { Log } from '../../observability/log.js';
import { asColumns, startPeriodicWork } from '../../services/recorders.js';
import type { Sql } from '../../sql.js';

/** Rows kept in the database. */
export const refusalsMax = 100_000;

const writeIntervalMs = 1_000;
/** Refusals written by one statement. More in the same second are dropped. */
const batchMax = 500;
/** Refusals of one address kept at once; then one a second, so that no address fills a batch. */
const perAddressSpare = 300;
const perAddressRefillMs = 1_000;
const addressesMax = 10_000;
const minuteMs = 60_000;
const detailMax = 500;

const columns = 'trace_id, occurred_at, endpoint, "grant", client_id, reason, detail, token_guid';
const insert = `insert into refused_requests (${columns})
  select * from unnest($1::text[], $2::timestamptz[], $3::text[], $4::text[], $5::text[], $6::text[], $7::text[], $8::uuid[])`;
// removes more rows than a batch inserts, so that several processes stay below the limit; skips rows that another process is removing
const trim = `delete from refused_requests where refused_request_id in (
    select refused_request_id from refused_requests
    where refused_request_id <= (select max(refused_request_id) from refused_requests) - ${refusalsMax}
    order by refused_request_id limit ${2 * batchMax} for update skip locked)`;

interface Options {
  /** Background connections. */
  sql: Sql;
  log: Log;
  clock: Pick<DatabaseClock, 'now'>;
  /** 0 switches it off. */
  retentionDays: number;
}

interface Kept extends NotedRefusal {
  occurredAt: Date;
}

export function openRefusalRecorder({
  sql,
  log,
  clock,
  retentionDays,
}: Options): RefusalRecorder & { close(): Promise<void> } {
  if (retentionDays === 0) return { note: () => undefined, close: async () => undefined };
  const shares = openShares(clock);
  let batch: Kept[] = [];
  const writes = startPeriodicWork({
    intervalMs: writeIntervalMs,
    take() {
      const rows = batch;
      batch = [];
      return rows;
    },
    async work(written) {
      await sql.rows(insert, asColumns(written.map(rowOf)));
      await sql.rows(trim);
    },
    log,
    failure: 'refusals could not be stored',
  });

  return {
    note(refusal) {
      if (batch.length < batchMax && shares.tryTake(refusal.address))
        batch.push({ ...refusal, occurredAt: clock.now() });
      writes.due();
    },
    close: writes.close,
  };
}

function rowOf({ traceId, occurredAt, endpoint, grant, clientId, reason, detail, tokenGuid }: Kept): unknown[] {
  const [client, cause] = [clientId && toStorable(clientId), toStorable(detail.slice(0, detailMax))];
  return [traceId, occurredAt, endpoint, grant, client, reason, cause, tokenGuid];
}

/** A token bucket for each address. */
function openShares({ now }: Options['clock']): { tryTake(address: string | null): boolean } {
  const shares = new Map<string, TokenBucket>();
  const nowMs = () => now().getTime();
  let sweptAt = nowMs();
  /** Removes full buckets: a new one would be the same. */
  const sweep = () => {
    if (Math.abs(nowMs() - sweptAt) < minuteMs) return;
    for (const [address, share] of shares) if (share.isFull()) shares.delete(address);
    sweptAt = nowMs();
  };
  return {
    tryTake(caller) {
      const address = networkOf(caller);
      let share = shares.get(address);
      if (!share) {
        if (shares.size >= addressesMax) sweep();
        if (shares.size >= addressesMax) return false;
        share = openTokenBucket({ spare: perAddressSpare, refillMs: perAddressRefillMs, now: nowMs });
        shares.set(address, share);
      }
      return share.tryTake();
    },
  };
}
