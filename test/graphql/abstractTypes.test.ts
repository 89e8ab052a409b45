/** Interfaces and the union of records: right in every use of a query, batched, counted, and of no more than may be read. */
import { closeAtEnd } from '../support/lifetimes.js';
import { newProfile, newScope, newScopeType, newUser } from '../support/records.js';
import { openFace, startTestGraph, type TestGraph } from './graph.js';

let graph: TestGraph;
let askForObjects: Awaited<ReturnType<typeof openFace>>;
let applicationGuid: string;
beforeAll(async () => {
  graph = await startTestGraph();
  const { context } = graph.app;
  askForObjects = await openFace(graph.app);
  await newScope(context, await newScopeType(context), await newProfile(context), { access_scope_key: 'a' });
  ({ applicationGuid } = (
    await graph.data(
      'mutation { createApplication(input: { name: "Harbour", iconDefault: "i", iconHover: "h", appType: "web", renderingMode: "tab", linkType: "l" }) { applicationGuid } }',
    )
  ).createApplication);
  await graph.data(
    `mutation { updateApplication(applicationGuid: "${applicationGuid}", input: { name: "Port" }) { name } }`,
  );
  await graph.data('mutation { createRole(input: { roleId: "gone", name: "Gone" }) { name } }');
  await graph.data('mutation { deleteRole(roleId: "gone") }');
  await graph.data('mutation { createClient(input: { clientId: "shop", name: "Shop" }) { clientSecret } }');
});
afterAll(() => graph?.close());

/** The data of a query, after each use gave the same, as bytes and as objects. */
async function dataOfEveryUse(query: string, variables: object = {}) {
  const { text, json } = await graph.ask(query, variables);
  expect(json.errors).toBeUndefined();
  for (let use = 0; use < 2; use++) expect((await graph.ask(query, variables)).text).toBe(text);
  expect(await askForObjects(query, variables)).toBe(text);
  return json.data;
}
/** Of the changes above. */
const orderedEvents =
  'orderBy: [{ auditEventId: ASC }], filter: { subjectType: { in: ["Application", "Role", "Client"] } }';

it('an audit event, a version and a search hit lead to their record', async () => {
  const { auditEvents, history, search } = await dataOfEveryUse(
    `query ($id: String!) {
      auditEvents(${orderedEvents}) { nodes { action subjectType record { __typename ...Named ... on Stamped { revision } } } }
      history(subjectType: "Application", subjectId: $id) { edges { node { action was: record { kind: __typename ...Named } } } }
      search(text: "port") { kind record { ...Named ... on Application { modifiedBy } } }
    }
    fragment Named on ChangedRecord { ... on Application { name } ... on Client { clientId } ...OfRole }
    fragment OfRole on Role { roleId }`,
    { id: applicationGuid },
  );
  const port = { __typename: 'Application', name: 'Port', revision: 2 };
  expect(auditEvents.nodes).toEqual([
    { action: 'create', subjectType: 'Application', record: port },
    { action: 'update', subjectType: 'Application', record: port },
    { action: 'create', subjectType: 'Role', record: null },
    { action: 'delete', subjectType: 'Role', record: null },
    { action: 'create', subjectType: 'Client', record: { __typename: 'Client', clientId: 'shop' } },
  ]);
  const was = { kind: 'Application', name: 'Port' };
  expect(history.edges).toEqual([{ node: { action: 'update', was } }, { node: { action: 'create', was } }]);
  expect(search).toEqual([{ kind: 'APPLICATION', record: { name: 'Port', modifiedBy: expect.any(String) } }]);
});

it('a search by guid leads to a change set, and from it to the records of its events', async () => {
  const { changeSets } = await graph.data(
    '{ changeSets(orderBy: [{ occurredAt: ASC }], filter: { face: { eq: "graphql" } }, first: 1) { nodes { changeSetGuid } } }',
  );
  const { changeSetGuid } = changeSets.nodes[0];
  const { search } = await dataOfEveryUse(
    `query ($guid: String!) { search(text: $guid) { record { ... on ChangeSet { changeSetGuid events { nodes { record { __typename ... on Application { a: name } } } } } } } }`,
    { guid: changeSetGuid },
  );
  const events = { nodes: [{ record: { __typename: 'Application', a: 'Port' } }] };
  expect(search).toEqual([{ record: { changeSetGuid, events } }]);
});

it.each([
  ['inline', '... on Stamped { revision ... on User { firstName } ... on Managed { managedBy } } name'],
  [
    'named',
    '...S name',
    'fragment S on Stamped { revision ...U ...M } fragment U on User { firstName } fragment M on Managed { managedBy }',
  ],
  [
    'of the union',
    '... on ChangedRecord { ... on Stamped { revision } ... on Role { description } ... on Managed { managedBy } } name',
  ],
  ['of a name that both have', '... on Stamped { revision ... on Role { name } ... on Managed { managedBy } } name'],
])('fragments on an interface hold of a record what they say of its kind: %s', async (_name, selection, fragments = '') => {
  const { applications } = await dataOfEveryUse(`{ applications { nodes { ${selection} } } } ${fragments}`);
  expect(applications.nodes).toEqual([{ revision: 2, managedBy: null, name: 'Port' }]);
});

it('relations of an interface, in edges too, and conditions by variables', async () => {
  const query = `query ($with: Boolean!) { accessScopes(filter: { name: { eq: "Scope" } }) { edges { node {
    ... on Stamped { createdByNavigation { firstName ... on Stamped @include(if: $with) { userGuid: createdBy } } }
    ... on Stamped @skip(if: $with) { revision } } cursor } } }`;
  const { accessScopes } = await dataOfEveryUse(query, { with: false });
  expect(accessScopes.edges).toEqual([
    { node: { createdByNavigation: null, revision: 1 }, cursor: expect.any(String) },
  ]);
  const other = await dataOfEveryUse(query, { with: true });
  expect(other.accessScopes.edges[0].node).toEqual({ createdByNavigation: null });
});

