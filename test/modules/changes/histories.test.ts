/** Histories are complete, whichever way a record is changed, and every change is in a change set. */
import { randomUUID } from 'node:crypto';
import { importFile } from '../../../src/modules/transfer/importFile.js';
import { startTestGraph, type TestGraph } from '../../graphql/graph.js';
import { linkProfile, newHolder, newProfile, newScope, newScopeType, newUser } from '../../support/records.js';

let graph: TestGraph;
beforeAll(async () => {
  graph = await startTestGraph();
});
afterAll(() => graph?.close());

interface Version {
  face: string;
  actor: string;
  trace_id: string | null;
  // biome-ignore lint/suspicious/noExplicitAny: tests look into values freely
  before: any;
  // biome-ignore lint/suspicious/noExplicitAny: tests look into values freely
  after: any;
}
const versionsOf = (table: string, key: unknown): Promise<Version[]> =>
  graph.app.context.sql.rows<Version>(
    `select face, actor, trace_id, before, after from record_versions join change_sets using (change_set_id)
     where record_table = $1 and record_key = $2 order by record_version_id`,
    [table, String(key)],
  );
const application = (more: object) => ({
  name: 'A',
  iconDefault: 'a',
  iconHover: 'b',
  appType: 'web',
  renderingMode: 'tab',
  linkType: 'external',
  ...more,
});

it('a record changed by GraphQL, REST, an import and a statement has a version of each, with its values', async () => {
  const { app } = graph;
  const guid = randomUUID();
  const [actor, sub] = [randomUUID(), randomUUID()];
  const update =
    'mutation ($guid: UUID!, $name: String) { updateApplication(applicationGuid: $guid, input: {name: $name}) { name } }';
  await graph.data(
    'mutation ($input: CreateApplicationInput!) { createApplication(input: $input) { name } }',
    { input: application({ applicationGuid: guid }) },
    graph.token(['admin:write'], { sub: actor }),
  );
  await graph.data(update, { guid, name: 'B' });
  await importFile(app.context, { applications: [application({ applicationGuid: guid, name: 'C' })] });
  await app.context.sql.rows("update applications set name = 'D' where application_guid = $1", [guid]);
  const versions = await versionsOf('applications', guid);
  expect(versions.map(({ face, before, after }) => [face, before?.name ?? null, after?.name ?? null])).toEqual([
    ['graphql', null, 'A'],
    ['graphql', 'A', 'B'],
    ['cli', 'B', 'C'],
    ['sql', 'C', 'D'],
  ]);
  expect(versions[0]).toMatchObject({ actor, trace_id: expect.any(String) });
  const answer = await app.post(
    '/api/applications',
    { ...application({}), isIFrame: true },
    {
      authorization: `Bearer ${graph.token(['admin:write'], { sub })}`,
      'api-version': '1',
    },
  );
  expect(await versionsOf('applications', answer.json.applicationGuid)).toMatchObject([
    { face: 'rest', actor: sub, before: null, after: { name: 'A' } },
  ]);
});

it('records that a removal takes with it have their versions in the same change set', async () => {
  const { context } = graph.app;
  const user = await newUser(context);
  const profile = await newProfile(context);
  await linkProfile(context, user.user_id, profile, 'member');
  await newScope(context, await newScopeType(context), profile, { access_scope_key: 'k' });
  await graph.data('mutation ($profile: ID!) { deleteProfile(profileId: $profile) }', { profile });
  const gone = await context.sql.rows<{ tables: string[]; events: number }>(
    `select array_agg(record_table::text order by record_table) tables,
       (select count(*)::int from audit_events e where e.change_set_id = v.change_set_id) events
     from record_versions v where after is null and change_set_id =
       (select change_set_id from record_versions where record_table = 'profiles' and record_key = $1 and after is null)
     group by change_set_id`,
    [profile],
  );
  expect(gone).toEqual([{ tables: ['profile_access_scopes', 'profiles', 'user_profiles'], events: 1 }]);
});

