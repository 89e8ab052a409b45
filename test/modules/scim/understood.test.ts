/** A request of SCIM is answered with 2xx only if it was understood and done; otherwise nothing is changed. */
import { startTestApp, type TestApp } from '../../support/app.js';
import { newConnector, newGroup, type Scim } from '../../support/connectors.js';

let app: TestApp;
let scim: Scim;
let count = 0;

beforeAll(async () => {
  app = await startTestApp({ SCIM_RATE_LIMIT: '0' });
  ({ scim } = await newConnector(app.context, app.url, 'entra'));
});

const enterprise = 'urn:ietf:params:scim:schemas:extension:enterprise:2.0:User';
const patch = (...Operations: unknown[]) => ({ Operations });
const replace = (path: string, value: unknown) => patch({ op: 'replace', path, value });

async function newPerson(more: object = {}) {
  const userName = `person-${++count}@x.test`;
  const { status, json } = await scim('POST', '/Users', { userName, externalId: userName, ...more });
  expect(status).toBe(201);
  return { id: json.id as string, userName, json };
}
const reached = {
  emails: [{ type: 'work', value: 'w@x.test' }],
  phoneNumbers: [{ type: 'work', value: '+49 7' }],
  name: { givenName: 'Ada' },
  [enterprise]: { department: 'Sales' },
};
const read = async (id: string) => (await scim('GET', `/Users/${id}`)).json;
const one = (value: string, type = 'work') => [{ value, type, primary: true }];

