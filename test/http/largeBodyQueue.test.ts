/** Large bodies wait for each other, in a bounded line. */
import { EventEmitter } from 'node:events';
import type { ServerResponse } from 'node:http';
import { openLargeBodyQueue } from '../../src/http/body.js';

const newResponse = () => new EventEmitter() as ServerResponse;
const turn = () => new Promise((resolve) => setImmediate(resolve));

/** Enters with a new response; `state` tells how far it came. Its work goes on until `end` is called. */
function enter(queue: ReturnType<typeof openLargeBodyQueue>) {
  const { promise, resolve, reject } = Promise.withResolvers<void>();
  const entered = {
    response: newResponse(),
    state: 'waiting',
    error: undefined as unknown,
    end: resolve,
    fail: reject,
    leave: () => {},
  };
  const work = (leave: () => void) => {
    Object.assign(entered, { state: 'working', leave });
    return promise;
  };
  queue(entered.response, work).then(
    () => (entered.state = 'done'),
    (error) => Object.assign(entered, { state: 'refused', error }),
  );
  return entered;
}

it('one large body is in work at a time, and the next begins when the work on it has ended or says so', async () => {
  const queue = openLargeBodyQueue();
  const all = [enter(queue), enter(queue), enter(queue), enter(queue)];
  const states = async () => {
    await turn();
    await turn();
    return all.map(({ state }) => state);
  };
  expect(await states()).toEqual(['working', 'waiting', 'waiting', 'waiting']);
  all[0]!.end();
  expect(await states()).toEqual(['done', 'working', 'waiting', 'waiting']);
  all[1]!.fail(new Error('a failure'));
  expect(await states()).toEqual(['done', 'refused', 'working', 'waiting']);
  all[2]!.leave();
  expect(await states()).toEqual(['done', 'refused', 'working', 'working']);
  all[2]!.end();
  all[3]!.end();
  expect(await states()).toEqual(['done', 'refused', 'done', 'done']);
  const later = enter(queue);
  await turn();
  expect(later.state).toBe('working');
});

it('a place is held by the work and not by its client: who leaves meanwhile lets nobody in', async () => {
  const queue = openLargeBodyQueue();
  const [first, second] = [enter(queue), enter(queue)];
  await turn();
  first.response.emit('close');
  await turn();
  await turn();
  expect(second.state).toBe('waiting');
  first.end();
  await turn();
  await turn();
  expect(second.state).toBe('working');
});

it('a large body whose sender left is skipped, and the ninth that would wait is refused with Retry-After', async () => {
  const queue = openLargeBodyQueue();
  const first = enter(queue);
  const waiting = Array.from({ length: 8 }, () => enter(queue));
  const refused = enter(queue);
  await turn();
  expect(refused).toMatchObject({
    state: 'refused',
    error: { code: 'UNAVAILABLE', more: { headers: { 'retry-after': '5' } } },
  });
  waiting[0]!.response.emit('close');
  first.end();
  await turn();
  await turn();
  expect(waiting.map(({ state }) => state).slice(0, 3)).toEqual(['refused', 'working', 'waiting']);
});