it('a change that fails leaves neither versions nor a change set', async () => {
  const count = async () =>
    (
      await graph.app.context.sql.rows(
        'select (select count(*) from change_sets) s, (select count(*) from record_versions) v',
      )
    )[0];
  await graph.data('mutation { createRole(input: {roleId: "taken", name: "R"}) { name } }');
  const before = await count();
  await graph.ask('mutation { createRole(input: {roleId: "taken", name: "R"}) { name } }');
  await graph.ask('mutation { updateRole(roleId: "taken", input: {name: "R"}) { name } }');
  expect(await count()).toEqual(before);
});

it('the history of users has no personal data, and a sign-in writes no version', async () => {
  const { context } = graph.app;
  const { userGuid } = await newHolder(context, { email: 'ada@example.com' });
  await graph.data(
    'mutation ($guid: UUID!) { updateUser(userGuid: $guid, input: {email: "x@y.z", lastName: "L"}) { email } }',
    {
      guid: userGuid,
    },
  );
  await context.sql.rows('update users set last_login_date = now() where user_guid = $1', [userGuid]);
  await graph.data('mutation ($guid: UUID!) { deactivateUser(userGuid: $guid) { isBlocked } }', { guid: userGuid });
  await context.sql.rows('delete from users where user_guid = $1', [userGuid]);
  const versions = await versionsOf('users', userGuid);
  const columns = new Set(versions.flatMap(({ before, after }) => Object.keys({ ...before, ...after })));
  expect([...columns].sort()).toEqual(['is_blocked', 'user_guid', 'user_id']);
  expect(versions.map(({ before, after }) => [before?.is_blocked ?? null, after?.is_blocked ?? null])).toEqual([
    [null, false],
    [false, true],
    [true, null],
  ]);
});

it('a change set bears the time and the catalogue version of its commit, and leads to its audit events', async () => {
  await graph.data('mutation { createRole(input: {roleId: "dated", name: "R"}) { name } }');
  const { auditEvents } = await graph.data(
    '{ auditEvents(filter: {subjectId: {eq: "dated"}}) { nodes { changeSet { changeSetGuid face note catalogueVersion occurredAt undoes { face } } } } }',
  );
  const [{ version, now }] = (await graph.app.context.sql.rows<{ version: string; now: string }>(
    "select version || '.' || nonce as version, now() as now from catalogue_version",
  )) as [{ version: string; now: string }];
  const { changeSet } = auditEvents.nodes[0];
  expect(changeSet).toMatchObject({ face: 'graphql', note: null, catalogueVersion: version, undoes: null });
  expect(changeSet.occurredAt <= now && Date.parse(now) - Date.parse(changeSet.occurredAt) < 60_000).toBe(true);
});

it('a history is found by a guid in any case and in braces, and by the id of a profile as it is', async () => {
  const guid = randomUUID();
  const profileId = randomUUID().toUpperCase();
  await graph.data(
    `mutation ($input: CreateApplicationInput!, $profile: CreateProfileInput!) {
      createApplication(input: $input) { name } createProfile(input: $profile) { name } }`,
    { input: application({ applicationGuid: guid }), profile: { profileId, name: 'P' } },
  );
  const count = async (subjectType: string, subjectId: string, withParts = false): Promise<number> =>
    (
      await graph.data(
        `query ($subjectType: String!, $subjectId: String!, $withParts: Boolean!) {
          history(subjectType: $subjectType, subjectId: $subjectId, withParts: $withParts) { totalCount } }`,
        { subjectType, subjectId, withParts },
      )
    ).history.totalCount;
  for (const form of [guid, guid.toUpperCase(), `{${guid}}`])
    expect([form, await count('Application', form), await count('Application', form, true)]).toEqual([form, 1, 1]);
  expect(await count('Profile', profileId)).toBe(1);
  expect(await count('Profile', profileId.toLowerCase())).toBe(0);
});
