/** The two spellings of a P-256 signature are one signature. */
import { generateKeyPairSync, randomBytes, sign, verify } from 'node:crypto';
import fc from 'fast-check';
import { fromDer, toDer } from '../../src/auth/jwt.js';

const { privateKey, publicKey } = generateKeyPairSync('ec', { namedCurve: 'P-256' });

it('a signature that OpenSSL made verifies in the form r and s, and one in that form verifies in OpenSSL', () => {
  // among a thousand some have halves that begin with zeros or with a high bit
  for (let round = 0; round < 1_000; round++) {
    const message = randomBytes(20);
    const der = sign('sha256', message, privateKey);
    const plain = fromDer(der);
    expect(plain.length).toBe(64);
    expect(toDer(plain).equals(der)).toBe(true);
    if (round % 50 === 0)
      expect(verify('sha256', message, { key: publicKey, dsaEncoding: 'ieee-p1363' }, plain)).toBe(true);
  }
});

it('any 64 bytes have one DER, which gives them back', () => {
  const zeros = fc
    .nat(32)
    .chain((count) =>
      fc
        .uint8Array({ minLength: 32 - count, maxLength: 32 - count })
        .map((rest) => [...new Array(count).fill(0), ...rest]),
    );
  fc.assert(
    fc.property(zeros, zeros, (r, s) => {
      const plain = Buffer.from([...r, ...s]);
      expect(fromDer(toDer(plain)).equals(plain)).toBe(true);
    }),
  );
});
