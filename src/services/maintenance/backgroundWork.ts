/** What modules do beside requests. */
import type { SecretChecker } from '../../auth/clientSecret.js';
import type { Config } from '../../config/config.js';
import type { DatabaseClock, Dependencies } from '../../context.js';
import type { CurrentRequest } from '../../observability/currentRequest.js';
import type { Log } from '../../observability/log.js';
import type { Metrics } from '../../observability/metrics.js';
import type { Sql } from '../../sql.js';
import type { ScheduledTask } from './schedule.js';

/** Work beside requests. */
interface BackgroundWork {
  /** Called when a request has ended. */
  requestEnded?(request: CurrentRequest): void;
  /** Done at each turn of the schedule. */
  task?: ScheduledTask;
  stop(): Promise<void>;
}

/** @param sql connections for background work. Undefined: the work is switched off. */
export type OpenBackgroundWork = (
  dependencies: Dependencies,
  parts: { sql: Sql; metrics: Metrics | undefined },
) => BackgroundWork | undefined;

interface RecorderParts {
  /** Background connections. */
  sql: Sql;
  log: Log;
  clock: DatabaseClock;
  config: Config;
}

/** Opens a recorder that requests find in their context; undefined: it is switched off. */
export type OpenRecorder = (
  parts: RecorderParts & { secrets: SecretChecker; metrics: Metrics | undefined },
) => { recorder: Partial<Pick<Dependencies, 'refusalRecorder' | 'rehearsal'>>; close(): Promise<void> } | undefined;
