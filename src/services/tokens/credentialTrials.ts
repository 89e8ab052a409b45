/**
 * Whether clients are who they say, found out when their requests are answered already: for the rehearsal of the hardened
 * policy. A secret that was verified before is judged by one statement for all who wait; any other needs a comparison, one
 * at a time and a quarter of the time at most, for those of requests must not wait for these.
 */
import { setTimeout as pause } from 'node:timers/promises';
import type { SecretChecker } from '../../auth/clientSecret.js';
import { openRememberedSecrets } from '../../auth/rememberedSecrets.js';
import type { Rehearsal } from '../../context.js';
import type { Log } from '../../observability/log.js';
import type { Sql } from '../../sql.js';
import { startPeriodicWork } from '../periodicWork.js';
import { clientColumns, type StoredClient, searchableClientId } from './authenticateClient.js';

const intervalMs = 100;
/** That wait; who finds no place is not judged. */
const waitingMax = 500;
/** No longer one can be a client's. */
const secretMax = 72;
/** Of one interval; the rest is not judged. */
const comparisonsMax = 20;
/** Proven secrets of clients that prove themselves nowhere else. */
const rememberedMax = 10_000;
/** The pause after a comparison, by the time that it took. */
const pauseShare = 3;

const statement = `select ${clientColumns} from unnest($1::text[]) with ordinality asked(client_id, ord)
  left join clients client on client.client_id = asked.client_id order by asked.ord`;

interface Trial {
  clientId: string;
  clientSecret: string;
  then: (isProven: boolean | undefined) => void;
}

interface Options {
  /** Connections that no request waits for. */
  sql: Sql;
  secrets: SecretChecker;
  log: Log;
}

export function openCredentialTrials({ sql, secrets, log }: Options): {
  proves: Rehearsal['proves'];
  findProven: Rehearsal['findProven'];
  close(): Promise<void>;
} {
  let waiting: Trial[] = [];
  // not with those of requests: who is over the limit of failures would learn here which secret is right
  const remembered = openRememberedSecrets(rememberedMax);
  const closing = new AbortController();

  async function judgeAll(trials: readonly Trial[]): Promise<void> {
    const stored = await sql.rows<StoredClient>(statement, [trials.map(searchableClientId)]);
    const compare = openComparisons();
    for (const [index, trial] of trials.entries()) {
      const hashes = hashesOf(stored[index]!);
      const isKnown = hashes.some((hash) => isRemembered(trial, hash));
      // nobody waits for the answer, so its time tells nothing: where there is no hash there is no comparison
      trial.then(isKnown || (hashes.length > 0 && (await compare(trial, hashes))));
    }
  }

  const isRemembered = ({ clientId, clientSecret }: Trial, hash: string): boolean =>
    secrets.isRemembered(clientId, clientSecret, hash) || remembered.recall(clientId, clientSecret) === hash;

  /** The same secret is compared once. */
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
      // there is no room beside those of requests
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
      const taken = waiting;
      waiting = [];
      return taken;
    },
    work: judgeAll,
    log,
    failure: 'credentials were not judged in rehearsal',
  });

  return {
    proves({ clientId, clientSecret }, then) {
      if (clientSecret.length > secretMax || searchableClientId({ clientId }) === null) then(false);
      else if (waiting.length < waitingMax) waiting.push({ clientId, clientSecret, then });
      else then(undefined);
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
