/** `console` in an entry of ID_TOKEN_ISSUERS: the client that the console is at an identity provider. */

import { createPrivateKey, type JsonWebKey } from 'node:crypto';
import { isScopeToken } from '../entities/valueForms.js';
import { isJsonObject } from '../jsonObject.js';
import { type InvalidSetting, isText } from './parsers.js';

export interface ConsoleClient {
  clientId: string;
  /** How the client authenticates: by a secret, or by assertions that this key signs (RFC 7523); neither: a public client. */
  clientSecret?: string;
  privateKeyJwk?: JsonWebKey & { kid?: string; alg?: string };
  /** `openid` */
  scope?: string;
  /** The provider's name, for users who choose among several; absent: its host. */
  name?: string;
}

const members = ['clientId', 'clientSecret', 'privateKeyJwk', 'scope', 'name'];
/** Maximum number of scopes, and of characters in each. */
const scopesMax = 51;
const scopeLengthMax = 200;

/**
 * Throws the error that `at` makes of the first fault: the member's path, such as `.clientId`, and what it must be.
 * @param audiences of the ID tokens that are exchanged
 */
export function readConsoleClient(
  entry: unknown,
  audiences: readonly unknown[],
  at: (path: string, wants: string) => InvalidSetting,
): void {
  if (!isJsonObject(entry)) throw at('', 'an object');
  for (const name of Object.keys(entry)) if (!members.includes(name)) throw at(`.${name}`, 'there is no such member');
  const { clientId, clientSecret, privateKeyJwk, scope, name } = entry;
  if (!isText(clientId)) throw at('.clientId', 'a string is required');
  // an ID token of the console's would be good for an exchange
  if (audiences.includes(clientId)) throw at('.clientId', 'a client of its own, not an audience');
  if (clientSecret !== undefined && !isText(clientSecret)) throw at('.clientSecret', 'a string');
  if (clientSecret !== undefined && privateKeyJwk !== undefined) throw at('.privateKeyJwk', 'without clientSecret');
  if (privateKeyJwk !== undefined && !isPrivateKey(privateKeyJwk))
    throw at('.privateKeyJwk', 'a private JWK of type RSA, EC or OKP (Ed25519)');
  if (scope !== undefined && !isScope(scope)) throw at('.scope', 'scopes with a space between, openid among them');
  if (name !== undefined && !isText(name)) throw at('.name', 'a string');
}

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
