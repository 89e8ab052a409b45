/**
 * Keeps what the rehearsal of the hardened policy found, for each client, endpoint and verdict. Requests are counted in memory
 * and written by a statement every two seconds, so no answer waits for one. A row has a client of ours or none, so there are
 * no more than a few for each.
 */
import type { RehearsedVerdict } from '../../context.js';
import { clientIdLengthMax } from '../../entities/Client.js';
import { toStorable } from '../../entities/storableText.js';
import type { Log } from '../../observability/log.js';
import type { Sql } from '../../sql.js';
import { CountedKinds } from '../countedKinds.js';
import { startPeriodicWork } from '../periodicWork.js';

interface VerdictRecorder {
  /** @param clientId empty: nobody; one that isn't known is kept as nobody's */
  note(clientId: string, operation: string, verdict: RehearsedVerdict): void;
  close(): Promise<void>;
}

const writeIntervalMs = 2_000;
/** Counted at a time: what more come in one interval count for nobody. */
const kindsMax = 5_000;

const columns = 'client_id, operation, verdict, first_seen_at, last_seen_at, count';
// in one order: two processes never wait for each other's rows
const write = `insert into policy_verdicts (${columns})
  select coalesce(known.client_id, ''), operation, verdict, min(first_seen_at), max(last_seen_at), sum(count)
  from unnest($1::text[], $2::text[], $3::text[], $4::timestamptz[], $5::timestamptz[], $6::bigint[]) asked (${columns})
    left join clients known using (client_id)
  group by 1, 2, 3 order by 1, 2, 3
  on conflict (client_id, operation, verdict) do update set count = policy_verdicts.count + excluded.count,
    first_seen_at = least(policy_verdicts.first_seen_at, excluded.first_seen_at),
    last_seen_at = greatest(policy_verdicts.last_seen_at, excluded.last_seen_at)`;

interface Counted {
  clientId: string;
  operation: string;
  verdict: RehearsedVerdict;
  firstSeenAt: Date;
  lastSeenAt: Date;
  count: number;
}

interface Options {
  /** Connections that no request waits for. */
  sql: Sql;
  log: Log;
  clock: { now(): Date };
  /** Called for each verdict. */
  observe?: ((operation: string, verdict: RehearsedVerdict) => void) | undefined;
}

export function openVerdictRecorder({ sql, log, clock, observe }: Options): VerdictRecorder {
  const counted = new CountedKinds<Counted>(
    kindsMax,
    ({ clientId, operation, verdict }) => `${operation} ${verdict} ${clientId}`,
    (more) => ({ ...more, clientId: '' }),
  );
  const writes = startPeriodicWork({
    intervalMs: writeIntervalMs,
    take: () => counted.takeAll(),
    async work(written) {
      await sql.rows(write, valuesOf(written));
    },
    // while the database is away they are counted on, up to the same bound
    giveBack: (each) => counted.add(each),
    log,
    failure: 'verdicts of the rehearsal not kept',
  });

  return {
    note(clientId, operation, verdict) {
      observe?.(operation, verdict);
      const now = clock.now();
      const whose = clientId.length <= clientIdLengthMax ? clientId : '';
      counted.add({ clientId: whose, operation, verdict, firstSeenAt: now, lastSeenAt: now, count: 1 });
    },
    close: writes.close,
  };
}

const valuesOf = (written: readonly Counted[]): unknown[] => [
  written.map(({ clientId }) => toStorable(clientId)),
  written.map(({ operation }) => operation),
  written.map(({ verdict }) => verdict),
  written.map(({ firstSeenAt }) => firstSeenAt),
  written.map(({ lastSeenAt }) => lastSeenAt),
  written.map(({ count }) => count),
];
