/** Groups of SCIM: profiles with an externalGroup, whose members are the links that the connector made. */
import { randomUUID } from 'node:crypto';
import { updateProfile } from '../../../src/services/people/profiles.js';
import { startTestApp, type TestApp } from '../../support/app.js';
import { newConnector, newGroup, type Scim } from '../../support/connectors.js';
import { insert, linkProfile, newUser, systemUser } from '../../support/records.js';

let app: TestApp;
let scim: Scim;
let guid: string;

beforeAll(async () => {
  app = await startTestApp();
  ({ scim, guid } = await newConnector(app.context, app.url, 'okta'));
});

const patch = (...Operations: object[]) => ({
  schemas: ['urn:ietf:params:scim:api:messages:2.0:PatchOp'],
  Operations,
});
const person = async () => {
  const userName = randomUUID();
  const { id } = (await scim('POST', '/Users', { userName, externalId: userName, active: true })).json;
  const [row] = await app.context.sql.rows<{ user_id: number }>('select user_id from users where user_guid = $1', [id]);
  return { id: id as string, userId: row!.user_id };
};
/** One after the other, so that their numbers have this order. */
async function people(count: number) {
  const made: Awaited<ReturnType<typeof person>>[] = [];
  while (made.length < count) made.push(await person());
  return made;
}
const membersOf = async (profileId: string): Promise<string[]> =>
  (await scim('GET', `/Groups/${profileId}`)).json.members.map(({ value }: { value: string }) => value).sort();
const linksOf = (profileId: string) =>
  app.context.sql.rows<{ user_guid: string; role_id: string; managed_by: string | null }>(
    `select user_guid, role_id, managed_by from user_profiles join users using (user_id) where profile_id = $1
     order by user_id, role_id`,
    [profileId],
  );
const ids = (...some: { id: string }[]) => some.map(({ id }) => id).sort();
const values = (...some: { id: string }[]) => some.map(({ id }) => ({ value: id }));

it('a member is a link in the role of the connector, which its history names', async () => {
  const profileId = await newGroup(app.context, 'Readers');
  const [ada, bob] = (await people(2)) as [Awaited<ReturnType<typeof person>>, Awaited<ReturnType<typeof person>>];
  const before = (await scim('GET', `/Groups/${profileId}`)).json;
  expect(before).toMatchObject({ id: profileId, displayName: 'Readers', members: [] });
  const { status } = await scim(
    'PATCH',
    `/Groups/${profileId}`,
    patch({ op: 'add', path: 'members', value: values(ada, bob) }),
  );
  expect(status).toBe(204);
  expect(await membersOf(profileId)).toEqual(ids(ada, bob));
  expect(await linksOf(profileId)).toEqual(
    [ada, bob].map(({ id }) => ({ user_guid: id, role_id: 'member', managed_by: 'scim:okta' })),
  );
  expect((await scim('GET', `/Groups/${profileId}`)).json.meta.version).not.toBe(before.meta.version);
  const sets = await app.context.sql.rows(
    `select distinct face, change_sets.actor::text from record_versions join change_sets using (change_set_id) where record_table = 'user_profiles'
       and after->>'profile_id' = $1`,
    [profileId],
  );
  expect(sets).toEqual([{ face: 'scim', actor: guid }]);
});

it('what an administrator gave by hand stays, whatever the connector does', async () => {
  const profileId = await newGroup(app.context, 'Hand');
  const [ada, bob, eve] = (await people(3)) as [
    Awaited<ReturnType<typeof person>>,
    Awaited<ReturnType<typeof person>>,
    Awaited<ReturnType<typeof person>>,
  ];
  await linkProfile(app.context, ada.userId, profileId, 'member');
  await linkProfile(app.context, bob.userId, profileId, 'owner');
  const byHand = await linksOf(profileId);
  await scim('PATCH', `/Groups/${profileId}`, patch({ op: 'add', path: 'members', value: values(ada, bob, eve) }));
  expect(await membersOf(profileId)).toEqual(ids(bob, eve));
  for (const operation of [
    { op: 'remove', path: `members[value eq "${ada.id}"]` },
    { op: 'replace', path: 'members', value: [] },
    { op: 'remove', path: 'members' },
  ])
    expect((await scim('PATCH', `/Groups/${profileId}`, patch(operation))).status).toBe(204);
  expect(await linksOf(profileId)).toEqual(byHand);
  expect((await scim('DELETE', `/Groups/${profileId}`)).status).toBe(204);
  expect(await linksOf(profileId)).toEqual(byHand);
});

