/**
 * Parses DATABASE_URL like libpq, with one host or several: the driver supports neither lists nor target_session_attrs, and
 * interprets sslmode differently.
 */
import { accessSync, constants } from 'node:fs';
import { InvalidSetting, list } from './parsers.js';

export interface DatabaseHost {
  /** host:port, for messages. */
  name: string;
  /** The driver's address of only this host. */
  url: string;
}

interface DatabaseAddress {
  hosts: [DatabaseHost, ...DatabaseHost[]];
  /** Whether read-only servers are skipped. */
  writable: boolean;
  encryption: Encryption;
}

/** `optional`: not encrypted if the server does not want it; `unchecked`: any server that intercepts the connection could answer. */
type Encryption = 'none' | 'optional' | 'unchecked' | 'checked';

const attributesName = 'target_session_attrs';
const port = 5432;
const parts = /^(postgres(?:ql)?:\/\/)([^/?#]*@)?([^/?#]*)(\/[^?#]*)?(?:\?([^#]*))?$/;
const portMax = 65_535;

/** https://www.postgresql.org/docs/18/libpq-connect.html#LIBPQ-CONNSTRING-URIS; throws InvalidSetting, without a password in it. */
export function readDatabaseUrl(value: string): DatabaseAddress {
  const [, scheme, login = '', list = '', path = '', query] = parts.exec(value) ?? [];
  if (!scheme || path.length < 2) throw new InvalidSetting('a postgresql:// address with the name of a database');
  if (!isDecodable(login + path))
    throw new InvalidSetting('percent-encoded where a name or password contains special characters');
  const names = list.split(',');
  const writable = wantsWritable(new URLSearchParams(query).getAll(attributesName).at(-1));
  const { encryption, system, attempts } = readTls(new URLSearchParams(query));
  const others = (query?.split('&') ?? []).filter(
    (parameter) =>
      !parameter.startsWith(`${attributesName}=`) &&
      !(system && parameter.startsWith('sslrootcert=')) &&
      !(attempts && parameter.startsWith('sslmode=')),
  );
  // otherwise the driver reads sslmode=require as verify-full
  if (
    (attempts || others.some((parameter) => parameter.startsWith('ssl'))) &&
    !others.some((parameter) => parameter.startsWith('uselibpqcompat='))
  )
    others.push('uselibpqcompat=true');
  const rest = `${path}${others.length > 0 ? `?${others.join('&')}` : ''}`;
  // one host may also be a socket's folder, named in the query
  const named = names.length === 1 ? [{ name: list, url: `${scheme}${login}${list}${rest}` }] : names.map(withPort);
  const hosts = attempts ? named.flatMap((host) => attempts.map((mode) => withMode(host, mode))) : named;
  if (!hosts.every(({ url }) => URL.canParse(url))) throw new InvalidSetting('a postgresql:// address');
  return { hosts: hosts as DatabaseAddress['hosts'], writable, encryption };

  function withPort(text: string): DatabaseHost {
    const [, host, number = String(port)] = /^(\[[0-9a-f:.]+\]|[^:[\]]+)(?::(\d+))?$/i.exec(text) ?? [];
    if (!host || Number(number) < 1 || Number(number) > portMax)
      throw new InvalidSetting('a list of hosts such as one:5432,two:5432,[::1]:5432');
    const name = `${host}:${number}`;
    return { name, url: `${scheme}${login}${name}${rest}` };
  }
}

const withMode = ({ name, url }: DatabaseHost, mode: string): DatabaseHost => ({
  name,
  url: `${url}${url.includes('?') ? '&' : '?'}sslmode=${mode}`,
});

/** Returns the setting's text unchanged if it is valid. */
export const databaseUrl = (value: string): string => {
  readDatabaseUrl(value);
  return value;
};

/** Returns the addresses of read-only servers. */
export const replicaUrls = (value: string): string[] =>
  list(value).map((url) => {
    const { hosts, writable } = readDatabaseUrl(url);
    if (new Set(hosts.map(({ name }) => name)).size > 1 || writable)
      throw new InvalidSetting('postgresql:// addresses of one server each, without target_session_attrs');
    return url;
  });

function wantsWritable(attributes = 'any'): boolean {
  if (attributes === 'any') return false;
  // on a primary that accepts no writes, every write of Gatehouse would fail
  if (attributes === 'read-write' || attributes === 'primary') return true;
  throw new InvalidSetting('without target_session_attrs, or with one of any, read-write, primary');
}

interface Tls {
  encryption: Encryption;
  /** Whether the CAs are those that Node knows. */
  system: boolean;
  /** The modes to try one after the other, because the driver itself tries only one. */
  attempts?: readonly string[];
}

/** https://www.postgresql.org/docs/18/libpq-ssl.html#LIBPQ-SSL-SSLMODE-STATEMENTS */
function readTls(query: URLSearchParams): Tls {
  for (const name of ['sslrootcert', 'sslcert', 'sslkey']) {
    const path = query.get(name);
    if (path && !(name === 'sslrootcert' && path === 'system') && !isReadable(path))
      throw new InvalidSetting(`with ${name} of a file that can be read`);
  }
  const mode = query.get('sslmode');
  const authority = query.get('sslrootcert');
  const system = authority === 'system';
  if (system && mode !== 'verify-full') throw new InvalidSetting('with sslmode=verify-full beside sslrootcert=system');
  switch (mode) {
    case null:
      return { encryption: /^(true|1)$/.test(query.get('ssl') ?? '') ? 'checked' : 'none', system };
    case 'disable':
      return { encryption: 'none', system };
    case 'allow':
      return { encryption: 'optional', system, attempts: ['disable', 'require'] };
    case 'prefer':
      return { encryption: 'optional', system, attempts: ['require', 'disable'] };
    case 'require':
      return { encryption: authority ? 'checked' : 'unchecked', system };
    case 'verify-ca':
      if (!authority) throw new InvalidSetting('with sslrootcert beside sslmode=verify-ca');
      return { encryption: 'checked', system };
    case 'verify-full':
      return { encryption: 'checked', system };
    default:
      throw new InvalidSetting(
        'without sslmode, or with one of disable, allow, prefer, require, verify-ca, verify-full',
      );
  }
}

function isReadable(path: string): boolean {
  try {
    accessSync(path, constants.R_OK);
    return true;
  } catch {
    return false;
  }
}

/** Whether the address leads to this machine: a socket, or loopback. */
export const isThisMachine = ({ name, url }: DatabaseHost): boolean =>
  name === '' || /[?&]host=(\/|%2f)/i.test(url) || /^(localhost|127(\.\d{1,3}){3}|\[::1\])(:\d+)?$/i.test(name);

function isDecodable(text: string): boolean {
  try {
    return decodeURIComponent(text) !== undefined;
  } catch {
    return false;
  }
}
