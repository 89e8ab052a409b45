/** `$filter`: which filters are refused, where their fault is, and what the caps bound (docs/contract/administration.md, `options`). */
import { readFilter } from '../../../src/rest/odata/filter.js';
import type { OdataModel } from '../../../src/rest/odata/model.js';
import { OptionError } from '../../../src/rest/odata/tokens.js';
import { application, modelOf } from './catalogueModel.js';
import { fastest } from './fastest.js';

const userGuid = '0f8fad5b-d9cb-469f-a165-70867728950e';
const mappers = 'accessScopeApplicationsMappers';

/** A filter and the fault that it is refused with. */
const refused: readonly (readonly [filter: string, message: string])[] = [
  // names
  ["nope eq 'x'", "Unknown property 'nope' at position 0"],
  ["Name eq 'x'", "Unknown property 'Name' at position 0"],
  ['name eq web', "Unknown property 'web' at position 8"],
  ['__proto__ eq null', "Unknown property '__proto__' at position 0"],
  ['constructor/name eq null', "Unknown property 'constructor' at position 0"],
  ['createdByNavigation/toString eq null', "Unknown property 'toString' at position 20"],
  ['createdByNavigation eq null', "'createdByNavigation' is a record, name a property of it at position 0"],
  ['name/length eq 1', "Unexpected '/', expected an operator or the end at position 4"],
  ['createdByNavigation//userId eq 1', "Unexpected '/', expected a name at position 20"],
  ['$it eq null', "'$it' is a record, not a value at position 0"],
  ['$root/name eq null', "Unknown property '$root' at position 0"],
  // types
  ['name eq 5', "Can't compare a string with a number at position 8"],
  ['5 eq name', "Can't compare a number with a string at position 0"],
  ["applicationId eq '1'", "Can't compare a number with a string at position 17"],
  ['applicationId in (1, true)', "Can't compare a number with a boolean at position 21"],
  [`name eq ${userGuid}`, "Can't compare a string with a guid at position 8"],
  ["createdBy eq 'me'", "'me' is not a guid at position 13"],
  ["createdBy in ('me')", "'me' is not a guid at position 14"],
  [`createdBy eq '{${userGuid}'`, `'{${userGuid}' is not a guid at position 13`],
  ["createdDate eq '2024-02-30'", "'2024-02-30' is not a date-time at position 15"],
  ['createdBy eq name', "Can't compare a guid with a string at position 13"],
  ['name', 'Expected a condition, found a string at position 0'],
  ["not name eq 'a'", 'Expected a condition, found a string at position 4'],
  ['isActive and name', 'Expected a condition, found a string at position 13'],
  ['tolower(applicationId) eq null', 'Expected a string, found a number at position 8'],
  ["contains(createdBy,'a')", 'Expected a string, found a guid at position 9'],
  // literals
  ['createdDate gt 2024-13-01', "'2024-13-01' is not a guid, date-time or number at position 15"],
  ['createdDate gt 2023-02-29T00:00:00Z', "'2023-02-29T00:00:00Z' is not a guid, date-time or number at position 15"],
  ['createdDate gt 2024-01-01T24:00:00Z', "'2024-01-01T24:00:00Z' is not a guid, date-time or number at position 15"],
  ['createdDate gt 2024-01-01T00:00:60Z', "'2024-01-01T00:00:60Z' is not a guid, date-time or number at position 15"],
  ['createdDate gt 2024-01-01T00:00:00', "'2024-01-01T00:00:00' is not a guid, date-time or number at position 15"],
  ['createdDate gt 0000-12-31', "'0000-12-31' is not a guid, date-time or number at position 15"],
  [
    'createdDate gt 0001-01-01T00:00:00+01:00',
    "'0001-01-01T00:00:00+01:00' is not a guid, date-time or number at position 15",
  ],
  [
    'createdDate gt 9999-12-31T23:59:59-01:00',
    "'9999-12-31T23:59:59-01:00' is not a guid, date-time or number at position 15",
  ],
  [
    'createdDate gt 2024-01-01T00:00:00+15:00',
    "'2024-01-01T00:00:00+15:00' is not a guid, date-time or number at position 15",
  ],
  ['applicationId eq 1e999', "'1e999' is not a guid, date-time or number at position 17"],
  ['applicationId eq 5L', "'5L' is not a guid, date-time or number at position 17"],
  ['applicationId eq .5', "Unexpected character '.' at position 17"],
  ['applicationId eq 0x10', "'0x10' is not a guid, date-time or number at position 17"],
  ['applicationId eq INF', "Unknown property 'INF' at position 17"],
  ['applicationId eq -applicationId', "'-applicationId' is not a guid, date-time or number at position 17"],
  ["name eq 'x", 'A string without closing quote at position 8'],
  ["name eq 'x''", 'A string without closing quote at position 8'],
  ['name eq "x"', `Unexpected character '"' at position 8`],
  ["name eq 'a\0b'", 'A NUL character at position 10'],
  ["name eq 'a\ud800b'", 'Half of a surrogate pair at position 10'],
  // what OData has and this service hasn't
  ['applicationId add 1 eq 2', "Unexpected 'add', expected an operator or the end at position 14"],
  ['(applicationId mod 2) eq 0', "Unexpected 'mod', expected ')' at position 15"],
  ["indexof(name,'a') eq 1", "The function 'indexof' is not supported at position 0"],
  ['year(createdDate) eq 2024', "The function 'year' is not supported at position 0"],
  [`${mappers}/all(m: true)`, "'all' is not supported, only any(…) at position 31"],
  [`${mappers}/$count gt 1`, "'$count' is not supported, only any(…) at position 31"],
  ['applicationId eq @p', "Unexpected character '@' at position 17"],
  // form
  ["' or 1=1 --", 'A string without closing quote at position 0'],
  ["name eq 'x'; drop table users", "Unexpected character ';' at position 11"],
  ['1=1', "Unexpected character '=' at position 1"],
  ['name eq', 'Ends too early, expected a name, a literal or a function at position 7'],
  ['eq name', "Unknown property 'eq' at position 0"],
  ['isActive isActive', "Unexpected 'isActive', expected an operator or the end at position 9"],
  ['(isActive', "Ends too early, expected ')' at position 9"],
  ['isActive)', "Unexpected ')', expected an operator or the end at position 8"],
  ['()', "Unexpected ')', expected a name, a literal or a function at position 1"],
  ['applicationId in 1', "Unexpected '1', expected '(' at position 17"],
  ['applicationId in (1,)', "Unexpected ')', expected a literal at position 20"],
  ['applicationId in (applicationId)', "Unexpected 'applicationId', expected a literal at position 18"],
  ['contains(name)', "Unexpected ')', expected ',' at position 13"],
  ["contains(name,'a','b')", "Unexpected ',', expected ')' at position 17"],
  ['tolower() eq null', "Unexpected ')', expected a name, a literal or a function at position 8"],
  ['name%20eq%20null', "Unexpected character '%' at position 4"],
  // any
  [mappers, `'${mappers}' leads to many records, any(…) must follow at position 0`],
  [`${mappers}/state eq 'a'`, "'state' is not supported, only any(…) at position 31"],
  [`${mappers}/any(m: m)`, "'m' is a record, not a value at position 38"],
  [`${mappers}/any(m: m/name eq 'a')`, "Unknown property 'name' at position 40"],
  [`${mappers}/any(m: m/state)`, 'Expected a condition, found a string at position 38'],
  [`${mappers}/any(m: true) and m/state eq 'a'`, "Unknown property 'm' at position 48"],
  [`${mappers}/any(m: ${mappers}/any(m: true))`, "The variable 'm' is used already at position 73"],
  [`${mappers}/any($it: true)`, "The variable '$it' is used already at position 35"],
  [`${mappers}/any(m m/state eq 'a')`, "Unexpected 'm', expected ':' at position 37"],
  [`createdByNavigation/any()`, "Unknown property 'any' at position 20"],
  // caps
  [`${'('.repeat(16)}isActive${')'.repeat(16)}`, 'Nested deeper than 15 levels at position 15'],
  [`${'not '.repeat(16)}isActive`, 'Nested deeper than 15 levels at position 60'],
  [`${'trim('.repeat(16)}name${')'.repeat(16)} eq null`, 'Nested deeper than 15 levels at position 75'],
  [`applicationId in (${Array(99).fill(1).join(',')})`, 'More than 100 operators, names and values at position 0'],
  [`applicationId in (${Array(101).fill(1).join(',')})`, 'More than 100 operators, names and values at position 216'],
  [`true${' and true'.repeat(50)}`, 'More than 100 operators, names and values at position 450'],
  [`name eq '${'x'.repeat(8192)}'`, 'Longer than 8192 characters at position 8192'],
];

