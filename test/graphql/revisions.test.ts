/** Nothing is replaced unseen: every change that takes a revision refuses one that is not the present one. */
import { randomUUID } from 'node:crypto';
import { icons } from '../support/changeSets.js';
import { linkProfile, newProfile, newRole, newUser } from '../support/records.js';
import { startTestGraph, type TestGraph } from './graph.js';

let graph: TestGraph;
beforeAll(async () => {
  graph = await startTestGraph();
});
afterAll(() => graph?.close());

const codeOf = async (query: string, variables?: object): Promise<string | undefined> =>
  (await graph.ask(query, variables)).json.errors?.[0].extensions.code;

async function newMapping(): Promise<{ app: string; scope: string }> {
  const [app, type, scope] = [randomUUID(), randomUUID(), randomUUID()];
  await graph.data(
    `mutation ($application: CreateApplicationInput!, $type: CreateAccessScopeTypeInput!, $scope: CreateAccessScopeInput!, $app: UUID!, $items: [AccessScopeApplicationsMapperCreateInput!]!) {
      createApplication(input: $application) { name } createAccessScopeType(input: $type) { name } createAccessScope(input: $scope) { name }
      createAccessScopeApplicationsMappers(applicationGuid: $app, items: $items) { state } }`,
    {
      app,
      application: { applicationGuid: app, name: 'A', ...icons },
      type: { accessScopeTypeGuid: type, name: `t-${type}` },
      scope: { accessScopeGuid: scope, accessScopeTypeGuid: type, name: 'S' },
      items: [{ accessScopeGuid: scope }],
    },
  );
  return { app, scope };
}

it('a record can be made with the guid that its maker chose, which is refused when it is taken', async () => {
  const userGuid = randomUUID();
  const create = 'mutation ($guid: UUID) { createUser(input: {userGuid: $guid, firstName: "Ada"}) { userGuid } }';
  expect((await graph.data(create, { guid: userGuid.toUpperCase() })).createUser).toEqual({ userGuid });
  expect(await codeOf(create, { guid: userGuid })).toBe('CONFLICT');
  const { app, scope } = await newMapping();
  const read = await graph.data(
    'query ($app: UUID!, $scope: UUID!) { application(applicationGuid: $app) { name } accessScope(accessScopeGuid: $scope) { name } }',
    { app, scope },
  );
  expect(read).toEqual({ application: { name: 'A' }, accessScope: { name: 'S' } });
});

it('an update takes no guid', async () => {
  const { app } = await newMapping();
  const update = `mutation ($app: UUID!) { updateApplication(applicationGuid: $app, input: {applicationGuid: $app}) { name } }`;
  expect((await graph.ask(update, { app })).json.errors).toHaveLength(1);
});

it('a client is changed by the fields present, and keeps what somebody else made of it', async () => {
  await graph.data('mutation { createClient(input: {clientId: "c", name: "C", description: "d"}) { clientSecret } }');
  const update = (input: string, revision: number) =>
    `mutation { updateClient(clientId: "c", input: ${input}, ifRevision: ${revision}) { name description revision } }`;
  expect((await graph.data(update('{name: "D"}', 1))).updateClient).toEqual({
    name: 'D',
    description: 'd',
    revision: 2,
  });
  expect((await graph.ask(update('{name: ""}', 2))).json.errors[0].extensions.problems).toEqual({
    'input.name': [expect.any(String)],
  });
  for (const stale of [
    update('{name: "E"}', 1),
    'mutation { setClientActive(clientId: "c", isActive: false, ifRevision: 1) { name } }',
    'mutation { rotateClientSecret(clientId: "c", ifRevision: 1) { clientSecret } }',
  ])
    expect(await codeOf(stale)).toBe('CONFLICT');
  expect((await graph.data('{ client(clientId: "c") { name isActive revision } }')).client).toEqual({
    name: 'D',
    isActive: true,
    revision: 2,
  });
});

it('mappings changed and removed in bulk tell by item what somebody else changed, and answer their numbers', async () => {
  const { app, scope } = await newMapping();
  const update = `mutation ($app: UUID!, $items: [AccessScopeApplicationsMapperUpdateInput!]!) {
    updateAccessScopeApplicationsMappers(applicationGuid: $app, items: $items) { accessScopeApplicationsMapperId revision } }`;
  const item = { accessScopeGuid: scope, state: 'paused' };
  const [changed] = (await graph.data(update, { app, items: [{ ...item, ifRevision: 1 }] }))
    .updateAccessScopeApplicationsMappers;
  expect(changed.revision).toBe(2);
  const { json } = await graph.ask(update, { app, items: [{ ...item, state: 'off', ifRevision: 1 }] });
  expect(json.errors[0].extensions).toMatchObject({
    code: 'CONFLICT',
    problems: { 'items[0].ifRevision': [expect.any(String)] },
  });
  const remove = `mutation ($app: UUID!, $scopes: [UUID!]!, $revisions: [Int!]) {
    deleteAccessScopeApplicationsMappers(applicationGuid: $app, accessScopeGuids: $scopes, ifRevisions: $revisions) }`;
  expect(await codeOf(remove, { app, scopes: [scope], revisions: [1] })).toBe('CONFLICT');
  expect(
    (await graph.data(remove, { app, scopes: [scope], revisions: [2] })).deleteAccessScopeApplicationsMappers,
  ).toEqual([changed.accessScopeApplicationsMapperId]);
});

