/** The doctor: what it finds, and that it goes on past what is broken. */

import type { AddressInfo } from 'node:net';
import { createServer } from 'node:net';
import { examine, type Finding } from '../../src/cli/doctor.js';
import { startTestApp, type TestApp } from '../support/app.js';
import { createDatabase } from '../support/cluster.js';

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

test('finds nothing wrong with a running service', async () => {
  const findings = await examined();
  expect(failed(findings)).toEqual([]);
  expect(findings.map(({ what }) => what)).toEqual([
    'Node',
    'settings',
    'database',
    'clock',
    'migrations',
    'signing keys',
    'demonstration data',
    'port',
    'identity provider',
  ]);
  expect(about(findings, 'port')!.text).toContain('Gatehouse answers');
});

test('names every bad setting and looks at the rest all the same', async () => {
  const findings = await examined({ LOG_LEVEL: 'loud', BCRYPT_COST: '99' });
  expect(failed(findings)).toEqual([expect.stringMatching(/settings:[\s\S]*BCRYPT_COST[\s\S]*LOG_LEVEL/)]);
  expect(about(findings, 'database')!.ok).toBe(true);
});

test('tells a database that is away, and still looks at port and providers', async () => {
  const findings = await examined({ DATABASE_URL: 'postgresql://127.0.0.1:1/x' });
  expect(failed(findings)).toEqual([expect.stringContaining("can't be reached")]);
  expect(about(findings, 'identity provider')!.ok).toBe(true);
});

test('leaves an empty database empty', async () => {
  const empty = await createDatabase();
  try {
    const findings = await examined({ DATABASE_URL: empty.url });
    expect(about(findings, 'migrations')).toMatchObject({ ok: true, text: expect.stringContaining('none yet') });
    expect(about(await examined({ DATABASE_URL: empty.url }), 'migrations')!.text).toContain('none yet');
  } finally {
    await empty.drop();
  }
});

test('tells which key encryption key is missing', async () => {
  const findings = await examined({ KEY_ENCRYPTION_KEY: Buffer.alloc(32, 9).toString('base64') });
  expect(failed(findings)).toEqual([expect.stringMatching(/signing keys: .*KEY_ENCRYPTION_KEY/)]);
});

test('tells an identity provider that does not answer', async () => {
  const issuers = [{ issuer: 'http://127.0.0.1:1', audience: 'a', idpname: 'x', subject: 'idpid' }];
  expect(failed(await examined({ ID_TOKEN_ISSUERS: JSON.stringify(issuers) }))).toEqual([
    expect.stringMatching(/identity provider: http:\/\/127\.0\.0\.1:1.*ID_TOKEN_ISSUERS/),
  ]);
});

test("tells another program's port, and another issuer on it", async () => {
  const other = createServer((socket) => socket.destroy());
  await new Promise<void>((resolve) => other.listen(0, '127.0.0.1', resolve));
  try {
    const PORT = String((other.address() as AddressInfo).port);
    expect(failed(await examined({ PORT }))).toEqual([expect.stringContaining('another program')]);
  } finally {
    other.close();
  }
  expect(failed(await examined({ ISSUER_URL: 'https://other.example.com' }))).toEqual([
    expect.stringContaining('set ISSUER_URL'),
  ]);
});

test('tells a migration that is missing, and the demonstration client in earnest use', async () => {
  const { sql } = app.context;
  await sql.rows("insert into clients (client_id, client_secret, name) values ('demo-client', 'x', 'x')");
  expect(failed(await examined())).toEqual([expect.stringContaining('npx gatehouse client deactivate demo-client')]);
  const [last] = await sql.rows<{ name: string }>(
    'delete from migrations where id = (select max(id) from migrations) returning name',
  );
  expect(failed(await examined())).toEqual([expect.stringContaining('npx gatehouse migrate')]);
  await sql.rows('insert into migrations (name) values ($1)', [last!.name]);
});
