/** Users of SCIM: what a connector creates, reads, changes and deletes, and what it can't. */
import { revokeConnector, rotateConnectorToken } from '../../../src/modules/scim/connectors.js';
import { updateUser } from '../../../src/services/people/users.js';
import { issueAdminToken } from '../../../src/services/tokens/operatorTokens.js';
import { startTestApp, type TestApp } from '../../support/app.js';
import { openClient } from '../../support/cluster.js';
import { newConnector, newGroup, type Scim, scimOf } from '../../support/connectors.js';
import { insert, linkProfile, newProfile, newUser, systemUser } from '../../support/records.js';

let app: TestApp;
let scim: Scim;
let token: string;
let guid: string;

beforeAll(async () => {
  app = await startTestApp();
  ({ scim, token, guid } = await newConnector(app.context, app.url, 'entra', { idpname: 'names' }));
});

const enterprise = 'urn:ietf:params:scim:schemas:extension:enterprise:2.0:User';
const userBody = (userName: string, more: object = {}) => ({
  schemas: ['urn:ietf:params:scim:schemas:core:2.0:User', enterprise],
  userName,
  externalId: `id of ${userName}`,
  active: true,
  ...more,
});
const patch = (...Operations: object[]) => ({ schemas: ['urn:ietf:params:scim:api:messages:2.0:PatchOp'], Operations });
const newScimUser = async (userName: string, more: object = {}) =>
  (await scim('POST', '/Users', userBody(userName, more))).json;

it('a new user has all that was sent, in the record too', async () => {
  const { status, headers, json } = await scim(
    'POST',
    '/Users',
    userBody('ada@acme.com', {
      name: { givenName: 'Ada', familyName: 'Lovelace', honorificPrefix: 'Dr.' },
      title: 'Analyst',
      preferredLanguage: 'en-GB',
      emails: [
        { value: 'home@ada.org', type: 'home' },
        { value: 'ada@acme.com', type: 'work', primary: true },
      ],
      phoneNumbers: [{ value: '+44 1', type: 'work' }],
      [enterprise]: { department: 'Engines', employeeNumber: '1' },
    }),
  );
  expect({ status, type: headers.get('content-type') }).toEqual({ status: 201, type: 'application/scim+json' });
  expect(headers.get('location')).toBe(json.meta.location);
  expect(headers.get('etag')).toBe(json.meta.version);
  const expected = {
    schemas: ['urn:ietf:params:scim:schemas:core:2.0:User', enterprise],
    id: expect.any(String),
    externalId: 'id of ada@acme.com',
    userName: 'ada@acme.com',
    name: { formatted: 'Dr. Ada Lovelace', familyName: 'Lovelace', givenName: 'Ada', honorificPrefix: 'Dr.' },
    displayName: 'Ada Lovelace',
    title: 'Analyst',
    preferredLanguage: 'en-GB',
    emails: [{ value: 'ada@acme.com', type: 'work', primary: true }],
    phoneNumbers: [{ value: '+44 1', type: 'work', primary: true }],
    active: true,
    [enterprise]: { department: 'Engines' },
    meta: expect.objectContaining({ resourceType: 'User', location: `${app.url}/scim/v2/Users/${json.id}` }),
  };
  expect(json).toEqual(expected);
  expect((await scim('GET', `/Users/${json.id}`)).json).toEqual(expected);
  const [row] = await app.context.sql.rows('select * from users where user_guid = $1', [json.id]);
  expect(row).toMatchObject({
    idpname: 'names',
    idpid: 'id of ada@acme.com',
    user_name: 'ada@acme.com',
    title: 'Dr.',
    job_title: 'Analyst',
    department: 'Engines',
    is_blocked: false,
    created_by: guid,
  });
});

it('a user is found by the name that was sent, also with a letter that JavaScript and PostgreSQL lower differently', async () => {
  const { id, userName } = await newScimUser('İsmail@acme.com', { title: 'İşçi' });
  const idsBy = async (filter: string) => {
    const { json } = await scim('GET', `/Users?filter=${encodeURIComponent(filter)}`);
    return json.Resources.map((user: { id: string }) => user.id);
  };
  for (const filter of [`userName eq "${userName}"`, 'title eq "İşçi"', 'userName sw "İs"', 'title co "İş"'])
    expect([filter, await idsBy(filter)]).toEqual([filter, [id]]);
});

it('a PATCH of the enterprise extension may repeat the schema inside it, as the client of python-scim does', async () => {
  const { id } = await newScimUser('extension@acme.com');
  const operation = { op: 'add', path: enterprise, value: { schemas: [enterprise], department: 'Engines' } };
  const { status, json } = await scim('PATCH', `/Users/${id}`, patch(operation));
  expect({ status, json }).toMatchObject({ status: 200, json: { [enterprise]: { department: 'Engines' } } });
});

