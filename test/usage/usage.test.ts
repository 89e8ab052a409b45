/** Who still uses what: exactly what a day of clients sent, over restarts and processes, in bounded space. */
import { setTimeout as pause } from 'node:timers/promises';
import { openDatabaseClock } from '../../src/services/keys/databaseClock.js';
import { purgeExpired } from '../../src/services/maintenance/purge.js';
import { type FoundUsage, findUsage } from '../../src/services/usage/findUsage.js';
import { openUsageRecorder, type UsageKey, usagesMax, usagesOfOneMax } from '../../src/services/usage/usageRecorder.js';
import { startApp } from '../../src/startApp.js';
import { allAdminScopes, startTestGraph, type TestGraph } from '../graphql/graph.js';
import { post, type TestApp } from '../support/app.js';
import { newClient, newHolder } from '../support/records.js';
import { exchangeBody, renewalBody } from '../support/tokens.js';

const sub = '0f000000-0000-4000-8000-000000000001';
let graph: TestGraph;
let app: TestApp;
beforeEach(async () => {
  graph = await startTestGraph({ USAGE_RETENTION_DAYS: '30' });
  app = graph.app;
});
afterEach(() => graph?.close());

const silent = { warn: () => undefined } as never;
const key = (n: number, caller = ''): UsageKey => ({
  clientId: '',
  caller,
  operation: `GET /${n}`,
  option: '',
  mediaType: '',
  product: '',
});
const openUsage = (retentionDays = 30) =>
  openUsageRecorder({ sql: app.context.sql, log: silent, clock: openDatabaseClock(), retentionDays });

/** Without times, sorted; requests are there some seconds after their answers. */
async function untilCounted(total: number): Promise<Omit<FoundUsage, 'firstSeenAt' | 'lastSeenAt'>[]> {
  for (;;) {
    const found = await findUsage(app.context, { operation: '/' });
    const own = found.filter(({ operation }) => !operation.includes('graphql'));
    if (own.reduce((sum, { count }) => sum + count, 0) >= total)
      return own
        .map(({ firstSeenAt: _first, lastSeenAt: _last, ...others }) => others)
        .sort((one, other) => (JSON.stringify(one) < JSON.stringify(other) ? -1 : 1));
    await pause(100);
  }
}

it('names exactly what clients and callers sent, through two processes', async () => {
  const { context } = app;
  const { clientId: client_id, clientSecret: client_secret } = await newClient(context);
  const { profileId, userGuid } = await newHolder(context);
  const second = await startApp({ config: { ...context.config, port: 0 }, notice: () => undefined, log: context.log });
  try {
    const exchange = (url: string, more: object = {}, headers: Record<string, string> = {}) =>
      post(
        `${url}/token`,
        {
          ...exchangeBody(app.idToken({ sub: userGuid })),
          profileId,
          client_id,
          client_secret,
          ...more,
        },
        { 'user-agent': 'Portal/2.1 (x; y)', ...headers },
      );
    const token = (await exchange(app.url)).json.refresh_token;
    await exchange(second.url, {}, { 'content-type': 'text/json; charset=utf-8' });
    await exchange(second.url);
    await exchange(app.url, { client_secret: 'wrong' });
    await exchange(app.url, { client_id: 'nobody' });
    await exchange(app.url, renewalBody(token));
    const list = (query: string) =>
      fetch(`${app.url}/api/applications${query}`, {
        headers: {
          'api-version': '1.0',
          authorization: `Bearer ${graph.token(allAdminScopes, { sub })}`,
          'user-agent': 'curl/8.0',
        },
      });
    await list('?$top=1&$filter=isActive eq true');
    await list("?options=$filter=name eq 'x'%26$top=2");
    await list('');
    await fetch(`${app.url}/livez`);
    await fetch(`${app.url}/nowhere`);
    const product = { product: 'Portal/2.1', caller: null, brownouts: 0 };
    const json = { mediaType: 'application/json', ...product };
    const curl = { clientId: null, caller: sub, mediaType: null, product: 'curl/8.0', brownouts: 0 };
    const expected = [
      { clientId: client_id, operation: 'POST /token', option: 'exchange', count: 2, ...json },
      { clientId: client_id, operation: 'POST /token', option: 'exchange', count: 1, ...json, mediaType: 'text/json' },
      { clientId: null, operation: 'POST /token', option: 'exchange', count: 2, ...json },
      { clientId: client_id, operation: 'POST /token', option: 'refresh_token', count: 1, ...json },
      { ...curl, operation: 'GET /api/applications', option: '$filter $top', count: 1 },
      { ...curl, operation: 'GET /api/applications', option: '$filter $top options', count: 1 },
      { ...curl, operation: 'GET /api/applications', option: null, count: 1 },
    ];
    const found = await untilCounted(9);
    expect(found).toHaveLength(expected.length);
    expect(found).toEqual(expect.arrayContaining(expected));
  } finally {
    await second.close();
  }
}, 30_000);

