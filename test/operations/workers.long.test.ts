/** WORKERS=n: processes that share a port, and are kept; migrations by setting. */
import { randomUUID } from 'node:crypto';
import { once } from 'node:events';
import { connect } from 'node:net';
import { migrate } from '../../src/database/migrate.js';
import { allMigrations } from '../../src/database/migrations/all.js';
import { post, startTestApp } from '../support/app.js';
import { createDatabase, createMigratedDatabase, type TestDatabase } from '../support/cluster.js';
import { freePort } from '../support/freePort.js';
import { closeAtEnd } from '../support/lifetimes.js';
import { newClient, newHolder } from '../support/records.js';
import { exchangeBody, renewalBody } from '../support/tokens.js';
import { until } from '../support/until.js';
import { type ServiceProcess, startProcess } from './process.js';
import { startProxy } from './proxy.js';
import { ask, keyless, metricsAt, notFound, workersOf } from './workerProcesses.js';

let database: TestDatabase;
beforeEach(async () => {
  database = await createMigratedDatabase();
});

const issuers = JSON.stringify([{ issuer: 'https://idp.invalid', audience: 'a', idpname: 'i', subject: 'userGuid' }]);
const start = (settings: Record<string, string>, nodeOptions?: string[]): Promise<ServiceProcess> =>
  startProcess({ DATABASE_URL: database.url, ID_TOKEN_ISSUERS: issuers, ...settings }, nodeOptions);
/** Words for Node that run a statement at the beginning of the worker with that number, of those started so far. */
const inWorker = (number: number, statement: string): string[] => [
  '--import',
  `data:text/javascript,import cluster from 'node:cluster'; if (cluster.worker?.id === ${number}) ${statement}`,
];
const dies = "process.kill(process.pid, 'SIGKILL')";

const isReady = (url: string) =>
  fetch(`${url}/readyz`, { headers: keyless }).then(
    ({ status }) => status === 200,
    () => false,
  );

it('a worker that is killed is replaced, and meanwhile the others answer', async () => {
  const running = await start({ WORKERS: '2', LOG_LEVEL: 'error' });
  const before = workersOf(running);
  expect(before).toHaveLength(2);
  process.kill(before[0]!, 'SIGKILL');
  await until(() => !workersOf(running).includes(before[0]!));
  for (let count = 0; count < 20; count++) expect(await isReady(running.url)).toBe(true);
  await until(() => workersOf(running).length === 2);
  expect(workersOf(running)).toContain(before[1]);
  expect(running.errors()).toContain('a worker ended and is replaced');
});

it('a worker that ends while it starts is replaced, when another one listens', async () => {
  const running = await start({ WORKERS: '3', LOG_LEVEL: 'error' }, inWorker(2, dies));
  expect(await isReady(running.url)).toBe(true);
  await until(() => workersOf(running).length === 3);
  expect(running.errors()).toContain('a worker ended and is replaced');
});

it('the start fails when its first worker ends before it listens', async () => {
  await expect(start({ WORKERS: '3' }, inWorker(1, dies))).rejects.toThrow('ended with 1: No worker could be started.');
});

it('the end of the process waits for no worker that is only starting', async () => {
  const waits = "await new Promise(() => process.on('message', () => process.send({ isAlive: true })))";
  const running = await start({ WORKERS: '2', SHUTDOWN_GRACE_MS: '600000' }, inWorker(3, waits));
  process.kill(workersOf(running)[1]!, 'SIGKILL');
  await until(() => workersOf(running).length === 1);
  await until(() => workersOf(running).length === 2);
  running.child.kill('SIGTERM');
  expect(await running.ended).toEqual([0, null]);
});

it('the port of the primary shows the sums of all workers', async () => {
  const port = await freePort();
  const { url } = await start({ WORKERS: '2', METRICS_PORT: String(port) });
  for (let count = 0; count < 20; count++) await fetch(`${url}/nowhere`, { headers: keyless });
  const text = await (await fetch(`http://127.0.0.1:${port}/metrics`)).text();
  expect(text).toContain('gatehouse_requests_total{method="GET",endpoint="other",grant="",status="404"} 20');
  expect(await isReady(`http://127.0.0.1:${port}`)).toBe(true);
});

