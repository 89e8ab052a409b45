/** Who gains access by a change, on the demonstration: what a person could not open before, by any profile. */
import { demonstrationFile } from '../../../dev/demoData.js';
import { importFile } from '../../../src/modules/transfer/importFile.js';
import { startTestGraph, type TestGraph } from '../../graphql/graph.js';

let graph: TestGraph;
beforeEach(async () => {
  graph = await startTestGraph();
  await importFile(graph.app.context, demonstrationFile);
});
afterEach(() => graph?.close());

const guidOf = (kind: string) => (n: number) => `${kind}0000-0000-4000-8000-${String(n).padStart(12, '0')}`;
const [user, type, scope, application] = ['de30', 'de31', 'de32', 'de33'].map(guidOf) as [
  (n: number) => string,
  (n: number) => string,
  (n: number) => string,
  (n: number) => string,
];
const [ada, clara, diego, grace] = [user(1), user(3), user(4), user(6)];
const [everySite, harbour, finance] = [scope(1), scope(3), scope(7)];
const [financeReport, assetRegister] = [application(7), application(5)];

const side = `users applications scopes pairs items { nodes { user { firstName } profile { name } applications { name } scopes } }`;
const effect = `effect { gains { ${side} } loses { ${side} } tokens { profiles users sessions items { nodes { profile { name } users applicationsLost } } }
  outcomes { nodes { outcome reason users openBy { name } } } groups(by: CHANGE) { nodes { gains { users } loses { users } } } }`;
// biome-ignore lint/suspicious/noExplicitAny: answers are looked into freely
const tryOut = async (...changes: object[]): Promise<any> => {
  const mutation = `mutation ($changes: [ChangeInput!]!) { applyChanges(changes: $changes, dryRun: true) { ${effect} } }`;
  return (await graph.data(mutation, { changes })).applyChanges.effect;
};
const apply = async (...changes: object[]): Promise<string> => {
  const mutation = 'mutation ($changes: [ChangeInput!]!) { applyChanges(changes: $changes) { changeSetGuid } }';
  return (await graph.data(mutation, { changes })).applyChanges.changeSetGuid;
};
const give = (userGuid: string, profileId: string, more: object = {}) => ({
  assignProfile: { userGuid, profileId, roleId: 'analyst', ...more },
});
const nobody = { users: 0, applications: 0, scopes: 0, pairs: 0 };

it('giving Clara the profile Grid operator gives her three applications and the entry site:*', async () => {
  const { gains, loses, outcomes } = await tryOut(give(clara, 'grid-operator'));
  expect(gains).toMatchObject({ users: 1, applications: 3, scopes: 1, pairs: 3 });
  expect(gains.items.nodes).toEqual([
    {
      user: { firstName: 'Clara' },
      profile: { name: 'Grid operator' },
      applications: ['Grid monitor', 'Outage map', 'Work orders'].map((name) => ({ name })),
      scopes: ['site:*'],
    },
  ]);
  expect(loses).toMatchObject(nobody);
  expect(outcomes.nodes).toEqual([{ outcome: 'GAINS', reason: null, users: 1, openBy: null }]);
});

it('giving Diego a profile that opens nothing gives nobody access', async () => {
  await apply({ createProfile: { input: { profileId: 'empty', name: 'Empty' } } });
  const { gains, tokens, outcomes } = await tryOut(give(diego, 'empty'));
  expect(gains).toMatchObject(nobody);
  expect(tokens).toMatchObject({ profiles: 1, users: 1 });
  expect(outcomes.nodes).toEqual([{ outcome: 'NOBODY', reason: 'OPENS_NOTHING', users: 0, openBy: null }]);
});

it('mapping a scope to an application that its holders open by another profile gives nobody access, and changes three tokens', async () => {
  await apply(give(grace, 'reporting'));
  const { gains, tokens, outcomes } = await tryOut({
    mapping: { applicationGuid: financeReport, accessScopeGuid: everySite, to: 'active' },
  });
  expect(gains).toMatchObject(nobody);
  expect(tokens).toMatchObject({
    profiles: 1,
    users: 3,
    items: { nodes: [{ profile: { name: 'Grid operator' }, users: 3 }] },
  });
  expect(outcomes.nodes).toEqual([
    { outcome: 'NOBODY', reason: 'ALREADY_OPEN', users: 0, openBy: { name: 'Reporting' } },
  ]);
});

