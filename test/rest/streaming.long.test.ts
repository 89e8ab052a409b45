/** A list is written as its rows come: held nowhere, torn down when something fails, given up when nobody listens. */
import { once } from 'node:events';
import { get } from 'node:http';
import { Writable } from 'node:stream';
import { setFlagsFromString } from 'node:v8';
import { runInNewContext } from 'node:vm';
import type { Request, Response } from 'express';
import { sendList } from '../../src/rest/applications/lists.js';
import { administer } from '../support/cluster.js';
import { elapse, until } from '../support/until.js';
import { newApplications, newScopes, type RestApp, startRestApp } from './restApp.js';

setFlagsFromString('--expose-gc');
const collectGarbage = runInNewContext('gc') as () => void;
const applications = 3_000;
const mappings = 20;
let app: RestApp;
beforeAll(async () => {
  app = await startRestApp({ DATABASE_POOL_MAX: '3', DATABASE_STATEMENT_TIMEOUT_MS: '60000' });
  const scopes = await newScopes(app.sql, mappings);
  await newApplications(app.sql, applications, scopes);
  await app.sql.rows('analyze');
});
afterAll(() => app.close());

const open = async () => {
  const request = get(`${app.url}/api/applications`, {
    headers: { 'api-version': '1.0', authorization: `Bearer ${app.token(['admin:read'])}` },
  });
  const [response] = await once(request, 'response');
  return { request, response };
};
const busy = async () => {
  const database = new URL(app.database.url).pathname.slice(1);
  const rows = await app.sql.rows(
    `select 1 from pg_stat_activity where datname = $1 and state <> 'idle' and pid <> pg_backend_pid()`,
    [database],
  );
  return rows.length;
};

it('a list of many megabytes passes through without being held', async () => {
  const { response } = await open();
  const held = () => {
    // what the first round frees may hold what only the second one does
    collectGarbage();
    collectGarbage();
    return process.memoryUsage().heapUsed + process.memoryUsage().external;
  };
  let bytes = 0;
  let mappers = 0;
  let most = 0;
  let measuredAt = 0;
  const before = held();
  for await (const chunk of response) {
    bytes += chunk.length;
    mappers += chunk.toString('latin1').split('"accessScopeApplicationsMapperId"').length - 1;
    if (bytes - measuredAt < 10_000_000) continue;
    measuredAt = bytes;
    most = Math.max(most, held() - before);
  }
  expect(bytes).toBeGreaterThan(60_000_000);
  // a key that a chunk's end cuts is missed
  expect(mappers).toBeGreaterThan(applications * mappings * 0.9);
  expect(most).toBeLessThan(bytes / 5);
});

it('a client that goes away gives the connection to the database back', async () => {
  for (let round = 0; round < 6; round++) {
    const { request, response } = await open();
    await once(response, 'data');
    request.destroy();
  }
  await until(async () => (await busy()) === 0);
  expect((await app.call('GET', '/api/applications?$top=1')).status).toBe(200);
});

it('a failure in the middle destroys the connection and never closes the array', async () => {
  const { response } = await open();
  let text = '';
  const ended = new Promise<string>((resolve) => {
    response.on('data', (chunk: Buffer) => {
      text += chunk.toString('latin1');
    });
    response.on('end', () => resolve('end'));
    response.on('error', () => resolve('error'));
  });
  await once(response, 'data');
  response.pause();
  const database = new URL(app.database.url).pathname.slice(1);
  await administer(
    `select pg_terminate_backend(pid) from pg_stat_activity where datname = '${database}' and query like '%row_to_json%'`,
  );
  response.resume();
  expect(await ended).toBe('error');
  expect(text.endsWith(']')).toBe(false);
  await until(async () => (await app.call('GET', '/api/applications?$top=1')).status === 200);
});

describe('rows', () => {
  const row = `"${'x'.repeat(400_000)}"`;
  const source = () => {
    const seen = { read: 0, closed: false };
    async function* batches() {
      try {
        for (;;) {
          seen.read += 1;
          yield [row];
        }
      } finally {
        seen.closed = true;
      }
    }
    return { seen, batches: batches() };
  };
  const slow = () => {
    const response = new Writable({ highWaterMark: 1, write: () => undefined });
    return Object.assign(response, { type: () => response }) as unknown as Response;
  };

  it('are read ahead of a slow client to a megabyte, no further, and no longer than anybody listens', async () => {
    const { seen, batches } = source();
    const response = slow();
    const sent = sendList({ method: 'GET' } as Request, response, batches);
    await until(() => seen.read === 3);
    await elapse(50);
    expect(seen).toEqual({ read: 3, closed: false });
    response.destroy();
    await sent;
    expect(seen).toEqual({ read: 4, closed: true });
  });

  it('that are only asked about by HEAD are not read on', async () => {
    const { seen, batches } = source();
    await sendList({ method: 'HEAD' } as Request, slow(), batches);
    expect(seen).toEqual({ read: 1, closed: true });
  });
});
