/** DPoP proofs (RFC 9449 §4.3): what makes one good, but for its single use, which is the caller's to see to. */
import { createHash } from 'node:crypto';
import { calculateJwkThumbprint, type JWK } from 'jose';
import { isJsonObject, type JsonObject } from '../jsonObject.js';
import { clientJwtLengthMax, findJtiProblem, holdsPrivateKey, isClientAlgorithm } from './clientJwt.js';
import { isSeconds, parseJwt } from './jwt.js';
import { openPublishedKey, verifiesWithOne } from './publishedKey.js';

export interface ProofExpectation {
  /** The method of the request. */
  method: string;
  /** Its public address; query and fragment don't count. */
  url: string;
  nowSeconds: number;
  /** The access token that is presented with it; absent at the token endpoints. */
  accessToken?: string;
  /** Thumbprint of the key that it has to be of; absent: of any. A proof of another key is not verified. */
  jkt?: string;
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

/** Age, and how far ahead the clock of a device may be; in seconds. */
const ageMax = 60;

/** The proof, or why it is none, in words for the log. */
export async function verifyDpopProof(
  proof: string,
  expected: ProofExpectation,
): Promise<DpopProof | { invalid: string; isOfAnotherKey?: true }> {
  const jwt = parseJwt(proof, clientJwtLengthMax);
  if ('malformed' in jwt) return { invalid: jwt.malformed };
  const { header, payload } = jwt;
  const problem = findHeaderProblem(header) ?? findClaimProblem(payload, expected);
  if (problem) return { invalid: problem };
  const jwk = header.jwk as JsonObject;
  const alg = header.alg as string;
  const key = openPublishedKey(jwk);
  if (!key.fits(alg))
    return { invalid: 'jwk is not for alg, or an RSA key of an unusual size: its signature is not verified' };
  const jkt = await calculateJwkThumbprint(jwk as JWK, 'sha256').catch(() => undefined);
  if (jkt === undefined) return { invalid: 'jwk is incomplete' };
  if (expected.jkt !== undefined && jkt !== expected.jkt)
    return { invalid: 'the proof is of another key', isOfAnotherKey: true };
  if (!(await verifiesWithOne(jwt, alg, [key]))) return { invalid: 'signature does not verify' };
  return {
    jkt,
    jti: payload.jti as string,
    expiresAt: (payload.iat as number) + ageMax,
    nonce: typeof payload.nonce === 'string' ? payload.nonce : undefined,
  };
}

function findHeaderProblem({ typ, alg, jwk }: JsonObject): string | undefined {
  if (typ !== 'dpop+jwt') return 'typ is not dpop+jwt';
  if (!isClientAlgorithm(alg)) return 'alg is not accepted';
  if (!isJsonObject(jwk)) return 'jwk is missing';
  if (holdsPrivateKey(jwk)) return 'jwk holds a private key';
  return undefined;
}

function findClaimProblem(
  { jti, htm, htu, iat, ath }: JsonObject,
  { method, url, nowSeconds, accessToken }: ProofExpectation,
): string | undefined {
  const jtiProblem = findJtiProblem(jti);
  if (jtiProblem) return jtiProblem;
  if (htm !== method) return 'htm is another method';
  if (typeof htu !== 'string' || resourceOf(htu) !== resourceOf(url)) return 'htu is another address';
  if (!isSeconds(iat)) return 'iat is missing or not a number';
  if (iat - nowSeconds > ageMax) return 'issued in the future';
  if (nowSeconds - iat > ageMax) return 'issued too long ago';
  const hash = accessToken === undefined ? undefined : createHash('sha256').update(accessToken).digest('base64url');
  if (hash !== undefined && ath !== hash) return 'ath is that of another access token';
  return undefined;
}

/** An address without query and fragment, normalised (RFC 3986 §6.2.2, §6.2.3); undefined for none. */
const resourceOf = (address: string): string | undefined => {
  const url = URL.parse(address);
  return url ? `${url.origin}${normalizeEncoding(url.pathname)}` : undefined;
};

/** A letter says the same encoded and plain, and hexadecimal digits the same in either case (RFC 3986 §6.2.2.1, §6.2.2.2). */
const normalizeEncoding = (path: string): string =>
  path.replace(/%[\da-f]{2}/gi, (encoded) => {
    const character = String.fromCharCode(Number.parseInt(encoded.slice(1), 16));
    return /[\w.~-]/.test(character) ? character : encoded.toUpperCase();
  });