it.each([
  'userName',
  'externalId',
  'active',
  'title',
  'id',
])('%s nested in 20,000 lists is refused, never an error of ours', async (name) => {
  const { id } = await newScimUser(`nested-${name}`);
  const value = `${'['.repeat(20_000)}${']'.repeat(20_000)}`;
  const others = name === 'userName' ? '' : '"userName":"nested",';
  const users = [
    await scim('PUT', `/Users/${id}`, `{${others}"${name}":${value}}`),
    await scim('PATCH', `/Users/${id}`, `{"Operations":[{"op":"replace","path":"${name}","value":${value}}]}`),
  ];
  expect(users.map(({ status }) => status)).toEqual([400, 400]);
});

it('the schema says readOnly of what no request can set', async () => {
  const { json } = await scim('GET', '/Schemas/urn:ietf:params:scim:schemas:core:2.0:User');
  type Attribute = { name: string; mutability: string; subAttributes?: Attribute[] };
  const namesOf = (attributes: Attribute[], prefix = ''): string[] =>
    attributes.flatMap(({ name, mutability, subAttributes = [] }) => [
      ...(mutability === 'readOnly' ? [prefix + name] : []),
      ...namesOf(subAttributes, `${prefix}${name}.`),
    ]);
  expect(namesOf(json.attributes)).toEqual(['name.formatted', 'displayName', 'emails.primary', 'phoneNumbers.primary']);
});

it('a second user of the same userName, in any case, or the same externalId is a conflict of uniqueness', async () => {
  await newScimUser('twice');
  for (const body of [
    userBody('TWICE', { externalId: 'another' }),
    userBody('another', { externalId: 'id of twice' }),
  ]) {
    const { status, json } = await scim('POST', '/Users', body);
    expect({ status, json }).toMatchObject({ status: 409, json: { status: '409', scimType: 'uniqueness' } });
  }
});

it('the requests of a connector are change sets of its own', async () => {
  const { id } = await newScimUser('audited');
  await scim('PATCH', `/Users/${id}`, patch({ op: 'replace', path: 'title', value: 'Lead' }));
  const sets = await app.context.sql.rows(
    `select face, audit_events.actor::text, action, detail from audit_events join change_sets using (change_set_id)
     where subject_id = $1 order by audit_event_id`,
    [id],
  );
  expect(sets).toEqual([
    { face: 'scim', actor: guid, action: 'create', detail: null },
    { face: 'scim', actor: guid, action: 'update', detail: { fields: ['jobTitle'] } },
  ]);
  const record = await app.context.sql.rows('select modified_by::text from users where user_guid = $1', [id]);
  expect(record).toEqual([{ modified_by: guid }]);
});

it('a PATCH sets, adds and removes attributes, and leaves the others', async () => {
  const { id } = await newScimUser('patched', {
    title: 'Analyst',
    name: { givenName: 'Pat' },
    emails: [{ value: 'a@b.c', type: 'work' }],
  });
  const { status, json } = await scim(
    'PATCH',
    `/Users/${id}`,
    patch(
      { op: 'replace', path: 'name.familyName', value: 'Ched' },
      { op: 'remove', path: 'title' },
      { op: 'replace', path: 'emails[type eq "work"].value', value: 'd@e.f' },
      { op: 'add', value: { preferredLanguage: 'de', [`${enterprise}:department`]: 'Ops' } },
      { op: 'add', path: `${enterprise}:manager`, value: 'nobody' },
      { op: 'replace', path: 'phoneNumbers[type eq "mobile"].value', value: '+49' },
    ),
  );
  expect(status).toBe(200);
  expect(json).toMatchObject({
    name: { givenName: 'Pat', familyName: 'Ched' },
    preferredLanguage: 'de',
    emails: [{ value: 'd@e.f' }],
    phoneNumbers: [{ value: '+49', type: 'mobile' }],
    [enterprise]: { department: 'Ops' },
  });
  expect(json).not.toHaveProperty('title');
});

it('an added address of another type leaves that of type work; the first address of any type is kept', async () => {
  const add = async (id: string, path: string, value: unknown) => {
    await scim('PATCH', `/Users/${id}`, patch({ op: 'add', path, value }));
    return (await scim('GET', `/Users/${id}`)).json[path]?.map((contact: { value: string }) => contact.value);
  };
  const { id } = await newScimUser('adds@x.y', { emails: [{ value: 'work@x.y', type: 'work' }] });
  expect(await add(id, 'emails', [{ value: 'home@x.y', type: 'home', primary: true }])).toEqual(['work@x.y']);
  expect(await add(id, 'emails', { value: 'home@x.y', type: 'Other' })).toEqual(['work@x.y']);
  expect(
    await add(id, 'emails', [
      { value: 'home@x.y', type: 'home' },
      { value: 'new@x.y', type: 'Work' },
    ]),
  ).toEqual(['new@x.y']);
  expect(await add(id, 'emails', [{ value: 'untyped@x.y' }])).toEqual(['untyped@x.y']);
  expect(await add(id, 'phoneNumbers', [{ value: '1', type: 'mobile' }])).toEqual(['1']);
  await scim(
    'PATCH',
    `/Users/${id}`,
    patch({ op: 'remove', path: 'emails' }, { op: 'add', value: { emails: [{ value: 'home@x.y', type: 'home' }] } }),
  );
  expect((await scim('GET', `/Users/${id}`)).json.emails[0].value).toBe('home@x.y');
});

