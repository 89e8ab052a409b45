/** Signing keys: closed in the database, open in memory, published exactly as far as they are accepted. */
import { randomBytes } from 'node:crypto';
import {
  isSealedWith,
  openKeyRing,
  resealSigningKey,
  type SigningKeyRow,
  type SigningKeyState,
} from '../../src/auth/keyRing.js';
import { generateSigningKey } from '../../src/auth/newSigningKey.js';

const encryptionKey = randomBytes(32);

async function row(alg: SigningKeyRow['alg'], state: SigningKeyState, day = 1): Promise<SigningKeyRow> {
  const at = new Date(Date.UTC(2030, 0, day));
  return { ...(await generateSigningKey(alg, encryptionKey, at)), state, activatedAt: state === 'next' ? null : at };
}

const renewal = await row('HS256', 'active');
const active = await row('ES256', 'active', 2);
const next = await row('ES256', 'next', 3);
const retired = await row('RS256', 'retired', 1);
const oldRenewal = await row('HS256', 'retired', 1);

describe('a new key', () => {
  it.each([
    'ES256',
    'RS256',
    'PS256',
    'EdDSA',
  ] as const)('of %s waits as next, with its public half and nothing of the private one', async (alg) => {
    const made = await generateSigningKey(alg, encryptionKey);
    expect(made).toMatchObject({
      alg,
      state: 'next',
      activatedAt: null,
      retiredAt: null,
      publicJwk: { alg, use: 'sig', kid: made.kid },
    });
    expect(
      Object.keys(made.publicJwk!).filter((member) => ['d', 'p', 'q', 'dp', 'dq', 'qi', 'k'].includes(member)),
    ).toEqual([]);
    expect(openKeyRing([{ ...made, state: 'active' }, renewal], [encryptionKey]).signing).toMatchObject({
      kid: made.kid,
      alg,
    });
  });

  it('is named by its RFC 7638 thumbprint', async () => {
    const { publicJwk, kid } = active;
    const { crv, kty, x, y } = publicJwk as Record<string, string>;
    const digest = await crypto.subtle.digest(
      'SHA-256',
      Buffer.from(`{"crv":"${crv}","kty":"${kty}","x":"${x}","y":"${y}"}`),
    );
    expect(kid).toBe(Buffer.from(digest).toString('base64url'));
  });

  it('for renewal tokens has no public half', () => expect(renewal.publicJwk).toBeNull());
});

describe('the ring', () => {
  const ring = openKeyRing([retired, oldRenewal, next, renewal, active], [encryptionKey]);

  it('signs with the active keys', () => {
    expect(ring.signing).toMatchObject({ kid: active.kid, alg: 'ES256' });
    expect(ring.renewal).toMatchObject({ kid: renewal.kid });
    expect(ring.renewal.secret.symmetricKeySize).toBe(32);
  });

  it('publishes exactly the asymmetric keys that it accepts, the signing one first', () => {
    const kids = ring.jwks().keys.map((key) => key.kid);
    expect(kids).toEqual([active.kid, next.kid, retired.kid]);
    for (const kid of kids) expect(ring.findVerificationKey(kid)).toMatchObject({ kid });
    expect(ring.jwks().keys).toEqual([active.publicJwk, next.publicJwk, retired.publicJwk]);
  });

  it('keeps the two kinds of keys apart', () => {
    expect(ring.findVerificationKey(renewal.kid)).toBeUndefined();
    expect(ring.findRenewalSecret(active.kid)).toBeUndefined();
    expect(ring.findRenewalSecret(oldRenewal.kid)?.symmetricKeySize).toBe(32);
  });

  it('knows no other id', () => {
    for (const kid of [
      undefined,
      null,
      '',
      0,
      '__proto__',
      'constructor',
      [active.kid],
      { toString: () => active.kid },
    ]) {
      expect(ring.findVerificationKey(kid)).toBeUndefined();
      expect(ring.findRenewalSecret(kid)).toBeUndefined();
    }
  });

  it('is the same whatever the order of the rows, even with two active keys', async () => {
    const newer = await row('EdDSA', 'active', 9);
    expect(openKeyRing([active, newer, renewal], [encryptionKey]).signing.kid).toBe(newer.kid);
    expect(openKeyRing([renewal, newer, active], [encryptionKey]).signing.kid).toBe(newer.kid);
  });

  it('does not open without an active key of each kind', () => {
    expect(() => openKeyRing([next, retired, renewal], [encryptionKey])).toThrow(
      'no signing key for access tokens is active',
    );
    expect(() => openKeyRing([active, oldRenewal], [encryptionKey])).toThrow(
      'no signing key for renewal tokens is active',
    );
  });
});

describe('a private half', () => {
  const ciphertext = active.privateCiphertext!;
  const opened =
    (changed: Partial<SigningKeyRow>, keys = [encryptionKey]) =>
    () =>
      openKeyRing([{ ...active, ...changed }, renewal], keys);

  it('opens under its own encryption key alone', () => {
    const message = `KEY_ENCRYPTION_KEY doesn't open signing key ${renewal.kid}: it was encrypted with another key`;
    expect(opened({}, [randomBytes(32)])).toThrow(message);
    expect(opened({}, [])).toThrow(message);
    expect(opened({}, [randomBytes(32), encryptionKey])).not.toThrow();
    expect(opened({}, [randomBytes(16)])).toThrow('KEY_ENCRYPTION_KEY has 16 bytes');
  });

  it('opens unchanged alone, and for its own kid and alg alone', () => {
    for (let at = 0; at < ciphertext.length; at++) {
      const changed = Buffer.from(ciphertext);
      changed[at]! ^= 1;
      expect(opened({ privateCiphertext: changed })).toThrow(active.kid);
    }
    expect(opened({ privateCiphertext: ciphertext.subarray(0, -1) })).toThrow(active.kid);
    expect(opened({ privateCiphertext: Buffer.alloc(0) })).toThrow(active.kid);
    expect(opened({ privateCiphertext: null })).toThrow('has no private half');
    expect(opened({ privateCiphertext: next.privateCiphertext })).toThrow("doesn't open");
    expect(opened({ kid: 'other' })).toThrow("KEY_ENCRYPTION_KEY doesn't open signing key other");
    expect(opened({ alg: 'HS256' })).toThrow("doesn't open");
  });

  it('alone tells the public half: one planted in the table is neither used nor published', () => {
    const ring = openKeyRing([{ ...active, publicJwk: next.publicJwk }, renewal], [encryptionKey]);
    expect(ring.jwks().keys).toEqual([active.publicJwk]);
  });

  it('is never twice closed alike, and moves to another encryption key', () => {
    const newKey = randomBytes(32);
    const moved = resealSigningKey(active, [encryptionKey], newKey);
    expect(resealSigningKey(active, [encryptionKey], newKey)).not.toEqual(moved);
    expect([isSealedWith(moved, newKey), isSealedWith(moved, encryptionKey)]).toEqual([true, false]);
    expect(opened({ privateCiphertext: moved })).toThrow("doesn't open");
    expect(opened({ privateCiphertext: moved }, [newKey, encryptionKey])).not.toThrow();
  });
});
