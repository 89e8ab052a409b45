/** Signatures that were made to be mistaken for good ones. */
import { generateKeyPairSync, type KeyObject, sign } from 'node:crypto';
import { parseJwt, type SigningAlgorithm, verifySignature } from '../../src/auth/jwt.js';
import { signJwt } from '../support/signJwt.js';

const bytes = (text: string): Buffer => Buffer.from(text, 'base64url');

describe('a signature of our own', () => {
  const claims = { sub: 's' };
  const ec = generateKeyPairSync('ec', { namedCurve: 'P-256' });
  const ed = generateKeyPairSync('ed25519');
  const rsa = generateKeyPairSync('rsa', { modulusLength: 2048 });
  const order = 0xffffffff00000000ffffffffffffffffbce6faada7179e84f3b9cac2fc632551n;
  const curveOrder25519 = 0x1000000000000000000000000000000014def9dea2f79cd65812631a5cf5d3edn;
  const number = (of: Buffer): bigint => BigInt(`0x${of.toString('hex')}`);
  const be32 = (value: bigint): Buffer => Buffer.from(value.toString(16).padStart(64, '0'), 'hex');
  const judge = (token: string, signature: Buffer, alg: SigningAlgorithm, key: KeyObject): boolean => {
    const jwt = parseJwt(`${token.slice(0, token.lastIndexOf('.'))}.${signature.toString('base64url')}`);
    return !('malformed' in jwt) && verifySignature(jwt, alg, key);
  };
  const signatureOf = (token: string): Buffer => bytes(token.slice(token.lastIndexOf('.') + 1));
  const inputOf = (token: string): Buffer => Buffer.from(token.slice(0, token.lastIndexOf('.')));

  it('ES256: 64 bytes, r and s in their range; no DER, nothing before, after or left out', () => {
    const token = signJwt({}, claims, { alg: 'ES256', privateKey: ec.privateKey });
    const good = signatureOf(token);
    const [r, s] = [good.subarray(0, 32), good.subarray(32)];
    const zero = Buffer.alloc(32);
    const der = sign('sha256', inputOf(token), ec.privateKey);
    const judged = (signature: Buffer) => judge(token, signature, 'ES256', ec.publicKey);
    expect(judged(good)).toBe(true);
    // RFC 7518 §3.4 asks for no low s: both are the same signature, and no token is known by its bytes here
    expect(judged(Buffer.concat([r, be32(order - number(s))]))).toBe(true);
    const bad = [
      [zero, zero],
      [zero, s],
      [r, zero],
      [be32(order), s],
      [r, be32(order)],
      [be32(order), be32(order)],
      [be32(1n), be32(1n)],
      [Buffer.alloc(32, 255), Buffer.alloc(32, 255)],
      [s, r],
      [r],
      [r, s.subarray(0, 31)],
      [r, s, Buffer.of(0)],
      [Buffer.of(0), r, s],
      [Buffer.of(0), r, Buffer.of(0), s],
      [der],
      [],
    ];
    for (const parts of bad) expect(judged(Buffer.concat(parts))).toBe(false);
  });

  it('EdDSA: S below the order of the curve, and no other spelling of it', () => {
    const token = signJwt({}, claims, { alg: 'EdDSA', privateKey: ed.privateKey });
    const good = signatureOf(token);
    const [point, scalar] = [good.subarray(0, 32), Buffer.from(good.subarray(32)).reverse()];
    const withScalar = (value: bigint) => Buffer.concat([point, be32(value).reverse()]);
    const judged = (signature: Buffer) => judge(token, signature, 'EdDSA', ed.publicKey);
    expect(judged(withScalar(number(scalar)))).toBe(true);
    for (const factor of [1n, 2n, 8n])
      expect(judged(withScalar(number(scalar) + factor * curveOrder25519))).toBe(false);
    for (const signature of [
      Buffer.alloc(64),
      withScalar(0n),
      good.subarray(0, 63),
      Buffer.concat([good, Buffer.of(0)]),
    ])
      expect(judged(signature)).toBe(false);
    // the neutral element as R and as key would be good for anything
    const neutral = Buffer.concat([Buffer.of(1), Buffer.alloc(31)]);
    expect(judged(Buffer.concat([neutral, Buffer.alloc(32)]))).toBe(false);
  });

  it('RS256 and PS256: each in its own padding, with its own salt and hash, as long as the key', () => {
    const token = (alg: 'RS256' | 'PS256') => signJwt({}, claims, { alg, privateKey: rsa.privateKey });
    const pss = (saltLength: number, hash = 'sha256') =>
      sign(hash, inputOf(token('PS256')), { key: rsa.privateKey, padding: 6, saltLength });
    const [rs, ps] = [token('RS256'), token('PS256')];
    expect(judge(ps, pss(32), 'PS256', rsa.publicKey)).toBe(true);
    for (const saltLength of [0, 20, 31, 33, 64])
      expect(judge(ps, pss(saltLength), 'PS256', rsa.publicKey)).toBe(false);
    expect(judge(ps, pss(32, 'sha512'), 'PS256', rsa.publicKey)).toBe(false);
    expect(judge(ps, sign('sha256', inputOf(ps), rsa.privateKey), 'PS256', rsa.publicKey)).toBe(false);
    expect(judge(rs, signatureOf(rs), 'RS256', rsa.publicKey)).toBe(true);
    for (const signature of [
      sign('sha512', inputOf(rs), rsa.privateKey),
      sign('sha1', inputOf(rs), rsa.privateKey),
      pss(32),
      Buffer.concat([Buffer.of(0), signatureOf(rs)]),
      signatureOf(rs).subarray(0, 255),
      Buffer.alloc(256),
      Buffer.alloc(256, 255),
      Buffer.from(rsa.publicKey.export({ format: 'jwk' }).n as string, 'base64url'),
      Buffer.alloc(0),
    ])
      expect(judge(rs, signature, 'RS256', rsa.publicKey)).toBe(false);
  });

  it('is judged under the key’s own algorithm, whatever the header says', () => {
    const token = signJwt({}, claims, { alg: 'RS256', privateKey: rsa.privateKey });
    const jwt = parseJwt(token);
    if ('malformed' in jwt) throw new Error(jwt.malformed);
    for (const alg of ['PS256', 'ES256', 'EdDSA'] as const)
      expect(verifySignature(jwt, alg, rsa.publicKey)).toBe(false);
    const pem = Buffer.from(rsa.publicKey.export({ type: 'spki', format: 'pem' }));
    const confused = parseJwt(signJwt({}, claims, { alg: 'HS256', privateKey: pem }));
    if ('malformed' in confused) throw new Error(confused.malformed);
    expect(verifySignature(confused, 'RS256', rsa.publicKey)).toBe(false);
    expect(verifySignature({ ...confused, header: { alg: 'RS256' } }, 'RS256', rsa.publicKey)).toBe(false);
  });
});
