/** How a setting's text becomes its value; a text that can't is InvalidSetting with what it must be. */

import { isIP } from 'node:net';
import { isGuid } from '../entities/guid.js';

/** "SETTING must be <message>." */
export class InvalidSetting extends Error {}

export const integer =
  (min: number, max: number) =>
  (text: string): number => {
    const value = Number(text);
    if (!/^\d+$/.test(text) || value < min || value > max)
      throw new InvalidSetting(`a whole number from ${min} to ${max}`);
    return value;
  };
export const ratio = (text: string): number => {
  if (!/^(0|1|[01]\.\d+|\.\d+)$/.test(text) || Number(text) > 1) throw new InvalidSetting('a number from 0 to 1');
  return Number(text);
};
export const oneOf =
  <const T extends string>(...values: T[]) =>
  (text: string): T => {
    if (!(values as string[]).includes(text)) throw new InvalidSetting(`one of ${values.join(', ')}`);
    return text as T;
  };
export const text = (value: string): string => value;
export const list = (value: string): string[] => value.split(/[\s,]+/).filter(Boolean);
export const hosts = (value: string): string[] => list(value.toLowerCase());
export const boolean = (value: string): boolean => oneOf('yes', 'no', '')(value) === 'yes';
export const guid = (value: string): string => {
  if (!isGuid(value)) throw new InvalidSetting('a guid');
  return value.toLowerCase();
};
export const basePath = (value: string): string => {
  if (value !== '' && !/^(\/[A-Za-z0-9._~-]+)+$/.test(value))
    throw new InvalidSetting('a path such as /auth, without a slash at the end');
  return value;
};
const httpUrl = (value: string): string => {
  const url = URL.canParse(value) ? new URL(value) : undefined;
  if (!url || !/^https?:$/.test(url.protocol) || url.search || url.hash || value.endsWith('/') || url.username)
    throw new InvalidSetting('an http(s) address without query, fragment or slash at the end');
  return value;
};
export const collectorUrl = (value: string): string => httpUrl(value.replace(/\/$/, ''));
// the renewal token must fit the documented 512 characters
export const issuerCharactersMax = 80;
export const issuerUrl = (value: string): string => {
  if (value.length > issuerCharactersMax) throw new InvalidSetting(`at most ${issuerCharactersMax} characters long`);
  return httpUrl(value);
};
export const encryptionKeys = (value: string): Buffer[] =>
  list(value).map((key) => {
    const bytes = Buffer.from(key, 'base64');
    if (bytes.length !== 32 || bytes.toString('base64').replace(/=+$/, '') !== key.replace(/=+$/, ''))
      throw new InvalidSetting('32 bytes in base64 (openssl rand -base64 32)');
    return bytes;
  });
const isNet = (net: string): boolean => {
  const [address = '', prefix, ...more] = net.split('/');
  const family = isIP(address);
  const prefixMax = family === 4 ? 32 : 128;
  return (
    family !== 0 && more.length === 0 && (prefix === undefined || (/^\d{1,3}$/.test(prefix) && +prefix <= prefixMax))
  );
};
// never `true`: whoever calls could then write the address that he is judged by
export const trustProxy = (value: string): false | number | string[] => {
  if (value === 'no') return false;
  if (/^\d{1,2}$/.test(value)) return Number(value);
  const nets = list(value);
  if (!nets.every((net) => ['loopback', 'linklocal', 'uniquelocal'].includes(net) || isNet(net)))
    throw new InvalidSetting('no, a number of hops, or addresses and nets such as 10.0.0.0/8, separated by commas');
  return nets;
};
const isOrigin = (origin: string): boolean => /^https?:[^*]+$/.test(origin) && URL.parse(origin)?.origin === origin;
/** Origins as browsers send them (RFC 6454 §6.2). */
export const origins = (value: string): string[] => {
  const given = list(value);
  if (!given.every(isOrigin)) throw new InvalidSetting('origins such as https://app.example, separated by commas');
  return given;
};
/** The same, or `*` among them. */
export const anyOrigins = (value: string): string[] => {
  const given = list(value);
  if (!given.every((origin) => origin === '*' || isOrigin(origin)))
    throw new InvalidSetting('origins such as https://app.example, separated by commas, or *');
  return given;
};

export interface IdTokenIssuer {
  /** Compared exactly, as a string. */
  issuer: string;
  audience: string | string[];
  idpname: string;
  /** Which of a user's values `sub` is. */
  subject: 'userGuid' | 'idpid';
  /** Where its keys are; absent: as its discovery document says. */
  jwksUri?: string;
  /** Accepted ones, all asymmetric; absent: the usual ones. */
  algorithms?: string[];
  /** Who may stand in `azp`; absent: the audience. */
  authorizedParties?: string[];
  /** 900 */
  maxAgeSeconds?: number;
}

const asymmetric = /^(RS|PS|ES)(256|384|512)$|^EdDSA$/;
const isText = (value: unknown): value is string => typeof value === 'string' && value !== '';
const isTexts = (value: unknown): value is string[] => Array.isArray(value) && value.length > 0 && value.every(isText);

const issuerMembers = [
  'issuer',
  'audience',
  'idpname',
  'subject',
  'jwksUri',
  'algorithms',
  'authorizedParties',
  'maxAgeSeconds',
];

function readIssuer(entry: unknown, index: number): IdTokenIssuer {
  const at = (name: string, wants: string) => new InvalidSetting(`right in [${index}].${name}: ${wants}`);
  const issuer = entry as Record<string, unknown>;
  if (!issuer || typeof issuer !== 'object') throw new InvalidSetting(`an array of objects; [${index}] isn't one`);
  for (const name of Object.keys(issuer)) if (!issuerMembers.includes(name)) throw at(name, 'no such member');
  if (!isText(issuer.issuer) || !URL.canParse(issuer.issuer)) throw at('issuer', 'an address is required');
  if (!isText(issuer.audience) && !isTexts(issuer.audience)) throw at('audience', 'a string or an array of strings');
  if (!isText(issuer.idpname)) throw at('idpname', 'a string is required');
  if (issuer.subject !== 'userGuid' && issuer.subject !== 'idpid') throw at('subject', '"userGuid" or "idpid"');
  if (issuer.jwksUri !== undefined && !(isText(issuer.jwksUri) && URL.canParse(issuer.jwksUri)))
    throw at('jwksUri', 'an address');
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
  return issuer as unknown as IdTokenIssuer;
}

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
