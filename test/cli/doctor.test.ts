/** The doctor: what it finds, and that it goes on past what is broken. */

import { generateKeyPairSync } from 'node:crypto';
import { createServer as createHttpServer, type ServerResponse } from 'node:http';
import { type AddressInfo, createServer } from 'node:net';
import { examine } from '../../src/cli/doctor.js';
import type { Finding } from '../../src/cli/finding.js';
import { guard } from '../../src/server/gate.js';
import { startTestApp, type TestApp } from '../support/app.js';
import { createDatabase, createMigratedDatabase, openClient } from '../support/cluster.js';
import { newGroup } from '../support/connectors.js';
import { closeAtEnd } from '../support/lifetimes.js';
import { linkProfile, newProfile, newRole, newScope, newScopeType, newUser } from '../support/records.js';

let app: TestApp;
beforeAll(async () => {
  app = await startTestApp();
});
afterAll(() => app?.close());

const settings = (): Record<string, string> => ({
  DATABASE_URL: app.database.url,
  KEY_ENCRYPTION_KEY: Buffer.alloc(32, 7).toString('base64'),
  PORT: new URL(app.url).port,
  ID_TOKEN_ISSUERS: JSON.stringify([
    { issuer: app.provider.issuer, audience: 'a', idpname: 'names', subject: 'idpid' },
  ]),
});
const examined = async (more: Record<string, string> = {}): Promise<Finding[]> =>
  examine({ ...settings(), ...more }, async () => undefined);
const failed = (findings: Finding[]) => findings.filter(({ ok }) => !ok).map(({ what, text }) => `${what}: ${text}`);
const about = (findings: Finding[], what: string) => findings.find((finding) => finding.what === what);

it('finds nothing wrong with a running service', async () => {
  const findings = await examined();
  expect(failed(findings)).toEqual([]);
  expect(findings.map(({ what }) => what)).toEqual([
    'Node',
    'settings',
    'database',
    'database TLS',
    'clock',
    'migrations',
    'privileges',
    'signing keys',
    'demonstration data',
    'port',
    'identity provider',
  ]);
  expect(about(findings, 'port')!.text).toContain('Gatehouse answers');
});

it('says in production when nobody could administer in the console', async () => {
  const issuer = { issuer: app.provider.issuer, audience: 'a', idpname: 'staff', subject: 'idpid' };
  const production = (entry: object) => ({
    NODE_ENV: 'production',
    ISSUER_URL: 'https://auth.example.com',
    TOKEN_POLICY: 'documented',
    ID_TOKEN_ISSUERS: JSON.stringify([entry]),
  });
  const console = { clientId: 'console' };
  const found = async (entry: object) => about(await examined(production(entry)), 'administrators');
  expect(await found(issuer)).toMatchObject({ ok: false, text: expect.stringContaining('has `console`') });
  const { user_id: userId, user_guid: actor } = await newUser(app.context, { idpname: 'staff', idpid: 'ada' });
  const profile = await newProfile(app.context);
  await linkProfile(app.context, userId, profile, await newRole(app.context));
  expect(await found({ ...issuer, console })).toMatchObject({
    ok: false,
    text: expect.stringContaining('admin-token'),
  });
  await app.context.sql.rows(
    `insert into profile_access_scopes (profile_id, access_scope_id, created_by)
     select $1, access_scope_id, $2 from access_scopes join access_scope_types t using (access_scope_type_id)
     where t.name = 'admin' and access_scope_key = 'read'`,
    [profile, actor],
  );
  expect(await found({ ...issuer, console })).toMatchObject({ ok: true });
  expect(await found({ ...issuer, idpname: 'others', console })).toMatchObject({ ok: false });
  await app.context.sql.rows('update users set is_blocked = true where user_id = $1', [userId]);
  expect(await found({ ...issuer, console })).toMatchObject({ ok: false });
});

