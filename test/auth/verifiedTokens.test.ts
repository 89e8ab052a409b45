/** Tokens that were verified before: the signature isn't checked again, everything else is. */
import { openKeyRing, type SigningKeyRow } from '../../src/auth/keyRing.js';
import { generateSigningKey } from '../../src/auth/newSigningKey.js';
import { openVerifiedTokens, signAccessToken, verifyAccessToken } from '../../src/auth/tokenFormat.js';

const encryptionKey = Buffer.alloc(32, 1);
const now = 1_700_000_000;
const claims = {
  iss: 'https://issuer.example',
  sub: 'user',
  aud: ['GRID', 'IOT'],
  profileId: 'p',
  roleId: 'r',
  scopes: ['a:1'],
  exp: now + 3_600,
  iat: now,
};
const expected = { issuer: claims.iss, audiences: ['GRID'], nowSeconds: now + 1 };

async function makeKeys(): Promise<SigningKeyRow[]> {
  const active = (row: SigningKeyRow): SigningKeyRow => ({ ...row, state: 'active', activatedAt: row.createdAt });
  const [access, renewal] = await Promise.all([
    generateSigningKey('ES256', encryptionKey),
    generateSigningKey('HS256', encryptionKey),
  ]);
  return [active(access), active(renewal)];
}

let rows: SigningKeyRow[];
beforeAll(async () => {
  rows = await makeKeys();
});
const open = (keys = rows) => openKeyRing(keys, [encryptionKey]);

it('a token that was verified is known, and its claims are the same object', () => {
  const verified = openVerifiedTokens();
  const token = signAccessToken(open(), claims, 'at+jwt');
  const [first, second] = [1, 2].map(() => verifyAccessToken(open(), token, expected, verified));
  expect(first).toMatchObject({ claims });
  expect((second as { claims: object }).claims).toBe((first as { claims: object }).claims);
});

it('a remembered token is refused when it has expired, for another issuer or audience, and when its key is gone', async () => {
  const verified = openVerifiedTokens();
  const token = signAccessToken(open(), claims, 'at+jwt');
  const judge = (more: object, ring = open()) => verifyAccessToken(ring, token, { ...expected, ...more }, verified);
  expect(judge({})).toMatchObject({ claims });
  expect(judge({ nowSeconds: claims.exp })).toEqual({ invalid: 'expired' });
  expect(judge({ issuer: 'https://other.example' })).toEqual({ invalid: 'issuer is another' });
  expect(judge({ audiences: ['OTHER'] })).toEqual({ invalid: 'audience is another' });
  expect(judge({}, open(await makeKeys()))).toEqual({ invalid: expect.stringContaining('kid') });
  expect(judge({})).toMatchObject({ claims });
});

it('a token that did not verify is not remembered, nor is another spelling of a remembered one', () => {
  const verified = openVerifiedTokens();
  const token = signAccessToken(open(), claims, 'at+jwt');
  const altered = `${token.slice(0, -2)}${token.endsWith('AA') ? 'BB' : 'AA'}`;
  for (let time = 0; time < 2; time++)
    expect(verifyAccessToken(open(), altered, expected, verified)).toHaveProperty('invalid');
  verifyAccessToken(open(), token, expected, verified);
  for (const spelled of [`${token}=`, ` ${token}`, `${token}\0`, `${token}.`])
    expect(verifyAccessToken(open(), spelled, expected, verified)).toHaveProperty('invalid');
});

it('the claims that all share can be changed by nobody', () => {
  const verified = openVerifiedTokens();
  const judged = verifyAccessToken(open(), signAccessToken(open(), claims, 'at+jwt'), expected, verified);
  const shared = (judged as { claims: { scopes: string[]; aud: string[]; sub: string } }).claims;
  expect(() => shared.scopes.push('admin:security')).toThrow(TypeError);
  expect(() => shared.aud.push('OTHER')).toThrow(TypeError);
  expect(() => Object.assign(shared, { sub: 'another' })).toThrow(TypeError);
});

it('the oldest remembered tokens are forgotten when there is no room for more', () => {
  const ring = open();
  const tokens = [1, 2, 3].map((n) => signAccessToken(ring, { ...claims, sub: `user ${n}` }, 'at+jwt'));
  const verified = openVerifiedTokens(tokens[0]!.length * 2 + 10);
  for (const token of tokens) verifyAccessToken(ring, token, expected, verified);
  const isKnown = (token: string) => 'claims' in verified.verifyOnce(token, () => ({ invalid: 'asked' }));
  expect(tokens.map(isKnown)).toEqual([false, true, true]);
});
