/** Runs scheduled tasks, such as planned changes: every few seconds, one process at a time. */
import type { Config } from '../../config/config.js';
import type { Context } from '../../context.js';
import type { Log } from '../../observability/log.js';
import type { Sql } from '../../sql.js';

/** A task that runs at each turn. */
export interface ScheduledTask {
  name: string;
  /** SQL: a condition, asked in the statement of the turn itself; absent: it runs at each turn. */
  due?: string;
  /** Does the work that is due, and stops early when the signal is aborted. */
  run(context: Context, signal: AbortSignal): Promise<void>;
}

interface ScheduleDeps {
  /** At least two connections; one holds the lock. */
  sql: Sql;
  config: Pick<Config, 'scheduleSeconds'>;
  log: Log;
  /** The context of a task: the service itself acts. */
  taskContext(): Context;
}

/** Runs each task about every `scheduleSeconds`. An error is logged, and the task runs again at the next turn. */
export function startSchedule(deps: ScheduleDeps, tasks: readonly ScheduledTask[]): { stop(): Promise<void> } {
  const { scheduleSeconds: seconds } = deps.config;
  if (seconds === 0) return { stop: async () => undefined };
  const stopping = new AbortController();
  let underWay: Promise<unknown> | undefined;
  const turn = () => {
    underWay ??= runDue(deps, tasks, stopping.signal)
      .catch((error: unknown) => deps.log.error({ error }, 'scheduled changes failed'))
      .finally(() => {
        underWay = undefined;
      });
  };
  const timer = setInterval(turn, seconds * 1_000 * (0.9 + Math.random() / 5)).unref();
  return {
    stop: async () => {
      clearInterval(timer);
      stopping.abort();
      await underWay;
    },
  };
}

/** One turn. False: another process has it. */
function runDue(
  { sql, log, taskContext }: Omit<ScheduleDeps, 'config'>,
  tasks: readonly ScheduledTask[],
  signal: AbortSignal,
): Promise<boolean> {
  return sql.transaction(async (lock) => {
    const conditions = tasks.map(({ due = 'true' }) => due).join(', ');
    // tasks take as long as they take
    await lock.rows('set local idle_in_transaction_session_timeout = 0');
    const [lockRow] = await lock.rows<{ isMine: boolean; due: boolean[] }>(
      `select pg_try_advisory_xact_lock(hashtext('gatehouse schedule')) as "isMine", array[${conditions}] as due`,
    );
    if (!lockRow!.isMine) return false;
    for (const [index, task] of tasks.entries()) {
      if (signal.aborted) break;
      if (!lockRow!.due[index]) continue;
      await task
        .run(taskContext(), signal)
        .catch((error: unknown) => log.error({ error, task: task.name }, 'scheduled changes failed'));
    }
    return true;
  });
}
