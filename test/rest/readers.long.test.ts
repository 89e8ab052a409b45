/** Nobody who reads takes the token endpoints down, nor goes on costing anything after they have left. */
import { randomUUID } from 'node:crypto';
import { once } from 'node:events';
import { type ClientRequest, get, type IncomingMessage, request } from 'node:http';
import { connect } from 'node:net';
import { newConsumer } from '../operations/consumer.js';
import { openCallers } from '../support/callers.js';
import { openClient } from '../support/cluster.js';
import { closeAtEnd } from '../support/lifetimes.js';
import { insert } from '../support/records.js';
import { elapse, until } from '../support/until.js';
import { newApplications, type RestApp, startRestApp } from './restApp.js';

let app: RestApp;
const start = async (settings: Record<string, string> = {}) => {
  app = await startRestApp({ DATABASE_TIMEOUT_MS: '5000', DATABASE_STATEMENT_TIMEOUT_MS: '20000', ...settings });
};
/** More than the buffers of a connection hold. */
const fill = () => newApplications(app.sql, 15_000);
const headers = () => ({ 'api-version': '1.0', authorization: `Bearer ${app.token(['admin:read'])}` });
const openList = (): ClientRequest => get(`${app.url}/api/applications`, { headers: headers(), agent: false });

/** Reads the head of the answer, and nothing else. */
async function readHead(): Promise<{ status: number; leave(): void }> {
  const asked = openList();
  const [response] = (await once(asked, 'response')) as [IncomingMessage];
  response.on('error', () => undefined).pause();
  closeAtEnd(async () => asked.destroy());
  return { status: response.statusCode!, leave: () => asked.destroy() };
}

it('readers who stop reading leave the token endpoints as they were, and who comes for a list is told to wait', async () => {
  await start();
  await fill();
  const consumer = await newConsumer(app);
  let refreshToken = (await consumer.exchange()).json.refresh_token;
  const readers = await Promise.all(Array.from({ length: 22 }, readHead));
  expect(readers.map(({ status }) => status).toSorted()).toEqual([...Array(4).fill(200), ...Array(18).fill(503)]);
  for (let count = 0; count < 10; count++) {
    const { status, json } = await consumer.renew(refreshToken);
    expect(status).toBe(200);
    refreshToken = json.refresh_token;
  }
  expect((await fetch(`${app.url}/readyz`)).status).toBe(200);
  expect((await app.call('POST', '/api/applications', { body: {} })).status).toBe(400);
  const refused = await app.call('GET', '/api/applications');
  expect([refused.status, Number(refused.headers.get('retry-after')) > 0]).toEqual([503, true]);
  for (const reader of readers) reader.leave();
});

const connectionsInUse = () =>
  app.running.database.pools.reduce((sum, { totalCount, idleCount }) => sum + totalCount - idleCount, 0);

it('a list that ends within what may wait to be read holds no connection, however slowly it is read', async () => {
  await start();
  await newApplications(app.sql, 500);
  for (let count = 0; count < 30; count++) expect((await readHead()).status).toBe(200);
  await until(() => connectionsInUse() === 0);
});

it('a reader of a long list who stops is cut off, and the next one has the place', async () => {
  await start({ READER_BYTES_PER_SECOND_MIN: '1000000000' });
  await fill();
  for (let count = 0; count < 4; count++) expect((await readHead()).status).toBe(200);
  expect(connectionsInUse()).toBe(4);
  await until(() => connectionsInUse() === 0);
  expect((await readHead()).status).toBe(200);
  expect(app.logged()).toContain('read too slowly');
});

it('a connection on which many lists are asked for at once reads one of them at a time', async () => {
  await start();
  await fill();
  const { hostname, port } = new URL(app.url);
  const socket = connect(Number(port), hostname);
  closeAtEnd(async () => socket.destroy());
  socket.on('error', () => undefined).pause();
  const lines = Object.entries({ host: 'here', ...headers() }).map(([name, value]) => `${name}: ${value}\r\n`);
  socket.write(`GET /api/applications HTTP/1.1\r\n${lines.join('')}\r\n`.repeat(40));
  await until(() => connectionsInUse() === 1);
  await elapse(500);
  expect(connectionsInUse()).toBe(1);
});

