/** Declares settings, and parses their values: texts, numbers, lists, addresses, audiences. */
import { BlockList, isIP, isIPv4, isIPv6 } from 'node:net';
import { isTimeZone } from '../entities/endOfDay.js';
import { isGuid } from '../entities/valueForms.js';
import { isJsonObject, type JsonObject } from '../jsonObject.js';

export interface Setting<T> {
  env: string;
  doc: string;
  /** As docs/settings.md shows it; undefined: not set. */
  default?: string;
  /** Throws InvalidSetting with what it must be. */
  read(text: string): T;
  /** Whether the value is secret and never shown. */
  secret?: boolean;
}

/** The values of declared settings. */
export type SettingsOf<Declared extends Record<string, Setting<unknown>>> = {
  readonly [name in keyof Declared]: ReturnType<Declared[name]['read']>;
};

export function setting<T>(
  env: string,
  read: (text: string) => T,
  fallback: string,
  doc: string,
  secret = false,
): Setting<T> {
  return { env, doc, default: fallback, read, secret };
}

export function optional<T>(
  env: string,
  read: (text: string) => T,
  doc: string,
  secret = false,
): Setting<T | undefined> {
  return { env, doc, read, secret };
}

/** "SETTING must be <message>." */
export class InvalidSetting extends Error {}

/** "SETTING has a fault: <message>." */
export class WrongMember extends InvalidSetting {}

export const anyText = (value: string): string => value;
export const list = (value: string): string[] => value.split(/[\s,]+/).filter(Boolean);

/** A parser that refuses values that do not fit. @param wants what the setting must be */
export function checked<T>(read: (text: string) => T, fits: (value: T) => boolean, wants: string): (text: string) => T {
  return (text) => {
    const value = read(text);
    if (!fits(value)) throw new InvalidSetting(wants);
    return value;
  };
}

type Family = 'ipv4' | 'ipv6';
const subnets = (family: Family, ...nets: string[]): BlockList => {
  const list = new BlockList();
  for (const net of nets) {
    const [address, prefix] = net.split('/') as [string, string];
    list.addSubnet(address, Number(prefix), family);
  }
  return list;
};

// https://www.iana.org/assignments/iana-ipv4-special-registry
const notPublic4 = subnets(
  'ipv4',
  ...['0.0.0.0/8', '10.0.0.0/8', '100.64.0.0/10', '127.0.0.0/8', '169.254.0.0/16', '172.16.0.0/12', '192.0.0.0/24'],
  ...['192.0.2.0/24', '192.88.99.0/24', '192.168.0.0/16', '198.18.0.0/15', '198.51.100.0/24', '203.0.113.0/24'],
  ...['224.0.0.0/4', '240.0.0.0/4'],
);
// https://www.iana.org/assignments/ipv6-address-space: only these are public, except those below
const given6 = subnets('ipv6', '2000::/3');
const notPublic6 = subnets('ipv6', '2001::/23', '2001:db8::/32', '2002::/16', '3fff::/20');
// the clouds' metadata services live here
const linkLocal = [subnets('ipv4', '169.254.0.0/16'), subnets('ipv6', 'fe80::/10', 'fd00:ec2::254/128')] as const;

/** Normalizes an address: no zone, no brackets, and IPv4-mapped IPv6 as IPv4. */
function plain(address: string): string {
  const bare = address.replace(/^\[|\]$/g, '').replace(/%.*$/, '');
  if (isIP(bare) !== 6) return bare;
  const canonical = new URL(`http://[${bare}]`).hostname.slice(1, -1);
  // RFC 4291 §2.5.5.2 (mapped), RFC 6052 §2.1 (NAT64)
  const carried = /^(?:::ffff|64:ff9b:):(?:([0-9a-f]{1,4}):)?([0-9a-f]{1,4})$/.exec(canonical);
  if (!carried) return canonical;
  const [high, low] = [carried[1] ?? '0', carried[2]!].map((part) => Number.parseInt(part, 16)) as [number, number];
  return [high >> 8, high & 255, low >> 8, low & 255].join('.');
}

/** The eight groups of an IPv6 address. */
function groupsOf(address: string): string[] {
  // the parser writes it in its one short form (RFC 5952)
  const canonical = new URL(`http://[${address.replace(/%.*$/, '')}]`).hostname.slice(1, -1);
  const [head, tail] = canonical.split('::').map((part) => part.split(':').filter(Boolean)) as [string[], string[]?];
  return tail ? [...head, ...new Array<string>(8 - head.length - tail.length).fill('0'), ...tail] : head;
}

