/** Where a text stops being JSON, told exactly when JSON.parse refuses it; and where JSON.parse would drop something unseen. */
import fc from 'fast-check';
import { findJsonFault, findRepeatedName } from '../../src/config/jsonFault.js';

it.each([
  ['{"a": 1,}', 'line 1, column 9: a name in double quotes is expected'],
  ['{"a" 1}', 'line 1, column 6: a colon is expected'],
  ['[1 2]', 'line 1, column 4: a comma or ] is expected'],
  ['[1,\n 01]', 'line 2, column 2: a value is expected'],
  ["{'a': 1}", 'line 1, column 2: a name in double quotes or } is expected'],
  ['{"a": tru}', 'line 1, column 7: a value is expected'],
  ['{"a": "x\ny"}', 'line 1, column 7: a value is expected'],
  ['{} {}', 'line 1, column 4: the end is expected'],
  ['[[1]', 'line 1, column 5: a comma or ] is expected, but it ends here'],
  ['{"a": 1]', 'line 1, column 8: a comma or } is expected'],
])('%j', (text, fault) => {
  expect(findJsonFault(text)).toBe(fault);
});

const isJson = (text: string): boolean => {
  try {
    JSON.parse(text);
    return true;
  } catch {
    return false;
  }
};

it('agrees with JSON.parse on anything', () => {
  const pieces = fc.constantFrom(...'{}[],:" \n-1.e+0a\\', 'true', 'null', '"x"', '"\\u00e9"', '12', '\u0001');
  fc.assert(
    fc.property(fc.array(pieces, { maxLength: 12 }), (parts) => {
      const text = parts.join('');
      expect([text, findJsonFault(text) === undefined]).toEqual([text, isJson(text)]);
    }),
    { numRuns: 5_000 },
  );
  fc.assert(
    fc.property(fc.json(), (text) => {
      expect(findJsonFault(text)).toBeUndefined();
    }),
  );
});

it('long and deep texts are no trouble', () => {
  expect(findJsonFault(`["${'x'.repeat(20_000_000)}"`)).toContain('column 20000004');
  expect(findJsonFault('['.repeat(1_000_000))).toContain('column 1000001');
});

it.each([
  ['{"roles": [], "profiles": [],\n "roles": []}', 'line 2, column 2: "roles" appears twice in this object'],
  ['{"a": [{"b": 1, "c": {"b": 2}, "b": 3}]}', 'line 1, column 32: "b" appears twice in this object'],
  ['{"a\\"": "\\\\", "\\u0061\\"": 1}', 'line 1, column 15: "a\\"" appears twice in this object'],
  ['{"a": {}, "b": [], "a": 1}', 'line 1, column 20: "a" appears twice in this object'],
])('a name that an object has twice is told with its place: %s', (text, fault) => {
  expect(findRepeatedName(text)).toBe(fault);
});

it('what an object has once is no repetition, whatever texts, arrays and other objects have', () => {
  const texts = [
    '[{"a": "a", "b": "a"}, {"a": ["a", "a"]}, "a", "a"]',
    '"{\\"a\\":1,\\"a\\":2}"',
    '{"__proto__": 1}',
    '[[], 1]',
  ];
  for (const text of texts) expect([text, findRepeatedName(text)]).toEqual([text, undefined]);
  fc.assert(
    fc.property(fc.json(), (text) => {
      expect(findRepeatedName(text)).toBeUndefined();
    }),
  );
});