it('the texts of a group have a revision that is another whenever they are others', async () => {
  const set = `mutation ($texts: [TranslationInput!]!, $revision: Int) {
    setTranslations(translationGroup: "revised", translations: $texts, ifRevision: $revision) { translatedText } }`;
  const texts = [{ fieldName: 'name', languageCode: 'de', translatedText: 'Eins' }];
  const group = async () =>
    (
      await graph.data(
        '{ translationGroups(filter: {translationGroup: {eq: "revised"}}) { totalCount nodes { translationGroup revision translations { nodes { translatedText } } } } }',
      )
    ).translationGroups.nodes[0];
  await graph.data(set, { texts, revision: 0 });
  const read = await group();
  expect(read).toMatchObject({ translationGroup: 'revised', translations: { nodes: [{ translatedText: 'Eins' }] } });
  expect(await codeOf(set, { texts: [], revision: 0 })).toBe('CONFLICT');
  await graph.data(set, { texts: [{ ...texts[0], translatedText: 'Einser' }], revision: read.revision });
  expect((await group()).revision).not.toBe(read.revision);
  expect(await codeOf(set, { texts: [], revision: read.revision })).toBe('CONFLICT');
});

it('nothing is removed that somebody else changed since it was read', async () => {
  const { context } = graph.app;
  const user = await newUser(context);
  const [profile, role] = [await newProfile(context), await newRole(context)];
  await linkProfile(context, user.user_id, profile, role);
  const link = { guid: user.user_guid, profile, role };
  const unassign = (revision: number) =>
    `mutation ($guid: UUID!, $profile: ID!, $role: ID!) { unassignProfile(userGuid: $guid, profileId: $profile, roleId: $role, ifRevision: ${revision}) }`;
  expect(await codeOf(unassign(7), link)).toBe('CONFLICT');
  expect((await graph.data(unassign(1), link)).unassignProfile).toEqual(expect.any(Number));
  // the profile has had one change of its holders
  for (const [name, key, id, present] of [
    ['deleteProfile', 'profileId', profile, 2],
    ['deleteRole', 'roleId', role, 1],
  ] as const) {
    const remove = (revision: number) => `mutation { ${name}(${key}: "${id}", ifRevision: ${revision}) }`;
    expect(await codeOf(remove(7))).toBe('CONFLICT');
    expect((await graph.data(remove(present)))[name]).toBe(id);
  }
});

it('an audit event leads to its record while there is one', async () => {
  const { app } = await newMapping();
  await graph.data('mutation { createRole(input: {roleId: "gone", name: "G"}) { name } deleteRole(roleId: "gone") }');
  const events = async (type: string, id: string) =>
    (
      await graph.data(
        `query ($id: String!) { auditEvents(filter: {subjectType: {eq: "${type}"}, subjectId: {eq: $id}}) { nodes { action record { __typename ... on Application { name } ... on Role { name } } } } }`,
        { id },
      )
    ).auditEvents.nodes;
  expect(await events('Application', app)).toEqual([
    { action: 'create', record: { __typename: 'Application', name: 'A' } },
  ]);
  expect(await events('Role', 'gone')).toEqual([
    { action: 'create', record: null },
    { action: 'delete', record: null },
  ]);
});

it('links and mappings are listed at the root, and a client’s and a profile’s tokens below them', async () => {
  const { app, scope } = await newMapping();
  const { context } = graph.app;
  const user = await newUser(context);
  const profile = await newProfile(context);
  await linkProfile(context, user.user_id, profile, 'member');
  await graph.data('mutation { createClient(input: {clientId: "with-tokens", name: "C"}) { clientSecret } }');
  await context.sql.rows(
    `insert into tokens (user_id, profile_id, client_id, token, created_at, expires_at) values ($1, $2, 'with-tokens', '\\x01', now(), now() + interval '1 day')`,
    [user.user_guid, profile],
  );
  const read = await graph.data(
    `query ($app: UUID!, $guid: UUID!, $profile: ID!) {
      accessScopeApplicationsMappers(filter: {application: {applicationGuid: {eq: $app}}}) { nodes { accessScope { accessScopeGuid } } }
      accessScopeTypeApplicationsMappers { totalCount }
      userProfiles(filter: {user: {userGuid: {eq: $guid}}}) { nodes { profileId roleId } }
      client(clientId: "with-tokens") { tokens(filter: {isRevoked: {eq: false}}) { totalCount nodes { profileId } } }
      profile(profileId: $profile) { tokens { nodes { clientId } } } }`,
    { app, guid: user.user_guid, profile },
  );
  expect(read).toEqual({
    accessScopeApplicationsMappers: { nodes: [{ accessScope: { accessScopeGuid: scope } }] },
    accessScopeTypeApplicationsMappers: { totalCount: 0 },
    userProfiles: { nodes: [{ profileId: profile, roleId: 'member' }] },
    client: { tokens: { totalCount: 1, nodes: [{ profileId: profile }] } },
    profile: { tokens: { nodes: [{ clientId: 'with-tokens' }] } },
  });
});

it('a change is told as one of a record that is gone, where somebody removes it before the answer is read', async () => {
  await graph.data('mutation { createRole(input: {roleId: "brief", name: "x"}) { name } }');
  const { sql } = graph.app.context;
  // removed with the commit of the change
  await sql.rows(`create function remove_brief() returns trigger language plpgsql as
    $$ begin delete from roles where role_id = 'brief'; return null; end $$`);
  await sql.rows(`create constraint trigger remove_brief after update on roles deferrable initially deferred
    for each row execute function remove_brief()`);
  expect(await codeOf('mutation { updateRole(roleId: "brief", input: {name: "y"}) { name } }')).toBe('NOT_FOUND');
  await sql.rows('drop function remove_brief cascade');
});
