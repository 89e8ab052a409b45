/** What would open an application for somebody: the remedies of explainAccess. */
import { randomUUID } from 'node:crypto';
import { startTestGraph, type TestGraph } from '../graphql/graph.js';
import { linkProfile, newProfile, newRole, newUser } from '../support/records.js';

let graph: TestGraph;
beforeAll(async () => {
  graph = await startTestGraph();
});
afterAll(() => graph?.close());

it('come in the order of how few others would gain by them, however many changes they take', async () => {
  const { context } = graph.app;
  const role = await newRole(context);
  const [ada, other] = [await newUser(context), await newUser(context)];
  const [held, free] = [await newProfile(context), await newProfile(context)];
  for (const { user_id } of [ada, other]) await linkProfile(context, user_id, held, role);
  const [type, app, unmapped, planned] = [randomUUID(), randomUUID(), randomUUID(), randomUUID()];
  const scope = (accessScopeGuid: string) => ({
    createAccessScope: {
      input: { accessScopeGuid, accessScopeTypeGuid: type, name: 'S', accessScopeKey: accessScopeGuid },
    },
  });
  const icons = { iconDefault: 'a', iconHover: 'b', appType: 'web', renderingMode: 'tab', linkType: 'external' };
  await graph.data('mutation ($changes: [ChangeInput!]!) { applyChanges(changes: $changes) { changeSetGuid } }', {
    changes: [
      { createAccessScopeType: { input: { accessScopeTypeGuid: type, name: `type-${type}` } } },
      scope(unmapped),
      scope(planned),
      { createApplication: { input: { applicationGuid: app, name: 'Atlas', ...icons } } },
      { setProfileAccessScopes: { profileId: held, accessScopeGuids: [unmapped] } },
      { setProfileAccessScopes: { profileId: free, accessScopeGuids: [planned] } },
      { mapping: { applicationGuid: app, accessScopeGuid: planned, to: 'planned' } },
    ],
  });
  const { explainAccess } = await graph.data(
    `query ($user: UUID!, $app: UUID!) { explainAccess(userGuid: $user, applicationGuid: $app) {
      remedies { changes othersGaining } } }`,
    { user: ada.user_guid, app },
  );
  const kinds = explainAccess.remedies.map(
    ({ changes, othersGaining }: { changes: object[]; othersGaining: number }) => [
      othersGaining,
      ...changes.flatMap((change) => Object.keys(change)),
    ],
  );
  expect(kinds).toEqual([
    [0, 'assignProfile', 'mapping'],
    [1, 'mapping'],
    [1, 'setProfileAccessScopes', 'mapping'],
  ]);
});
