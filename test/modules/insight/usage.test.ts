/** Who still uses what: exactly what a day of clients sent, over restarts and processes, in bounded space. */

import { sweeps } from '../../../src/modules/cleanUp.js';
import {
  type FoundUsage,
  findUsage,
  openUsageRecorder,
  type UsageKey,
  usagesMax,
  usagesOfOneMax,
} from '../../../src/modules/insight/usage.js';
import { openDatabaseClock } from '../../../src/services/keys/keyStore.js';
import { purgeExpired } from '../../../src/services/maintenance/purge.js';
import { startApp } from '../../../src/startApp.js';
import { allAdminScopes, startTestGraph, type TestGraph } from '../../graphql/graph.js';
import { post, type TestApp } from '../../support/app.js';
import { newClient, newHolder } from '../../support/records.js';
import { exchangeBody, renewalBody } from '../../support/tokens.js';
import { elapse, until } from '../../support/until.js';

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
  const usages = await until(async () => {
    const found = await findUsage(app.context, { operation: '/' });
    const own = found.filter(({ operation }) => !operation.includes('graphql'));
    return own.reduce((sum, { count }) => sum + count, 0) >= total && own;
  });
  return usages
    .map(({ firstSeenAt: _first, lastSeenAt: _last, ...others }) => others)
    .sort((one, other) => (JSON.stringify(one) < JSON.stringify(other) ? -1 : 1));
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
    await exchange(app.url, { client_id, client_secret: undefined });
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
      { clientId: client_id, operation: 'POST /token', option: 'refresh_token', count: 1, ...json },
      { ...curl, operation: 'GET /api/applications', option: '$filter $top', count: 1 },
      { ...curl, operation: 'GET /api/applications', option: '$filter $top options', count: 1 },
      { ...curl, operation: 'GET /api/applications', option: null, count: 1 },
    ];
    const found = await untilCounted(7);
    expect(found).toHaveLength(expected.length);
    expect(found).toEqual(expect.arrayContaining(expected));
  } finally {
    await second.close();
  }
});

it('counts of a process that ends are stored, and the next process continues them', async () => {
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
  // one that has a row goes on being counted there, and a new one takes that of the least recently seen
  const usage = openUsage();
  usage.note(keys.at(-1)!, false);
  usage.note(key(-1, 'caller 7'), false);
  await usage.close();
  expect(await findUsage(app.context, { operation: `GET /${keys.length - 1}` })).toMatchObject([{ count: 2 }]);
  expect(await findUsage(app.context, { operation: 'GET /-1' })).toMatchObject([{ count: 1 }]);
  expect(await findUsage(app.context, { operation: 'others' })).toMatchObject([{ count: 501 }]);
});

it('strangers who make up programs fill no row of others: the newest of theirs have rows, and everybody else', async () => {
  const before = openUsage();
  before.note(key(2, 'somebody'), false);
  await before.close();
  for (let turn = 0; turn < 3; turn++) {
    const usage = openUsage();
    for (let n = 0; n < usagesOfOneMax; n++) usage.note({ ...key(0), product: `made-up/${turn}.${n}` }, false);
    if (turn === 1) usage.note(key(1, 'somebody'), false);
    await usage.close();
  }
  const found = await findUsage(app.context, {});
  expect(found).toHaveLength(usagesOfOneMax + 3);
  expect(found.find(({ operation }) => operation === 'others')).toMatchObject({ count: 2 * usagesOfOneMax });
  expect(found.filter(({ product }) => product?.startsWith('made-up/2.'))).toHaveLength(usagesOfOneMax);
  expect(found.filter(({ caller }) => caller === 'somebody')).toHaveLength(2);
});

it('callers who are known and make up programs take no row of those who have fewer, users none of clients', async () => {
  const clients = await Promise.all(Array.from({ length: 3 }, () => newClient(app.context)));
  const first = openUsage();
  for (const { clientId } of clients) for (let n = 0; n < 40; n++) first.note({ ...key(n), clientId }, false);
  for (let n = 0; n < 5; n++) first.note(key(n, 'an administrator'), false);
  await first.close();
  for (let n = 0; n < 11; n++) {
    const usage = openUsage();
    for (let each = 0; each < 999; each++) usage.note(key(each, `user ${n}`), false);
    await usage.close();
  }
  const crowd = Array.from({ length: 6 }, () => openUsage());
  for (let n = 0; n < 6_000; n++) crowd[n % 6]!.note(key(1, `one of many ${n}`), false);
  for (const each of crowd) await each.close();
  const found = await findUsage(app.context, {});
  expect(found).toHaveLength(usagesMax + 1);
  for (const { clientId } of clients) expect(found.filter((each) => each.clientId === clientId)).toHaveLength(40);
  expect(found.filter(({ caller }) => caller === 'an administrator')).not.toHaveLength(0);
  const total = 3 * 40 + 5 + 11 * 999 + 6_000;
  expect(found.reduce((sum, { count }) => sum + count, 0)).toBe(total);
});

