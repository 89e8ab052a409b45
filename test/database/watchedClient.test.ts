/** A connection that is watched answers as the library's own does, and what is told of each statement is told once. */
import { jest } from '@jest/globals';
import type pg from 'pg';
import { openHosts } from '../../src/database/connections/failover.js';
import { watchedClient } from '../../src/database/connections/watchedClient.js';
import { createDatabase, openClient, type TestDatabase } from '../support/cluster.js';
import { closeAtEnd } from '../support/lifetimes.js';

const answerTimeoutMs = 60_000;
const observed: { text: string; error: unknown }[] = [];
const observe = (text: string) => (_milliseconds: number, error?: unknown) => void observed.push({ text, error });

let database: TestDatabase;
let client: pg.Client;
let plain: pg.Client;
beforeAll(async () => {
  database = await createDatabase();
  plain = await openClient(database.url);
});
beforeEach(async () => {
  const Watched = watchedClient(openHosts(database.url, 5_000), {
    answerTimeoutMs,
    hangTimeoutMs: answerTimeoutMs,
    observe,
  });
  client = new Watched({});
  closeAtEnd(() => client.end());
  await client.connect();
  observed.length = 0;
  // answers are not late by themselves
  jest.useFakeTimers({ doNotFake: ['nextTick', 'queueMicrotask', 'setImmediate', 'performance', 'Date', 'hrtime'] });
});

afterEach(() => {
  jest.useRealTimers();
});

type Query = (...given: unknown[]) => Promise<{ rows: unknown[] }>;

const one = 'select 1 as one';
const circular: Record<string, unknown> = {};
circular.self = circular;

/** What comes of a call: the rows, or the error's message, thrown or promised. */
async function outcome(of: pg.Client, given: unknown[]): Promise<unknown> {
  const callback = given.at(-1);
  const called = Promise.withResolvers<unknown>();
  const settle = (error: Error | null, result: { rows: unknown[] }) => called.resolve(error?.message ?? result.rows);
  try {
    if (callback === 'callback') {
      expect((of.query as Query)(...given.slice(0, -1), settle)).toBeUndefined();
      return await called.promise;
    }
    return (await (of.query as Query)(...given)).rows;
  } catch (error) {
    return (error as Error).message;
  }
}

const calls: [string, () => unknown[]][] = [
  ['a text', () => [one]],
  ['a text and no values', () => [one, undefined]],
  ['a text, no values and no callback', () => [one, undefined, undefined]],
  ['a text, values and no callback', () => ['select $1::int as one', [1], undefined]],
  ['a text and null', () => [one, null]],
  ['an object', () => [{ text: one }]],
  ['an object with a name, and values beside it', () => [{ text: 'select $1::int as one', name: 'n' }, [1]]],
  ['a callback', () => [one, 'callback']],
  ['values and a callback', () => ['select $1::int as one', [1], 'callback']],
  ['an object and a callback', () => [{ text: one }, 'callback']],
  ['what the server refuses', () => ['select nothing']],
  ['what the server refuses, and a callback', () => ['select nothing', 'callback']],
  ['a value that cannot be written', () => ['select $1::text', [circular]]],
  ['a value that cannot be written, and a callback', () => ['select $1::text', [circular], 'callback']],
  ['values that are none', () => [one, 'text']],
  ['no text', () => [{}]],
  ['nothing', () => [undefined]],
];

it.each(
  calls,
)('what comes of %s is what the library gives, and the connection is as good as before', async (_name, given) => {
  const expected = await outcome(plain, given());
  expect(await outcome(client, given())).toEqual(expected);
  jest.advanceTimersByTime(answerTimeoutMs * 2);
  expect(await outcome(client, [one])).toEqual([{ one: 1 }]);
});

it.each(calls.slice(0, -1))('of %s one end is told', async (_name, given) => {
  await outcome(client, given());
  await outcome(client, [one]);
  expect(observed.length).toBe(2);
});

it('a statement without an answer in time, and those behind it, fail as their connection does', async () => {
  const asked = [client.query('select pg_sleep(20)'), client.query(one)];
  jest.advanceTimersByTime(answerTimeoutMs);
  for (const { reason } of (await Promise.allSettled(asked)) as PromiseRejectedResult[])
    expect(reason.message).toContain('Connection terminated');
  expect(observed.map(({ error }) => (error as Error).message)).toEqual([
    'Connection terminated unexpectedly',
    'Connection terminated unexpectedly',
  ]);
  await expect(client.query(one)).rejects.toThrow('not queryable');
});

it('an error says who asked', async () => {
  async function whoAsks() {
    await client.query('select nothing');
  }
  const error = await whoAsks().catch((thrown: Error) => thrown);
  expect((error as Error).stack).toContain('whoAsks');
});