describe('the members of a group', () => {
  async function newMembership() {
    const group = await newGroup(app.context, `Group ${++count}`, `group-${count}`);
    const [member, other] = [await newPerson(), await newPerson()];
    await scim('PATCH', `/Groups/${group}`, patch({ op: 'add', path: 'members', value: [{ value: member.id }] }));
    const members = async () =>
      (await scim('GET', `/Groups/${group}`)).json.members.map(({ value }: { value: string }) => value);
    expect(await members()).toEqual([member.id]);
    return { group, member: member.id, other: other.id, members };
  }

  it.each<[string, (id: string) => unknown]>([
    ['a list of objects', (id) => [{ value: id }]],
    ['one object', (id) => ({ value: id })],
    ['the id itself', (id) => id],
    ['a list of ids', (id) => [id]],
    ['names in capitals', (id) => [{ Value: id }]],
    ['other capitals', (id) => ({ VALUE: id.toUpperCase(), $Ref: null })],
    ['the name of the attribute around them', (id) => ({ members: [{ value: id }] })],
    ['that name in capitals', (id) => ({ Members: [{ Value: id }] })],
  ])('are added and removed by %s', async (_what, sentFor) => {
    const { group, member, other, members } = await newMembership();
    const change = async (op: string, id: string) =>
      (await scim('PATCH', `/Groups/${group}`, patch({ op, path: 'members', value: sentFor(id) }))).status;
    expect(await change('Remove', member)).toBe(204);
    expect(await members()).toEqual([]);
    expect(await change('Add', other)).toBe(204);
    expect(await members()).toEqual([other]);
    expect(await change('Replace', member)).toBe(204);
    expect(await members()).toEqual([member]);
  });

  it.each<[unknown]>([
    [{}],
    [''],
    [[{ id: 'ID' }]],
    [[{ $ref: 'https://x.test/scim/v2/Users/ID' }]],
    [[{ display: 'ID' }]],
    [[{ value: { value: 'ID' } }]],
    [[{ value: ['ID'] }]],
    [[{ value: null }]],
    [[{ value: '' }]],
    [[['ID']]],
    [[null]],
    [[5]],
    [true],
    ['nobody'],
    [['ID', { value: 'nobody' }]],
    [[{ value: 'ID', VALUE: 'ID' }]],
    [{ members: { value: 'ID' } }],
    [{ members: null }],
    [{ Members: [{ id: 'ID' }] }],
  ])('stay, and the request is refused, where the value is %j', async (value) => {
    const { group, member, members } = await newMembership();
    const sent = JSON.parse(JSON.stringify(value).replaceAll('ID', member));
    for (const op of ['remove', 'add', 'replace']) {
      const { status, json } = await scim('PATCH', `/Groups/${group}`, patch({ op, path: 'members', value: sent }));
      expect([op, status]).toEqual([op, 400]);
      expect(json.scimType).toMatch(/^invalid(Value|Syntax)$/);
    }
    expect((await scim('PUT', `/Groups/${group}`, { members: sent })).status).toBe(400);
    expect(await members()).toEqual([member]);
  });

  it.each<[string, (id: string, other: string) => unknown]>([
    ['an empty list', () => []],
    ['somebody who is no member', (_id, other) => [{ value: other }]],
    ['an id that nobody has', () => [{ value: '00000000-0000-4000-8000-000000000000' }]],
  ])('stay where %s is removed', async (_what, sentFor) => {
    const { group, member, other, members } = await newMembership();
    const body = patch({ op: 'remove', path: 'members', value: sentFor(member, other) });
    expect((await scim('PATCH', `/Groups/${group}`, body)).status).toBe(204);
    expect(await members()).toEqual([member]);
  });

  it.each([
    'members[value eq "u@x.test"]',
    'members[value eq ""]',
    'members[value eq "no id" or value eq "nor this"]',
  ])('stay, and the caller hears it, where no id is named by %s', async (path) => {
    const { group, member, members } = await newMembership();
    const { json } = await scim('PATCH', `/Groups/${group}`, patch({ op: 'remove', path }));
    expect(json).toMatchObject({ status: '400', scimType: 'invalidValue' });
    expect(await members()).toEqual([member]);
  });

  it.each([
    ['remove', 'groups', undefined],
    ['remove', 'Groups.value', undefined],
    ['remove', 'groups[value eq "GROUP"]', undefined],
    ['replace', 'groups', []],
    ['replace', undefined, { groups: [] }],
    ['add', undefined, { Groups: [{ value: 'GROUP' }] }],
  ])('are not changed by a PATCH of the user: %s of %s is an error', async (op, path, value) => {
    const { group, member, members } = await newMembership();
    const body = JSON.stringify(patch({ op, ...(path && { path }), ...(value && { value }) })).replace('GROUP', group);
    const { json } = await scim('PATCH', `/Users/${member}`, JSON.parse(body));
    expect(json).toMatchObject({ status: '400', scimType: 'mutability' });
    expect(await members()).toEqual([member]);
  });

  it('are named in any case, in each member of the request', async () => {
    const { group, member, other, members } = await newMembership();
    const send = async (method: string, body: unknown) => (await scim(method, `/Groups/${group}`, body)).status;
    expect(await send('PATCH', { OPERATIONS: [{ OP: 'ADD', Path: 'Members', Value: [{ VALUE: other }] }] })).toBe(204);
    expect((await members()).sort()).toEqual([member, other].sort());
    expect(await send('PATCH', patch({ Op: 'Remove', PATH: `MEMBERS[Value EQ "${member}"]` }))).toBe(204);
    expect(await members()).toEqual([other]);
    expect(await send('PATCH', patch({ Op: 'Replace', Value: { Members: [{ Value: member }] } }))).toBe(204);
    expect(await members()).toEqual([member]);
    expect(await send('PUT', { DisplayName: `Group ${group.slice(6)}`, MEMBERS: [{ Value: other }] })).toBe(200);
    expect(await members()).toEqual([other]);
    const created = await scim('POST', '/Groups', { DisplayName: `Group ${group.slice(6)}` });
    expect(created.json).toMatchObject({
      status: '409',
      scimType: 'uniqueness',
      detail: expect.stringContaining(group),
    });
  });
});

