/** A start that can't succeed says why in one sentence, and ends with 1. */
import { randomBytes } from 'node:crypto';
import { createServer } from 'node:net';
import { administer, createDatabase, createMigratedDatabase, openClient } from '../support/cluster.js';
import { closeAtEnd } from '../support/lifetimes.js';
import { startProcess } from './process.js';

const issuers = JSON.stringify([{ issuer: 'https://idp.invalid', audience: 'a', idpname: 'i', subject: 'userGuid' }]);
const keyOf = (byte: number): string => Buffer.alloc(32, byte).toString('base64');

/** What a start says that fails. */
async function failureOf(settings: Record<string, string>): Promise<string[]> {
  const started = await startProcess({ ID_TOKEN_ISSUERS: issuers, ...settings }).catch((error: Error) => error.message);
  if (typeof started !== 'string') throw new Error('it started');
  const [, code, said] = /^ended with (\S+): (.*)$/s.exec(started)!;
  expect(code).toBe('1');
  return said!.trim().split('\n');
}

const changed = (url: string, change: (url: URL) => void): string => {
  const parsed = new URL(url);
  change(parsed);
  return parsed.href;
};

it.each([
  [
    'nobody listens',
    (url: URL) => (url.port = '1'),
    /^The database can't be reached \(.*ECONNREFUSED.*\): start it, or check DATABASE_URL\.$/,
  ],
  [
    // TCP has no way to a broadcast address
    'no way to the host',
    (url: URL) => (url.hostname = '255.255.255.255'),
    /^The database can't be reached \(.*ENETUNREACH.*\): start it, or check DATABASE_URL\.$/,
  ],
  [
    'no such host',
    (url: URL) => (url.hostname = 'database.invalid'),
    /^The database can't be reached \(.*database\.invalid.*\): start it, or check DATABASE_URL\.$/,
  ],
  [
    'wrong log-in',
    (url: URL) => (url.username = 'nobody'),
    /^The database refuses the connection: .*nobody.*\. Check DATABASE_URL\.$/,
  ],
  [
    'no TLS',
    (url: URL) => url.searchParams.set('sslmode', 'verify-full'),
    /^The database can't be reached \(.*SSL.*\)\. Switch TLS on in PostgreSQL/,
  ],
  [
    'no such database',
    (url: URL) => (url.pathname = '/none'),
    /^The database refuses the connection: database "none" does not exist\. Check DATABASE_URL\.$/,
  ],
])('%s', async (_what, change, sentence) => {
  const { url } = await createMigratedDatabase();
  expect(await failureOf({ DATABASE_URL: changed(url, change) })).toEqual([expect.stringMatching(sentence)]);
});

it.each([{ WORKERS: '2' }, { AUTO_MIGRATE: 'no' }])('nobody listens, with %j', async (settings) => {
  const url = 'postgresql://gatehouse@127.0.0.1:1/gatehouse';
  expect(await failureOf({ DATABASE_URL: url, ...settings } as Record<string, string>)).toEqual([
    expect.stringMatching(/^The database can't be reached/),
  ]);
});

it.each([
  ['is no PostgreSQL', 'HTTP/1.1 400 Bad Request\r\n\r\n'],
  ['says nothing', undefined],
])('somebody listens who %s', async (_what, answer) => {
  const { url } = await createMigratedDatabase();
  const stranger = createServer((socket) => {
    socket.on('error', () => undefined);
    if (answer) socket.end(answer);
  });
  await new Promise<void>((resolve) => stranger.listen(0, '127.0.0.1', resolve));
  closeAtEnd(async () => stranger.close());
  const { port } = stranger.address() as { port: number };
  const settings = { DATABASE_URL: changed(url, (its) => (its.port = String(port))), DATABASE_TIMEOUT_MS: '2000' };
  expect(await failureOf(settings)).toEqual([
    expect.stringMatching(/^The database can't be reached \(.+\): start it, or check DATABASE_URL\.$/),
  ]);
});

it.each([
  [
    'create table users (x int)',
    /^The database has tables of another program \(.*users.*\): give Gatehouse its own database\./,
  ],
  [
    `alter database %I set search_path = 'none'`,
    /^The database refuses the connection: no schema has been selected to create in\. Check DATABASE_URL\.$/,
  ],
  [
    'alter database %I set default_transaction_read_only = on',
    /^The database takes no writes \(cannot execute .*\): either it is a standby, .* or default_transaction_read_only is on; set it to off /,
  ],
])('a database that takes no tables: %s', async (statement, sentence) => {
  const { url } = await createDatabase();
  const { pathname } = new URL(url);
  await (await openClient(url)).query(statement.replace('%I', `"${pathname.slice(1)}"`));
  expect(await failureOf({ DATABASE_URL: url })).toEqual([expect.stringMatching(sentence)]);
});

it('no connection left', async () => {
  const { url } = await createMigratedDatabase();
  const role = `limited_${randomBytes(6).toString('hex')}`;
  await administer(`create role ${role} login password 'x' connection limit 0`);
  closeAtEnd(() => administer(`drop role ${role}`));
  const limited = changed(url, (its) => Object.assign(its, { username: role, password: 'x' }));
  expect(await failureOf({ DATABASE_URL: limited })).toEqual([
    expect.stringMatching(/^The database has no connection left \(too many connections .*\): lower WORKERS or /),
  ]);
});

it('a wrong KEY_ENCRYPTION_KEY', async () => {
  const { url } = await createMigratedDatabase();
  const running = await startProcess({ DATABASE_URL: url, ID_TOKEN_ISSUERS: issuers });
  running.child.kill('SIGTERM');
  await running.ended;
  expect(await failureOf({ DATABASE_URL: url, KEY_ENCRYPTION_KEY: keyOf(8) })).toEqual([
    expect.stringMatching(/KEY_ENCRYPTION_KEY/),
  ]);
});
