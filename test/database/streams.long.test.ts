/** Who reads a lot, slowly, or leaves in the middle holds connections in a bounded number, for a bounded time, and no others. */
import { type ConnectOptions, connect, type Database } from '../../src/database/connect.js';
import type { Sql } from '../../src/sql.js';
import { startProxy } from '../operations/proxy.js';
import { createDatabase, type TestDatabase } from '../support/cluster.js';
import { closeAtEnd } from '../support/lifetimes.js';
import { elapse, until } from '../support/until.js';

const hundred = 'select n from generate_series(1, 100) n';
const slow = 'select pg_sleep(20)';
let database: TestDatabase;
beforeEach(async () => {
  database = await createDatabase();
});

async function open(options: Partial<ConnectOptions> = {}): Promise<Database> {
  const opened = await connect({ url: database.url, poolMax: 2, timeoutMs: 60_000, ...options });
  // a connection that a red test still holds would be waited for
  closeAtEnd(() => Promise.race([opened.close(), elapse(3_000)]));
  return opened;
}

/** A stream that is held open after its first rows. */
async function beginStream(sql: Sql, text = hundred) {
  const rows = sql.stream(text, [], 10)[Symbol.asyncIterator]();
  await rows.next();
  return { end: () => rows.return?.() };
}
const backend = async (sql: Sql) => (await sql.rows<{ pid: number }>('select pg_backend_pid() as pid'))[0]!.pid;
const connectionsInUse = ({ pools }: Database) =>
  pools.reduce((sum, { totalCount, idleCount }) => sum + totalCount - idleCount, 0);
async function underWay({ background }: Database): Promise<string[]> {
  const rows = await background.rows<{ query: string }>(
    `select query from pg_stat_activity
     where datname = current_database() and state <> 'idle' and pid <> pg_backend_pid()`,
  );
  return rows.map(({ query }) => query);
}
async function untilUnderWay(opened: Database, text: string): Promise<void> {
  await until(async () => (await underWay(opened)).some((query) => query.includes(text)));
}

it('readers of lists have their share of the connections, and leave those of others free', async () => {
  const opened = await open({ poolMax: 8, tokenPoolMax: 4, streamsMax: 2, timeoutMs: 3_000 });
  const streams = [await beginStream(opened.sql), await beginStream(opened.openReads())];
  await expect(beginStream(opened.sql)).rejects.toMatchObject({ code: '53300' });
  for (const each of [opened.sql, opened.tokens])
    expect(await Promise.all([each.rows('select 1'), each.rows('select 1')])).toHaveLength(2);
  await streams[0]!.end();
  await (await beginStream(opened.sql)).end();
  await streams[1]!.end();
});

it('the token endpoints keep their connections when all others are in use', async () => {
  const opened = await open({ poolMax: 2, tokenPoolMax: 8, timeoutMs: 3_000 });
  const stream = await beginStream(opened.sql);
  await expect(opened.sql.rows('select 1')).rejects.toThrow('timeout exceeded');
  expect(await opened.tokens.rows('select 1 as one')).toEqual([{ one: 1 }]);
  await stream.end();
});

it('those who wait for a stream are served in their order; who has left the line is not', async () => {
  const opened = await open({ poolMax: 4, streamsMax: 1 });
  const first = await beginStream(opened.sql);
  const order: string[] = [];
  const leaver = new AbortController();
  const second = beginStream(opened.openReads({ signal: leaver.signal })).catch((reason) =>
    order.push(`left: ${reason}`),
  );
  const inLine = async (name: string) => {
    const stream = await beginStream(opened.sql);
    order.push(name);
    return stream;
  };
  const third = inLine('third');
  const fourth = inLine('fourth');
  leaver.abort('gone');
  await second;
  await first.end();
  await (await third).end();
  await (await fourth).end();
  expect(order).toEqual(['left: gone', 'third', 'fourth']);
});

it('nobody has more than two thirds of them, and who waits behind somebody who has is served', async () => {
  const opened = await open({ poolMax: 6, streamsMax: 3 });
  const reads = (name: string) => opened.openReads({ name });
  const streams = [await beginStream(reads('one')), await beginStream(reads('one'))];
  const third = beginStream(reads('one'));
  streams.push(await beginStream(reads('other')));
  await streams[0]!.end();
  streams.push(await third);
  for (const each of streams) await each.end();
});

it.each([
  ['a statement', (sql: Sql) => sql.rows(slow)],
  ['a stream before its first rows', (sql: Sql) => beginStream(sql, slow)],
])('%s is cancelled when its client leaves, and its connection serves on', async (_name, ask) => {
  const opened = await open({ poolMax: 1 });
  const before = await backend(opened.sql);
  const client = new AbortController();
  const asked = ask(opened.openReads({ signal: client.signal }));
  asked.catch(() => undefined);
  await untilUnderWay(opened, slow);
  client.abort('gone');
  await expect(asked).rejects.toBe('gone');
  await until(async () => (await underWay(opened)).length === 0);
  expect(await backend(opened.sql)).toBe(before);
});

it('who has signal before it is their turn costs no statement', async () => {
  const statements: string[] = [];
  const opened = await open({ poolMax: 1, onStatement: (text) => statements.push(text) });
  const signal = AbortSignal.abort('gone');
  statements.length = 0;
  await expect(opened.openReads({ signal }).rows('select 1')).rejects.toBe('gone');
  await expect(beginStream(opened.openReads({ signal }))).rejects.toBe('gone');
  expect(statements).toEqual([]);
  expect(connectionsInUse(opened)).toBe(0);
});

it('a cancellation never meets the statement of the next client', async () => {
  const opened = await open({ poolMax: 1 });
  for (let round = 0; round < 150; round++) {
    const client = new AbortController();
    const asked = opened
      .openReads({ signal: client.signal })
      .rows('select pg_sleep(0.003)')
      .catch(() => undefined);
    const next = opened.sql.rows('select pg_sleep(0.001)');
    await elapse(round % 6);
    client.abort();
    await Promise.all([asked, next]);
  }
});

it('rows that take longer than a statement may are given up, however long a reader may read', async () => {
  const opened = await open({ poolMax: 1, statementTimeoutMs: 1_500 });
  const before = await backend(opened.sql);
  await expect(beginStream(opened.sql, slow)).rejects.toMatchObject({ code: '57014' });
  expect(await backend(opened.sql)).toBe(before);
  const stream = await beginStream(opened.sql);
  await elapse(2_000);
  await stream.end();
});

it('a stream from a host that is gone without a word is given up within the set times', async () => {
  const proxy = await startProxy(database.url);
  closeAtEnd(proxy.close);
  const opened = await open({ url: proxy.url, poolMax: 1, statementTimeoutMs: 1_500 });
  const rows = opened.sql.stream(hundred, [], 10)[Symbol.asyncIterator]();
  await rows.next();
  proxy.freeze();
  await expect(rows.next()).rejects.toThrow('Connection terminated');
  proxy.thaw();
  expect(await opened.sql.rows('select 1 as one')).toEqual([{ one: 1 }]);
});

it('a stream that could not even begin gives its connection back', async () => {
  const opened = await open({ poolMax: 1 });
  const unwritable = {
    toPostgres() {
      throw new Error('unwritable');
    },
  };
  const rows = opened.sql.stream('select $1::text', [unwritable], 10)[Symbol.asyncIterator]();
  await expect(rows.next()).rejects.toThrow('unwritable');
  expect(await opened.sql.rows('select 1 as one')).toEqual([{ one: 1 }]);
});