describe('a value of the wrong form', () => {
  const contacts = [
    { emails: [{ value: 'new@x.test' }] },
    { work: 'new@x.test' },
    {},
    [{}],
    [{ type: 'work' }],
    [{ mail: 'new@x.test', type: 'work' }],
    [5],
    [null],
    [true],
    [['new@x.test']],
    [[{ value: 'new@x.test' }]],
    [{ value: 5 }],
    [{ value: ['new@x.test'] }],
    [{ value: { value: 'new@x.test' } }],
    [{ value: 'new@x.test', type: 5 }],
    [{ value: 'new@x.test', Value: 'other@x.test' }],
    [{ value: 'new@x.test' }, { type: 'home' }],
    5,
    false,
  ];
  const attributes = ['emails', 'phoneNumbers'];
  // no request changes anything, so all have the same person
  let person: Awaited<ReturnType<typeof newPerson>>;
  beforeAll(async () => {
    person = await newPerson(reached);
  });
  it.each(
    attributes.flatMap((attribute) => contacts.map((value) => ({ attribute, value }))),
  )('clears no $attribute: $value', async ({ attribute, value }) => {
    const { id, userName, json } = person;
    const requests: [string, unknown][] = [
      ['PATCH', replace(attribute, value)],
      ['PATCH', patch({ op: 'add', path: attribute, value })],
      ['PATCH', patch({ op: 'remove', path: attribute, value })],
      ['PATCH', patch({ op: 'replace', value: { [attribute]: value } })],
      ['PATCH', replace(`${attribute}[type eq "work"]`, value)],
      ['PATCH', replace(`${attribute}[type eq "work"].value`, value)],
      ['PATCH', patch({ op: 'add', path: `${attribute}[primary eq true].value`, value })],
      ['PUT', { userName, ...reached, [attribute]: value }],
    ];
    for (const [method, body] of requests) {
      const answer = await scim(method, `/Users/${id}`, body);
      expect([body, answer.status]).toEqual([body, 400]);
      expect(answer.json.scimType).toMatch(/^invalid(Value|Syntax)$/);
    }
    expect((await scim('POST', '/Users', { userName: 'nobody', [attribute]: value })).status).toBe(400);
    expect(await read(id)).toEqual(json);
  });

  it.each<[string, unknown]>([
    ['name', 'Ada'],
    ['name', []],
    ['name', [{ givenName: 'Eve' }]],
    ['name', { name: { givenName: 'Eve' } }],
    ['name', { first: 'Eve' }],
    ['name', { givenName: {} }],
    ['name', { givenName: ['a', 'b'] }],
    ['title', { title: 'Boss' }],
    ['title', []],
    ['title', 5],
    [enterprise, 'Sales'],
    [enterprise, { dept: 'Ops' }],
    [enterprise, { department: { name: 'Ops' } }],
    ['active', {}],
    ['active', 'no'],
  ])('changes nothing: %s: %j', async (name, value) => {
    const { id, userName, json } = await newPerson({ ...reached, title: 'Analyst' });
    for (const [method, body] of [
      ['PUT', { userName, ...reached, [name]: value }],
      ['PATCH', replace(name, value)],
      ['PATCH', patch({ op: 'replace', value: { [name]: value } })],
    ] as const)
      expect([method, (await scim(method, `/Users/${id}`, body)).status]).toEqual([method, 400]);
    expect(await read(id)).toEqual(json);
  });

  it.each([
    'title[value eq "x"]',
    'userName[type eq "work"]',
    'name[type eq "x"].givenName',
    `${enterprise}:department[value eq "Sales"]`,
    'emails.mail',
    'emails[type eq "work"].mail',
    'emails.value.x',
    'title.x',
  ])('a path that names nothing is invalidPath: %s', async (path) => {
    const { id, json } = await newPerson(reached);
    const answer = await scim('PATCH', `/Users/${id}`, replace(path, 'x'));
    expect(answer.json).toMatchObject({ status: '400', scimType: 'invalidPath' });
    expect(await read(id)).toEqual(json);
  });

  it.each<[unknown]>([
    [[]],
    [null],
    [''],
    [{ value: null }],
    [[{ value: '' }]],
    [[{ type: 'work', value: null }]],
  ])('but %j clears, because it says so', async (value) => {
    const { id, userName } = await newPerson(reached);
    expect((await scim('PATCH', `/Users/${id}`, replace('emails', value))).status).toBe(200);
    expect((await scim('PUT', `/Users/${id}`, { userName, phoneNumbers: value })).status).toBe(200);
    const after = await read(id);
    expect(after).not.toHaveProperty('emails');
    expect(after).not.toHaveProperty('phoneNumbers');
  });

  it.each<[unknown]>([
    [''],
    [['']],
    [[{ value: null }]],
    [[{ type: 'work', value: '' }]],
    [[]],
  ])('and an add of %j adds nothing, and clears nothing', async (value) => {
    const { id, json } = await newPerson(reached);
    for (const path of ['emails', 'phoneNumbers'])
      expect((await scim('PATCH', `/Users/${id}`, patch({ op: 'add', path, value }))).status).toBe(200);
    expect(await read(id)).toEqual(json);
  });

  it('and a removal by value removes that value only', async () => {
    const { id } = await newPerson(reached);
    const remove = async (value: unknown) =>
      (await scim('PATCH', `/Users/${id}`, patch({ op: 'remove', path: 'emails', value }))).json.emails;
    expect(await remove([{ value: 'another@x.test' }])).toEqual(one('w@x.test'));
    expect(await remove([{ value: 'w@x.test', type: 'home' }])).toEqual(one('w@x.test'));
    expect(await remove([{ value: 'W@x.test' }])).toBeUndefined();
  });

  it.each([undefined, null, ''])('and a removal with %j as value removes what is there', async (value) => {
    const { id } = await newPerson(reached);
    expect((await scim('PATCH', `/Users/${id}`, patch({ op: 'remove', path: 'emails', value }))).status).toBe(200);
    expect(await read(id)).not.toHaveProperty('emails');
  });
});