it('the health check at the port of the primary is what the workers say of the database, and of a worker that stands still', async () => {
  const proxy = await startProxy(database.url);
  closeAtEnd(async () => proxy.thaw());
  const port = await freePort();
  const running = await start({
    WORKERS: '2',
    METRICS_PORT: String(port),
    DATABASE_URL: proxy.url,
    LOG_LEVEL: 'silent',
  });
  const readyz = async () => {
    const answer = await fetch(`http://127.0.0.1:${port}/readyz`, { headers: keyless });
    const { checks } = (await answer.json()) as { checks: object };
    return [answer.status, checks] as const;
  };
  const ok = { workers: 'ok', database: 'ok', keys: 'ok', migrations: 'ok', clock: 'ok' };
  expect(await readyz()).toEqual([200, ok]);
  proxy.freeze();
  expect(await readyz()).toEqual([503, expect.objectContaining({ workers: 'ok', database: 'no answer in 2000 ms' })]);
  proxy.thaw();
  await until(async () => (await readyz())[0] === 200);
  await proxy.cut();
  expect(await readyz()).toEqual([
    503,
    expect.objectContaining({ workers: 'ok', database: expect.stringMatching(/unavailable|terminated/) }),
  ]);
  await proxy.restore();
  await until(async () => (await readyz())[0] === 200);
  const [still, other] = workersOf(running) as [number, number];
  process.kill(still, 'SIGSTOP');
  expect(await readyz()).toEqual([200, ok]);
  process.kill(other, 'SIGSTOP');
  expect(await readyz()).toEqual([503, { workers: 'none answers' }]);
  for (const pid of [still, other]) process.kill(pid, 'SIGCONT');
  await until(async () => (await readyz())[0] === 200);
});

it('nobody waits for what a worker counted that is only starting, and no worker is no empty answer', async () => {
  const port = await freePort();
  const started = start({ WORKERS: '2', METRICS_PORT: String(port) });
  let listens = false;
  started.then(() => {
    listens = true;
  });
  const seen: [number, number][] = [];
  while (!listens) {
    const answer = await metricsAt(port).catch(() => undefined);
    if (answer) seen.push([answer.status, answer.value('gatehouse_workers ')]);
  }
  const first = seen.findIndex(([status]) => status === 200);
  expect(first).toBeGreaterThan(0);
  expect(seen.slice(0, first).map(([status]) => status)).toEqual(new Array(first).fill(503));
  for (const [status, workers] of seen.slice(first)) expect([status, workers > 0]).toEqual([200, true]);
  await started;
});

it('totals of a worker that ended stay, whether it was killed or asked to end', async () => {
  const port = await freePort();
  const running = await start({ WORKERS: '2', METRICS_PORT: String(port), LOG_LEVEL: 'silent' });
  let least = 0;
  const untilReplaced = async (pid: number): Promise<void> => {
    await until(async () => {
      const { status, value } = await metricsAt(port);
      // 503 while no worker has answered yet
      if (status === 200) expect(value(notFound)).toBeGreaterThanOrEqual(least);
      return !workersOf(running).includes(pid) && value('gatehouse_workers ') === 2;
    });
  };
  await ask(running.url, 20);
  least = (await metricsAt(port)).value(notFound);
  expect(least).toBe(20);
  const seconds = (await metricsAt(port)).value(
    'gatehouse_request_duration_seconds_count{method="GET",endpoint="other"',
  );
  expect(seconds).toBe(20);
  const [killed, asked] = workersOf(running) as [number, number];
  const startedAt = (await metricsAt(port)).value('process_start_time_seconds ');
  process.kill(killed, 'SIGKILL');
  await untilReplaced(killed);
  // an alert sees that workers end again and again
  await until(async () => (await metricsAt(port)).value('process_start_time_seconds ') > startedAt);
  expect((await metricsAt(port)).value(notFound)).toBe(20);

  await ask(running.url, 20);
  process.kill(asked, 'SIGTERM');
  await untilReplaced(asked);
  expect((await metricsAt(port)).value(notFound)).toBe(40);
  expect((await metricsAt(port)).value('process_resident_memory_bytes ')).toBeLessThan(1e9);
});

