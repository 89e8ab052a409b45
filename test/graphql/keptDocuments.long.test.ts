/** What is kept of documents has a bound in memory, however many and large they are. */
import { setFlagsFromString } from 'node:v8';
import { runInNewContext } from 'node:vm';
import { parse } from 'graphql';
import { bytesOf, openStore } from '../../src/graphql/execution/documents.js';
import { startTestGraph, type TestGraph } from './graph.js';

let graph: TestGraph;
beforeAll(async () => {
  graph = await startTestGraph();
});
afterAll(() => graph.close());

setFlagsFromString('--expose-gc');
const collectGarbage = runInNewContext('gc') as () => void;
const heapUsed = (): number => {
  for (let time = 0; time < 3; time++) collectGarbage();
  return process.memoryUsage().heapUsed;
};

it.each([
  ['many tokens', `{ ${'field '.repeat(2_000)} }`],
  ['a long text', `{ a(text: "${'x'.repeat(150_000)}") }`],
])('a document weighs what it takes in memory, about: %s', (_name, text) => {
  const before = heapUsed();
  const documents = Array.from({ length: 50 }, (_, index) => parse(`${text} #${index}`));
  const each = (heapUsed() - before) / documents.length;
  expect(bytesOf(documents[0]!) / each).toBeGreaterThan(0.5);
  expect(bytesOf(documents[0]!) / each).toBeLessThan(2.5);
});

it('a store keeps as many values as its bytes allow', async () => {
  const store = openStore<string>(10, ({ length }) => length);
  for (const key of ['a', 'b', 'c']) await store.set(key, key.repeat(4));
  expect([await store.get('a'), await store.get('b'), await store.get('c')]).toEqual([undefined, 'bbbb', 'cccc']);
  expect(await store.delete('b')).toBe(true);
  expect(await store.get('b')).toBeUndefined();
});

// of about a megabyte as it is parsed
const large = (number: number): string =>
  Array.from(
    { length: 165 },
    (_, operation) => `query Q${operation}N${number} { users(first: 1) { nodes { firstName } } }`,
  ).join(' ');

it('hundreds of large documents, each used several times, leave no more than the bound', async () => {
  const token = graph.token();
  const use = async (from: number, count: number) => {
    for (let number = from; number < from + count; number++)
      for (let time = 0; time < 3; time++) {
        const asked = { query: large(number), operationName: `Q0N${number}` };
        const { json } = await graph.app.post('/graphql', asked, { authorization: `Bearer ${token}` });
        expect(json).toEqual({ data: { users: { nodes: expect.any(Array) } } });
      }
  };
  await use(0, 5);
  const before = heapUsed();
  await use(5, 150);
  expect(heapUsed() - before).toBeLessThan(90_000_000);
});
