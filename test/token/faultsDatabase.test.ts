/** What PostgreSQL itself does to the token engine: read-only, full, slow, deadlocked, stricter than usual. */
import { renewalTokenHash } from '../../src/auth/tokenFormat.js';
import type { Context } from '../../src/context.js';
import type { Database } from '../../src/database/connect.js';
import { type Answer, startTestApp, type TestApp } from '../support/app.js';
import { administer } from '../support/cluster.js';
import { createProxiedDatabase, type ProxiedDatabase } from '../support/proxiedDatabase.js';
import type { DatabaseProxy } from '../support/proxy.js';
import { newClient, newHolder } from '../support/records.js';
import { exchangeBody, renewalBody } from '../support/tokens.js';
import { until } from '../support/until.js';

let database: ProxiedDatabase;
let name: string;
let proxy: DatabaseProxy;
let direct: Database;
let app: TestApp;
let client: { client_id: string; client_secret: string };
let holder: { userGuid: string; profileId: string };
beforeEach(async () => {
  database = await createProxiedDatabase();
  ({ name, proxy, direct } = database);
  app = await startTestApp({
    DATABASE_URL: proxy.url,
    DATABASE_POOL_MAX: '4',
    DATABASE_TIMEOUT_MS: '2000',
    DATABASE_STATEMENT_TIMEOUT_MS: '6000',
  });
  const context: Context = { ...app.context, sql: direct.sql };
  const { clientId, clientSecret } = await newClient(context);
  client = { client_id: clientId, client_secret: clientSecret };
  holder = await newHolder(context);
});
afterEach(async () => {
  await app.close();
  await database.drop();
});

const exchange = (): Promise<Answer> =>
  app.post('/token', {
    ...exchangeBody(app.idToken({ sub: holder.userGuid })),
    profileId: holder.profileId,
    ...client,
  });
const renew = (refresh_token: string): Promise<Answer> =>
  app.post('/token', { ...renewalBody(refresh_token), profileId: 'any', ...client });
const issued = async (): Promise<{ access_token: string; refresh_token: string }> => {
  const { status, json } = await exchange();
  expect(status).toBe(200);
  return json;
};
function expectUnavailable(answer: Answer): void {
  expect([answer.status, answer.headers.get('content-type')]).toEqual([503, 'application/problem+json']);
  expect(Number(answer.headers.get('retry-after'))).toBeGreaterThan(0);
}
/** A setting of the database, for new connections alone; the present ones end. */
async function configure(setting: string): Promise<void> {
  await administer(`alter database ${name} ${setting}`);
  await administer(
    `select pg_terminate_backend(pid) from pg_stat_activity where datname = '${name}' and application_name = 'gatehouse'`,
  );
  // until both pools know that their connections ended
  for (const { sql, size } of [
    { sql: direct.sql, size: 4 },
    { sql: app.context.sql, size: 2 },
  ]) {
    const tryAll = () => Promise.all(Array.from({ length: size }, () => sql.rows('select 1')));
    await until(() => tryAll().catch(() => undefined));
  }
}
const generationOf = async (token: string): Promise<number | undefined> => {
  const statement = 'select generation from tokens where token = $1 and not is_revoked';
  const [row] = await direct.sql.rows<{ generation: number }>(statement, [renewalTokenHash(token)]);
  return row?.generation;
};
/** Holds the token's row until the function it gives is called. */
async function holdRow(token: string, statement = 'select id from tokens where token = $1 for update') {
  const { promise: held, resolve: letGo } = Promise.withResolvers<void>();
  const { promise: isHeld, resolve: tell } = Promise.withResolvers<void>();
  const done = direct.sql.transaction(async (sql) => {
    await sql.rows(statement, [renewalTokenHash(token)]);
    tell();
    await held;
  });
  await isHeld;
  return async () => {
    letGo();
    await done;
  };
}

it('a database that has become read-only: 503 to all that writes, validation goes on, and the same token renews after', async () => {
  const { access_token, refresh_token } = await issued();
  await configure('set default_transaction_read_only = on');
  for (const answer of [
    await exchange(),
    await renew(refresh_token),
    await app.post('/revoke', { token: refresh_token }),
  ])
    expectUnavailable(answer);
  expect((await app.post('/validate-token', { token: access_token })).status).toBe(200);
  await configure('reset default_transaction_read_only');
  expect((await renew(refresh_token)).status).toBe(200);
});

