/** Counts of one process: each key has windows of a minute, and what has ended is forgotten. */
import { openMemoryCounts } from '../../src/auth/limiter.js';

it('a window begins with its first count and ends after a minute, however many are counted in it', async () => {
  let now = 1_000;
  const counts = openMemoryCounts(() => now);
  expect(await counts.add('key')).toEqual({ points: 1, msBeforeEnd: 60_000 });
  now += 59_999;
  expect(await counts.add('key')).toEqual({ points: 2, msBeforeEnd: 1 });
  expect(await counts.find('key')).toEqual({ points: 2, msBeforeEnd: 1 });
  expect(await counts.add('another')).toEqual({ points: 1, msBeforeEnd: 60_000 });
  now += 1;
  expect(await counts.find('key')).toBeUndefined();
  expect(await counts.add('key')).toEqual({ points: 1, msBeforeEnd: 60_000 });
  expect(await counts.find('another')).toEqual({ points: 1, msBeforeEnd: 59_999 });
});

it('a count that is taken back is as if it was never made, and no count goes below zero', async () => {
  const counts = openMemoryCounts();
  await counts.subtract('key');
  await counts.add('key');
  await counts.subtract('key');
  await counts.subtract('key');
  expect((await counts.add('key')).points).toBe(1);
});
