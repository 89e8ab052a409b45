/** DATABASE_NAMED_STATEMENTS=no, for poolers that know no prepared statements: no part of the service sends one. */
import { newConsumer } from '../operations/consumer.js';
import { startTestApp } from '../support/app.js';
import { createMigratedDatabase } from '../support/cluster.js';
import { startProxy } from '../support/proxy.js';
import { newClient } from '../support/records.js';
import { renewalBody } from '../support/tokens.js';

async function namedStatements(named: string): Promise<Set<string>> {
  const database = await createMigratedDatabase();
  const proxy = await startProxy(database.url);
  const app = await startTestApp({
    DATABASE_URL: proxy.url,
    DATABASE_REPLICA_URLS: proxy.url,
    DATABASE_NAMED_STATEMENTS: named,
    LIMITER_STORE: 'database',
    CLIENT_FAILURE_LIMIT: '100',
    TOKEN_RATE_LIMIT: '100',
    ADMIN_RATE_LIMIT: '100',
    METRICS_PORT: '0',
    ADMIN_AUTH: 'none',
  });
  const consumer = await newConsumer(app);
  const { clientId } = await newClient(app.context);
  const get = async (path: string) => (await fetch(path, { headers: { 'api-version': '1.0' } })).status;
  // what comes once gets no name
  for (let round = 0; round < 3; round++) {
    const { json } = await consumer.exchange();
    const renewed = await consumer.renew(json.refresh_token);
    expect(renewed.status).toBe(200);
    expect((await app.post('/revoke', { token: renewed.json.refresh_token })).status).toBe(200);
    const wrong = {
      ...renewalBody('x'),
      profileId: 'p',
      client_id: clientId,
      client_secret: 'x',
    };
    expect((await app.post('/token', wrong)).status).toBe(401);
    const made = await app.post('/graphql', {
      query: `mutation { createRole(input: {roleId: "role${round}", name: "r"}) { roleId } }`,
    });
    expect(made.json.errors).toBeUndefined();
    expect(
      (await app.post('/graphql', { query: '{ roles(first: 10) { nodes { roleId } } }' })).json.errors,
    ).toBeUndefined();
    expect(await get(`${app.url}/api/applications`)).toBe(200);
    expect(await get(`${app.url}/readyz`)).toBe(200);
    expect(await get(`${app.running.metricsUrl}/metrics`)).toBe(200);
  }
  return proxy.named;
}

it('nothing is prepared under a name with the setting, and much without', async () => {
  expect([...(await namedStatements('no'))]).toEqual([]);
  expect([...(await namedStatements('yes'))].some((text) => text.includes('rate_limits'))).toBe(true);
});
