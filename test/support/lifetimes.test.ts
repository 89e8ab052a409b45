/** What tests open is closed, whatever becomes of the test. */
import { closeAtEnd, closeOpenedSince, openedSoFar } from './lifetimes.js';

const closed: string[] = [];
const open = (name: string, close = async () => {}) =>
  closeAtEnd(async () => {
    closed.push(name);
    await close();
  });
beforeAll(() => {
  open('by a hook');
});

it('the newest is closed first, each once, and what was there before stays open', async () => {
  const before = openedSoFar();
  const closeFirst = open('first');
  open('second');
  open('third');
  await closeFirst();
  await Promise.all([closeFirst(), closeOpenedSince(before)]);
  expect(closed).toEqual(['first', 'third', 'second']);
});

it('one that can not be closed is told, after the others are closed', async () => {
  closed.length = 0;
  const before = openedSoFar();
  open('first');
  open('second', () => Promise.reject(new Error('is stuck')));
  await expect(closeOpenedSince(before)).rejects.toThrow('is stuck');
  expect(closed).toEqual(['second', 'first']);
});

describe('a test that left something open', () => {
  it('ends', () => {
    closed.length = 0;
    open('by a test');
  });
  it('and it is closed before the next one begins, but nothing of a hook', () => {
    expect(closed).toEqual(['by a test']);
  });
});