it('a PUT replaces the whole user, except active and externalId where they are absent', async () => {
  const user = await newScimUser('put', { title: 'Analyst', name: { givenName: 'Put' } });
  await scim('PATCH', `/Users/${user.id}`, patch({ op: 'replace', path: 'active', value: false }));
  const { json } = await scim('PUT', `/Users/${user.id}`, { userName: 'put', name: { familyName: 'Down' } });
  expect(json).toMatchObject({
    externalId: 'id of put',
    active: false,
    name: { formatted: 'Down', familyName: 'Down' },
  });
  expect(json).not.toHaveProperty('title');
});

it('active: false blocks the user and ends the sessions; true lets the user in again', async () => {
  const { id } = await newScimUser('blocked');
  const isBlocked = async () =>
    (await app.context.sql.rows('select is_blocked from users where user_guid = $1', [id]))[0];
  const session = await insert<{ id: string }>(app.context.sql, 'tokens', {
    token_guid: id,
    user_id: id,
    profile_id: 'p',
    token: Buffer.from('x'),
    created_at: new Date(),
    started_at: new Date(),
    expires_at: new Date(Date.now() + 1e6),
  });
  const { json } = await scim('PATCH', `/Users/${id}`, patch({ op: 'Replace', path: 'active', value: 'False' }));
  expect(json.active).toBe(false);
  expect(await isBlocked()).toEqual({ is_blocked: true });
  expect(await app.context.sql.rows('select is_revoked from tokens where id = $1', [session.id])).toEqual([
    { is_revoked: true },
  ]);
  await scim('PATCH', `/Users/${id}`, patch({ op: 'replace', value: { active: true } }));
  expect(await isBlocked()).toEqual({ is_blocked: false });
});

it('a deleted user is blocked and is gone from SCIM; the record stays, and comes back with the same id at the provider', async () => {
  const { id } = await newScimUser('deleted', { title: 'Analyst' });
  expect((await scim('DELETE', `/Users/${id}`)).status).toBe(204);
  for (const method of ['GET', 'DELETE']) expect((await scim(method, `/Users/${id}`)).status).toBe(404);
  expect((await scim('PATCH', `/Users/${id}`, patch({ op: 'replace', path: 'active', value: true }))).status).toBe(404);
  expect((await scim('GET', `/Users?filter=externalId eq "id of deleted"`)).json.totalResults).toBe(0);
  const [row] = await app.context.sql.rows('select is_blocked, job_title from users where user_guid = $1', [id]);
  expect(row).toEqual({ is_blocked: true, job_title: 'Analyst' });
  const back = await newScimUser('deleted');
  expect(back).toMatchObject({ id, active: true, userName: 'deleted' });
  expect(back).not.toHaveProperty('title');
});

it('a deleted user whom an administrator unblocked is the connector’s again: it blocks and unblocks the user', async () => {
  const { id } = await newScimUser('unblocked');
  await scim('DELETE', `/Users/${id}`);
  await updateUser(app.context, id, { isBlocked: false });
  for (const active of [false, true]) {
    const { status, json } = await scim(
      'PATCH',
      `/Users/${id}`,
      patch({ op: 'replace', path: 'active', value: active }),
    );
    expect({ status, active: json.active }).toEqual({ status: 200, active });
    expect((await scim('GET', `/Users/${id}`)).json).toMatchObject({ id, active });
  }
});

it('a deleted user whom an administrator unblocked, and blocked again, is one who is not active', async () => {
  const { id } = await newScimUser('blocked-again');
  await scim('DELETE', `/Users/${id}`);
  for (const isBlocked of [false, true]) await updateUser(app.context, id, { isBlocked });
  expect((await scim('GET', `/Users/${id}`)).json).toMatchObject({ id, active: false });
});

