/** Connections to a PostgreSQL with TLS: each sslmode means what it means to libpq, and what is wrong is said in words. */
import { execFileSync } from 'node:child_process';
import { generateKeyPairSync } from 'node:crypto';
import { chmodSync, chownSync, mkdtempSync, readFileSync, rmSync, statSync, writeFileSync } from 'node:fs';
import { type AddressInfo, createServer, connect as dial } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { TLSSocket } from 'node:tls';
import pg from 'pg';
import { openEmbeddedPostgres } from '../../dev/postgres/open.js';
import { removeEmbeddedPostgres } from '../../dev/postgres/remove.js';
import { examine } from '../../src/cli/doctor.js';
import { failureText } from '../../src/cli/session.js';
import { connect } from '../../src/database/connect.js';
import { createMigratedDatabase } from '../support/cluster.js';
import { until } from '../support/until.js';

let folder: string;
let url: URL;
let close: () => Promise<void>;
const file = (name: string) => join(folder, name);
beforeAll(async () => {
  folder = mkdtempSync(join(tmpdir(), 'gatehouse-tls-'));
  chmodSync(folder, 0o755);
  const embedded = await openEmbeddedPostgres({ dataDir: join(folder, 'data'), fast: true, notice: () => undefined });
  close = () => embedded.close();
  url = new URL(embedded.url);
  const words = ['req', '-x509', '-newkey', 'rsa:2048', '-nodes', '-days', '2', '-subj', '/CN=localhost'];
  const name = ['-addext', 'subjectAltName=DNS:localhost', '-keyout', file('key.pem'), '-out', file('ca.pem')];
  execFileSync('openssl', [...words, ...name], { stdio: 'ignore' });
  const { privateKey } = generateKeyPairSync('rsa', { modulusLength: 2048 });
  writeFileSync(file('other.pem'), privateKey.export({ type: 'pkcs8', format: 'pem' }));
  const client = new pg.Client(embedded.url);
  await client.connect();
  const { rows } = await client.query('show data_directory');
  const { uid, gid } = statSync(rows[0].data_directory);
  chownSync(file('key.pem'), uid, gid);
  for (const [name, value] of Object.entries({
    ssl_cert_file: file('ca.pem'),
    ssl_key_file: file('key.pem'),
    ssl: 'on',
  }))
    await client.query(`alter system set ${name} = '${value}'`);
  await client.query('select pg_reload_conf()');
  await until(async () => (await client.query('show ssl')).rows[0].ssl === 'on');
  await client.end();
});
afterAll(async () => {
  await close?.();
  await removeEmbeddedPostgres(join(folder, 'data'));
  rmSync(folder, { recursive: true, force: true });
});

const addressOf = (query: string, host: string): string => {
  const address = new URL(url);
  address.hostname = host;
  return `${address.href}${address.search ? '&' : '?'}${query.replace('CA', file('ca.pem')).replaceAll('OTHER', file('other.pem'))}`;
};

/** Whether the connection is encrypted, or what the operator reads. */
async function attempt(query: string, host = 'localhost'): Promise<boolean | string> {
  try {
    const database = await connect({ url: addressOf(query, host), poolMax: 1, timeoutMs: 60_000 });
    try {
      const [row] = await database.sql.rows<{ ssl: boolean }>(
        'select ssl from pg_stat_ssl where pid = pg_backend_pid()',
      );
      return row!.ssl;
    } finally {
      await database.close();
    }
  } catch (error) {
    return failureText(error);
  }
}

it.each([
  ['', 'localhost', false],
  ['sslmode=disable', 'localhost', false],
  ['sslmode=allow', 'localhost', false],
  ['sslmode=prefer', 'localhost', true],
  ['sslmode=require', 'localhost', true],
  ['sslmode=require', '127.0.0.1', true],
  ['sslmode=require&sslrootcert=CA', '127.0.0.1', true],
  ['sslmode=verify-ca&sslrootcert=CA', '127.0.0.1', true],
  ['sslmode=verify-full&sslrootcert=CA', 'localhost', true],
])('%j of %s is encrypted: %s', async (query, host, encrypted) => {
  expect(await attempt(query, host)).toBe(encrypted);
});

/** Lets pg_hba.conf have one line, for the time of the work. */
async function withAccess(line: string, work: () => Promise<void>): Promise<void> {
  const client = new pg.Client(url.href);
  await client.connect();
  const path: string = (await client.query('show hba_file')).rows[0].hba_file;
  const before = readFileSync(path);
  try {
    writeFileSync(path, `${line}\n`);
    await client.query('select pg_reload_conf()');
    await until(
      async () => (await client.query('select type from pg_hba_file_rules')).rows[0].type === line.split(' ')[0],
    );
    await work();
  } finally {
    writeFileSync(path, before);
    await client.query('select pg_reload_conf()');
    await client.end();
  }
}

it.each([
  ['hostssl all all all scram-sha-256', 'sslmode=allow', true],
  ['hostnossl all all all scram-sha-256', 'sslmode=prefer', false],
])('a server with only %j is reached the other way by %s', async (line, query, encrypted) => {
  await withAccess(line, async () => expect(await attempt(query)).toBe(encrypted));
});