it('names of attributes are read in any case, at every level', async () => {
  const capitals = {
    UserName: 'capitals@x.test',
    EXTERNALID: 'capitals',
    Name: { GivenName: 'Ada', FAMILYNAME: 'Lovelace' },
    Emails: [
      { Value: 'home@x.test', Type: 'Home' },
      { VALUE: 'cap@x.test', TYPE: 'Work', Primary: 'True' },
    ],
    PhoneNumbers: [{ Value: '+1', Type: 'Mobile' }],
    Active: { Value: 'True' },
    TITLE: { Value: 'Analyst' },
    [enterprise.toUpperCase()]: { Department: 'Engines', Manager: { Value: 'x' } },
  };
  const expected = {
    userName: 'capitals@x.test',
    externalId: 'capitals',
    name: { givenName: 'Ada', familyName: 'Lovelace' },
    emails: one('cap@x.test'),
    phoneNumbers: one('+1', 'Mobile'),
    active: true,
    title: 'Analyst',
    [enterprise]: { department: 'Engines' },
  };
  const created = await scim('POST', '/Users', capitals);
  expect(created.json).toMatchObject(expected);
  const { id } = created.json;
  expect((await scim('PUT', `/Users/${id}`, { ID: id, ...capitals })).json).toMatchObject(expected);
  expect((await scim('PUT', `/Users/${id}`, { Id: 'another', ...capitals })).json).toMatchObject({ status: '400' });
  const patched = async (...operations: object[]) => (await scim('PATCH', `/Users/${id}`, patch(...operations))).json;
  expect(await patched({ Op: 'replace', Value: { Emails: [{ Value: 'n@x.test', Type: 'work' }] } })).toMatchObject({
    emails: one('n@x.test'),
  });
  expect(
    await patched(
      { OP: 'add', PATH: 'EMAILS', VALUE: [{ Value: 'o@x.test', Type: 'WORK' }] },
      { op: 'add', path: 'Emails[TYPE eq "WORK" And Value EQ "O@x.test"].VALUE', value: { Value: 'p@x.test' } },
      { op: 'replace', path: 'NAME', value: { GivenName: 'Eve' } },
      { op: 'replace', path: enterprise.toUpperCase(), value: { DEPARTMENT: 'Ops' } },
      { op: 'replace', path: 'Active', value: [{ Value: 'False' }] },
      { op: 'remove', path: 'TITLE' },
    ),
  ).toMatchObject({
    emails: one('p@x.test'),
    name: { givenName: 'Eve', familyName: 'Lovelace' },
    [enterprise]: { department: 'Ops' },
    active: false,
  });
  expect(await read(id)).not.toHaveProperty('title');
});

it.each<[string, unknown]>([
  ['POST', { userName: 'twice', Title: 'one', title: 'two' }],
  ['PUT', { userName: 'twice', USERNAME: 'other' }],
  ['PATCH', { Operations: [{ op: 'replace', path: 'title', value: 'x', Value: 'y' }] }],
  ['PATCH', patch({ op: 'replace', value: { title: 'x', Title: 'y' } })],
])('a name that occurs twice is refused: %s %j', async (method, body) => {
  const { id, json } = await newPerson(reached);
  const answer = await scim(method, method === 'POST' ? '/Users' : `/Users/${id}`, body);
  expect(answer.json).toMatchObject({ status: '400', scimType: 'invalidSyntax' });
  expect(await read(id)).toEqual(json);
});

