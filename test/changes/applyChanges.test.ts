/** Change sets: all or nothing, in their order, for real as the dry run told. */
import { randomUUID } from 'node:crypto';
import { startTestGraph, type TestGraph } from '../graphql/graph.js';
import { linkProfile, newHolder, newProfile, newRole, newScope, newScopeType, newUser } from '../support/records.js';

let graph: TestGraph;
beforeAll(async () => {
  graph = await startTestGraph();
});
afterAll(() => graph?.close());

const effect = `effect { gains { ...delta } loses { ...delta } }`;
const fragment = `fragment delta on AccessDelta { applications scopes profiles users sessions items {
  profile { profileId name } application { name } scope user { userGuid } users people { firstName } } }`;
const apply = `mutation ($changes: [ChangeInput!]!, $dryRun: Boolean! = false, $note: String, $version: ID) {
  applyChanges(changes: $changes, dryRun: $dryRun, note: $note, ifCatalogueVersion: $version) {
    changeSetGuid isDryRun face note actor catalogueVersion events { totalCount nodes { action subjectType subjectId } } ${effect} } } ${fragment}`;
const icons = { iconDefault: 'a.svg', iconHover: 'b.svg', appType: 'web', renderingMode: 'tab', linkType: 'external' };
const applied = async (changes: object[], more: object = {}, token?: string) =>
  (await graph.data(apply, { changes, ...more }, token)).applyChanges;
const errorOf = async (changes: object[], more: object = {}, token?: string) =>
  (await graph.ask(apply, { changes, ...more }, token)).json.errors?.[0];
const count = async (table: string): Promise<number> =>
  (await graph.app.context.sql.rows<{ count: number }>(`select count(*)::int from ${table}`))[0]!.count;

