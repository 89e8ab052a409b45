/** DATABASE_URL is read as libpq reads it. */

import { databaseUrl, readDatabaseUrl } from '../../src/config/databaseUrl.js';
import { loadConfig } from '../../src/config/loadConfig.js';
import { databaseCautions } from '../../src/config/production.js';

const urlsOf = (value: string): string[] => readDatabaseUrl(value).hosts.map(({ url }) => url);

it('each host has its own address, with what all have in common', () => {
  expect(urlsOf('postgresql://user:p%40ss@one:5433,two,three:7/db?sslmode=verify-full')).toEqual([
    'postgresql://user:p%40ss@one:5433/db?sslmode=verify-full&uselibpqcompat=true',
    'postgresql://user:p%40ss@two:5432/db?sslmode=verify-full&uselibpqcompat=true',
    'postgresql://user:p%40ss@three:7/db?sslmode=verify-full&uselibpqcompat=true',
  ]);
});

it('hosts may be IPv6 addresses', () => {
  expect(readDatabaseUrl('postgres://[::1],[fe80::2]:5433/db').hosts).toEqual([
    { name: '[::1]:5432', url: 'postgres://[::1]:5432/db' },
    { name: '[fe80::2]:5433', url: 'postgres://[fe80::2]:5433/db' },
  ]);
});

it.each([
  'postgresql://user@db/x',
  'postgresql://[::1]:5433/x?application_name=y',
  'postgresql:///x?host=/run/postgresql',
])('one host stays as it is written: %s', (value) => {
  expect(urlsOf(value)).toEqual([value]);
  expect(databaseUrl(value)).toBe(value);
});

it('target_session_attrs says whether a server has to take writes, and isn’t passed on', () => {
  const read = (attributes: string) => readDatabaseUrl(`postgresql://a,b/db?sslmode=disable${attributes}`);
  expect(read('').writable).toBe(false);
  expect(read('&target_session_attrs=any').writable).toBe(false);
  expect(read('&target_session_attrs=read-write').writable).toBe(true);
  expect(read('&target_session_attrs=primary').writable).toBe(true);
  expect(urlsOf('postgresql://a/db?target_session_attrs=read-write')).toEqual(['postgresql://a/db']);
  expect(read('&target_session_attrs=primary').hosts[1]!.url).toBe(
    'postgresql://b:5432/db?sslmode=disable&uselibpqcompat=true',
  );
});

it.each([
  'postgresql://u:canary@a,b/db?target_session_attrs=standby',
  'postgresql://u:canary@a,b/db?target_session_attrs=read-only',
  'postgresql://u:canary@a,/db',
  'postgresql://u:canary@a,b:0/db',
  'postgresql://u:canary@a,b:65536/db',
  'postgresql://u:canary@a:x,b/db',
  'postgresql://u:canary@a:x/db',
  'postgresql://u:canary@::1,b/db',
  'postgresql://u:canary%zz@a/db',
  'mysql://u:canary@a/db',
  'postgresql://u:canary@a',
  'postgresql://u:canary@a,b/?target_session_attrs=primary',
  'postgresql://u:canary@a/db?sslmode=preferred',
  'postgresql://u:canary@a/db?sslmode=verify-ca',
  'postgresql://u:canary@a/db?sslmode=verify-full&sslrootcert=/nowhere/ca.pem',
  'postgresql://u:canary@a/db?sslmode=require&sslrootcert=system',
])('a start refuses %s, and tells neither it nor its password', (value) => {
  const start = () => loadConfig({ DATABASE_URL: value, DATABASE_DIRECT_URL: value });
  expect(start).toThrow(/- DATABASE_URL must be .+\n {2}- DATABASE_DIRECT_URL must be /);
  expect(start).toThrow(expect.not.objectContaining({ message: expect.stringContaining('canary') }));
});

it('sslmode=prefer and allow name each host twice, once for each way, in their order', () => {
  const modes = (mode: string) => urlsOf(`postgresql://a,b/db?sslmode=${mode}`).map((url) => url.split(/[/&]/).at(-1));
  expect(modes('prefer')).toEqual(['sslmode=require', 'sslmode=disable', 'sslmode=require', 'sslmode=disable']);
  expect(modes('allow')).toEqual(['sslmode=disable', 'sslmode=require', 'sslmode=disable', 'sslmode=require']);
  expect(() => loadConfig({ DATABASE_REPLICA_URLS: 'postgresql://a/db?sslmode=prefer' })).not.toThrow();
});

it('sslrootcert=system means the authorities that Node knows', () => {
  const read = readDatabaseUrl('postgresql://a/db?sslmode=verify-full&sslrootcert=system');
  expect(read.hosts[0].url).toBe('postgresql://a/db?sslmode=verify-full&uselibpqcompat=true');
});

it.each([
  ['postgresql://db.example/x', 'DATABASE_URL: the connection to db.example is not encrypted'],
  ['postgresql://db.example/x?sslmode=disable', 'is not encrypted'],
  ['postgresql://one:1,127.0.0.1:2/x?sslmode=require', 'DATABASE_URL: the connection to one:1 is encrypted, but'],
  ['postgresql://db.example/x?sslmode=prefer', 'the connection to db.example is not encrypted if the server'],
  ['postgresql://db.example/x?sslmode=verify-full', undefined],
  ['postgresql://127.0.0.1/x', undefined],
  ['postgresql://[::1]:5433/x', undefined],
  ['postgresql:///x?host=/run/postgresql', undefined],
])('production says of %s: %s', (url, said) => {
  const [caution] = databaseCautions(loadConfig({ DATABASE_URL: url }));
  expect(caution).toEqual(said && expect.stringContaining(said));
});