it('a signal ends the primary and its workers, with exit 0', async () => {
  const running = await start({ WORKERS: '2' });
  const workers = workersOf(running);
  running.child.kill('SIGTERM');
  expect(await running.ended).toEqual([0, null]);
  for (const pid of workers) expect(() => process.kill(pid, 0)).toThrow('ESRCH');
});

it('what a worker has collected is written at a stop, also while requests last longer than they may', async () => {
  const app = await startTestApp();
  const { clientId, clientSecret } = await newClient(app.context);
  const { userGuid, profileId } = await newHolder(app.context);
  const common = { profileId, client_id: clientId, client_secret: clientSecret };
  const { json } = await app.post('/token', { ...exchangeBody(app.idToken({ sub: userGuid })), ...common });
  const running = await startProcess({
    DATABASE_URL: app.database.url,
    ID_TOKEN_ISSUERS: issuers,
    WORKERS: '2',
    SHUTDOWN_GRACE_MS: '5000',
  });
  const headers = { ...keyless, 'idempotency-key': randomUUID() };
  const renewal = { ...renewalBody(json.refresh_token), ...common };
  for (let time = 0; time < 4; time++) expect((await post(`${running.url}/token`, renewal, headers)).status).toBe(200);
  const { port } = new URL(running.url);
  const unended = await Promise.all(
    Array.from({ length: 6 }, async () => {
      const socket = connect(Number(port), '127.0.0.1');
      socket.on('error', () => undefined);
      const type = 'content-type: application/json';
      const lines = ['POST /token HTTP/1.1', 'host: x', type, 'content-length: 9', 'expect: 100-continue'];
      socket.write(`${lines.join('\r\n')}\r\n\r\n`);
      expect(String((await once(socket, 'data'))[0])).toContain('100 Continue');
      return socket;
    }),
  );
  running.child.kill('SIGTERM');
  expect(await running.ended).toEqual([0, null]);
  for (const socket of unended) socket.destroy();
  const recovered = "select sum((detail->>'count')::int)::int as count from audit_events where action = 'recover'";
  expect(await app.context.sql.rows(recovered)).toEqual([{ count: 3 }]);
  await app.close();
});

it('workers end when their primary is killed', async () => {
  const running = await start({ WORKERS: '2', SHUTDOWN_GRACE_MS: '500' });
  const workers = workersOf(running);
  running.child.kill('SIGKILL');
  await running.ended;
  const isThere = (pid: number) => {
    try {
      return process.kill(pid, 0);
    } catch {
      return false;
    }
  };
  await until(() => !workers.some(isThere));
});

it('a taken port is told once, and ends the start', async () => {
  const { url } = await start({});
  const second = startProcess({
    DATABASE_URL: database.url,
    ID_TOKEN_ISSUERS: issuers,
    WORKERS: '3',
    PORT: new URL(url).port,
  });
  const error = await second.then(
    () => undefined,
    (reason: Error) => reason.message,
  );
  expect(error?.match(/is in use/g)).toHaveLength(1);
  expect(error).toContain('ended with 1');
});

it('AUTO_MIGRATE=no refuses a database that lacks migrations, and starts on one that has them', async () => {
  const empty = await createDatabase();
  const refused = startProcess({ DATABASE_URL: empty.url, ID_TOKEN_ISSUERS: issuers, AUTO_MIGRATE: 'no' });
  await expect(refused).rejects.toThrow(/lacks Migration\d+.*run bin\/gatehouse migrate first/);
  expect(await isReady((await start({ AUTO_MIGRATE: 'no' })).url)).toBe(true);
});

it('processes that start together on an empty database run its migrations once', async () => {
  const empty = await createDatabase();
  const ran = await Promise.all([1, 2, 3].map(() => migrate(empty.url, 10_000)));
  expect(ran.flat()).toEqual(allMigrations.map(({ name }) => name));
});