describe('a block of an administrator', () => {
  const put = (id: string, name: string, more: object) => scim('PUT', `/Users/${id}`, userBody(name, more));
  const block = (id: string, isBlocked = true) => updateUser(app.context, id, { isBlocked });

  it('stays when a PUT repeats what the connector said last, and ends when it says active anew', async () => {
    const { id } = await newScimUser('kept-block');
    await block(id);
    const { json } = await put(id, 'kept-block', { title: 'Lead' });
    expect(json).toMatchObject({ title: 'Lead', active: false });
    expect((await scim('GET', `/Users/${id}`)).json.active).toBe(false);
    for (const active of [false, true])
      expect((await put(id, 'kept-block', { active })).json).toMatchObject({ id, active });
  });

  it('stays after each way in which the connector said it', async () => {
    const imported = async (name: string) =>
      (await newUser(app.context, { idpname: 'names', idpid: `id of ${name}` })).user_guid;
    const ways: [string, (id: string) => Promise<unknown>][] = [
      ['a-put', (id) => put(id, 'a-put', {})],
      ['a-patch', (id) => scim('PATCH', `/Users/${id}`, patch({ op: 'replace', path: 'active', value: true }))],
      [
        'a-return',
        async (id) => {
          await scim('DELETE', `/Users/${id}`);
          await newScimUser('a-return');
        },
      ],
    ];
    for (const [name, say] of ways) {
      const id = await imported(name);
      await say(id);
      await block(id);
      expect((await put(id, name, {})).json).toMatchObject({ id, active: false });
    }
  });

  it('stays when a PUT repeats the active that a POST without it answered', async () => {
    const post = () => newScimUser('default-active', { active: undefined });
    const { id, active } = await post();
    expect(active).toBe(true);
    await block(id);
    expect((await put(id, 'default-active', {})).json).toMatchObject({ id, active: false });
    await scim('DELETE', `/Users/${id}`);
    expect(await post()).toMatchObject({ id, active: true });
    await block(id);
    expect((await put(id, 'default-active', {})).json).toMatchObject({ id, active: false });
  });

  it('ends by any PATCH that says active', async () => {
    const { id } = await newScimUser('patched-block');
    await block(id);
    const { json } = await scim('PATCH', `/Users/${id}`, patch({ op: 'replace', path: 'active', value: true }));
    expect(json.active).toBe(true);
  });

  it('ends by a PUT of a connector that never said whether the user is active', async () => {
    const { user_guid: id } = await newUser(app.context, { idpname: 'names', idpid: 'never said', is_blocked: true });
    expect((await put(id, 'never-said', { externalId: 'never said' })).json.active).toBe(true);
    const { id: other } = await newScimUser('came-back');
    await scim('DELETE', `/Users/${other}`);
    await newScimUser('came-back', { active: undefined });
    expect((await put(other, 'came-back', { active: false })).json.active).toBe(false);
  });

  it('stays after what the connector said meanwhile to a process of 1.0.0-rc.1', async () => {
    const { id } = await newScimUser('mixed-versions', { active: false });
    const client = await openClient(app.database.url);
    const tellOther = async (active: boolean) => {
      await client.query('begin');
      await client.query(`select set_config('gatehouse.change', '{"face": "scim"}', true)`);
      await client.query('update users set is_blocked = $2 where user_guid = $1', [id, !active]);
      await client.query('commit');
    };
    await tellOther(true);
    expect((await put(id, 'mixed-versions', { active: false })).json).toMatchObject({ id, active: false });
    await tellOther(true);
    await block(id);
    expect((await put(id, 'mixed-versions', { active: true })).json).toMatchObject({ id, active: false });
  });

  it('stays after what the connector said to 1.0.0-rc.1, as the history has it', async () => {
    const forget = (id: string) =>
      app.context.sql.rows('update users set provisioned_active = null where user_guid = $1', [id]);
    const { id } = await newScimUser('from-history');
    await block(id);
    await forget(id);
    expect((await put(id, 'from-history', {})).json).toMatchObject({ id, active: false });
    const { id: other } = await newScimUser('history-too');
    await put(other, 'history-too', { active: false });
    await block(other, false);
    await forget(other);
    expect((await put(other, 'history-too', { active: false })).json).toMatchObject({ id: other, active: true });
  });

  it('and what an administrator unblocked stays, too', async () => {
    const { id } = await newScimUser('let-in', { active: false });
    await block(id, false);
    expect((await put(id, 'let-in', { active: false })).json.active).toBe(true);
  });

  it('and to say what is so already is no change', async () => {
    const { user_guid: id } = await newUser(app.context, {
      idpname: 'names',
      idpid: 'id of no-change',
      user_name: 'no-change',
    });
    const revision = async () =>
      (await app.context.sql.rows('select revision from users where user_guid = $1', [id]))[0];
    await put(id, 'no-change', { active: undefined });
    const before = await revision();
    for (let n = 0; n < 2; n++) expect((await put(id, 'no-change', {})).status).toBe(200);
    expect(await revision()).toEqual(before);
  });
});

it('a new person with the name of a deleted one is another user', async () => {
  const { id } = await newScimUser('reused');
  await scim('DELETE', `/Users/${id}`);
  const other = await newScimUser('reused', { externalId: 'somebody else' });
  expect(other.userName).toBe('reused');
  expect(other.id).not.toBe(id);
});

it('users of another identity provider are not there', async () => {
  const { user_guid: id } = await newUser(app.context, { idpname: 'guids', idpid: 'elsewhere' });
  const { scim: other } = await newConnector(app.context, app.url, 'other', { idpname: 'elsewhere' });
  const own = await newScimUser('mine');
  for (const [from, path] of [
    [scim, id],
    [other, own.id],
  ] as const) {
    expect((await from('GET', `/Users/${path}`)).status).toBe(404);
    expect((await from('PUT', `/Users/${path}`, userBody('taken'))).status).toBe(404);
    expect((await from('DELETE', `/Users/${path}`)).status).toBe(404);
  }
  expect((await other('GET', '/Users')).json).toMatchObject({ totalResults: 0, Resources: [] });
});

