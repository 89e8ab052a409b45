/** `$filter`: which rows a filter keeps (docs/contract/administration.md, `options`; OData 4.01 part 2 §5.1.1). */
import { readFilter } from '../../../src/rest/odata/filter.js';
import { application } from './catalogueModel.js';
import { evaluate, type Plain } from './evaluate.js';

const userGuid = '0f8fad5b-d9cb-469f-a165-70867728950e';

const scope = (name: string, isWildcard = false): Plain => ({ accessScopeId: name.length, name, isWildcard });
const anna: Plain = { userId: 7, userGuid: userGuid, firstName: 'Anna' };

const a: Plain = {
  applicationId: 1,
  applicationGuid: '11111111-2222-4333-8444-aaaaaaaaaaaa',
  name: 'Ärger & Co',
  description: null,
  isActive: true,
  isIframe: null,
  createdDate: '2024-02-29T12:00:00.123Z',
  modifiedDate: null,
  createdBy: userGuid,
  modifiedBy: null,
  createdByNavigation: anna,
  modifiedByNavigation: null,
  accessScopeApplicationsMappers: [
    { accessScopeApplicationsMapperId: 1, state: 'active', accessScope: scope('x') },
    { accessScopeApplicationsMapperId: 2, state: 'blocked', accessScope: scope('yy', true) },
  ],
};
const b: Plain = {
  applicationId: 2,
  applicationGuid: '11111111-2222-4333-8444-bbbbbbbbbbbb',
  name: "O'Hara 100%",
  description: '  \u{1f600}  ',
  isActive: false,
  isIframe: false,
  createdDate: '2024-03-01T00:00:00.000Z',
  modifiedDate: '2024-03-02T00:00:00.000Z',
  createdBy: userGuid,
  modifiedBy: userGuid,
  createdByNavigation: null,
  modifiedByNavigation: anna,
  accessScopeApplicationsMappers: [],
};
(a.accessScopeApplicationsMappers as { application?: Plain }[])[0]!.application = b;

const mappers = 'accessScopeApplicationsMappers';

