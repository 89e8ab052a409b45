/** The two tokens of this service: each is taken in its own place alone, and only as it was made. */
import { createHash, randomBytes, randomUUID } from 'node:crypto';
import { type KeyRing, openKeyRing } from '../../src/auth/keyRing.js';
import { generateSigningKey } from '../../src/auth/newSigningKey.js';
import type { AccessTokenClaims } from '../../src/auth/tokenFormat.js';
import {
  openRenewalToken,
  renewalTokenHash,
  signAccessToken,
  signRenewalToken,
  verifyAccessToken,
} from '../../src/auth/tokenFormat.js';
import type { JsonObject } from '../../src/jsonObject.js';
import { signJwt } from '../support/signJwt.js';

const nowSeconds = 1_800_000_000;
const expected = { issuer: 'https://gatehouse.example', audiences: ['GRID', 'IOT'], nowSeconds };
const encryptionKey = randomBytes(32);
const makeRow = async (alg: 'ES256' | 'EdDSA' | 'HS256') => ({
  ...(await generateSigningKey(alg, encryptionKey)),
  state: 'active' as const,
});
const rows = [await makeRow('ES256'), await makeRow('HS256')];
const ring = openKeyRing(rows, [encryptionKey]);
const stranger = openKeyRing([await makeRow('ES256'), await makeRow('HS256')], [encryptionKey]);

function accessClaims(overrides: JsonObject = {}): AccessTokenClaims {
  const claims = {
    iss: expected.issuer,
    sub: randomUUID(),
    aud: ['GRID', 'IOT'],
    profileId: 'p',
    roleId: 'r',
    scopes: ['app:1'],
  };
  return { ...claims, iat: nowSeconds, exp: nowSeconds + 3600, ...overrides } as AccessTokenClaims;
}

function renewalClaims(overrides: JsonObject = {}) {
  const times = { created_at: '2027-01-15T08:00:00.000Z', expires_at: '2027-02-14T08:00:00.000Z' };
  return { iss: expected.issuer, sub: randomUUID(), ...times, jti: `${randomUUID()}.0`, ...overrides };
}

/** Signed with the ring's own key, under any header. */
function forge(header: JsonObject, claims: JsonObject = { ...accessClaims() }, of: KeyRing = ring): string {
  const { alg, privateKey } = of.signing;
  return signJwt({ typ: 'at+jwt', kid: of.signing.kid, ...header }, claims, { alg, privateKey });
}

const reasonOf = (token: string, overrides: object = {}) => {
  const verdict = verifyAccessToken(ring, token, { ...expected, ...overrides });
  return 'invalid' in verdict ? verdict.invalid : undefined;
};

describe('an access token', () => {
  it.each(['auto', 'at+jwt', 'JWT'] as const)('of typ %s comes back with its claims', (typ) => {
    const claims = accessClaims();
    expect(verifyAccessToken(ring, signAccessToken(ring, claims, typ), expected)).toMatchObject({ claims });
  });

  it('of typ auto is at+jwt where it has what RFC 9068 §2.2 requires and a session, and JWT where it lacks any of it', () => {
    const typOf = (more: JsonObject) => {
      const [header] = signAccessToken(ring, accessClaims(more), 'auto').split('.');
      return JSON.parse(Buffer.from(header!, 'base64url').toString()).typ;
    };
    expect(typOf({ client_id: 'portal', jti: 'x', sid: 'x' })).toBe('at+jwt');
    for (const lacking of [{}, { client_id: 'portal' }, { jti: 'x' }, { sid: 'x' }, { client_id: 'portal', jti: 'x' }])
      expect(typOf(lacking)).toBe('JWT');
  });

  it('may say application/at+jwt in any case, and nothing else', () => {
    for (const typ of ['application/at+jwt', 'AT+JWT', 'jwt']) expect(reasonOf(forge({ typ }))).toBeUndefined();
    for (const typ of [undefined, 'rt+jwt', 'id+jwt', 'at+jwt2', ' at+jwt', 7, ['JWT']])
      expect(reasonOf(forge({ typ }))).toContain('typ');
  });

  it('may have one audience as a string', () => {
    expect(reasonOf(forge({}, { ...accessClaims({ aud: 'IOT' }) }))).toBeUndefined();
    expect(reasonOf(forge({}, { ...accessClaims({ aud: ['x', 'IOT'] }) }))).toBeUndefined();
  });

  it('is valid until exp, to the second', () => {
    expect(reasonOf(forge({}), { nowSeconds: nowSeconds + 3599 })).toBeUndefined();
    expect(reasonOf(forge({}), { nowSeconds: nowSeconds + 3600 })).toBe('expired');
  });

  it('is refused for another issuer or audience', () => {
    expect(reasonOf(forge({}), { issuer: `${expected.issuer}/` })).toBe('issuer is another');
    expect(reasonOf(forge({}), { audiences: ['grid'] })).toBe('audience is another');
    expect(reasonOf(forge({}), { audiences: [] })).toBe('audience is another');
  });

  it('is refused without a known kid, and under another key', () => {
    for (const kid of [undefined, '', 'unknown', stranger.signing.kid, ring.renewal.kid, 7])
      expect(reasonOf(forge({ kid }))).toContain('kid');
    expect(reasonOf(forge({ kid: ring.signing.kid }, { ...accessClaims() }, stranger))).toContain('signature');
  });

  it.each([
    ...['iss', 'sub', 'profileId', 'roleId', 'scopes', 'aud', 'exp', 'iat'].map((name) => ({ [name]: undefined })),
    ...[
      { sub: 7 },
      { aud: [7] },
      { scopes: 'app:1' },
      { scopes: [7] },
      { exp: '9999999999' },
      { exp: null },
      { iat: '1' },
      { jti: 7 },
    ],
  ])('is refused when a claim is missing or mistyped (case %#)', (wrong) => {
    expect(reasonOf(forge({}, { ...accessClaims(wrong) }))).toContain('claim');
  });

  it('is refused after every single-character change', () => {
    const token = forge({});
    const alphabet = 'ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789-_';
    for (let at = 0; at < token.length; at++) {
      const present = alphabet.indexOf(token[at]!);
      for (const character of new Set([alphabet[(present + 1) % 64]!, alphabet[present ^ 1] ?? 'A', '=', '.', '+']))
        if (character !== token[at])
          expect(reasonOf(token.slice(0, at) + character + token.slice(at + 1))).toBeDefined();
    }
  });
});