it('a user who was imported is found by e-mail address or id at the provider as long as nobody provisioned a name', async () => {
  const { user_guid: id } = await newUser(app.context, {
    idpname: 'names',
    idpid: 'imported-1',
    email: 'Imported@acme.com',
  });
  const { json } = await scim('GET', '/Users?filter=userName eq "imported@acme.com"');
  expect(json.Resources).toEqual([
    expect.objectContaining({ id, userName: 'Imported@acme.com', externalId: 'imported-1' }),
  ]);
  await scim('PATCH', `/Users/${id}`, patch({ op: 'replace', path: 'userName', value: 'imported' }));
  expect((await scim('GET', '/Users?filter=userName eq "imported@acme.com"')).json.totalResults).toBe(0);
  expect((await scim('GET', '/Users?filter=emails.value eq "imported@acme.com"')).json.totalResults).toBe(1);
});

describe('an administrator', () => {
  const newAdministrator = async (userName: string): Promise<string> => {
    const { id } = await newScimUser(userName);
    const [user] = await app.context.sql.rows<{ user_id: number }>('select user_id from users where user_guid = $1', [
      id,
    ]);
    const [type] = await app.context.sql.rows<{ access_scope_id: number }>(
      "select access_scope_id from access_scopes where access_scope_guid = 'ad300000-0000-4000-8000-000000000002'",
    );
    const profileId = await newProfile(app.context);
    await insert(app.context.sql, 'profile_access_scopes', {
      profile_id: profileId,
      access_scope_id: type!.access_scope_id,
      created_by: systemUser,
    });
    await linkProfile(app.context, user!.user_id, profileId, 'member');
    return id;
  };

  it('can be blocked and deleted by a connector', async () => {
    const id = await newAdministrator('admin-1');
    expect((await scim('PATCH', `/Users/${id}`, patch({ op: 'replace', path: 'active', value: false }))).status).toBe(
      200,
    );
    expect((await scim('DELETE', `/Users/${id}`)).status).toBe(204);
  });

  it('can not be unblocked, be given another id to sign in by, or come back after a deletion', async () => {
    const id = await newAdministrator('admin-2');
    const rename = await scim('PATCH', `/Users/${id}`, patch({ op: 'replace', path: 'externalId', value: 'mine' }));
    expect({ status: rename.status, json: rename.json }).toMatchObject({
      status: 403,
      json: { status: '403', detail: expect.stringContaining('administration scopes') },
    });
    await scim('PATCH', `/Users/${id}`, patch({ op: 'replace', path: 'active', value: false }));
    expect((await scim('PATCH', `/Users/${id}`, patch({ op: 'replace', path: 'active', value: true }))).status).toBe(
      403,
    );
    await scim('DELETE', `/Users/${id}`);
    expect((await scim('POST', '/Users', userBody('admin-2'))).status).toBe(403);
    // what else is said of the person is the provider's to say
    const other = await newAdministrator('admin-3');
    expect(
      (await scim('PATCH', `/Users/${other}`, patch({ op: 'replace', path: 'title', value: 'Boss' }))).status,
    ).toBe(200);
  });
});

