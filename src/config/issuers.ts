/** Reads the entries of ID_TOKEN_ISSUERS. */
import { isJsonObject, type JsonObject } from '../jsonObject.js';
import { type ConsoleClient, readConsoleClient } from './consoleClient.js';
import { InvalidSetting, isText } from './parsers.js';

export interface IdTokenIssuer {
  /** Compared exactly, as a string. */
  issuer: string;
  audience: string | string[];
  idpname: string;
  /** The user's value that `sub` contains. */
  subject: 'userGuid' | 'idpid';
  /** The address of its keys; absent: from its discovery document. */
  jwksUri?: string;
  /** Its keys, a JSON Web Key Set, for a service that cannot reach the provider. Nothing is fetched. */
  jwks?: { keys: JsonObject[] };
  /** Accepted algorithms, all asymmetric; absent: the usual ones. */
  algorithms?: string[];
  /** Accepted values of `azp`; absent: the audience. */
  authorizedParties?: string[];
  /** 900 */
  maxAgeSeconds?: number;
  /** The console's client at this provider; absent: the provider signs no users in to the console. */
  console?: ConsoleClient;
  /** Whether its ID tokens are accepted at /graphql, for the profile that a header names; false. */
  pipelines?: boolean;
  /** The address at which this service reaches the provider, instead of the issuer's; only for the development provider. */
  askedAt?: string;
}

const asymmetric = /^(RS|PS|ES)(256|384|512)$|^EdDSA$/;
const isTexts = (value: unknown): value is string[] => Array.isArray(value) && value.length > 0 && value.every(isText);

const issuerMembers = [
  'issuer',
  'audience',
  'idpname',
  'subject',
  'jwksUri',
  'jwks',
  'algorithms',
  'authorizedParties',
  'maxAgeSeconds',
  'console',
  'pipelines',
];

function readIssuer(entry: unknown, index: number): IdTokenIssuer {
  const at = (name: string, wants: string) => new InvalidSetting(`right in [${index}].${name}: ${wants}`);
  const issuer = entry as Record<string, unknown>;
  if (!issuer || typeof issuer !== 'object') throw new InvalidSetting(`an array of objects; [${index}] isn't one`);
  for (const name of Object.keys(issuer)) if (!issuerMembers.includes(name)) throw at(name, 'there is no such member');
  if (!isText(issuer.issuer) || !URL.canParse(issuer.issuer)) throw at('issuer', 'an address is required');
  if (!isText(issuer.audience) && !isTexts(issuer.audience)) throw at('audience', 'a string or an array of strings');
  if (!isText(issuer.idpname)) throw at('idpname', 'a string is required');
  if (issuer.subject !== 'userGuid' && issuer.subject !== 'idpid') throw at('subject', '"userGuid" or "idpid"');
  if (issuer.jwksUri !== undefined && !(isText(issuer.jwksUri) && URL.canParse(issuer.jwksUri)))
    throw at('jwksUri', 'an address');
  if (issuer.jwks !== undefined) {
    if (issuer.jwksUri !== undefined) throw at('jwks', 'only one of jwks and jwksUri');
    const problem = findKeysProblem(issuer.jwks);
    if (problem) throw at('jwks', problem);
  }
  if (
    issuer.algorithms !== undefined &&
    !(isTexts(issuer.algorithms) && issuer.algorithms.every((alg) => asymmetric.test(alg)))
  )
    throw at('algorithms', 'asymmetric algorithms such as RS256');
  if (issuer.authorizedParties !== undefined && !isTexts(issuer.authorizedParties))
    throw at('authorizedParties', 'an array of strings');
  const age = issuer.maxAgeSeconds;
  if (age !== undefined && !(typeof age === 'number' && Number.isInteger(age) && age > 0 && age <= 86_400))
    throw at('maxAgeSeconds', 'a whole number from 1 to 86400');
  if (issuer.pipelines !== undefined && typeof issuer.pipelines !== 'boolean') throw at('pipelines', 'true or false');
  if (issuer.console !== undefined)
    readConsoleClient(issuer.console, audiencesOf(issuer), (name, wants) => at(`console${name}`, wants));
  return issuer as unknown as IdTokenIssuer;
}

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

const audiencesOf = ({ audience }: Record<string, unknown>): unknown[] => [audience].flat();

export function idTokenIssuers(value: string): IdTokenIssuer[] {
  let parsed: unknown;
  try {
    parsed = JSON.parse(value);
  } catch {
    throw new InvalidSetting('JSON');
  }
  if (!Array.isArray(parsed) || parsed.length === 0) throw new InvalidSetting('a JSON array with an entry per issuer');
  const issuers = parsed.map(readIssuer);
  if (new Set(issuers.map(({ issuer }) => issuer)).size < issuers.length)
    throw new InvalidSetting('one entry per issuer, not two');
  return issuers;
}