/** Returns the key for limits: the /64 network for IPv6, where one caller may have many addresses (RFC 6177), otherwise the address. */
export const networkOf = (address: string | null): string =>
  address === null || !isIPv6(address) ? (address ?? 'unknown') : groupsOf(address).slice(0, 4).join(':');

/** Returns an IPv4-mapped IPv6 address as IPv4, and any other address unchanged. */
export function unmapped(address: string): string {
  if (!/^(::ffff:|64:ff9b:)/i.test(address)) return address;
  const bare = plain(address);
  return isIPv4(bare) ? bare : address;
}

/** Whether the address is public, not of a private network. */
export function isPublicAddress(address: string): boolean {
  const bare = plain(address);
  if (isIP(bare) === 4) return !notPublic4.check(bare, 'ipv4');
  return isIP(bare) === 6 && given6.check(bare, 'ipv6') && !notPublic6.check(bare, 'ipv6');
}

export function isLinkLocal(address: string): boolean {
  const bare = plain(address);
  return isIP(bare) === 4 ? linkLocal[0].check(bare, 'ipv4') : isIP(bare) === 6 && linkLocal[1].check(bare, 'ipv6');
}

/** Whether the host is an address of the network, such as 10.0.0.0/8. Names are not resolved, and a malformed network has no addresses. */
export function isInNetwork(host: string, network: string): boolean {
  const [, address = '', prefix] = /^([^/]+)\/(\d{1,3})$/.exec(network) ?? [];
  const version = isIP(address);
  if (version === 0 || isIP(host) !== version || Number(prefix) > (version === 4 ? 32 : 128)) return false;
  const family = version === 4 ? 'ipv4' : 'ipv6';
  return subnets(family, network).check(host, family);
}

// RFC 6761, RFC 6762, RFC 8375, and the name that ICANN reserves for internal use
const localNames = /(^|\.)(localhost|local|internal|home\.arpa|lan|intranet)$/i;

/** Whether a host in an address can only be private, by its name or address; resolves nothing. */
export function isLocalHost(host: string): boolean {
  const bare = host.replace(/^\[|\]$/g, '').replace(/\.$/, '');
  if (isIP(plain(bare)) !== 0) return !isPublicAddress(bare);
  return bare !== '' && (localNames.test(bare) || !bare.includes('.'));
}

/** Visible ASCII without spaces, because lists of audiences are separated by spaces. */
const audienceForm = /^[!-~]{1,200}$/;

export const audience = checked(anyText, (value) => audienceForm.test(value), '1 to 200 visible ASCII characters');

export const timeZone = checked(anyText, isTimeZone, 'the IANA name of a time zone, such as Europe/Berlin');

