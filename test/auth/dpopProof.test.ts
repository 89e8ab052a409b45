/** DPoP proofs (RFC 9449 §4.3): the RFC's own are taken, and every other shape is refused with its cause. */
import { generateKeyPairSync, type KeyObject } from 'node:crypto';
import { calculateJwkThumbprint, SignJWT } from 'jose';
import { type ProofExpectation, verifyDpopProof } from '../../src/auth/clientKeys.js';
import { pairOfLongExponent } from '../support/dpopProofs.js';

const url = 'https://gatehouse.example.com/base/token';
const nowSeconds = 1_800_000_000;
const expected: ProofExpectation = { method: 'POST', url, nowSeconds };
const { privateKey, publicKey } = generateKeyPairSync('ec', { namedCurve: 'P-256' });
const jwk = publicKey.export({ format: 'jwk' });
const claims = { jti: 'a', htm: 'POST', htu: url, iat: nowSeconds };

const sign = (payload: object, header: object = {}, key: KeyObject = privateKey): Promise<string> =>
  new SignJWT({ ...payload }).setProtectedHeader({ typ: 'dpop+jwt', alg: 'ES256', jwk, ...header }).sign(key);

it('a DPoP proof is accepted, with the thumbprint of its key and the time until which it has to be remembered', async () => {
  expect(await verifyDpopProof(await sign(claims), expected)).toEqual({
    jkt: await calculateJwkThumbprint(jwk, 'sha256'),
    jti: 'a',
    expiresAt: nowSeconds + 60,
    nonce: undefined,
  });
});

it('the proofs of RFC 9449 §4.1 and §7.1 are accepted', async () => {
  const head =
    'eyJ0eXAiOiJkcG9wK2p3dCIsImFsZyI6IkVTMjU2IiwiandrIjp7Imt0eSI6IkVDIiwieCI6Imw4dEZyaHgtMzR0VjNoUklDUkRZOXpDa0RscEJoRjQyVVFVZldWQVdCRnMiLCJ5IjoiOVZFNGpmX09rX282NHpiVFRsY3VOSmFqSG10NnY5VERWclUwQ2R2R1JEQSIsImNydiI6IlAtMjU2In19';
  const atToken = `${head}.eyJqdGkiOiItQndDM0VTYzZhY2MybFRjIiwiaHRtIjoiUE9TVCIsImh0dSI6Imh0dHBzOi8vc2VydmVyLmV4YW1wbGUuY29tL3Rva2VuIiwiaWF0IjoxNTYyMjYyNjE2fQ.2-GxA6T8lP4vfrg8v-FdWP0A0zdrj8igiMLvqRMUvwnQg4PtFLbdLXiOSsX0x7NVY-FNyJK70nfbV37xRZT3Lg`;
  const atResource = `${head}.eyJqdGkiOiJlMWozVl9iS2ljOC1MQUVCIiwiaHRtIjoiR0VUIiwiaHR1IjoiaHR0cHM6Ly9yZXNvdXJjZS5leGFtcGxlLm9yZy9wcm90ZWN0ZWRyZXNvdXJjZSIsImlhdCI6MTU2MjI2MjYxOCwiYXRoIjoiZlVIeU8ycjJaM0RaNTNFc05yV0JiMHhXWG9hTnk1OUlpS0NBcWtzbVFFbyJ9.2oW9RP35yRqzhrtNP86L-Ey71EOptxRimPPToA1plemAgR6pxHF8y6-yqyVnmcw6Fy1dqd-jfxSYoMxhAJpLjA`;
  const jkt = '0ZcOCORZNYy-DWpqq30jZyJGHTN0d2HglBV3uiguA4I';
  expect(
    await verifyDpopProof(atToken, {
      method: 'POST',
      url: 'https://server.example.com/token',
      nowSeconds: 1_562_262_616,
    }),
  ).toMatchObject({ jkt, jti: '-BwC3ESc6acc2lTc' });
  expect(
    await verifyDpopProof(atResource, {
      method: 'GET',
      url: 'https://resource.example.org/protectedresource',
      nowSeconds: 1_562_262_618,
      accessToken: 'Kz~8mXK1EalYznwH-LC-1fBAo.4Ljp~zsPE_NeO.gxU',
    }),
  ).toMatchObject({ jkt, jti: 'e1j3V_bKic8-LAEB' });
});