it('the links of one connector are not those of another', async () => {
  const profileId = await newGroup(app.context, 'Shared');
  const { scim: other } = await newConnector(app.context, app.url, 'second', { idpname: 'okta', roleId: 'guest' });
  const ada = await person();
  for (const each of [scim, other])
    await each('PATCH', `/Groups/${profileId}`, patch({ op: 'add', path: 'members', value: values(ada) }));
  await other('PATCH', `/Groups/${profileId}`, patch({ op: 'remove', path: 'members' }));
  expect(await membersOf(profileId)).toEqual([ada.id]);
  expect((await other('GET', `/Groups/${profileId}`)).json.members).toEqual([]);
});

it('sessions for the profile end with the membership, unless the user holds the profile in another role', async () => {
  const profileId = await newGroup(app.context, 'Sessions');
  const [ada, bob] = (await people(2)) as [Awaited<ReturnType<typeof person>>, Awaited<ReturnType<typeof person>>];
  await linkProfile(app.context, bob.userId, profileId, 'owner');
  await scim('PATCH', `/Groups/${profileId}`, patch({ op: 'add', path: 'members', value: values(ada, bob) }));
  const sessions = await Promise.all(
    [ada, bob].map(({ id }) =>
      insert<{ id: string }>(app.context.sql, 'tokens', {
        token_guid: randomUUID(),
        user_id: id,
        profile_id: profileId,
        token: Buffer.from(id),
        created_at: new Date(),
        started_at: new Date(),
        expires_at: new Date(Date.now() + 1e6),
      }),
    ),
  );
  await scim('PUT', `/Groups/${profileId}`, { displayName: 'Sessions', members: [] });
  const isRevoked = await Promise.all(
    sessions.map(
      async ({ id }) => (await app.context.sql.rows('select is_revoked from tokens where id = $1', [id]))[0],
    ),
  );
  expect(isRevoked).toEqual([{ is_revoked: true }, { is_revoked: false }]);
});

it('a deleted user is a member no more, and is none after coming back', async () => {
  const profileId = await newGroup(app.context, 'Leavers');
  const ada = await person();
  const { userName } = (await scim('GET', `/Users/${ada.id}`)).json;
  await scim('PATCH', `/Groups/${profileId}`, patch({ op: 'add', path: 'members', value: values(ada) }));
  await scim('DELETE', `/Users/${ada.id}`);
  expect(await linksOf(profileId)).toEqual([]);
  await scim('POST', '/Users', { userName, externalId: userName });
  expect(await membersOf(profileId)).toEqual([]);
});

it('operations of one PATCH are done in their order, and all or none', async () => {
  const profileId = await newGroup(app.context, 'Order');
  const [ada, bob, eve] = (await people(3)) as [
    Awaited<ReturnType<typeof person>>,
    Awaited<ReturnType<typeof person>>,
    Awaited<ReturnType<typeof person>>,
  ];
  await scim('PUT', `/Groups/${profileId}`, { displayName: 'Order', members: values(ada) });
  await scim(
    'PATCH',
    `/Groups/${profileId}`,
    patch(
      { op: 'add', path: 'members', value: values(bob) },
      { op: 'replace', value: { members: values(eve, bob) } },
      { op: 'remove', path: `members[value eq "${bob.id}"]` },
      { op: 'add', value: { members: values(ada) } },
    ),
  );
  expect(await membersOf(profileId)).toEqual(ids(ada, eve));
  const refused = await scim(
    'PATCH',
    `/Groups/${profileId}`,
    patch({ op: 'remove', path: 'members' }, { op: 'add', path: 'members', value: [{ value: randomUUID() }] }),
  );
  expect(refused.json).toMatchObject({ status: '400', scimType: 'invalidValue' });
  expect(await membersOf(profileId)).toEqual(ids(ada, eve));
});