/** RFC 6265 §4.1.1. */
export const cookieName = checked(
  anyText,
  (value) => /^[!#$%&'*+.^_`|~\w-]{1,100}$/.test(value),
  'the name of a cookie',
);

/** Each token may have all of them. At most as many characters as the field of a client's audiences. */
export const audiences = checked(
  (value): readonly string[] => value.split(','),
  (names) =>
    names.join().length <= 1_000 &&
    names.every((name) => audienceForm.test(name)) &&
    new Set(names).size === names.length,
  'names of 1 to 200 visible ASCII characters, each once, with single commas between, at most 1,000 characters in all',
);

/** Parses JSON. Throws InvalidSetting. @param wants what the setting must be */
function parseJson(value: string, wants = 'JSON'): unknown {
  try {
    return JSON.parse(value);
  } catch {
    throw new InvalidSetting(wants);
  }
}

/** Shorter names of settings resemble too many others. */
const misspeltLengthMin = 8;

/** Whether two names differ only in case and signs, or in at most two places. */
export function isMisspelt(name: string, meant: string, lengthMin = misspeltLengthMin): boolean {
  const [one, other] = [name, meant].map((text) => text.toUpperCase().replace(/[^A-Z]/g, '')) as [string, string];
  if (one === other) return true;
  return Math.min(name.length, meant.length) >= lengthMin && differences(one, other) <= 2;
}

/** The number of letters to insert, remove or replace, up to 3. */
function differences(one: string, other: string, max = 3): number {
  if (max === 0) return 0;
  if (one === '' || other === '') return Math.min(max, one.length + other.length);
  if (one[0] === other[0]) return differences(one.slice(1), other.slice(1), max);
  const shorter = [
    [one.slice(1), other],
    [one, other.slice(1)],
    [one.slice(1), other.slice(1)],
  ] as const;
  return 1 + Math.min(...shorter.map(([a, b]) => differences(a, b, max - 1)));
}

/** A fault in a JSON object: the path of the member, such as `.brownouts[0].minutes`, and what it must be. */
interface MemberFault {
  path: string;
  wants: string;
}

/** The members of a JSON object by name, each with a check. A check returns what the value must be, or the fault below it. */
export type MemberChecks = Record<string, (value: unknown, object: JsonObject) => string | MemberFault | undefined>;

export const required =
  (wants: string, fits: (value: unknown) => boolean): MemberChecks[string] =>
  (value) =>
    fits(value) ? undefined : wants;
export const ifPresent =
  (wants: string, fits: (value: unknown) => boolean): MemberChecks[string] =>
  (value) =>
    value === undefined || fits(value) ? undefined : wants;

/** A name of the operator, as a message shows it. */
const shortened = (name: string): string => (name.length > 100 ? `${name.slice(0, 100)}…` : name);

function unknownMember(stranger: string, object: JsonObject, members: MemberChecks): string {
  const absent = Object.keys(members).filter((name) => !Object.hasOwn(object, name));
  const meant = absent.find((name) => isMisspelt(stranger, name, 4));
  const hint = meant ? `did you mean ${meant}?` : `the members are ${Object.keys(members).join(', ')}`;
  return `there is no member of this name; ${hint}`;
}

/** Finds the first fault of a value that must be a JSON object with these members. */
export function findFault(value: unknown, members: MemberChecks): MemberFault | undefined {
  if (!isJsonObject(value)) return { path: '', wants: 'an object' };
  const stranger = Object.keys(value).find((name) => !Object.hasOwn(members, name));
  if (stranger !== undefined)
    return { path: `.${shortened(stranger)}`, wants: unknownMember(stranger, value, members) };
  for (const [name, check] of Object.entries(members)) {
    const fault = check(value[name], value);
    if (typeof fault === 'string') return { path: `.${name}`, wants: fault };
    if (fault) return { path: `.${name}${fault.path}`, wants: fault.wants };
  }
  return undefined;
}

/** Reads a JSON array of objects with these members. Throws InvalidSetting. @param wants what the array must be */
export function readObjects(
  value: string,
  members: MemberChecks,
  wants: string,
  max = Number.POSITIVE_INFINITY,
): JsonObject[] {
  const entries = parseJson(value);
  if (!Array.isArray(entries) || entries.length > max) throw new InvalidSetting(wants);
  for (const [index, entry] of entries.entries()) {
    const fault = findFault(entry, members);
    if (fault) throw new WrongMember(`[${index}]${fault.path}: ${fault.wants}`);
  }
  return entries;
}

/** Audiences by the resource that they stand for (RFC 8707 §2: an absolute address without fragment). */
export function audienceResources(value: string): ReadonlyMap<string, string> {
  const wants = 'a JSON object such as {"https://grid.example/":"GRID"}, by absolute addresses';
  const parsed = parseJson(value, wants);
  const entries = isJsonObject(parsed) ? Object.entries(parsed) : undefined;
  const isFit = ([resource, name]: [string, unknown]) =>
    URL.canParse(resource) && !resource.includes('#') && typeof name === 'string' && name !== '';
  if (!entries?.every(isFit)) throw new InvalidSetting(wants);
  return new Map(entries as [string, string][]);
}

/** @param max the greatest value; the least is 1 */
export const isWhole =
  (max: number) =>
  (value: unknown): boolean =>
    Number.isInteger(value) && (value as number) >= 1 && (value as number) <= max;
export const isText = (value: unknown): value is string => typeof value === 'string' && value !== '';

export const integer =
  (min: number, max: number) =>
  (text: string): number => {
    const value = Number(text);
    if (!/^\d+$/.test(text) || value < min || value > max)
      throw new InvalidSetting(`a whole number from ${min} to ${max}`);
    return value;
  };
export const ratio = (value: string): number => {
  if (!/^(0|1|[01]\.\d+|\.\d+)$/.test(value) || Number(value) > 1) throw new InvalidSetting('a number from 0 to 1');
  return Number(value);
};
export const oneOf =
  <const T extends string>(...values: T[]) =>
  (text: string): T => {
    if (!(values as string[]).includes(text)) throw new InvalidSetting(`one of ${values.join(', ')}`);
    return text as T;
  };
export const hosts = (value: string): string[] => list(value.toLowerCase());
export const boolean = (value: string): boolean => oneOf('yes', 'no')(value) === 'yes';
export const guid = checked((value) => value.toLowerCase(), isGuid, 'a guid');
export const basePath = checked(
  anyText,
  (value) => value === '' || /^(\/[A-Za-z0-9._~-]+)+$/.test(value),
  'a path such as /auth, without a slash at the end',
);
/** Whether an address holds a user name or a password: addresses are shown, so they must not. */
export const hasCredentials = ({ username, password }: URL): boolean => username !== '' || password !== '';

/** No URI has these characters (RFC 3986 §2): the parser would write them in another way than tokens and clients do. */
const inNoUri = /["<>\\^`{|}\s]/;
const httpUrl = (value: string): string => {
  const url = !inNoUri.test(value) && URL.canParse(value) ? new URL(value) : undefined;
  if (!url || !/^https?:$/.test(url.protocol) || url.search || url.hash || value.endsWith('/') || hasCredentials(url))
    throw new InvalidSetting('an http(s) address without query, fragment or slash at the end');
  return value;
};
/** The connection to the proxy is plain HTTP; requests are encrypted in a tunnel through it. */
export const proxyUrl = (value: string): URL => {
  const url = URL.canParse(value) ? new URL(value) : undefined;
  if (url?.protocol !== 'http:' || url.pathname !== '/' || url.search || url.hash)
    throw new InvalidSetting('an address such as http://proxy.example:3128');
  return url;
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
  const [address = '', prefix = '0', ...more] = net.split('/');
  // of IPv6 with an IPv4 address at its end, the HTTP library reads only mapped ones, and it reads few zones
  const family = /^([\da-f:]+|((::|(0:){5})ffff:(0:)?)?[\d.]+)(%[\da-z]+)?$/i.test(address) ? isIP(address) : 0;
  return family !== 0 && more.length === 0 && /^\d{1,3}$/.test(prefix) && +prefix <= (family === 4 ? 32 : 128);
};

/** The addresses of all IPv4 and of the public IPv6, as networks in which IPv4 is mapped (RFC 4291 §2.5.5.2). */
const allAddresses = ['0.0.0.0/0', '2000::/3'];

/** First and last address of a network as numbers of IPv6, where IPv4 is mapped. */
function rangeOf(net: string): [first: bigint, last: bigint] {
  const [address = '', prefix] = net.split('/');
  const isFour = isIPv4(address);
  const groups = groupsOf(isFour ? `::ffff:${address}` : address);
  const value = groups.reduce((sum, group) => (sum << 16n) + BigInt(`0x${group}`), 0n);
  const free = BigInt(prefix === undefined ? 0 : (isFour ? 32 : 128) - Number(prefix));
  const first = (value >> free) << free;
  return [first, first + (1n << free) - 1n];
}

/** Whether the networks together have more than half of the addresses of `whole`. */
function coversMost(nets: readonly string[], whole: string): boolean {
  const [start, end] = rangeOf(whole);
  const ranges = nets.map(rangeOf).sort(([one], [other]) => (one < other ? -1 : 1));
  let covered = 0n;
  let reached = start - 1n;
  for (const [first, last] of ranges) {
    const [from, to] = [first > reached ? first : reached + 1n, last < end ? last : end];
    if (to < from) continue;
    covered += to - from + 1n;
    reached = to;
  }
  return covered * 2n > end - start + 1n;
}

// never all: callers could then choose the address by which they are limited
export const trustProxy = (value: string): false | number | string[] => {
  if (value === 'no') return false;
  if (/^\d{1,2}$/.test(value)) return Number(value);
  const nets = list(value);
  if (!nets.every((net) => ['loopback', 'linklocal', 'uniquelocal'].includes(net) || isNet(net)))
    throw new InvalidSetting('no, a number of hops, or addresses and networks such as 10.0.0.0/8, separated by commas');
  if (allAddresses.some((whole) => coversMost(nets.filter(isNet), whole)))
    throw new InvalidSetting(
      'the addresses of your proxies, not most addresses there are: callers could then choose the address by which they are limited',
    );
  return nets;
};
const isOrigin = (origin: string): boolean => /^https?:[^*]+$/.test(origin) && URL.parse(origin)?.origin === origin;
/** Origins as browsers send them (RFC 6454 §6.2). */
export const origins = checked(
  list,
  (values) => values.every(isOrigin),
  'origins such as https://app.example, separated by commas',
);
/** Reads origins, or `*` among them. */
export const anyOrigins = checked(
  list,
  (values) => values.every((origin) => origin === '*' || isOrigin(origin)),
  'origins such as https://app.example, separated by commas, or *',
);
