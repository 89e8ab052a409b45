/** Reads of the graph: records, relations, connections, filters, orderings, cursors. */
import { isJudgement } from '../support/callers.js';
import { insert, newApplication, newScope, newScopeType, newUser } from '../support/records.js';
import { startTestGraph, type TestGraph } from './graph.js';

let graph: TestGraph;
const system = '00000000-0000-0000-0000-000000000001';
const guids: string[] = [];

beforeAll(async () => {
  graph = await startTestGraph();
  const { context } = graph.app;
  const author = await newUser(context, { first_name: 'Grace', last_name: 'Hopper' });
  const typeId = await newScopeType(context, 'depot');
  const scopes = [];
  for (const key of ['a', 'b', 'c'])
    scopes.push(await newScope(context, typeId, undefined, { name: `Scope ${key}`, access_scope_key: key }));
  for (let index = 1; index <= 5; index++) {
    const row = await newApplication(context, {
      name: `App ${index}`,
      description: index === 3 ? null : `Text ${index % 2}`,
      app_type: index % 2 ? 'web' : 'native',
      translation_group: index === 5 ? null : `group ${index}`,
      created_by: index === 1 ? system : author.user_guid,
    });
    guids.push(row.application_guid);
    for (const scope of scopes.slice(0, index % 4))
      await insert(context.sql, 'access_scope_applications_mappers', {
        application_id: row.application_id,
        access_scope_id: scope.access_scope_id,
        created_by: author.user_guid,
      });
    await insert(context.sql, 'translations', {
      translation_group: `group ${index}`,
      field_name: 'name',
      language_code: 'de',
      translated_text: `Anwendung ${index}`,
    });
  }
});
afterAll(() => graph?.close());

// the second run has the prepared document
const twice = async (query: string, variables?: object) => {
  const first = await graph.data(query, variables);
  expect(await graph.data(query, variables)).toEqual(first);
  return first;
};

it('nests as deep as asked', async () => {
  const data = await twice(`{
    applications(first: 2) { totalCount nodes { name isIframe createdDate
      createdByNavigation { firstName }
      accessScopeApplicationsMappers { totalCount edges { cursor node { state accessScope { name accessScopeType { name accessScopes(first: 1) { nodes { accessScopeKey } } } } } } }
      translations { nodes { languageCode translatedText } } } } }`);
  expect(data.applications.totalCount).toBe(5);
  expect(data.applications.nodes[0].createdByNavigation).toBeNull();
  expect(data.applications.nodes[1].createdByNavigation).toEqual({ firstName: 'Grace' });
  expect(data.applications.nodes[1].createdDate).toMatch(/^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d{3}Z$/);
  const mappers = data.applications.nodes[1].accessScopeApplicationsMappers;
  expect(mappers.totalCount).toBe(2);
  expect(mappers.edges[1].node.accessScope).toEqual({
    name: 'Scope b',
    accessScopeType: { name: 'depot', accessScopes: { nodes: [{ accessScopeKey: 'a' }] } },
  });
  expect(data.applications.nodes[0].translations.nodes).toEqual([
    { languageCode: 'de', translatedText: 'Anwendung 1' },
  ]);
});

it('a guid is taken in any case and in braces', async () => {
  for (const form of [guids[0], guids[0]!.toUpperCase(), `{${guids[0]}}`])
    expect(
      await graph.data('query ($guid: UUID!) { application(applicationGuid: $guid) { name } }', { guid: form }),
    ).toEqual({
      application: { name: 'App 1' },
    });
  expect(await graph.data(`{ application(applicationGuid: "${system}") { name } }`)).toEqual({ application: null });
});

it('to-many fields have filter, orderBy and first of their own, for each parent', async () => {
  const data = await twice(
    `query ($keys: [String!]) { applications(orderBy: [{ name: DESC }]) { nodes { name
      mappers: accessScopeApplicationsMappers(first: 1, filter: { accessScope: { accessScopeKey: { in: $keys } } }, orderBy: [{ accessScope: { name: DESC } }])
        { nodes { accessScope { name } } pageInfo { hasNextPage } } } } }`,
    { keys: ['a', 'b'] },
  );
  expect(
    data.applications.nodes.map(
      (node: { name: string; mappers: { nodes: { accessScope: { name: string } }[]; pageInfo: object } }) => [
        node.name,
        node.mappers.nodes.map(({ accessScope }) => accessScope.name),
        node.mappers.pageInfo,
      ],
    ),
  ).toEqual([
    ['App 5', ['Scope a'], { hasNextPage: false }],
    ['App 4', [], { hasNextPage: false }],
    ['App 3', ['Scope b'], { hasNextPage: true }],
    ['App 2', ['Scope b'], { hasNextPage: true }],
    ['App 1', ['Scope a'], { hasNextPage: false }],
  ]);
});

