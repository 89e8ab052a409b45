/** Change sets: all or nothing, in their order, for real as the dry run told. */
import { readAtOnce } from '../../../src/modules/changes/applyChanges.js';
import { startTestGraph } from '../../graphql/graph.js';
import {
  applied,
  apply,
  count,
  effect,
  errorOf,
  fragment,
  graph,
  icons,
  startChangeSets,
  wholeCatalogue,
} from '../../support/changeSets.js';
import {
  letAdminister,
  linkProfile,
  newHolder,
  newProfile,
  newRole,
  newScope,
  newScopeType,
  newUser,
} from '../../support/records.js';
import { untilBlockedOrDone } from '../../support/until.js';

beforeAll(startChangeSets);
afterAll(() => graph?.close());

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
  expect(done.effect.loses).toMatchObject({ applications: 0, scopes: 0, profiles: 0, users: 0, items: { nodes: [] } });
  expect(done.effect.gains.items.nodes).toEqual([
    {
      profile: { profileId, name: 'P' },
      application: { name: 'Atlas' },
      scope: `type-${type}:k`,
      user: { userGuid: user },
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

it('events of a dry run are paged by their own cursors; another cursor is refused, not answered with the first page', async () => {
  const { changes } = wholeCatalogue();
  const page = `mutation ($changes: [ChangeInput!]!, $after: String) { applyChanges(changes: $changes, dryRun: true) {
    events(first: 2, after: $after) { nodes { action subjectType } pageInfo { endCursor hasNextPage } totalCount } } }`;
  const { events: first } = (await graph.data(page, { changes })).applyChanges;
  const { events: second } = (await graph.data(page, { changes, after: first.pageInfo.endCursor })).applyChanges;
  expect([first.totalCount, first.nodes.length, second.nodes.length]).toEqual([9, 2, 2]);
  expect(second.nodes).not.toEqual(first.nodes);
  const refused = await graph.ask(page, { changes, after: 'anything' });
  expect(refused.json.errors[0].extensions).toMatchObject({
    code: 'BAD_USER_INPUT',
    problems: { after: ['The cursor is not one of this list.'] },
  });
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
  const both = await errorOf([{ mapping: { ...cell, accessScopeTypeGuid: scope, to: 'active' } }]);
  expect(both.extensions.problems).toEqual({
    'changes[0].mapping.accessScopeGuid': ['The accessScopeGuid or accessScopeTypeGuid is given, exactly one of them.'],
  });
  const texts = { translationGroup: 'grid', fieldName: 'name', languageCode: 'de' };
  const set = await applied([
    { mapping: { ...cell, to: 'planned', individualExternalLink: 'https://a' } },
    { mapping: { ...cell, from: 'planned', to: 'active' } },
    { translation: { ...texts, to: 'Eins' } },
    { translation: { ...texts, from: 'Eins', to: 'Zwei' } },
  ]);
  expect(set.effect.gains.items.nodes).toMatchObject([{ profile: { profileId }, application: { name: 'Atlas' } }]);
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

it('the effect says who loses what when a user is blocked, a profile is removed or a type is taken out of use', async () => {
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
  expect(blocked.effect.loses).toMatchObject({ profiles: 1, users: 1, sessions: 1, applications: 0, scopes: 1 });
  const outOfUse = await applied([{ deactivateAccessScopeType: { accessScopeTypeGuid: type!.guid } }], {
    dryRun: true,
  });
  expect(outOfUse.effect.loses).toMatchObject({ profiles: 1, users: 2, sessions: 1, scopes: 1 });
  const gone = await applied([{ deleteProfile: { profileId: holder.profileId } }]);
  expect(gone.effect.loses).toMatchObject({ profiles: 1, users: 2, sessions: 1, scopes: 1 });
  expect(gone.effect.loses.items.nodes).toMatchObject([
    { profile: { profileId: holder.profileId }, user: {}, scope: 'told:a' },
    { profile: { profileId: holder.profileId }, user: {}, scope: 'told:a' },
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

it('no other change waits until the effect of a dry run, or of a change set, is computed', async () => {
  const { context } = graph.app;
  const { userGuid, profileId } = await newHolder(context);
  const changes = [{ unassignProfile: { userGuid, profileId, roleId: 'member' } }];
  for (const dryRun of [true, false]) {
    const name = `beside ${dryRun}`;
    const set = await context.sql.transaction(async ({ rows }) => {
      // only the effect reads it
      await rows('lock table access_scope_type_applications_mappers in access exclusive mode');
      const waiting = applied(changes, { dryRun });
      await untilBlockedOrDone(context.sql, waiting);
      await newRole(context, name);
      await context.sql.rows('update roles set name = $1 where role_id = $1', [name]);
      return { waiting };
    });
    expect(await set.waiting).toMatchObject({ isDryRun: dryRun, events: { totalCount: 1 } });
  }
});

it('the effect of a dry run is of one moment: it is read again if another change is committed meanwhile, and further ones wait', async () => {
  const { context } = graph.app;
  const [roleId, ownId] = [await newRole(context), await newRole(context)];
  const rename = (name: string) => context.sql.rows('update roles set name = $2 where role_id = $1', [roleId, name]);
  const nameNow = () => context.sql.rows('select name from roles where role_id = $1', [roleId]);
  const names: unknown[] = [];
  let further: Promise<unknown> | undefined;
  const read = async () => {
    if (names.length === 1) {
      further = rename('later');
      await untilBlockedOrDone(context.sql, further);
    }
    names.push((await nameNow())[0]);
    if (names.length === 1) await rename('meanwhile');
    return names.at(-1);
  };
  const last = await context.sql.transaction(async (sql) => {
    await sql.rows("update roles set name = 'tried' where role_id = $1", [ownId]);
    return readAtOnce({ ...context, sql }, true, read);
  });
  await further;
  expect(names).toEqual([{ name: roleId }, { name: 'meanwhile' }]);
  expect([last, ...(await nameNow())]).toEqual([{ name: 'meanwhile' }, { name: 'later' }]);
});

it('what grants administration needs admin:security in a set and in a dry run too', async () => {
  const { context } = graph.app;
  const { userGuid } = await newHolder(context);
  const { profileId } = await newHolder(context);
  await letAdminister(context.sql, profileId, 'read');
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
