/** A filter has so many conditions, so many levels, and lists of so many items: one more is refused with its place. */
import { randomUUID } from 'node:crypto';
import { startTestGraph, type TestGraph } from './graph.js';

let graph: TestGraph;
beforeAll(async () => {
  graph = await startTestGraph();
});
afterAll(() => graph?.close());

const query = 'query ($f: ApplicationFilter) { applications(filter: $f) { totalCount } }';
const ask = async (f: object) => {
  const { status, json } = await graph.ask(query, { f });
  return json.data ? 'accepted' : [status, json.errors[0].extensions.problems];
};
const several = (length: number, item: (index: number) => object) => Array.from({ length }, (_, index) => item(index));
const nested = (levels: number): object => (levels === 0 ? { name: { eq: 'a' } } : { not: nested(levels - 1) });
const deeper = (levels: number): string => `filter${'.not'.repeat(levels)}`;

it('200 conditions: each member and each operator is one, and so is an item that says nothing', async () => {
  const tooMany = [400, { [expect.any(String) as never]: ['A filter has at most 200 conditions.'] }];
  const isRefused = async (f: object) => {
    const answer = await ask(f);
    return Array.isArray(answer) && JSON.stringify(answer).includes(String(Object.values(tooMany[1]!)[0]));
  };
  const named = (count: number) => ({ or: several(count, () => ({ name: { eq: 'a' } })) });
  // `or` itself, and two for each name
  expect(await ask(named(99))).toBe('accepted');
  expect(await ask({ ...named(99), isActive: {} })).toBe('accepted');
  expect(await isRefused({ ...named(99), isActive: { eq: true } })).toBe(true);
  expect(await isRefused(named(100))).toBe(true);
  expect(await ask({ and: several(199, () => ({})) })).toBe('accepted');
  expect(await isRefused({ and: several(200, () => ({})) })).toBe(true);
  expect(await isRefused({ or: several(200, () => ({ name: null })) })).toBe(true);
});

it('12 levels', async () => {
  expect(await ask(nested(12))).toBe('accepted');
  expect(await ask(nested(13))).toEqual([400, { [deeper(13)]: ['A filter has at most 12 levels.'] }]);
});

it.each(['in', 'notIn'])('lists of 1,000: %s', async (operator) => {
  const listed = (length: number) => ({
    applicationGuid: { [operator]: several(length, () => randomUUID() as never) },
  });
  expect(await ask(listed(1_000))).toBe('accepted');
  expect(await ask(listed(1_001))).toEqual([
    400,
    { [`filter.applicationGuid.${operator}`]: ['A list has at most 1000 items.'] },
  ]);
});
