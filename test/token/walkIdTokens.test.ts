/** ID tokens that an attacker would send to POST /token: each is 401 with an empty body, and asks nobody for anything. */
import { createHmac, randomUUID } from 'node:crypto';
import { CompactEncrypt } from 'jose';
import { makeKey, makeToken, type ProviderKey } from '../auth/localProvider.js';
import { type Answer, audience, nowSeconds, startTestApp, type TestApp } from '../support/app.js';
import { newClient, newHolder } from '../support/records.js';
import { exchangeBody } from '../support/tokens.js';

let app: TestApp;
let client: { client_id: string; client_secret: string };
let holder: { userGuid: string; profileId: string };
beforeAll(async () => {
  app = await startTestApp();
  const { clientId, clientSecret } = await newClient(app.context);
  client = { client_id: clientId, client_secret: clientSecret };
  holder = await newHolder(app.context);
  expect((await exchange(token())).status).toBe(200);
});
afterAll(() => app.close());

const exchange = (id_token: string): Promise<Answer> =>
  app.post('/token', {
    ...exchangeBody(id_token),
    profileId: holder.profileId,
    ...client,
  });
const claims = (more: object = {}) => ({
  iss: app.provider.issuer,
  aud: audience,
  sub: holder.userGuid,
  iat: nowSeconds(),
  exp: nowSeconds() + 900,
  ...more,
});
const token = (more: object = {}, header: object = {}, key: ProviderKey = app.key): string =>
  makeToken(key, claims(more), { ...header });
const encode = (value: object): string => Buffer.from(JSON.stringify(value)).toString('base64url');
const unsigned = (header: object): string => `${encode({ typ: 'JWT', ...header })}.${encode(claims())}`;

/** InvalidSetting, and the provider hears nothing of it. */
async function refused(idToken: string): Promise<void> {
  const asked = app.provider.asked.length;
  const { status, text } = await exchange(idToken);
  expect([status, text, app.provider.asked.length]).toEqual([401, '', asked]);
}

it.each(['none', 'None', 'NONE', 'nOnE', ''])('alg %j, without a signature and with a genuine one', async (alg) => {
  await refused(`${unsigned({ alg })}.`);
  await refused(`${unsigned({ alg, kid: app.key.kid })}.${token().split('.')[2]}`);
});

it.each(['HS256', 'HS384', 'HS512'])('%s under the provider’s public key, however it is spelt', async (alg) => {
  const { publicKey, jwk, kid } = app.key;
  const secrets = [
    publicKey.export({ type: 'spki', format: 'pem' }),
    String(publicKey.export({ type: 'spki', format: 'pem' })).trim(),
    publicKey.export({ type: 'spki', format: 'der' }),
    publicKey.export({ type: 'pkcs1', format: 'pem' }),
    JSON.stringify(jwk),
    Buffer.from(jwk.n as string, 'base64url'),
    '',
  ];
  for (const secret of secrets) {
    const input = unsigned({ alg, kid });
    const hmac = createHmac(`sha${alg.slice(2)}`, secret)
      .update(input)
      .digest('base64url');
    await refused(`${input}.${hmac}`);
  }
});

it.each([
  ['of 10 kB', 'k'.repeat(10_000)],
  ['that is a number', 7],
  ['that is null', null],
  ['that is an array', ['provider-key']],
  ['that is an object', { kid: 'provider-key' }],
])('a kid %s', (_name, kid) => refused(token({}, { kid })));

it('a key of an attacker, by jku, x5u, jwk or x5c: neither used nor asked for', async () => {
  const attacker = makeKey('provider-key', 'RS256');
  const asked: string[] = [];
  app.otherProvider.answer = (path, response) => {
    asked.push(path);
    response.end(JSON.stringify({ keys: [attacker.jwk] }));
  };
  const address = `${app.otherProvider.issuer}/jwks`;
  const x5c = [attacker.publicKey.export({ type: 'spki', format: 'der' }).toString('base64')];
  for (const header of [
    { jku: address },
    { x5u: address },
    { jwk: attacker.jwk },
    { x5c },
    { jku: address, kid: address },
  ])
    expect((await exchange(token({}, header, attacker))).status).toBe(401);
  for (const iss of [address, `${app.provider.issuer}@${app.otherProvider.issuer.slice(7)}`])
    expect((await exchange(token({ iss }, {}, attacker))).status).toBe(401);
  app.otherProvider.answer = undefined;
  expect(asked).toEqual([]);
});

it.each([[['exp']], [['b64']], [['unknown']], [[]], ['b64'], [null]])('crit %j', (crit) =>
  refused(token({}, { crit, b64: true, unknown: 1 })));

it('five parts: a JWE for our own public key, direct or compressed', async () => {
  const recipient = makeKey('provider-key', 'RS256');
  const jwe = await new CompactEncrypt(Buffer.from(token()))
    .setProtectedHeader({ alg: 'RSA-OAEP-256', enc: 'A256GCM', cty: 'JWT', kid: 'provider-key' })
    .encrypt(recipient.publicKey);
  await refused(jwe);
  const direct = encode({ alg: 'dir', enc: 'A256GCM', zip: 'DEF', p2c: 2_147_483_647 });
  await refused(`${direct}..AAAAAAAAAAAAAAAA.${'A'.repeat(10_000)}.AAAAAAAAAAAAAAAAAAAAAA`);
});

