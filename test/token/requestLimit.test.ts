/** TOKEN_RATE_LIMIT and ADMIN_RATE_LIMIT: requests of an address, whoever calls; over the limit 429 in the shape of each face. */
import { startTestApp, type TestApp } from '../support/app.js';
import { createMigratedDatabase } from '../support/cluster.js';
import { startProxy } from '../support/proxy.js';

let app: TestApp;

const form = { 'content-type': 'application/x-www-form-urlencoded' };
type Ask = [path: string, body: unknown, headers?: Record<string, string>];
const tokenRequests: Ask[] = [
  ['/token', { grant_type: 'x' }],
  ['/token', 'grant_type=x', form],
  ['/revoke', { token: 'x' }],
  ['/revoke', 'token=x', form],
  ['/validate-token', { token: 'x' }],
  ['/profiles', { id_token: 'x' }],
  ['/profiles', 'id_token=x', form],
  ['/introspect', 'token=x', form],
];

describe.each(['memory', 'database'])('counted in the %s', (store) => {
  it('requests of an address to all token endpoints are counted together, and over the limit each is told 429 in its dialect', async () => {
    app = await startTestApp({ TOKEN_RATE_LIMIT: String(tokenRequests.length), LIMITER_STORE: store });
    for (const [path, body, headers] of tokenRequests)
      expect((await app.post(path, body, headers)).status).not.toBe(429);
    for (const [path, body, headers] of tokenRequests) {
      const answer = await app.post(path, body, headers);
      expect([path, answer.status, answer.headers.get('cache-control')]).toEqual([path, 429, 'no-store']);
      expect(Number(answer.headers.get('retry-after'))).toBeGreaterThan(0);
      const isForm = headers === form;
      expect(answer.headers.get('content-type')).toMatch(isForm ? /^application\/json/ : /^application\/problem\+json/);
      expect(answer.json).toMatchObject(
        isForm
          ? { error: 'temporarily_unavailable', error_description: 'Too many requests; try again later.' }
          : { status: 429, title: 'Too Many Requests', traceId: expect.any(String) },
      );
    }
  });

  it('requests of an address to the administration are counted together before the caller is known', async () => {
    app = await startTestApp({ ADMIN_RATE_LIMIT: '4', LIMITER_STORE: store });
    const { url } = app;
    const graphql = () => fetch(`${url}/graphql?query={__typename}`);
    const rest = () => fetch(`${url}/api/applications`, { headers: { 'api-version': '1.0' } });
    const post = () => app.post('/graphql', { query: '{ __typename }' });
    for (const ask of [graphql, rest, post, rest]) expect((await ask()).status).toBe(401);
    const limited = await rest();
    expect([limited.status, await limited.json()]).toMatchObject([429, { status: 429, title: 'Too Many Requests' }]);
    expect([limited.headers.get('api-supported-versions'), Number(limited.headers.get('retry-after')) > 0]).toEqual([
      '1.0',
      true,
    ]);
    for (const answer of [await graphql(), await fetch(`${url}/graphql`, { method: 'POST' })]) {
      expect([answer.status, Number(answer.headers.get('retry-after')) > 0]).toEqual([429, true]);
      expect((await answer.json()) as object).toMatchObject({
        errors: [{ extensions: { code: 'TOO_MANY_REQUESTS' } }],
      });
    }
  });
});

it('the two limits, other paths and other methods do not count for one another', async () => {
  app = await startTestApp({ TOKEN_RATE_LIMIT: '2', ADMIN_RATE_LIMIT: '2' });
  const { url, post } = app;
  for (let count = 0; count < 4; count++) {
    expect((await fetch(`${url}/token`)).status).toBe(405);
    expect((await fetch(`${url}/.well-known/jwks.json`)).status).toBe(200);
    expect((await fetch(`${url}/graphql`, { method: 'DELETE' })).status).toBe(405);
  }
  for (const status of [400, 400, 429]) expect((await post('/validate-token', { token: 'x' })).status).toBe(status);
  for (const status of [401, 401, 429]) expect((await post('/graphql', {})).status).toBe(status);
});

it('an X-Forwarded-For that nobody trusts opens no new count; one of a trusted proxy does', async () => {
  for (const [trust, statuses] of [
    ['no', [400, 400, 429, 429]],
    ['loopback', [400, 400, 400, 400]],
  ] as const) {
    const proxied = await startTestApp({ TOKEN_RATE_LIMIT: '2', TRUST_PROXY: trust });
    const seen: number[] = [];
    for (let last = 1; last <= 4; last++)
      seen.push(
        (await proxied.post('/validate-token', { token: 'x' }, { 'x-forwarded-for': `192.0.2.${last}` })).status,
      );
    expect(seen).toEqual(statuses);
  }
});

it('counts that the database can not keep are 503, and nobody is let through uncounted', async () => {
  const database = await createMigratedDatabase();
  const proxy = await startProxy(database.url);
  const limits = { TOKEN_RATE_LIMIT: '100', ADMIN_RATE_LIMIT: '100', LIMITER_STORE: 'database' };
  app = await startTestApp({ DATABASE_URL: proxy.url, ...limits });
  const valid = () => app.post('/validate-token', { token: 'x' });
  expect((await valid()).status).toBe(400);
  for (const fault of ['cutBefore', 'cutAfter', { sqlState: '53300' }] as const) {
    proxy.fault = (text) => (text.includes('rate_limits') ? fault : undefined);
    for (const answer of [await valid(), await app.post('/graphql', {}), await app.post('/revoke', 'token=x', form)])
      expect([answer.status, Number(answer.headers.get('retry-after')) > 0]).toEqual([503, true]);
    proxy.fault = undefined;
    expect((await valid()).status).toBe(400);
  }
});

it('no request is counted where no limit is set', async () => {
  app = await startTestApp({ LIMITER_STORE: 'database' });
  const { tokenRequests: ofTokens, adminRequests } = app.context;
  expect([ofTokens, adminRequests]).toEqual([undefined, undefined]);
  app.takeStatements();
  for (let count = 0; count < 5; count++) await app.post('/validate-token', { token: 'x' });
  expect(app.takeStatements()).toEqual([]);
});
