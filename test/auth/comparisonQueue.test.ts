/** Whose turn it is to compare: a few at once, the rest in line, and a pause for those who try. */
import { openSlots, TooManyWaiting } from '../../src/slots.js';
import { elapse } from '../support/until.js';

const workMs = 60;
const isWrong = (isRight: boolean): boolean => !isRight;

/** What happened, in order: each comparison's begin, and a timer that ends after the rest would be half over. */
async function orderAfter(first: boolean): Promise<string[]> {
  const queue = openSlots({ max: 1, waitingMax: 10 });
  const order: string[] = [];
  const compare = (name: string, isRight: boolean) =>
    queue.run(async () => {
      order.push(name);
      await elapse(workMs);
      return isRight;
    }, isWrong);
  const one = compare('first', first);
  const other = compare('second', true);
  await one;
  await elapse(workMs / 2).then(() => order.push('half of the time'));
  await other;
  return order;
}

it('after a comparison that failed its turn stays taken for as long as it took', async () => {
  expect(await orderAfter(false)).toEqual(['first', 'half of the time', 'second']);
});

it('after one that succeeded the next begins at once', async () => {
  expect(await orderAfter(true)).toEqual(['first', 'second', 'half of the time']);
});

it('while a turn cooldownAfter the queue is as full as before', async () => {
  const queue = openSlots({ max: 1, waitingMax: 0 });
  await queue.run(async () => {
    await elapse(workMs);
    return false;
  }, isWrong);
  expect(queue.assertNotFull).toThrow(TooManyWaiting);
});

it('work that throws passes its turn on', async () => {
  const queue = openSlots({ max: 1, waitingMax: 0 });
  await expect(queue.run(() => Promise.reject(new Error('broken')), isWrong)).rejects.toThrow('broken');
  expect(await queue.run(async () => true, isWrong)).toBe(true);
});

it('a comparison that waits too long is refused as one that finds the queue full', async () => {
  const refusal = () => new Error('no room');
  const queue = openSlots({ max: 1, waitingMax: 10, timeoutMs: 1, refusal });
  const release = await queue.hold();
  await expect(queue.run(async () => true)).rejects.toThrow('no room');
  release();
  expect(await queue.run(async () => true)).toBe(true);
});
