/** TOKEN_POLICY=hardened: an ID token is exchanged once per profile, so who finds one in a log or a history gains nothing. */
import { randomUUID } from 'node:crypto';
import { sweeps } from '../../src/modules/cleanUp.js';
import { purgeExpired } from '../../src/services/maintenance/purge.js';
import { makeKey, makeToken, startProvider } from '../auth/localProvider.js';
import { type Answer, audience, nowSeconds, readAnswer, startTestApp, type TestApp } from '../support/app.js';
import { closeAtEnd } from '../support/lifetimes.js';
import { linkProfile, newClient, newHolder, newProfile } from '../support/records.js';
import { exchangeBody } from '../support/tokens.js';

let app: TestApp;
let client: { clientId: string; clientSecret: string };
beforeAll(async () => {
  app = await startTestApp({ TOKEN_POLICY: 'hardened' });
  client = await newClient(app.context);
});
afterAll(() => app?.close());

const credentials = () => ({ client_id: client.clientId, client_secret: client.clientSecret });
const exchange = (profileId: string, id_token: string, more: object = {}, on = app): Promise<Answer> =>
  on.post('/token', { ...exchangeBody(id_token), profileId, ...credentials(), ...more });
const form = async (parameters: Record<string, string>): Promise<Answer> =>
  readAnswer(
    await fetch(`${app.url}/token`, { method: 'POST', body: new URLSearchParams({ ...credentials(), ...parameters }) }),
  );
const outcome = ({ status, text }: Answer): [number, string] => [status, status === 200 ? 'issued' : text];
const issued = [200, 'issued'];
const refused = [401, ''];

it.each([
  ['with a jti', () => ({ jti: randomUUID() })],
  ['without one', () => ({ jti: undefined })],
  ['with one that is no text', () => ({ jti: 7 })],
])('%s it is exchanged once, for each profile that is held, in whichever dialect', async (_what, claims) => {
  const { userGuid, userId, profileId } = await newHolder(app.context);
  const second = await newProfile(app.context);
  await linkProfile(app.context, userId, second, 'member');
  const idToken = app.idToken({ sub: userGuid, ...claims() });
  expect(outcome(await exchange(profileId, idToken))).toEqual(issued);
  expect(outcome(await exchange(profileId, idToken))).toEqual(refused);
  expect((await form({ ...exchangeBody(idToken), profileId })).json).toEqual(
    expect.objectContaining({ error: 'invalid_grant' }),
  );
  const tokenExchange = {
    grant_type: 'urn:ietf:params:oauth:grant-type:token-exchange',
    subject_token: idToken,
    subject_token_type: 'urn:ietf:params:oauth:token-type:id_token',
  };
  expect((await form({ ...tokenExchange, profileId })).json.error).toBe('invalid_request');
  expect((await form({ ...tokenExchange, profileId: second })).status).toBe(200);
  expect(outcome(await exchange(second, idToken))).toEqual(refused);
  expect(
    outcome(await exchange(profileId, app.idToken({ sub: userGuid, iat: nowSeconds() - 1, ...claims() }))),
  ).toEqual(issued);
});

it('another token of the same jti is the same one, but another issuer’s is not', async () => {
  const { userGuid, profileId } = await newHolder(app.context, { idpname: 'guids', idpid: null });
  const jti = randomUUID();
  expect(outcome(await exchange(profileId, app.idToken({ sub: userGuid, jti })))).toEqual(issued);
  expect(outcome(await exchange(profileId, app.idToken({ sub: userGuid, jti, nonce: 'x' })))).toEqual(refused);
  const named = await newHolder(app.context, { idpname: 'names', idpid: `id-${jti}` });
  await linkProfile(app.context, named.userId, profileId, 'member');
  const other = app.idToken({ iss: app.otherProvider.issuer, sub: `id-${jti}`, jti });
  expect(outcome(await exchange(profileId, other))).toEqual(issued);
});

