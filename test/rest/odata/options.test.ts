/** The options of a query string: where they may stand, how they are decoded, what is ignored (docs/contract/administration.md, `options`). */
import { readOptions } from '../../../src/rest/odata/options.js';
import { OptionErrors } from '../../../src/rest/odata/tokens.js';
import { application, mapping } from './catalogueModel.js';
import { faultsOf } from './faultsOf.js';

const read = (query: string) => readOptions(query, application);
const faults = (query: string) => faultsOf(query, application);
const nothing = { orderBy: [], count: false };
const together = (inner: string) => `options=${encodeURIComponent(inner)}`;

describe('options', () => {
  it('are absent from an empty query', () => {
    expect(read('')).toEqual(nothing);
  });

  it.each([
    '$top=5',
    'top=5',
    '$TOP=5',
    'Top=5',
    '%24top=5',
    '&&$top=5&',
    together('$top=5'),
    together('top=5'),
    'OPTIONS=$Top%3D5',
  ])('are named with or without $, in any case, alone or together: %s', (query) =>
    expect(read(query)).toEqual({ ...nothing, top: 5 }));

  it('stand beside each other', () => {
    const query =
      "$filter=name eq 'x'&$orderby=name&$top=5&$skip=0&$select=name&$expand=createdByNavigation&$count=true";
    const options = read(query);
    expect(options).toMatchObject({ filter: { kind: 'compare' }, top: 5, skip: 0, count: true });
    expect(read(together(query))).toEqual(options);
    expect(read(query.replaceAll('$', ''))).toEqual(options);
  });

  it('stand beside an options parameter whose & was not encoded', () => {
    expect(read('options=$filter=isActive&$top=5')).toEqual(read('$filter=isActive&$top=5'));
  });

  it('may hold an & in a string literal, encoded or inside options', () => {
    const wanted = { filter: { right: { value: 'a&$top=1' } }, top: 5 };
    expect(read("$filter=name eq 'a%26$top=1'&$top=5")).toMatchObject(wanted);
    expect(read(together("$filter=name eq 'a&$top=1'&$top=5"))).toMatchObject(wanted);
    expect(read(together("$filter=name eq 'it''s a&b'&$top=5"))).toMatchObject({ top: 5 });
    expect(faults("$filter=name eq 'a&b'")).toEqual(['$filter: A string without closing quote at position 8']);
  });

  it('are percent-decoded once', () => {
    expect(read("$filter=name+eq+'%2525%2B+'")).toMatchObject({ filter: { right: { value: '%25+ ' } } });
    expect(read("$filter=name eq '%C3%A4😀'")).toMatchObject({ filter: { right: { value: 'ä😀' } } });
    expect(read(together("$filter=name eq '%41'"))).toMatchObject({ filter: { right: { value: '%41' } } });
    expect(faults("$filter=name%2520eq%2520'a'")).toEqual(["$filter: Unexpected character '%' at position 4"]);
    expect(faults('$filter=name eq %2527a%2527')).toEqual(["$filter: Unexpected character '%' at position 8"]);
  });

  it.each([
    ['%2524top=5', '$top'],
    ['%2566ilter=x', '$filter'],
    ['options=%2524top%253D4', 'options'],
    ['options=%253F%2524top%253D4', 'options'],
    ['options=top%253D4%2526skip%253D1', 'options'],
  ])('encoded twice are refused, never ignored: %s', (query, option) =>
    expect(faults(query)).toEqual([`${option}: The percent-encoding is applied twice`]));

  it.each([
    '?$top=5',
    '?top=5',
    'options=?$top=5',
    'options=%3F%24top%3D5',
    together(' ?$top=5'),
    '?options=?$top=5',
  ])('may have a ? before them: %s', (query) => expect(read(query)).toEqual({ ...nothing, top: 5 }));

  it.each([
    '$filter=%',
    '$filter=%zz',
    '$filter=%C3',
    '$filter=%ED%A0%80',
    'filter=%E0%80%AF',
  ])('are refused when malformed in their encoding: %s', (query) =>
    expect(faults(query)).toEqual(['$filter: The percent-encoding is malformed']));

  it('are refused inside options of malformed encoding, but junk stays junk', () => {
    expect(faults('options=%24top%3D5%26%24filter%3D%zz')).toEqual(['options: The percent-encoding is malformed']);
    expect(read('options=%zz')).toEqual(nothing);
  });

  it.each([
    'options=',
    'options',
    'options=[object Object]',
    'options=%7B%22filter%22%3A%22x%22%7D',
    'options=undefined',
    'options=top',
    'options=api-version%3D1.0',
    'options[filter]=x',
    'options=&options=junk',
    'api-version=1.0',
    'search=x&apply=y&skiptoken=z&compute=1',
    '$format=json&$foo=1&foo=%zz&%zz=1&=5',
    '$filterx=1&$$top=1&__proto__=1&toString=1',
    's\u212Aip=-1',
  ])('are not what else stands in a query: %s', (query) => expect(read(query)).toEqual(nothing));

  it('ignore the rest of an options parameter', () => {
    expect(read(together('foo=1&$top=5&search=x&bar'))).toEqual({ ...nothing, top: 5 });
    expect(read(together(`note=it's&$top=5`))).toEqual({ ...nothing, top: 5 });
  });

  it.each([
    ['$apply=x', '$apply'],
    ['$COMPUTE=x', '$compute'],
    ['%24search=x', '$search'],
    [together('$skiptoken=x'), '$skiptoken'],
    ['$search', '$search'],
  ])('of OData that are not served are refused: %s', (query, option) =>
    expect(faults(query)).toEqual([`${option}: This option is not supported`]));

  it.each([
    ['$top=5&$top=5', '$top'],
    ['$top=5&top=6', '$top'],
    ['TOP=5&%24top=6', '$top'],
    [`$top=5&${together('top=5')}`, '$top'],
    [together('$top=5&$top=5'), '$top'],
    ['options=$top=5&options=$skip=5', 'options'],
  ])('are given once: %s', (query, option) => expect(faults(query)).toEqual([`${option}: Given more than once`]));

  it.each([
    '$filter',
    'filter=',
    '$filter=%20',
    together('$filter='),
    together('$filter'),
  ])('are not empty: %s', (query) => expect(faults(query)).toEqual(['$filter: Empty']));

  it('tell all their faults at once, each by its canonical name and place', () => {
    expect(faults('top=-1&COUNT=yes&$filter=nope&skip=1&$search=x')).toEqual([
      '$top: Expected a whole number in digits, 0 or more at position 0',
      "$count: Expected 'true' or 'false' at position 0",
      "$filter: Unknown property 'nope' at position 0",
      '$search: This option is not supported',
    ]);
    expect(() => read('$top=x&$skip=y')).toThrow(OptionErrors);
  });

  it('count positions in the decoded value, in UTF-16 code units', () => {
    expect(faults(together("$top=5&$filter=name eq '%F0😀' and nope"))).toEqual([
      "$filter: Unknown property 'nope' at position 20",
    ]);
    expect(faults("$filter=name%20eq%20'%F0%9F%98%80'%20and%20nope")).toEqual([
      "$filter: Unknown property 'nope' at position 17",
    ]);
  });
});