it('a request refused in a brown-out takes no row from requests that were served', async () => {
  const { clientId } = await newClient(app.context);
  const usage = openUsage();
  for (let n = 0; n < 10; n++) usage.note({ ...key(n), clientId }, false);
  await usage.close();
  for (let turn = 0; turn < 2; turn++) {
    const flood = openUsage();
    for (let n = 0; n < usagesOfOneMax; n++) flood.note({ ...key(0), clientId, product: `x/${turn}.${n}` }, true);
    await flood.close();
  }
  const found = await findUsage(app.context, { clientId });
  expect(found).toHaveLength(usagesOfOneMax);
  expect(found.filter(({ brownouts }) => brownouts === 0)).toHaveLength(10);
});

it('one who floods an interval leaves room for others in it', async () => {
  const usage = openUsage();
  for (let n = 0; n < 5_000; n++) usage.note(key(n, 'stranger'), false);
  for (let n = 0; n < 100; n++) usage.note(key(n, `somebody ${n % 10}`), false);
  await usage.close();
  const found = await findUsage(app.context, {});
  expect(found.filter(({ caller }) => caller?.startsWith('somebody'))).toHaveLength(100);
});

describe('refused requests', () => {
  const send = (path: string, body: object | undefined, headers: Record<string, string> = {}, signal?: AbortSignal) =>
    fetch(app.url + path, {
      method: body ? 'POST' : 'GET',
      headers: {
        'content-type': 'application/json',
        'api-version': '1.0',
        'user-agent': `Made-up/${path}`,
        ...headers,
      },
      ...(body && { body: JSON.stringify(body) }),
      ...(signal && { signal }),
    }).then((response) => response.text());
  /** Notes a request that is counted, and waits for it. */
  const untilWritten = async () => {
    const { clientId: client_id, clientSecret: client_secret } = await newClient(app.context);
    await send('/token', { grant_type: 'last', profileId: 'x', client_id, client_secret });
    await until(async () => (await findUsage(app.context, { clientId: client_id })).length > 0);
  };

  it('of nobody make no rows, whatever client they name; those of who is known do', async () => {
    const { clientId: client_id, clientSecret: client_secret } = await newClient(app.context);
    const basic = `Basic ${Buffer.from(`${client_id}:wrong`).toString('base64')}`;
    const form = { 'content-type': 'application/x-www-form-urlencoded', authorization: basic };
    for (const secret of ['wrong', undefined])
      await send('/token', { grant_type: 'refresh_token', profileId: 'x', client_id, client_secret: secret });
    await send('/token', { client_id });
    await send('/token', {}, form);
    await send('/introspect', {}, form);
    await send('/revoke', { token: 'x', client_id, client_secret: 'wrong' });
    await send('/validate-token', { token: 'x', client_id });
    await send('/backchannel-logout', {}, form);
    await send('/api/applications', undefined);
    await send('/api/applications', undefined, { authorization: 'Bearer x' });
    await send('/graphql', { query: '{ __typename }' });
    await send('/console/graphql', { query: '{ __typename }' });
    await send(
      '/token',
      { grant_type: 'other', profileId: 'x', client_id, client_secret },
      { 'user-agent': 'Portal/1' },
    );
    await send('/api/applications', undefined, {
      'user-agent': 'User/1',
      authorization: `Bearer ${graph.token([], { sub })}`,
    });
    await untilWritten();
    const found = await findUsage(app.context, { since: new Date(0) });
    expect(
      found.filter(({ product }) => product?.startsWith('Made-up')).map(({ clientId }) => clientId === client_id),
    ).toEqual([false]);
    expect(found.filter(({ clientId }) => clientId === client_id)).toMatchObject([{ product: 'Portal/1', count: 1 }]);
    expect(found.find(({ product }) => product === 'User/1')).toMatchObject({ operation: 'GET /api/applications' });
  });

  it('at the limit of failures name no client', async () => {
    const limited = await startApp({
      config: { ...app.context.config, port: 0, clientFailureLimit: 1 },
      notice: () => undefined,
      log: app.context.log,
    });
    const { clientId: client_id } = await newClient(app.context);
    const statuses: number[] = [];
    for (let n = 0; n < 4; n++)
      statuses.push(
        (
          await post(
            `${limited.url}/token`,
            { grant_type: 'x', profileId: 'x', client_id, client_secret: `no ${n}` },
            { 'user-agent': `U/${n}` },
          )
        ).status,
      );
    await limited.close();
    expect(statuses).toContain(429);
    expect(await findUsage(app.context, {})).toEqual([]);
  });
});

