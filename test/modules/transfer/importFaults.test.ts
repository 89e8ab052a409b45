/** What an import refuses: each bad value is named by its path, all of them together, and nothing is written. */
import { randomUUID } from 'node:crypto';
import { importFile } from '../../../src/modules/transfer/importFile.js';
import { reservedTypeGuid } from '../../../src/services/adminScopes/guard.js';
import { startTestApp, type TestApp } from '../../support/app.js';

let app: TestApp;
const guid = randomUUID();
const known = { type: randomUUID(), scope: randomUUID(), user: randomUUID(), application: randomUUID() };
const application = {
  name: 'A',
  iconDefault: 'i',
  iconHover: 'h',
  appType: 'web',
  renderingMode: 'page',
  linkType: 'internal',
};

beforeAll(async () => {
  app = await startTestApp();
  await importFile(app.context, {
    roles: [{ roleId: 'role', name: 'Role' }],
    users: [{ userGuid: known.user, userId: 500, idpname: 'idp', idpid: 'ada' }],
    accessScopeTypes: [{ accessScopeTypeGuid: known.type, name: 'known' }],
    accessScopes: [{ accessScopeGuid: known.scope, accessScopeTypeGuid: known.type, name: 'Known' }],
    profiles: [{ profileId: 'profile', name: 'Profile' }],
    applications: [{ applicationGuid: known.application, ...application }],
    clients: [{ clientId: 'known', name: 'Known', clientSecret: 'secret' }],
  });
});
afterAll(() => app?.close());

async function problemsOf(file: unknown): Promise<Record<string, string[]>> {
  const error = await importFile(app.context, file).then(
    () => undefined,
    (thrown) => thrown,
  );
  if (error && !error.more) throw error;
  return error?.more.problems ?? {};
}
const pathsOf = async (file: unknown) => Object.keys(await problemsOf(file));
const counts = () =>
  app.context.sql.rows(
    `select (select count(*) from users) users, (select count(*) from roles) roles, (select count(*) from clients) clients,
     (select count(*) from audit_events) events, (select version from catalogue_version) version`,
  );

describe('a name by which SCIM finds a user or a group, and that another record has, is named by its place', () => {
  const user = (userName: string) => ({ userGuid: randomUUID(), idpname: 'Names', idpid: randomUUID(), userName });
  const profile = (externalGroup: string) => ({ profileId: randomUUID(), name: 'P', externalGroup });
  const lists = { users: ['userName', user], profiles: ['externalGroup', profile] } as const;

  it.each(Object.entries(lists))('in %s', async (list, [property, make]) => {
    const other = make('other');
    await importFile(app.context, { [list]: [make('Zo\u00EB, (1)=2'), other] });
    const taken = { [`${list}[1].${property}`]: ["is another record's in the database"] };
    for (const name of ['Zo\u00EB, (1)=2', 'zo\u00EB, (1)=2', 'zoe\u0308, (1)=2']) {
      expect(await problemsOf({ [list]: [make('free'), make(name)] })).toEqual(taken);
      expect(await problemsOf({ [list]: [make('free'), { ...other, [property]: name }] })).toEqual(taken);
    }
    expect(await problemsOf({ [list]: [make('\uFF46ree'), make('else'), make('Free')] })).toEqual({
      [`${list}[2].${property}`]: [`is the same as in ${list}[0]`],
    });
  });
});

