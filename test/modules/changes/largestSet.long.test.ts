/** The largest change set that there may be: 1,000 changes with 10,000 items. */
import { startTestGraph, type TestGraph } from '../../graphql/graph.js';
import { newScope, newScopeType, systemUser } from '../../support/records.js';

const changesMax = 1_000;
const itemsEach = 10;

let graph: TestGraph;
let applications: string[];
let scopes: string[];
beforeAll(async () => {
  graph = await startTestGraph();
  const { context } = graph.app;
  const type = await newScopeType(context);
  scopes = [];
  for (let n = 0; n < itemsEach; n++)
    scopes.push((await newScope(context, type, undefined, { access_scope_key: `k${n}` })).access_scope_guid);
  const rows = await context.sql.rows<{ guid: string }>(
    `insert into applications (name, icon_default, icon_hover, app_type, rendering_mode, link_type, created_by)
     select 'Application ' || n, 'i', 'h', 'web', 'tab', 'external', $1 from generate_series(1, $2) n returning application_guid as guid`,
    [systemUser, changesMax],
  );
  applications = rows.map(({ guid }) => guid);
});
afterAll(() => graph?.close());

const apply = `mutation ($changes: [ChangeInput!]!, $dryRun: Boolean! = false) {
  applyChanges(changes: $changes, dryRun: $dryRun) { changeSetGuid events { totalCount } effect { gains { applications users } } } }`;
const tables = ['access_scope_applications_mappers', 'change_sets', 'record_versions', 'audit_events'];
const counts = () =>
  Promise.all(
    tables.map(async (table) => {
      const [row] = await graph.app.context.sql.rows<{ count: number }>(`select count(*)::int from ${table}`);
      return row!.count;
    }),
  );
const all = () =>
  applications.map((applicationGuid) => ({
    createAccessScopeApplicationsMappers: {
      applicationGuid,
      items: scopes.map((accessScopeGuid) => ({ accessScopeGuid })),
    },
  }));

it('a fault in its last change leaves nothing, and is told by its place', async () => {
  const before = await counts();
  const changes = all();
  changes.at(-1)!.createAccessScopeApplicationsMappers.items.at(-1)!.accessScopeGuid = applications[0]!;
  const { json } = await graph.ask(apply, { changes });
  expect(json.errors[0].extensions).toMatchObject({
    code: 'NOT_FOUND',
    problems: { 'changes[999].createAccessScopeApplicationsMappers.items[9].accessScopeGuid': [expect.any(String)] },
  });
  expect(await counts()).toEqual(before);
});

it('the largest change set is tried, made and undone as a whole', async () => {
  const before = await counts();
  const tried = (await graph.data(apply, { changes: all(), dryRun: true })).applyChanges;
  expect(await counts()).toEqual(before);
  const made = (await graph.data(apply, { changes: all() })).applyChanges;
  expect(made.effect).toEqual(tried.effect);
  expect([tried.events.totalCount, made.events.totalCount]).toEqual([10_000, 10_000]);
  expect((await counts())[0]).toBe(before[0]! + 10_000);
  const undo = 'mutation ($guid: UUID!) { undoChangeSet(changeSetGuid: $guid) { events { totalCount } } }';
  const undone = (await graph.data(undo, { guid: made.changeSetGuid })).undoChangeSet;
  expect(undone.events.totalCount).toBe(10_000);
  expect((await counts())[0]).toBe(before[0]);
});

it('one change or one item more is refused', async () => {
  const [first, ...others] = all();
  const codeOf = async (changes: object[]) => (await graph.ask(apply, { changes })).json.errors[0].extensions.code;
  expect(await codeOf([first!, first!, ...others])).toBe('TOO_LARGE');
  const { applicationGuid, items } = first!.createAccessScopeApplicationsMappers;
  const larger = { createAccessScopeApplicationsMappers: { applicationGuid, items: [...items, items[0]!] } };
  expect(await codeOf([larger, ...others])).toBe('TOO_LARGE');
});