it('taking away one of two profiles that open the same takes no application; the tokens of that profile opened two', async () => {
  await apply(
    { createProfile: { input: { profileId: 'twin', name: 'Twin' } } },
    { setProfileAccessScopes: { profileId: 'twin', accessScopeGuids: [harbour] } },
    give(diego, 'twin'),
  );
  const { loses, tokens, outcomes } = await tryOut({
    unassignProfile: { userGuid: diego, profileId: 'field-harbour', roleId: 'technician' },
  });
  expect(loses).toMatchObject(nobody);
  expect(tokens).toMatchObject({ profiles: 1, users: 1, items: { nodes: [{ applicationsLost: 2 }] } });
  expect(outcomes.nodes).toEqual([{ outcome: 'NOBODY', reason: 'ALREADY_OPEN', users: 0, openBy: { name: 'Twin' } }]);
});

it('an end that is moved says that only an end changes', async () => {
  await apply({
    assignProfile: {
      userGuid: diego,
      profileId: 'field-harbour',
      roleId: 'technician',
      validUntil: '2098-01-01T00:00:00Z',
    },
  });
  const { outcomes } = await tryOut({
    assignProfile: {
      userGuid: diego,
      profileId: 'field-harbour',
      roleId: 'technician',
      validUntil: '2099-12-31T00:00:00Z',
    },
  });
  expect(outcomes.nodes).toEqual([{ outcome: 'NOBODY', reason: 'END_CHANGED', users: 0, openBy: null }]);
});

it('an undo, and a change of a field without a case of its own, have the outcome of what they do', async () => {
  const mapping = { applicationGuid: assetRegister, accessScopeGuid: finance, to: 'active' };
  const changeSetGuid = await apply({ mapping });
  const undone = await tryOut({ undoChangeSet: { changeSetGuid } });
  expect(undone.loses).toMatchObject({ users: 3, applications: 1 });
  expect(undone.outcomes.nodes).toEqual([{ outcome: 'LOSES', reason: null, users: 3, openBy: null }]);
  expect(undone.groups.nodes).toEqual([{ gains: { users: 0 }, loses: { users: 3 } }]);
  await apply({ mapping: { applicationGuid: assetRegister, accessScopeTypeGuid: type(2), to: 'active' } });
  const moved = await tryOut({
    updateAccessScope: { accessScopeGuid: harbour, input: { accessScopeTypeGuid: type(2) } },
  });
  expect(moved.outcomes.nodes).toEqual([{ outcome: 'BOTH', reason: null, users: 2, openBy: null }]);
  const [renamed] = (await tryOut({ updateAccessScope: { accessScopeGuid: harbour, input: { name: 'Port' } } }))
    .outcomes.nodes;
  expect(renamed).toMatchObject({ outcome: 'UNCHANGED', reason: null });
  const [identified] = (await tryOut({ updateUser: { userGuid: ada, input: { idpid: 'somebody-else' } } })).outcomes
    .nodes;
  expect(identified.outcome).toBe('NOBODY');
});

it('each of two changes on one way has what goes through it, also where the profile has it by another way still', async () => {
  await apply({ mapping: { applicationGuid: assetRegister, accessScopeGuid: harbour, to: 'active' } });
  await apply({ mapping: { applicationGuid: assetRegister, accessScopeGuid: finance, to: 'active' } });
  await apply(
    { createProfile: { input: { profileId: 'both', name: 'Both' } } },
    { setProfileAccessScopes: { profileId: 'both', accessScopeGuids: [harbour, finance] } },
    give(ada, 'both'),
  );
  const { outcomes } = await tryOut(
    { setProfileAccessScopes: { profileId: 'both', accessScopeGuids: [harbour] } },
    { deactivateUser: { userGuid: ada } },
  );
  expect(outcomes.nodes).toMatchObject([
    { outcome: 'LOSES', users: 1 },
    { outcome: 'LOSES', users: 1 },
  ]);
});

it('a profile that is given in two roles gives its access through both; a second role of a profile gives nothing', async () => {
  await apply({ createRole: { input: { roleId: 'deputy', name: 'Deputy' } } });
  const [one, other] = [give(clara, 'grid-operator'), give(clara, 'grid-operator', { roleId: 'deputy' })];
  expect((await tryOut(one, other)).outcomes.nodes).toMatchObject([
    { outcome: 'GAINS', users: 1 },
    { outcome: 'GAINS', users: 1 },
  ]);
  await apply(one);
  const mapping = { applicationGuid: assetRegister, accessScopeGuid: everySite, to: 'active' };
  expect((await tryOut(other, { mapping })).outcomes.nodes).toMatchObject([
    { outcome: 'NOBODY', reason: 'ALREADY_OPEN', openBy: { name: 'Grid operator' } },
    { outcome: 'GAINS' },
  ]);
});

