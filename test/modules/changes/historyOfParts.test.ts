/** The history of a record tells of what belongs to it too: of what came, what changed, and what was removed. */
import { randomUUID } from 'node:crypto';
import { ofRecordAndParts } from '../../../src/modules/changes/history/fieldChanges.js';
import { Statement } from '../../../src/services/read/select.js';
import { startTestGraph, type TestGraph } from '../../graphql/graph.js';
import { icons } from '../../support/changeSets.js';
import { linkProfile, newProfile, newRole, newScope, newScopeType, newUser } from '../../support/records.js';

let graph: TestGraph;
beforeAll(async () => {
  graph = await startTestGraph();
});
afterAll(() => graph?.close());

const apply = (changes: object[]) =>
  graph.data('mutation ($changes: [ChangeInput!]!) { applyChanges(changes: $changes) { changeSetGuid } }', { changes });

async function newApplication(name: string, translationGroup = randomUUID()) {
  const applicationGuid = randomUUID();
  await apply([{ createApplication: { input: { applicationGuid, name, translationGroup, ...icons } } }]);
  return { applicationGuid, translationGroup };
}

async function scopeOfType() {
  const { sql } = graph.app.context;
  const typeId = await newScopeType(graph.app.context);
  const { access_scope_id: scopeId } = await newScope(graph.app.context, typeId, undefined, {
    name: 'Harbour',
    access_scope_key: randomUUID(),
  });
  const [guids] = await sql.rows<{ scope: string; type: string }>(
    `select access_scope_guid as scope, access_scope_type_guid as type from access_scopes
     join access_scope_types using (access_scope_type_id) where access_scope_id = $1`,
    [scopeId],
  );
  return guids!;
}

const query = `query ($type: String!, $id: String!, $first: Int, $after: String) {
  history(subjectType: $type, subjectId: $id, withParts: true, first: $first, after: $after) {
    pageInfo { hasNextPage endCursor }
    nodes {
      recordTable action changes { field before after }
      namesBefore { application { name } accessScope { name } }
      namesAfter { application { name } accessScope { name } user { userGuid } profile { profileId } }
    }
  }
}`;

interface Version {
  recordTable: string;
  action: string;
  changes: { field: string; before: unknown; after: unknown }[];
  namesBefore: { application: { name: string } | null; accessScope: { name: string } | null } | null;
  namesAfter: object | null;
}
interface History {
  pageInfo: { hasNextPage: boolean; endCursor: string };
  nodes: Version[];
}

const historyOf = async (type: string, id: string, page: object = {}): Promise<History> =>
  (await graph.data(query, { type, id, ...page })).history;
const kinds = ({ nodes }: History) => nodes.map(({ recordTable, action }) => `${recordTable} ${action}`);

it('an application’s history has its mappings, removed ones by their names, and its texts; and of no other', async () => {
  const { applicationGuid, translationGroup } = await newApplication('Outages');
  const other = await newApplication('Other');
  const { scope, type } = await scopeOfType();
  const mapping = { applicationGuid, accessScopeGuid: scope };
  const text = { translationGroup, fieldName: 'name', languageCode: 'de' };
  await apply([{ mapping: { ...mapping, from: null, to: 'planned' } }]);
  await apply([
    { mapping: { ...mapping, from: 'planned', to: 'active' } },
    { mapping: { applicationGuid: other.applicationGuid, accessScopeGuid: scope, from: null, to: 'active' } },
  ]);
  await apply([{ mapping: { applicationGuid, accessScopeTypeGuid: type, from: null, to: 'active' } }]);
  await apply([{ translation: { ...text, from: null, to: 'Störungen' } }]);
  await apply([{ translation: { ...text, translationGroup: other.translationGroup, from: null, to: 'Anderes' } }]);
  await apply([{ mapping: { ...mapping, from: 'active', to: null } }]);

  const history = await historyOf('Application', applicationGuid);
  expect(kinds(history)).toEqual([
    'access_scope_applications_mappers delete',
    'translations create',
    'access_scope_type_applications_mappers create',
    'access_scope_applications_mappers update',
    'access_scope_applications_mappers create',
    'applications create',
  ]);
  expect(history.nodes[0]).toMatchObject({
    namesBefore: { application: { name: 'Outages' }, accessScope: { name: 'Harbour' } },
    namesAfter: null,
  });
  expect(history.nodes[3]!.changes).toEqual([{ field: 'state', before: 'planned', after: 'active' }]);
  const ofScope = kinds(await historyOf('AccessScope', scope));
  expect(ofScope.filter((kind) => kind === 'access_scope_applications_mappers create')).toHaveLength(2);
});

