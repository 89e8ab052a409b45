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

const icons = { iconDefault: 'a', iconHover: 'b', appType: 'web', renderingMode: 'tab', linkType: 'external' };
const apply = 'mutation ($changes: [ChangeInput!]!) { applyChanges(changes: $changes) { changeSetGuid } }';
const newScopeOf = (accessScopeTypeGuid: string, accessScopeGuid: string) => ({
  createAccessScope: { input: { accessScopeGuid, accessScopeTypeGuid, name: 'S', accessScopeKey: accessScopeGuid } },
});

it('who opens it already gains nothing by another mapping, and no remedy does more than another that would do', async () => {
  const { context } = graph.app;
  const role = await newRole(context);
  const [ada, opener, blocked] = [await newUser(context), await newUser(context), await newUser(context)];
  const [poor, rich] = [await newProfile(context), await newProfile(context)];
  await linkProfile(context, ada.user_id, poor, role);
  for (const { user_id } of [opener, blocked]) await linkProfile(context, user_id, rich, role);
  const [type, app, shared, own, retired] = Array.from({ length: 5 }, () => randomUUID());
  await graph.data(apply, {
    changes: [
      { createAccessScopeType: { input: { accessScopeTypeGuid: type, name: `type-${type}` } } },
      ...[shared, own, retired].map((scope) => newScopeOf(type!, scope!)),
      { deactivateAccessScope: { accessScopeGuid: retired } },
      { createApplication: { input: { applicationGuid: app, name: 'Atlas', ...icons } } },
      { setProfileAccessScopes: { profileId: poor, accessScopeGuids: [shared, retired] } },
      { setProfileAccessScopes: { profileId: rich, accessScopeGuids: [shared, own, retired] } },
      { mapping: { applicationGuid: app, accessScopeGuid: own, to: 'active' } },
      { mapping: { applicationGuid: app, accessScopeTypeGuid: type, to: 'planned' } },
      { updateUser: { userGuid: blocked.user_guid, input: { isBlocked: true } } },
    ],
  });
  const ask = `query ($user: UUID!, $app: UUID!) { explainAccess(userGuid: $user, applicationGuid: $app) {
    remedies { changes othersGaining } } }`;
  const kindsFor = async (user: string) =>
    (await graph.data(ask, { user, app })).explainAccess.remedies.map(
      ({ changes, othersGaining }: { changes: object[]; othersGaining: number }) => [
        othersGaining,
        ...changes.flatMap((change) => Object.keys(change)),
      ],
    );
  expect(await kindsFor(ada.user_guid)).toEqual([
    [0, 'mapping'],
    [0, 'setProfileAccessScopes'],
    [0, 'assignProfile'],
  ]);
  expect(await kindsFor(blocked.user_guid)).toEqual([[0, 'updateUser']]);
});

it('a mapping that only has another state is told before the access scopes that no mapping leads from, however many those are', async () => {
  const { context } = graph.app;
  const role = await newRole(context);
  const ada = await newUser(context);
  const [many, one] = [await newProfile(context), await newProfile(context)];
  for (const profile of [many, one]) await linkProfile(context, ada.user_id, profile, role);
  const [type, app, planned] = [randomUUID(), randomUUID(), randomUUID()];
  const unmapped = Array.from({ length: 25 }, () => randomUUID());
  await graph.data(apply, {
    changes: [
      { createAccessScopeType: { input: { accessScopeTypeGuid: type, name: `type-${type}` } } },
      ...[...unmapped, planned].map((scope) => newScopeOf(type, scope)),
      { createApplication: { input: { applicationGuid: app, name: 'Atlas', ...icons } } },
      { setProfileAccessScopes: { profileId: many, accessScopeGuids: unmapped } },
      { setProfileAccessScopes: { profileId: one, accessScopeGuids: [planned] } },
      { mapping: { applicationGuid: app, accessScopeGuid: planned, to: 'planned' } },
    ],
  });
  const { explainAccess } = await graph.data(
    `query ($user: UUID!, $app: UUID!) { explainAccess(userGuid: $user, applicationGuid: $app) {
      reasons ways { links { reason } } } }`,
    { user: ada.user_guid, app },
  );
  expect(explainAccess.reasons[0]).toContain('planned');
  expect(explainAccess.ways).toHaveLength(20);
});