it('the answer of a query with interfaces is remembered, and read again after a change', async () => {
  const kept = await startTestGraph({ ANSWERS_REMEMBERED_MB: '64' });
  closeAtEnd(() => kept.close());
  const query = '{ roles { nodes { roleId ... on Stamped { revision } ... on Managed { managedBy } } } }';
  const roles = async () => (await kept.data(query)).roles.nodes;
  await kept.data('mutation { createRole(input: { roleId: "kept", name: "A" }) { name } }');
  const role = { roleId: 'kept', revision: 1, managedBy: null };
  for (let use = 0; use < 3; use++) expect(await roles()).toContainEqual(role);
  kept.app.takeStatements();
  expect(await roles()).toContainEqual(role);
  expect(kept.app.takeStatements().filter((text) => text.includes('roles t'))).toEqual([]);
  await kept.data('mutation { updateRole(roleId: "kept", input: { name: "B" }) { name } }');
  expect(await roles()).toContainEqual({ ...role, revision: 2 });
});

it('records of events are read by one statement for each kind, however many there are', async () => {
  const query = `{ auditEvents(first: 1000, filter: { action: { eq: "test" } }) { nodes { record {
    ... on Stamped { createdByNavigation { firstName } }
    ... on User { userProfiles(first: 1) { totalCount } }
    ... on Profile { name } } } } }`;
  const { context, takeStatements } = graph.app;
  const add = async (count: number) => {
    for (let index = 0; index < count; index++) {
      const [user, profile] = [await newUser(context), await newProfile(context)];
      await context.sql.rows(
        `insert into audit_events (actor, action, subject_type, subject_id) values ($1, 'test', 'User', $1::uuid::text), ($1, 'test', 'Profile', $2)`,
        [user.user_guid, profile],
      );
    }
  };
  const statementsOf = async () => {
    takeStatements();
    const { auditEvents } = await graph.data(query);
    return [auditEvents.nodes.length, takeStatements().length];
  };
  await add(2);
  const [few, statements] = await statementsOf();
  await add(60);
  for (let use = 0; use < 3; use++) expect(await statementsOf()).toEqual([few! + 120, statements]);
});

it('a record that the caller may not read is null, with one error for the field', async () => {
  const query = `{ auditEvents(${orderedEvents}, first: 5) { nodes { record { __typename ... on Client { name } } } } }`;
  for (let use = 0; use < 3; use++) {
    const { json } = await graph.ask(query, {}, graph.token(['admin:security']));
    expect(json.data.auditEvents.nodes.map(({ record }: { record: unknown }) => record)).toEqual([
      null,
      null,
      null,
      null,
      { __typename: 'Client', name: 'Shop' },
    ]);
    expect(json.errors).toEqual([
      expect.objectContaining({
        path: ['auditEvents', 'nodes', 0, 'record'],
        extensions: expect.objectContaining({ code: 'FORBIDDEN' }),
      }),
    ]);
  }
});

it('an event that names no record of a kind, or no kind, has none', async () => {
  const user = await newUser(graph.app.context);
  await graph.app.context.sql.rows(
    `insert into audit_events (actor, action, subject_type, subject_id)
     select $1, 'odd', type, id from (values ('Token', 'signed out at x'), ('Token', '9007199254740993'), ('User', 'x'),
       ('Translation', '1.5'), ('TranslationGroup', 'x'), ('__proto__', 'x'), ('RecordVersion', '1'), ('', '')) odd (type, id)`,
    [user.user_guid],
  );
  const { auditEvents } = await dataOfEveryUse(
    '{ auditEvents(filter: { action: { eq: "odd" } }) { nodes { record { __typename } } } }',
  );
  expect(auditEvents.nodes).toEqual(Array(8).fill({ record: null }));
});

it.each([
  [
    'a list below a union',
    'auditEvents(first: 1000) { nodes { record { ... on User { userProfiles(first: 1000) { nodes { profileId } } } } } }',
  ],
  [
    'by a named fragment',
    'auditEvents(first: 1000) { nodes { record { ...C } } }',
    'fragment C on ChangedRecord { ... on User { userProfiles(first: 1000) { nodes { profileId } } } }',
  ],
  [
    'below an interface',
    'search(text: "a", first: 50) { record { ... on Stamped { createdByNavigation { userProfiles(first: 300) { nodes { profileId } } } } } }',
  ],
  [
    'below an interface of a record',
    'users(first: 1000) { nodes { ... on Stamped { createdByNavigation { userProfiles(first: 1000) { nodes { profileId } } } } } }',
  ],
])('a query through an interface may request as many records as a direct one: %s', async (_name, selection, fragments = '') => {
  const { json } = await graph.ask(`{ ${selection} } ${fragments}`);
  expect(json.errors).toEqual([
    expect.objectContaining({ extensions: expect.objectContaining({ code: 'TOO_LARGE', limit: 'complexity' }) }),
  ]);
});

it('selections of an interface count for each kind that it stands for', async () => {
  const names = Array.from({ length: 180 }, (_, index) => (index % 2 ? 'revision' : 'createdBy')).join(' ');
  const nested = `... on Stamped { ${names} createdByNavigation { ${names} } modifiedByNavigation { ${names} } }`;
  const query = `{ ${['a', 'b'].map((alias) => `${alias}: auditEvents { nodes { record { ${nested} } } }`).join(' ')} }`;
  const { json } = await graph.ask(query);
  expect(json.errors[0].extensions).toMatchObject({ code: 'TOO_LARGE', limit: 'selections' });
});