it('a PATCH that names attributes is answered with them, and any other one without a body', async () => {
  const profileId = await newGroup(app.context, 'Named');
  const { id } = await person();
  const request = patch({ op: 'add', path: 'members', value: [{ value: id }] });
  expect((await scim('PATCH', `/Groups/${profileId}`, request)).status).toBe(204);
  const { status, json } = await scim('PATCH', `/Groups/${profileId}?attributes=members.value`, request);
  expect({ status, members: json.members }).toEqual({ status: 200, members: [{ value: id }] });
  expect(json).not.toHaveProperty('displayName');
});

it('members are users of the connector: nobody else can be added, and removing somebody else is no fault', async () => {
  const profileId = await newGroup(app.context, 'Strangers');
  const { user_guid: stranger } = await newUser(app.context);
  const add = (value: unknown) => scim('PATCH', `/Groups/${profileId}`, patch({ op: 'add', path: 'members', value }));
  for (const value of [[{ value: stranger }], [{ value: 'no guid' }], ['x'], [{ display: 'x' }]])
    expect((await add(value)).json).toMatchObject({ status: '400', scimType: 'invalidValue' });
  const path = `members[value eq "${stranger}"]`;
  expect((await scim('PATCH', `/Groups/${profileId}`, patch({ op: 'remove', path }))).status).toBe(204);
});

it('a displayName nested in 20,000 lists is another name, never an error of ours', async () => {
  const profileId = await newGroup(app.context, 'nested');
  const body = `{"displayName":${'['.repeat(20_000)}${']'.repeat(20_000)}}`;
  const { status, json } = await scim('PUT', `/Groups/${profileId}`, body);
  expect({ status, json }).toMatchObject({ status: 400, json: { scimType: 'mutability' } });
});

it.each([
  ['another name', { op: 'replace', path: 'displayName', value: 'Mine' }, 'mutability'],
  ['no name', { op: 'remove', path: 'displayName' }, 'mutability'],
  ['another id', { op: 'replace', value: { id: 'mine' } }, 'mutability'],
  ['an attribute that there is not', { op: 'replace', path: 'colour', value: 'red' }, 'invalidPath'],
  ['members that a filter selects', { op: 'replace', path: 'members[value eq "x"]', value: [] }, 'invalidPath'],
  ['the removal of members by name', { op: 'remove', path: 'members[display eq "x"]' }, 'invalidFilter'],
  [
    'too many members',
    { op: 'add', path: 'members', value: Array.from({ length: 10_001 }, () => ({ value: randomUUID() })) },
    'tooMany',
  ],
])('a PATCH with %s is refused', async (what, operation, scimType) => {
  const profileId = await newGroup(app.context, `refuses ${what}`);
  const { status, json } = await scim('PATCH', `/Groups/${encodeURIComponent(profileId)}`, patch(operation));
  expect({ status, json }).toMatchObject({ status: 400, json: { scimType } });
});

it('the connector makes no profiles: a group that there is is a conflict, another one is forbidden', async () => {
  const profileId = await newGroup(app.context, 'There');
  expect((await scim('POST', '/Groups', { displayName: 'there', members: [] })).json).toMatchObject({
    status: '409',
    scimType: 'uniqueness',
    detail: expect.stringContaining(profileId),
  });
  expect((await scim('POST', '/Groups', { displayName: 'New' })).json).toMatchObject({
    status: '403',
    detail: expect.stringContaining('externalGroup'),
  });
  expect((await scim('POST', '/Groups', {})).status).toBe(400);
});

