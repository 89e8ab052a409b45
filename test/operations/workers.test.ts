/** WORKERS=n: processes that share a port, and are kept; migrations by setting. */
import { readFileSync } from 'node:fs';
import { createServer } from 'node:net';
import { migrate } from '../../src/database/migrate.js';
import { allMigrations } from '../../src/database/migrations/all.js';
import { createDatabase, createMigratedDatabase, type TestDatabase } from '../support/cluster.js';
import { endProcess, type ServiceProcess, startProcess } from './process.js';

let database: TestDatabase;
let service: ServiceProcess | undefined;
beforeEach(async () => {
  database = await createMigratedDatabase();
  service = undefined;
});
afterEach(async () => {
  await endProcess(service);
  await database.drop();
});

const issuers = JSON.stringify([{ issuer: 'https://idp.invalid', audience: 'a', idpname: 'i', subject: 'userGuid' }]);
const start = async (settings: Record<string, string>): Promise<ServiceProcess> => {
  service = await startProcess({ DATABASE_URL: database.url, ID_TOKEN_ISSUERS: issuers, ...settings });
  return service;
};

async function freePort(): Promise<number> {
  const server = createServer();
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  const { port } = server.address() as { port: number };
  await new Promise((resolve) => server.close(resolve));
  return port;
}

const workersOf = ({ child }: ServiceProcess): number[] =>
  readFileSync(`/proc/${child.pid}/task/${child.pid}/children`, 'utf8').split(' ').filter(Boolean).map(Number);
const keyless = { connection: 'close' };
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
  while (workersOf(running).includes(before[0]!));
  for (let count = 0; count < 20; count++) expect(await isReady(running.url)).toBe(true);
  while (workersOf(running).length < 2) await new Promise((resolve) => setTimeout(resolve, 20));
  expect(workersOf(running)).toContain(before[1]);
  expect(running.errors()).toContain('another one takes its place');
});

it('what all workers counted is shown together, on the port of the primary', async () => {
  const port = await freePort();
  const { url } = await start({ WORKERS: '2', METRICS_PORT: String(port) });
  for (let count = 0; count < 20; count++) await fetch(`${url}/nowhere`, { headers: keyless });
  const text = await (await fetch(`http://127.0.0.1:${port}/metrics`)).text();
  expect(text).toContain('gatehouse_requests_total{method="GET",endpoint="other",grant="",status="404"} 20');
  expect(await isReady(`http://127.0.0.1:${port}`)).toBe(true);
});

it('nobody waits for what a worker counted that is only starting', async () => {
  const port = await freePort();
  const started = start({ WORKERS: '2', METRICS_PORT: String(port) });
  let listens = false;
  started.then(() => {
    listens = true;
  });
  const seen: number[] = [];
  while (!listens) {
    const answer = await fetch(`http://127.0.0.1:${port}/metrics`, { headers: keyless }).catch(() => undefined);
    if (answer) seen.push(answer.status);
  }
  expect(seen).toContain(200);
  expect(seen).not.toContain(503);
  await started;
});

it('a signal ends the primary and its workers, with exit 0', async () => {
  const running = await start({ WORKERS: '2' });
  const workers = workersOf(running);
  running.child.kill('SIGTERM');
  expect(await running.ended).toEqual([0, null]);
  for (const pid of workers) expect(() => process.kill(pid, 0)).toThrow('ESRCH');
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
  while (workers.some(isThere)) await new Promise((resolve) => setTimeout(resolve, 20));
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
  expect(error?.match(/is taken/g)).toHaveLength(1);
  expect(error).toContain('ended with 1');
});

it('AUTO_MIGRATE=no refuses a database that lacks migrations, and starts on one that has them', async () => {
  const empty = await createDatabase();
  const refused = startProcess({ DATABASE_URL: empty.url, ID_TOKEN_ISSUERS: issuers, AUTO_MIGRATE: 'no' });
  await expect(refused).rejects.toThrow(/lacks Migration\d+.*run npx gatehouse migrate first/);
  await empty.drop();
  expect(await isReady((await start({ AUTO_MIGRATE: 'no' })).url)).toBe(true);
});

it('processes that start together on an empty database run its migrations once', async () => {
  const empty = await createDatabase();
  const ran = await Promise.all([1, 2, 3].map(() => migrate(empty.url, 10_000)));
  expect(ran.flat()).toEqual(allMigrations.map(({ name }) => name));
  await empty.drop();
});
