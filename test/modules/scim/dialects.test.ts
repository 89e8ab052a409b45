/** The requests of Microsoft Entra ID and of Okta, as both document them, in their order. */
import { type Answer, startTestApp } from '../../support/app.js';
import { newConnector, newGroup, type Scim } from '../../support/connectors.js';

const core = 'urn:ietf:params:scim:schemas:core:2.0';
const enterprise = 'urn:ietf:params:scim:schemas:extension:enterprise:2.0:User';
const patchOp = ['urn:ietf:params:scim:api:messages:2.0:PatchOp'];

/** What the rows before have answered: the id of the user, and of the group. */
interface Known {
  user: string;
  group: string;
}
interface Row {
  what: string;
  request: (known: Known) => [method: string, path: string, body?: object];
  status: number;
  /** What the answer has, or where it has no body, what a GET answers afterwards. */
  answer?: (known: Known) => object;
  /** Read after the request. */
  afterwards?: (known: Known) => [path: string, answer: object];
}

// https://learn.microsoft.com/en-us/entra/identity/app-provisioning/use-scim-to-provision-users-and-groups
const entra: Row[] = [
  {
    what: 'tests the connection with a user that is not there',
    request: () => ['GET', '/Users?filter=userName eq "6b6f7d2e-6b1c-4e9e-a1a5-6d8b9bbf1e33"'],
    status: 200,
    answer: () => ({
      schemas: ['urn:ietf:params:scim:api:messages:2.0:ListResponse'],
      totalResults: 0,
      Resources: [],
      startIndex: 1,
      itemsPerPage: 0,
    }),
  },
  { what: 'reads the schemas', request: () => ['GET', '/Schemas'], status: 200 },
  {
    what: 'creates a user',
    request: () => [
      'POST',
      '/Users',
      {
        schemas: [`${core}:User`, enterprise],
        externalId: '0a21f0f2-8d2a-4f8e-bf98-7363c4aed4ef',
        userName: 'Test_User_ab6490ee@testuser.com',
        active: true,
        emails: [{ primary: true, type: 'work', value: 'Test_User_fd0ea19b@testuser.com' }],
        meta: { resourceType: 'User' },
        name: { formatted: 'givenName familyName', familyName: 'familyName', givenName: 'givenName' },
        roles: [],
        addresses: [{ type: 'work', formatted: 'Street 1' }],
        [enterprise]: { department: 'Sales', employeeNumber: '7', manager: { value: 'abc' } },
      },
    ],
    status: 201,
    answer: () => ({
      userName: 'Test_User_ab6490ee@testuser.com',
      active: true,
      name: { formatted: 'givenName familyName' },
      [enterprise]: { department: 'Sales' },
    }),
  },
  {
    what: 'reads the user',
    request: ({ user }) => ['GET', `/Users/${user}`],
    status: 200,
    answer: ({ user }) => ({
      id: user,
      emails: [{ value: 'Test_User_fd0ea19b@testuser.com', type: 'work', primary: true }],
    }),
  },
  {
    what: 'reads some attributes of the user',
    request: ({ user }) => ['GET', `/Users/${user}?attributes=id,userName,active`],
    status: 200,
    answer: () => ({ active: true }),
  },
  {
    what: 'finds the user by name',
    request: () => ['GET', '/Users?filter=userName eq "Test_User_ab6490ee@testuser.com"'],
    status: 200,
    answer: ({ user }) => ({ totalResults: 1, Resources: [expect.objectContaining({ id: user })] }),
  },
  {
    what: 'finds the user by id',
    request: () => ['GET', '/Users?filter=externalId eq "0a21f0f2-8d2a-4f8e-bf98-7363c4aed4ef"'],
    status: 200,
    answer: () => ({ totalResults: 1 }),
  },
  {
    what: 'finds the user by e-mail address',
    request: () => ['GET', '/Users?filter=emails[type eq "work"].value eq "Test_User_fd0ea19b@testuser.com"'],
    status: 200,
    answer: () => ({ totalResults: 1 }),
  },
  {
    what: 'selects a value by a boolean, which is a text',
    request: ({ user }) => [
      'PATCH',
      `/Users/${user}`,
      {
        schemas: patchOp,
        Operations: [{ op: 'Replace', path: 'emails[primary eq "True"].value', value: 'primary@microsoft.com' }],
      },
    ],
    status: 200,
    answer: () => ({ emails: [{ value: 'primary@microsoft.com' }] }),
  },
  {
    what: 'replaces multi-valued properties',
    request: ({ user }) => [
      'PATCH',
      `/Users/${user}`,
      {
        schemas: patchOp,
        Operations: [
          { op: 'Replace', path: 'emails[type eq "work"].value', value: 'updatedEmail@microsoft.com' },
          { op: 'Replace', path: 'name.familyName', value: 'updatedFamilyName' },
        ],
      },
    ],
    status: 200,
    answer: () => ({ emails: [{ value: 'updatedEmail@microsoft.com' }], name: { familyName: 'updatedFamilyName' } }),
  },
  {
    what: 'replaces the name',
    request: ({ user }) => [
      'PATCH',
      `/Users/${user}`,
      { schemas: patchOp, Operations: [{ op: 'Replace', path: 'userName', value: '5b50642d-79fc@testuser.com' }] },
    ],
    status: 200,
    answer: () => ({ userName: '5b50642d-79fc@testuser.com' }),
  },
  {
    what: 'adds values, some of attributes that are not stored',
    request: ({ user }) => [
      'PATCH',
      `/Users/${user}`,
      {
        schemas: patchOp,
        Operations: [
          { op: 'Add', path: 'displayName', value: 'Someone' },
          { op: 'Add', path: 'phoneNumbers[type eq "work"].value', value: '+1 1' },
          { op: 'Add', path: 'phoneNumbers[type eq "mobile"].value', value: '+1 2' },
          { op: 'Add', path: 'addresses[type eq "work"].formatted', value: 'Street 2' },
          { op: 'Add', path: `${enterprise}:department`, value: 'Bob' },
          { op: 'Add', path: `${enterprise}:manager`, value: '3c2b' },
          { op: 'Remove', path: 'title' },
        ],
      },
    ],
    status: 200,
    answer: () => ({ phoneNumbers: [{ value: '+1 1' }], [enterprise]: { department: 'Bob' } }),
  },
  ...['manager', `${enterprise}:manager`, `${enterprise}:manager.value`].map(
    (attribute): Row => ({
      what: `asks whether the manager is the same, as ${attribute}`,
      request: ({ user }) => ['GET', `/Users?filter=id eq "${user}" and ${attribute} eq "3c2b"&attributes=id`],
      status: 200,
      answer: () => ({ totalResults: 0 }),
    }),
  ),
  {
    what: 'sets the manager without the name of the schema, as it did before the flag aadOptscim062020',
    request: ({ user }) => [
      'PATCH',
      `/Users/${user}`,
      {
        schemas: patchOp,
        Operations: [
          { op: 'Add', path: 'manager', value: [{ $ref: 'https://x.test/scim/v2/Users/3c2b', value: '3c2b' }] },
        ],
      },
    ],
    status: 200,
    answer: () => ({ phoneNumbers: [{ value: '+1 1' }] }),
  },
  {
    what: 'replaces without a path',
    request: ({ user }) => [
      'PATCH',
      `/Users/${user}`,
      {
        schemas: patchOp,
        Operations: [
          {
            op: 'replace',
            value: {
              'name.givenName': 'Given',
              'emails[type eq "work"].value': 'two@x.y',
              [`${enterprise}:department`]: 'HR',
              displayName: 'x',
            },
          },
        ],
      },
    ],
    status: 200,
    answer: () => ({
      name: { givenName: 'Given' },
      emails: [{ value: 'two@x.y' }],
      [enterprise]: { department: 'HR' },
    }),
  },
  {
    what: 'disables the user with a text, as it did before the flag aadOptscim062020',
    request: ({ user }) => [
      'PATCH',
      `/Users/${user}`,
      { schemas: patchOp, Operations: [{ op: 'Replace', path: 'active', value: 'False' }] },
    ],
    status: 200,
    answer: () => ({ active: false }),
  },
  {
    what: 'still finds the disabled user',
    request: () => ['GET', '/Users?filter=userName eq "5b50642d-79fc@testuser.com"'],
    status: 200,
    answer: () => ({ totalResults: 1, Resources: [expect.objectContaining({ active: false })] }),
  },
  {
    what: 'enables the user',
    request: ({ user }) => [
      'PATCH',
      `/Users/${user}`,
      { schemas: patchOp, Operations: [{ op: 'replace', value: { active: true } }] },
    ],
    status: 200,
    answer: () => ({ active: true }),
  },
  {
    what: 'finds a group by name',
    request: () => ['GET', '/Groups?excludedAttributes=members&filter=displayName eq "Sales Team"'],
    status: 200,
    answer: ({ group }) => ({
      totalResults: 1,
      Resources: [expect.objectContaining({ id: group, displayName: 'Sales Team' })],
    }),
  },
  {
    what: 'reads the group',
    request: ({ group }) => ['GET', `/Groups/${group}?excludedAttributes=members`],
    status: 200,
    answer: () => ({ displayName: 'Sales Team' }),
  },
  {
    what: 'replaces the name of the group by the same',
    request: ({ group }) => [
      'PATCH',
      `/Groups/${group}`,
      { schemas: patchOp, Operations: [{ op: 'Replace', path: 'displayName', value: 'Sales Team' }] },
    ],
    status: 204,
  },
  {
    what: 'adds members',
    request: ({ group, user }) => [
      'PATCH',
      `/Groups/${group}`,
      { schemas: patchOp, Operations: [{ op: 'Add', path: 'members', value: [{ $ref: null, value: user }] }] },
    ],
    status: 204,
    afterwards: ({ group, user }) => [`/Groups/${group}`, { members: [{ value: user, type: 'User' }] }],
  },
  {
    what: 'asks for a member',
    request: ({ group, user }) => ['GET', `/Groups?attributes=id&filter=id eq "${group}" and members eq "${user}"`],
    status: 200,
    answer: () => ({ totalResults: 1 }),
  },
  {
    what: 'removes members by their values',
    request: ({ group, user }) => [
      'PATCH',
      `/Groups/${group}`,
      { schemas: patchOp, Operations: [{ op: 'Remove', path: 'members', value: [{ $ref: null, value: user }] }] },
    ],
    status: 204,
    afterwards: ({ group }) => [`/Groups/${group}`, { members: [] }],
  },
  {
    what: 'removes members by a path',
    request: ({ group, user }) => [
      'PATCH',
      `/Groups/${group}`,
      { schemas: patchOp, Operations: [{ op: 'Remove', path: `members[value eq "${user}"]` }] },
    ],
    status: 204,
  },
  {
    what: 'creates a group that no profile has',
    request: () => [
      'POST',
      '/Groups',
      {
        schemas: [`${core}:Group`, 'http://schemas.microsoft.com/2006/11/ResourceManagement/ADSCIM/2.0/Group'],
        externalId: '8aa1a0c0',
        displayName: 'Nobody',
        meta: { resourceType: 'Group' },
      },
    ],
    status: 403,
  },
  { what: 'deletes the group', request: ({ group }) => ['DELETE', `/Groups/${group}`], status: 204 },
  { what: 'deletes the user', request: ({ user }) => ['DELETE', `/Users/${user}`], status: 204 },
  {
    what: 'reads the deleted user',
    request: ({ user }) => ['GET', `/Users/${user}`],
    status: 404,
    answer: () => ({ status: '404' }),
  },
];

