/** Renewal while the hash of the client's secret is made anew: the client is who it says, so nothing is refused or lost. */
import bcrypt from 'bcrypt';
import type { Context } from '../../src/context.js';
import { exchange } from '../../src/services/tokens/exchange.js';
import { renew } from '../../src/services/tokens/renew.js';
import type { Sql } from '../../src/sql.js';
import { startTestApp, type TestApp } from '../support/app.js';
import { newClient, newHolder } from '../support/records.js';

let app: TestApp;
let otherHash: string;
const configured = 8;
beforeAll(async () => {
  app = await startTestApp({ BCRYPT_COST: String(configured), TOKEN_POLICY: 'hardened' });
  otherHash = await bcrypt.hash('secret', 4);
});
afterAll(() => app.close());

const issued = async (client: { clientId: string; clientSecret: string }) => {
  const { userGuid, profileId } = await newHolder(app.context);
  const common = { ...client, profileId, dialect: 'documented' as const };
  const { refresh_token } = await exchange(app.context, { ...common, idToken: app.idToken({ sub: userGuid }) });
  return (context: Context) => renew(context, { ...common, refreshToken: refresh_token });
};

/** The context, with something that happens before or after statements of a form. */
function withInterruption(pattern: RegExp, when: 'before' | 'after', interrupt: () => Promise<unknown>): Context {
  const { sql } = app.context;
  const rows = async <Row extends object>(statement: string, values?: readonly unknown[]): Promise<Row[]> => {
    const isIt = pattern.test(statement);
    if (isIt && when === 'before') await interrupt();
    const found = await sql.rows<Row>(statement, values);
    if (isIt && when === 'after') await interrupt();
    return found;
  };
  return { ...app.context, sql: { ...sql, rows } as Sql };
}

const storedHashes = async (clientId: string): Promise<{ client_secret: string; previous_secret: string | null }> => {
  const [row] = await app.context.sql.rows<{ client_secret: string; previous_secret: string | null }>(
    'select client_secret, previous_secret from clients where client_id = $1',
    [clientId],
  );
  return row!;
};

it('a previous secret with a hash of another cost renews, and has a hash of the configured cost then', async () => {
  const client = await newClient(app.context, 'new', {
    previous_secret: otherHash,
    previous_secret_ends_at: new Date(Date.now() + 60_000),
  });
  const renewNow = await issued({ ...client, clientSecret: 'new' });
  const { clientId } = client;
  const before = await storedHashes(clientId);
  const { userGuid, profileId } = await newHolder(app.context);
  const common = { clientId, clientSecret: 'secret', profileId, dialect: 'documented' as const };
  const first = await exchange(app.context, { ...common, idToken: app.idToken({ sub: userGuid }) });
  await expect(renew(app.context, { ...common, refreshToken: first.refresh_token })).resolves.toHaveProperty(
    'refresh_token',
  );
  await expect(renewNow(app.context)).resolves.toHaveProperty('refresh_token');
  const after = await storedHashes(clientId);
  expect(after.client_secret).toBe(before.client_secret);
  expect(bcrypt.getRounds(after.previous_secret!)).toBe(configured);
});

it('another process that makes the hash anew first takes nothing away: its hash stands, and the token is renewed', async () => {
  const client = await newClient(app.context, 'secret');
  const renewNow = await issued(client);
  await app.context.sql.rows('update clients set client_secret = $2 where client_id = $1', [
    client.clientId,
    otherHash,
  ]);
  const theirs = await bcrypt.hash('secret', configured);
  const context = withInterruption(/update clients set\s+client_secret/, 'before', () =>
    app.context.sql.rows('update clients set client_secret = $2 where client_id = $1', [client.clientId, theirs]),
  );
  await expect(renewNow(context)).resolves.toHaveProperty('refresh_token');
  expect((await storedHashes(client.clientId)).client_secret).toBe(theirs);
});

it('a renewal is answered although its client’s secret is hashed again at the same moment', async () => {
  const client = await newClient(app.context, 'secret', { client_secret: otherHash });
  const holder = await newClient(app.context, 'holder');
  const { userGuid, profileId } = await newHolder(app.context);
  const common = { profileId, dialect: 'documented' as const };
  const first = await exchange(app.context, { ...common, ...holder, idToken: app.idToken({ sub: userGuid }) });
  // the record is free for any client
  await app.context.sql.rows('update tokens set client_id = null where user_id = $1', [userGuid]);
  const { secrets } = app.context;
  const check = secrets.check(client.clientId, 'secret', otherHash);
  while (secrets.findRemembered(client.clientId, 'secret') === undefined)
    await new Promise((resolve) => setImmediate(resolve));
  expect(secrets.findRemembered(client.clientId, 'secret')).toBe(otherHash);
  const context = withInterruption(/^\s*with holder as/, 'after', () => check);
  const { refresh_token } = await renew(context, { ...common, ...client, refreshToken: first.refresh_token });
  await expect(renew(app.context, { ...common, ...client, refreshToken: refresh_token })).resolves.toHaveProperty(
    'refresh_token',
  );
});
