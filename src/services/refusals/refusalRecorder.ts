/**
 * Keeps why token requests were refused, for whoever asks by the trace id. They are gathered and written by a statement a
 * second, so no answer waits for one and an attack costs no statement per request; the newest stay, and a database that is
 * away costs what was refused meanwhile.
 */
import { openTokenBucket, type TokenBucket } from '../../auth/tokenBucket.js';
import type { DatabaseClock, NotedRefusal, RefusalRecorder } from '../../context.js';
import { toStorable } from '../../entities/storableText.js';
import type { Log } from '../../observability/log.js';
import type { Sql } from '../../sql.js';
import { startPeriodicWork } from '../recorders.js';

/** Most that stay in the database. */
export const refusalsMax = 100_000;

const writeIntervalMs = 1_000;
/** Of one statement; more of the same second are not kept. */
const batchMax = 500;
/** Of one address at once, which leaves others room in a batch; after that one a second, so that none pushes out the others'. */
const perAddressSpare = 300;
const perAddressRefillMs = 1_000;
const addressesMax = 10_000;
const minuteMs = 60_000;
const detailMax = 500;

const columns = 'trace_id, occurred_at, endpoint, "grant", client_id, reason, detail, token_guid';
const insert = `insert into refused_requests (${columns})
  select * from unnest($1::text[], $2::timestamptz[], $3::text[], $4::text[], $5::text[], $6::text[], $7::text[], $8::uuid[])`;
// more at a time than a batch has: no crowd of processes makes more than there may be; in one order, past those that another one removes
const trim = `delete from refused_requests where refused_request_id in (
    select refused_request_id from refused_requests
    where refused_request_id <= (select max(refused_request_id) from refused_requests) - ${refusalsMax}
    order by refused_request_id limit ${2 * batchMax} for update skip locked)`;

interface Options {
  /** Connections that no request waits for. */
  sql: Sql;
  log: Log;
  clock: Pick<DatabaseClock, 'now'>;
  /** 0: none is kept. */
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
      const taken = batch;
      batch = [];
      return taken;
    },
    async work(written) {
      await sql.rows(insert, valuesOf(written));
      await sql.rows(trim);
    },
    log,
    // the log has a line of each refusal anyway
    failure: 'refusals not kept',
  });

  return {
    note(refusal) {
      if (batch.length < batchMax && shares.tryTake(refusal.address))
        batch.push({ ...refusal, occurredAt: clock.now() });
    },
    close: writes.close,
  };
}

const valuesOf = (written: readonly Kept[]): unknown[] => [
  written.map(({ traceId }) => traceId),
  written.map(({ occurredAt }) => occurredAt),
  written.map(({ endpoint }) => endpoint),
  written.map(({ grant }) => grant),
  written.map(({ clientId }) => clientId && toStorable(clientId)),
  written.map(({ reason }) => reason),
  written.map(({ detail }) => toStorable(detail.slice(0, detailMax))),
  written.map(({ tokenGuid }) => tokenGuid),
];

/** A network of IPv6, whose addresses are all of whoever has one of them; an address of IPv4 itself. */
const holderOf = (address: string): string =>
  address.includes(':') ? address.split('::')[0]!.split(':').slice(0, 4).join(':') : address;

/** How many each address may still have. */
function openShares({ now }: Options['clock']): { tryTake(address: string | null): boolean } {
  const shares = new Map<string, TokenBucket>();
  const nowMs = () => now().getTime();
  let sweptAt = nowMs();
  /** Room for others: those that could begin anew as well. */
  const sweep = () => {
    if (Math.abs(nowMs() - sweptAt) < minuteMs) return;
    for (const [address, share] of shares) if (share.isFull()) shares.delete(address);
    sweptAt = nowMs();
  };
  return {
    tryTake(whose) {
      const address = holderOf(whose ?? '');
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
