/** Large bodies wait for each other, in a bounded line. */
import { EventEmitter } from 'node:events';
import type { ServerResponse } from 'node:http';
import { openLargeBodyQueue } from '../../src/http/largeBodyQueue.js';

const newResponse = () => new EventEmitter() as ServerResponse;
const turn = () => new Promise((resolve) => setImmediate(resolve));

/** Enters with a new response; `state` tells how far it came. */
function enter(line: ReturnType<typeof openLargeBodyQueue>) {
  const entered = { response: newResponse(), state: 'waiting', error: undefined as unknown };
  line(entered.response).then(
    () => (entered.state = 'working'),
    (error) => Object.assign(entered, { state: 'refused', error }),
  );
  return entered;
}

it('one large body is in work at a time, and the next begins when its response has ended', async () => {
  const line = openLargeBodyQueue();
  const all = [enter(line), enter(line), enter(line)];
  const states = async () => {
    await turn();
    await turn();
    return all.map(({ state }) => state);
  };
  expect(await states()).toEqual(['working', 'waiting', 'waiting']);
  all[0]!.response.emit('close');
  expect(await states()).toEqual(['working', 'working', 'waiting']);
  all[1]!.response.emit('close');
  expect(await states()).toEqual(['working', 'working', 'working']);
  all[2]!.response.emit('close');
  expect(await states()).toHaveLength(3);
  const later = enter(line);
  await turn();
  expect(later.state).toBe('working');
});

it('who leaves while waiting is passed over, and more than eight waiting are refused with a time to come again', async () => {
  const line = openLargeBodyQueue();
  const first = enter(line);
  const waiting = Array.from({ length: 8 }, () => enter(line));
  const refused = enter(line);
  await turn();
  expect(refused).toMatchObject({
    state: 'refused',
    error: { code: 'UNAVAILABLE', more: { headers: { 'retry-after': '5' } } },
  });
  waiting[0]!.response.emit('close');
  first.response.emit('close');
  await turn();
  await turn();
  expect(waiting.map(({ state }) => state).slice(0, 3)).toEqual(['refused', 'working', 'waiting']);
});
