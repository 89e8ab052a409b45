/** What leaves the database by itself, and what stays. */
import { Pool } from 'pg';
import { openSql } from '../../src/database/statements/sql.js';
import { sweeps } from '../../src/modules/cleanUp.js';
import { purgeExpired } from '../../src/services/maintenance/purge.js';
import { openWaitingRecords } from '../../src/services/maintenance/readiness.js';
import type { Sweep } from '../../src/services/maintenance/sweep.js';
import type { Sql } from '../../src/sql.js';
import { startTestApp, type TestApp } from '../support/app.js';
import { closeAtEnd } from '../support/lifetimes.js';
import { newHolder } from '../support/records.js';
import { newConsumer } from './consumer.js';

let app: TestApp;
beforeEach(async () => {
  app = await startTestApp({ TOKEN_RETENTION_DAYS: '7', AUDIT_RETENTION_DAYS: '30' });
});
afterEach(() => app.close());

const clean = (settings: { housekeepingMinutes?: number; auditRetentionDays?: number } = {}, signal?: AbortSignal) => {
  const { config, log } = app.context;
  const dependencies = { sql: app.running.database.background, config: { ...config, ...settings }, log };
  return purgeExpired({ ...dependencies, sweeps }, signal ?? new AbortController().signal);
};

/** Records that expired so many days ago, by their number. */
async function newRecords(count: number, expiredDays: number, isRevoked = false): Promise<void> {
  const { userGuid, profileId } = await newHolder(app.context);
  await app.context.sql.rows(
    `insert into tokens (user_id, profile_id, token, created_at, expires_at, is_revoked)
     select $1, $2, sha256(gen_random_uuid()::text::bytea), now() - interval '90 days', now() - make_interval(days => $3), $4
     from generate_series(1, $5)`,
    [userGuid, profileId, expiredDays, isRevoked, count],
  );
}
const count = async (table: string): Promise<number> =>
  (await app.context.sql.rows<{ count: number }>(`select count(*)::int from ${table}`))[0]!.count;

it('records leave when they have been expired for the set time, in all pages of the table; others stay', async () => {
  await newRecords(5_000, 8);
  await newRecords(10, 6);
  await newRecords(10, 6, true);
  await newRecords(10, -20, true);
  const { json } = await (await newConsumer(app)).exchange();
  await newRecords(5_000, 8, true);
  expect(await clean()).toEqual({ tokens: 10_000, auditEvents: 0, versions: 0 });
  expect(await count('tokens')).toBe(31);
  expect((await app.post('/revoke', { token: json.refresh_token })).status).toBe(200);
});

it('a clean-up is due once in an interval, whichever process did it', async () => {
  expect(await clean()).toEqual({ tokens: 0, auditEvents: 0, versions: 0 });
  await newRecords(1, 8);
  expect(await clean()).toBeUndefined();
  await app.context.sql.rows(`update housekeeping_runs set finished_at = finished_at - interval '61 minutes'`);
  expect(await clean()).toEqual({ tokens: 1, auditEvents: 0, versions: 0 });
  expect(await app.context.sql.rows('select task, removed from housekeeping_runs')).toEqual([
    { task: 'clean-up', removed: '1' },
  ]);
});

it('a clean-up whose parts take longer than a transaction may be idle is finished', async () => {
  const pool = new Pool({ connectionString: app.database.url, idle_in_transaction_session_timeout: 200 });
  closeAtEnd(() => pool.end());
  pool.on('error', () => undefined);
  const slow: Sweep = {
    statement: 'select 0 as count, pg_sleep(0.3) as "delete from nothing"',
    values: () => [],
  };
  const { config, log } = app.context;
  const swept = await purgeExpired({ sql: openSql(pool), config, log, sweeps: [slow] }, new AbortController().signal);
  expect(swept).toEqual({ tokens: 0, auditEvents: 0, versions: 0 });
});

it('a part that fails is logged, all others are done, and the clean-up stays due', async () => {
  const { sql } = app.context;
  await newRecords(10, 8);
  await sql.rows(`insert into id_token_uses (use_hash, ends_at) values ('x', now() - interval '1 hour')`);
  await sql.rows(
    `create function refuse() returns trigger language plpgsql as $$ begin raise 'too slow' using errcode = '57014'; end $$`,
  );
  await sql.rows('create trigger refuse before delete on tokens for each row execute function refuse()');
  expect(await clean()).toBeUndefined();
  expect([await count('tokens'), await count('id_token_uses'), await count('housekeeping_runs')]).toEqual([10, 0, 0]);
  expect(app.logged()).toMatch(/57014.*"table":"tokens","msg":"clean-up failed"/);
  await sql.rows('drop trigger refuse on tokens');
  expect(await clean()).toEqual({ tokens: 10, auditEvents: 0, versions: 0 });
});

it('one process at a time', async () => {
  await newRecords(3_000, 8);
  const both = await Promise.all([clean({ housekeepingMinutes: 0 }), clean({ housekeepingMinutes: 0 })]);
  expect(both.filter((swept) => swept !== undefined)).toEqual([{ tokens: 3_000, auditEvents: 0, versions: 0 }]);
});