describe('a list', () => {
  const lines = ['list-a', 'list-b', 'list-c'];
  let listed: Scim;
  beforeAll(async () => {
    ({ scim: listed } = await newConnector(app.context, app.url, 'lists'));
    for (const [index, name] of lines.entries())
      await listed(
        'POST',
        '/Users',
        userBody(name, {
          active: index !== 1,
          title: index === 2 ? undefined : 'T "quoted"',
          emails: [{ value: `${name}@x.y`, type: 'work' }],
        }),
      );
  });
  const named = async (filter: string) => {
    const { json } = await listed('GET', `/Users?filter=${encodeURIComponent(filter)}`);
    return json.Resources?.map((each: { userName: string }) => each.userName) ?? json;
  };

  it.each([
    ['userName eq "LIST-A"', ['list-a']],
    ['urn:ietf:params:scim:schemas:core:2.0:User:userName eq "list-a"', ['list-a']],
    ['userName ne "list-a"', ['list-b', 'list-c']],
    ['userName sw "list-" and active eq true', ['list-a', 'list-c']],
    ['userName co "t-b" or userName ew "-c"', ['list-b', 'list-c']],
    ['externalId eq "id of list-a"', ['list-a']],
    ['externalId eq "ID OF LIST-A"', []],
    ['not (active eq true)', ['list-b']],
    ['title pr', ['list-a', 'list-b']],
    ['not (title pr)', ['list-c']],
    ['title eq "t \\"quoted\\""', ['list-a', 'list-b']],
    ['title eq null', ['list-c']],
    ['emails[type eq "work" and value eq "list-b@x.y"]', ['list-b']],
    ['emails[type eq "work"].value eq "list-b@x.y"', ['list-b']],
    ['emails[type eq "home"]', []],
    [
      'userName eq "list-a" or (userName eq "list-b" and active eq true) or title ne "T \\"quoted\\""',
      ['list-a', 'list-c'],
    ],
    ['id eq "00000000-0000-0000-0000-000000000000"', []],
    ['id eq "not a guid"', []],
  ])('filtered by %s has %j', async (filter, expected) => {
    expect(await named(filter)).toEqual(expected);
  });

  it.each(
    [
      '',
      'userName',
      'userName eq',
      'userName eq x',
      'userName eq "x',
      'userName xx "a"',
      'password eq "a"',
      '(userName pr',
      'userName pr)',
      'meta.lastModified gt "2020"',
      'active eq "True"',
      'active sw true',
      'userName eq 1',
      `${'('.repeat(30)}userName pr${')'.repeat(30)}`,
      Array(200).fill('userName pr').join(' or '),
      `userName eq "${'x'.repeat(9_000)}"`,
    ].slice(1),
  )('with the filter %s is refused as invalidFilter', async (filter) => {
    const { status, json } = await listed('GET', `/Users?filter=${encodeURIComponent(filter)}`);
    expect({ status, json }).toMatchObject({ status: 400, json: { scimType: 'invalidFilter' } });
  });

  it('comes in pages, which say how many there are', async () => {
    const page = async (query: string) => {
      const { json } = await listed('GET', `/Users?attributes=userName&${query}`);
      return [
        json.totalResults,
        json.startIndex,
        json.itemsPerPage,
        ...json.Resources.map((each: { userName: string }) => each.userName),
      ];
    };
    expect(await page('startIndex=2&count=1')).toEqual([3, 2, 1, 'list-b']);
    expect(await page('startIndex=0&count=2')).toEqual([3, 1, 2, 'list-a', 'list-b']);
    expect(await page('count=0')).toEqual([3, 1, 0]);
    expect(await page('count=-5')).toEqual([3, 1, 0]);
    expect(await page('startIndex=100')).toEqual([3, 100, 0]);
    expect((await listed('GET', '/Users?count=x')).json).toMatchObject({ scimType: 'invalidValue' });
  });

  it('has only the attributes that are wanted', async () => {
    const one = async (query: string) =>
      (await listed('GET', `/Users?filter=userName eq "list-a"&${query}`)).json.Resources[0];
    expect(Object.keys(await one('attributes=userName,name.givenName')).sort()).toEqual([
      'id',
      'meta',
      'schemas',
      'userName',
    ]);
    expect(Object.keys(await one('excludedAttributes=emails,active,displayName')).sort()).toEqual([
      'externalId',
      'id',
      'meta',
      'schemas',
      'title',
      'userName',
    ]);
    expect((await one('attributes=emails.value')).emails).toEqual([{ value: 'list-a@x.y' }]);
    expect((await listed('GET', '/Users?attributes=a&excludedAttributes=b')).status).toBe(400);
    for (const twice of ['attributes=id&attributes=title', 'excludedAttributes=emails&excludedAttributes=title'])
      for (const path of ['/Users', '/Groups'])
        expect((await listed('GET', `${path}?${twice}`)).json).toMatchObject({
          status: '400',
          scimType: 'invalidValue',
        });
  });
});

it('a version is read and changed once: If-None-Match gives 304, an old If-Match 412', async () => {
  const { id, meta } = await newScimUser('versioned');
  expect((await scim('GET', `/Users/${id}`, undefined, { 'if-none-match': meta.version })).status).toBe(304);
  const change = (value: string) =>
    scim('PATCH', `/Users/${id}`, patch({ op: 'replace', path: 'title', value }), { 'if-match': meta.version });
  const first = await change('one');
  expect(first.status).toBe(200);
  expect(first.json.meta.version).not.toBe(meta.version);
  expect((await change('two')).json).toMatchObject({ status: '412' });
  expect((await scim('DELETE', `/Users/${id}`, undefined, { 'if-match': 'W/"x"' })).status).toBe(412);
  expect((await scim('GET', `/Users/${id}`)).json.title).toBe('one');
});

it('each answer with one resource says where the resource is and which version it has', async () => {
  const body = userBody('located');
  const created = await scim('POST', '/Users', body);
  const path = `/Users/${created.json.id}`;
  const profileId = await newGroup(app.context, 'Located');
  const answers = [
    created,
    await scim('GET', path),
    await scim('PUT', path, body),
    await scim('PATCH', path, patch({ op: 'replace', path: 'title', value: 'x' })),
    await scim('GET', `/Groups/${profileId}`),
    await scim('PUT', `/Groups/${profileId}`, {}),
  ];
  for (const { headers, json } of answers) {
    expect(headers.get('content-type')).toBe('application/scim+json');
    expect(headers.get('location')).toBe(json.meta.location);
    expect(headers.get('etag')).toBe(json.meta.version);
  }
});

