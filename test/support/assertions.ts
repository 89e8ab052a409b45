/** Client assertions (`private_key_jwt`), made as a client of its own key makes them. */
import { generateKeyPairSync, randomUUID, sign } from 'node:crypto';

const { publicKey, privateKey } = generateKeyPairSync('ec', { namedCurve: 'P-256' });

/** For `jwks` of a client's record. */
export const assertionJwks = JSON.stringify({ keys: [{ ...publicKey.export({ format: 'jwk' }), kid: 'own' }] });

/** The members of a form, for one use. @param audience the issuer of the service */
export function assertionFor(clientId: string, audience: string): Record<string, string> {
  const iat = Math.floor(Date.now() / 1_000);
  const claims = { iss: clientId, sub: clientId, aud: audience, jti: randomUUID(), iat, exp: iat + 60 };
  const parts = [{ alg: 'ES256', kid: 'own' }, claims];
  const signed = parts.map((part) => Buffer.from(JSON.stringify(part)).toString('base64url')).join('.');
  const signature = sign('sha256', Buffer.from(signed), { key: privateKey, dsaEncoding: 'ieee-p1363' });
  return {
    client_assertion_type: 'urn:ietf:params:oauth:client-assertion-type:jwt-bearer',
    client_assertion: `${signed}.${signature.toString('base64url')}`,
  };
}
