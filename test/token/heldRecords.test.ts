/** Who holds records of a user in a long transaction, such as the trial of a large change, holds up that user alone. */
import type { Client } from 'pg';
import { type Answer, startTestApp, type TestApp } from '../support/app.js';
import { openClient } from '../support/cluster.js';
import { newClient, newHolder } from '../support/records.js';
import { exchangeBody, renewalBody } from '../support/tokens.js';

const fewConnections = {
  DATABASE_POOL_MAX: '8',
  // nobody here gives up
  DATABASE_TIMEOUT_MS: '20000',
  DATABASE_STATEMENT_TIMEOUT_MS: '20000',
};
/** More than there are connections. */
const askedMax = 12;

let app: TestApp;
let holder: Client;
let credentials: { client_id: string; client_secret: string };
afterEach(async () => {
  await holder.end();
  await app.close();
});
const open = async (settings: Record<string, string> = {}) => {
  app = await startTestApp({ ...fewConnections, ...settings }, { limits: { databaseTokenPoolMax: 4 } });
  holder = await openClient(app.database.url);
  const { clientId, clientSecret } = await newClient(app.context, 'secret');
  credentials = { client_id: clientId, client_secret: clientSecret };
};

type Holding = { userGuid: string; profileId: string };
const exchange = ({ userGuid, profileId }: Holding): Promise<Answer> =>
  app.post('/token', { ...exchangeBody(app.idToken({ sub: userGuid })), profileId, ...credentials });
const renew = (token: string, { profileId }: Holding): Promise<Answer> =>
  app.post('/token', { ...renewalBody(token), profileId, ...credentials });
const renewals = async (count: number, holding: Holding): Promise<string[]> => {
  const answers = await Promise.all(Array.from({ length: count }, () => exchange(holding)));
  return answers.map(({ json }) => json.refresh_token);
};

/** What others ask while each of these waits; then the transaction ends. Gives the answers to those who waited. */
async function besides(waiting: (() => Promise<Answer>)[]): Promise<number[]> {
  const other = await newHolder(app.context);
  let [token] = (await renewals(1, other)) as [string];
  const late: Promise<Answer>[] = [];
  for (const ask of waiting) {
    late.push(ask());
    const { status, json } = await renew(token, other);
    expect(status).toBe(200);
    token = json.refresh_token;
    expect((await exchange(other)).status).toBe(200);
    expect((await app.post('/revoke', { token: 'unknown', ...credentials })).status).toBe(404);
  }
  await holder.query('rollback');
  return (await Promise.all(late)).map(({ status }) => status);
}

it.each([
  'documented',
  'hardened',
])('those who renew or revoke what is held wait, and nobody else (%s)', async (policy) => {
  await open({ TOKEN_POLICY: policy });
  const held = await newHolder(app.context);
  const [used, ...tokens] = await renewals(1 + 2 * askedMax, held);
  await renew(used!, held);
  await holder.query('begin');
  await holder.query('update tokens set is_revoked = true where user_id = $1', [held.userGuid]);
  const renewed = tokens.slice(0, askedMax).map((token) => () => renew(token, held));
  const revoked = tokens.slice(askedMax).map((token) => () => app.post('/revoke', { token, ...credentials }));
  const reused = tokens.map(() => () => renew(used!, held));
  expect(new Set(await besides([...renewed, ...revoked]))).toEqual(new Set([200]));
  await holder.query('begin');
  await holder.query('update tokens set is_revoked = false where user_id = $1', [held.userGuid]);
  expect(new Set(await besides(reused))).toEqual(new Set([401]));
});