function faultOf(filter: string): unknown {
  try {
    return readFilter(filter, application);
  } catch (error) {
    if (!(error instanceof OptionError)) throw error;
    return error.message;
  }
}

describe('a filter that means nothing here is refused, and the fault says where', () => {
  it.each(refused)('%s → %s', (filter, message) => expect(faultOf(filter)).toBe(message));
});

describe('the caps', () => {
  it('are reached, not passed, by 15 levels and 100 nodes', () => {
    expect(faultOf(`${'('.repeat(15)}isActive${')'.repeat(15)}`)).toHaveProperty('kind', 'path');
    expect(faultOf(`applicationId in (${Array(98).fill(1).join(',')})`)).toHaveProperty('items.length', 98);
  });

  it('count levels, not parentheses: those beside each other are one level', () => {
    expect(faultOf(Array(24).fill('(not (isActive))').join(' or '))).toHaveProperty('kind', 'or');
  });

  it.each([
    ['parentheses', '('.repeat(100_000)],
    ['closing parentheses', `(${')'.repeat(8000)}`],
    ['not', 'not '.repeat(2000)],
    ['functions', 'tolower('.repeat(1000)],
    ['any', 'accessScopeApplicationsMappers/any(m:'.repeat(200)],
    ['quotes', "'".repeat(8191)],
    ['digits', '1'.repeat(8000)],
    ['commas', `applicationId in (${'1,'.repeat(4000)}`],
    ['a name', 'a'.repeat(8000)],
    ['a path', 'accessScope/'.repeat(600)],
    ['spaces', ' '.repeat(8192)],
  ])('%s without end cost next to nothing', (_, filter) => {
    expect(fastest(() => expect(typeof faultOf(filter)).toBe('string'), 50)).toBeLessThan(50);
  });

  it('hold for paths around a cycle', () => {
    const cycle: OdataModel = modelOf({}, { next: () => cycle });
    expect(() => readFilter(`${'next/'.repeat(600)}x eq 1`, cycle)).toThrow(
      'A path of more than 15 records at position 75',
    );
  });
});

it('any inside any goes two levels deep', () => {
  const nest = (variables: string[]): string =>
    variables.reduceRight((inner, variable, index) => {
      const path = index === 0 ? mappers : `${variables[index - 1]}/application/${mappers}`;
      return `${path}/any(${variable}: ${inner})`;
    }, 'true');
  expect(readFilter(nest(['a', 'b']), application)).toMatchObject({ kind: 'any' });
  expect(() => readFilter(nest(['a', 'b', 'c']), application)).toThrow('More than 2 any(…) inside each other');
});
