/** What would open an application for somebody: the remedies of explainAccess. */
import { randomUUID } from 'node:crypto';
import { startTestGraph, type TestGraph } from '../../graphql/graph.js';
import { icons } from '../../support/changeSets.js';
import {
  insert,
  linkProfile,
  newProfile,
  newRole,
  newScope,
  newScopeType,
  newUser,
  systemUser,
} from '../../support/records.js';

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
    [1, 'assignAccessScope', 'mapping'],
  ]);
});

const apply = 'mutation ($changes: [ChangeInput!]!) { applyChanges(changes: $changes) { changeSetGuid } }';
const newScopeOf = (accessScopeTypeGuid: string, accessScopeGuid: string) => ({
  createAccessScope: { input: { accessScopeGuid, accessScopeTypeGuid, name: 'S', accessScopeKey: accessScopeGuid } },
});

it('a remedy gives nothing to people who can open the application already, and none does more than a smaller one', async () => {
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
    // one of the access scope and one of its type
    [0, 'mapping'],
    [0, 'assignAccessScope'],
    [0, 'assignProfile'],
    [1, 'updateAccessScope', 'mapping'],
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

const remediesFor = async (user: string, app: string): Promise<{ changes: object[]; othersGaining: number }[]> => {
  const ask = `query ($user: UUID!, $app: UUID!) { explainAccess(userGuid: $user, applicationGuid: $app) {
    remedies { changes othersGaining } } }`;
  return (await graph.data(ask, { user, app })).explainAccess.remedies;
};
const profilesOf = (remedies: { changes: object[] }[]) =>
  remedies.map(({ changes }) => (changes[0] as { assignProfile?: { profileId: string } }).assignProfile?.profileId);

it('nobody is made an administrator while something else would do, however many administrators there are', async () => {
  const { context } = graph.app;
  const ada = await newUser(context);
  const [type, app, key, more] = [randomUUID(), randomUUID(), randomUUID(), randomUUID()];
  const profiles = ['zz-viewer', 'zz-editor', ...Array.from({ length: 25 }, (_, n) => `aa-admin-${n}`)];
  const [viewer, editor, ...administrators] = profiles.map((name) => `${name}-${randomUUID().slice(0, 8)}`);
  for (const profile of [viewer!, editor!, ...administrators]) await newProfile(context, profile);
  const other = await newUser(context);
  await linkProfile(context, other.user_id, editor!, await newRole(context));
  const admin = ['1', '2', '3'].map((n) => `ad300000-0000-4000-8000-00000000000${n}`);
  await graph.data(apply, {
    changes: [
      { createAccessScopeType: { input: { accessScopeTypeGuid: type, name: `type-${type}` } } },
      newScopeOf(type, key),
      newScopeOf(type, more),
      { createApplication: { input: { applicationGuid: app, name: 'Atlas', ...icons } } },
      { mapping: { applicationGuid: app, accessScopeGuid: key, to: 'active' } },
      { setProfileAccessScopes: { profileId: viewer, accessScopeGuids: [key] } },
      { setProfileAccessScopes: { profileId: editor, accessScopeGuids: [key, more] } },
      ...administrators.map((profileId, index) => ({
        setProfileAccessScopes: { profileId, accessScopeGuids: [key, admin[index % 3]] },
      })),
    ],
  });
  const offered = profilesOf(await remediesFor(ada.user_guid, app));
  expect(offered.slice(0, 2)).toEqual([viewer, editor]);
  expect(offered).toHaveLength(5);

  // even where others gain by it
  const crowd = await newProfile(context);
  for (const { user_id } of [ada, other]) await linkProfile(context, user_id, crowd, 'member');
  await graph.data(apply, {
    changes: [
      { setProfileAccessScopes: { profileId: viewer, accessScopeGuids: [] } },
      { setProfileAccessScopes: { profileId: editor, accessScopeGuids: [] } },
    ],
  });
  const [first, ...others] = await remediesFor(ada.user_guid, app);
  expect([first!.othersGaining, Object.keys(first!.changes[0]!)]).toEqual([1, ['assignAccessScope']]);
  expect(others.map(({ othersGaining }) => othersGaining)).toEqual([0, 0, 0, 0]);
});

it('an entry named by a setting that grants administration counts as one of the type admin', async () => {
  const named = await startTestGraph({ ADMIN_WRITE_SCOPES: 'legacy:boss' });
  try {
    const { context } = named.app;
    const type = await newScopeType(context, 'legacy');
    const boss = await newProfile(context, 'a-boss');
    const clerk = await newProfile(context, 'b-clerk');
    await newRole(context, 'member');
    await newScope(context, type, boss, { access_scope_key: 'boss' });
    const shared = await newScope(context, type, undefined, { access_scope_key: 'desk' });
    const extra = await newScope(context, type, undefined, { access_scope_key: 'extra' });
    for (const [profile, { access_scope_id }] of [
      [boss, shared],
      [clerk, shared],
      [clerk, extra],
    ] as const)
      await insert(context.sql, 'profile_access_scopes', {
        profile_id: profile,
        access_scope_id,
        created_by: systemUser,
      });
    const app = randomUUID();
    await named.data(apply, {
      changes: [
        { createApplication: { input: { applicationGuid: app, name: 'Atlas', ...icons } } },
        { mapping: { applicationGuid: app, accessScopeGuid: shared.access_scope_guid, to: 'active' } },
      ],
    });
    const ask = `query ($user: UUID!, $app: UUID!) { explainAccess(userGuid: $user, applicationGuid: $app) { remedies { changes } } }`;
    const { user_guid: user } = await newUser(context);
    const { explainAccess } = await named.data(ask, { user, app });
    expect(profilesOf(explainAccess.remedies)).toEqual([clerk, boss]);
  } finally {
    await named.close();
  }
});

it('a remedy gives a profile the access scope that it names, and leaves what the profile got since', async () => {
  const { context } = graph.app;
  const ada = await newUser(context);
  const profileId = await newProfile(context);
  await linkProfile(context, ada.user_id, profileId, await newRole(context));
  const [type, app, had, named, since] = [randomUUID(), randomUUID(), randomUUID(), randomUUID(), randomUUID()];
  await graph.data(apply, {
    changes: [
      { createAccessScopeType: { input: { accessScopeTypeGuid: type, name: `type-${type}` } } },
      ...[had, named, since].map((guid) => newScopeOf(type, guid)),
      { createApplication: { input: { applicationGuid: app, name: 'Atlas', ...icons } } },
      { mapping: { applicationGuid: app, accessScopeGuid: named, to: 'active' } },
      { setProfileAccessScopes: { profileId, accessScopeGuids: [had] } },
    ],
  });
  const remedies = await remediesFor(ada.user_guid, app);
  await graph.data(apply, { changes: [{ assignAccessScope: { profileId, accessScopeGuid: since } }] });
  await graph.data(apply, { changes: remedies.find(({ changes }) => 'assignAccessScope' in changes[0]!)!.changes });
  const links = await context.sql.rows<{ guid: string }>(
    'select access_scope_guid::text as guid from profile_access_scopes join access_scopes using (access_scope_id) where profile_id = $1',
    [profileId],
  );
  expect(links.map(({ guid }) => guid).sort()).toEqual([had, named, since].sort());
});

it('people who have the entry and the application in another way do not count as gaining, as in the dry run', async () => {
  const { context } = graph.app;
  const role = await newRole(context);
  const ada = await newUser(context);
  const [rich, poor] = [await newProfile(context), await newProfile(context)];
  const crowd = await Promise.all(Array.from({ length: 3 }, () => newUser(context)));
  for (const { user_id } of crowd) await linkProfile(context, user_id, rich, role);
  await linkProfile(context, ada.user_id, poor, role);
  await linkProfile(context, crowd[0]!.user_id, poor, role);
  const [type, app, twin] = [randomUUID(), randomUUID(), randomUUID()];
  await graph.data(apply, {
    changes: [
      { createAccessScopeType: { input: { accessScopeTypeGuid: type, name: `type-${type}` } } },
      newScopeOf(type, twin),
      { createApplication: { input: { applicationGuid: app, name: 'Atlas', ...icons } } },
      { mapping: { applicationGuid: app, accessScopeGuid: twin, to: 'active' } },
      { setProfileAccessScopes: { profileId: rich, accessScopeGuids: [twin] } },
    ],
  });
  // another access scope with the same entry, out of use
  const { sql } = context;
  const [{ id }] = (await sql.rows(
    'select access_scope_type_id as id from access_scope_types where access_scope_type_guid = $1',
    [type],
  )) as [{ id: number }];
  const old = await newScope(context, id, undefined, { access_scope_key: twin, is_active: false });
  await graph.data(apply, {
    changes: [
      { mapping: { applicationGuid: app, accessScopeGuid: old.access_scope_guid, to: 'active' } },
      { setProfileAccessScopes: { profileId: rich, accessScopeGuids: [twin, old.access_scope_guid] } },
      { setProfileAccessScopes: { profileId: poor, accessScopeGuids: [old.access_scope_guid] } },
    ],
  });
  const remedies = await remediesFor(ada.user_guid, app);
  const dryRun = `mutation ($changes: [ChangeInput!]!) { applyChanges(changes: $changes, dryRun: true) { effect { gains { users } } } }`;
  const counted = await Promise.all(
    remedies.map(async ({ changes }) => (await graph.data(dryRun, { changes })).applyChanges.effect.gains.users - 1),
  );
  expect(remedies.map(({ othersGaining }) => othersGaining)).toEqual(counted);
  expect(remedies.map(({ changes, othersGaining }) => [othersGaining, Object.keys(changes[0]!)[0]])).toEqual([
    [0, 'assignAccessScope'],
    [0, 'updateAccessScope'],
    [0, 'assignProfile'],
  ]);
});

it('each remedy that is tried costs a few statements, and no more than twenty are tried', async () => {
  const { context } = graph.app;
  await newRole(context, 'member');
  const { user_guid: user } = await newUser(context);
  const [type, one, many] = [randomUUID(), randomUUID(), randomUUID()];
  const [few, several] = [[randomUUID()], Array.from({ length: 25 }, () => randomUUID())];
  const profiles = await Promise.all([...few, ...several].map(() => newProfile(context)));
  await graph.data(apply, {
    changes: [
      { createAccessScopeType: { input: { accessScopeTypeGuid: type, name: `type-${type}` } } },
      ...[...few, ...several].flatMap((scope, index) => [
        newScopeOf(type, scope),
        { setProfileAccessScopes: { profileId: profiles[index], accessScopeGuids: [scope] } },
      ]),
      ...[one, many].map((applicationGuid, index) => ({
        createApplication: { input: { applicationGuid, name: `Atlas ${index}`, ...icons } },
      })),
      { mapping: { applicationGuid: one, accessScopeGuid: few[0], to: 'planned' } },
      ...several.map((accessScopeGuid) => ({ mapping: { applicationGuid: many, accessScopeGuid, to: 'planned' } })),
    ],
  });
  const countFor = async (app: string): Promise<[remedies: number, statements: number]> => {
    graph.app.takeStatements();
    const remedies = await remediesFor(user, app);
    return [remedies.length, graph.app.takeStatements().length];
  };
  await countFor(one); // the first reads more, of the caller
  const [[, ofOne], [offered, ofMany]] = [await countFor(one), await countFor(many)];
  expect(offered).toBe(5);
  expect(ofMany).toBeLessThanOrEqual(20 * ofOne);
});
