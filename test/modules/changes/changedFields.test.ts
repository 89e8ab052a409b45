/** What audit events name as changed: the same for a record that is changed with others as for one that is changed by itself. */
import { randomUUID } from 'node:crypto';
import { allAdminScopes, startTestGraph, type TestGraph } from '../../graphql/graph.js';
import { icons } from '../../support/changeSets.js';
import { newScope, newScopeType } from '../../support/records.js';

let graph: TestGraph;
beforeAll(async () => {
  graph = await startTestGraph();
});
afterAll(() => graph?.close());

interface Made {
  application: string;
  group: string;
  scopes: string[];
  types: string[];
}

/** An application with two mappings of each kind and two texts, each of which every door can change. */
async function make(): Promise<Made> {
  const { context } = graph.app;
  const [application, group] = [randomUUID(), `group ${randomUUID()}`];
  const typeIds = [await newScopeType(context), await newScopeType(context)];
  const made = await Promise.all(
    typeIds.map((type) => newScope(context, type, undefined, { access_scope_key: randomUUID() })),
  );
  const types = await context.sql.rows<{ guid: string }>(
    'select access_scope_type_guid as guid from access_scope_types where access_scope_type_id = any($1::int[])',
    [typeIds],
  );
  const scopes = made.map(({ access_scope_guid }) => access_scope_guid);
  const toTypes = types.map(({ guid }) => ({ applicationGuid: application, accessScopeTypeGuid: guid, to: 'active' }));
  await apply([
    {
      createApplication: { input: { applicationGuid: application, name: 'Atlas', translationGroup: group, ...icons } },
    },
    ...scopes.map((guid) => ({ mapping: { applicationGuid: application, accessScopeGuid: guid, to: 'active' } })),
    ...toTypes.map((mapping) => ({ mapping })),
    { setTranslations: { translationGroup: group, translations: texts('before', 2) } },
  ]);
  return { application, group, scopes, types: types.map(({ guid }) => guid) };
}

const texts = (translatedText: string, count: number) =>
  ['name', 'description'].slice(0, count).map((fieldName) => ({ fieldName, languageCode: 'en', translatedText }));
const apply = (changes: object[]) =>
  graph.data('mutation ($changes: [ChangeInput!]!) { applyChanges(changes: $changes) { changeSetGuid } }', { changes });
const run = (name: string, type: string, given: object, keys = 'applicationGuid') =>
  graph.data(
    `mutation ($given: ${type}!, $key: ${keys === 'applicationGuid' ? 'UUID' : 'String'}!) { ${name}(${keys}: $key, ${keys === 'applicationGuid' ? 'items' : 'translations'}: $given) { __typename } }`,
    given,
  );

/** Each changes the first so many of what there is. */
const doors: Record<string, (made: Made, count: number) => Promise<unknown>> = {
  'REST PATCH of mappings': async ({ application, scopes }, count) => {
    const items = scopes.slice(0, count).map((accessScopeGuid) => ({
      accessScopeGuid,
      state: 'planned',
      individualExternalLink: 'https://one.example',
    }));
    const answer = await fetch(`${graph.app.url}/api/applications/${application}/accessScopes`, {
      method: 'PATCH',
      headers: {
        'api-version': '1.0',
        authorization: `Bearer ${graph.token(allAdminScopes)}`,
        'content-type': 'application/json',
      },
      body: JSON.stringify(items),
    });
    expect([answer.status, await answer.text()]).toEqual([200, expect.any(String)]);
  },
  updateAccessScopeApplicationsMappers: ({ application, scopes }, count) =>
    run('updateAccessScopeApplicationsMappers', '[AccessScopeApplicationsMapperUpdateInput!]', {
      key: application,
      given: scopes.slice(0, count).map((accessScopeGuid) => ({ accessScopeGuid, state: 'planned' })),
    }),
  updateAccessScopeTypeApplicationsMappers: ({ application, types }, count) =>
    run('updateAccessScopeTypeApplicationsMappers', '[AccessScopeTypeApplicationsMapperUpdateInput!]', {
      key: application,
      given: types.slice(0, count).map((accessScopeTypeGuid) => ({ accessScopeTypeGuid, state: 'planned' })),
    }),
  setTranslations: ({ group }, count) =>
    run('setTranslations', '[TranslationInput!]', { key: group, given: texts('after', count) }, 'translationGroup'),
  'mappings of a change set': ({ application, scopes }, count) =>
    apply(
      scopes.slice(0, count).map((accessScopeGuid) => ({
        mapping: { applicationGuid: application, accessScopeGuid, from: 'active', to: 'planned' },
      })),
    ),
  'texts of a change set': ({ group }, count) =>
    apply(
      texts('after', count).map(({ translatedText: to, ...key }) => ({
        translation: { translationGroup: group, ...key, from: 'before', to },
      })),
    ),
  'access scopes of a change set': ({ scopes, types }, count) =>
    apply(
      scopes.slice(0, count).map((accessScopeGuid, index) => ({
        updateAccessScope: { accessScopeGuid, input: { name: 'T', accessScopeTypeGuid: types[1 - index] } },
      })),
    ),
};

/** The details of the updates since then; what was read as one is removed by setTranslations with fewer texts. */
async function details(work: () => Promise<unknown>): Promise<unknown[]> {
  const { sql } = graph.app.context;
  const [{ last }] = (await sql.rows('select coalesce(max(audit_event_id), 0) as last from audit_events')) as [
    { last: string },
  ];
  await work();
  const found = await sql.rows<{ detail: { fields: string[] } }>(
    `select detail from audit_events where audit_event_id > $1 and action = 'update' order by audit_event_id`,
    [last],
  );
  return found.map(({ detail }) => ({ fields: [...detail.fields].sort() }));
}

it.each(Object.entries(doors))('%s: two records say as changed what one says', async (_name, door) => {
  const [one, two] = [await make(), await make()];
  const [alone, ...others] = await details(() => door(one, 1));
  expect(others).toEqual([]);
  expect(alone).toEqual({
    fields: expect.not.arrayContaining([expect.stringMatching(/^(revision|modified|.*MapperId)/)]),
  });
  expect(await details(() => door(two, 2))).toEqual([alone, alone]);
});

it('an undo says as changed what the change said', async () => {
  for (const name of ['mappings of a change set', 'access scopes of a change set']) {
    const made = await make();
    const said = await details(() => doors[name]!(made, 2));
    const [set] = await graph.app.context.sql.rows<{ guid: string }>(
      'select change_set_guid as guid from change_sets order by change_set_id desc limit 1',
    );
    const undo = 'mutation ($guid: UUID!) { undoChangeSet(changeSetGuid: $guid) { changeSetGuid } }';
    expect(await details(() => graph.data(undo, { guid: set!.guid }))).toEqual(said);
  }
});
