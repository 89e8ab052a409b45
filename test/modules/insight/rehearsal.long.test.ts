/** TOKEN_POLICY=rehearsal: answers as documented, and what the hardened policy would refuse is counted for each client. */
import { startApp } from '../../../src/startApp.js';
import { type Answer, readAnswer, startTestApp, type TestApp } from '../../support/app.js';
import { newClient, newHolder } from '../../support/records.js';
import { exchangeBody, renewalBody } from '../../support/tokens.js';
import { until } from '../../support/until.js';

type Client = { clientId: string; clientSecret: string };
let app: TestApp;
let own: Client;
let other: Client;
const open = async (settings: Record<string, string> = {}) => {
  app = await startTestApp({ TOKEN_POLICY: 'rehearsal', ...settings });
  own = await newClient(app.context, 'own secret');
  other = await newClient(app.context, 'other secret');
};
afterEach(() => app?.close());

const as = (who: Client) => ({ client_id: who.clientId, client_secret: who.clientSecret });
async function issue(who: Client = own) {
  const { userGuid, profileId } = await newHolder(app.context);
  const idToken = app.idToken({ sub: userGuid });
  const body = { ...exchangeBody(idToken), profileId };
  const { json } = await app.post('/token', { ...body, ...as(who) });
  return { access: json.access_token as string, renewal: json.refresh_token as string, profileId, body };
}
const renew = (token: string, profileId: string, who: Client = own): Promise<Answer> =>
  app.post('/token', { ...renewalBody(token), profileId, ...as(who) });
const form = async (path: string, parameters: Record<string, string>): Promise<Answer> =>
  readAnswer(await fetch(app.url + path, { method: 'POST', body: new URLSearchParams(parameters) }));

interface Row {
  client_id: string;
  operation: string;
  verdict: string;
  count: string;
}
/** What was found beside `passed`, when `total` requests were judged. */
async function untilJudged(total: number): Promise<string[]> {
  const judged = await until(async () => {
    const rows = await app.context.sql.rows<Row>('select client_id, operation, verdict, count from policy_verdicts');
    return rows.reduce((sum, { count }) => sum + Number(count), 0) >= total && rows;
  });
  const names = new Map([
    [own.clientId, 'own'],
    [other.clientId, 'other'],
    ['', 'nobody'],
  ]);
  return judged
    .filter(({ verdict }) => verdict !== 'passed')
    .map((row) => `${names.get(row.client_id)} ${row.operation} ${row.verdict} ${row.count}`)
    .sort();
}

it('answers as documented whatever the hardened policy refuses, and counts why for the client', async () => {
  await open();
  const { access, renewal, profileId, body } = await issue();
  expect((await app.post('/token', { ...body, ...as(other) })).status).toBe(200);
  const byOther = await renew(renewal, profileId, other);
  expect(byOther.status).toBe(200);
  const byProfile = await renew(byOther.json.refresh_token, 'another profile');
  expect(byProfile.status).toBe(200);
  // used before: refused by both, but hardened its session would end
  expect((await renew(renewal, profileId)).status).toBe(401);
  expect((await renew(byProfile.json.refresh_token, profileId)).status).toBe(200);
  expect((await app.post('/validate-token', { token: access })).status).toBe(200);
  const wrong = { ...as(own), client_secret: 'wrong' };
  expect((await app.post('/validate-token', { token: access, ...wrong })).status).toBe(200);
  expect((await app.post('/validate-token', { token: access, ...as(own) })).status).toBe(200);
  expect((await app.post('/validate-token', { token: 'unknown', ...wrong })).status).toBe(400);
  expect(await untilJudged(10)).toEqual([
    'nobody /validate-token noCredentials 1',
    'nobody /validate-token wrongCredentials 1',
    'other /token anotherClient 1',
    'other /token repeatedIdToken 1',
    'own /token anotherProfile 1',
    'own /token reuse 1',
    'own /validate-token wrongCredentials 1',
  ]);
});

it('a revocation without credentials counts for the client whose token it is, and with them for who proves itself', async () => {
  await open();
  const [first, second, third, fourth] = [await issue(), await issue(), await issue(), await issue()];
  const success = { status: 'success' };
  expect((await app.post('/revoke', { token: first.renewal })).json).toEqual(success);
  expect((await app.post('/revoke', { token: second.renewal, ...as(other) })).json).toEqual(success);
  expect((await app.post('/revoke', { token: third.renewal, ...as(own) })).json).toEqual(success);
  expect((await app.post('/revoke', { token: third.renewal, ...as(own) })).status).toBe(404);
  expect((await app.post('/revoke', { token: 'unknown', client_id: own.clientId })).status).toBe(404);
  const renewed = await renew(fourth.renewal, fourth.profileId);
  expect((await app.post('/revoke', { token: fourth.renewal, ...as(own) })).status).toBe(404);
  expect((await renew(renewed.json.refresh_token, fourth.profileId)).status).toBe(200);
  expect(await untilJudged(12)).toEqual([
    'nobody /revoke noCredentials 1',
    'other /revoke anotherClient 1',
    'own /revoke noCredentials 1',
    'own /revoke reuse 1',
  ]);
});

