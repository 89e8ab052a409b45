/** Change sets by the graph. */
import { randomUUID } from 'node:crypto';
import { startTestGraph, type TestGraph } from '../graphql/graph.js';

export let graph: TestGraph;

/** To be called in beforeAll. */
export async function startChangeSets(): Promise<void> {
  graph = await startTestGraph();
}

export const effect = `effect { gains { ...delta } loses { ...delta } tokens { profiles users sessions } }`;
export const fragment = `fragment delta on AccessDelta { applications scopes profiles users sessions items { nodes {
  profile { profileId name } application { name } scope user { userGuid } users people { firstName } } } }`;
export const apply = `mutation ($changes: [ChangeInput!]!, $dryRun: Boolean! = false, $note: String, $version: ID) {
  applyChanges(changes: $changes, dryRun: $dryRun, note: $note, ifCatalogueVersion: $version) {
    changeSetGuid isDryRun face note actor catalogueVersion events { totalCount nodes { action subjectType subjectId } } ${effect} } } ${fragment}`;
export const icons = {
  iconDefault: 'a.svg',
  iconHover: 'b.svg',
  appType: 'web',
  renderingMode: 'tab',
  linkType: 'external',
};
export const applied = async (changes: object[], more: object = {}, token?: string) =>
  (await graph.data(apply, { changes, ...more }, token)).applyChanges;
export const errorOf = async (changes: object[], more: object = {}, token?: string) =>
  (await graph.ask(apply, { changes, ...more }, token)).json.errors?.[0];
export const count = async (table: string): Promise<number> =>
  (await graph.app.context.sql.rows<{ count: number }>(`select count(*)::int from ${table}`))[0]!.count;

/** A catalogue from nothing, each record by the guid of the one before. */
export function wholeCatalogue() {
  const [app, type, scope, user] = [randomUUID(), randomUUID(), randomUUID(), randomUUID()];
  const [profileId, roleId] = [`p-${randomUUID().slice(0, 8)}`, `r-${randomUUID().slice(0, 8)}`];
  const changes = [
    { createAccessScopeType: { input: { accessScopeTypeGuid: type, name: `type-${type}` } } },
    {
      createAccessScope: {
        input: { accessScopeGuid: scope, accessScopeTypeGuid: type, name: 'S', accessScopeKey: 'k' },
      },
    },
    { createApplication: { input: { applicationGuid: app, name: 'Atlas', ...icons } } },
    { createAccessScopeApplicationsMappers: { applicationGuid: app, items: [{ accessScopeGuid: scope }] } },
    { createProfile: { input: { profileId, name: 'P' } } },
    { setProfileAccessScopes: { profileId, accessScopeGuids: [scope] } },
    { createRole: { input: { roleId, name: 'R' } } },
    { createUser: { input: { userGuid: user, firstName: 'Ada' } } },
    { assignProfile: { userGuid: user, profileId, roleId } },
  ];
  return { changes, app, type, scope, user, profileId, roleId };
}