/** A filter and the names of the rows that it keeps. */
const kept: readonly (readonly [filter: string, rows: string])[] = [
  // comparisons
  ["name eq 'Ärger & Co'", 'a'],
  ["name ne 'Ärger & Co'", 'b'],
  ["'Ärger & Co' eq name", 'a'],
  ["name eq 'O''Hara 100%'", 'b'],
  ["name eq ''' or 1=1 --'", ''],
  ['applicationId eq 1', 'a'],
  ['applicationId gt 1', 'b'],
  ['applicationId ge 1', 'ab'],
  ['applicationId lt -1', ''],
  ['applicationId le 1.5', 'a'],
  ['applicationId eq 1e0', 'a'],
  ['applicationId eq +2.00', 'b'],
  ['applicationId lt 1e308', 'ab'],
  ['applicationId gt 99999999999999999999999999', ''],
  ['applicationId eq 1e-100000', ''],
  ["name gt 'P'", 'a'],
  ["description lt '\uff5e'", 'b'],
  ["'\u{1f600}' gt '\uff5e'", 'ab'],
  ['1 eq 1', 'ab'],
  ['applicationId eq 9 or true', 'ab'],
  // null
  ['description eq null', 'a'],
  ['null ne description', 'b'],
  ["description ne 'x'", 'ab'],
  ['description gt null', ''],
  ['modifiedDate ge null', 'a'],
  ['null eq null', 'ab'],
  ['null', ''],
  ['not null', ''],
  ["contains(description,'x') or true", 'ab'],
  ["not contains(description,'x')", 'b'],
  ['length(description) eq null', 'a'],
  ['not isIframe', 'b'],
  ['isIframe eq null', 'a'],
  ['not (isIframe eq true)', 'ab'],
  ['isIframe ne false', 'a'],
  // booleans, precedence
  ['isActive', 'a'],
  ['not isActive', 'b'],
  ['not isActive eq true', 'b'],
  ['not not isActive', 'a'],
  ['isActive eq (applicationId eq 1)', 'ab'],
  ['applicationId gt 1 eq isActive', ''],
  ['applicationId eq 1 eq true', 'a'],
  ['isActive gt false', 'a'],
  ['isActive or isActive and false', 'a'],
  ['(isActive or true) and false', ''],
  ['true or false and false', 'ab'],
  ['true', 'ab'],
  ['NOT isActive AND isIframe eq null', ''],
  ["applicationId EQ 1 Or CONTAINS(name,'100')", 'ab'],
  // in
  ['applicationId in (1,3)', 'a'],
  ['applicationId in (2.0 , 3)', 'b'],
  ['applicationId in ()', ''],
  ["description in ('x', null)", 'a'],
  ['not applicationId in (1)', 'b'],
  [`createdBy in ('${userGuid.toUpperCase()}')`, 'ab'],
  ['isActive in (true)', 'a'],
  // functions
  ["contains(name,' & ')", 'a'],
  ["startswith(name,'O''')", 'b'],
  ["endswith(name,'%')", 'b'],
  ["contains(name,'_')", ''],
  ["contains(tolower(name),'ärger')", 'a'],
  ["toupper(name) eq 'ÄRGER & CO'", 'a'],
  ['length(trim(description)) eq 1', 'b'],
  ["contains(name,'') eq true", 'ab'],
  ["contains( name , 'a' ) and ( isActive )", ''],
  // guids
  ['applicationGuid eq 11111111-2222-4333-8444-AAAAAAAAAAAA', 'a'],
  ["applicationGuid eq '11111111-2222-4333-8444-aaaaAAAAaaaa'", 'a'],
  ["applicationGuid eq '{11111111-2222-4333-8444-bbbbbbbbbbbb}'", 'b'],
  [`${userGuid} eq modifiedBy`, 'b'],
  [`createdBy eq modifiedBy`, 'b'],
  // date-times
  ['createdDate eq 2024-02-29T12:00:00.123Z', 'a'],
  ['createdDate eq 2024-02-29T14:00:00.123+02:00', 'a'],
  ['createdDate eq 2024-02-29t12:00:00.1230000z', 'a'],
  ['createdDate eq 2024-02-29T12:00:00.1230001Z', ''],
  ['createdDate lt 2024-02-29T12:00:00.1230001Z', 'a'],
  ["createdDate eq '2024-03-01'", 'b'],
  ['createdDate ge 2024-03-01', 'b'],
  ['createdDate gt 2024-02-29T12:00Z', 'ab'],
  ['createdDate gt 0001-01-01', 'ab'],
  ['modifiedDate gt createdDate', 'b'],
  // paths
  ["createdByNavigation/firstName eq 'Anna'", 'a'],
  ['createdByNavigation/firstName eq null', 'b'],
  ['$it/isActive', 'a'],
  ["createdByNavigation/firstName eq 'Anna' or modifiedByNavigation/userId eq 7", 'ab'],
  // any
  [`${mappers}/any()`, 'a'],
  [`not ${mappers}/any()`, 'b'],
  [`${mappers}/any(m: m/state eq 'active' and m/accessScope/name eq 'x')`, 'a'],
  [`${mappers}/any(m:m/state eq 'active' and m/accessScope/name eq 'yy')`, ''],
  [`${mappers}/any(m: m/accessScope/isWildcard)`, 'a'],
  [`${mappers}/any(m: m/accessScope/accessScopeId eq applicationId)`, 'a'],
  [`${mappers}/any(m: m/accessScope/accessScopeId gt $it/applicationId)`, 'a'],
  [`${mappers}/any(name: name/state eq 'active' and $it/name ne null)`, 'a'],
  [`${mappers}/any(m: m/application/${mappers}/any())`, ''],
  [`${mappers}/any(m: ${mappers}/any(n: n/state ne m/state))`, 'a'],
  [`${mappers}/any(m: m/state eq 'a') or ${mappers}/any(m: m/state eq 'blocked')`, 'a'],
  [`$it/${mappers}/ANY(m: not m/accessScope/isWildcard)`, 'a'],
];

function rowsKept(filter: string): string {
  const expression = readFilter(filter, application);
  return (evaluate(expression, a) ? 'a' : '') + (evaluate(expression, b) ? 'b' : '');
}

describe('a filter keeps the rows for which it is true', () => {
  it.each(kept)('%s → %s', (filter, rows) => expect(rowsKept(filter)).toBe(rows));
});

it('a date-time keeps every digit: milliseconds in UTC and what is finer', () => {
  expect(readFilter('createdDate eq 2024-01-01T00:30:00.123456700+01:00', application)).toMatchObject({
    right: { type: 'dateTime', value: '2023-12-31T23:30:00.123Z', finer: '4567' },
  });
});

it('a number keeps its text', () => {
  expect(readFilter('applicationId eq -1.50E+3', application)).toMatchObject({
    right: { value: -1500, text: '-1.50E+3' },
  });
});