it('forms tell of a token what they told before: no client that the rehearsal learnt', async () => {
  await open();
  const { renewal } = await issue();
  for (const who of [own, other]) {
    const { json } = await form('/introspect', { token: renewal, ...as(who) });
    expect(json).toMatchObject({ active: true, profileId: expect.any(String) });
    expect(json).not.toHaveProperty('client_id');
  }
  expect((await form('/revoke', { token: renewal, ...as(other) })).status).toBe(200);
  expect(await untilJudged(4)).toEqual(['other /introspect anotherClient 1', 'other /revoke anotherClient 1']);
});

it('a renewal that is repeated by its Idempotency-Key is no reuse', async () => {
  await open();
  const { renewal, profileId } = await issue();
  const repeat = (key: string, profile = profileId) =>
    app.post('/token', { ...renewalBody(renewal), profileId: profile, ...as(own) }, { 'idempotency-key': key });
  for (const profile of [profileId, profileId, 'another profile'])
    expect((await repeat('a-key-of-its-own', profile)).status).toBe(200);
  expect((await repeat('another-key-of-its-own')).status).toBe(401);
  expect(await untilJudged(5)).toEqual(['own /token anotherProfile 1', 'own /token reuse 1']);
});

it('all simultaneous exchanges of one ID token are answered in the rehearsal, and all but one are counted', async () => {
  await open();
  const { userGuid, profileId } = await newHolder(app.context);
  await issue();
  const body = { ...exchangeBody(app.idToken({ sub: userGuid })), profileId, ...as(own) };
  const answers = await Promise.all(Array.from({ length: 24 }, () => app.post('/token', body)));
  expect(answers.map(({ status }) => status)).toEqual(answers.map(() => 200));
  expect(new Set(answers.map(({ json }) => json.refresh_token)).size).toBe(24);
  expect(await untilJudged(25)).toEqual(['own /token repeatedIdToken 23']);
});

it('takes the statements of the documented policy, for renewals, exchanges, revocations and validations', async () => {
  const shapes: string[][] = [];
  for (const policy of ['documented', 'rehearsal']) {
    await open({ TOKEN_POLICY: policy });
    const { access, renewal, profileId } = await issue();
    const { json } = await renew(renewal, profileId);
    app.takeStatements();
    const counts: number[] = [];
    const count = async (work: () => Promise<unknown>) => {
      await work();
      counts.push(app.takeStatements().filter((text) => /\btokens\b/.test(text)).length);
    };
    await count(() => renew(json.refresh_token, profileId));
    await count(() => issue());
    await count(() => app.post('/validate-token', { token: access, ...as(own) }));
    await count(() => app.post('/revoke', { token: json.refresh_token, ...as(own) }));
    shapes.push(counts.map(String));
    await app.close();
  }
  expect(shapes[1]).toEqual(shapes[0]);
});

it('verdicts of several processes are counted together, and over a restart', async () => {
  await open();
  const { context } = app;
  const second = await startApp({ config: { ...context.config, port: 0 }, notice: () => undefined, log: context.log });
  const { access } = await issue();
  for (const url of [app.url, second.url])
    await fetch(`${url}/validate-token`, {
      method: 'POST',
      headers: { 'content-type': 'application/json' },
      body: JSON.stringify({ token: access }),
    });
  await second.close();
  expect(await untilJudged(3)).toEqual(['nobody /validate-token noCredentials 2']);
});

it('strangers who name a client make it no worse, and a flood of credentials is judged in part', async () => {
  await open();
  const { access } = await issue();
  const asked = (client_secret: string) =>
    app.post('/validate-token', { token: access, client_id: own.clientId, client_secret });
  await app.post('/validate-token', { token: 'unknown', client_id: own.clientId, client_secret: 'guessed' });
  await app.post('/validate-token', {
    token: 'unknown',
    client_id: 'x'.repeat(5_000),
    client_secret: 'y'.repeat(5_000),
  });
  const attempts = Array.from({ length: 60 }, (_, index) => asked(`wrong ${index}`));
  for (const { status } of await Promise.all(attempts)) expect(status).toBe(200);
  const found = await untilJudged(63);
  expect(found.filter((line) => line.startsWith('nobody'))).toEqual(['nobody /validate-token wrongCredentials 2']);
  const counts = found.filter((line) => line.startsWith('own')).map((line) => Number(line.split(' ')[3]));
  expect(counts.reduce((sum, count) => sum + count, 0)).toBe(60);
  expect(found).toContainEqual(expect.stringMatching(/^own \/validate-token wrongCredentials/));
});

it('a secret that was proven in rehearsal is remembered for no request: the limit of failures stands', async () => {
  await open({ CLIENT_FAILURE_LIMIT: '2' });
  const ask = (clientSecret: string) => renew('x', 'p', { ...own, clientSecret });
  for (const [attempt, status] of [401, 401, 429].entries())
    expect((await ask(`wrong ${attempt}`)).status).toBe(status);
  for (const total of [1, 2]) {
    expect((await app.post('/validate-token', { token: 'unknown', ...as(own) })).status).toBe(400);
    expect(await untilJudged(total)).toEqual([]);
    expect((await ask('own secret')).status).toBe(429);
  }
});