it('a person’s history has the profiles that were given, a profile’s its people and its scopes', async () => {
  const { context } = graph.app;
  const user = await newUser(context);
  const profileId = await newProfile(context);
  const { scope } = await scopeOfType();
  await linkProfile(context, user.user_id, profileId, await newRole(context));
  await apply([{ setProfileAccessScopes: { profileId, accessScopeGuids: [scope] } }]);
  await apply([{ setProfileAccessScopes: { profileId, accessScopeGuids: [] } }]);

  const ofUser = await historyOf('User', user.user_guid);
  expect(kinds(ofUser)).toEqual(['user_profiles create', 'users create']);
  expect(ofUser.nodes[0]!.namesAfter).toMatchObject({ user: { userGuid: user.user_guid }, profile: { profileId } });
  const ofProfile = kinds(await historyOf('Profile', profileId)).filter((kind) => !kind.startsWith('profiles '));
  expect(ofProfile).toEqual(['profile_access_scopes delete', 'profile_access_scopes create', 'user_profiles create']);
});

it('pages follow one another without a gap, and parts of a record that was removed are told', async () => {
  const { applicationGuid } = await newApplication('Paged');
  const { scope } = await scopeOfType();
  for (const [from, to] of [null, 'a', 'b', 'c', 'd'].map((state, index, all) => [state, all[index + 1]]).slice(0, -1))
    await apply([{ mapping: { applicationGuid, accessScopeGuid: scope, from, to } }]);
  await graph.app.context.sql.rows('delete from applications where application_guid = $1', [applicationGuid]);

  const seen: string[] = [];
  let after: string | null = null;
  do {
    const { nodes, pageInfo }: History = await historyOf('Application', applicationGuid, { first: 2, after });
    seen.push(...nodes.map(({ recordTable, action }) => `${recordTable} ${action}`));
    after = pageInfo.hasNextPage ? pageInfo.endCursor : null;
  } while (after);
  expect(seen.filter((kind) => kind === 'access_scope_applications_mappers update')).toHaveLength(3);
  expect(seen.filter((kind) => kind.endsWith('delete'))).toHaveLength(2);
  expect(seen.at(-1)).toBe('applications create');
});

it.each([
  '',
  'nobody',
  '00000000-0000-4000-8000-000000000009',
  "'; drop table users; --",
])('a record that never existed has no history: %p', async (id) => {
  expect((await historyOf('Application', id)).nodes).toEqual([]);
});

it('versions are found by indexes of their owners, however many others there are', async () => {
  const owners = { Application: 'guid', AccessScope: 'guid', AccessScopeType: 'guid', User: 'guid', Profile: 'id' };
  for (const [owner, key] of Object.entries(owners)) {
    const statement = new Statement();
    const condition = ofRecordAndParts(statement, 't', owner, key === 'guid' ? randomUUID() : 'grid');
    const plan = await graph.app.context.sql.transaction(async (inside) => {
      await inside.rows('set local enable_seqscan = off');
      return inside.rows<{ 'QUERY PLAN': string }>(
        `explain select from record_versions t where ${condition}`,
        statement.values,
      );
    });
    const lines = plan.map((line) => line['QUERY PLAN']).join('\n');
    expect(lines).toMatch(/record_versions_of_\w+_index/);
    expect(lines).not.toMatch(/Seq Scan on record_versions/);
  }
});
