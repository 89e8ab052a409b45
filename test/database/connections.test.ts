/** What every connection to the database is set to, and how they end. */
import { Pool } from 'pg';
import { connect, type Database } from '../../src/database/connect.js';
import { releaseLostConnections } from '../../src/database/connections/watchedClient.js';
import { migrate } from '../../src/database/migrate.js';
import { allMigrations } from '../../src/database/migrations/all.js';
import { createDatabase, type TestDatabase } from '../support/cluster.js';

let database: TestDatabase;
let connected: Database;
beforeEach(async () => {
  database = await createDatabase();
  connected = await connect({ url: database.url, poolMax: 2, timeoutMs: 60_000 });
});
afterEach(async () => {
  await connected.close();
  await database.drop();
});

it('no statement is compiled: the compiler would take longer than the answer', async () => {
  const { sql, background, orm } = connected;
  const ofOrm = async () => (await orm.em.getConnection().execute('show jit')) as { jit: string }[];
  expect(await Promise.all([sql.rows('show jit'), background.rows('show jit'), ofOrm()])).toEqual(
    Array(3).fill([{ jit: 'off' }]),
  );
});

it('a statement sees what was committed before it, whatever isolation the database has by default', async () => {
  await connected.sql.rows(
    `alter database ${connected.orm.config.get('dbName')} set default_transaction_isolation = 'serializable'`,
  );
  const later = await connect({ url: database.url, poolMax: 2, timeoutMs: 60_000 });
  const shown = await later.sql.transaction(({ rows }) => rows('show transaction_isolation'));
  await later.close();
  expect(shown).toEqual([{ transaction_isolation: 'read committed' }]);
});

interface Written {
  time: string;
  number: number;
  text: string;
}

it('times, numbers and texts are read as they are meant, whatever way of writing the database has by default', async () => {
  const name = connected.orm.config.get('dbName');
  await connected.sql.rows(`alter database ${name} set datestyle = 'SQL, DMY'`);
  await connected.sql.rows(`alter database ${name} set extra_float_digits = -15`);
  await connected.sql.rows(`alter database ${name} set standard_conforming_strings = off`);
  const later = await connect({ url: database.url, poolMax: 2, timeoutMs: 60_000 });
  const statement = String.raw`select timestamptz '2026-12-03T10:20:30Z' as time, 1795953000.125::float8 as number, '\[' as text`;
  const [row] = await later.sql.rows<Written>(statement);
  const [ofOrm] = await later.orm.em.getConnection().execute<Written[]>(statement);
  await later.close();
  const time = new Date('2026-12-03T10:20:30Z');
  for (const { time: seen, number, text } of [row!, ofOrm!])
    expect([new Date(seen), number, text]).toEqual([time, 1795953000.125, String.raw`\[`]);
});

it('migrations take as long as they like, whatever limits the database has', async () => {
  const name = connected.orm.config.get('dbName');
  // transaction_timeout is of PostgreSQL 17
  const limits = await connected.sql.rows<{ limit: string }>(
    `select name as limit from pg_settings
     where name in ('statement_timeout', 'transaction_timeout', 'lock_timeout', 'idle_in_transaction_session_timeout')`,
  );
  for (const { limit } of limits) await connected.sql.rows(`alter database ${name} set ${limit} = 100`);
  expect(await migrate(database.url, 5_000)).toHaveLength(allMigrations.length);
});

it('a process that waits for the migrations of another one says so, once', async () => {
  const said: string[] = [];
  const end = Promise.withResolvers<void>();
  const notice = (line: string) => {
    said.push(line);
    end.resolve();
  };
  const held = Promise.withResolvers<void>();
  const other = connected.sql.transaction(async ({ rows }) => {
    await rows(`select pg_advisory_xact_lock(hashtext('gatehouse migrations'))`);
    held.resolve();
    await end.promise;
  });
  await held.promise;
  expect(await migrate(database.url, 5_000, notice)).toHaveLength(allMigrations.length);
  await other;
  expect(said).toEqual(['Another process runs the migrations; waiting for it to finish.']);
});

it('a request for a connection while all are being closed fails, and delays nothing', async () => {
  const closed = await connect({ url: database.url, poolMax: 4, timeoutMs: 60_000 });
  const begun = Promise.withResolvers<void>();
  const ended = Promise.withResolvers<void>();
  const first = closed.sql.transaction(() => {
    begun.resolve();
    return ended.promise;
  });
  await begun.promise;
  // the only connection is in use, so these wait for two that are being made
  const asking = [closed.orm.em.fork().transactional(async () => 'done'), closed.sql.rows('select 1')];
  const failing = asking.map((each) => expect(each).rejects.toThrow());
  await new Promise(setImmediate);
  const closing = closed.close();
  ended.resolve();
  await Promise.all([first, closing, ...failing]);
});

it('a connection that its holder gives back while the pool ends is given back once', async () => {
  const pool = new Pool({ connectionString: database.url, max: 1 });
  releaseLostConnections(pool);
  const given = new Promise<void>((resolve, reject) => {
    pool.connect((error, client) => {
      client?.release();
      if (error) reject(error);
      else resolve();
    });
  });
  // it is still being made
  const ended = pool.end();
  await Promise.all([given, ended]);
  // a second time would be an uncaught exception of this turn
  await new Promise(setImmediate);
  expect(pool.totalCount).toBe(0);
});
