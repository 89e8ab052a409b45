/** A member that stands twice in JSON is found wherever it is and however it is spelled, and nothing else is taken for one. */
import fc from 'fast-check';
import { hasRepeatedMember } from '../../src/http/body.js';

const isFound = (text: string): boolean => hasRepeatedMember(text, JSON.parse(text));
const space = fc.constantFrom(undefined, 1, '\t', ' \t');

it('JSON whose members each stand once has none, whatever its texts hold', () => {
  const texts = fc.string({ unit: fc.constantFrom('"', '\\', ':', '{', ',', 'é', '\n', 'a') });
  const values = fc.letrec((tie) => ({
    value: fc.oneof({ maxDepth: 5 }, texts, fc.integer(), tie('list'), tie('record')),
    list: fc.array(tie('value'), { maxLength: 5 }),
    record: fc.dictionary(texts, tie('value'), { maxKeys: 5 }),
  })).value;
  fc.assert(fc.property(values, space, (value, indent) => !isFound(JSON.stringify(value, null, indent))));
});

it('a member that stands twice is found, at any depth', () => {
  const property = fc.property(fc.jsonValue(), fc.string(), fc.jsonValue(), fc.nat(5), (around, name, value, depth) => {
    const member = `${JSON.stringify(name)} : ${JSON.stringify(value)}`;
    let text = `{${member},"${name.length}other":${JSON.stringify(around)},${member}}`;
    for (let level = 0; level < depth; level++) text = level % 2 ? `[1,${text}]` : `{"level":${text}}`;
    expect(isFound(text)).toBe(true);
  });
  fc.assert(property);
});

it.each([
  ['{"a":1,"a":1}', true],
  ['{"a":1,"\\u0061":2}', true],
  ['{"__proto__":1,"__proto__":2}', true],
  ['{"a\\\\":1,"a\\\\":1}', true],
  ['[{"a":1},{"a":1}]', false],
  ['{"a":{"a":{"a":null}}}', false],
  ['{"a\\"":1,"a":1}', false],
  ['"a:b"', false],
  ['{"1":1,"1.0":1}', false],
])('%s: %s', (text, expected) => expect(isFound(text)).toBe(expected));

it('a repeated member is found in a deep body in time that grows only with the length of the body', () => {
  const deep = `${'['.repeat(30_000)}{"a":1,"a":2}${']'.repeat(30_000)}`;
  expect(isFound(deep)).toBe(true);
  expect(isFound(JSON.stringify({ a: '\\"'.repeat(1_000_000) }))).toBe(false);
});
