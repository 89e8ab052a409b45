/** `$orderby`, `$expand` and `$select`: lists of names and paths (docs/contract/administration.md, `options`). */
import { readOptions } from '../../../src/rest/odata/options.js';
import { application, mapping } from './catalogueModel.js';
import { faultsOf } from './faultsOf.js';

const read = (query: string) => readOptions(query, application);
const faults = (query: string) => faultsOf(query, application);

describe('$orderby', () => {
  it('takes properties and to-one paths, ascending unless said', () => {
    expect(read('$orderby=name desc, createdDate,$it/createdByNavigation/firstName ASC').orderBy).toEqual([
      { path: expect.objectContaining({ root: '$it', navigations: [], property: 'name' }), descending: true },
      { path: expect.objectContaining({ property: 'createdDate', type: 'dateTime' }), descending: false },
      {
        path: expect.objectContaining({ navigations: ['createdByNavigation'], property: 'firstName', nullable: true }),
        descending: false,
      },
    ]);
  });

  it.each([
    ['nope', "Unknown property 'nope' at position 0"],
    ['name up', "Unexpected 'up', expected 'asc', 'desc', ',' or the end at position 5"],
    ['name,', 'Ends too early, expected a name at position 5'],
    ['name,createdDate,$it/name desc', "'name' is given more than once at position 17"],
    ['tolower(name)', "Unknown property 'tolower' at position 0"],
    ["'name'", "Unexpected 'name', expected a name at position 0"],
    ['createdByNavigation', "'createdByNavigation' is a record, name a property of it at position 0"],
    [
      'accessScopeApplicationsMappers/state',
      "'accessScopeApplicationsMappers' leads to many records, not to one value at position 0",
    ],
    ['name desc;drop', "Unexpected character ';' at position 9"],
    [
      'createdByNavigation/firstName,createdByNavigation/userId,createdByNavigation/userGuid,name,description,isActive,isIframe,createdDate,modifiedDate,createdBy,modifiedBy',
      'More than 10 keys at position 156',
    ],
  ])('refuses %s', (text, message) => expect(faults(`$orderby=${text}`)).toEqual([`$orderby: ${message}`]));
});

describe('$expand', () => {
  const expand = (text: string) => read(`$expand=${text}`).expand;

  it('is a tree of navigations', () => {
    expect(
      expand(
        'createdByNavigation, accessScopeApplicationsMappers/createdByNavigation,accessScopeApplicationsMappers/accessScope',
      ),
    ).toEqual(
      new Map([
        ['createdByNavigation', new Map()],
        [
          'accessScopeApplicationsMappers',
          new Map([
            ['createdByNavigation', new Map()],
            ['accessScope', new Map()],
          ]),
        ],
      ]),
    );
  });

  it('takes * for all direct navigations', () => {
    expect(expand('*')).toEqual(
      new Map(
        ['createdByNavigation', 'modifiedByNavigation', 'accessScopeApplicationsMappers'].map((name) => [
          name,
          new Map(),
        ]),
      ),
    );
    expect(expand('accessScopeApplicationsMappers/accessScope,*')?.get('accessScopeApplicationsMappers')?.size).toBe(1);
  });

  it('goes down four levels', () => {
    const path = 'accessScopeApplicationsMappers/application/createdByNavigation';
    expect(expand(path)?.size).toBe(1);
    expect(readOptions(`$expand=application/${path}`, mapping).expand?.size).toBe(1);
    expect(faultsOf(`$expand=application/${path}/x`, mapping)).toEqual(['$expand: More than 4 levels at position 75']);
  });

  it.each(['$expand', '$select'])('leads through one list alone: %s', (option) => {
    const path = 'accessScopeApplicationsMappers/application/accessScopeApplicationsMappers';
    expect(faults(`${option}=${path}`)).toEqual([
      `${option}: 'accessScopeApplicationsMappers' is a second list on one path at position 43`,
    ]);
  });

  it.each([
    ['nope', "Unknown property 'nope' at position 0"],
    ['name', "'name' is not a navigation property at position 0"],
    ['__proto__', "Unknown property '__proto__' at position 0"],
    ['createdByNavigation/name', "Unknown property 'name' at position 20"],
    ['createdByNavigation($select=userId)', 'Options inside $expand are not supported at position 19'],
    ['createdByNavigation/$ref', "Unknown property '$ref' at position 20"],
    ['createdByNavigation/*', "Unexpected '*', expected a name at position 20"],
    ['createdByNavigation,', 'Ends too early, expected a name at position 20'],
    ['*/createdByNavigation', "Unexpected '/', expected ',' or the end at position 1"],
  ])('refuses %s', (text, message) => expect(faults(`$expand=${text}`)).toEqual([`$expand: ${message}`]));
});

describe('$select', () => {
  const select = (text: string) => read(`$select=${text}`).select;

  it('is the set of keys', () => {
    expect(select('name,isActive, name')).toEqual(
      new Map([
        ['name', 'all'],
        ['isActive', 'all'],
      ]),
    );
    expect(select('accessScopeApplicationsMappers')).toEqual(new Map([['accessScopeApplicationsMappers', 'all']]));
  });

  it('is all with *', () => {
    expect(select('*')).toBe('all');
    expect(select('name,*')).toBe('all');
  });

  it('goes into navigations, unless they are named whole', () => {
    const inside = new Map([
      ['userId', 'all'],
      ['firstName', 'all'],
    ]);
    expect(select('createdByNavigation/userId,createdByNavigation/firstName')).toEqual(
      new Map([['createdByNavigation', inside]]),
    );
    expect(select('createdByNavigation,createdByNavigation/userId')).toEqual(new Map([['createdByNavigation', 'all']]));
    expect(select('createdByNavigation/userId,createdByNavigation')).toEqual(new Map([['createdByNavigation', 'all']]));
  });

  it.each([
    ['nope', "Unknown property 'nope' at position 0"],
    ['constructor', "Unknown property 'constructor' at position 0"],
    ['name/x', "'name' has no properties at position 0"],
    ['createdByNavigation/nope', "Unknown property 'nope' at position 20"],
    ['name desc', "Unexpected 'desc', expected ',' or the end at position 5"],
    ['createdByNavigation(userId)', 'Options inside $select are not supported at position 19'],
    ['name,,isActive', "Unexpected ',', expected a name at position 5"],
  ])('refuses %s', (text, message) => expect(faults(`$select=${text}`)).toEqual([`$select: ${message}`]));
});