it.each([
  ['query and fragment', `${url}?a=b#c`],
  ['host in capitals, with the usual port', 'HTTPS://GATEHOUSE.example.com:443/base/token'],
  ['dots in the path', 'https://gatehouse.example.com/x/../base/./token'],
  ['letters of the path encoded', 'https://gatehouse.example.com/b%61se/%74oken'],
])('an htu with %s is the same address', async (_what, htu) => {
  expect(await verifyDpopProof(await sign({ ...claims, htu }), expected)).toHaveProperty('jkt');
});

it('an encoded character of the path is the same in either case, and not the same as a separator', async () => {
  const braced = { ...expected, url: 'https://gatehouse.example.com/base/%7bguid%7d%2f' };
  const verify = async (path: string) =>
    verifyDpopProof(await sign({ ...claims, htu: `https://gatehouse.example.com/base/${path}` }), braced);
  for (const path of ['%7Bguid%7D%2F', '{guid}%2f']) expect(await verify(path)).toHaveProperty('jkt');
  for (const path of ['%7Bguid%7D/', '%257Bguid%257D%252F'])
    expect(await verify(path)).toEqual({ invalid: 'htu is not the address of the request' });
});

it.each([-60, 0, 60])('iat may be within 60 s, and the use is remembered for as long as it is: %i', async (offset) => {
  const iat = nowSeconds + offset;
  expect(await verifyDpopProof(await sign({ ...claims, iat }), expected)).toMatchObject({ expiresAt: iat + 60 });
});

const other = generateKeyPairSync('ec', { namedCurve: 'P-256' });
const p384 = generateKeyPairSync('ec', { namedCurve: 'P-384' });
const refused: [string, () => Promise<string>, string][] = [
  ['no JWT', async () => 'abc', '1 parts'],
  ['five parts', async () => 'a.b.c.d.e', '5 parts'],
  ['longer than 8,192 characters', () => sign({ ...claims, pad: 'x'.repeat(9_000) }), 'longer'],
  ['typ JWT', () => sign(claims, { typ: 'JWT' }), 'typ'],
  ['typ in capitals', () => sign(claims, { typ: 'DPOP+JWT' }), 'typ'],
  [
    'crit',
    async () => {
      const [, body, signature] = (await sign(claims)).split('.');
      const header = { typ: 'dpop+jwt', alg: 'ES256', jwk, crit: ['exp'] };
      return `${Buffer.from(JSON.stringify(header)).toString('base64url')}.${body}.${signature}`;
    },
    'crit',
  ],
  [
    'alg none',
    async () => {
      const [, body] = (await sign(claims)).split('.');
      return `${Buffer.from(JSON.stringify({ typ: 'dpop+jwt', alg: 'none', jwk })).toString('base64url')}.${body}.`;
    },
    'alg',
  ],
  [
    'alg HS256',
    async () => {
      const [, body, signature] = (await sign(claims)).split('.');
      return `${Buffer.from(JSON.stringify({ typ: 'dpop+jwt', alg: 'HS256', jwk })).toString('base64url')}.${body}.${signature}`;
    },
    'alg',
  ],
  [
    'alg ES384',
    () => sign(claims, { alg: 'ES384', jwk: p384.publicKey.export({ format: 'jwk' }) }, p384.privateKey),
    'alg',
  ],
  ['no jwk', () => sign(claims, { jwk: undefined }), 'jwk'],
  ['a jwk that is text', () => sign(claims, { jwk: 'x' }), 'jwk'],
  ['a private jwk', () => sign(claims, { jwk: privateKey.export({ format: 'jwk' }) }), 'private'],
  ['a symmetric jwk', () => sign(claims, { jwk: { kty: 'oct', k: 'AAAA' } }), 'private'],
  ['another key', () => sign(claims, {}, other.privateKey), 'signature'],
  ['a jwk of another curve', () => sign(claims, { jwk: p384.publicKey.export({ format: 'jwk' }) }), 'signature'],
  ['a jwk for encryption', () => sign(claims, { jwk: { ...jwk, use: 'enc' } }), 'signature'],
  ['no jti', () => sign({ ...claims, jti: undefined }), 'jti'],
  ['an empty jti', () => sign({ ...claims, jti: '' }), 'jti'],
  ['a jti that is a number', () => sign({ ...claims, jti: 7 }), 'jti'],
  ['a jti of 257 characters', () => sign({ ...claims, jti: 'x'.repeat(257) }), 'jti'],
  ['no htm', () => sign({ ...claims, htm: undefined }), 'htm'],
  ['htm GET', () => sign({ ...claims, htm: 'GET' }), 'htm'],
  ['htm in small letters', () => sign({ ...claims, htm: 'post' }), 'htm'],
  ['no htu', () => sign({ ...claims, htu: undefined }), 'htu'],
  ['htu of another host', () => sign({ ...claims, htu: 'https://other.example.com/base/token' }), 'htu'],
  ['htu of http', () => sign({ ...claims, htu: url.replace('https', 'http') }), 'htu'],
  ['htu of another path', () => sign({ ...claims, htu: `${url}/` }), 'htu'],
  ['htu without host', () => sign({ ...claims, htu: '/base/token' }), 'htu'],
  ['no iat', () => sign({ ...claims, iat: undefined }), 'iat'],
  ['iat as text', () => sign({ ...claims, iat: String(nowSeconds) }), 'iat'],
  ['iat 61 s ago', () => sign({ ...claims, iat: nowSeconds - 61 }), 'too long ago'],
  ['iat 61 s ahead', () => sign({ ...claims, iat: nowSeconds + 61 }), 'future'],
];

