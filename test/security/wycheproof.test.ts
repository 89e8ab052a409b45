/**
 * Project Wycheproof's vectors of ECDSA, EdDSA and RSA signatures, as signatures of a JWS. They are not kept here:
 * GATEHOUSE_WYCHEPROOF names the folder `testvectors_v1` of a clone of github.com/C2SP/wycheproof; without it nothing runs.
 * What they are about is tested always in security/signatures.
 */
import { createPublicKey } from 'node:crypto';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { decodeProtectedHeader } from 'jose';
import { parseJwt, type SigningAlgorithm, verifySignature } from '../../src/auth/jwt.js';
import { openPublishedKey, verifiesWithOne } from '../../src/auth/publishedKey.js';
import type { JsonObject } from '../../src/jsonObject.js';

const folder = process.env.GATEHOUSE_WYCHEPROOF;

interface Vector {
  tcId: number;
  comment: string;
  result: 'valid' | 'invalid' | 'acceptable';
}
interface Group<V extends Vector> {
  publicKeyPem: string;
  public?: JsonObject;
  tests: V[];
}
function groupsOf<V extends Vector>(name: string): Group<V>[] {
  return JSON.parse(readFileSync(join(folder!, `${name}_test.json`), 'utf8')).testGroups;
}

const bytes = (hex: string): string => Buffer.from(hex, 'hex').toString('latin1');

(folder ? describe : describe.skip)('of Wycheproof', () => {
  it.each<[string, SigningAlgorithm, number]>([
    ['ecdsa_secp256r1_sha256_p1363', 'ES256', 262],
    ['ed25519', 'EdDSA', 151],
    ['rsa_signature_2048_sha256', 'RS256', 259],
    ['rsa_signature_3072_sha256', 'RS256', 259],
    ['rsa_signature_4096_sha256', 'RS256', 258],
    ['rsa_pss_2048_sha256_mgf1_32', 'PS256', 108],
  ])('%s under %s: %i vectors, each judged as told', (name, alg, atLeast) => {
    const judged = judge(name, alg);
    expect(judged.length).toBeGreaterThanOrEqual(atLeast);
    // "acceptable": a lax spelling that one may take or not
    expect(judged.filter(({ isGood, result }) => result !== 'acceptable' && isGood !== (result === 'valid'))).toEqual(
      [],
    );
  });

  it.each<[string, SigningAlgorithm, string[]]>([
    // DER is no signature of a JWS, however good
    ['ecdsa_secp256r1_sha256', 'ES256', []],
    // RFC 7518 §3.5: the salt is as long as the hash; these have vectors of the other kind among their bad ones
    ['rsa_pss_2048_sha256_mgf1_0', 'PS256', ['s_len changed to 32']],
    ['rsa_signature_2048_sha256', 'PS256', ['RSASSA-PSS signature']],
    ['rsa_pss_2048_sha256_mgf1_32', 'RS256', ['PKCS #1 v1.5 signature with SHA-256']],
  ])('%s under %s: none is good but %j', (name, alg, good) => {
    const judged = judge(name, alg);
    expect(judged.length).toBeGreaterThan(100);
    expect(judged.filter(({ isGood }) => isGood).map(({ comment }) => comment)).toEqual(good);
  });

  it('JSON Web Signatures: no invalid one is taken, and each valid one is, but for those told', async () => {
    const wrong: string[] = [];
    for (const name of ['json_web_signature', 'json_web_crypto'])
      for (const { public: jwk, tests } of groupsOf<Vector & { jws: string | object }>(name)) {
        if (!jwk) continue;
        const key = openPublishedKey(jwk);
        for (const { tcId, comment, result, jws } of tests) {
          const isGood = typeof jws === 'string' && (await verifies(key, jws));
          if (isGood !== (result === 'valid')) wrong.push(`${name} ${tcId} ${comment}: ${isGood}`);
        }
      }
    expect(wrong.toSorted()).toEqual([
      // a weak key (CVE-2017-15361) is the provider's matter: it vouches for its own users alone
      'json_web_crypto 46 rejectsKeyWithRocaVulnerability: true',
      // the key itself names another algorithm than the token
      ...['346 Figure20', '347 Figure27', '350 Figure20', '351 Figure27'].map(
        (each) => `json_web_signature ${each}: false`,
      ),
    ]);
  });
});

function judge(name: string, alg: SigningAlgorithm): (Vector & { isGood: boolean })[] {
  return groupsOf<Vector & { msg: string; sig: string }>(name).flatMap(({ publicKeyPem, tests }) => {
    const key = createPublicKey(publicKeyPem);
    return tests.map(({ tcId, comment, result, msg, sig }) => {
      const jwt = { header: { alg }, signature: Buffer.from(sig, 'hex'), signingInput: bytes(msg) };
      return { tcId, comment, result, isGood: verifySignature(jwt, alg, key) };
    });
  });
}

/** As an ID token is verified, but for its claims. */
async function verifies(key: ReturnType<typeof openPublishedKey>, jws: string): Promise<boolean> {
  const jwt = parseJwt(jws);
  if ('malformed' in jwt && !/JSON object/.test(jwt.malformed)) return false;
  const [head, payload, signature] = jws.split('.') as [string, string, string];
  let header: JsonObject;
  try {
    header = decodeProtectedHeader(jws) as JsonObject;
  } catch {
    return false;
  }
  const signed = { header, signature: Buffer.from(signature, 'base64url'), signingInput: `${head}.${payload}` };
  return key.fits(header.alg as string) && verifiesWithOne(signed, header.alg as string, [key]);
}
