/** A path whose end is announced says so on every answer, and a brown-out answers 410 and knows who came. */
import { readFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import { type EndpointEnd, endpointEnds } from '../../src/config/endpointEnds.js';
import { isBrownedOut } from '../../src/http/announcedEnds.js';
import { findUsage } from '../../src/modules/insight/usage.js';
import { allAdminScopes, startTestGraph, type TestGraph } from '../graphql/graph.js';
import { newClient, newHolder } from '../support/records.js';
import { exchangeBody } from '../support/tokens.js';
import { until } from '../support/until.js';

const sub = '0f000000-0000-4000-8000-000000000002';
const hour = 3_600_000;
const iso = (offsetMs: number) => new Date(Date.now() + offsetMs).toISOString();
let graph: TestGraph | undefined;
afterEach(async () => {
  await graph?.close();
  graph = undefined;
});

const open = async (ends: object[], more: Record<string, string> = {}): Promise<TestGraph> => {
  graph = await startTestGraph({ USAGE_RETENTION_DAYS: '9', ENDPOINT_ENDS: JSON.stringify(ends), ...more });
  return graph;
};
const ended = {
  deprecatedAt: '2026-12-01T00:00:00Z',
  sunsetAt: '2027-06-30T00:00:00Z',
  link: 'https://wiki.example.com/a',
};
const headersOf = ({ headers }: { headers: Headers }) =>
  ['deprecation', 'sunset', 'link'].map((name) => headers.get(name));
const announced = [
  '@1796083200',
  'Wed, 30 Jun 2027 00:00:00 GMT',
  '<https://wiki.example.com/a>; rel="deprecation"; type="text/html", <https://wiki.example.com/a>; rel="sunset"; type="text/html"',
];

it('answers of the path, refusals too, bear Deprecation, Sunset and Link; those of others do not', async () => {
  const { app, token } = await open(
    [
      { path: '/api/applications', ...ended },
      { path: '/token', mediaType: 'application/json', deprecatedAt: ended.deprecatedAt },
    ],
    {
      BASE_PATH: '/base',
    },
  );
  const get = (path: string, authorization = `Bearer ${token(allAdminScopes, { sub })}`) =>
    fetch(`${app.url}/base${path}`, { headers: { 'api-version': '1.0', authorization } });
  for (const path of ['/api/applications', '/API/Applications/', '/api/applications/x?a=b']) {
    expect(headersOf(await get(path))).toEqual(announced);
    expect(headersOf(await get(path, 'Bearer no'))).toEqual(announced);
  }
  for (const path of ['/api/applicationsX', '/openapi.json', '/livez'])
    expect(headersOf(await get(path))).toEqual([null, null, null]);
  expect(headersOf(await app.post('/base/token', {}))).toEqual(['@1796083200', null, null]);
  expect(
    headersOf(await app.post('/base/token', 'a=b', { 'content-type': 'application/x-www-form-urlencoded' })),
  ).toEqual([null, null, null]);
});

it('a brown-out answers 410, changes nothing, and is counted by who came; after it all is as before', async () => {
  const brownouts = [{ at: iso(-1_000), minutes: 60 }];
  const { app, token } = await open(['/token', '/api', '/graphql'].map((path) => ({ path, ...ended, brownouts })));
  const { clientId: client_id, clientSecret: client_secret } = await newClient(app.context);
  const { profileId, userGuid } = await newHolder(app.context);
  const exchange = {
    ...exchangeBody(app.idToken({ sub: userGuid })),
    profileId,
    client_id,
    client_secret,
  };
  const refused = await app.post('/token', exchange);
  expect([refused.status, refused.headers.get('content-type'), refused.json]).toEqual([
    410,
    'application/problem+json',
    expect.objectContaining({ title: 'Gone', status: 410, detail: expect.stringContaining('Link') }),
  ]);
  expect(headersOf(refused)).toEqual(announced);
  const form = await app.post('/token', new URLSearchParams(exchange).toString(), {
    'content-type': 'application/x-www-form-urlencoded',
  });
  const basic = await app.post('/token', 'grant_type=refresh_token', {
    'content-type': 'application/x-www-form-urlencoded',
    authorization: `Basic ${Buffer.from(`${client_id}:x`).toString('base64')}`,
  });
  const broken = await app.post('/token', '{');
  expect([form.status, basic.status, broken.status]).toEqual([410, 410, 410]);
  const authorization = `Bearer ${token(allAdminScopes, { sub })}`;
  const list = await fetch(`${app.url}/api/applications`, { headers: { 'api-version': '1.0', authorization } });
  expect(list.status).toBe(410);
  expect((await fetch(`${app.url}/api/applications`, { headers: { 'api-version': '1.0' } })).status).toBe(401);
  const asked = await app.post('/graphql', { query: '{ __typename }' }, { authorization });
  expect([asked.status, asked.json.errors[0].extensions.code]).toEqual([410, 'GONE']);
  expect((await app.post('/revoke', { token: 'x' })).status).toBe(404);
  expect(await app.context.sql.rows('select 1 from tokens where client_id is not null')).toEqual([]);
  const came = async () =>
    (await findUsage(app.context, {})).map(({ clientId, caller, operation, option, brownouts: n, count }) => [
      clientId ?? caller,
      operation,
      option,
      n,
      count,
    ]);
  await until(async () => (await came()).reduce((sum, each) => sum + Number(each[4]), 0) >= 6);
  expect((await came()).sort()).toEqual(
    [
      [client_id, 'POST /token', 'exchange', 1, 1],
      [client_id, 'POST /token', 'exchange', 1, 1],
      [client_id, 'POST /token', 'refresh_token', 1, 1],
      [null, 'POST /token', 'other', 1, 1],
      [sub, 'GET /api/applications', null, 1, 1],
      [sub, 'POST /graphql', null, 1, 1],
    ].sort(),
  );
});

it('brown-outs come when their schedule says, again and again until the end', () => {
  const end = (brownout: object): EndpointEnd => ({
    path: '/x',
    deprecatedAt: 0,
    sunsetAt: 100 * hour,
    brownouts: [{ at: hour, minutes: 5, ...brownout }],
  });
  const on = (each: EndpointEnd, ...times: number[]) => times.map((time) => isBrownedOut(each, time));
  const minute = hour / 60;
  expect(on(end({}), hour - 1, hour, hour + 5 * minute - 1, hour + 5 * minute, 25 * hour)).toEqual([
    false,
    true,
    true,
    false,
    false,
  ]);
  expect(on(end({ everyHours: 24 }), 25 * hour - 1, 25 * hour, 25 * hour + 5 * minute, 97 * hour, 121 * hour)).toEqual([
    false,
    true,
    false,
    true,
    false,
  ]);
});

it.each([
  ['{}', 'a JSON array'],
  ['[1]', '[0]'],
  ['[{"path":"api"}]', '[0].path'],
  ['[{"path":"/a"}]', '[0].deprecatedAt'],
  ['[{"path":"/a","deprecatedAt":"2026-01-01"}]', '[0].deprecatedAt'],
  ['[{"path":"/a","deprecatedAt":"2027-01-01T00:00:00Z","sunsetAt":"2026-01-01T00:00:00Z"}]', '[0].sunsetAt'],
  ['[{"path":"/a","deprecatedAt":"2027-01-01T00:00:00Z","link":"javascript:x"}]', '[0].link'],
  [
    '[{"path":"/a","deprecatedAt":"2027-01-01T00:00:00Z","brownouts":[{"at":"2027-01-01T00:00:00Z","minutes":0}]}]',
    '[0].brownouts[0].minutes',
  ],
  ['[{"path":"/a","deprecatedAt":"2027-01-01T00:00:00Z","until":1}]', '[0].until'],
])('a bad announcement is refused with its place: %s', (text, place) => {
  expect(() => endpointEnds(text)).toThrow(place);
});

it('the example of docs/run/ends.md is one', () => {
  const text = readFileSync(fileURLToPath(new URL('../../../docs/run/ends.md', import.meta.url)), 'utf8');
  const ends = endpointEnds(/^ *```json\n(.*?)^ *```/ms.exec(text)![1]!);
  expect(ends.map(({ path, brownouts }) => [path, brownouts.length])).toEqual([
    ['/api/applications', 2],
    ['/token', 0],
  ]);
});