it('a refused name is repeated without half of a character, however long it is', async () => {
  const { id } = await newPerson({});
  const name = `x${'\u{1f600}'.repeat(60)}`;
  const requests: [string, string, unknown?][] = [
    ['POST', '/Users', { userName: 'long', [name]: 'one', [name.toUpperCase()]: 'two' }],
    ['PATCH', `/Users/${id}`, patch({ op: 'replace', path: name, value: 'x' })],
    ['PATCH', `/Users/${id}`, patch({ op: 'replace', path: `emails.${name}`, value: 'x' })],
    ['GET', `/Users?filter=${encodeURIComponent(`${name} eq "x"`)}`],
    ['POST', '/Groups', { displayName: name.repeat(3) }],
  ];
  for (const [method, path, body] of requests) {
    const { status, json } = await scim(method, path, body);
    expect({ method, path, status, isWhole: json.detail.isWellFormed() }).toMatchObject({
      status: expect.any(Number),
      isWhole: true,
    });
    expect(status).toBeGreaterThanOrEqual(400);
  }
});

describe.each(['emails', 'phoneNumbers'])('the one value of %s', (attribute) => {
  const typed = (type: string, value: string) => [{ type, value }];
  const change = async (id: string, ...operations: object[]) => {
    const { status, json } = await scim('PATCH', `/Users/${id}`, patch(...operations));
    return { status, value: json[attribute], scimType: json.scimType };
  };
  const at = (type: string) => `${attribute}[type eq "${type}"].value`;

  it('keeps its type, is shown with it, and is changed and removed by it', async () => {
    const { id, json } = await newPerson({ [attribute]: typed('mobile', '1') });
    expect(json[attribute]).toEqual(one('1', 'mobile'));
    expect(await change(id, { op: 'replace', path: at('Mobile'), value: '2' })).toMatchObject({
      value: one('2', 'mobile'),
    });
    expect(await change(id, { op: 'add', path: attribute, value: typed('mobile', '3') })).toMatchObject({
      value: one('3', 'mobile'),
    });
    expect(await change(id, { op: 'replace', path: `${attribute}.value`, value: '4' })).toMatchObject({
      value: one('4', 'mobile'),
    });
    const found = async (filter: string) =>
      (await scim('GET', `/Users?filter=${encodeURIComponent(`id eq "${id}" and ${attribute}${filter}`)}`)).json
        .totalResults;
    expect(await found('[type eq "mobile"].value eq "4"')).toBe(1);
    expect(await found('[type eq "work"]')).toBe(0);
    expect(await change(id, { op: 'remove', path: `${attribute}[type eq "fax"]` })).toMatchObject({
      status: 200,
      value: one('4', 'mobile'),
    });
    expect(await change(id, { op: 'remove', path: `${attribute}[type eq "mobile"]` })).toEqual({ status: 200 });
    expect(await read(id)).not.toHaveProperty(attribute);
  });

  it('is stored under any type by any form of the request, where there is none', async () => {
    for (const operation of [
      { op: 'add', path: at('other'), value: 'o' },
      { op: 'replace', path: at('other'), value: 'o' },
      { op: 'add', path: attribute, value: typed('other', 'o') },
      { op: 'add', path: `${attribute}[type eq "other" and primary eq "True"]`, value: { value: 'o' } },
      { op: 'add', value: { [attribute]: typed('other', 'o') } },
      { op: 'add', value: { [at('other')]: 'o' } },
    ]) {
      const { id } = await newPerson();
      expect([operation, await change(id, operation)]).toEqual([operation, { status: 200, value: one('o', 'other') }]);
      const another = `${operation.op} again`;
      expect(await change(id, { op: 'replace', path: at('other'), value: another })).toMatchObject({
        value: one(another, 'other'),
      });
    }
  });

  it('is that of type work, once there is one; another type does not replace it', async () => {
    const { id } = await newPerson({ [attribute]: typed('other', 'o') });
    expect(await change(id, { op: 'add', path: at('home'), value: 'h' })).toMatchObject({ value: one('o', 'other') });
    expect(await change(id, { op: 'add', path: at('work'), value: 'w' })).toMatchObject({ value: one('w') });
    expect(await change(id, { op: 'replace', path: at('other'), value: 'x' })).toMatchObject({
      status: 200,
      value: one('w'),
    });
    expect(await change(id, { op: 'remove', path: `${attribute}[type eq "other"]` })).toMatchObject({
      value: one('w'),
    });
  });

  it('can be given another type', async () => {
    const { id } = await newPerson({ [attribute]: typed('home', 'h') });
    expect(await change(id, { op: 'replace', path: `${attribute}[type eq "home"].type`, value: 'Work' })).toMatchObject(
      {
        value: one('h'),
      },
    );
    expect(
      await change(id, { op: 'replace', path: `${attribute}[type eq "work"].primary`, value: 'True' }),
    ).toMatchObject({
      value: one('h'),
    });
    expect(await change(id, { op: 'replace', path: `${attribute}.primary`, value: false })).toMatchObject({
      status: 400,
      scimType: 'mutability',
    });
  });

  it('changes by no filter that selects nothing', async () => {
    const { id, json } = await newPerson({ [attribute]: typed('work', 'w') });
    for (const filter of [
      'value eq "nobody"',
      'type eq "work" and value eq "nobody"',
      'value eq "nobody" and type eq "work"',
      'type eq "mobile" and value eq "w"',
      'type eq "mobile" or type eq "fax"',
      'not (type eq "work")',
      'type ne "work"',
      'type sw "m"',
      'type eq "a" and type eq "b"',
      'type eq "mobile" and primary eq false',
      'type eq null',
    ])
      for (const [op, sub] of [
        ['replace', '.value'],
        ['add', '.value'],
        ['remove', ''],
      ] as const) {
        const path = `${attribute}[${filter}]${sub}`;
        const answer = await change(id, { op, path, value: 'q' });
        expect([path, op, answer]).toEqual([path, op, { status: 400, scimType: 'noTarget', value: undefined }]);
      }
    expect(await read(id)).toEqual(json);
  });

  it('is set by a PUT with its type, and without one it is of type work', async () => {
    const { id, userName } = await newPerson({ [attribute]: typed('mobile', '1') });
    const put = async (value: unknown) =>
      (await scim('PUT', `/Users/${id}`, { userName, [attribute]: value })).json[attribute];
    expect(await put([{ value: '2' }])).toEqual(one('2'));
    expect(await put([...typed('home', '3'), { type: 'fax', value: '4', primary: true }])).toEqual(one('4', 'fax'));
    expect(await put([...typed('work', ''), ...typed('home', '3')])).toEqual(one('3', 'home'));
    expect(await put(undefined)).toBeUndefined();
    expect(await change(id, { op: 'add', path: `${attribute}.value`, value: '5' })).toMatchObject({ value: one('5') });
    expect((await scim('PATCH', `/Users/${id}`, replace(attribute, typed('t'.repeat(51), '6')))).json).toMatchObject({
      scimType: 'invalidValue',
    });
  });
});

