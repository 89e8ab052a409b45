/** Inputs by the descriptions: what a create and an update take of each record, and how values arrive. */
import { allRecords } from '../../src/entities/all.js';
import { Profile } from '../../src/entities/Profile.js';
import { Review } from '../../src/entities/Review.js';
import { Role } from '../../src/entities/Role.js';
import { User } from '../../src/entities/User.js';
import {
  checkInput,
  checkItems,
  findProblem,
  inputFields,
  keyField,
  requireGuids,
  requireInput,
} from '../../src/services/records/input.js';

it('the fields of every record that a create and an update take', () => {
  const names = (record: (typeof allRecords)[number], mode: 'create' | 'update') =>
    inputFields(record, { mode })
      .map(({ name, required, nullable }) => `${name}${required ? '!' : ''}${nullable ? '?' : ''}`)
      .join(' ');
  const takes = allRecords
    .map((record) => [record.name, { create: names(record, 'create'), update: names(record, 'update') }] as const)
    .filter(([, { create, update }]) => create || update);
  expect(Object.fromEntries(takes)).toMatchSnapshot();
});

it('values arrive as they are stored: guids plain, date-times as Date, absent ones absent', () => {
  const fields = inputFields(User, { mode: 'create' });
  const input = {
    invitedBy: '{3F2504E0-4F89-41D3-9A0C-0305E82C3301}',
    invitationDate: '2026-01-31T12:00:00+01:00',
    anbacceptanceDate: new Date(5),
    statusId: -2147483648,
    title: undefined,
    lastName: null,
  };
  expect(requireInput(fields, input)).toStrictEqual({
    invitedBy: '3f2504e0-4f89-41d3-9a0c-0305e82c3301',
    invitationDate: new Date('2026-01-31T11:00:00Z'),
    anbacceptanceDate: new Date(5),
    statusId: -2147483648,
    lastName: null,
  });
});

it.each([
  [{ statusId: 2147483648 }, 'statusId'],
  [{ statusId: 1.5 }, 'statusId'],
  [{ statusId: '1' }, 'statusId'],
  [{ invitedBy: 'x' }, 'invitedBy'],
  [{ invitationDate: '2026-02-30T00:00:00Z' }, 'invitationDate'],
  [{ invitationDate: 'x' }, 'invitationDate'],
  [{ isBlocked: 'true' }, 'isBlocked'],
  [{ isBlocked: null }, 'isBlocked'],
  [{ uipreferences: '\0' }, 'uipreferences'],
  [{ uipreferences: '\udfff' }, 'uipreferences'],
  [{ userId: 1 }, 'userId'],
])('%j is a problem of %s', (input, name) => {
  const { problems } = checkInput(inputFields(User, { mode: 'update' }), input, 'users[3]');
  expect(Object.keys(problems ?? {})).toEqual([`users[3].${name}`]);
});

const turning = ['\u202A', '\u202B', '\u202C', '\u202D', '\u202E', '\u2066', '\u2067', '\u2068', '\u2069'];

it('no new text has characters that turn the direction of the text after them', () => {
  const problemOf = (record: typeof User | typeof Role, input: object) =>
    Object.values(checkInput(inputFields(record, { mode: 'update' }), input).problems ?? {}).flat();
  for (const character of turning) {
    expect(problemOf(Role, { name: `crew ${character}rotarepO` })).toEqual([
      'The name field must not contain characters that turn the direction of the text after them.',
    ]);
    expect(problemOf(User, { title: character, firstName: character })).toHaveLength(2);
    expect(findProblem(Review, 'name', character)).toBeDefined();
  }
  for (const name of ['שלום', 'مرحبا', 'a\u200Eb\u200F', '👩\u200D💻', '❤\uFE0F', 'می\u200Cخواهم'])
    expect(problemOf(Role, { name })).toEqual([]);
  // whose values are no names
  expect(problemOf(User, { uipreferences: '\u202E' })).toEqual([]);
});

it.each([
  '',
  ' ',
  'Engineering ',
  ' Engineering',
  '\u3000Engineering',
  'Engineering\u00A0',
  'Engi\u200Bneering',
  'Engi\u200Dneering',
  'Engineering\uFE0F',
  'Engi\u00ADneering',
  'Engi\u2060neering',
  'Engi\uFEFFneering',
  'Engi\u202Eneering',
  'Engi\u200Fneering',
  'Engi\u0007neering',
  'Engi\nneering',
  'Engi\u2028neering',
])('no new externalGroup is %j', (externalGroup) => {
  expect(Object.keys(checkInput(inputFields(Profile, { mode: 'update' }), { externalGroup }).problems ?? {})).toEqual([
    'externalGroup',
  ]);
});

it.each([
  'Engineering',
  'Sales  Team (EMEA)',
  'שלום',
  '👩\u200D💻 Team',
  '❤\uFE0F',
  '1\uFE0F\u20E3',
  'می\u200Cخواهم',
  'क्\u200Dष',
  '张三',
])('an externalGroup may be %s', (externalGroup) => {
  expect(checkInput(inputFields(Profile, { mode: 'update' }), { externalGroup }).problems).toBeUndefined();
});

it('a key is given once, at the creation', () => {
  expect(Object.keys(checkInput(inputFields(Role, { mode: 'create' }), {}).problems ?? {})).toEqual(['roleId', 'name']);
  expect(Object.keys(checkInput(inputFields(Role, { mode: 'update' }), { roleId: 'x' }).problems ?? {})).toEqual([
    'roleId',
  ]);
});

it('items keep their places, and share no key even where they have other faults', () => {
  const fields = [keyField(User, 'userGuid'), ...inputFields(User, { mode: 'update' })];
  const userGuid = '3f2504e0-4f89-41d3-9a0c-0305e82c3301';
  const { values, problems } = checkItems(
    fields,
    [{ userGuid, title: 5 }, { userGuid: userGuid.toUpperCase(), title: 'x' }, null],
    'userGuid',
  );
  expect(Object.keys(problems ?? {})).toEqual(['[0].title', '[1].userGuid', '[2]']);
  expect(values).toEqual([{ userGuid }, { userGuid, title: 'x' }, {}]);
});

it('a property named __proto__ is a property like any other', () => {
  const { problems } = checkInput(inputFields(Role, { mode: 'update' }), JSON.parse('{"__proto__": {}}'));
  expect(Object.keys(problems ?? {})).toEqual(['__proto__']);
});

it('guids are told together with what else is wrong', () => {
  expect(requireGuids({ a: '{3F2504E0-4F89-41D3-9A0C-0305E82C3301}' })).toEqual({
    a: '3f2504e0-4f89-41d3-9a0c-0305e82c3301',
  });
  const problems = (() => {
    try {
      requireGuids({ a: 'x', b: undefined }, { $top: ['y'] });
    } catch (error) {
      return (error as { more: { problems: object } }).more.problems;
    }
  })();
  expect(Object.keys(problems!)).toEqual(['a', 'b', '$top']);
});