it.each<[string, () => object]>([
  ['exp missing', () => ({ exp: undefined })],
  ['exp a string', () => ({ exp: String(nowSeconds() + 900) })],
  ['exp null', () => ({ exp: null })],
  ['exp negative', () => ({ exp: -1 })],
  ['exp over', () => ({ exp: nowSeconds() - 31 })],
  ['iat missing', () => ({ iat: undefined })],
  ['iat a string', () => ({ iat: String(nowSeconds()) })],
  ['iat in the future', () => ({ iat: nowSeconds() + 60 })],
  ['iat in milliseconds', () => ({ iat: Date.now() })],
  ['iat too old, though exp is 1e308', () => ({ iat: nowSeconds() - 932, exp: 1e308 })],
  ['iat too old, though exp is in milliseconds', () => ({ iat: nowSeconds() - 932, exp: Date.now() + 900_000 })],
  ['sub missing', () => ({ sub: undefined })],
  ['sub empty', () => ({ sub: '' })],
  ['sub a number', () => ({ sub: 42 })],
  ['sub an array', () => ({ sub: [holder.userGuid] })],
  ['sub of 300 characters', () => ({ sub: 's'.repeat(300) })],
  ['sub with NUL', () => ({ sub: `${holder.userGuid}\0` })],
  ['sub with a lone surrogate', () => ({ sub: '\ud800' })],
  ['aud missing', () => ({ aud: undefined })],
  ['aud another', () => ({ aud: [`${audience}x`, 'y'] })],
  ['aud with a number beside ours', () => ({ aud: [audience, 1] })],
  ['iss missing', () => ({ iss: undefined })],
  ['iss with a slash at the end', () => ({ iss: `${app.provider.issuer}/` })],
  ['iss in capitals', () => ({ iss: app.provider.issuer.toUpperCase() })],
])('%s', (_name, more) => refused(token(more())));

it('one second before it is too old, whatever exp says, and with ours among the audiences, it is good', async () => {
  for (const exp of [1e308, Date.now() + 900_000, nowSeconds() + 5])
    expect((await exchange(token({ iat: nowSeconds() - 920, exp, aud: ['other', audience] }))).status).toBe(200);
});

it('our own access token, renewal token and client secret', async () => {
  const { json } = await exchange(token());
  for (const own of [json.access_token, json.refresh_token, client.client_secret]) await refused(own);
});

it('500 unknown kids: the provider is asked a few times, and the good go on', async () => {
  await new Promise((resolve) => setImmediate(resolve));
  const before = app.provider.asked.filter((path) => path === '/jwks').length;
  const forged = Array.from({ length: 500 }, (_, number) => token({}, { kid: `${randomUUID()}${number}` }));
  for (let first = 0; first < forged.length; first += 50) {
    const answers = await Promise.all(forged.slice(first, first + 50).map(exchange));
    for (const { status, text } of answers) expect([status, text]).toEqual([401, '']);
    expect((await exchange(token())).status).toBe(200);
  }
  const asked = app.provider.asked.filter((path) => path === '/jwks').length - before;
  // five to spare, and ten a minute
  expect(asked).toBeLessThanOrEqual(15);
});

describe('two issuers', () => {
  let rotating: TestApp;
  beforeAll(async () => {
    rotating = await startTestApp();
  });
  afterAll(() => rotating.close());

  it('rotate between RS256 and ES256, again and again, without a false refusal and without standing in for each other', async () => {
    const { clientId, clientSecret } = await newClient(rotating.context);
    const user = await newHolder(rotating.context);
    const named = await newHolder(rotating.context, { idpname: 'names', idpid: 'ada' });
    const ask = async (id_token: string, profileId: string): Promise<number> => {
      const grant = { ...exchangeBody(id_token), profileId };
      const credentials = { client_id: clientId, client_secret: clientSecret };
      return (await rotating.post('/token', { ...grant, ...credentials })).status;
    };
    for (let round = 0; round < 6; round++) {
      const [key, other] = [0, 1].map(() => makeKey(`round-${round}`, round % 2 ? 'RS256' : 'ES256'));
      rotating.provider.keys = [key!.jwk];
      rotating.otherProvider.keys = [other!.jwk];
      const times = { aud: audience, iat: nowSeconds(), exp: nowSeconds() + 900 };
      const guids = { ...times, iss: rotating.provider.issuer, sub: user.userGuid };
      const names = { ...times, iss: rotating.otherProvider.issuer, sub: 'ada' };
      const statuses = [
        await ask(makeToken(key!, guids), user.profileId),
        await ask(makeToken(other!, names), named.profileId),
        await ask(makeToken(other!, guids), user.profileId),
        await ask(makeToken(key!, names), named.profileId),
      ];
      expect(statuses).toEqual([200, 200, 401, 401]);
    }
  });
});
