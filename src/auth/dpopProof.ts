/** DPoP proofs (RFC 9449 §4.3): what makes one good, but for its single use, which is the caller's to see to. */
import { createHash } from 'node:crypto';
import { calculateJwkThumbprint, type JWK } from 'jose';
import { type JsonObject, parseJwt } from './jwt.js';
import { openPublishedKey, verifiesWithOne } from './publishedKey.js';

export interface ProofExpectation {
  /** The method of the request. */
  method: string;
  /** Its public address; query and fragment don't count. */
  url: string;
  nowSeconds: number;
  /** The access token that is presented with it; absent at the token endpoints. */
  accessToken?: string;
}

interface DpopProof {
  /** Thumbprint of the key (RFC 7638): what a bound token has in `cnf.jkt`. */
  jkt: string;
  /** Good for one use. */
  jti: string;
  /** When the proof is refused for its age, in seconds since the epoch: until then its `jti` has to be remembered. */
  expiresAt: number;
  nonce: string | undefined;
}

// RFC 9864: what libraries of before call EdDSA
export const dpopAlgorithms = ['ES256', 'RS256', 'PS256', 'Ed25519', 'EdDSA'];
const lengthMax = 8_192;
const jtiLengthMax = 256;
/** Age, and how far ahead a client's clock may be; in seconds. */
const ageMax = 60;
const aheadMax = 5;
const privateMembers = ['d', 'p', 'q', 'dp', 'dq', 'qi', 'oth', 'k'];

/** The proof, or why it is none, in words for the log. */
export async function verifyDpopProof(
  proof: string,
  expected: ProofExpectation,
): Promise<DpopProof | { invalid: string }> {
  const jwt = parseJwt(proof, lengthMax);
  if ('malformed' in jwt) return { invalid: jwt.malformed };
  const { header, payload } = jwt;
  const problem = findHeaderProblem(header) ?? findClaimProblem(payload, expected);
  if (problem) return { invalid: problem };
  const jwk = header.jwk as JsonObject;
  const alg = header.alg as string;
  const key = openPublishedKey(jwk);
  if (!key.fits(alg) || !(await verifiesWithOne(proof, alg, [key]))) return { invalid: 'signature does not verify' };
  return {
    jkt: await calculateJwkThumbprint(jwk as JWK, 'sha256'),
    jti: payload.jti as string,
    expiresAt: (payload.iat as number) + ageMax,
    nonce: typeof payload.nonce === 'string' ? payload.nonce : undefined,
  };
}

function findHeaderProblem({ typ, alg, jwk }: JsonObject): string | undefined {
  if (typ !== 'dpop+jwt') return 'typ is not dpop+jwt';
  if (typeof alg !== 'string' || !dpopAlgorithms.includes(alg)) return 'alg is not accepted';
  if (typeof jwk !== 'object' || jwk === null || Array.isArray(jwk)) return 'jwk is missing';
  if (privateMembers.some((member) => Object.hasOwn(jwk, member))) return 'jwk holds a private key';
  return undefined;
}

function findClaimProblem(
  { jti, htm, htu, iat, ath }: JsonObject,
  { method, url, nowSeconds, accessToken }: ProofExpectation,
): string | undefined {
  if (typeof jti !== 'string' || jti === '' || jti.length > jtiLengthMax) return 'jti is missing or too long';
  if (htm !== method) return 'htm is another method';
  if (typeof htu !== 'string' || resourceOf(htu) !== resourceOf(url)) return 'htu is another address';
  if (typeof iat !== 'number' || !Number.isFinite(iat)) return 'iat is missing or not a number';
  if (iat > nowSeconds + aheadMax) return 'issued in the future';
  if (nowSeconds - iat > ageMax) return 'issued too long ago';
  const hash = accessToken === undefined ? undefined : createHash('sha256').update(accessToken).digest('base64url');
  if (hash !== undefined && ath !== hash) return 'ath is that of another access token';
  return undefined;
}

/** An address without query and fragment, normalised (RFC 3986 §6.2.2, §6.2.3); undefined for none. */
const resourceOf = (address: string): string | undefined => {
  const url = URL.parse(address);
  return url ? `${url.origin}${url.pathname}` : undefined;
};
