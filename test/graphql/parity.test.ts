/** Each REST operation and its counterpart in GraphQL: the same data, and the same errors on the same input. */
import { randomUUID } from 'node:crypto';
import { readAnswer } from '../support/app.js';
import { insert, newApplication, newScope, newScopeType, newUser } from '../support/records.js';
import { startTestGraph, type TestGraph } from './graph.js';

let graph: TestGraph;
const scopes: string[] = [];
let application: string;
// biome-ignore lint/suspicious/noExplicitAny: tests look into answers freely
type Json = any;

beforeAll(async () => {
  graph = await startTestGraph();
  const { context } = graph.app;
  const author = await newUser(context, { first_name: 'Grace' });
  const typeId = await newScopeType(context, 'depot');
  for (const key of ['a', 'b', 'c'])
    scopes.push(
      (await newScope(context, typeId, undefined, { access_scope_key: key, created_by: author.user_guid }))
        .access_scope_guid,
    );
  for (const name of ['One', 'Zwei 😀']) {
    const row = await newApplication(context, { name, translation_group: name, created_by: author.user_guid });
    application ??= row.application_guid;
    await context.sql.rows(
      `insert into access_scope_applications_mappers (application_id, access_scope_id, created_by)
       select $1, access_scope_id, $2 from access_scopes where access_scope_guid = any($3::uuid[]) order by access_scope_id`,
      [row.application_id, author.user_guid, scopes.slice(0, 2)],
    );
    await insert(context.sql, 'access_scope_type_applications_mappers', {
      application_id: row.application_id,
      access_scope_type_id: typeId,
      created_by: author.user_guid,
    });
    await insert(context.sql, 'translations', {
      translation_group: name,
      field_name: 'name',
      language_code: 'de',
      translated_text: 'Eins',
    });
  }
});
afterAll(() => graph?.close());

async function rest(method: string, path: string, body?: unknown) {
  return readAnswer(
    await fetch(`${graph.app.url}/api${path}`, {
      method,
      headers: {
        'api-version': '1.0',
        authorization: `Bearer ${graph.token()}`,
        ...(body !== undefined && { 'content-type': 'application/json' }),
      },
      ...(body !== undefined && { body: JSON.stringify(body) }),
    }),
  );
}

/** The GraphQL selection that asks for what a REST answer shows: to-many lists as connections, nulls without members. */
function selectionOf(sample: Json): string {
  return Object.entries(sample as object)
    .filter(([, value]) => !isEmptyRelation(value))
    .map(([name, value]) => {
      if (Array.isArray(value)) return `${name} { nodes { ${selectionOf(value[0])} } }`;
      return value !== null && typeof value === 'object' ? `${name} { ${selectionOf(value)} }` : name;
    })
    .join(' ');
}
const relationNames =
  /^(application|createdByNavigation|modifiedByNavigation|accessScope|accessScopeType|.*Mappers|translations)$/;
const isEmptyRelation = (value: unknown): boolean => Array.isArray(value) && value.length === 0;

/** A REST answer without what it leaves null by its nesting, as GraphQL would show it. */
function shown(value: Json): Json {
  if (Array.isArray(value)) return value.map(shown);
  if (value === null || typeof value !== 'object') return value;
  return Object.fromEntries(
    Object.entries(value)
      .filter(([name, member]) => !isEmptyRelation(member) && !(member === null && relationNames.test(name)))
      .map(([name, member]) => [name, Array.isArray(member) ? { nodes: member.map(shown) } : shown(member)]),
  );
}

it('the list of applications, with everything nested', async () => {
  const { json } = await rest('GET', '/applications');
  const expected = json.map(shown);
  const data = await graph.data(`{ applications { nodes { ${selectionOf(unshown(expected[0]))} } } }`);
  expect(data.applications.nodes).toEqual(expected);
});
/** Connections back to lists, for selectionOf. */
function unshown(value: Json): Json {
  if (value === null || typeof value !== 'object') return value;
  if (Array.isArray(value.nodes)) return value.nodes.map(unshown);
  return Object.fromEntries(Object.entries(value).map(([name, member]) => [name, unshown(member)]));
}

it('one application, and the mappings of one', async () => {
  const one = shown((await rest('GET', `/applications/${application}`)).json);
  const query = `{ application(applicationGuid: "${application}") { ${selectionOf(unshown(one))} } }`;
  expect((await graph.data(query)).application).toEqual(one);
  const mappings = (await rest('GET', `/applications/${application}/accessScopes`)).json.map(shown);
  const data = await graph.data(
    `{ application(applicationGuid: "${application}") { accessScopeApplicationsMappers { nodes { ${selectionOf(unshown(mappings[0]))} } } } }`,
  );
  expect(data.application.accessScopeApplicationsMappers.nodes).toEqual(mappings);
});

const create =
  'mutation ($input: CreateApplicationInput!) { createApplication(input: $input) { name description isIframe isActive globalExternalLink } }';