it('active that is null is as if it were absent', async () => {
  const { id, active } = await newScimUser('unassigned', { active: null });
  expect(active).toBe(true);
  await scim('PATCH', `/Users/${id}`, patch({ op: 'replace', path: 'active', value: false }));
  expect((await scim('PUT', `/Users/${id}`, userBody('unassigned', { active: null }))).json.active).toBe(false);
});

it.each([
  ['GET', '/Users?filter=userName eq "a\\u0000b" or title co "\\u0000"', undefined, 200],
  ['GET', '/Groups?filter=displayName sw "\\u0000"', undefined, 200],
  ['GET', '/Users/%00', undefined, 404],
  ['GET', '/Groups/%00', undefined, 404],
  ['PUT', '/Groups/a%00b', { members: [] }, 404],
  ['PATCH', '/Groups/a%00b', patch({ op: 'remove', path: 'members' }), 404],
  ['DELETE', '/Groups/a%00b', undefined, 404],
  ['POST', '/Groups', { displayName: 'a\0b' }, 403],
])('nothing has a NUL in its name: %s %s', async (method, path, body, status) => {
  const answer = await scim(method, path, body);
  expect(answer.status).toBe(status);
  if (status === 200) expect(answer.json.totalResults).toBe(0);
});

it('no answer is kept by a cache that others share, or used unasked', async () => {
  const { id } = await newScimUser('uncached');
  const unknown = scimOf(app.url, 'unknown');
  const answers = [
    await scim('GET', `/Users/${id}`),
    await scim('GET', '/Users'),
    await scim('GET', '/Groups'),
    await scim('GET', '/Schemas'),
    await scim('POST', '/Users', userBody('uncached')),
    await scim('GET', '/Users/unknown'),
    await scim('GET', '/unknown'),
    await scim('POST', '/Bulk', {}),
    await unknown('GET', '/Users'),
    await scim('DELETE', `/Users/${id}`),
  ];
  expect(answers.map(({ status, headers }) => [status, headers.get('cache-control')])).toEqual(
    [200, 200, 200, 200, 409, 404, 404, 501, 401, 204].map((status) => [status, 'private, no-cache']),
  );
});

it.each([
  ['no JSON', '{', 'invalidSyntax'],
  ['a list', [], 'invalidSyntax'],
  ['no userName', { externalId: 'x' }, 'invalidValue'],
  ['a number as name', { userName: 5 }, 'invalidValue'],
  ['active that is neither', userBody('faulty', { active: 'maybe' }), 'invalidValue'],
  ['a name that is too long', userBody('f'.repeat(321)), 'invalidValue'],
  ['a NUL', userBody('faulty\0'), 'invalidValue'],
])('a new user with %s is refused', async (_what, body, scimType) => {
  const { status, json } = await scim('POST', '/Users', body);
  expect({ status, json }).toMatchObject({
    status: 400,
    json: { schemas: ['urn:ietf:params:scim:api:messages:2.0:Error'], status: '400', scimType },
  });
});

it.each([
  ['without operations', { Operations: [] }, 'invalidSyntax'],
  ['with another op', patch({ op: 'move', path: 'title' }), 'invalidSyntax'],
  ['of an attribute that there is not', patch({ op: 'replace', path: 'shoeSize', value: '9' }), 'invalidPath'],
  ['with a path that is none', patch({ op: 'replace', path: 'emails[', value: '9' }), 'invalidPath'],
  ...['type xx "work"', 'value gt "a"', 'type eq work', 'type eq "work" value', ''].map(
    (filter): [string, object, string] => [
      `with a filter of a path that is none: [${filter}]`,
      patch({ op: 'replace', path: `emails[${filter}].value`, value: '9' }),
      'invalidFilter',
    ],
  ),
  ['that removes nothing', patch({ op: 'remove' }), 'noTarget'],
  [
    'of an address that nobody has',
    patch({ op: 'replace', path: 'emails[value eq "x"].value', value: 'y' }),
    'noTarget',
  ],
  ['of the id', patch({ op: 'replace', path: 'id', value: 'x' }), 'mutability'],
  ['of the id among others', patch({ op: 'replace', value: { title: 'Dr', id: 'x' } }), 'mutability'],
  ['that takes the name', patch({ op: 'remove', path: 'userName' }), 'mutability'],
])('a PATCH %s is refused, and changes nothing', async (_what, body, scimType) => {
  const { id, meta } = await newScimUser(`refused ${_what}`);
  const { status, json } = await scim('PATCH', `/Users/${id}`, body);
  expect({ status, json }).toMatchObject({ status: 400, json: { scimType } });
  expect((await scim('GET', `/Users/${id}`)).json.meta.version).toBe(meta.version);
});