it('exactly one of any number of simultaneous exchanges of an ID token succeeds, and those of other ID tokens go on', async () => {
  const holder = await newHolder(app.context);
  const others = await Promise.all(Array.from({ length: 10 }, () => newHolder(app.context)));
  const idToken = app.idToken({ sub: holder.userGuid });
  for (const { userGuid, profileId } of others)
    await exchange(profileId, app.idToken({ sub: userGuid, iat: nowSeconds() - 9 }));
  const uses = Array.from({ length: 40 }, (_, index) => {
    const other = others[index % 40 < 10 ? index : -1];
    return other
      ? exchange(other.profileId, app.idToken({ sub: other.userGuid }))
      : exchange(holder.profileId, idToken);
  });
  const outcomes = (await Promise.all(uses)).map(outcome);
  expect(outcomes.slice(0, 10)).toEqual(Array(10).fill(issued));
  expect(outcomes.slice(10).filter(([status]) => status === 200)).toHaveLength(1);
  expect(outcomes.slice(10).filter(([status]) => status === 401)).toHaveLength(29);
  const records = await app.context.sql.rows('select 1 from tokens where user_id = $1', [holder.userGuid]);
  expect(records).toHaveLength(1);
});

it('an ID token that was refused is not used up', async () => {
  const { userGuid, profileId } = await newHolder(app.context);
  const idToken = app.idToken({ sub: userGuid });
  expect((await exchange(profileId, idToken, { client_secret: 'wrong' })).status).toBe(401);
  expect((await exchange('not held', idToken)).text).toBe('Invalid profile');
  expect(outcome(await exchange(profileId, idToken))).toEqual(issued);
});

it('the second spelling of its signature is the same token', async () => {
  const key = makeKey('ec', 'ES256');
  const provider = await startProvider([key]);
  closeAtEnd(() => provider.close());
  const own = await startTestApp({
    TOKEN_POLICY: 'hardened',
    ID_TOKEN_ISSUERS: JSON.stringify([{ issuer: provider.issuer, audience, idpname: 'guids', subject: 'userGuid' }]),
  });
  closeAtEnd(() => own.close());
  client = await newClient(own.context);
  const { userGuid, profileId } = await newHolder(own.context);
  const times = { iat: nowSeconds(), exp: nowSeconds() + 900 };
  const idToken = makeToken(key, { iss: provider.issuer, aud: audience, sub: userGuid, ...times });
  expect(outcome(await exchange(profileId, idToken, {}, own))).toEqual(issued);
  expect(outcome(await exchange(profileId, withOtherS(idToken), {}, own))).toEqual(refused);
  expect(own.logged()).toContain('it was exchanged for this profile before');
  client = await newClient(app.context);
});

/** The order of P-256 (FIPS 186-5): (r, s) and (r, n − s) sign the same. */
const n = 0xffffffff00000000ffffffffffffffffbce6faada7179e84f3b9cac2fc632551n;
function withOtherS(token: string): string {
  const [header, payload, signature] = token.split('.');
  const bytes = Buffer.from(signature!, 'base64url');
  const s = BigInt(`0x${bytes.subarray(32).toString('hex')}`);
  const other = Buffer.from((n - s).toString(16).padStart(64, '0'), 'hex');
  return `${header}.${payload}.${Buffer.concat([bytes.subarray(0, 32), other]).toString('base64url')}`;
}

it('the use of a token that is over leaves the database, and no other', async () => {
  const { userGuid, profileId } = await newHolder(app.context);
  const { sql } = app.context;
  await sql.rows('delete from id_token_uses');
  await exchange(profileId, app.idToken({ sub: userGuid }));
  await exchange(profileId, app.idToken({ sub: userGuid, iat: nowSeconds() - 5 }));
  const [first] = await sql.rows<{ use_hash: string; left: number }>(
    'select use_hash, extract(epoch from ends_at - now())::int as left from id_token_uses order by ends_at',
  );
  expect(first!.left).toBeGreaterThan(900);
  expect(first!.left).toBeLessThan(940);
  await sql.rows("update id_token_uses set ends_at = now() - interval '6 minutes' where use_hash = $1", [
    first!.use_hash,
  ]);
  const dependencies = { sql: app.running.database.background, config: app.context.config, log: app.context.log };
  await purgeExpired({ ...dependencies, sweeps }, new AbortController().signal);
  const left = await sql.rows<{ use_hash: string }>('select use_hash from id_token_uses');
  expect(left).toHaveLength(1);
  expect(left[0]!.use_hash).not.toBe(first!.use_hash);
});

it('the documented policy exchanges an ID token as often as it comes, and stores none', async () => {
  const documented = await startTestApp();
  closeAtEnd(() => documented.close());
  client = await newClient(documented.context);
  const { userGuid, profileId } = await newHolder(documented.context);
  const idToken = documented.idToken({ sub: userGuid });
  for (let time = 0; time < 2; time++)
    expect(outcome(await exchange(profileId, idToken, {}, documented))).toEqual(issued);
  expect(await documented.context.sql.rows('select 1 from id_token_uses')).toEqual([]);
});