const base = { name: 'New', iconDefault: 'i', iconHover: 'h', appType: 'web', renderingMode: 'r', linkType: 'l' };
const restBase = ({ isIframe, ...input }: Record<string, unknown>) => ({
  ...input,
  ...(isIframe !== undefined && { isIFrame: isIframe }),
});

it.each([
  ['a good input', { ...base, description: 'd', isIframe: true }],
  ['nulls', { ...base, description: null, isIframe: null, globalExternalLink: null }],
  ['empty name', { ...base, name: '' }],
  ['too long', { ...base, name: 'x'.repeat(256), appType: '😀'.repeat(51), iconHover: 'x'.repeat(513) }],
  ['longest', { ...base, name: '😀'.repeat(255) }],
])('creation of an application: %s', async (_name, input) => {
  const one = await rest('POST', '/applications', restBase(input));
  const { json } = await graph.ask(create, { input });
  if (one.status === 200) {
    const { name, description, isIframe, isActive, globalExternalLink } = one.json;
    expect(json.data.createApplication).toEqual({ name, description, isIframe, isActive, globalExternalLink });
  } else {
    expect(one.status).toBe(400);
    expect(json.errors[0].extensions.code).toBe('BAD_USER_INPUT');
    const problems = Object.fromEntries(
      Object.entries(one.json.errors).map(([path, errors]) => [`input.${path}`, errors]),
    );
    expect(json.errors[0].extensions.problems).toEqual(problems);
  }
});

const codes: Record<number, string> = { 400: 'BAD_USER_INPUT', 404: 'NOT_FOUND', 409: 'CONFLICT' };
const mutate = (verb: string) =>
  `mutation ($app: UUID!, $items: [AccessScopeApplicationsMapper${verb}Input!]!) {
    ${verb.toLowerCase()}AccessScopeApplicationsMappers(applicationGuid: $app, items: $items) { state individualExternalLink } }`;

it.each([
  ['POST', 'Create', 'exists', () => [{ accessScopeGuid: scopes[0] }]],
  ['POST', 'Create', 'unknown scope', () => [{ accessScopeGuid: scopes[2] }, { accessScopeGuid: randomUUID() }]],
  ['POST', 'Create', 'the same twice', () => [{ accessScopeGuid: scopes[2] }, { accessScopeGuid: scopes[2] }]],
  [
    'POST',
    'Create',
    'state too long and null',
    () => [
      { accessScopeGuid: scopes[2], state: 'x'.repeat(51) },
      { accessScopeGuid: scopes[1], state: null },
    ],
  ],
  ['PATCH', 'Update', 'good', () => [{ accessScopeGuid: scopes[1], state: 'paused' }]],
  ['PATCH', 'Update', 'not mapped', () => [{ accessScopeGuid: scopes[2], state: 'paused' }]],
  ['PATCH', 'Update', 'nothing', () => []],
])('%s of mappings: %s %s', async (method, verb, _name, itemsOf) => {
  const items = itemsOf();
  const one = await rest(method, `/applications/${application}/accessScopes`, items);
  const { json } = await graph.ask(mutate(verb), { app: application, items });
  const field = `${verb.toLowerCase()}AccessScopeApplicationsMappers`;
  if (one.status === 200) {
    expect(json.data[field]).toEqual(
      one.json.map(({ state, individualExternalLink }: Json) => ({ state, individualExternalLink })),
    );
    return;
  }
  expect(json.errors[0].extensions.code).toBe(codes[one.status]);
  const errors = one.json.errors ?? {};
  expect(json.errors[0].extensions.problems).toEqual(
    Object.fromEntries(Object.entries(errors).map(([path, why]) => [`items${path}`, why])),
  );
});

it('an unknown application is not found by either', async () => {
  const unknown = randomUUID();
  expect((await rest('GET', `/applications/${unknown}`)).status).toBe(404);
  expect(
    (await graph.data('query ($g: UUID!) { application(applicationGuid: $g) { name } }', { g: unknown })).application,
  ).toBeNull();
  expect((await rest('PATCH', `/applications/${unknown}/accessScopes`, [])).status).toBe(404);
  expect((await graph.ask(mutate('Update'), { app: unknown, items: [] })).json.errors[0].extensions.code).toBe(
    'NOT_FOUND',
  );
});

it('removal, singly or in bulk', async () => {
  const remove =
    'mutation ($app: UUID!, $guids: [UUID!]!) { deleteAccessScopeApplicationsMappers(applicationGuid: $app, accessScopeGuids: $guids) }';
  expect((await rest('DELETE', `/applications/${application}/accessScopes/${scopes[2]}`)).status).toBe(404);
  expect((await graph.ask(remove, { app: application, guids: [scopes[2]] })).json.errors[0].extensions.code).toBe(
    'NOT_FOUND',
  );
  expect((await rest('DELETE', `/applications/${application}/accessScopes/${scopes[0]}`)).status).toBe(200);
  expect(
    (await graph.data(remove, { app: application, guids: [scopes[1]] })).deleteAccessScopeApplicationsMappers,
  ).toHaveLength(1);
});
