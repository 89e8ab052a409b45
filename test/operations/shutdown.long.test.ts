/** How a process ends: on a signal of its operator, in time, and without breaking what it has begun. */
import { chmod, mkdtemp, readFile, rm } from 'node:fs/promises';
import { Agent, request } from 'node:http';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type pg from 'pg';
import { removeEmbeddedPostgres } from '../../dev/postgres/remove.js';
import { createMigratedDatabase, openClient, type TestDatabase } from '../support/cluster.js';
import { renewalBody } from '../support/tokens.js';
import { until } from '../support/until.js';
import { type ServiceProcess, startProcess } from './process.js';

let database: TestDatabase;
let service: ServiceProcess;
let lock: pg.Client;
beforeEach(async () => {
  database = await createMigratedDatabase();
  lock = await openClient(database.url);
});

const start = async (settings: Record<string, string> = {}, line?: string): Promise<void> => {
  const idTokenIssuers = [{ issuer: 'https://idp.invalid', audience: 'a', idpname: 'i', subject: 'userGuid' }];
  const all = { DATABASE_URL: database.url, ID_TOKEN_ISSUERS: JSON.stringify(idTokenIssuers), ...settings };
  service = await startProcess(all, [], line);
};

interface Seen {
  status: number;
  connection: string | undefined;
}

/** A request that has to read clients. */
function ask(agent: Agent, path = '/token'): Promise<Seen> {
  const body = JSON.stringify({
    ...renewalBody('r'),
    profileId: 'p',
    client_id: 'c',
    client_secret: 's',
  });
  return new Promise((resolve, reject) => {
    const asked = request(
      `${service.url}${path}`,
      { agent, method: 'POST', headers: { 'content-type': 'application/json' } },
      (response) => {
        response.resume();
        response.on('end', () => resolve({ status: response.statusCode!, connection: response.headers.connection }));
      },
    );
    asked.on('error', reject);
    asked.end(body);
  });
}

/** A request that stays under way until `lock` commits. */
async function askSlowly(agent: Agent): Promise<{ answer: Promise<Seen> }> {
  await lock.query('begin; lock table clients in access exclusive mode');
  const answer = ask(agent);
  answer.catch(() => undefined);
  const waiting = `select 1 from pg_locks where not granted`;
  await until(async () => (await lock.query(waiting)).rowCount! > 0);
  return { answer };
}

it('SIGTERM: the request under way is answered and its connection closed, then exit 0', async () => {
  await start();
  const agent = new Agent({ keepAlive: true });
  const { answer } = await askSlowly(agent);
  service.child.kill('SIGTERM');
  await untilRefused();
  await lock.query('commit');
  expect(await answer).toEqual({ status: 401, connection: 'close' });
  expect(await service.ended).toEqual([0, null]);
  agent.destroy();
});

it('SIGTERM to what npm start runs ends the service: no shell stays between and leaves it behind', async () => {
  const { scripts } = JSON.parse(await readFile('package.json', 'utf8'));
  await start({}, scripts.start);
  service.child.kill('SIGTERM');
  expect(await service.ended).toEqual([0, null]);
  await untilRefused();
});

async function untilRefused(): Promise<void> {
  const agent = new Agent();
  const isRefused = () =>
    ask(agent, '/nowhere').then(
      () => false,
      () => true,
    );
  await until(isRefused);
}

it('SHUTDOWN_DELAY_MS lets requests in a while longer, and each connection ends with its answer', async () => {
  await start({ SHUTDOWN_DELAY_MS: '4000' });
  const agent = new Agent({ keepAlive: true });
  expect((await ask(agent)).connection).toBe('keep-alive');
  service.child.kill('SIGTERM');
  let seen = await ask(agent);
  while (seen.connection !== 'close') seen = await ask(agent);
  expect(seen.status).toBe(401);
  expect((await ask(new Agent())).status).toBe(401);
  expect(await service.ended).toEqual([0, null]);
  agent.destroy();
});

it('a request that outlasts the grace time is cut off, and the exit is 0 nevertheless', async () => {
  await start({ SHUTDOWN_GRACE_MS: '500' });
  const { answer } = await askSlowly(new Agent());
  service.child.kill('SIGTERM');
  await expect(answer).rejects.toThrow(/hang up|ECONNRESET/);
  expect(await service.ended).toEqual([0, null]);
});

it('a second signal ends the process at once', async () => {
  await start({ SHUTDOWN_GRACE_MS: '60000' });
  await askSlowly(new Agent());
  service.child.kill('SIGTERM');
  await untilRefused();
  service.child.kill('SIGTERM');
  expect(await service.ended).toEqual([143, null]);
});

it('Ctrl-C stops the service, which waits for no idle connection, and its embedded database when nobody else uses it', async () => {
  const dataDir = await mkdtemp(join(tmpdir(), 'gatehouse-stop-'));
  await chmod(dataDir, 0o711);
  try {
    service = await startProcess({ DATA_DIR: dataDir, SHUTDOWN_GRACE_MS: '600000' });
    const idle = new Agent({ keepAlive: true });
    await ask(idle);
    service.child.kill('SIGINT');
    expect(await service.ended).toEqual([0, null]);
    idle.destroy();
  } finally {
    await service.kill();
    await removeEmbeddedPostgres(dataDir);
    await rm(dataDir, { recursive: true, force: true });
  }
});