const oktaUser = {
  schemas: [`${core}:User`],
  userName: 'test.user@okta.local',
  name: { givenName: 'Test', familyName: 'User' },
  emails: [{ primary: true, value: 'test.user@okta.local', type: 'work' }],
  displayName: 'Test User',
  locale: 'en-US',
  externalId: '00ujl29u0le5T6Aj10h7',
  groups: [],
  active: true,
};

// https://developer.okta.com/docs/api/openapi/okta-scim/guides/scim-20
const okta: Row[] = [
  {
    what: 'reads two users after it is set up',
    request: () => ['GET', '/Users?startIndex=1&count=2'],
    status: 200,
    answer: () => ({ totalResults: 0 }),
  },
  {
    what: 'reads groups',
    request: () => ['GET', '/Groups?startIndex=1&count=100'],
    status: 200,
    answer: ({ group }) => ({ totalResults: 1, Resources: [expect.objectContaining({ id: group, members: [] })] }),
  },
  {
    what: 'asks whether the user is there',
    request: () => ['GET', '/Users?filter=userName%20eq%20%22test.user%40okta.local%22&startIndex=1&count=100'],
    status: 200,
    answer: () => ({ totalResults: 0, startIndex: 1, Resources: [] }),
  },
  {
    what: 'creates the user',
    request: () => ['POST', '/Users', { ...oktaUser, password: '1mz050nq' }],
    status: 201,
    answer: () => ({ userName: 'test.user@okta.local', displayName: 'Test User', active: true }),
  },
  {
    what: 'creates the user again',
    request: () => ['POST', '/Users', oktaUser],
    status: 409,
    answer: () => ({ status: '409', scimType: 'uniqueness' }),
  },
  {
    what: 'reads the user',
    request: ({ user }) => ['GET', `/Users/${user}`],
    status: 200,
    answer: ({ user }) => ({ id: user, name: { givenName: 'Test' } }),
  },
  {
    what: 'updates the user as a whole',
    request: ({ user }) => [
      'PUT',
      `/Users/${user}`,
      {
        ...oktaUser,
        id: user,
        name: { givenName: 'Another', middleName: 'Excited', familyName: 'User' },
        meta: { resourceType: 'User' },
      },
    ],
    status: 200,
    answer: () => ({ name: { givenName: 'Another', familyName: 'User' }, externalId: '00ujl29u0le5T6Aj10h7' }),
  },
  {
    what: 'deactivates the user by PATCH',
    request: ({ user }) => [
      'PATCH',
      `/Users/${user}`,
      { schemas: patchOp, Operations: [{ op: 'replace', value: { active: false } }] },
    ],
    status: 200,
    answer: () => ({ active: false }),
  },
  {
    what: 'activates the user by PUT',
    request: ({ user }) => ['PUT', `/Users/${user}`, { ...oktaUser, id: user, active: true }],
    status: 200,
    answer: () => ({ active: true }),
  },
  {
    what: 'deactivates the user by PUT',
    request: ({ user }) => ['PUT', `/Users/${user}`, { ...oktaUser, id: user, active: false }],
    status: 200,
    answer: () => ({ active: false }),
  },
  {
    what: 'pushes a group that is there, which is to be linked',
    request: () => ['POST', '/Groups', { schemas: [`${core}:Group`], displayName: 'Sales Team', members: [] }],
    status: 409,
    answer: () => ({ scimType: 'uniqueness' }),
  },
  {
    what: 'reads the group',
    request: ({ group }) => ['GET', `/Groups/${group}`],
    status: 200,
    answer: () => ({ displayName: 'Sales Team' }),
  },
  {
    what: 'updates the name of the group',
    request: ({ group }) => [
      'PATCH',
      `/Groups/${group}`,
      { schemas: patchOp, Operations: [{ op: 'replace', value: { id: group, displayName: 'Sales Team' } }] },
    ],
    status: 204,
  },
  {
    what: 'changes the members of the group',
    request: ({ group, user }) => [
      'PATCH',
      `/Groups/${group}`,
      {
        schemas: patchOp,
        Operations: [
          { op: 'remove', path: 'members[value eq "89bb1940-b905-4575-9e7f-6f887cfb368e"]' },
          { op: 'add', path: 'members', value: [{ value: user, display: 'test.user@okta.local' }] },
        ],
      },
    ],
    status: 204,
    afterwards: ({ group, user }) => [
      `/Groups/${group}`,
      { members: [{ value: user, display: 'test.user@okta.local' }] },
    ],
  },
  {
    what: 'updates the group as a whole',
    request: ({ group, user }) => [
      'PUT',
      `/Groups/${group}`,
      {
        schemas: [`${core}:Group`],
        id: group,
        displayName: 'Sales Team',
        members: [{ value: user, display: 'test.user@okta.local' }],
      },
    ],
    status: 200,
    answer: ({ user }) => ({ members: [{ value: user }] }),
  },
  {
    what: 'replaces all members',
    request: ({ group }) => [
      'PATCH',
      `/Groups/${group}`,
      { schemas: patchOp, Operations: [{ op: 'replace', path: 'members', value: [] }] },
    ],
    status: 204,
    afterwards: ({ group }) => [`/Groups/${group}`, { members: [] }],
  },
  { what: 'deletes the group', request: ({ group }) => ['DELETE', `/Groups/${group}`], status: 204 },
];

describe.each([
  ['Entra', entra],
  ['Okta', okta],
])('%s', (name, rows) => {
  let scim: Scim;
  const known: Known = { user: '', group: '' };

  beforeAll(async () => {
    const app = await startTestApp();
    ({ scim } = await newConnector(app.context, app.url, name));
    known.group = await newGroup(app.context, 'Sales Team', 'sales');
  });

  it.each(rows)('$what', async ({ request, status, answer, afterwards }) => {
    const given: Answer = await scim(...request(known));
    if (given.status === 201) known.user = given.json.id;
    expect({ status: given.status, body: given.json }).toMatchObject({
      status,
      ...(answer && { body: answer(known) }),
    });
    if (!afterwards) return;
    const [path, expected] = afterwards(known);
    expect((await scim('GET', path)).json).toMatchObject(expected);
  });
});