describe('preconditions', () => {
  it('If-Match is met by one of its list, in any form', async () => {
    const { id, json } = await newPerson();
    let { version } = json.meta;
    for (const list of [`${version}, W/"99"`, 'W/"77", CURRENT', '"CURRENT"', 'W/"a,b",CURRENT', '*']) {
      const strong = version.slice(3, -1);
      const header = list.replace('"CURRENT"', `"${strong}"`).replace('CURRENT', version);
      const answer = await scim('PATCH', `/Users/${id}`, replace('title', list), { 'if-match': header });
      expect([header, answer.status]).toEqual([header, 200]);
      version = answer.json.meta.version;
    }
    for (const header of ['W/"77", W/"78"', '"x"', 'x', version.slice(3, -1)])
      expect((await scim('DELETE', `/Users/${id}`, undefined, { 'if-match': header })).status).toBe(412);
    expect((await scim('DELETE', `/Users/${id}`, undefined, { 'if-match': `W/"77", ${version}` })).status).toBe(204);
  });

  it('If-None-Match is compared weakly', async () => {
    const { id, json } = await newPerson();
    const { version } = json.meta;
    const group = await newGroup(app.context, `Group ${++count}`, `group-${count}`);
    for (const [path, header, status] of [
      [`/Users/${id}`, version, 304],
      [`/Users/${id}`, version.slice(2), 304],
      [`/Users/${id}`, `"x,y", ${version.slice(2)}`, 304],
      [`/Users/${id}`, '*', 304],
      [`/Users/${id}`, '"77"', 200],
      [`/Groups/${group}`, '"1"', 304],
      [`/Groups/${group}`, '"2"', 200],
    ])
      expect([header, (await scim('GET', path, undefined, { 'if-none-match': header })).status]).toEqual([
        header,
        status,
      ]);
  });
});

