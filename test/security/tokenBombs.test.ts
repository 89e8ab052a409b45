/**
 * Tokens made to cost a reader time or memory, at every place that reads one: refused in the documented words before anything is inflated, derived or fetched. A test that hung or ran out of memory would have found one.
 */
import { deflateRawSync } from 'node:zlib';
import { base64url, CompactEncrypt, decodeProtectedHeader } from 'jose';
import { makeKey } from '../auth/localProvider.js';
import { type Answer, nowSeconds, readAnswer, startTestApp, type TestApp } from '../support/app.js';
import { newClient, newHolder } from '../support/records.js';
import { exchangeBody, renewalBody } from '../support/tokens.js';

let app: TestApp;
let client: { client_id: string; client_secret: string };
let issued: { access_token: string; refresh_token: string };
let profileId: string;
let idToken: string;
let kids: string[];
let bombs: [string, string][];
beforeAll(async () => {
  app = await startTestApp();
  const { clientId, clientSecret } = await newClient(app.context);
  client = { client_id: clientId, client_secret: clientSecret };
  const holder = await newHolder(app.context);
  profileId = holder.profileId;
  idToken = app.idToken({ sub: holder.userGuid });
  const answer = await app.post('/token', { ...exchangeBody(idToken), profileId, ...client });
  issued = answer.json;
  kids = [idToken, issued.access_token, issued.refresh_token].map((token) => decodeProtectedHeader(token).kid!);
  bombs = await makeBombs();
});
afterAll(() => app.close());

const part = (text: string): string => base64url.encode(text);
const encode = (value: unknown): string => part(JSON.stringify(value));

/** Each by a name; those that fit into a request are longer than any good token. */
async function makeBombs(): Promise<[string, string][]> {
  const claims = encode({
    iss: app.provider.issuer,
    aud: 'gatehouse-test',
    sub: 's',
    iat: nowSeconds(),
    exp: nowSeconds() + 60,
  });
  const recipient = makeKey('recipient', 'RS256');
  const zeros = deflateRawSync(Buffer.alloc(30_000_000)).subarray(0, 30_000).toString('base64url');
  const jwe = await new CompactEncrypt(Buffer.from(idToken))
    .setProtectedHeader({ alg: 'RSA-OAEP-256', enc: 'A256GCM', cty: 'JWT', kid: kids[0]! })
    .encrypt(recipient.publicKey);
  const slowly = encode({ alg: 'PBES2-HS512+A256KW', enc: 'A256GCM', p2c: 2_147_483_647, p2s: 'AAAA' });
  const deep = (levels: number): string => `${'{"a":'.repeat(levels)}1${'}'.repeat(levels)}`;
  const made: [string, string][] = [
    ['a good JWE', jwe],
    [
      'a JWE that inflates to 30 MB',
      `${encode({ alg: 'dir', enc: 'A256GCM', zip: 'DEF' })}..AAAAAAAAAAAAAAAA.${zeros}.AAAAAAAAAAAAAAAAAAAAAA`,
    ],
    ['a JWE of 2,147,483,647 rounds', `${slowly}.${'A'.repeat(54)}.AAAAAAAAAAAAAAAA.AAAA.AAAAAAAAAAAAAAAAAAAAAA`],
    ['dots alone', '.'.repeat(60_000)],
    ['a header of 3,000 levels', `${part(deep(3_000))}.${claims}.AAAA`],
    ['a payload of 3,000 levels', `${encode({ alg: 'RS256', kid: kids[0] })}.${part(deep(3_000))}.AAAA`],
    ['a header of brackets', `${part('['.repeat(12_000))}.${claims}.AAAA`],
    ['a header of 40 kB', `${encode({ alg: 'RS256', kid: kids[0], x: 'x'.repeat(40_000) })}.${claims}.AAAA`],
    [
      'a header of 1,000 members',
      `${encode(Object.fromEntries(Array.from({ length: 1_000 }, (_, n) => [`m${n}`, n])))}.${claims}.AAAA`,
    ],
    ['a kid of 10 kB', `${encode({ alg: 'RS256', kid: 'k'.repeat(10_000) })}.${claims}.AAAA`],
    ['a number of 10,000 digits', `${part(`{"alg":"RS256","kid":${'9'.repeat(10_000)}}`)}.${claims}.AAAA`],
    ['a signature of 10 kB', `${encode({ alg: 'RS256', kid: kids[0] })}.${claims}.${'A'.repeat(10_000)}`],
    [
      'critical extensions, many',
      `${encode({ alg: 'RS256', kid: kids[0], crit: Array(1_000).fill('b64'), b64: false })}.${claims}.AAAA`,
    ],
  ];
  // under the ids and algorithms of the good ones, as far as a header goes
  for (const kid of kids)
    for (const zip of ['DEF', 'GZ'])
      made.push([
        `a compressed token under ${kids.indexOf(kid)}, ${zip}`,
        `${encode({ alg: 'ES256', typ: 'at+jwt', kid, zip })}.${zeros}.${'A'.repeat(86)}`,
      ]);
  return made;
}

const places: Record<string, (token: string) => Promise<[number, string]>> = {
  'an ID token': async (id_token) =>
    statusAndText(await app.post('/token', { ...exchangeBody(id_token), profileId, ...client })),
  'a renewal token': async (refresh_token) =>
    statusAndText(await app.post('/token', { ...renewalBody(refresh_token), profileId, ...client })),
  'a token to revoke': async (token) => statusAndText(await app.post('/revoke', { token })),
  'a token to validate': async (token) => statusAndText(await app.post('/validate-token', { token })),
  'a token to introspect': async (token) =>
    statusAndText(
      await readAnswer(
        await fetch(`${app.url}/introspect`, { method: 'POST', body: new URLSearchParams({ token, ...client }) }),
      ),
    ),
  'a bearer token': async (token) => {
    const headers = { authorization: `Bearer ${token}`, 'api-version': '1.0' };
    const { status } = await fetch(`${app.url}/api/applications`, { headers });
    return [status === 431 ? 401 : status, ''];
  },
};
const statusAndText = ({ status, text }: Answer): [number, string] => [status, text];
const refusals: Record<string, [number, string]> = {
  'an ID token': [401, ''],
  'a renewal token': [401, ''],
  'a token to revoke': [404, '{"status":"token_not_found_or_already_revoked"}'],
  'a token to validate': [400, '{"is_valid":false,"error":"Token is invalid or expired"}'],
  'a token to introspect': [200, '{"active":false}'],
  'a bearer token': [401, ''],
};

it.each(Object.keys(places))('as %s, each is refused like any other, and the good ones go on', async (place) => {
  const asked = app.provider.asked.length;
  expect(bombs.length).toBeGreaterThan(15);
  for (const [name, bomb] of bombs) expect([name, await places[place]!(bomb)]).toEqual([name, refusals[place]]);
  expect(app.provider.asked.length).toBe(asked);
  expect((await places['a token to validate']!(issued.access_token))[0]).toBe(200);
  expect((await places['an ID token']!(idToken))[0]).toBe(200);
  expect(app.logged()).not.toMatch(/"level":(50|60)/);
});
