/** Proofs of a key (RFC 9449), good ones and others. */
import { createHash, generateKeyPairSync, type KeyObject, randomUUID } from 'node:crypto';
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