it('an operator that is null is as if absent; a comparison that has only such ones is refused, and says what finds nulls', async () => {
  const ask = (filter: object) =>
    graph.ask('query ($filter: ApplicationFilter) { applications(filter: $filter) { totalCount } }', { filter });
  const count = async (filter: object) => (await ask(filter)).json.data.applications.totalCount;
  const unset = {
    ...Object.fromEntries(['eq', 'ne', 'in', 'notIn', 'gt', 'ge', 'lt', 'le'].map((name) => [name, null])),
    isNull: null,
  };
  const unsetText = { ...unset, contains: null, startsWith: null, endsWith: null, ignoreCase: null };
  expect(await count({ name: { ...unsetText, contains: '3' } })).toBe(1);
  expect(await count({ description: { ...unsetText, ne: 'Text 1' } })).toBe(3);
  expect(await count({ description: { ...unsetText, isNull: true } })).toBe(1);
  expect(await count({ applicationId: { ...unset, gt: 1 } })).toBe(4);
  expect(await count({ createdByNavigation: { lastName: { ...unsetText, eq: 'Hopper' } } })).toBe(4);
  for (const [filter, path] of [
    [{ description: { eq: null } }, 'filter.description'],
    [{ description: { ne: null } }, 'filter.description'],
    [{ name: { contains: null } }, 'filter.name'],
    [{ name: { eq: null, ignoreCase: true } }, 'filter.name'],
    [
      { or: [{ name: { eq: 'App 1' } }, { createdByNavigation: { lastName: unsetText } }] },
      'filter.or[1].createdByNavigation.lastName',
    ],
    [{ applicationId: unset }, 'filter.applicationId'],
  ] as const) {
    const { json } = await ask(filter);
    expect(json.errors[0].extensions).toMatchObject({
      code: 'BAD_USER_INPUT',
      problems: { [path]: [expect.stringContaining('isNull')] },
    });
  }
  const literal = await graph.ask('{ applications(filter: { description: { eq: null } }) { totalCount } }');
  expect(literal.json.errors[0].extensions.problems).toEqual({
    'filter.description': [expect.stringContaining('isNull')],
  });
});

it('filters compare as REST does', async () => {
  const names = async (filter: object) => {
    const data = await twice(
      'query ($filter: ApplicationFilter) { applications(filter: $filter) { nodes { name } } }',
      {
        filter,
      },
    );
    return data.applications.nodes.map(({ name }: { name: string }) => name.slice(4)).join('');
  };
  expect(await names({ name: { eq: 'App 2' } })).toBe('2');
  expect(await names({ description: { ne: 'Text 1' } })).toBe('234');
  expect(await names({ description: { isNull: true } })).toBe('3');
  expect(await names({ description: { isNull: false } })).toBe('1245');
  expect(await names({ not: { description: { eq: 'Text 1' } } })).toBe('234');
  expect(await names({ description: { notIn: ['Text 1'] } })).toBe('234');
  expect(await names({ name: { contains: '3' } })).toBe('3');
  expect(await names({ name: { startsWith: 'app', ignoreCase: true } })).toBe('12345');
  expect(await names({ name: { startsWith: 'app' } })).toBe('');
  expect(await names({ name: { endsWith: ' 4' } })).toBe('4');
  expect(await names({ name: { endsWith: '' } })).toBe('12345');
  expect(await names({ name: { gt: 'App 3' } })).toBe('45');
  expect(await names({ or: [{ name: { eq: 'App 1' } }, { name: { eq: 'App 5' } }] })).toBe('15');
  expect(await names({ and: [{ appType: { eq: 'web' } }, { applicationId: { gt: 1 } }] })).toBe('35');
  expect(await names({ createdByNavigation: { lastName: { eq: 'Hopper' } } })).toBe('2345');
  expect(await names({ createdByNavigation: { lastName: { isNull: true } } })).toBe('1');
  expect(await names({ accessScopeApplicationsMappers: { some: { accessScope: { name: { eq: 'Scope c' } } } } })).toBe(
    '3',
  );
  expect(await names({ accessScopeApplicationsMappers: { none: {} } })).toBe('4');
  expect(await names({ createdDate: { lt: '2000-01-01T00:00:00Z' } })).toBe('');
  expect(await names({ applicationGuid: { in: [guids[3]!.toUpperCase()] } })).toBe('4');
  expect(await names({ isIframe: { isNull: true } })).toBe('12345');
});

