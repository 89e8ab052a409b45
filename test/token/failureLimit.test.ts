/** Failures of client authentication are limited, and nobody else pays for them. */
import { jest } from '@jest/globals';
import { SecretCheckOverloaded } from '../../src/auth/clientSecret.js';
import { setClientActive } from '../../src/services/people/clients.js';
import { type Answer, startTestApp, type TestApp } from '../support/app.js';
import { newClient } from '../support/records.js';
import { renewalBody } from '../support/tokens.js';

let app: TestApp;
afterEach(() => app.close());
const ask = (client_id: string, client_secret: string): Promise<Answer> =>
  app.post('/token', { ...renewalBody('x'), profileId: 'p', client_id, client_secret });

it.each([
  'memory',
  'database',
])('after the limit an attempt is 429 with Retry-After, a remembered secret never (%s)', async (store) => {
  app = await startTestApp({ CLIENT_FAILURE_LIMIT: '5', LIMITER_STORE: store, TRUST_PROXY: 'no' });
  const client = await newClient(app.context, 'right');
  expect((await ask(client.clientId, 'right')).status).toBe(401);
  for (let attempt = 0; attempt < 5; attempt++)
    expect((await ask(client.clientId, `wrong ${attempt}`)).json).toEqual({ error: 'Invalid client credentials' });
  const limited = await ask(client.clientId, 'wrong again');
  expect([limited.status, limited.headers.get('content-type')]).toEqual([429, 'application/problem+json']);
  expect(Number(limited.headers.get('retry-after'))).toBeGreaterThan(0);
  expect((await ask('unknown', 'wrong')).status).toBe(429);
  const remembered = await ask(client.clientId, 'right');
  expect([remembered.status, remembered.text]).toEqual([401, '']);
});

it('guesses at the secret of one client limit only that client, from whatever addresses', async () => {
  app = await startTestApp({ CLIENT_FAILURE_LIMIT: '5', TRUST_PROXY: '1' });
  const [attacked, other] = [await newClient(app.context, 'right'), await newClient(app.context, 'right')];
  const from = (address: number, client_id: string, client_secret: string) =>
    app.post(
      '/token',
      { ...renewalBody('x'), profileId: 'p', client_id, client_secret },
      { 'x-forwarded-for': `198.51.100.${address}` },
    );
  for (let address = 1; address <= 8; address++)
    expect((await from(address, attacked.clientId, 'wrong')).status).toBe(address <= 5 ? 401 : 429);
  // as SECURITY.md says: its good secret, never seen by this process, isn't told from a bad one without a hash
  expect((await from(99, attacked.clientId, 'right')).status).toBe(429);
  expect((await from(99, other.clientId, 'right')).text).toBe('');
});

it('bad assertions of a client count like wrong secrets, from whatever addresses', async () => {
  app = await startTestApp({ CLIENT_FAILURE_LIMIT: '3', TRUST_PROXY: '1' });
  const client = await newClient(app.context, 'right');
  const payload = Buffer.from(JSON.stringify({ iss: client.clientId, sub: client.clientId })).toString('base64url');
  const from = (address: number) =>
    fetch(`${app.url}/introspect`, {
      method: 'POST',
      headers: { 'x-forwarded-for': `198.51.100.${address}` },
      body: new URLSearchParams({
        token: 'x',
        client_assertion_type: 'urn:ietf:params:oauth:client-assertion-type:jwt-bearer',
        client_assertion: `e30.${payload}.AAAA`,
      }),
    });
  const statuses: number[] = [];
  for (let address = 1; address <= 4; address++) statuses.push((await from(address)).status);
  expect(statuses).toEqual([401, 401, 401, 429]);
});

it('an address over its limit opens no further counts, whatever client ids it makes up', async () => {
  app = await startTestApp({ CLIENT_FAILURE_LIMIT: '3', LIMITER_STORE: 'database' });
  for (let attempt = 0; attempt < 10; attempt++) await ask(`made up ${attempt}`, 'wrong');
  const counts = await app.context.sql.rows<{ key: string }>(`select key from rate_limits`);
  expect(counts.map(({ key }) => key.replace(/ [^ ]+$/, '')).sort()).toEqual([
    'failure:address',
    ...new Array(3).fill('failure:client'),
  ]);
});

it('a client that begins with many requests at once is not limited', async () => {
  app = await startTestApp({ CLIENT_FAILURE_LIMIT: '5' });
  const client = await newClient(app.context, 'right');
  const answers = await Promise.all(Array.from({ length: 40 }, () => ask(client.clientId, 'right')));
  expect(new Set(answers.map(({ text }) => text))).toEqual(new Set(['']));
});

