/** The limit of the benchmark does genuine work: what it signs by hand verifies, and it takes what is genuine alone. */
import { createHmac, createPublicKey, generateKeyPairSync, sign, verify } from 'node:crypto';

const { privateKey } = generateKeyPairSync('ec', { namedCurve: 'P-256' });
process.env.FLOOR_PRIVATE_KEY = privateKey.export({ format: 'pem', type: 'pkcs8' }).toString();
process.env.ISSUER_URL = 'https://auth.example.com';
const { openPayload, ownKey, signAccess, signRenewal, timesFrom } = await import('../../bench/limit/tokens.js');
const key = { key: createPublicKey(privateKey), dsaEncoding: 'ieee-p1363' } as const;
/** Enough that r and s begin with zeros and with high bits, in each of the two. */
const many = Array.from({ length: 700 }, (_, index) => index);

const partsOf = (token: string) => {
  const end = token.lastIndexOf('.');
  return { input: Buffer.from(token.slice(0, end)), signature: Buffer.from(token.slice(end + 1), 'base64url') };
};

it('each access token that the limit signs is one that JOSE verifies', () => {
  for (const index of many) {
    const { input, signature } = partsOf(signAccess(`user ${index}`, 'profile', Date.now()));
    expect(verify('sha256', input, key, signature)).toBe(true);
  }
});

it('the limit opens every genuine token, and none that was changed', () => {
  for (const index of many) {
    const claims = JSON.stringify({ sub: `user ${index}` });
    const input = `e30.${Buffer.from(claims).toString('base64url')}`;
    const made = sign('sha256', Buffer.from(input), { key: privateKey, dsaEncoding: 'ieee-p1363' });
    expect(openPayload(`${input}.${made.toString('base64url')}`, ownKey)).toBe(claims);
    made[index % 64]! ^= 1;
    expect(() => openPayload(`${input}.${made.toString('base64url')}`, ownKey)).toThrow('signature');
  }
});

it('a renewal token of the limit bears the HMAC of its text', () => {
  const { input, signature } = partsOf(signRenewal('user', 'guid.1', timesFrom(0)));
  expect(signature).toEqual(createHmac('sha256', Buffer.alloc(32, 1)).update(input).digest());
});
