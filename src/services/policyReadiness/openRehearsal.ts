/** The rehearsal of the hardened policy in this process, where TOKEN_POLICY says so. */
import type { SecretChecker } from '../../auth/clientSecret.js';
import type { Config } from '../../config/config.js';
import type { Rehearsal } from '../../context.js';
import type { Log } from '../../observability/log.js';
import type { Metrics } from '../../observability/metrics.js';
import type { Sql } from '../../sql.js';
import { openCredentialTrials } from '../tokens/credentialTrials.js';
import { isRehearsal } from '../tokens/policy.js';
import { openVerdictRecorder } from './verdictRecorder.js';

interface Options {
  config: Pick<Config, 'tokenPolicy'>;
  /** Connections that no request waits for. */
  sql: Sql;
  secrets: SecretChecker;
  log: Log;
  clock: { now(): Date };
  metrics?: Metrics | undefined;
}

/** Undefined with any other policy. `close` judges and writes what is left. */
export function openRehearsal({
  config,
  sql,
  secrets,
  log,
  clock,
  metrics,
}: Options): (Rehearsal & { close(): Promise<void> }) | undefined {
  if (!isRehearsal(config)) return undefined;
  const verdicts = openVerdictRecorder({ sql, log, clock, observe: metrics?.requestRehearsed });
  const trials = openCredentialTrials({ sql, secrets, log });
  return {
    note: verdicts.note,
    proves: trials.proves,
    findProven: trials.findProven,
    close: async () => {
      await trials.close();
      await verdicts.close();
    },
  };
}
