/** Proofs of a key (RFC 9449), good ones and others. */
import {
  createHash,
  createPrivateKey,
  createPublicKey,
  generateKeyPairSync,
  type KeyObject,
  randomUUID,
} from 'node:crypto';
import { type JWK, SignJWT } from 'jose';

export type Pair = { publicKey: KeyObject; privateKey: KeyObject };
export interface ProofParts {
  key?: Pair;
  url?: string;
  accessToken?: string;
  /** Claims and header that differ. */
  claims?: object;
  header?: object;
}

export const pair = (): Pair => generateKeyPairSync('ec', { namedCurve: 'P-256' });
export const own = pair();
export const now = () => Math.floor(Date.now() / 1_000);

/** @param htu the address @param htm the method */
export function proofFor(
  htu: string,
  htm: string,
  { key = own, accessToken, claims, header }: ProofParts = {},
): Promise<string> {
  const ath = accessToken && createHash('sha256').update(accessToken).digest('base64url');
  return new SignJWT({ jti: randomUUID(), htm, htu, iat: now(), ...(ath && { ath }), ...claims })
    .setProtectedHeader({
      typ: 'dpop+jwt',
      alg: 'ES256',
      jwk: key.publicKey.export({ format: 'jwk' }) as JWK,
      ...header,
    })
    .sign(key.privateKey);
}

/** A genuine pair of RSA keys whose public exponent is as long as nearly the modulus: a hundred times as dear to verify. */
export function pairOfLongExponent(): Pair {
  const { privateKey } = generateKeyPairSync('rsa', { modulusLength: 2048 });
  const own = privateKey.export({ format: 'jwk' });
  const [p, q] = [integerOf(own.p!), integerOf(own.q!)];
  const order = (p - 1n) * (q - 1n);
  let e = (1n << 2040n) + 1n;
  while (inverse(e, order) === undefined) e += 2n;
  const d = inverse(e, order)!;
  const parts = { ...own, e: textOf(e), d: textOf(d), dp: textOf(d % (p - 1n)), dq: textOf(d % (q - 1n)) };
  const long = createPrivateKey({ key: parts, format: 'jwk' });
  return { privateKey: long, publicKey: createPublicKey(long) };
}

const integerOf = (text: string): bigint => BigInt(`0x${Buffer.from(text, 'base64url').toString('hex')}`);
function textOf(integer: bigint): string {
  const digits = integer.toString(16);
  return Buffer.from(digits.padStart(digits.length + (digits.length % 2), '0'), 'hex').toString('base64url');
}

/** Undefined where the two have a common divisor. */
function inverse(value: bigint, modulus: bigint): bigint | undefined {
  let [rest, divisor, before, now] = [value % modulus, modulus, 1n, 0n];
  while (divisor > 0n) {
    const quotient = rest / divisor;
    [rest, divisor] = [divisor, rest - quotient * divisor];
    [before, now] = [now, before - quotient * now];
  }
  return rest === 1n ? ((before % modulus) + modulus) % modulus : undefined;
}
