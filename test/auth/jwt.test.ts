/** Compact JWS: one spelling per token, and the key's algorithm decides. */
import { createHmac, createSecretKey, randomBytes, sign } from 'node:crypto';
import { isSignedWith, type ParsedJwt, parseJwt, verifySignature } from '../../src/auth/jwt.js';
import type { JsonObject } from '../../src/jsonObject.js';
import { signJwt } from '../support/signJwt.js';
import { makeKey } from './localProvider.js';

const secret = randomBytes(32);
const signers = (['ES256', 'RS256', 'PS256', 'EdDSA'] as const).map((alg) => makeKey('k', alg));
const es256 = signers[0]!;

function parse(token: string): ParsedJwt {
  const jwt = parseJwt(token);
  if ('malformed' in jwt) throw new Error(jwt.malformed);
  return jwt;
}

const encode = (text: string | Buffer) => Buffer.from(text).toString('base64url');
const isMalformed = (token: string) => 'malformed' in parseJwt(token);

describe('a signature', () => {
  it.each(signers)('of $alg verifies under its own key and algorithm alone', ({ alg, privateKey, publicKey }) => {
    const jwt = parse(signJwt({ typ: 'JWT' }, { sub: 'ä€😀' }, { alg, privateKey }));
    expect(jwt.payload).toEqual({ sub: 'ä€😀' });
    expect(jwt.header).toEqual({ typ: 'JWT', alg });
    expect(verifySignature(jwt, alg, publicKey)).toBe(true);
    expect(verifySignature(jwt, alg, makeKey('k', alg).publicKey)).toBe(false);
    for (const other of ['ES256', 'RS256', 'PS256', 'EdDSA'] as const)
      if (other !== alg) expect(verifySignature(jwt, other, publicKey)).toBe(false);
  });

  it('of HS256 is the same for the same values', () => {
    const sign = () => signJwt({ typ: 'x' }, { a: 1 }, { alg: 'HS256', privateKey: secret });
    expect(sign()).toBe(sign());
    expect(isSignedWith(sign(), createSecretKey(secret))).toBe(true);
    expect(isSignedWith(sign(), createSecretKey(randomBytes(32)))).toBe(false);
  });

  it('names the key’s algorithm, whatever header was asked for', () => {
    const token = signJwt({ alg: 'none' }, {}, { alg: 'ES256', privateKey: es256.privateKey });
    expect(parse(token).header.alg).toBe('ES256');
  });

  it('made with a public key as HMAC secret is refused, whatever the header says', () => {
    const pem = es256.publicKey.export({ type: 'spki', format: 'pem' });
    for (const alg of ['HS256', 'ES256', 'none']) {
      const input = `${encode(JSON.stringify({ alg }))}.${encode('{}')}`;
      const jwt = parse(`${input}.${createHmac('sha256', pem).update(input).digest('base64url')}`);
      expect(verifySignature(jwt, 'ES256', es256.publicKey)).toBe(false);
    }
  });

  it('of ES256 is r and s of 32 bytes each: no other length, no zeros', () => {
    const jwt = parse(signJwt({}, {}, es256));
    const { signature } = jwt;
    expect(signature.length).toBe(64);
    const forgeries = [
      signature.subarray(1),
      Buffer.concat([signature, Buffer.of(0)]),
      Buffer.alloc(64),
      Buffer.alloc(0),
    ];
    for (const forged of forgeries)
      expect(verifySignature({ ...jwt, signature: forged }, 'ES256', es256.publicKey)).toBe(false);
  });

  it('is refused under a header that names another algorithm, genuine though it is', () => {
    for (const alg of ['none', 'ES384', 'HS256', 'es256', undefined]) {
      const input = `${encode(JSON.stringify({ alg }))}.${encode('{}')}`;
      const signature = sign('sha256', Buffer.from(input), { key: es256.privateKey, dsaEncoding: 'ieee-p1363' });
      expect(verifySignature(parse(`${input}.${encode(signature)}`), 'ES256', es256.publicKey)).toBe(false);
    }
  });

  it('is refused by a key of another kind, genuine though it is', () => {
    const input = `${encode('{"alg":"RS256"}')}.${encode('{}')}`;
    const jwt = parse(`${input}.${encode(sign('sha256', Buffer.from(input), es256.privateKey))}`);
    expect(verifySignature(jwt, 'RS256', es256.publicKey)).toBe(false);
  });
});

describe('a token is malformed', () => {
  const good = signJwt({ typ: 'JWT' }, { sub: 'a' }, { alg: 'HS256', privateKey: secret });
  const [header, payload, signature] = good.split('.') as [string, string, string];
  const withHeader = (value: JsonObject) => `${encode(JSON.stringify(value))}.${payload}.${signature}`;

  it('unless it has three parts', () => {
    for (const token of ['', 'a', 'a.b', `${good}.`, `.${good}`, `${header}.${payload}`, `a.b.c.d.e`])
      expect(isMalformed(token)).toBe(true);
    expect(isMalformed(good)).toBe(false);
  });

  it('in any second spelling of a part: padding, white space, the other alphabet, unused bits', () => {
    for (const wrong of [
      `${good}=`,
      `${header}=.${payload}.${signature}`,
      `${good}\n`,
      ` ${good}`,
      good.replace('.', '+.'),
    ])
      expect(isMalformed(wrong)).toBe(true);
    const spellings = [...'ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789-_'].map(
      (last) => good.slice(0, -1) + last,
    );
    const sameBytes = spellings.filter((token) =>
      Buffer.from(token.split('.')[2]!, 'base64url').equals(Buffer.from(signature, 'base64url')),
    );
    expect(sameBytes.length).toBe(4);
    expect(sameBytes.filter((token) => !isMalformed(token))).toEqual([good]);
  });

  it('unless header and payload are JSON objects in UTF-8', () => {
    for (const text of ['', 'null', '1', '"x"', '[]', '{', '{}x', '\ufeff{}'])
      expect([
        isMalformed(`${encode(text)}.${payload}.${signature}`),
        isMalformed(`${header}.${encode(text)}.${signature}`),
      ]).toEqual([true, true]);
    expect(isMalformed(`${header}.${encode(Buffer.from('{"a":"\xe4"}', 'latin1'))}.${signature}`)).toBe(true);
  });

  it('when it demands an extension', () => {
    for (const crit of [['exp'], [], 'x', null]) expect(isMalformed(withHeader({ alg: 'HS256', crit }))).toBe(true);
  });

  it('when it is longer than allowed', () => {
    expect('malformed' in parseJwt(good, good.length)).toBe(false);
    expect('malformed' in parseJwt(good, good.length - 1)).toBe(true);
    expect(isMalformed('.'.repeat(1_000_000))).toBe(true);
  });
});
