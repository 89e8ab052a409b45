/** Requests that come at once let the event loop come to others in between. */
import { AsyncLocalStorage } from 'node:async_hooks';
import type { IncomingMessage, ServerResponse } from 'node:http';
import { onePerTurn } from '../../src/server/routes.js';

const request = (name: string) => name as unknown as IncomingMessage;
const response = {} as ServerResponse;
const turn = () => new Promise((resolve) => setImmediate(resolve));

it('requests that come at once begin one in each turn of the event loop, in order and each in its own context', async () => {
  const context = new AsyncLocalStorage<string>();
  const begun: string[] = [];
  const answer = onePerTurn((each) => void begun.push(`${each} in ${context.getStore()}`));
  for (const name of ['a', 'b', 'c']) context.run(`context ${name}`, () => answer(request(name), response));
  const seen: number[] = [];
  while (begun.length < 3) {
    await turn();
    seen.push(begun.length);
  }
  expect(begun).toEqual(['a in context a', 'b in context b', 'c in context c']);
  expect(seen.every((count, index) => count - (seen[index - 1] ?? 0) <= 1)).toBe(true);
  answer(request('d'), response);
  await turn();
  await turn();
  expect(begun).toHaveLength(4);
});
