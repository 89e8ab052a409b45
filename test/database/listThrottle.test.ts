/** While the token endpoints are in use, rows are fetched for one list of a caller and for two in all; else for all at once. */
import { EventEmitter } from 'node:events';
import { setImmediate as turnOfLoop } from 'node:timers/promises';
import type { Pool } from 'pg';
import { openListThrottle } from '../../src/database/statements/streams.js';

const tokenPool = (inUse = 0) =>
  Object.assign(new EventEmitter(), { totalCount: 2, idleCount: 2 - inUse }) as unknown as Pool;
const names = ['one', 'one', 'other', 'third', undefined];

/** Who asks for a turn, and in which order they have it. */
function ask(throttle: ReturnType<typeof openListThrottle>) {
  const begun: (string | undefined)[] = [];
  const ends: (() => void)[] = [];
  for (const name of names)
    void throttle({ name }).then((end) => {
      begun.push(name);
      ends.push(end);
    });
  const endFirst = async () => {
    const count = begun.length;
    ends.shift()!();
    while (begun.length === count) await turnOfLoop();
  };
  return { begun, endFirst };
}

it.each([
  ['use a connection', tokenPool(1), []],
  ['have just used one', tokenPool(), ['release']],
])('while the token endpoints %s two go on, of two callers, and who ends their turn gives it to the next', async (_, pool, events) => {
  const throttle = openListThrottle(pool);
  for (const event of events) pool.emit(event);
  const { begun, endFirst } = ask(throttle);
  await turnOfLoop();
  expect(begun).toEqual(['one', 'other']);
  await endFirst();
  expect(begun).toEqual(['one', 'other', 'one']);
  await endFirst();
  await endFirst();
  expect(begun).toEqual(['one', 'other', 'one', 'third', undefined]);
});

it.each([
  ['the token endpoints rest', tokenPool()],
  ['they share all connections', undefined],
])('all go on where %s', async (_case, pool) => {
  const { begun } = ask(openListThrottle(pool));
  await turnOfLoop();
  expect(begun).toEqual(names);
});

it('a reader that left while waiting for a turn gets the reason', async () => {
  const throttle = openListThrottle(tokenPool(1));
  const client = new AbortController();
  await throttle({ name: 'one' });
  const waiting = throttle({ name: 'one', signal: client.signal });
  client.abort('gone');
  await expect(waiting).rejects.toBe('gone');
});