it('what is taken and given back by one set explains nothing that somebody gains by it', async () => {
  await apply({ mapping: { applicationGuid: assetRegister, accessScopeGuid: everySite, to: 'planned' } });
  await apply(give(clara, 'grid-operator'));
  const { outcomes } = await tryOut(
    { updateUser: { userGuid: clara, input: { isBlocked: true } } },
    { updateUser: { userGuid: clara, input: { isBlocked: false } } },
    { mapping: { applicationGuid: assetRegister, accessScopeGuid: everySite, from: 'planned', to: 'active' } },
  );
  expect(outcomes.nodes.map(({ outcome }: { outcome: string }) => outcome)).toEqual(['NOBODY', 'NOBODY', 'GAINS']);
});

const why = async (userGuid: string, applicationGuid: string) => {
  const query = `query ($userGuid: UUID!, $applicationGuid: UUID!) { explainAccess(userGuid: $userGuid, applicationGuid: $applicationGuid) {
    isOpen remedies { changes othersGaining } } }`;
  return (await graph.data(query, { userGuid, applicationGuid })).explainAccess;
};

it('the first remedy for Diego and the Asset register maps his own access scope, by which one other gains', async () => {
  const { remedies } = await why(diego, assetRegister);
  expect(remedies[0]).toEqual({
    changes: [{ mapping: { applicationGuid: assetRegister, accessScopeGuid: harbour, from: null, to: 'active' } }],
    othersGaining: 1,
  });
});

it('no single change opens an application for fewer others than the first remedy', async () => {
  const { sql } = graph.app.context;
  const rowsOf = <Row extends object>(text: string) => sql.rows<Row>(text);
  const scopes = await rowsOf<{ guid: string }>(
    `select access_scope_guid::text as guid from access_scopes s join access_scope_types t using (access_scope_type_id) where t.name <> 'admin'`,
  );
  const profiles = ['grid-operator', 'field-north', 'field-harbour', 'reporting'];
  const states = new Map(
    (
      await rowsOf<{ key: string; state: string }>(
        `select application_guid || ' ' || access_scope_guid as key, state from access_scope_applications_mappers join applications using (application_id) join access_scopes using (access_scope_id)
         union all select application_guid || ' ' || access_scope_type_guid, state from access_scope_type_applications_mappers join applications using (application_id) join access_scope_types using (access_scope_type_id)`,
      )
    ).map(({ key, state }) => [key, state]),
  );
  const held = (userGuid: string) => [userGuid === clara ? 'reporting' : 'field-harbour'];
  const singles = (userGuid: string, applicationGuid: string): object[] => [
    ...scopes.map(({ guid }) => ({
      mapping: {
        applicationGuid,
        accessScopeGuid: guid,
        from: states.get(`${applicationGuid} ${guid}`) ?? null,
        to: 'active',
      },
    })),
    ...[1, 2, 3].map(type).map((guid) => ({
      mapping: {
        applicationGuid,
        accessScopeTypeGuid: guid,
        from: states.get(`${applicationGuid} ${guid}`) ?? null,
        to: 'active',
      },
    })),
    ...profiles.map((profileId) => give(userGuid, profileId, { roleId: 'operator' })),
    ...held(userGuid).flatMap((profileId) =>
      scopes.map(({ guid }) => ({ assignAccessScope: { profileId, accessScopeGuid: guid } })),
    ),
    ...scopes.map(({ guid }) => ({ updateAccessScope: { accessScopeGuid: guid, input: { isActive: true } } })),
    { updateApplication: { applicationGuid, input: { isActive: true } } },
  ];
  const mutation = `mutation ($changes: [ChangeInput!]!) { applyChanges(changes: $changes, dryRun: true) {
    effect { gains { users items { nodes { user { userGuid } applications { applicationGuid } } } } } } }`;
  let compared = 0;
  for (const userGuid of [clara, diego])
    for (const applicationGuid of [2, 5, 8].map(application)) {
      const { isOpen, remedies } = await why(userGuid, applicationGuid);
      if (isOpen) continue;
      const others: number[] = [];
      for (const change of singles(userGuid, applicationGuid)) {
        const { json } = await graph.ask(mutation, { changes: [change] });
        const { gains } = json.data?.applyChanges?.effect ?? {};
        const opens = gains?.items.nodes.some(
          (item: { user: { userGuid: string }; applications: { applicationGuid: string }[] }) =>
            item.user.userGuid === userGuid &&
            item.applications.some((each) => each.applicationGuid === applicationGuid),
        );
        if (opens) others.push(gains.users - 1);
      }
      if (others.length === 0) continue;
      compared++;
      expect([userGuid, applicationGuid, remedies[0]?.othersGaining]).toEqual([
        userGuid,
        applicationGuid,
        Math.min(...others),
      ]);
    }
  expect(compared).toBeGreaterThan(3);
});