describe('a caller', () => {
  it('needs the token of a connector, and the administration refuses that token', async () => {
    for (const authorization of [undefined, 'Bearer x', `Bearer gatehouse_scim_${'x'.repeat(43)}`, `DPoP ${token}`]) {
      const response = await fetch(`${app.url}/scim/v2/Users`, { headers: authorization ? { authorization } : {} });
      expect(response.status).toBe(401);
      expect(response.headers.get('www-authenticate')).toMatch(/^Bearer/);
      expect(await response.json()).toMatchObject({ status: '401' });
    }
    const headers = { authorization: `Bearer ${token}`, 'api-version': '1.0' };
    expect((await fetch(`${app.url}/api/applications`, { headers })).status).toBe(401);
    expect((await app.post('/graphql', { query: '{ users { totalCount } }' }, headers)).status).toBe(401);
  });

  it('keeps the previous token for the hours that were asked for, and none after a revocation', async () => {
    const { token: first } = await newConnector(app.context, app.url, 'rotated');
    const { token: second } = await rotateConnectorToken(app.context, 'rotated', 1);
    const { token: third } = await rotateConnectorToken(app.context, 'rotated', 1);
    const statuses = async () =>
      Promise.all([first, second, third].map(async (each) => (await scimOf(app.url, each)('GET', '/Users')).status));
    expect(await statuses()).toEqual([401, 200, 200]);
    await app.context.sql.rows("update connectors set previous_token_ends_at = now() where connector_id = 'rotated'");
    expect(await statuses()).toEqual([401, 401, 200]);
    await revokeConnector(app.context, 'rotated');
    expect(await statuses()).toEqual([401, 401, 401]);
    expect(app.logged()).not.toContain(third);
  });

  it('finds out what there is', async () => {
    const read = async (path: string) => (await scim('GET', path)).json;
    expect(await read('/ServiceProviderConfig')).toMatchObject({
      patch: { supported: true },
      bulk: { supported: false },
      filter: { supported: true, maxResults: 200 },
      etag: { supported: true },
      sort: { supported: false },
    });
    expect((await read('/ResourceTypes')).Resources.map((each: { id: string }) => each.id)).toEqual(['User', 'Group']);
    for (const { id } of (await read('/Schemas')).Resources) expect(await read(`/Schemas/${id}`)).toMatchObject({ id });
    for (const path of ['/Schemas', '/ResourceTypes', '/ResourceTypes/User', '/ServiceProviderConfig']) {
      expect((await scim('GET', `${path}?filter=id eq "User"`)).json).toMatchObject({ status: '403' });
      expect((await scim('GET', `${path}?filter=&startIndex=2&count=1&sortBy=id`)).status).toBe(200);
    }
    for (const path of ['/Bulk', '/.search', '/Users/.search', '/Groups/.search'])
      expect((await scim('POST', path, {})).json).toMatchObject({ status: '501' });
    expect((await scim('GET', '/Nothing')).json).toMatchObject({ status: '404' });
    expect((await scim('DELETE', '/Users')).json).toMatchObject({ status: '405' });
    expect((await scim('POST', '/Users', '<user/>', { 'content-type': 'text/xml' })).json).toMatchObject({
      status: '415',
    });
    expect((await scim('POST', '/Users', userBody('x'.repeat(1_100_000)))).json).toMatchObject({ status: '413' });
  });
});

it('a connector sees no profile that is no group', async () => {
  await newProfile(app.context, 'inner');
  await newGroup(app.context, 'Outermost');
  const { json } = await scim('GET', '/Groups');
  const names = json.Resources.map((each: { displayName: string }) => each.displayName);
  expect(names).toContain('Outermost');
  expect(names).not.toContain('inner');
  expect((await scim('GET', '/Groups/inner')).status).toBe(404);
});

it('a look-up by name is two statements: who calls, and who has the name', async () => {
  await newScimUser('looked-up');
  await scim('GET', '/Users?filter=userName eq "looked-up"');
  app.takeStatements();
  expect((await scim('GET', '/Users?filter=userName eq "looked-up"')).json.totalResults).toBe(1);
  expect(app.takeStatements()).toHaveLength(2);
});

it('administrators with admin:security see connectors and their changes in the graph', async () => {
  const scopes = ['admin:read', 'admin:security'];
  const { systemUserGuid: userGuid } = app.context.config;
  const authorization = `Bearer ${await issueAdminToken(app.context, { scopes, minutes: 5, userGuid })}`;
  const query = `{
    connector(connectorId: "entra") { connectorGuid idpname isRevoked lastUsedAt role { roleId } }
    auditEvents(filter: { subjectType: { eq: "Connector" } }, first: 1) { nodes { action record { ... on Connector { connectorId } } } }
  }`;
  const { json } = await app.post('/graphql', { query }, { authorization });
  expect(json.errors).toBeUndefined();
  expect(json.data.connector).toEqual({
    connectorGuid: guid,
    idpname: 'names',
    isRevoked: false,
    lastUsedAt: expect.any(String),
    role: { roleId: 'member' },
  });
  expect(json.data.auditEvents.nodes).toEqual([{ action: 'create', record: { connectorId: 'entra' } }]);
});
