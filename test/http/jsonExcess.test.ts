/** What is counted in a body's bytes is what its JSON says: brackets and commas in texts are none. */
import fc from 'fast-check';
import { excessOf } from '../../src/http/body.js';

const depthOf = (value: unknown): number =>
  typeof value === 'object' && value !== null ? 1 + Math.max(0, ...Object.values(value).map(depthOf)) : 0;

it('depth is told exactly, whatever texts hold', () => {
  const texts = fc.constantFrom('[[', '\\', '"', '\\"[', '{"', ']}', ',,,', 'ü');
  const values = fc.letrec((tie) => ({
    value: fc.oneof(
      { maxDepth: 5 },
      texts,
      fc.integer(),
      fc.array(tie('value'), { maxLength: 3 }),
      fc.dictionary(texts, tie('value'), { maxKeys: 3 }),
    ),
  })).value;
  fc.assert(
    fc.property(values, (value) => {
      const json = Buffer.from(JSON.stringify(value));
      const depth = depthOf(value);
      expect(excessOf(json, { depthMax: depth, valuesMax: Number.POSITIVE_INFINITY })).toBeUndefined();
      if (depth > 0) expect(excessOf(json, { depthMax: depth - 1, valuesMax: Number.POSITIVE_INFINITY })).toBe('depth');
    }),
  );
});

it.each([
  ['[1,2,3]', 4],
  ['[[],{}]', 5],
  ['{"a,b":"c,d","e":[1,2]}', 5],
])('%s has at most %i values', (text, count) => {
  const json = Buffer.from(text);
  expect(excessOf(json, { depthMax: 9, valuesMax: count })).toBeUndefined();
  expect(excessOf(json, { depthMax: 9, valuesMax: count - 1 })).toBe('values');
});
