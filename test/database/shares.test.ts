/** What one caller may have of the database at a time: a third of its connections, and a bounded time for a request that reads. */
import { type ConnectOptions, connect, type Database } from '../../src/database/connect.js';
import { createDatabase, type TestDatabase } from '../support/cluster.js';
import { closeAtEnd } from '../support/lifetimes.js';
import { elapse, until } from '../support/until.js';

const slow = 'select pg_sleep(20)';
let database: TestDatabase;
beforeEach(async () => {
  database = await createDatabase();
});

/** Nine connections beside those of the token endpoints: three for a caller. */
async function open(options: Partial<ConnectOptions> = {}): Promise<Database> {
  const bounds = { poolMax: 13, tokenPoolMax: 4, timeoutMs: 60_000, readTimeoutMs: 60_000 };
  const opened = await connect({ url: database.url, ...bounds, ...options });
  closeAtEnd(() => Promise.race([opened.close(), elapse(3_000)]));
  return opened;
}

/** Begins so many slow reads; they end with the caller. */
function readSlowly({ openReads }: Database, name: string, count: number, text = slow) {
  const leaving = new AbortController();
  const { signal } = leaving;
  const reads = Array.from({ length: count }, () => openReads({ name, signal }).rows(text));
  const ends = Promise.allSettled(reads);
  const leave = () => {
    leaving.abort('gone');
    return ends;
  };
  closeAtEnd(leave);
  return { leave, ends };
}

async function countUnderWay({ background }: Database, text = slow): Promise<number> {
  const [row] = await background.rows<{ count: number }>(
    'select count(*)::int as count from pg_stat_activity where datname = current_database() and query = $1',
    [text],
  );
  return row!.count;
}
async function untilUnderWay(opened: Database, count: number): Promise<void> {
  await until(async () => (await countUnderWay(opened)) >= count);
}

it('a caller reads on a third of the connections; others read, are identified and change beside it', async () => {
  const opened = await open();
  const many = readSlowly(opened, 'many', 12);
  await untilUnderWay(opened, 3);
  const others = Array.from({ length: 3 }, (_, index) => opened.openReads({ name: `other ${index}` }).rows('select 1'));
  await Promise.all([...others, opened.sql.rows('select 1'), opened.openChanges({ name: 'other' }).rows('select 1')]);
  expect(await countUnderWay(opened)).toBe(3);
  await many.leave();
  expect(await opened.openReads({ name: 'many' }).rows('select 1 as one')).toEqual([{ one: 1 }]);
});

it('reads of all callers together leave two connections to changes and to who is to be identified', async () => {
  const opened = await open();
  for (const name of ['one', 'two', 'three']) readSlowly(opened, name, 4);
  await untilUnderWay(opened, 7);
  const identified = [opened.sql.rows('select 1'), opened.sql.rows('select 1')];
  await Promise.all([
    ...identified,
    opened.openChanges({ name: 'fourth' }).transaction(({ rows }) => rows('select 1')),
  ]);
  expect(await countUnderWay(opened)).toBe(7);
});

it("a caller's changes are on the same share, and those of all callers leave a connection free", async () => {
  const opened = await open();
  const begun: string[] = [];
  const begin = async (name: string) => {
    const release = await opened.holdForChange({ name });
    begun.push(name);
    return release;
  };
  const first = [begin('one'), begin('one'), begin('one'), begin('one')];
  const others = ['two', 'three'].flatMap((name) => [begin(name), begin(name), begin(name)]);
  // who still waits at the end is refused after it
  for (const each of [...first, ...others]) each.catch(() => undefined);
  await until(() => begun.length >= 8);
  expect(begun).toEqual(['one', 'one', 'one', 'two', 'two', 'two', 'three', 'three']);
  expect(await opened.sql.rows('select 1 as one')).toEqual([{ one: 1 }]);
  (await first[0])!();
  await until(() => begun.length > 8);
  expect(begun.slice(8)).toEqual(['one']);
});

it('a caller’s statements are refused when too many wait for its share, so that others have room to wait', async () => {
  const opened = await open({ waitingMax: 6 });
  const many = readSlowly(opened, 'many', 3);
  await untilUnderWay(opened, 3);
  const waiting = readSlowly(opened, 'many', 2);
  await expect(opened.openReads({ name: 'many' }).rows(slow)).rejects.toMatchObject({ code: '53300', isOfOne: true });
  expect(await opened.openReads({ name: 'other' }).rows('select 1 as one')).toEqual([{ one: 1 }]);
  await Promise.all([many.leave(), waiting.leave()]);
});

it('all statements of a reading request have one time together, and the connection that is taken from it serves on', async () => {
  const opened = await open({ readTimeoutMs: 1_500 });
  const reads = opened.openReads({ overdue: (timeoutMs) => `took ${timeoutMs} ms` });
  const some = () => reads.rows('select pg_sleep(0.1)');
  const inOrder = async () => {
    for (;;) await some();
  };
  await expect(inOrder()).rejects.toBe('took 1500 ms');
  await expect(some()).rejects.toBe('took 1500 ms');
  expect(await opened.openReads().rows('select 1 as one')).toEqual([{ one: 1 }]);
  expect(await countUnderWay(opened, 'select pg_sleep(0.1)')).toBeLessThanOrEqual(1);
  // nobody else's statement has this limit
  expect(await opened.sql.rows('select pg_sleep(2)')).toHaveLength(1);
});

it('a read that somebody else cancels is not said to have taken too long', async () => {
  const opened = await open({ readTimeoutMs: 60_000 });
  const reads = opened.openReads({ overdue: (timeoutMs) => `took ${timeoutMs} ms` });
  const cancelled = reads.rows(slow).catch((error: unknown) => error);
  await untilUnderWay(opened, 1);
  await opened.sql.rows('select pg_cancel_backend(pid) from pg_stat_activity where query = $1', [slow]);
  expect(await cancelled).toMatchObject({ code: '57014', message: 'canceling statement due to user request' });
});

it('a batch of a list has that time, however long the list is read', async () => {
  const opened = await open({ readTimeoutMs: 1_500 });
  const reads = opened.openReads({ overdue: (timeoutMs) => `took ${timeoutMs} ms` });
  for await (const _ of reads.stream('select n from generate_series(1, 5) n', [], 1)) await elapse(400);
  const stuck = reads.stream(slow, [], 1)[Symbol.asyncIterator]();
  await expect(stuck.next()).rejects.toBe('took 1500 ms');
});