/** A catalogue from nothing, each record by the guid of the one before. */
function wholeCatalogue() {
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

it('makes what refers to what it makes, and tells of a dry run what the real one tells', async () => {
  const { changes, user, profileId, type } = wholeCatalogue();
  const before = await count('record_versions');
  const tried = await applied(changes, { dryRun: true, note: 'first' });
  expect([await count('record_versions'), await count('change_sets')]).toEqual([before, await count('change_sets')]);
  const made = await applied(changes, { note: 'first', version: tried.catalogueVersion });
  const { changeSetGuid: _tried, catalogueVersion: _read, isDryRun, ...foreseen } = tried;
  const { changeSetGuid, catalogueVersion: _now, ...done } = made;
  expect(isDryRun).toBe(true);
  const comparable = (set: typeof foreseen) => ({
    ...set,
    isDryRun: false,
    // numbers come from sequences
    events: set.events.nodes.map(({ action, subjectType }: { action: string; subjectType: string }) => [
      action,
      subjectType,
    ]),
    actor: undefined,
  });
  expect(comparable(done)).toEqual(comparable(foreseen));
  expect(done.effect.gains).toMatchObject({ applications: 1, scopes: 1, profiles: 1, users: 1, sessions: 0 });
  expect(done.effect.loses).toMatchObject({ applications: 0, scopes: 0, profiles: 0, users: 0, items: [] });
  expect(done.effect.gains.items).toEqual([
    {
      profile: { profileId, name: 'P' },
      application: null,
      scope: null,
      user: { userGuid: user },
      users: 1,
      people: [{ firstName: 'Ada' }],
    },
    {
      profile: { profileId, name: 'P' },
      application: { name: 'Atlas' },
      scope: null,
      user: null,
      users: 1,
      people: [{ firstName: 'Ada' }],
    },
    {
      profile: { profileId, name: 'P' },
      application: null,
      scope: `type-${type}:k`,
      user: null,
      users: 1,
      people: [{ firstName: 'Ada' }],
    },
  ]);
  const later = await graph.data(
    `query ($guid: UUID!) { changeSet(changeSetGuid: $guid) { isDryRun note ${effect} events { totalCount } } } ${fragment}`,
    { guid: changeSetGuid },
  );
  expect(later.changeSet).toEqual({ isDryRun: false, note: 'first', effect: done.effect, events: { totalCount: 9 } });
});

it('a fault leaves nothing, and is keyed by its change; faults of inputs are told together', async () => {
  const before = await Promise.all(['applications', 'audit_events', 'change_sets', 'record_versions'].map(count));
  const { changes } = wholeCatalogue();
  const error = await errorOf([
    ...changes,
    { createApplication: { input: { name: '', ...icons } } },
    { updateRole: { roleId: 'r', input: { name: '' } } },
  ]);
  expect(error.extensions).toMatchObject({
    code: 'BAD_USER_INPUT',
    problems: {
      'changes[9].createApplication.input.name': [expect.any(String)],
      'changes[10].updateRole.input.name': [expect.any(String)],
    },
  });
  const missing = await errorOf([...changes, { deleteRole: { roleId: 'nobody' } }]);
  expect(missing.extensions).toMatchObject({
    code: 'NOT_FOUND',
    problems: { 'changes[9].deleteRole': [expect.any(String)] },
  });
  expect(await Promise.all(['applications', 'audit_events', 'change_sets', 'record_versions'].map(count))).toEqual(
    before,
  );
});

it('a member too many or none is refused, and so is a set that is too large', async () => {
  const role = { roleId: 'two' };
  const both = await graph.ask(apply, { changes: [{ deleteRole: role, deleteProfile: { profileId: 'p' } }] });
  expect(both.json.errors[0].extensions.code).toBe('BAD_USER_INPUT');
  expect((await graph.ask(apply, { changes: [{}] })).json.errors[0].extensions.code).toBe('BAD_USER_INPUT');
  const error = await errorOf(Array.from({ length: 1_001 }, () => ({ deleteRole: role })));
  expect(error.extensions.code).toBe('TOO_LARGE');
});

it('a cell of a grid is made as it is wanted where it is as it was read, else nothing is', async () => {
  const { changes, app, scope, profileId } = wholeCatalogue();
  await applied(changes);
  const cell = { applicationGuid: app, accessScopeGuid: scope };
  const closed = await applied([{ mapping: { ...cell, from: 'active', to: null } }]);
  expect(closed.effect.loses).toMatchObject({ applications: 1, profiles: 1, users: 1 });
  const error = await errorOf([
    { translation: { translationGroup: 'grid', fieldName: 'name', languageCode: 'de', to: 'x' } },
    { mapping: { ...cell, from: 'active', to: 'planned' } },
  ]);
  expect(error.extensions).toMatchObject({
    code: 'CONFLICT',
    problems: { 'changes[1].mapping.from': [expect.any(String)] },
  });
  const texts = { translationGroup: 'grid', fieldName: 'name', languageCode: 'de' };
  const set = await applied([
    { mapping: { ...cell, to: 'planned', individualExternalLink: 'https://a' } },
    { mapping: { ...cell, from: 'planned', to: 'active' } },
    { translation: { ...texts, to: 'Eins' } },
    { translation: { ...texts, from: 'Eins', to: 'Zwei' } },
  ]);
  expect(set.effect.gains.items).toMatchObject([{ profile: { profileId }, application: { name: 'Atlas' } }]);
  const read = await graph.data(
    `query ($app: UUID!) { application(applicationGuid: $app) { accessScopeApplicationsMappers { nodes { state individualExternalLink } } }
      translationGroups(filter: {translationGroup: {eq: "grid"}}) { nodes { translations { nodes { translatedText } } } } }`,
    { app },
  );
  expect(read).toEqual({
    application: {
      accessScopeApplicationsMappers: { nodes: [{ state: 'active', individualExternalLink: 'https://a' }] },
    },
    translationGroups: { nodes: [{ translations: { nodes: [{ translatedText: 'Zwei' }] } }] },
  });
});

it('tells who loses what when a user is blocked, a profile goes, a type is out of use', async () => {
  const { context } = graph.app;
  const holder = await newHolder(context);
  const other = await newUser(context);
  await linkProfile(context, other.user_id, holder.profileId, 'member');
  await newRole(context, 'member');
  await newScope(context, await newScopeType(context, 'told'), holder.profileId, { access_scope_key: 'a' });
  await context.sql.rows(
    `insert into tokens (user_id, profile_id, token, created_at, expires_at) values ($1, $2, '\\x02', now(), now() + interval '1 day')`,
    [holder.userGuid, holder.profileId],
  );
  const [type] = await context.sql.rows<{ guid: string }>(
    "select access_scope_type_guid guid from access_scope_types where name = 'told'",
  );
  const blocked = await applied([{ deactivateUser: { userGuid: holder.userGuid } }], { dryRun: true });
  expect(blocked.effect.loses).toMatchObject({ profiles: 1, users: 1, sessions: 1, applications: 0, scopes: 0 });
  const outOfUse = await applied([{ deactivateAccessScopeType: { accessScopeTypeGuid: type!.guid } }], {
    dryRun: true,
  });
  expect(outOfUse.effect.loses).toMatchObject({ profiles: 1, users: 2, sessions: 1, scopes: 1 });
  const gone = await applied([{ deleteProfile: { profileId: holder.profileId } }]);
  expect(gone.effect.loses).toMatchObject({ profiles: 1, users: 2, sessions: 1, scopes: 1 });
  expect(gone.effect.loses.items).toMatchObject([
    { profile: { profileId: holder.profileId }, user: {} },
    { profile: { profileId: holder.profileId }, user: {} },
    { scope: 'told:a', users: 2 },
  ]);
});

it('nothing is changed when anything administered was changed since it was read', async () => {
  const { catalogueVersion } = await applied([], { dryRun: true });
  await newProfile(graph.app.context, 'moved');
  await graph.data('mutation { updateProfile(profileId: "moved", input: {name: "M"}) { name } }');
  for (const version of [catalogueVersion, '', '0'])
    expect([
      version,
      (await errorOf([{ deleteProfile: { profileId: 'moved' } }], { version }))?.extensions.code,
    ]).toEqual([version, 'CONFLICT']);
});

it('two sets that touch the same records, and single changes of them, in two processes: each is made as a whole, or told CONFLICT', async () => {
  const other = await startTestGraph({ DATABASE_URL: graph.app.database.url });
  for (const roleId of ['left', 'right'])
    await graph.data(`mutation { createRole(input: {roleId: "${roleId}", name: "-"}) { name } }`);
  const rename = (roleId: string, name: string) => ({ updateRole: { roleId, input: { name } } });
  const sets = ['A', 'B', 'C', 'D'].map((name, index) =>
    index % 2 ? [rename('left', name), rename('right', name)] : [rename('right', name), rename('left', name)],
  );
  const single = 'mutation ($name: String!) { updateRole(roleId: "right", input: {description: $name}) { name } }';
  const answers = await Promise.all([
    ...sets.flatMap((changes) => [graph, other].map((each) => each.ask(apply, { changes }))),
    ...sets.map((_, index) => [graph, other][index % 2]!.ask(single, { name: `D${index}` })),
  ]);
  await other.close();
  const codes = answers.map(({ json }) => json.errors?.[0].extensions.code ?? 'done');
  expect(codes.filter((code) => code !== 'done' && code !== 'CONFLICT')).toEqual([]);
  const { left, right } = await graph.data(
    '{ left: role(roleId: "left") { name } right: role(roleId: "right") { name } }',
  );
  expect(left.name).toBe(right.name);
  expect(left.name).not.toBe('-');
});

it('what grants administration needs admin:security in a set and in a dry run too', async () => {
  const { context } = graph.app;
  const { userGuid } = await newHolder(context);
  const { profileId } = await newHolder(context);
  await context.sql.rows(
    `insert into profile_access_scopes (profile_id, access_scope_id, created_by)
     select $1, access_scope_id, gen_random_uuid() from access_scopes where access_scope_guid = 'ad300000-0000-4000-8000-000000000001'`,
    [profileId],
  );
  const writer = graph.token(['admin:write']);
  const only = `mutation ($changes: [ChangeInput!]!, $dryRun: Boolean!) { applyChanges(changes: $changes, dryRun: $dryRun) { isDryRun } }`;
  for (const dryRun of [true, false])
    for (const changes of [
      [{ assignProfile: { userGuid, profileId, roleId: 'member' } }],
      [
        { createProfile: { input: { profileId: 'sly', name: 'S' } } },
        { setProfileAccessScopes: { profileId: 'sly', accessScopeGuids: ['ad300000-0000-4000-8000-000000000001'] } },
      ],
    ])
      expect((await graph.ask(only, { changes, dryRun }, writer)).json.errors[0].extensions.code).toBe('FORBIDDEN');
  expect(
    (await graph.ask(only, { changes: [], dryRun: true }, graph.token(['admin:read']))).json.errors[0].extensions.code,
  ).toBe('FORBIDDEN');
});

describe('undo', () => {
  const undo = `mutation ($guid: UUID!, $dryRun: Boolean! = false) { undoChangeSet(changeSetGuid: $guid, dryRun: $dryRun, note: "back") {
    changeSetGuid isDryRun note undoes { changeSetGuid } events { nodes { action subjectType } } ${effect} } } ${fragment}`;
  const undone = async (guid: string, more: object = {}) => (await graph.data(undo, { guid, ...more })).undoChangeSet;
  const stampless = `select coalesce(jsonb_agg(to_jsonb(t) - '{revision,modified_date,modified_by}'::text[] order by 1), '[]') as rows from`;
  const tables = [
    'applications',
    'access_scopes',
    'access_scope_types',
    'profiles',
    'roles',
    'profile_access_scopes',
    'user_profiles',
    'access_scope_applications_mappers',
    'access_scope_type_applications_mappers',
    'translations',
  ];
  const state = async () =>
    Promise.all(tables.map(async (table) => (await graph.app.context.sql.rows(`${stampless} ${table} t`))[0]));

  it('is refused where what the records refer to is gone, or their names are taken', async () => {
    const [type, scope] = [randomUUID(), randomUUID()];
    const profileId = await newProfile(graph.app.context);
    const input = { accessScopeGuid: scope, accessScopeTypeGuid: type, name: 'S', accessScopeKey: 'k' };
    await applied([{ createAccessScopeType: { input: { accessScopeTypeGuid: type, name: `type-${type}` } } }]);
    const created = await applied([{ createAccessScope: { input } }]);
    await applied([{ setProfileAccessScopes: { profileId, accessScopeGuids: [scope] } }]);
    const taken = await applied([{ setProfileAccessScopes: { profileId, accessScopeGuids: [] } }]);
    await undone(created.changeSetGuid);
    const { json } = await graph.ask(undo, { guid: taken.changeSetGuid });
    expect(json.errors[0]).toMatchObject({
      message: expect.stringContaining('ProfileAccessScope '),
      extensions: { code: 'CONFLICT' },
    });
    const role = `r-${randomUUID().slice(0, 8)}`;
    await applied([{ createRole: { input: { roleId: role, name: 'R' } } }]);
    const removed = await applied([{ deleteRole: { roleId: role } }]);
    await applied([{ createRole: { input: { roleId: role, name: 'R' } } }]);
    const again = await graph.ask(undo, { guid: removed.changeSetGuid });
    expect(again.json.errors[0].extensions.code).toBe('CONFLICT');
  });

  it('brings the state before, an undo of the undo the state after, and its dry run tells the effect', async () => {
    const { changes, app, scope, profileId } = wholeCatalogue();
    await applied(changes);
    const before = await state();
    const made = await applied([
      { updateApplication: { applicationGuid: app, input: { name: 'New', isActive: false } } },
      { mapping: { applicationGuid: app, accessScopeGuid: scope, from: 'active', to: null } },
      { deleteProfile: { profileId } },
      { createProfile: { input: { profileId: `${profileId}-2`, name: 'Second' } } },
      { setProfileAccessScopes: { profileId: `${profileId}-2`, accessScopeGuids: [scope] } },
      {
        setTranslations: {
          translationGroup: profileId,
          translations: [{ fieldName: 'name', languageCode: 'de', translatedText: 'T' }],
        },
      },
    ]);
    const after = await state();
    const tried = await undone(made.changeSetGuid, { dryRun: true });
    expect(await state()).toEqual(after);
    expect(tried.effect.gains).toEqual({ ...made.effect.loses, items: expect.any(Array) });
    const back = await undone(made.changeSetGuid);
    expect(back).toMatchObject({ isDryRun: false, note: 'back', undoes: { changeSetGuid: made.changeSetGuid } });
    expect(await state()).toEqual(before);
    await undone(back.changeSetGuid);
    expect(await state()).toEqual(after);
    const { changeSet } = await graph.data(
      'query ($guid: UUID!) { changeSet(changeSetGuid: $guid) { undoneBy { changeSetGuid } } }',
      {
        guid: made.changeSetGuid,
      },
    );
    expect(changeSet.undoneBy.changeSetGuid).toBe(back.changeSetGuid);
  });

  it('gives exchanged names of types back, and a name that a new type took from an old one', async () => {
    const [one, other, third, fresh] = [randomUUID(), randomUUID(), randomUUID(), randomUUID()];
    const type = (accessScopeTypeGuid: string, name: string) => ({
      createAccessScopeType: { input: { accessScopeTypeGuid, name } },
    });
    const named = (accessScopeTypeGuid: string, name: string) => ({
      updateAccessScopeType: { accessScopeTypeGuid, input: { name } },
    });
    await applied([type(one, `1-${one}`), type(other, `2-${one}`), type(third, `3-${one}`)]);
    const before = await state();
    const made = await applied([
      named(one, `interim-${one}`),
      named(other, `1-${one}`),
      named(one, `2-${one}`),
      named(third, `4-${one}`),
      type(fresh, `3-${one}`),
    ]);
    const after = await state();
    const back = await undone(made.changeSetGuid);
    expect(await state()).toEqual(before);
    await undone(back.changeSetGuid);
    expect(await state()).toEqual(after);
  });

  it('is refused, naming the records that somebody changed since, or that are needed now', async () => {
    const { changes, app, scope } = wholeCatalogue();
    await applied(changes);
    const renamed = await applied([{ updateApplication: { applicationGuid: app, input: { name: 'Mine' } } }]);
    await applied([{ updateApplication: { applicationGuid: app, input: { name: 'Theirs' } } }]);
    const { json } = await graph.ask(undo, { guid: renamed.changeSetGuid });
    expect(json.errors[0].extensions).toMatchObject({
      code: 'CONFLICT',
      problems: { changeSetGuid: [`Application ${app} was changed since.`] },
    });
    const other = randomUUID();
    const second = await applied([
      { createApplication: { input: { applicationGuid: other, name: 'Other', ...icons } } },
    ]);
    await applied([{ mapping: { applicationGuid: other, accessScopeGuid: scope, to: 'active' } }]);
    expect((await graph.ask(undo, { guid: second.changeSetGuid })).json.errors[0].extensions.code).toBe('CONFLICT');
    expect((await graph.ask(undo, { guid: randomUUID() })).json.errors[0].extensions.code).toBe('NOT_FOUND');
  });

  it('asks the permission of what it gives or takes: an administration scope needs admin:security', async () => {
    const { profileId } = await newHolder(graph.app.context);
    const set = await applied([
      { setProfileAccessScopes: { profileId, accessScopeGuids: ['ad300000-0000-4000-8000-000000000001'] } },
    ]);
    const writer = graph.token(['admin:write']);
    const only =
      'mutation ($guid: UUID!, $dryRun: Boolean!) { undoChangeSet(changeSetGuid: $guid, dryRun: $dryRun) { isDryRun } }';
    const taken = await applied([{ setProfileAccessScopes: { profileId, accessScopeGuids: [] } }]);
    for (const guid of [set.changeSetGuid, taken.changeSetGuid])
      for (const dryRun of [true, false]) {
        const code = (await graph.ask(only, { guid, dryRun }, writer)).json.errors[0].extensions.code;
        expect(['FORBIDDEN', 'CONFLICT']).toContain(code);
        if (guid === taken.changeSetGuid) expect(code).toBe('FORBIDDEN');
      }
  });
});
