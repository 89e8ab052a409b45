/** Rehearses the hardened policy: compares client secrets in the background and counts verdicts. */
import { setTimeout as pause } from 'node:timers/promises';
import { openRememberedSecrets, type SecretChecker } from '../../auth/clientSecret.js';
import type { Config } from '../../config/config.js';
import type { Rehearsal, RehearsedVerdict } from '../../context.js';
import { clientIdLengthMax } from '../../entities/Client.js';
import { toStorable } from '../../entities/valueForms.js';
import type { Log } from '../../observability/log.js';
import { type Metrics, openCounter } from '../../observability/metrics.js';
import { asColumns, CountedKinds, startPeriodicWork, type TimesSeen } from '../../services/recorders.js';
import { clientColumns, type StoredClient, searchableClientId } from '../../services/tokens/client.js';
import { isRehearsal } from '../../services/tokens/policy.js';
import type { Sql } from '../../sql.js';

/** Counts verdicts by client, endpoint and verdict in memory, and writes them every two seconds. */
interface VerdictRecorder {
  /** @param clientId empty if unknown; an id that is not registered counts as empty */
  note(clientId: string, operation: string, verdict: RehearsedVerdict): void;
  close(): Promise<void>;
}

const writeIntervalMs = 2_000;
/** Kinds counted in memory; more in one interval count without a client. */
const kindsMax = 5_000;

const columns = 'client_id, operation, verdict, first_seen_at, last_seen_at, count';
// sorted, so that two processes cannot deadlock
const write = `insert into policy_verdicts (${columns})
  select coalesce(known.client_id, ''), operation, verdict, min(first_seen_at), max(last_seen_at), sum(count)
  from unnest($1::text[], $2::text[], $3::text[], $4::timestamptz[], $5::timestamptz[], $6::bigint[]) asked (${columns})
    left join clients known using (client_id)
  group by 1, 2, 3 order by 1, 2, 3
  on conflict (client_id, operation, verdict) do update set count = policy_verdicts.count + excluded.count,
    first_seen_at = least(policy_verdicts.first_seen_at, excluded.first_seen_at),
    last_seen_at = greatest(policy_verdicts.last_seen_at, excluded.last_seen_at)`;

interface CountedVerdict extends TimesSeen {
  clientId: string;
  operation: string;
  verdict: RehearsedVerdict;
}

interface RehearsalOptions {
  config: Pick<Config, 'tokenPolicy'>;
  /** Background connections. */
  sql: Sql;
  secrets: SecretChecker;
  log: Log;
  clock: { now(): Date };
  metrics?: Metrics | undefined;
}

/** @param metrics counts each verdict */
export function openVerdictRecorder({
  sql,
  log,
  clock,
  metrics,
}: Omit<RehearsalOptions, 'config' | 'secrets'>): VerdictRecorder {
  const countInMetrics =
    metrics &&
    openCounter(metrics, {
      name: 'gatehouse_rehearsed_requests_total',
      help: 'TOKEN_POLICY=rehearsal: requests by the verdict of the hardened policy.',
      labelNames: ['endpoint', 'verdict'],
    });
  const counted = new CountedKinds<CountedVerdict>({
    kindsMax,
    nameOf: ({ clientId, operation, verdict }) => `${operation} ${verdict} ${clientId}`,
    otherOf: (more) => ({ ...more, clientId: '' }),
  });
  const writes = startPeriodicWork({
    intervalMs: writeIntervalMs,
    take: () => counted.takeAll(),
    async work(written) {
      const rows = written.map(({ clientId, operation, verdict, firstSeenAt, lastSeenAt, count }) => {
        return [toStorable(clientId), operation, verdict, firstSeenAt, lastSeenAt, count];
      });
      await sql.rows(write, asColumns(rows));
    },
    // during a database outage counting goes on in memory, within the same limit
    giveBack: (count) => counted.add(count),
    log,
    failure: 'verdicts of the rehearsal could not be stored',
  });

  return {
    note(clientId, operation, verdict) {
      countInMetrics?.(1, operation, verdict);
      const now = clock.now();
      const countedId = clientId.length <= clientIdLengthMax ? clientId : '';
      counted.add({ clientId: countedId, operation, verdict, firstSeenAt: now, lastSeenAt: now, count: 1 });
      writes.due();
    },
    close: writes.close,
  };
}

