/** Tokens of any header and claims, as the service signs its own. */
import { createSecretKey, type KeyObject } from 'node:crypto';
import { encodeJson, type JwsAlgorithm, signWithHeader } from '../../src/auth/jwt.js';
import type { JsonObject } from '../../src/jsonObject.js';

/** `alg` in the header is always the key's. A secret may be bytes. */
export function signJwt(
  header: JsonObject,
  payload: JsonObject,
  { alg, privateKey }: { alg: JwsAlgorithm; privateKey: KeyObject | Buffer },
): string {
  const key = Buffer.isBuffer(privateKey) ? createSecretKey(privateKey) : privateKey;
  return signWithHeader(encodeJson({ ...header, alg }), payload, { alg, privateKey: key });
}