it('groups are filtered by name, id and member, and read without members', async () => {
  const profileId = await newGroup(app.context, 'Filtered');
  const ada = await person();
  await scim('PUT', `/Groups/${profileId}`, { displayName: 'Filtered', members: values(ada) });
  const found = async (filter: string) =>
    (await scim('GET', `/Groups?excludedAttributes=members&filter=${encodeURIComponent(filter)}`)).json.Resources;
  const group = { schemas: expect.anything(), id: profileId, displayName: 'Filtered', meta: expect.anything() };
  for (const filter of [
    'displayName eq "filtered"',
    `id eq "${profileId}" and members eq "${ada.id}"`,
    `members[value eq "${ada.id}"]`,
    `members.value eq "${ada.id}" and displayName sw "Fil"`,
  ])
    expect(await found(filter)).toEqual([group]);
  expect(await found(`id eq "${profileId}" and members eq "${randomUUID()}"`)).toEqual([]);
  expect((await scim('GET', `/Groups/${profileId}?attributes=displayName`)).json).toEqual(group);
  const old = await scim('PUT', `/Groups/${profileId}`, { members: [] }, { 'if-match': 'W/"1"' });
  expect(old.json).toMatchObject({ status: '412' });
});

describe('a profile with administration scopes', () => {
  const newPower = async (name: string) => {
    const profileId = await newGroup(app.context, name);
    const [scope] = await app.context.sql.rows<{ access_scope_id: number }>(
      "select access_scope_id from access_scopes where access_scope_guid = 'ad300000-0000-4000-8000-000000000002'",
    );
    await insert(app.context.sql, 'profile_access_scopes', {
      profile_id: profileId,
      access_scope_id: scope!.access_scope_id,
      created_by: systemUser,
    });
    return profileId;
  };
  const writer = () => ({
    ...app.context,
    caller: {
      kind: 'user' as const,
      sub: systemUser,
      profileId: 'p',
      roleId: 'r',
      permissions: new Set(['admin:read', 'admin:write'] as const),
    },
  });

  it('is given by no connector, unless the profile says so', async () => {
    const profileId = await newPower('Administrators');
    const ada = await person();
    const add = () => scim('PATCH', `/Groups/${profileId}`, patch({ op: 'add', path: 'members', value: values(ada) }));
    expect((await add()).json).toMatchObject({
      status: '403',
      detail: expect.stringContaining('externalGroupAdministers'),
    });
    expect(await linksOf(profileId)).toEqual([]);
    await updateProfile(app.context, profileId, { externalGroupAdministers: true });
    expect((await add()).status).toBe(204);
    expect(await membersOf(profileId)).toEqual([ada.id]);
  });

  it('says so only by an administrator with admin:security, who also chooses its group', async () => {
    const profileId = await newPower('Guarded');
    const plain = await newGroup(app.context, 'Plain');
    const refused = { code: 'FORBIDDEN' };
    await expect(updateProfile(writer(), profileId, { externalGroupAdministers: true })).rejects.toMatchObject(refused);
    await expect(updateProfile(writer(), plain, { externalGroupAdministers: true })).rejects.toMatchObject(refused);
    await expect(updateProfile(writer(), profileId, { externalGroup: 'Everybody' })).rejects.toMatchObject(refused);
    expect(await updateProfile(writer(), profileId, { description: 'x' })).toMatchObject({ description: 'x' });
    expect(await updateProfile(writer(), plain, { externalGroup: 'Plain 2' })).toMatchObject({
      externalGroup: 'Plain 2',
    });
  });
});