describe('the mutability of each attribute in /Schemas is what happens', () => {
  interface Attribute {
    name: string;
    type: string;
    mutability: string;
    multiValued: boolean;
    subAttributes?: Attribute[];
  }
  /** Values that differ, for attributes that are no plain texts. */
  const others: Record<string, unknown> = { active: false, 'emails.primary': false, 'phoneNumbers.primary': false };

  it('of users', async () => {
    const { json } = await scim('GET', '/Schemas');
    const leaves: { path: string; mutability: string }[] = [];
    const collect = (attributes: Attribute[], prefix: string) => {
      for (const { name, mutability, subAttributes } of attributes)
        if (subAttributes) collect(subAttributes, `${prefix}${name}.`);
        else leaves.push({ path: prefix + name, mutability });
    };
    for (const { id, attributes } of json.Resources)
      if (!id.endsWith(':Group')) collect(attributes, id === enterprise ? `${id}:` : '');
    expect(leaves.length).toBeGreaterThan(15);
    for (const { path, mutability } of leaves) {
      const { id } = await newPerson({ ...reached, title: 'T', preferredLanguage: 'de' });
      const value = others[path] ?? 'another';
      const { status } = await scim('PATCH', `/Users/${id}`, replace(path, value));
      const shown = await read(id);
      const parts = path.startsWith(enterprise) ? [enterprise, path.slice(enterprise.length + 1)] : path.split('.');
      // biome-ignore lint/suspicious/noExplicitAny: any part of the answer
      const now = parts.reduce<any>(
        (part, name) => (Array.isArray(part?.[name]) ? part[name][0] : part?.[name]),
        shown,
      );
      if (mutability === 'readWrite') expect([path, status, now]).toEqual([path, 200, value]);
      else {
        expect([path, mutability]).toEqual([path, 'readOnly']);
        expect(now).not.toEqual(value);
      }
    }
  });

  it('of groups: immutable attributes are sent when a group is created, and change no more', async () => {
    const { json } = await scim('GET', '/Schemas/urn:ietf:params:scim:schemas:core:2.0:Group');
    const group = await newGroup(app.context, `Group ${++count}`, `group-${count}`);
    const [{ id }, other] = [await newPerson(), await newPerson()];
    await scim('PUT', `/Groups/${group}`, { members: [{ value: id }] });
    const mutabilities: Record<string, string> = {};
    for (const { name, mutability, subAttributes } of json.attributes as Attribute[]) {
      mutabilities[name] = mutability;
      for (const part of subAttributes ?? []) {
        mutabilities[`${name}.${part.name}`] = part.mutability;
        const path = `${name}[value eq "${id}"].${part.name}`;
        expect((await scim('PATCH', `/Groups/${group}`, replace(path, other.id))).json).toMatchObject({
          status: '400',
          scimType: 'mutability',
        });
      }
    }
    expect(mutabilities).toEqual({
      displayName: 'immutable',
      members: 'readWrite',
      'members.value': 'immutable',
      'members.display': 'readOnly',
      'members.type': 'immutable',
      'members.$ref': 'immutable',
    });
    // a client that leaves out read-only attributes sends the name, and gets the answer that helps
    expect((await scim('POST', '/Groups', { displayName: 'Unknown' })).status).toBe(403);
    expect((await scim('PATCH', `/Groups/${group}`, replace('displayName', 'Another'))).json).toMatchObject({
      scimType: 'mutability',
    });
    expect((await scim('GET', `/Groups/${group}`)).json.members).toMatchObject([{ value: id, type: 'User' }]);
  });
});