it('what is counted when the process ends is written, and counted on by the next', async () => {
  for (const times of [3, 4]) {
    const usage = openUsage();
    for (let n = 0; n < times; n++) usage.note(key(1), n === 0);
    await usage.close();
  }
  const [found] = await findUsage(app.context, { operation: 'GET /1' });
  expect(found).toMatchObject({ count: 7, brownouts: 2 });
  const usage = openUsage();
  usage.note(key(2), false);
  await usage.close();
  expect(await findUsage(app.context, { brownedOut: true })).toEqual([found]);
});

it('rows are bounded, of several processes together; the rest is counted as others', async () => {
  const keys = Array.from({ length: usagesMax + 500 }, (_, n) => key(n, `caller ${n % 20}`));
  for (let start = 0; start < keys.length; start += 1_500) {
    const processes = [openUsage(), openUsage()];
    for (const [index, each] of keys.slice(start, start + 1_500).entries()) processes[index % 2]!.note(each, false);
    await Promise.all(processes.map((usage) => usage.close()));
  }
  const found = await findUsage(app.context, {});
  expect(found).toHaveLength(usagesMax + 1);
  expect(found.find(({ operation }) => operation === 'others')).toMatchObject({ count: 500 });
  // one that has a row goes on being counted there
  const usage = openUsage();
  usage.note(keys[0]!, false);
  usage.note(key(-1), false);
  await usage.close();
  expect(await findUsage(app.context, { operation: 'GET /0' })).toMatchObject([{ count: 2 }]);
  expect(await findUsage(app.context, { operation: 'others' })).toMatchObject([{ count: 501 }]);
}, 30_000);

it('strangers who make up programs fill no row of others: who comes after them has its own', async () => {
  for (let turn = 0; turn < 2; turn++) {
    const usage = openUsage();
    for (let n = 0; n < usagesOfOneMax; n++) usage.note({ ...key(0), product: `made-up/${turn}.${n}` }, false);
    await usage.close();
  }
  const usage = openUsage();
  usage.note(key(1, 'somebody'), false);
  usage.note({ ...key(0), product: 'made-up/0.0' }, false);
  await usage.close();
  const found = await findUsage(app.context, {});
  expect(found).toHaveLength(usagesOfOneMax + 2);
  expect(found.find(({ operation }) => operation === 'others')).toMatchObject({ count: usagesOfOneMax });
  expect(found.find(({ product }) => product === 'made-up/0.0')).toMatchObject({ count: 2 });
  expect(await findUsage(app.context, { operation: 'GET /1' })).toMatchObject([{ caller: 'somebody', count: 1 }]);
});

it('a flood within one interval costs bounded memory, and is counted', async () => {
  const usage = openUsage();
  for (let n = 0; n < 5_000; n++) usage.note({ ...key(n), product: '\u0000\u001b[2J'.repeat(100) }, false);
  await usage.close();
  const found = await findUsage(app.context, {});
  expect(found.reduce((sum, { count }) => sum + count, 0)).toBe(5_000);
  expect(found.find(({ operation }) => operation === 'others')!.count).toBe(5_000 - usagesOfOneMax);
  expect(found[5]!.product ?? '').toMatch(/^[ -~]{0,100}$/);
});

it('while the database is away nothing is lost, and nobody waits', async () => {
  const { sql } = app.context;
  let isAway = true;
  const transaction = ((work) =>
    isAway ? Promise.reject(new Error('away')) : sql.transaction(work)) as typeof sql.transaction;
  const usage = openUsageRecorder({
    sql: { ...sql, transaction },
    log: silent,
    clock: openDatabaseClock(),
    retentionDays: 9,
  });
  usage.note(key(7), false);
  await pause(2_100);
  usage.note(key(7), false);
  isAway = false;
  await usage.close();
  expect(await findUsage(app.context, { operation: 'GET /7' })).toMatchObject([{ count: 2 }]);
});

it('the graph has it with admin:security; what nobody uses any more goes after USAGE_RETENTION_DAYS', async () => {
  const usage = openUsage();
  usage.note({ ...key(3), caller: sub }, false);
  await usage.close();
  const question =
    '{ usage(operation: "GET /3") { clientId client { name } caller operation option count firstSeenAt } }';
  const answered = await graph.data(question);
  expect(answered.usage).toMatchObject([{ clientId: null, client: null, caller: sub, operation: 'GET /3', count: 1 }]);
  await expect(
    findUsage({ ...app.context, caller: { ...app.context.caller, permissions: new Set(['admin:read']) } as never }, {}),
  ).rejects.toMatchObject({ code: 'FORBIDDEN' });
  await app.context.sql.rows("update usages set last_seen_at = now() - interval '31 days'");
  await purgeExpired(
    { sql: app.context.sql, config: app.context.config, log: app.context.log },
    new AbortController().signal,
  );
  expect((await graph.data(question)).usage).toEqual([]);
});