it('says whether people can sign in to the console, and what the provider has to know', async () => {
  const issuer = { issuer: app.provider.issuer, audience: 'a', idpname: 'names', subject: 'idpid' };
  const withConsole = { ID_TOKEN_ISSUERS: JSON.stringify([{ ...issuer, console: { clientId: 'console' } }]) };
  const [failure] = failed(await examined(withConsole));
  expect(failure).toMatch(
    /^console: .* has no usable authorization_endpoint or token_endpoint\. The provider answers, and wrongly: /,
  );
  app.provider.answer = (path, response) => {
    const at = app.provider.issuer;
    const metadata = {
      issuer: at,
      jwks_uri: `${at}/jwks`,
      authorization_endpoint: `${at}/a`,
      token_endpoint: `${at}/t`,
    };
    response.end(JSON.stringify(path === '/jwks' ? { keys: app.provider.keys } : metadata));
  };
  try {
    const findings = await examined(withConsole);
    expect(failed(findings)).toEqual([]);
    expect(about(findings, 'console')!.text).toContain('/console/callback');
    expect(about(await examined({ ...withConsole, CONSOLE: 'no' }), 'console')).toBeUndefined();
  } finally {
    app.provider.answer = undefined;
  }
});

it('names scopes that no scope text holds, and types that only look like the reserved one', async () => {
  const { context } = app;
  const type = await newScopeType(context, 'report');
  for (const access_scope_key of ['plain', 'x admin:security', 'bell\u0007\u200b'])
    await newScope(context, type, undefined, { access_scope_key });
  const findings = await examined();
  expect(failed(findings)).toEqual([]);
  const { text } = about(findings, 'scopes')!;
  expect(text).toContain('"report:x admin:security"');
  expect(text).toContain('"report:bell\\u{7}\\u{200b}"');
  expect(text).not.toContain('plain');
  await newScopeType(context, '\u0430dmin');
  expect(failed(await examined())).toEqual([expect.stringMatching(/^scope types: "\u0430dmin" .*other names/)]);
  await context.sql.rows('delete from access_scopes where access_scope_type_id = $1', [type]);
  await context.sql.rows("delete from access_scope_types where name in ('report', '\u0430dmin')");
});

