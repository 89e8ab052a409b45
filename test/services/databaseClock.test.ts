/** The database's clock, as a process estimates it. */
import { jest } from '@jest/globals';
import { openDatabaseClock } from '../../src/services/keys/keyStore.js';

let elapsedMs = 0;
beforeEach(() => {
  elapsedMs = 1_000;
  jest.spyOn(performance, 'now').mockImplementation(() => elapsedMs);
});
afterEach(() => jest.restoreAllMocks());

/** The database's time at `performance.now()` 0. */
const epoch = Date.parse('2026-05-01T12:00:00Z');

/** An answer that took so long, and was made at the end of that time. */
function read(clock: ReturnType<typeof openDatabaseClock>, tookMs: number, aheadMs = 0) {
  const askedAt = elapsedMs;
  elapsedMs += tookMs;
  clock.read(epoch + elapsedMs + aheadMs, askedAt);
}
const errorOf = (clock: ReturnType<typeof openDatabaseClock>) => clock.now().getTime() - epoch - elapsedMs;

it('an answer that took long does not move a clock with which it agrees', () => {
  const clock = openDatabaseClock();
  read(clock, 2);
  expect(errorOf(clock)).toBe(1);
  elapsedMs += 1_000;
  read(clock, 400);
  expect(errorOf(clock)).toBe(1);
});

it.each([
  60_000, -60_000,
])('a clock that was set by %s ms is noticed by the next answer, however long it took', (set) => {
  const clock = openDatabaseClock();
  read(clock, 2);
  elapsedMs += 1_000;
  read(clock, 400, set);
  expect(Math.abs(errorOf(clock) - set)).toBeLessThanOrEqual(200);
});

it('a better answer replaces a worse one', () => {
  const clock = openDatabaseClock();
  read(clock, 400);
  expect(errorOf(clock)).toBe(200);
  read(clock, 2);
  expect(errorOf(clock)).toBe(1);
});