it('what is unique moves from record to record, whatever the order of their rows', async () => {
  const guids = [randomUUID(), randomUUID(), randomUUID()];
  const profiles = (...groups: (string | null)[]) =>
    groups.map((externalGroup, n) => ({ profileId: guids[n]!, name: 'P', externalGroup }));
  const users = (...names: (string | null)[]) =>
    names.map((name, n) => ({ userGuid: guids[n]!, idpname: 'Moves', idpid: `${n}`, userName: name }));
  const ids = (...names: string[]) => names.map((idpid, n) => ({ userGuid: guids[n]!, idpid }));
  const types = (...names: string[]) => names.map((name, n) => ({ accessScopeTypeGuid: guids[n]!, name }));
  for (const [list, before, after] of [
    ['profiles', profiles('Moved', null, null), profiles(null, 'MOVED', null)],
    ['profiles', profiles('one', 'two', 'three'), profiles('Two', 'Three', 'four')],
    ['users', users('Moved', null, null), users(null, null, 'moved')],
    ['users', users('one', 'two', 'three'), users('TWO', 'THREE', 'four')],
    ['users', ids('one', 'two', 'three'), ids('two', 'three', 'four')],
    ['accessScopeTypes', types('move-1', 'move-2', 'move-3'), types('move-2', 'move-3', 'move-4')],
    ['profiles', profiles('one', 'two', 'three'), profiles('THREE', 'one', 'two')],
    ['users', users('one', 'two', null), users('TWO', 'one', null)],
    ['users', ids('one', 'two', 'three'), ids('three', 'one', 'two')],
    ['accessScopeTypes', types('move-1', 'move-2', 'move-3'), types('move-3', 'move-1', 'move-2')],
  ] as const)
    for (const rows of [after, after.toReversed()]) {
      await importFile(app.context, { [list]: before.toReversed() });
      expect(await problemsOf({ [list]: rows })).toEqual({});
      expect(await importFile(app.context, { [list]: rows })).toMatchObject({ updated: 0 });
    }
});

it('users who exchange their providers are refused in words for who imports them', async () => {
  const [one, other] = [randomUUID(), randomUUID()];
  const from = (first: string, second: string) => ({
    users: [
      { userGuid: one, idpname: first, idpid: 'same' },
      { userGuid: other, idpname: second, idpid: 'same' },
    ],
  });
  await importFile(app.context, from('First', 'Second'));
  await expect(importFile(app.context, from('Second', 'First'))).rejects.toMatchObject({
    code: 'CONFLICT',
    message: expect.stringContaining('two rows exchange their values'),
  });
});

it('one bad row and nothing is written', async () => {
  const before = await counts();
  const file = {
    roles: [{ roleId: 'good', name: 'Good' }],
    users: [{ userGuid: guid }],
    clients: [
      { clientId: 'good', name: 'Good', clientSecret: 'secret' },
      { clientId: 'bad', name: 'Bad', clientSecret: 'x'.repeat(73) },
    ],
  };
  expect(await problemsOf(file)).toEqual({ 'clients[1].clientSecret': [expect.stringContaining('72 bytes')] });
  expect(await counts()).toEqual(before);
});

it('all faults are told together', async () => {
  const file = {
    users: [{ userGuid: 'x', email: 5 }, { firstName: 'A\0' }, 7],
    profiles: [{ profileId: 'p', accessScopeGuids: [guid] }],
    clients: [{ clientId: 'c', clientSecret: '' }],
  };
  expect((await pathsOf(file)).sort()).toEqual([
    'clients[0].clientSecret',
    'clients[0].name',
    'profiles[0].accessScopeGuids[0]',
    'profiles[0].name',
    'users[0].email',
    'users[0].userGuid',
    'users[1].firstName',
    'users[1].userGuid',
    'users[2]',
  ]);
});

it('equal mistakes are told once, with their count and the first rows; a few each by itself', async () => {
  const users = (count: number) => Array.from({ length: count }, () => ({ userGuid: 'x' }));
  expect(Object.keys(await problemsOf({ users: users(5) }))).toEqual(
    [0, 1, 2, 3, 4].map((row) => `users[${row}].userGuid`),
  );
  expect(await problemsOf({ users: [...users(4_999), { userGuid: guid, email: 5 }, ...users(1)] })).toEqual({
    'users[0].userGuid': ['must be a guid (5000 of these, the first users[0], users[1], users[2], users[3], users[4])'],
    'users[4999].email': ['must be a string'],
  });
  const links = Array.from({ length: 1_000 }, (_, index) => ({
    userGuid: known.user,
    profileId: 'profile',
    roleId: `${index}`,
  }));
  expect(Object.keys(await problemsOf({ userProfiles: [...links, ...links] }))).toEqual([
    'userProfiles[1000].roleId',
    'userProfiles[0].roleId',
  ]);
});

