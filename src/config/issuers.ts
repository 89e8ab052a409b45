/** Reads the entries of ID_TOKEN_ISSUERS. */
import { isJsonObject, type JsonObject } from '../jsonObject.js';
import { type ConsoleClient, consoleMembers } from './consoleClient.js';
import {
  findFault,
  InvalidSetting,
  ifPresent,
  isText,
  isWhole,
  type MemberChecks,
  readObjects,
  required,
} from './parsers.js';

export interface IdTokenIssuer {
  /** Compared exactly, as a string. */
  issuer: string;
  audience: string | string[];
  idpname: string;
  /** The field of the user that `sub` contains. */
  subject: 'userGuid' | 'idpid';
  /** The address of its keys; absent: from its discovery document. */
  jwksUri?: string;
  /** Its keys, a JSON Web Key Set, for a service that cannot reach the provider. Nothing is fetched. */
  jwks?: { keys: JsonObject[] };
  /** Accepted algorithms, all asymmetric; absent: the usual ones. */
  algorithms?: string[];
  /** Accepted values of `azp`; absent: the audience. */
  authorizedParties?: string[];
  /** Default: 900. */
  maxAgeSeconds?: number;
  /** The console's client at this provider; absent: the provider signs no users in to the console. */
  console?: ConsoleClient;
  /** Whether its ID tokens are accepted at /graphql, for the profile that a header names. Default: false. */
  pipelines?: boolean;
  /** The address at which this service reaches the provider, instead of the issuer's; only for the development provider. */
  askedAt?: string;
}

const asymmetric = /^(RS|PS|ES)(256|384|512)$|^(EdDSA|Ed25519)$/;
const isTexts = (value: unknown): value is string[] => Array.isArray(value) && value.length > 0 && value.every(isText);

/** The log and `doctor` show it. OpenID Connect Core 1.0 §2: an issuer has no query and no fragment. */
const isAddress = (value: unknown): boolean =>
  isText(value) && URL.canParse(value) && /^https?:\/\/[^/?#@\\]+(?:[/?#]|$)/i.test(value);
/** Beside `jwks` nothing is fetched from it: it is a name, such as a URN. */
const isIssuer = (value: unknown, jwks: unknown): boolean =>
  jwks === undefined ? isAddress(value) && !/[?#]/.test(value as string) : isText(value) && URL.canParse(value);

const issuerMembers: MemberChecks = {
  issuer: (value, { jwks }) => (isIssuer(value, jwks) ? undefined : 'an http(s) address without user or query'),
  audience: required('a string or an array of strings', (value) => isText(value) || isTexts(value)),
  idpname: required('a string is required', isText),
  subject: required('"userGuid" or "idpid"', (value) => value === 'userGuid' || value === 'idpid'),
  jwksUri: ifPresent('an http(s) address without user or password', isAddress),
  jwks: (value, { jwksUri }) => {
    if (value === undefined) return undefined;
    return jwksUri === undefined ? findKeysProblem(value) : 'only one of jwks and jwksUri';
  },
  algorithms: ifPresent(
    'asymmetric algorithms such as RS256',
    (value) => isTexts(value) && value.every((alg) => asymmetric.test(alg)),
  ),
  authorizedParties: ifPresent('an array of strings', isTexts),
  maxAgeSeconds: ifPresent('a whole number from 1 to 86400', isWhole(86_400)),
  pipelines: ifPresent('true or false', (value) => typeof value === 'boolean'),
  console: (value, { audience }) =>
    value === undefined ? undefined : findFault(value, consoleMembers([audience].flat())),
};

/** Returns what is wrong with static keys of a provider; undefined for usable ones. */
function findKeysProblem(jwks: unknown): string | undefined {
  const keys = isJsonObject(jwks) ? jwks.keys : undefined;
  if (!Array.isArray(keys) || keys.length === 0 || keys.length > 100) return 'a JSON Web Key Set of 1 to 100 keys';
  for (const [index, key] of keys.entries()) {
    if (!isJsonObject(key) || typeof key.kty !== 'string' || key.kty === 'oct')
      return `keys[${index}] must be a public key (kty RSA, EC or OKP)`;
    // RFC 7518 §6: the private members of all key types
    if (['d', 'p', 'q', 'dp', 'dq', 'qi', 'oth', 'k'].some((name) => Object.hasOwn(key, name)))
      return `keys[${index}] is a private key: take only its public members`;
  }
  return undefined;
}

export function idTokenIssuers(value: string): IdTokenIssuer[] {
  const wants = 'a JSON array with an entry per issuer';
  const issuers = readObjects(value, issuerMembers, wants) as unknown as IdTokenIssuer[];
  if (issuers.length === 0) throw new InvalidSetting(wants);
  if (new Set(issuers.map(({ issuer }) => issuer)).size < issuers.length)
    throw new InvalidSetting('one entry per issuer, not two');
  return issuers;
}