it('names scopes with the key *, which APIs read as every scope of their type', async () => {
  const { context } = app;
  const type = await newScopeType(context, 'meter');
  const { access_scope_guid: guid } = await newScope(context, type, undefined, { access_scope_key: '*' });
  await newScope(context, type, undefined, { is_wildcard: true });
  const [failure, ...others] = failed(await examined());
  expect([failure, others]).toEqual([expect.stringMatching(/^scope keys: "meter:\* .*isWildcard$/), []]);
  expect(failure).toContain(guid);
  await context.sql.rows('delete from access_scopes where access_scope_type_id = $1', [type]);
  await context.sql.rows("delete from access_scope_types where name = 'meter'");
  expect(failed(await examined())).toEqual([]);
});

it('names groups of profiles, and names of users, that SCIM takes for the same', async () => {
  const { context, database } = await startTestApp();
  const found = async () =>
    failed(await examined({ DATABASE_URL: database.url })).filter((text) => /^(groups|user names):/.test(text));
  // a migration leaves out the indexes of a database that has such names
  for (const index of ['profiles_external_group_key_unique', 'users_idpname_user_name_key_unique'])
    await context.sql.rows(`drop index ${index}`);
  await newGroup(context, 'Service');
  await newUser(context, { idpname: 'others', user_name: 'zo\u00eb' });
  await newUser(context, { idpname: 'names', user_name: 'Zo\u00eb' });
  expect(await found()).toEqual([]);
  for (const name of ['Sales', 'SALES']) await newGroup(context, name);
  await newUser(context, { idpname: 'names', user_name: 'zoe\u0308' });
  expect(await found()).toEqual([
    expect.stringMatching(/^groups: "SALES \(profile-SALES\), Sales \(profile-Sales\)" .*externalGroup/),
    expect.stringMatching(/^user names: "Zo\u00eb \([-0-9a-f]{36}\), zoe\u0308 \([-0-9a-f]{36}\)" .*userName/),
  ]);
});

it('tells of users whom no ID token can name, where there are several issuers, and how to fix it', async () => {
  const { context, provider } = app;
  const user = await newUser(context, { idpname: null });
  const entry = { issuer: provider.issuer, audience: 'a', idpname: 'first', subject: 'userGuid' };
  const several = [entry, { ...entry, issuer: app.otherProvider.issuer, idpname: 'second' }];
  const examinedWith = async (issuers: object[]) =>
    about(await examined({ ID_TOKEN_ISSUERS: JSON.stringify(issuers) }), 'users');
  expect(await examinedWith([entry])).toBeUndefined();
  expect(await examinedWith(several.map((each) => ({ ...each, subject: 'idpid' })))).toBeUndefined();
  const check = await examinedWith(several);
  expect([check?.ok, check?.text]).toEqual([
    false,
    expect.stringMatching(/^users without idpname: 1; .*set idpname to first or second/),
  ]);
  await context.sql.rows("update users set idpname = 'first' where user_id = $1", [user.user_id]);
  expect(await examinedWith(several)).toBeUndefined();
});

it('names settings of earlier versions, which is no failure', async () => {
  const findings = await examined({ SLOW_STATEMENT_MS: '5', GRAPHIQL: 'yes' });
  expect(failed(findings)).toEqual([]);
  const named = findings.filter(({ text }) => text.includes('is no longer a setting'));
  expect(named.map(({ what, text }) => [what, text.split(' ')[0]]).sort()).toEqual([
    ['settings', 'GRAPHIQL'],
    ['settings', 'SLOW_STATEMENT_MS'],
  ]);
});

it('warns of all that a start warns of, and passes', async () => {
  const chosen = { TOKEN_POLCY: 'hardened', ADMIN_AUTH: 'none' };
  const development = await examined(chosen);
  expect(failed(development)).toEqual([]);
  const production = await examined({
    ...chosen,
    NODE_ENV: 'production',
    TOKEN_POLICY: 'documented',
    ADMIN_AUTH_NONE_ACCEPTED: 'yes',
    ISSUER_URL: 'http://auth.example.com',
    BCRYPT_COST: '4',
    CONSOLE: 'no',
  });
  const warnings = (findings: Finding[]) =>
    findings.filter(({ isWarning }) => isWarning).map(({ text }) => /^[A-Z_]+/.exec(text)![0]);
  expect(warnings(development)).toEqual(['TOKEN_POLCY', 'ADMIN_AUTH']);
  expect(warnings(production)).toEqual(['ADMIN_AUTH', 'ISSUER_URL', 'BCRYPT_COST']);
});

it('says whatever the running service says at /readyz, though no check of its own repeats it', async () => {
  const own = await startTestApp();
  const { sql } = own.context;
  await sql.rows(`create function full_disk() returns trigger language plpgsql as
    $$ begin raise exception 'could not extend file' using errcode = 'disk_full'; end $$`);
  await sql.rows('create trigger full_disk before insert on roles for each row execute function full_disk()');
  await sql.rows("insert into roles (role_id, name) values ('x', 'x')").catch(() => undefined);
  const PORT = new URL(own.url).port;
  expect(failed(await examined({ DATABASE_URL: own.database.url, PORT }))).toEqual([
    'running service: /readyz says of disk: the disk of the database is full: writes fail',
  ]);
});

it('a disk without room for another segment of the log is full, also when no service runs', async () => {
  const { url } = await createMigratedDatabase();
  const client = await openClient(url);
  // what PostgreSQL answers when it can't extend a file of a table
  await client.query(`create function full_disk() returns event_trigger language plpgsql as
    $$ begin raise exception 'could not extend file' using errcode = 'disk_full'; end $$`);
  await client.query(`create event trigger full_disk on ddl_command_end when tag in ('CREATE TABLE AS')
    execute function full_disk()`);
  expect(failed(await examined({ DATABASE_URL: url, PORT: '0' }))).toEqual([
    expect.stringMatching(/^disk: the disk of the database is full: enlarge it/),
  ]);
});

it('a replica that does not answer, or is no standby, is named', async () => {
  const replicas = `postgresql://127.0.0.1:1/x,${app.database.url}`;
  expect(failed(await examined({ DATABASE_REPLICA_URLS: replicas }))).toEqual([
    expect.stringMatching(/^replica: 127\.0\.0\.1:1: .*ECONNREFUSED.* The primary answers its reads$/),
    expect.stringMatching(/^replica: .* is no standby/),
  ]);
});

it('a port for metrics that another program uses is named', async () => {
  const other = createServer();
  closeAtEnd(async () => other.close());
  await new Promise<void>((resolve) => other.listen(0, '127.0.0.1', resolve));
  const METRICS_PORT = String((other.address() as AddressInfo).port);
  expect(failed(await examined({ METRICS_PORT, PORT: '0' }))).toEqual([
    `metrics port: can't listen on port ${METRICS_PORT} of 127.0.0.1 (EADDRINUSE): set METRICS_PORT`,
  ]);
  expect(failed(await examined({ METRICS_PORT: settings().PORT! }))).toEqual([
    expect.stringContaining('METRICS_PORT must be another port than PORT'),
  ]);
});

it('names every bad setting and looks at the rest all the same', async () => {
  const findings = await examined({ LOG_LEVEL: 'loud', BCRYPT_COST: '99' });
  expect(failed(findings)).toEqual([expect.stringMatching(/settings:[\s\S]*BCRYPT_COST[\s\S]*LOG_LEVEL/)]);
  expect(about(findings, 'database')!.ok).toBe(true);
});

it.each([
  ['ID_TOKEN_ISSUERS', '[{'],
  ['KEY_ENCRYPTION_KEY', 'short'],
  ['DATABASE_URL', 'mysql://db/x'],
  ['ISSUER_URL', 'not an address'],
  ['PORT', '99999'],
  ['BASE_PATH', 'no-slash/'],
  ['TRUST_PROXY', 'all'],
  // all that production refuses
  ['NODE_ENV', 'production'],
])('a bad %s is one failure: what depends on it is not judged', async (name, value) => {
  const given = name === 'NODE_ENV' ? { PORT: settings().PORT! } : settings();
  const findings = await examine({ ...given, [name]: value }, async () => undefined);
  expect(failed(findings)).toEqual([expect.stringContaining('settings: Bad settings')]);
});

it('tells a database that is away, and still looks at port and providers', async () => {
  const findings = await examined({ DATABASE_URL: 'postgresql://127.0.0.1:1/x' });
  expect(failed(findings)).toEqual([expect.stringContaining("can't be reached")]);
  expect(about(findings, 'identity provider')!.ok).toBe(true);
});

it('leaves an empty database empty', async () => {
  const empty = await createDatabase();
  try {
    const findings = await examined({ DATABASE_URL: empty.url });
    expect(about(findings, 'migrations')).toMatchObject({ ok: true, text: expect.stringContaining('none yet') });
    expect(about(await examined({ DATABASE_URL: empty.url }), 'migrations')!.text).toContain('none yet');
  } finally {
    await empty.drop();
  }
});

it('an empty database fails where no start creates the tables', async () => {
  const { url } = await createDatabase();
  expect(failed(await examined({ DATABASE_URL: url, AUTO_MIGRATE: 'no' }))).toEqual([
    'migrations: none yet, and AUTO_MIGRATE is no: run bin/gatehouse migrate',
  ]);
});

it.each([
  ['create schema other; create table other.migrations (x int)', true, /^none yet/],
  ['create table users (x int); create table roles (x int)', false, /^roles, users: tables of another program; /],
  [`alter database %I set search_path = 'none'`, false, /^the role may not create tables: /],
])('of an empty database after "%s" says whether the tables can be made', async (statements, ok, text) => {
  const empty = await createDatabase();
  const client = await openClient(empty.url);
  await client.query(statements.replace('%I', `"${new URL(empty.url).pathname.slice(1)}"`));
  const found = about(await examined({ DATABASE_URL: empty.url }), 'migrations');
  expect(found).toMatchObject({ ok, text: expect.stringMatching(text) });
});

it('tells a database that takes no writes', async () => {
  const { url } = await createMigratedDatabase();
  const client = await openClient(url);
  await client.query(`alter database "${new URL(url).pathname.slice(1)}" set default_transaction_read_only = on`);
  expect(failed(await examined({ DATABASE_URL: url }))).toEqual([
    expect.stringMatching(/^database: .*; it takes no writes: default_transaction_read_only is on; set it to off/),
  ]);
});

it('tells which key encryption key is missing', async () => {
  const findings = await examined({ KEY_ENCRYPTION_KEY: Buffer.alloc(32, 9).toString('base64') });
  expect(failed(findings)).toEqual([expect.stringMatching(/signing keys: .*KEY_ENCRYPTION_KEY/)]);
});

it('tells an identity provider that does not answer', async () => {
  const issuers = [{ issuer: 'http://127.0.0.1:1', audience: 'a', idpname: 'x', subject: 'idpid' }];
  expect(failed(await examined({ ID_TOKEN_ISSUERS: JSON.stringify(issuers) }))).toEqual([
    expect.stringMatching(/identity provider: http:\/\/127\.0\.0\.1:1.*ID_TOKEN_ISSUERS, and the network from here/),
  ]);
});

it.each<[string, (response: ServerResponse) => void]>([
  ['answers 500 instead of 200', (response) => response.writeHead(500).end()],
  ['answers 302 instead of 200', (response) => response.writeHead(302, { location: '/' }).end()],
  ['answers with something other than a JSON object', (response) => response.end('<html>')],
  ['answers with more than 1048576 bytes', (response) => response.end(`{"x":"${'x'.repeat(2 ** 20)}"}`)],
  ['names another issuer', (response) => response.end('{"issuer":"https://other.example"}')],
  [
    'publishes no key for the accepted algorithms',
    (response) =>
      response.end(JSON.stringify({ issuer: app.provider.issuer, jwks_uri: `${app.provider.issuer}/jwks`, keys: [] })),
  ],
])('a provider that %s is not said to be behind the network', async (problem, answer) => {
  app.provider.answer = (_path, response) => answer(response);
  try {
    const [failure, ...others] = failed(await examined());
    expect(others).toEqual([]);
    expect(failure).toContain(problem);
    expect(failure).toMatch(/\. The provider answers, and wrongly: check its address in ID_TOKEN_ISSUERS$/);
  } finally {
    app.provider.answer = undefined;
  }
});

it('says of an identity provider with keys in the setting that nothing was fetched', async () => {
  const keys = [generateKeyPairSync('ec', { namedCurve: 'P-256' }).publicKey.export({ format: 'jwk' })];
  const issuers = [{ issuer: 'http://127.0.0.1:1', audience: 'a', idpname: 'x', subject: 'idpid', jwks: { keys } }];
  const findings = await examined({ ID_TOKEN_ISSUERS: JSON.stringify(issuers) });
  expect(about(findings, 'identity provider')).toMatchObject({
    ok: true,
    text: 'http://127.0.0.1:1 has its keys in ID_TOKEN_ISSUERS',
  });
});

it("tells another program's port, and another issuer on it", async () => {
  const other = createServer((socket) => socket.destroy());
  closeAtEnd(async () => other.close());
  await new Promise<void>((resolve) => other.listen(0, '127.0.0.1', resolve));
  const PORT = String((other.address() as AddressInfo).port);
  expect(failed(await examined({ PORT }))).toEqual([expect.stringContaining('another program')]);
  expect(failed(await examined({ ISSUER_URL: 'https://other.example.com', TRUST_PROXY: '1' }))).toEqual([
    expect.stringContaining('set ISSUER_URL'),
  ]);
});

it('tells a Gatehouse that is starting from another program', async () => {
  const starting = createHttpServer();
  guard(starting, '');
  closeAtEnd(async () => starting.close());
  await new Promise<void>((resolve) => starting.listen(0, '127.0.0.1', resolve));
  const PORT = String((starting.address() as AddressInfo).port);
  expect(about(await examined({ PORT }), 'port')).toMatchObject({
    ok: true,
    text: expect.stringContaining('is starting'),
  });
});

it('tells a migration that is missing, and the demonstration client in earnest use', async () => {
  const { sql } = app.context;
  await sql.rows("insert into clients (client_id, client_secret, name) values ('demo-client', 'x', 'x')");
  expect(failed(await examined())).toEqual([expect.stringContaining('bin/gatehouse client deactivate demo-client')]);
  const [last] = await sql.rows<{ name: string }>(
    'delete from migrations where id = (select max(id) from migrations) returning name',
  );
  expect(failed(await examined())).toEqual([expect.stringContaining('bin/gatehouse migrate')]);
  await sql.rows('insert into migrations (name) values ($1)', [last!.name]);
});

it('names a resource whose audience no token can have', async () => {
  const resources = { AUDIENCE_RESOURCES: '{"https://grid.example/":"GRID","https://water.example/":"WATER"}' };
  expect(failed(await examined(resources))).toContainEqual(
    expect.stringMatching(/^resources: https:\/\/water\.example\/ stands for WATER, .*GRID, IOT in AUDIENCE_RESOURCES/),
  );
  expect(about(await examined({ ...resources, AUDIENCES: 'GRID,WATER' }), 'resources')).toBeUndefined();
});

it('says where TRUST_PROXY is missing behind a proxy', async () => {
  const issuer = { ISSUER_URL: 'https://other.example.com' };
  expect(failed(await examined(issuer))).toContainEqual(expect.stringMatching(/^proxy: .*Set TRUST_PROXY/));
  expect(about(await examined({ ...issuer, TRUST_PROXY: '10.0.0.1' }), 'proxy')).toMatchObject({ ok: true });
});