it.each(refused)('a DPoP proof is refused: %s', async (_what, proof, cause) => {
  expect(await verifyDpopProof(await proof(), expected)).toEqual({ invalid: expect.stringContaining(cause) });
});

describe('keys of the caller that would cost too much', () => {
  const rsa = generateKeyPairSync('rsa', { modulusLength: 2048 });
  const rsaJwk = rsa.publicKey.export({ format: 'jwk' });
  const signRsa = (key: KeyObject, header: object) => sign(claims, { alg: 'RS256', ...header }, key);

  it('a genuine proof by an RSA key with a long exponent is not taken; one by an ordinary key is', async () => {
    const long = pairOfLongExponent();
    const header = { jwk: long.publicKey.export({ format: 'jwk' }) };
    expect(await verifyDpopProof(await signRsa(long.privateKey, header), expected)).toEqual({
      invalid: expect.stringContaining('not verified'),
    });
    expect(await verifyDpopProof(await signRsa(rsa.privateKey, { jwk: rsaJwk }), expected)).toHaveProperty('jkt');
  });

  it.each([
    ['a modulus of 4,104 bits', { n: Buffer.alloc(513, 255).toString('base64url') }],
    ['a modulus of 2,040 bits', { n: Buffer.alloc(255, 255).toString('base64url') }],
    ['an exponent of 33 bits', { e: Buffer.from('0100000001', 'hex').toString('base64url') }],
    ['an even exponent', { e: Buffer.from('010000', 'hex').toString('base64url') }],
    ['an exponent of 1', { e: 'AQ' }],
    ['no exponent', { e: undefined }],
    ['a modulus that is a number', { n: 7 }],
  ])('%s: its signature is not verified', async (_what, parts) => {
    const proof = await signRsa(rsa.privateKey, { jwk: { ...rsaJwk, ...parts } });
    expect(await verifyDpopProof(proof, expected)).toEqual({ invalid: expect.stringContaining('not verified') });
  });

  it('where a key is expected, the signature of another one is not verified', async () => {
    const [head, body] = (await sign(claims, {}, other.privateKey)).split('.');
    const unsigned = `${head}.${body}.${Buffer.alloc(64).toString('base64url')}`;
    const jkt = await calculateJwkThumbprint(other.publicKey.export({ format: 'jwk' }), 'sha256');
    expect(await verifyDpopProof(unsigned, { ...expected, jkt })).toEqual({
      invalid: 'the proof was made with another key',
      isOfAnotherKey: true,
    });
    const own = await calculateJwkThumbprint(jwk, 'sha256');
    expect(await verifyDpopProof(unsigned, { ...expected, jkt: own })).toEqual({
      invalid: 'signature does not verify',
    });
    expect(await verifyDpopProof(await sign(claims), { ...expected, jkt: own })).toHaveProperty('jkt', own);
  });
});

it('beside an access token its hash is asked for', async () => {
  const withToken = { ...expected, accessToken: 'token' };
  const ath = 'PEaV3_OuTrFqyoRFgd9fWgx1hQ1r3Q0WQDOtNYnA3DQ';
  expect(await verifyDpopProof(await sign(claims), withToken)).toEqual({ invalid: expect.stringContaining('ath') });
  expect(await verifyDpopProof(await sign({ ...claims, ath }), withToken)).toEqual({
    invalid: expect.stringContaining('ath'),
  });
});