it('no connection left: 503 without a judgement, and what has a connection is answered', async () => {
  const tokens = [await issued(), await issued(), await issued()];
  const { promise: pass, resolve: letPass } = Promise.withResolvers<void>();
  let held = 0;
  proxy.fault = (text) => {
    if (!/update tokens/.test(text)) return undefined;
    held += 1;
    return { pass };
  };
  const slow: Promise<Answer>[] = [];
  for (const { refresh_token } of tokens.slice(0, 2)) {
    slow.push(renew(refresh_token));
    await until(() => held === slow.length);
  }
  const crowd = await Promise.all([renew(tokens[2]!.refresh_token), exchange(), exchange()]);
  for (const answer of crowd) expectUnavailable(answer);
  letPass();
  proxy.fault = undefined;
  for (const { status } of await Promise.all(slow)) expect(status).toBe(200);
  expect((await renew(tokens[2]!.refresh_token)).status).toBe(200);
});

it('a statement over its time limit: 503, and the same token renews after', async () => {
  const { refresh_token } = await issued();
  const letGo = await holdRow(refresh_token);
  for (const answer of await Promise.all([renew(refresh_token), app.post('/revoke', { token: refresh_token })]))
    expectUnavailable(answer);
  await letGo();
  expect(await generationOf(refresh_token)).toBe(0);
  expect((await renew(refresh_token)).status).toBe(200);
});

it('a deadlock whose victim the renewal is: 503, once, and the same token renews after', async () => {
  await direct.sql.rows(`create function wait_for_lock() returns trigger language plpgsql as
    $$begin perform pg_advisory_xact_lock(1); return new; end$$`);
  await direct.sql.rows('create trigger slow before update on tokens for each row execute function wait_for_lock()');
  await configure(`set deadlock_timeout = '50ms'`);
  const { refresh_token } = await issued();
  let renewing: Promise<Answer> | undefined;
  await direct.sql.transaction(async (sql) => {
    await sql.rows(`set local deadlock_timeout = '20s'`);
    await sql.rows('select pg_advisory_xact_lock(1)');
    proxy.takeStatements();
    renewing = renew(refresh_token);
    await untilWaiting();
    await sql.rows('update tokens set token_type = token_type where token = $1', [renewalTokenHash(refresh_token)]);
  });
  expectUnavailable(await renewing!);
  expect(proxy.takeStatements().filter((text) => text.includes('update tokens'))).toHaveLength(1);
  expect((await renew(refresh_token)).status).toBe(200);
});

/** Until a statement of the service waits for the advisory lock. */
async function untilWaiting(): Promise<void> {
  const waiting = `select 1 from pg_stat_activity where datname = $1 and wait_event_type = 'Lock' and wait_event = 'advisory'`;
  await until(async () => (await direct.sql.rows(waiting, [name])).length > 0);
}

it.each([
  'repeatable read',
  'serializable',
])('under %s, of simultaneous renewals one succeeds and the others are 401 or 503', async (isolation) => {
  await configure(`set default_transaction_isolation = '${isolation}'`);
  const { refresh_token } = await issued();
  const answers = await Promise.all(Array.from({ length: 20 }, () => renew(refresh_token)));
  const succeeded = answers.filter(({ status }) => status === 200);
  expect(succeeded).toHaveLength(1);
  for (const answer of answers.filter(({ status }) => status !== 200))
    if (answer.status === 503) expectUnavailable(answer);
    else expect([answer.status, answer.text]).toEqual([401, '']);
  expect(await generationOf(succeeded[0]!.json.refresh_token)).toBe(1);
  expect((await renew(succeeded[0]!.json.refresh_token)).status).toBe(200);
});

it('a COMMIT whose answer is lost: 503, done once and never by itself again, and only the new token lives on', async () => {
  const { refresh_token } = await issued();
  proxy.takeStatements();
  proxy.fault = (text) => (/update tokens/.test(text) ? 'cutAfter' : undefined);
  const lost = await renew(refresh_token);
  expectUnavailable(lost);
  // it was judged, and done
  expect(lost.text).toContain('whether anything was changed is not known');
  proxy.fault = undefined;
  expect(proxy.takeStatements()).toHaveLength(1);
  const [record] = await direct.sql.rows<{ generation: number }>('select generation from tokens where user_id = $1', [
    holder.userGuid,
  ]);
  expect(record!.generation).toBe(1);
  const again = await renew(refresh_token);
  expect([again.status, again.text]).toEqual([401, '']);
});
