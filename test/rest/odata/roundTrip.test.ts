/** What is written reads back as the same tree, through the URL too, and nothing that anybody writes breaks the parser. */
import fc from 'fast-check';
import { readFilter } from '../../../src/rest/odata/filter.js';
import { readOptions } from '../../../src/rest/odata/options.js';
import { OptionErrors } from '../../../src/rest/odata/tokens.js';
import { arbitraryFilter, nodesOf } from './arbitraryFilter.js';
import { application } from './catalogueModel.js';
import { fastest } from './fastest.js';
import { write } from './write.js';

const filters = arbitraryFilter().filter((filter) => nodesOf(filter) <= 100);

it('a filter written with all parentheses, or with as few as can be, reads as itself', () => {
  fc.assert(
    fc.property(filters, fc.constantFrom('all' as const, 'few' as const), (filter, parentheses) => {
      expect(readFilter(write(filter, parentheses), application)).toEqual(filter);
    }),
    { numRuns: 2000 },
  );
});

it('a filter in a URL reads as itself: as a parameter, inside options, with %20 or with +', () => {
  fc.assert(
    fc.property(filters, (filter) => {
      const text = write(filter, 'few');
      const queries = [
        `$filter=${encodeURIComponent(text)}`,
        new URLSearchParams({ $filter: text, 'api-version': '1.0' }).toString(),
        `options=${encodeURIComponent(`$top=1&$filter=${text}&$skip=1`)}`,
        new URLSearchParams({ options: `filter=${text}&top=1` }).toString(),
      ];
      for (const query of queries) expect(readOptions(query, application).filter).toEqual(filter);
    }),
    { numRuns: 500 },
  );
});

it('any text at all is read or refused by name, in little time', () => {
  const names = fc.constantFrom(
    '$filter',
    'orderby',
    '$select',
    '$expand',
    '$top',
    '$count',
    'options',
    'options=$filter',
  );
  const piece = fc.constantFrom(
    '(',
    ')',
    "'",
    "''",
    ',',
    '/',
    ':',
    '*',
    ' ',
    '&',
    '%',
    '%27',
    '%2527',
    '+',
    '=',
    '$it',
    'name',
    'accessScopeApplicationsMappers',
    'any',
    'm',
    'eq',
    'in',
    'not',
    'and',
    '5',
    '-1e9',
    '2024-01-01',
    'null',
    '\0',
    '\ud800',
  );
  const texts = fc.oneof(
    fc.string({ unit: 'binary' }),
    fc.array(piece, { maxLength: 40 }).map((pieces) => pieces.join('')),
  );
  fc.assert(
    fc.property(names, texts, (name, text) => {
      for (const query of [`${name}=${text}`, text]) readOrRefuse(query);
    }),
    { numRuns: 3000 },
  );
});

it('a filter with one character lost or added is read or refused by name', () => {
  fc.assert(
    fc.property(filters, fc.nat(), fc.constantFrom('', "'", '(', ')', ' ', '&', '-'), (filter, place, character) => {
      const text = write(filter, 'few');
      const at = place % text.length;
      const changed = text.slice(0, at) + character + text.slice(at + (character === '' ? 1 : 0));
      readOrRefuse(`$filter=${encodeURIComponent(Buffer.from(changed).toString())}`);
    }),
    { numRuns: 2000 },
  );
});

function readOrRefuse(query: string): void {
  expect(fastest(() => readOrTell(query), 100)).toBeLessThan(100);
}

function readOrTell(query: string): void {
  try {
    readOptions(query, application);
  } catch (error) {
    if (!(error instanceof OptionErrors)) throw error;
    for (const { option, message } of error.errors) expect(`${option} ${message}`).toMatch(/^(\$[a-z]+|options) \S/);
  }
}
