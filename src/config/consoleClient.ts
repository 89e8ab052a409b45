/** `console` in an entry of ID_TOKEN_ISSUERS: the console's client at the identity provider. */
import { createPrivateKey, type JsonWebKey } from 'node:crypto';
import { isScopeToken } from '../entities/valueForms.js';
import { ifPresent, isText, type MemberChecks } from './parsers.js';

export interface ConsoleClient {
  clientId: string;
  /** How the client authenticates: by a secret, or by assertions that this key signs (RFC 7523); neither: a public client. */
  clientSecret?: string;
  privateKeyJwk?: JsonWebKey & { kid?: string; alg?: string };
  /** Default: `openid`. */
  scope?: string;
  /** The provider's name, for users who choose among several; absent: its host. */
  name?: string;
}

/** Maximum number of scopes, and of characters in each. */
const scopesMax = 51;
const scopeLengthMax = 200;

/** @param audiences of the ID tokens that are exchanged: an ID token of the console must not be one of them */
export const consoleMembers = (audiences: readonly unknown[]): MemberChecks => ({
  clientId: (value) => {
    if (!isText(value)) return 'a string is required';
    return audiences.includes(value) ? 'a client of its own, not an audience' : undefined;
  },
  clientSecret: ifPresent('a string', isText),
  privateKeyJwk: (value, { clientSecret }) => {
    if (value === undefined) return undefined;
    if (clientSecret !== undefined) return 'without clientSecret';
    return isPrivateKey(value) ? undefined : 'a private JWK of type RSA, EC or OKP (Ed25519)';
  },
  scope: ifPresent('scopes with a space between, openid among them', isScope),
  name: ifPresent('a string', isText),
});

function isScope(scope: unknown): boolean {
  const entries = isText(scope) ? scope.split(' ') : [];
  const areTokens = entries.every((entry) => entry.length <= scopeLengthMax && isScopeToken(entry));
  return areTokens && entries.length <= scopesMax && entries.includes('openid');
}

function isPrivateKey(jwk: unknown): boolean {
  try {
    const { asymmetricKeyType } = createPrivateKey({ key: jwk as JsonWebKey, format: 'jwk' });
    return ['rsa', 'ec', 'ed25519'].includes(asymmetricKeyType!);
  } catch {
    return false;
  }
}
