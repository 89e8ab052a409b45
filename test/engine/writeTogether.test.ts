/** Answers that are ready at once are written at once, and nobody waits long for it. */
import { writeTogether } from '../../src/engine/writeTogether.js';

const endOfTurn = () => new Promise((resolve) => setImmediate(resolve));

it('answers that are ready in one turn of the event loop are written at its end, in their order', async () => {
  const written: string[] = [];
  writeTogether(() => written.push('a'));
  await Promise.resolve().then(() => writeTogether(() => written.push('b')));
  expect(written).toEqual([]);
  await endOfTurn();
  expect(written).toEqual(['a', 'b']);
  writeTogether(() => written.push('c'));
  await endOfTurn();
  expect(written).toEqual(['a', 'b', 'c']);
});

it('nobody waits for more than seven others', async () => {
  const written: number[] = [];
  const numbers = Array.from({ length: 19 }, (_, index) => index + 1);
  for (const number of numbers) writeTogether(() => written.push(number));
  expect(written).toEqual(numbers.slice(0, 16));
  await endOfTurn();
  expect(written).toEqual(numbers);
});
