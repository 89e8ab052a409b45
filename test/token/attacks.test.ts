/** Attacks on two processes of one database at the same moment, with TOKEN_POLICY=hardened and LIMITER_STORE=database. */
import { jest } from '@jest/globals';
import { rotateClientSecret } from '../../src/services/people/clients.js';
import { type Answer, startTestApp, type TestApp } from '../support/app.js';
import { newClient, newHolder } from '../support/records.js';
import { exchangeBody, renewalBody } from '../support/tokens.js';

const failuresMax = 5;
let one: TestApp;
let other: TestApp;
beforeAll(async () => {
  const common = {
    ISSUER_URL: 'http://gatehouse.example',
    TOKEN_POLICY: 'hardened',
    LIMITER_STORE: 'database',
    CLIENT_FAILURE_LIMIT: String(failuresMax),
    TRUST_PROXY: '1',
  };
  one = await startTestApp(common);
  const ID_TOKEN_ISSUERS = JSON.stringify(one.context.config.idTokenIssuers);
  other = await startTestApp({ ...common, DATABASE_URL: one.database.url, ID_TOKEN_ISSUERS });
});
afterAll(async () => {
  await other.close();
  await one.close();
});
afterEach(() => jest.restoreAllMocks());

let addresses = 0;
/** Of a proxy's callers, so that no test's failures count for another's. */
const newAddress = () => ({ 'x-forwarded-for': `198.51.100.${++addresses}` });
const form = { 'content-type': 'application/x-www-form-urlencoded' };

interface Credentials {
  client_id: string;
  client_secret: string;
}
async function newCredentials(): Promise<Credentials> {
  const { clientId, clientSecret } = await newClient(one.context);
  return { client_id: clientId, client_secret: clientSecret };
}
const askAs = (app: TestApp, who: Credentials, from = newAddress()): Promise<Answer> =>
  app.post('/token', { ...renewalBody('x'), profileId: 'p', ...who }, from);
/** The client is known, and its token is not. */
const isAccepted = ({ status, text }: Answer): boolean => status === 401 && text === '';

it('a sign-out holds, whichever of the renewals of the same moment came first: nothing of the session lives on', async () => {
  const who = await newCredentials();
  const { userGuid, profileId } = await newHolder(one.context);
  const renewAt = (app: TestApp, refresh_token: string) =>
    app.post('/token', { ...renewalBody(refresh_token), profileId, ...who });
  const outcomes = new Set<string>();
  for (let round = 0; round < 40; round++) {
    const exchanged = await one.post('/token', {
      ...exchangeBody(one.idToken({ sub: userGuid })),
      profileId,
      ...who,
    });
    const { refresh_token: token } = exchanged.json;
    const signOut = async () =>
      round % 2
        ? one.post('/revoke', { token, ...who })
        : one.post('/revoke', new URLSearchParams({ token, ...who }).toString(), form);
    const asked = [() => renewAt(other, token), signOut];
    if (round % 4 > 1) asked.reverse();
    const answers = [exchanged];
    // the first rounds one after the other, so that both orders are seen
    if (round < 4) for (const ask of asked) answers.push(await ask());
    else answers.push(...(await Promise.all(asked.map((ask) => ask()))));
    const issued = answers.map(({ json }) => json).filter((json) => json?.access_token);
    outcomes.add(`renewed ${issued.length - 1}`);
    for (const { access_token, refresh_token } of issued) {
      const judged = await other.post('/validate-token', { token: access_token, ...who });
      expect([round, judged.json]).toEqual([round, { is_valid: false, error: expect.any(String) }]);
      expect([round, (await renewAt(one, refresh_token)).status]).toEqual([round, 401]);
    }
  }
  expect([...outcomes].sort()).toEqual(['renewed 0', 'renewed 1']);
});

it('no more simultaneous guesses are compared than the limit allows, in all processes together', async () => {
  const who = await newCredentials();
  const checks = [one, other].map((app) => jest.spyOn(app.context.secrets, 'checkEither'));
  const guesses = Array.from({ length: 40 }, (_, index) =>
    askAs(index % 2 ? one : other, { ...who, client_secret: `guess ${index}` }),
  );
  const statuses = (await Promise.all(guesses)).map(({ status }) => status).sort();
  expect(checks.flatMap(({ mock }) => mock.calls).length).toBeGreaterThanOrEqual(failuresMax);
  expect(statuses).toEqual([...new Array(failuresMax).fill(401), ...new Array(40 - failuresMax).fill(429)]);
});

it('guesses at any endpoint count together, and no endpoint is left to guess at', async () => {
  const from = newAddress();
  const guess = (path: string, isForm: boolean, number: number) => {
    const body = { client_id: `made up ${number}`, client_secret: 'x', token: 'x' };
    const token = { ...body, ...renewalBody('x'), profileId: 'p' };
    const sent = path === '/token' ? token : body;
    return isForm
      ? one.post(path, new URLSearchParams(sent).toString(), { ...form, ...from })
      : other.post(path, sent, from);
  };
  const endpoints: [string, boolean][] = [
    ['/token', false],
    ['/token', true],
    ['/revoke', false],
    ['/revoke', true],
    ['/validate-token', false],
    ['/profiles', false],
    ['/introspect', true],
  ];
  const statuses: number[] = [];
  for (const [path, isForm] of [...endpoints, ...endpoints])
    statuses.push((await guess(path, isForm, statuses.length)).status);
  const expected = statuses.map((_status, index) => (index < failuresMax ? 401 : 429));
  expect(statuses).toEqual(expected);
});

it('a secret that was rotated during an attack: the one before serves on where it is remembered, until it ends, and then nowhere', async () => {
  const who = await newCredentials();
  for (const app of [one, other]) expect(isAccepted(await askAs(app, who))).toBe(true);
  for (let index = 0; index <= failuresMax; index++) await askAs(one, { ...who, client_secret: `guess ${index}` });
  expect((await askAs(other, { ...who, client_secret: 'guess' })).status).toBe(429);
  const rotated = await rotateClientSecret(one.context, who.client_id, 1);
  for (const app of [one, other]) expect(isAccepted(await askAs(app, who))).toBe(true);
  await one.context.sql.rows('update clients set previous_secret_ends_at = now() where client_id = $1', [
    who.client_id,
  ]);
  for (const app of [one, other]) expect((await askAs(app, who)).status).toBe(429);
  await one.context.sql.rows('delete from rate_limits');
  const fresh = { ...who, client_secret: rotated.clientSecret };
  for (const app of [one, other]) {
    expect((await askAs(app, who)).json).toEqual({ error: 'Invalid client credentials' });
    expect(isAccepted(await askAs(app, fresh))).toBe(true);
  }
});