describe('revocation and validation in JSON', () => {
  const ask = async (url: string, credentials: object, token: string) => {
    await post(`${url}/validate-token`, { token, ...credentials }, { 'user-agent': 'Api/1' });
  };
  const countsOf = async (): Promise<[string | null, number][]> =>
    (await findUsage(app.context, { operation: '/validate-token' }))
      .map(({ clientId, count }): [string | null, number] => [clientId, count])
      .sort();

  it('are the client’s whose secret is known to be good, and nobody’s whose is not', async () => {
    const { context } = app;
    const client = await newClient(context);
    const { profileId, userGuid } = await newHolder(context);
    const credentials = { client_id: client.clientId, client_secret: client.clientSecret };
    const own = await startApp({ config: { ...context.config, port: 0 }, notice: () => undefined, log: context.log });
    const exchanged = await post(`${own.url}/token`, {
      ...exchangeBody(app.idToken({ sub: userGuid })),
      profileId,
      ...credentials,
    });
    const { access_token: token } = exchanged.json;
    await ask(own.url, credentials, token);
    await ask(own.url, credentials, 'not a token');
    await ask(own.url, { ...credentials, client_secret: 'wrong' }, token);
    await ask(own.url, { client_id: client.clientId }, token);
    await ask(own.url, {}, token);
    await post(`${own.url}/revoke`, { token: 'x', ...credentials });
    await post(`${own.url}/revoke`, { token: 'x', client_id: client.clientId });
    await own.close();
    expect(await countsOf()).toEqual([
      [null, 3],
      [client.clientId, 2],
    ]);
    const [revocation, ...others] = await findUsage(context, { operation: '/revoke' });
    expect([revocation?.clientId, revocation?.count, others]).toEqual([client.clientId, 1, []]);
  });

  it('a secret that was known and is the client’s no more names nobody', async () => {
    const { context } = app;
    const client = await newClient(context);
    const { profileId, userGuid } = await newHolder(context);
    const credentials = { client_id: client.clientId, client_secret: client.clientSecret };
    const own = await startApp({ config: { ...context.config, port: 0 }, notice: () => undefined, log: context.log });
    const exchanged = await post(`${own.url}/token`, {
      ...exchangeBody(app.idToken({ sub: userGuid })),
      profileId,
      ...credentials,
    });
    await context.sql.rows(
      "update clients set client_secret = 'another', previous_secret = null where client_id = $1",
      [client.clientId],
    );
    await ask(own.url, credentials, exchanged.json.access_token);
    await own.close();
    expect(await countsOf()).toEqual([[null, 1]]);
  });
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
  await elapse(2_100);
  usage.note(key(7), false);
  isAway = false;
  await usage.close();
  expect(await findUsage(app.context, { operation: 'GET /7' })).toMatchObject([{ count: 2 }]);
});

it('the graph reads on from any place, and counts what matches', async () => {
  const usage = openUsage();
  for (let n = 0; n < 5; n++) usage.note({ ...key(3), operation: 'GET /paged', product: `p${n}` }, false);
  await usage.close();
  const page = (offset: number) =>
    graph.data(
      `{ count: usageCount(operation: "/paged") usage(operation: "/paged", first: 2, offset: ${offset}) { product } }`,
    );
  const pages = [await page(0), await page(2), await page(4)];
  expect(pages.map(({ count }) => count)).toEqual([5, 5, 5]);
  const products = pages.flatMap(({ usage: rows }) => rows as { product: string }[]).map(({ product }) => product);
  expect(products.toSorted()).toEqual(['p0', 'p1', 'p2', 'p3', 'p4']);
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
    { sql: app.context.sql, config: app.context.config, log: app.context.log, sweeps },
    new AbortController().signal,
  );
  expect((await graph.data(question)).usage).toEqual([]);
});