describe('a renewal token', () => {
  it('comes back with its claims, and is the same for the same values', () => {
    const claims = renewalClaims();
    const token = signRenewalToken(ring, claims);
    expect(openRenewalToken(ring, token)).toEqual(claims);
    expect(signRenewalToken(ring, { ...claims })).toBe(token);
  });

  it('has at most 512 characters for an issuer of 80, whatever its generation', () => {
    const iss = `https://${'i'.repeat(72)}`;
    expect(iss.length).toBe(80);
    const token = signRenewalToken(ring, renewalClaims({ iss, jti: `${randomUUID()}.2147483647` }));
    expect(token.length).toBeLessThanOrEqual(512);
    expect(openRenewalToken(ring, token)).toBeDefined();
  });

  it('opens with a retired key too, and under no other', async () => {
    const [access, retired] = rows as [(typeof rows)[0], (typeof rows)[0]];
    const rotated = openKeyRing(
      [access, { ...retired, state: 'retired' as 'active' }, await makeRow('HS256')],
      [encryptionKey],
    );
    expect(openRenewalToken(rotated, signRenewalToken(ring, renewalClaims()))).toBeDefined();
    expect(openRenewalToken(stranger, signRenewalToken(ring, renewalClaims()))).toBeUndefined();
  });

  it('is refused after every single-character change', () => {
    const token = signRenewalToken(ring, renewalClaims());
    for (let at = 0; at < token.length; at++)
      // the last one has the same low byte
      for (const character of ['A', 'B', 'Q', 'g', 'w', '=', '.', String.fromCharCode(token.charCodeAt(at) + 256)])
        if (character !== token[at])
          expect(openRenewalToken(ring, token.slice(0, at) + character + token.slice(at + 1))).toBeUndefined();
  });

  it('is refused when a claim is missing', () => {
    const key = { alg: 'HS256', privateKey: ring.renewal.secret } as const;
    const header = { alg: 'HS256', typ: 'rt+jwt', kid: ring.renewal.kid };
    expect(openRenewalToken(ring, signJwt(header, renewalClaims(), key))).toBeDefined();
    for (const name of ['iss', 'sub', 'created_at', 'expires_at', 'jti'])
      expect(openRenewalToken(ring, signJwt(header, renewalClaims({ [name]: undefined }), key))).toBeUndefined();
  });

  it('is stored as its SHA-256', () => {
    expect(renewalTokenHash('token')).toEqual(createHash('sha256').update('token').digest());
  });
});

describe('a token in the place of the other is refused', () => {
  const key = { alg: 'HS256', privateKey: ring.renewal.secret } as const;

  it('an access token as renewal token', () => {
    expect(openRenewalToken(ring, forge({}))).toBeUndefined();
    expect(openRenewalToken(ring, forge({ typ: 'rt+jwt' }, renewalClaims()))).toBeUndefined();
    expect(openRenewalToken(ring, forge({ typ: 'rt+jwt', kid: ring.renewal.kid }, renewalClaims()))).toBeUndefined();
  });

  it('a renewal token as access token, even one with all its claims', () => {
    expect(reasonOf(signRenewalToken(ring, renewalClaims()))).toBeDefined();
    for (const typ of ['at+jwt', 'JWT', 'rt+jwt'])
      expect(reasonOf(signJwt({ typ, kid: ring.renewal.kid }, { ...accessClaims() }, key))).toBeDefined();
  });

  it('HS256 under the published key as access token', () => {
    const secret = Buffer.from(JSON.stringify(ring.jwks().keys[0]));
    expect(
      reasonOf(
        signJwt({ typ: 'at+jwt', kid: ring.signing.kid }, { ...accessClaims() }, { alg: 'HS256', privateKey: secret }),
      ),
    ).toContain('signature');
  });

  it('an HS256 token of the renewal key with another typ as renewal token', () => {
    expect(
      openRenewalToken(ring, signJwt({ typ: 'JWT', kid: ring.renewal.kid }, renewalClaims(), key)),
    ).toBeUndefined();
  });
});
