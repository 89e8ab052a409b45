/** The measuring of costs sees what it is for: else a ceiling would be kept by anything. */
import fc from 'fast-check';
import { startTestApp, type TestApp } from './app.js';
import { type Cost, expectWithin, measureCost, searchWithin } from './costCeiling.js';

let app: TestApp;
beforeAll(async () => {
  app = await startTestApp();
});
afterAll(() => app?.close());

const small: Cost = { cpu: 40, loopDelay: 40, databaseCpu: 40, statements: 2, bytesOut: 100, memory: 50 };
/** Holds memory until the process's peak, which tests before this one may have raised, has risen by 100 MB. */
const raisePeak = async () => {
  const peak = () => process.resourceUsage().maxRSS / 1_024;
  const aim = peak() + 100;
  const held: Buffer[] = [];
  while (peak() < aim) held.push(Buffer.alloc(10_000_000, 1));
  return String(held.length);
};
const nothing = async () => '';
const busy = (runs: number) => async () => {
  for (let run = 0; run < runs; run++)
    JSON.stringify(JSON.parse(JSON.stringify(Array.from({ length: 20_000 }, () => 'abc'))));
  return '';
};

it('a request that costs nothing keeps to its ceiling', async () => {
  expect((await expectWithin(app, 'nothing', nothing, small)).statements).toBe(0);
});

it.each<[keyof Cost, () => Promise<string>]>([
  ['cpu', busy(200)],
  ['loopDelay', busy(200)],
  [
    'databaseCpu',
    async () => JSON.stringify(await app.context.sql.rows('select count(*) from generate_series(1, 5000000)')),
  ],
  [
    'statements',
    async () => JSON.stringify(await Promise.all([1, 2, 3].map((n) => app.context.sql.rows(`select ${n}`)))),
  ],
  ['bytesOut', async () => 'ä'.repeat(51)],
  ['memory', raisePeak],
])('%s is seen', async (measure, send) => {
  let cost = await measureCost(app, send);
  // a busy machine may hide a cost once: then the loop that it is measured in takes longer
  if (cost[measure] <= small[measure]) cost = await measureCost(app, send);
  expect(cost[measure]).toBeGreaterThan(small[measure]);
  for (const other of ['statements', 'bytesOut'] as const)
    if (other !== measure) expect(cost[other]).toBeLessThan(small[other]);
});

it('a request that exceeds its ceiling only once passes, because the machine may have been busy', async () => {
  const send = (attempt: number) => (attempt === 0 ? busy(200)() : nothing());
  expect((await expectWithin(app, 'seldom', send, small)).cpu).toBeLessThan(small.cpu);
  await expect(expectWithin(app, 'always', busy(200), small)).rejects.toThrow(/^always costs too much: cpu \d+ of 40/);
});

it('a search meets the known worst requests first, and finds others', async () => {
  const send = async (length: number) => 'x'.repeat(length);
  const search = { requests: fc.integer({ min: 0, max: 90 }), runs: 20, what: String };
  expect((await searchWithin(app, { ...search, regressions: [99] }, send, { bytesOut: 100 })).bytesOut).toBe(99);
  await expect(searchWithin(app, { ...search, regressions: [101] }, send, { bytesOut: 100 })).rejects.toThrow(
    /bytesOut 101 of 100/,
  );
  await expect(searchWithin(app, search, send, { bytesOut: 10 })).rejects.toThrow(/bytesOut \d+ of 10/);
});