/** Statements that wait for the lock. */
async function lockApplications() {
  const lock = await openClient(app.database.url);
  await lock.query('begin; lock table applications in access exclusive mode');
  const waiting = async () => {
    const rows = await app.running.database.background.rows(
      `select pid from pg_stat_activity where datname = current_database() and wait_event_type = 'Lock'`,
    );
    return rows.length;
  };
  const untilWaiting = (count: number) => until(async () => (await waiting()) === count);
  return { untilWaiting, unlock: () => lock.end() };
}

const ofGraph = (): ClientRequest => {
  const asked = request(`${app.url}/graphql`, {
    method: 'POST',
    headers: { ...headers(), 'content-type': 'application/json' },
    agent: false,
  });
  asked.end('{"query":"{ applications { totalCount } }"}');
  return asked;
};

it.each([
  ['a list', openList],
  ['a query of the graph', ofGraph],
])('%s whose client leaves is cancelled in the database, and nothing of it is an error', async (_name, ask) => {
  await start();
  const lock = await lockApplications();
  const asked = [ask(), ask(), ask()];
  for (const each of asked) each.on('error', () => undefined);
  await lock.untilWaiting(3);
  for (const each of asked) each.destroy();
  await lock.untilWaiting(0);
  await lock.unlock();
  expect((await app.call('GET', '/api/applications')).status).toBe(200);
  expect(app.logged()).not.toMatch(/"level":(50|"error")/);
});

describe('a burst of lists', () => {
  const versionsRead = () => app.takeStatements().filter((text) => text.includes('from catalogue_version')).length;
  /** Answered when all that came before it was looked at. */
  const lookAtAll = async () => expect((await app.call('POST', '/api/applications', { body: {} })).status).toBe(400);

  it('of one caller begins four at a time; the others cost no statement, and begin when one ends', async () => {
    await start({ DATABASE_TIMEOUT_MS: '60000' });
    const lock = await lockApplications();
    const statuses: number[] = [];
    const ask = (count: number) =>
      Array.from({ length: count }, () =>
        openList()
          .on('error', () => undefined)
          .on('response', ({ statusCode }) => statuses.push(statusCode!)),
      );
    ask(10);
    await lock.untilWaiting(4);
    const leaving = ask(30);
    await lookAtAll();
    expect(versionsRead()).toBe(4);
    for (const each of leaving) each.destroy();
    await lookAtAll();
    expect(versionsRead()).toBe(0);
    await lock.unlock();
    await until(() => statuses.length === 10);
    expect(statuses).toEqual(Array(10).fill(200));
    expect(versionsRead()).toBe(6);
  });

  it('leaves others their places, and a token that nobody signed takes none', async () => {
    await start();
    const lock = await lockApplications();
    const asked = Array.from({ length: 20 }, openList);
    for (const each of asked) each.on('error', () => undefined);
    await lock.untilWaiting(4);
    const list = (authorization?: string) =>
      fetch(`${app.url}/api/applications`, {
        headers: { 'api-version': '1.0', ...(authorization && { authorization }) },
      }).then(({ status }) => status);
    const token = app.token(['admin:read']);
    const forged = `${token.slice(0, token.lastIndexOf('.'))}.${'A'.repeat(86)}`;
    expect([await list(), await list(`Bearer ${forged}`), await list('Bearer x')]).toEqual([401, 401, 401]);
    const other = await newCaller();
    const others = list(`Bearer ${other}`);
    await lock.untilWaiting(5);
    await lock.unlock();
    expect(await others).toBe(200);
    for (const each of asked) each.destroy();
  });
});

/** A token of somebody else who may read. */
async function newCaller(): Promise<string> {
  const userGuid = randomUUID();
  await insert(app.sql, 'users', { user_guid: userGuid, first_name: 'Ada', created_by: userGuid });
  const tokenOf = await openCallers(app.context);
  return tokenOf({ userGuid, profileId: 'p', roleId: 'r', scopes: ['admin:read'] });
}