it('sslmode=prefer reaches a server that has no TLS', async () => {
  const { url: address } = await createMigratedDatabase();
  const database = await connect({ url: `${address}?sslmode=prefer`, poolMax: 1, timeoutMs: 60_000 });
  const [row] = await database.sql.rows('select ssl from pg_stat_ssl where pid = pg_backend_pid()');
  await database.close();
  expect(row).toEqual({ ssl: false });
});

it.each([
  [
    'sslmode=verify-full',
    'localhost',
    /self.signed certificate.*\. Name the file of its CA in DATABASE_URL: sslmode=verify-full&sslrootcert=/,
  ],
  ['sslmode=verify-full&sslrootcert=system', 'localhost', /Name the file of its CA in DATABASE_URL/],
  ['ssl=true', '127.0.0.1', /Name the file of its CA in DATABASE_URL/],
  ['sslmode=verify-full&sslrootcert=CA', '127.0.0.1', /Write a host name of its certificate in DATABASE_URL/],
  ['sslmode=require&sslcert=CA&sslkey=OTHER', 'localhost', /Check the files of sslcert and sslkey/],
  ['sslmode=require&sslcert=OTHER&sslkey=OTHER', 'localhost', /Check the files of sslcert and sslkey/],
])('%j of %s is refused with what to do', async (query, host, words) => {
  expect(await attempt(query, host)).toMatch(words);
});

const alert = (words: string) =>
  `403DECD3F97F0000:error:0A000418:SSL routines:ssl3_read_bytes:${words}:../deps/openssl/ssl/record/rec_layer_s3.c:918:`;

it.each([
  ['CERT_NOT_YET_VALID', 'certificate is not yet valid', 'certificate is not yet valid', 'Check the clock'],
  ['INVALID_PURPOSE', 'unsuitable certificate purpose', 'unsuitable certificate purpose', 'serverAuth'],
  ['UNSPECIFIED', 'EE certificate key too weak', 'EE certificate key too weak', 'a key of 2048 bits'],
  ['EPROTO', `write EPROTO ${alert('tlsv1 alert protocol version')}`, 'tlsv1 alert protocol version', 'TLS 1.2'],
  ['ERR_SSL_TLSV1_ALERT_UNKNOWN_CA', alert('tlsv1 alert unknown ca'), 'tlsv1 alert unknown ca', 'sslcert'],
  [
    'ERR_SSL_SSL/TLS_ALERT_CERTIFICATE_EXPIRED',
    alert('ssl/tls alert certificate expired'),
    'ssl/tls alert certificate expired',
    'sslcert',
  ],
])('of %s: %s the operator reads %j, and what to do', (code, message, words, advice) => {
  const failure = failureText(Object.assign(new Error(message), { code, isDatabaseAway: true }));
  expect(failure).toContain(`The database can't be reached (${words}). `);
  expect(failure.split('). ')[1]).toContain(advice);
});

it('the doctor says whether the connection is encrypted, and which file of authorities can be used', async () => {
  const said = async (environment: Record<string, string>) => {
    const findings = await examine({ PORT: '1', ...environment }, async () => undefined);
    return findings.filter(({ what }) => /TLS|NODE/.test(what)).map(({ ok, text }) => [ok, text]);
  };
  const encrypted = [true, expect.stringMatching(/^encrypted \(TLSv1\.\d\)$/)];
  const DATABASE_URL = addressOf('sslmode=require', 'localhost');
  expect(await said({ DATABASE_URL, NODE_EXTRA_CA_CERTS: file('ca.pem') })).toEqual([
    [true, `${file('ca.pem')} has 1 certificate`],
    encrypted,
  ]);
  expect(await said({ DATABASE_URL, NODE_EXTRA_CA_CERTS: file('none.pem') })).toEqual([
    [false, expect.stringContaining("can't be read")],
    encrypted,
  ]);
  expect(await said({ DATABASE_URL: addressOf('', 'localhost') })).toEqual([
    [true, 'not encrypted, and on this machine'],
  ]);
});

it('the doctor says that a connection is encrypted to a pooler that speaks in clear to the database', async () => {
  const secure = { isServer: true, key: readFileSync(file('key.pem')), cert: readFileSync(file('ca.pem')) };
  const pooler = createServer((socket) => {
    // the request for TLS, https://www.postgresql.org/docs/18/protocol-flow.html#PROTOCOL-FLOW-SSL
    socket.once('data', () => {
      socket.write('S');
      const open = new TLSSocket(socket, secure).on('error', () => undefined);
      open.pipe(dial(Number(url.port), '127.0.0.1')).pipe(open);
    });
  });
  await new Promise<void>((resolve) => pooler.listen(0, '127.0.0.1', resolve));
  const address = new URL(addressOf('sslmode=verify-full&sslrootcert=CA', 'localhost'));
  address.port = String((pooler.address() as AddressInfo).port);
  const findings = await examine({ PORT: '1', DATABASE_URL: address.href }, async () => undefined);
  pooler.close();
  expect(findings.find(({ what }) => what === 'database TLS')?.text).toBe(
    'encrypted to the pooler, and not from there',
  );
});