describe('$top and $skip', () => {
  it.each([
    ['0', 0],
    ['007', 7],
    // inside `options` they stand around the `&`
    ['%205%20', 5],
    ['+5', 5],
    ['2147483647', 2147483647],
  ])('are plain digits: %s', (text, rows) =>
    expect(read(`$top=${text}&$skip=${text}`)).toEqual({ ...nothing, top: rows, skip: rows }));

  it.each([
    '-1',
    '%2B1',
    '1e9',
    '5.0',
    '0x1',
    '2147483648',
    '9'.repeat(500),
    '٣',
    '1 2',
    'null',
    "'1'",
  ])('are nothing else: %s', (text) => {
    expect(faults(`$top=${text}`)).toHaveLength(1);
    expect(faults(`$skip=${text}`)[0]).toMatch(/^\$skip: .* at position \d+$/);
  });
});

describe('$count', () => {
  it('may have space around it', () => expect(read('$count= true ')).toEqual({ ...nothing, count: true }));
  it.each(['True', '1', 'yes', 'tr ue', 'null'])('is true or false: %s', (text) =>
    expect(faults(`$count=${text}`)).toHaveLength(1));
  it('is off when false', () => expect(read('$count=false')).toEqual(nothing));
});

it('each record is read by its own model', () => {
  expect(readOptions("$filter=accessScope/name eq 'x' and application/isActive", mapping)).toMatchObject({
    filter: { kind: 'and' },
  });
  expect(faultsOf('$filter=isActive', mapping)).toEqual(["$filter: Unknown property 'isActive' at position 0"]);
  expect(faultsOf('$filter=hasOwnProperty', mapping)).toEqual([
    "$filter: Unknown property 'hasOwnProperty' at position 0",
  ]);
});