it('kinds of mistakes are told up to a bound, and after very many the rest is not looked at', async () => {
  const roles = Array.from({ length: 300 }, (_, index) => ({ roleId: `r${index}`, name: 'R', [`p${index}`]: 1 }));
  const problems = await problemsOf({ roles });
  expect(Object.keys(problems)).toHaveLength(101);
  expect(problems['…']).toEqual(['and 200 more']);
  const users = Array.from({ length: 150_000 }, () => 7);
  expect(await problemsOf({ users })).toEqual({
    'users[0]': [expect.stringContaining('must be an object (100000 of these')],
  });
});

it.each<[string, unknown, string[]]>([
  ['no object', [], ['$']],
  ['null', null, ['$']],
  ['an unknown list', { people: [] }, ['people']],
  ['a list named __proto__', JSON.parse('{"__proto__": []}'), ['__proto__']],
  ['a list that is none', { users: {} }, ['users']],
  ['a list that is null', { users: null }, ['users']],
  ['an unknown property', { roles: [{ roleId: 'r', name: 'R', colour: 'red' }] }, ['roles[0].colour']],
  ['__proto__', { roles: [JSON.parse('{"roleId": "r", "name": "R", "__proto__": 1}')] }, ['roles[0].__proto__']],
  ['a revision', { roles: [{ roleId: 'r', name: 'R', revision: 3 }] }, ['roles[0].revision']],
  ['a required field that is absent', { roles: [{ roleId: 'r' }] }, ['roles[0].name']],
  ['a required field that is empty', { roles: [{ roleId: 'r', name: '' }] }, ['roles[0].name']],
  ['a required field that is null', { roles: [{ roleId: 'role', name: null }] }, ['roles[0].name']],
  ['51 characters where 50 fit', { roles: [{ roleId: '🦉'.repeat(51), name: 'R' }] }, ['roles[0].roleId']],
  ['a lone surrogate', { roles: [{ roleId: 'r', name: '\ud800' }] }, ['roles[0].name']],
  ['a day that is none', { users: [{ userGuid: guid, createdDate: '2026-02-30' }] }, ['users[0].createdDate']],
  ['a time in words', { users: [{ userGuid: guid, createdDate: 'yesterday' }] }, ['users[0].createdDate']],
  ['a number that is none', { users: [{ userGuid: guid, statusId: '5' }] }, ['users[0].statusId']],
  ['a number too large', { users: [{ userGuid: guid, statusId: 2 ** 31 }] }, ['users[0].statusId']],
  ['an id of 0', { users: [{ userGuid: guid, userId: 0 }] }, ['users[0].userId']],
  ['a flag that is none', { users: [{ userGuid: guid, isBlocked: 'no' }] }, ['users[0].isBlocked']],
  ['the same record twice', { users: [{ userGuid: guid }, { userGuid: guid.toUpperCase() }] }, ['users[1].userGuid']],
  ['another id than the stored', { users: [{ userGuid: known.user, userId: 9 }] }, ['users[0].userId']],
  ["another record's id", { users: [{ userGuid: guid, userId: 500 }] }, ['users[0].userId']],
  ["another user's idpid", { users: [{ userGuid: guid, idpname: 'idp', idpid: 'ada' }] }, ['users[0].idpid']],
  [
    'the same idpid twice',
    { users: [guid, randomUUID()].map((userGuid) => ({ userGuid, idpname: 'idp', idpid: 'bob' })) },
    ['users[1].idpid'],
  ],
  [
    'an unknown access scope type',
    { accessScopes: [{ accessScopeGuid: guid, accessScopeTypeGuid: guid, name: 'S' }] },
    ['accessScopes[0].accessScopeTypeGuid'],
  ],
  [
    'an access scope without a type',
    { accessScopes: [{ accessScopeGuid: guid, name: 'S' }] },
    ['accessScopes[0].accessScopeTypeGuid'],
  ],
  [
    'an unknown number in place of a guid',
    { accessScopes: [{ accessScopeGuid: guid, accessScopeTypeId: 999, name: 'S' }] },
    ['accessScopes[0].accessScopeTypeId'],
  ],
  [
    'a number that is not the guid’s',
    {
      accessScopes: [{ accessScopeGuid: guid, accessScopeTypeId: 1, accessScopeTypeGuid: known.type, name: 'S' }],
    },
    ['accessScopes[0].accessScopeTypeId'],
  ],
  [
    'links to nobody',
    { userProfiles: [{ userGuid: guid, profileId: 'none', roleId: 'none' }] },
    ['userProfiles[0].userGuid', 'userProfiles[0].profileId', 'userProfiles[0].roleId'],
  ],
  [
    'the same mapping twice',
    {
      accessScopeApplicationsMappers: [1, 2].map(() => ({
        applicationGuid: known.application,
        accessScopeGuid: known.scope,
      })),
    },
    ['accessScopeApplicationsMappers[1].accessScopeGuid'],
  ],
  [
    'a mapping without a state',
    {
      accessScopeApplicationsMappers: [
        { applicationGuid: known.application, accessScopeGuid: known.scope, state: null },
      ],
    },
    ['accessScopeApplicationsMappers[0].state'],
  ],
  [
    'the same scope twice in a profile',
    { profiles: [{ profileId: 'profile', accessScopeGuids: [known.scope, known.scope] }] },
    ['profiles[0].accessScopeGuids[1]'],
  ],
  [
    'a type name with a colon',
    { accessScopeTypes: [{ accessScopeTypeGuid: guid, name: 'a:b' }] },
    ['accessScopeTypes[0].name'],
  ],
  [
    'a type name with a space',
    { accessScopeTypes: [{ accessScopeTypeGuid: guid, name: 'a\u00a0b' }] },
    ['accessScopeTypes[0].name'],
  ],
  [
    'a second type named admin',
    { accessScopeTypes: [{ accessScopeTypeGuid: guid, name: 'admin' }] },
    ['accessScopeTypes[0].name'],
  ],
  [
    'a type renamed to admin',
    { accessScopeTypes: [{ accessScopeTypeGuid: known.type, name: 'admin' }] },
    ['accessScopeTypes[0].name'],
  ],
  [
    'the reserved type renamed',
    { accessScopeTypes: [{ accessScopeTypeGuid: reservedTypeGuid, name: 'x' }] },
    ['accessScopeTypes[0].name'],
  ],
  [
    'the name of another type',
    { accessScopeTypes: [{ accessScopeTypeGuid: guid, name: 'known' }] },
    ['accessScopeTypes[0].name'],
  ],
  [
    'numbers that are reserved',
    {
      accessScopeTypes: [{ accessScopeTypeGuid: guid, accessScopeTypeId: 2_000_000_000, name: 'high' }],
      accessScopes: [
        { accessScopeGuid: guid, accessScopeId: 2_147_483_602, accessScopeTypeGuid: known.type, name: 'High' },
      ],
    },
    ['accessScopeTypes[0].accessScopeTypeId', 'accessScopes[0].accessScopeId'],
  ],
  [
    'admin:* as a new wildcard',
    { accessScopes: [{ accessScopeGuid: guid, accessScopeTypeGuid: reservedTypeGuid, name: 'All', isWildcard: true }] },
    ['accessScopes[0].isWildcard'],
  ],
  [
    'admin:* by key',
    {
      accessScopes: [
        { accessScopeGuid: guid, accessScopeTypeGuid: reservedTypeGuid, name: 'All', accessScopeKey: '*' },
      ],
    },
    ['accessScopes[0].accessScopeKey'],
  ],
  [
    'admin:* by turning a reserved scope into it',
    { accessScopes: [{ accessScopeGuid: 'ad300000-0000-4000-8000-000000000001', isWildcard: true }] },
    ['accessScopes[0].isWildcard'],
  ],
  [
    'admin:security by another key of admin:read',
    { accessScopes: [{ accessScopeGuid: 'ad300000-0000-4000-8000-000000000001', accessScopeKey: 'security' }] },
    ['accessScopes[0].accessScopeKey'],
  ],
  ['a new client without a secret', { clients: [{ clientId: 'c', name: 'C' }] }, ['clients[0].clientSecret']],
  [
    'a hash that is none',
    { clients: [{ clientId: 'c', name: 'C', clientSecretHash: '$2a$10$short' }] },
    ['clients[0].clientSecretHash'],
  ],
  [
    'a hash of cost 15',
    { clients: [{ clientId: 'c', name: 'C', clientSecretHash: `$2a$15$${'.'.repeat(53)}` }] },
    ['clients[0].clientSecretHash'],
  ],
  [
    'a secret and a hash',
    { clients: [{ clientId: 'c', name: 'C', clientSecret: 'a', clientSecretHash: `$2a$10$${'.'.repeat(53)}` }] },
    ['clients[0].clientSecretHash'],
  ],
  ['a token without anything', { tokens: [{}] }, ['tokens[0].token']],
  [
    'a token without its fields',
    { tokens: [{ token: 't' }] },
    ['tokens[0].createdAt', 'tokens[0].expiresAt', 'tokens[0].userGuid', 'tokens[0].profileId'],
  ],
  [
    'a token of an unknown user and profile',
    {
      tokens: [
        {
          token: 't',
          userGuid: guid,
          profileId: 'none',
          createdAt: '2026-01-01',
          expiresAt: '2026-02-01T00:00:00+02:00',
        },
      ],
    },
    ['tokens[0].userGuid', 'tokens[0].profileId'],
  ],
  [
    'a hash of a token that is none',
    {
      tokens: [
        {
          tokenSha256: 'abc',
          userGuid: known.user,
          profileId: 'profile',
          createdAt: '2026-01-01',
          expiresAt: '2026-02-01',
        },
      ],
    },
    ['tokens[0].tokenSha256'],
  ],
  [
    'a time of revocation of a token that is not revoked',
    {
      tokens: [
        {
          token: 't',
          userGuid: known.user,
          profileId: 'profile',
          createdAt: '2026-01-01',
          expiresAt: '2026-02-01',
          revokedAt: '2026-01-02',
        },
      ],
    },
    ['tokens[0].revokedAt'],
  ],
])('%s is refused', async (_what, file, paths) => {
  const before = await counts();
  expect(await pathsOf(file)).toEqual(paths);
  expect(await counts()).toEqual(before);
});

it('no secret and no token is repeated in a refusal', async () => {
  const problems = await problemsOf({
    clients: [{ clientId: 'c', name: 'C', clientSecret: 'Pa55word'.repeat(10) }],
    tokens: [{ token: `${'T0ken'.repeat(200)}` }],
  });
  expect(JSON.stringify(problems)).not.toMatch(/Pa55word|T0ken/);
});

it('a new text with characters that turn the direction is a fault; one that is stored already stays', async () => {
  await app.context.sql.rows("update profiles set name = $1 where profile_id = 'profile'", ['Crew \u202Erotarep']);
  const problem = ['must not contain characters that turn the direction of the text after them'];
  const profiles = (name: string) => ({ profiles: [{ profileId: 'profile', name, description: name }] });
  expect(await problemsOf(profiles('Crew \u2067rotarep'))).toEqual({
    'profiles[0].name': problem,
    'profiles[0].description': problem,
  });
  expect(
    await problemsOf({ profiles: [{ profileId: 'profile', name: 'Crew \u202Erotarep', description: 'D' }] }),
  ).toEqual({});
});
