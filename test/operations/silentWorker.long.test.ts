/** WORKERS=n with a worker that no longer answers: it takes half a minute until it is given up. */
import { createMigratedDatabase } from '../support/cluster.js';
import { freePort } from '../support/freePort.js';
import { elapse, until } from '../support/until.js';
import { startProcess } from './process.js';
import { ask, metricsAt, notFound, workersOf } from './workerProcesses.js';

it('a silent worker costs no answer, is told, and is replaced after half a minute', async () => {
  const port = await freePort();
  const running = await startProcess({
    DATABASE_URL: (await createMigratedDatabase()).url,
    ID_TOKEN_ISSUERS: '[{"issuer":"https://idp.invalid","audience":"a","idpname":"i","subject":"userGuid"}]',
    WORKERS: '2',
    METRICS_PORT: String(port),
    LOG_LEVEL: 'error',
  });
  await ask(running.url, 20);
  expect((await metricsAt(port)).value(notFound)).toBe(20);
  const [frozen] = workersOf(running) as [number];
  process.kill(frozen, 'SIGSTOP');
  while (workersOf(running).includes(frozen)) {
    const { status, value } = await metricsAt(port);
    expect([status, value(notFound)]).toEqual([200, 20]);
    // on a busy machine the other one is late now and then
    if (workersOf(running).includes(frozen)) expect(value('gatehouse_workers_silent ')).toBeGreaterThanOrEqual(1);
    await elapse(1_000);
  }
  expect(running.errors()).toContain('a worker does not answer and is killed');
  await until(async () => (await metricsAt(port)).value('gatehouse_workers ') === 2);
  await until(async () => (await metricsAt(port)).value('gatehouse_workers_silent ') === 0);
  expect((await metricsAt(port)).value(notFound)).toBe(20);
});