it('the records that wait for the clean-up are counted, and in a large table estimated without reading all of it', async () => {
  const { sql } = app.context;
  await newRecords(20, 8);
  await newRecords(20, 6);
  expect(await openWaitingRecords(sql, 7)()).toBe(20);
  expect(await openWaitingRecords(sql, 5)()).toBe(40);

  for (let round = 0; round < 60; round++) {
    await newRecords(500, 8);
    await newRecords(1_500, -20);
  }
  const [size] = await sql.rows<{ pages: number }>(
    `select (pg_relation_size('tokens') / current_setting('block_size')::int)::int as pages`,
  );
  expect(size!.pages).toBeGreaterThan(2_000);
  await sql.transaction(async (transaction) => {
    const waiting = openWaitingRecords(transaction, 7);
    const pagesRead = async () => {
      const [read] = await transaction.rows<{ pages: string }>(
        `select pg_stat_get_xact_blocks_fetched('tokens'::regclass) as pages`,
      );
      return Number(read!.pages);
    };
    const before = await pagesRead();
    const estimate = await waiting();
    expect(Math.abs(estimate - 30_020)).toBeLessThan(6_000);
    expect((await pagesRead()) - before).toBeLessThan(1_200);
    app.takeStatements();
    expect(await waiting()).toBe(estimate);
    expect(app.takeStatements()).toEqual([]);
  });
  await clean();
  expect(await openWaitingRecords(sql, 7)()).toBe(0);
});

it('after each batch it rests for longer than that took, so that requests have the database', async () => {
  await newRecords(10_000, 8);
  const batches: { begun: number; ended: number }[] = [];
  const { background } = app.running.database;
  const sql: Sql = {
    ...background,
    rows: async (text, values) => {
      const begun = performance.now();
      const rows = await background.rows(text, values);
      if (text.includes('delete from')) batches.push({ begun, ended: performance.now() });
      return rows as never;
    },
  };
  await purgeExpired({ sql, config: app.context.config, log: app.context.log, sweeps }, new AbortController().signal);
  expect(batches.length).toBeGreaterThan(3);
  const tooShort = batches.filter(({ begun, ended }, index) => {
    const next = batches[index + 1];
    // timers may be a millisecond early
    return next && next.begun - ended < Math.max(9, 3 * (ended - begun));
  });
  expect(tooShort).toEqual([]);
});

it('a stop ends it after the batch under way, and what is left is due at once', async () => {
  await newRecords(1_000, 8);
  const stopped = new AbortController();
  stopped.abort();
  expect(await clean({}, stopped.signal)).toEqual({ tokens: 0, auditEvents: 0, versions: 0 });
  expect(await clean()).toEqual({ tokens: 1_000, auditEvents: 0, versions: 0 });
});

it('audit events leave after the set time, and stay for ever without it', async () => {
  await app.context.sql.rows(
    `insert into audit_events (occurred_at, actor, action, subject_type, subject_id)
     select now() - make_interval(days => case when n <= 6000 then 31 else 29 end), gen_random_uuid(), 'create', 'Role', 'r'
     from generate_series(1, 6010) n`,
  );
  expect(await clean({ auditRetentionDays: 0 })).toEqual({ tokens: 0, auditEvents: 0, versions: 0 });
  expect(await clean({ housekeepingMinutes: 0 })).toEqual({ tokens: 0, auditEvents: 6_000, versions: 0 });
  expect(await count('audit_events')).toBe(10);
});

it('no index is written for it: a renewal writes what it always wrote', async () => {
  const indexes = await app.context.sql.rows(
    `select indexname from pg_indexes where tablename = 'tokens' and indexdef like '%expires_at%'`,
  );
  expect(indexes).toEqual([]);
});

it('versions past the retention leave with their change sets, but for those that records have now', async () => {
  const { sql } = app.context;
  await clean({ auditRetentionDays: 30 });
  const age = () => sql.rows("update change_sets set occurred_at = now() - interval '40 days'");
  const write = (text: string) => sql.rows(text);
  await write(
    `insert into roles (role_id, name, created_by) values ('kept', 'A', gen_random_uuid()), ('gone', 'A', gen_random_uuid())`,
  );
  await write(`update roles set name = 'B' where role_id = 'kept'`);
  // more of which each has its one version than a statement looks at
  await write(
    `insert into profiles (profile_id, name, created_by) select n::text, 'A', gen_random_uuid() from generate_series(1, 6000) n`,
  );
  await write(`delete from roles where role_id = 'gone'`);
  await age();
  await write(`update roles set name = 'C' where role_id = 'kept'`);
  await age();
  await write(`insert into roles (role_id, name, created_by) values ('young', 'A', gen_random_uuid())`);
  await clean({ auditRetentionDays: 30, housekeepingMinutes: 0 });
  const versions = await sql.rows(
    `select record_key, after->>'name' as name from record_versions where record_table = 'roles' order by record_version_id`,
  );
  expect(versions).toEqual([
    { record_key: 'kept', name: 'C' },
    { record_key: 'young', name: 'A' },
  ]);
  const empty =
    'select from change_sets where not exists (select from record_versions v where v.change_set_id = change_sets.change_set_id)';
  expect(await sql.rows(empty)).toEqual([]);
});