it('a group with more members than an answer may have is read without them', async () => {
  const profileId = await newGroup(app.context, 'Large');
  // without triggers, which take longer than the rest of the test
  await app.context.sql.transaction(async ({ rows }) => {
    await rows('set local session_replication_role = replica');
    await rows(
      `insert into users (user_guid, idpname, idpid, user_name, created_by)
       select gen_random_uuid(), 'okta', 'large ' || n, 'large ' || n, $1 from generate_series(1, 10001) n`,
      [systemUser],
    );
    await rows(
      `insert into user_profiles (user_id, profile_id, role_id, managed_by, created_by)
       select user_id, $1, 'member', 'scim:okta', $2 from users where idpid like 'large %'`,
      [profileId, systemUser],
    );
  });
  // an identity provider finds its groups by such a list, and reads one by its id
  const listed = await scim('GET', `/Groups?filter=${encodeURIComponent('displayName eq "Large"')}`);
  for (const group of [...listed.json.Resources, (await scim('GET', `/Groups/${profileId}`)).json]) {
    expect(group).toMatchObject({ id: profileId, displayName: 'Large' });
    expect(group).not.toHaveProperty('members');
  }
  expect(listed.json.Resources).toHaveLength(1);
  for (const path of ['/Groups', `/Groups/${profileId}`])
    expect((await scim('GET', `${path}?attributes=members`)).json).toMatchObject({
      status: '400',
      scimType: 'tooMany',
    });
  // a change whose answer is refused is not made
  const links = await linksOf(profileId);
  const leaving = patch({ op: 'remove', path: `members[value eq "${links[0]!.user_guid}"]` });
  const joining = patch({ op: 'add', path: 'members', value: values(...(await people(1))) });
  const changed = (body: unknown) => scim('PATCH', `/Groups/${profileId}?attributes=members`, body);
  expect((await changed(joining)).json).toMatchObject({ status: '400', scimType: 'tooMany' });
  expect(await linksOf(profileId)).toEqual(links);
  expect((await changed(leaving)).json.members).toHaveLength(10_000);
  // a change that was made is answered without members if another request adds too many before the answer is read
  await app.context.sql.rows(`create function join_late() returns trigger language plpgsql as $$ begin
    insert into user_profiles (user_id, profile_id, role_id, managed_by, created_by)
    select user_id, '${profileId}', 'member', 'scim:okta', '${systemUser}' from users
    where user_guid in ('${links[0]!.user_guid}', '${links[1]!.user_guid}');
    return null; end $$`);
  await app.context.sql.rows(
    'create constraint trigger join_late after delete on user_profiles deferrable initially deferred for each row execute function join_late()',
  );
  const overtaken = await changed(patch({ op: 'remove', path: `members[value eq "${links[1]!.user_guid}"]` }));
  await app.context.sql.rows('drop function join_late() cascade');
  expect({ status: overtaken.status, members: overtaken.json.members }).toEqual({ status: 200, members: undefined });
  app.takeStatements();
  expect((await scim('GET', `/Groups/${profileId}?excludedAttributes=members`)).json.displayName).toBe('Large');
  expect(app.takeStatements().join('\n')).not.toContain('user_profiles');
  expect((await scim('PATCH', `/Groups/${profileId}`, patch({ op: 'remove', path: 'members' }))).status).toBe(204);
  expect(await membersOf(profileId)).toEqual([]);
});

it('a member whose assignment has ended is none, and is added again', async () => {
  const profileId = await newGroup(app.context, 'Ending');
  const [ada] = (await people(1)) as [Awaited<ReturnType<typeof person>>];
  const add = () => scim('PATCH', `/Groups/${profileId}`, patch({ op: 'add', path: 'members', value: values(ada) }));
  await add();
  await app.context.sql.rows(
    "update user_profiles set valid_until = now() - interval '1 second' where profile_id = $1",
    [profileId],
  );
  expect(await membersOf(profileId)).toEqual([]);
  expect((await add()).status).toBe(204);
  expect(await membersOf(profileId)).toEqual([ada.id]);
  expect(
    await app.context.sql.rows('select valid_until from user_profiles where profile_id = $1', [profileId]),
  ).toEqual([{ valid_until: null }]);
});
