/** Client assertions (RFC 7523 §3): the client's own are taken, and every other shape is refused with its cause. */
import { generateKeyPairSync, type KeyObject } from 'node:crypto';
import { SignJWT } from 'jose';
import { type AssertionExpectation, assertedClient, verifyClientAssertion } from '../../src/auth/clientKeys.js';
import type { KeyQuery } from '../../src/auth/providerKeys.js';
import { openPublishedKey } from '../../src/auth/publishedKey.js';

const issuer = 'https://gatehouse.example.com';
const nowSeconds = 1_800_000_000;
const expected: AssertionExpectation = { clientId: 'portal', audiences: [issuer, `${issuer}/token`], nowSeconds };
const ec = generateKeyPairSync('ec', { namedCurve: 'P-256' });
const rsa = generateKeyPairSync('rsa', { modulusLength: 2048 });
const ed = generateKeyPairSync('ed25519');
const other = generateKeyPairSync('ec', { namedCurve: 'P-256' });
const published = [
  { ...ec.publicKey.export({ format: 'jwk' }), kid: 'ec' },
  { ...rsa.publicKey.export({ format: 'jwk' }), kid: 'rsa' },
  { ...ed.publicKey.export({ format: 'jwk' }), kid: 'ed' },
].map(openPublishedKey);
const findKeys = async ({ kid, alg }: KeyQuery) =>
  published.filter((key) => (kid === undefined || key.kid === kid) && key.fits(alg));
const claims = { iss: 'portal', sub: 'portal', aud: issuer, jti: 'a', iat: nowSeconds, exp: nowSeconds + 60 };

const sign = (payload: object, header: object = {}, key: KeyObject = ec.privateKey): Promise<string> =>
  new SignJWT({ ...payload }).setProtectedHeader({ alg: 'ES256', kid: 'ec', ...header }).sign(key);
const judge = (assertion: string) => verifyClientAssertion(assertion, expected, findKeys);

it.each([
  ['ES256', () => sign(claims)],
  ['RS256', () => sign(claims, { alg: 'RS256', kid: 'rsa' }, rsa.privateKey)],
  ['PS256', () => sign(claims, { alg: 'PS256', kid: 'rsa' }, rsa.privateKey)],
  ['EdDSA', () => sign(claims, { alg: 'EdDSA', kid: 'ed' }, ed.privateKey)],
  ['no kid', () => sign(claims, { kid: undefined })],
  ['the address of the token endpoint as aud', () => sign({ ...claims, aud: `${issuer}/token` })],
  ['several aud', () => sign({ ...claims, aud: ['https://other.example.com', issuer] })],
  ['no iat', () => sign({ ...claims, iat: undefined })],
])('a client assertion with %s is accepted, with the time until which it has to be remembered', async (_what, assertion) => {
  expect(await judge(await assertion())).toEqual({ jti: 'a', expiresAt: nowSeconds + 90 });
});

it('the client that an assertion names is known before the assertion is judged', async () => {
  expect(assertedClient(await sign(claims))).toBe('portal');
  for (const none of ['', 'a.b.c', await sign({ ...claims, sub: 7 })]) expect(assertedClient(none)).toBeUndefined();
});

const unsigned = async (header: object): Promise<string> => {
  const [, body, signature] = (await sign(claims)).split('.');
  return `${Buffer.from(JSON.stringify(header)).toString('base64url')}.${body}.${signature}`;
};
const refused: [string, () => Promise<string>, string][] = [
  ['no JWT', async () => 'portal', '1 parts'],
  ['longer than 8,192 characters', () => sign({ ...claims, pad: 'x'.repeat(9_000) }), 'longer'],
  ['crit', () => unsigned({ alg: 'ES256', crit: ['exp'] }), 'crit'],
  ['alg none', () => unsigned({ alg: 'none' }), 'alg'],
  ['alg HS256', () => unsigned({ alg: 'HS256' }), 'alg'],
  ['alg ES384', () => unsigned({ alg: 'ES384' }), 'alg'],
  ['no alg', () => unsigned({ kid: 'ec' }), 'alg'],
  ['a kid that is a number', () => unsigned({ alg: 'ES256', kid: 7 }), 'kid'],
  ['an unknown kid', () => sign(claims, { kid: 'none' }), 'no such key'],
  ['the kid of another kind of key', () => sign(claims, { kid: 'rsa' }), 'no such key'],
  ['another key', () => sign(claims, {}, other.privateKey), 'signature'],
  [
    'a changed payload',
    async () => {
      const [head, , signature] = (await sign(claims)).split('.');
      const body = Buffer.from(JSON.stringify({ ...claims, jti: 'b' })).toString('base64url');
      return `${head}.${body}.${signature}`;
    },
    'signature',
  ],
  ['another iss', () => sign({ ...claims, iss: 'other' }), 'iss or sub'],
  ['another sub', () => sign({ ...claims, sub: 'other' }), 'iss or sub'],
  ['no sub', () => sign({ ...claims, sub: undefined }), 'iss or sub'],
  ['another aud', () => sign({ ...claims, aud: 'https://other.example.com' }), 'aud'],
  ['no aud', () => sign({ ...claims, aud: undefined }), 'aud'],
  ['aud with a slash more', () => sign({ ...claims, aud: `${issuer}/` }), 'aud'],
  ['an aud that holds ours in a longer text', () => sign({ ...claims, aud: `x ${issuer}` }), 'aud'],
  ['aud of numbers', () => sign({ ...claims, aud: [7] }), 'aud'],
  ['no exp', () => sign({ ...claims, exp: undefined }), 'exp'],
  ['exp as text', () => sign({ ...claims, exp: String(nowSeconds + 60) }), 'exp'],
  ['exp 30 s ago', () => sign({ ...claims, exp: nowSeconds - 30 }), 'expired'],
  ['exp in six minutes', () => sign({ ...claims, exp: nowSeconds + 360 }), 'too far'],
  ['nbf in a minute', () => sign({ ...claims, nbf: nowSeconds + 60 }), 'not valid yet'],
  ['nbf as text', () => sign({ ...claims, nbf: '0' }), 'not valid yet'],
  ['iat in a minute', () => sign({ ...claims, iat: nowSeconds + 60 }), 'future'],
  ['no jti', () => sign({ ...claims, jti: undefined }), 'jti'],
  ['an empty jti', () => sign({ ...claims, jti: '' }), 'jti'],
  ['a jti that is a number', () => sign({ ...claims, jti: 7 }), 'jti'],
  ['a jti of 257 characters', () => sign({ ...claims, jti: 'x'.repeat(257) }), 'jti'],
];

it.each(refused)('a client assertion is refused: %s', async (_what, assertion, cause) => {
  expect(await judge(await assertion())).toEqual({ invalid: expect.stringContaining(cause) });
});

it('keys are looked for only where all else is good', async () => {
  let lookups = 0;
  const counted = async (wanted: KeyQuery) => {
    lookups += 1;
    return findKeys(wanted);
  };
  for (const [, assertion] of refused.slice(12)) await verifyClientAssertion(await assertion(), expected, counted);
  expect(lookups).toBe(0);
});

it.each(['EdDSA', 'Ed25519', undefined])('an Ed25519 key with alg %s verifies both names of its algorithm', (alg) => {
  const { publicKey } = generateKeyPairSync('ed25519');
  const key = openPublishedKey({ ...publicKey.export({ format: 'jwk' }), ...(alg && { alg }) });
  expect(['EdDSA', 'Ed25519', 'ES256'].map((name) => key.fits(name))).toEqual([true, true, false]);
});
