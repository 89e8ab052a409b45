/** Answers that are ready at once are written at once, and nobody waits long for it. */
import { currentTurn, writeIn } from '../../src/http/turn.js';

const endOfTurn = () => new Promise((resolve) => setImmediate(resolve));

it('answers that are ready in the turn of their requests are written at its end, in their order', async () => {
  const written: string[] = [];
  const turn = currentTurn();
  writeIn(turn, () => written.push('a'));
  await Promise.resolve().then(() => writeIn(currentTurn(), () => written.push('b')));
  expect(written).toEqual([]);
  await endOfTurn();
  expect(written).toEqual(['a', 'b']);
});

it('an answer that is ready later is written at once', async () => {
  const written: string[] = [];
  const turn = currentTurn();
  await endOfTurn();
  writeIn(currentTurn(), () => written.push('of the next turn'));
  writeIn(turn, () => written.push('late'));
  expect(written).toEqual(['late']);
  await endOfTurn();
  expect(written).toEqual(['late', 'of the next turn']);
});

it('nobody waits for more than seven others', async () => {
  const written: number[] = [];
  const turn = currentTurn();
  const numbers = Array.from({ length: 19 }, (_, index) => index + 1);
  for (const number of numbers) writeIn(turn, () => written.push(number));
  expect(written).toEqual(numbers.slice(0, 16));
  await endOfTurn();
  expect(written).toEqual(numbers);
});
