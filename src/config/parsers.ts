/** How a setting's text becomes its value; a text that can't is InvalidSetting with what it must be. */
import { isIP } from 'node:net';
import { isGuid } from '../entities/guid.js';

export const isText = (value: unknown): value is string => typeof value === 'string' && value !== '';

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
export const boolean = (value: string): boolean => oneOf('yes', 'no')(value) === 'yes';
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