it.each([
  'memory',
  'database',
])('more clients than the limit that begin at once, at one address with good secrets, are not limited (%s)', async (store) => {
  app = await startTestApp({ CLIENT_FAILURE_LIMIT: '3', LIMITER_STORE: store });
  const clients = await Promise.all(Array.from({ length: 12 }, () => newClient(app.context, 'right')));
  const answers = await Promise.all(clients.map(({ clientId }) => ask(clientId, 'right')));
  expect(answers.map(({ status }) => status)).toEqual(clients.map(() => 401));
  expect(new Set(answers.map(({ text }) => text))).toEqual(new Set(['']));
});

it('of wrong secrets at once, no more than the limit are compared', async () => {
  app = await startTestApp({ CLIENT_FAILURE_LIMIT: '3' });
  const clients = await Promise.all(Array.from({ length: 12 }, () => newClient(app.context, 'right')));
  const answers = await Promise.all(clients.map(({ clientId }) => ask(clientId, 'wrong')));
  expect(answers.map(({ status }) => status).sort()).toEqual([401, 401, 401, ...Array(9).fill(429)]);
});

it('an attempt that was never compared, because the queue was full, is no failure', async () => {
  app = await startTestApp({ CLIENT_FAILURE_LIMIT: '2' });
  const { clientId } = await newClient(app.context, 'right');
  const isFull = jest.spyOn(app.context.secrets, 'checkEither').mockImplementation(async (...asked) => {
    await asked[3]!();
    throw new SecretCheckOverloaded();
  });
  for (let attempt = 0; attempt < 3; attempt++) expect((await ask(clientId, 'right')).status).toBe(503);
  isFull.mockRestore();
  expect((await ask(clientId, 'right')).text).toBe('');
});

it('an X-Forwarded-For that nobody trusts opens no new count', async () => {
  app = await startTestApp({ CLIENT_FAILURE_LIMIT: '3' });
  const statuses: number[] = [];
  for (let attempt = 0; attempt < 5; attempt++) {
    const body = { grant_type: 'x', profileId: 'p', client_id: `c${attempt}`, client_secret: 'x' };
    statuses.push((await app.post('/token', body, { 'x-forwarded-for': `10.0.0.${attempt}` })).status);
  }
  expect(statuses).toEqual([401, 401, 401, 429, 429]);
});

async function costOf(clientId: string, secret: string) {
  app.takeStatements();
  const check = jest.spyOn(app.context.secrets, 'checkEither');
  const { status } = await ask(clientId, secret);
  const cost = {
    status,
    statements: app.takeStatements().filter((text) => text.includes('clients client')).length,
    comparisons: check.mock.calls.length,
  };
  jest.restoreAllMocks();
  return cost;
}

it('whoever is over the limit costs the database no statement, and nobody a comparison', async () => {
  app = await startTestApp({ CLIENT_FAILURE_LIMIT: '2' });
  const client = await newClient(app.context, 'right');
  expect(await costOf(client.clientId, 'wrong 1')).toEqual({ status: 401, statements: 1, comparisons: 1 });
  expect(await costOf(client.clientId, 'wrong 2')).toEqual({ status: 401, statements: 1, comparisons: 1 });
  expect(await costOf(client.clientId, 'wrong 3')).toEqual({ status: 429, statements: 0, comparisons: 0 });
});

it('a secret that was good before the client was switched off passes no limit', async () => {
  app = await startTestApp({ CLIENT_FAILURE_LIMIT: '2' });
  const client = await newClient(app.context, 'right');
  expect((await ask(client.clientId, 'right')).text).toBe('');
  await setClientActive(app.context, client.clientId, false);
  expect(await costOf(client.clientId, 'right')).toMatchObject({ status: 401 });
  expect(await costOf(client.clientId, 'right')).toMatchObject({ status: 401 });
  expect(await costOf(client.clientId, 'right')).toEqual({ status: 429, statements: 0, comparisons: 0 });
  await setClientActive(app.context, client.clientId, true);
  expect((await ask(client.clientId, 'right')).status).toBe(429);
});

it('a comparison for which there is no room is refused without a statement, and a remembered client goes on', async () => {
  app = await startTestApp({ CLIENT_FAILURE_LIMIT: '0', BCRYPT_COST: '6' });
  const client = await newClient(app.context, 'right');
  expect((await ask(client.clientId, 'right')).status).toBe(401);
  const attacks = Array.from({ length: 200 }, (_, index) => ask(client.clientId, `wrong ${index}`));
  const statuses = (await Promise.all([...attacks, ask(client.clientId, 'right')])).map(({ status }) => status);
  expect(statuses.at(-1)).toBe(401);
  expect(statuses.filter((status) => status === 503).length).toBeGreaterThan(0);
  expect(new Set(statuses)).toEqual(new Set([401, 503]));
  // an attack doesn't fill the log either
  const failureLines = app
    .logged()
    .split('\n')
    .filter((line) => line.includes('SecretCheckOverloaded'));
  expect(failureLines.length).toBeGreaterThan(0);
  expect(Math.max(...failureLines.map((line) => line.length))).toBeLessThan(400);
});