const intervalMs = 100;
/** Waiting requests; further ones are not judged. */
const waitingMax = 500;
/** bcrypt's limit, in bytes. */
const secretMax = 72;
/** Comparisons in one interval; further requests are not judged. */
const comparisonsMax = 20;
/** Verified secrets that are remembered. */
const rememberedMax = 10_000;
/** Pause after a comparison, as a multiple of its duration. */
const pauseShare = 3;

const statement = `select ${clientColumns} from unnest($1::text[]) with ordinality asked(client_id, ord)
  left join clients client on client.client_id = asked.client_id order by asked.ord`;

interface Trial {
  clientId: string;
  clientSecret: string;
  then: (isProven: boolean | undefined) => void;
}

/**
 * Checks client secrets after their requests were answered. Secrets verified before are checked by one statement for all
 * that wait; others are compared one at a time, in at most a quarter of the time, so that requests do not wait for them.
 */
function openCredentialTrials({ sql, secrets, log }: RehearsalOptions): {
  proves: Rehearsal['proves'];
  findProven: Rehearsal['findProven'];
  close(): Promise<void>;
} {
  let waiting: Trial[] = [];
  // separate from the secrets of requests: otherwise a caller over the limit of failures could learn which secret is right
  const remembered = openRememberedSecrets(rememberedMax);
  const closing = new AbortController();

  async function judgeAll(trials: readonly Trial[]): Promise<void> {
    const stored = await sql.rows<StoredClient>(statement, [trials.map(searchableClientId)]);
    const compare = openComparisons();
    for (const [index, trial] of trials.entries()) {
      const hashes = hashesOf(stored[index]!);
      const isRecent = hashes.some((hash) => isRemembered(trial, hash));
      // no dummy comparison is needed, because nobody can measure the time
      trial.then(isRecent || (hashes.length > 0 && (await compare(trial, hashes))));
    }
  }

  const isRemembered = ({ clientId, clientSecret }: Trial, hash: string): boolean =>
    secrets.isRemembered(clientId, clientSecret, hash) || remembered.recall(clientId, clientSecret) === hash;

  /** Compares each secret once. */
  function openComparisons() {
    const compared = new Map<string, boolean | undefined>();
    return async (trial: Trial, hashes: readonly string[]): Promise<boolean | undefined> => {
      const name = JSON.stringify([trial.clientId, trial.clientSecret]);
      if (compared.has(name)) return compared.get(name);
      if (compared.size >= comparisonsMax || closing.signal.aborted) return undefined;
      const isProven = await compareOne(trial, hashes);
      compared.set(name, isProven);
      return isProven;
    };
  }

  async function compareOne(
    { clientId, clientSecret }: Trial,
    hashes: readonly string[],
  ): Promise<boolean | undefined> {
    const startedAt = performance.now();
    try {
      const hash = await secrets.findMatch(clientSecret, hashes);
      if (hash !== undefined) remembered.remember(clientId, clientSecret, hash);
      return hash !== undefined;
    } catch {
      // the queue is full with comparisons of requests
      return undefined;
    } finally {
      await pause((performance.now() - startedAt) * pauseShare, undefined, { signal: closing.signal }).catch(
        () => undefined,
      );
    }
  }

  const work = startPeriodicWork({
    intervalMs,
    take() {
      const batch = waiting;
      waiting = [];
      return batch;
    },
    work: judgeAll,
    log,
    failure: 'credentials were not checked in the rehearsal',
  });

  return {
    proves({ clientId, clientSecret }, then) {
      if (clientSecret.length > secretMax || searchableClientId({ clientId }) === null) then(false);
      else if (waiting.length < waitingMax) waiting.push({ clientId, clientSecret, then });
      else then(undefined);
      work.due();
    },
    findProven: ({ clientId, clientSecret }) => remembered.recall(clientId, clientSecret),
    async close() {
      closing.abort();
      await work.close();
    },
  };
}

const hashesOf = (stored: StoredClient): string[] =>
  stored.client_is_active ? [stored.client_secret, stored.previous_secret].filter((hash) => hash !== null) : [];

/** Undefined unless TOKEN_POLICY is `rehearsal`. `close` judges and writes what is left. */
export function openRehearsal(options: RehearsalOptions): (Rehearsal & { close(): Promise<void> }) | undefined {
  if (!isRehearsal(options.config)) return undefined;
  const verdicts = openVerdictRecorder(options);
  const trials = openCredentialTrials(options);
  return {
    ...trials,
    note: verdicts.note,
    close: async () => {
      await trials.close();
      await verdicts.close();
    },
  };
}