it.each([
  ['[{ applicationId: ASC }]'],
  ['[{ description: ASC }]'],
  ['[{ description: DESC }, { name: DESC }]'],
  ['[{ appType: DESC }]'],
  ['[{ createdByNavigation: { lastName: ASC } }]'],
  ['[{ createdDate: DESC }]'],
])('pages by cursor cover everything once, both ways: %s', async (orderBy) => {
  const all = await graph.data(`{ applications(orderBy: ${orderBy}) { nodes { name } } }`);
  const expected = all.applications.nodes.map(({ name }: { name: string }) => name);
  const forwards: string[] = [];
  let after: string | null = null;
  for (let more = true; more; ) {
    const { applications }: { applications: { nodes: { name: string }[]; pageInfo: Record<string, never> } } =
      await graph.data(
        `query ($after: String) { applications(first: 2, after: $after, orderBy: ${orderBy}) { nodes { name } pageInfo { hasNextPage hasPreviousPage endCursor } } }`,
        { after },
      );
    expect(applications.pageInfo.hasPreviousPage).toBe(after !== null);
    forwards.push(...applications.nodes.map(({ name }) => name));
    after = applications.pageInfo.endCursor!;
    more = applications.pageInfo.hasNextPage!;
  }
  expect(forwards).toEqual(expected);
  const backwards: string[] = [];
  let before: string | null = null;
  for (let more = true; more; ) {
    const { applications }: { applications: { nodes: { name: string }[]; pageInfo: Record<string, never> } } =
      await graph.data(
        `query ($before: String) { applications(last: 2, before: $before, orderBy: ${orderBy}) { nodes { name } pageInfo { hasNextPage hasPreviousPage startCursor } } }`,
        { before },
      );
    expect(applications.pageInfo.hasNextPage).toBe(before !== null);
    backwards.unshift(...applications.nodes.map(({ name }) => name));
    before = applications.pageInfo.startCursor!;
    more = applications.pageInfo.hasPreviousPage!;
  }
  expect(backwards).toEqual(expected);
});

it('a cursor of another ordering is refused', async () => {
  const { applications } = await graph.data('{ applications(first: 1) { pageInfo { endCursor } } }');
  const { json } = await graph.ask(
    `{ applications(after: "${applications.pageInfo.endCursor}", orderBy: [{ name: ASC }]) { nodes { name } } }`,
  );
  expect(json.errors[0].extensions).toMatchObject({
    code: 'BAD_USER_INPUT',
    problems: { after: [expect.any(String)] },
  });
});

it('first: 0 reads no records and still counts', async () => {
  expect(
    await graph.data('{ applications(first: 0) { totalCount nodes { name } pageInfo { hasNextPage endCursor } } }'),
  ).toEqual({ applications: { totalCount: 5, nodes: [], pageInfo: { hasNextPage: true, endCursor: null } } });
});

it.each([[true], [false]])('@skip and @include choose what is read and answered: %s', async (yes) => {
  const query = `query ($yes: Boolean!) { applications(first: 1) @include(if: $yes) { totalCount }
    users(first: 1) { nodes { firstName @skip(if: $yes) lastName ...F @include(if: $yes) } pageInfo @include(if: $yes) { hasNextPage } } } fragment F on User { email }`;
  for (let time = 0; time < 3; time++) {
    graph.app.takeStatements();
    const data = await graph.data(query, { yes });
    expect('applications' in data).toBe(yes);
    const statements = graph.app.takeStatements().filter((text) => text.includes('users') && !isJudgement(text));
    expect(statements).toHaveLength(1);
    expect(statements[0]!.includes('"firstName"')).toBe(!yes);
    expect(statements[0]!.includes('"email"')).toBe(yes);
  }
});
