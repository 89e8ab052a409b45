/** Scheduled tasks run in one process at a time, however long they take. */
import { Pool } from 'pg';
import type { Context } from '../../src/context.js';
import { openSql } from '../../src/database/statements/sql.js';
import { startSchedule } from '../../src/services/maintenance/schedule.js';
import { startTestApp } from '../support/app.js';
import { closeAtEnd } from '../support/lifetimes.js';
import { elapse, until } from '../support/until.js';

it('a task that takes longer than a transaction may be idle keeps all other processes from running it', async () => {
  const app = await startTestApp();
  closeAtEnd(() => app.close());
  const pool = new Pool({ connectionString: app.database.url, idle_in_transaction_session_timeout: 200 });
  closeAtEnd(() => pool.end());
  pool.on('error', () => undefined);
  let running = 0;
  let most = 0;
  let runs = 0;
  const run = async () => {
    running += 1;
    most = Math.max(most, running);
    await elapse(600);
    running -= 1;
    runs += 1;
  };
  const { log, config } = app.context;
  const deps = {
    sql: openSql(pool),
    log,
    config: { ...config, scheduleSeconds: 0.05 },
    taskContext: (): Context => app.context,
  };
  const processes = [1, 2].map(() => startSchedule(deps, [{ name: 'slow', run }]));
  await until(() => runs >= 2);
  await Promise.all(processes.map((each) => each.stop()));
  expect(most).toBe(1);
  expect(app.logged()).not.toContain('scheduled changes failed');
});
