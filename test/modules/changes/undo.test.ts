/** What a change set did is undone as a whole, or not at all. */
import { randomBytes, randomUUID } from 'node:crypto';
import { createConnector } from '../../../src/modules/scim/connectors.js';
import { importFile } from '../../../src/modules/transfer/importFile.js';
import { purgeExpired } from '../../../src/services/maintenance/purge.js';
import { createClient } from '../../../src/services/people/clients.js';
import { startTestGraph } from '../../graphql/graph.js';
import { applied, effect, fragment, graph, icons, startChangeSets, wholeCatalogue } from '../../support/changeSets.js';
import { insert, linkProfile, newHolder, newProfile, newRole, newUser } from '../../support/records.js';

beforeAll(startChangeSets);
afterAll(() => graph?.close());

describe('undo', () => {
  const undo = `mutation ($guid: UUID!, $dryRun: Boolean! = false) { undoChangeSet(changeSetGuid: $guid, dryRun: $dryRun, note: "back") {
    changeSetGuid isDryRun note undoes { changeSetGuid } events { nodes { action subjectType } } ${effect} } } ${fragment}`;
  const undone = async (guid: string, more: object = {}) => (await graph.data(undo, { guid, ...more })).undoChangeSet;
  const values = "to_jsonb(t) - '{revision,modified_date,modified_by}'::text[]";
  const stampless = `select coalesce(jsonb_agg(${values} order by ${values}), '[]') as rows from`;
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

  it('is offered for the change sets whose undo is not refused for a missing history, and for no other', async () => {
    const { context } = graph.app;
    const { sql } = context;
    const user = await newUser(context, { email: 'undo@x.example' });
    const roleId = `r-${randomUUID().slice(0, 8)}`;
    await newRole(context, roleId);
    // what was made by SQL is changed since
    const [{ last }] = (await sql.rows('select max(change_set_id)::text as last from change_sets')) as [
      { last: string },
    ];
    await createConnector(context, { connectorId: 'undo', idpname: 'undo', roleId });
    const acts = [
      { updateUser: { userGuid: user.user_guid, input: { email: 'other@x.example' } } },
      { updateUser: { userGuid: user.user_guid, input: { isBlocked: true } } },
      { updateRole: { roleId, input: { description: 'Another' } } },
      { createRole: { input: { roleId: 'undo-role', name: 'Undo' } } },
    ];
    for (const act of acts)
      await graph.ask(`mutation ($changes: [ChangeInput!]!) { applyChanges(changes: $changes) { changeSetGuid } }`, {
        changes: [act],
      });
    await createClient(context, { clientId: 'undo-client', name: 'Undo' });
    const sets = await sql.rows<{ guid: string }>(
      'select change_set_guid::text as guid from change_sets where change_set_id > $1::bigint',
      [last],
    );
    const offered: Record<string, boolean> = {};
    const accepted: Record<string, boolean> = {};
    for (const { guid } of sets) {
      const { changeSet } = await graph.data(
        'query ($guid: UUID!) { changeSet(changeSetGuid: $guid) { isUndoable } }',
        { guid },
      );
      offered[guid] = changeSet.isUndoable;
      accepted[guid] = !(await graph.ask(undo, { guid, dryRun: true })).json.errors;
    }
    expect(offered).toEqual(accepted);
    expect(new Set(Object.values(offered))).toEqual(new Set([true, false]));
    expect(sets.length).toBeGreaterThanOrEqual(6);
  });

  it('says before it is done how many people it removes for good, to who approves it too, and is not undone itself', async () => {
    const { context } = graph.app;
    const file = {
      users: [1, 2, 3].map((n) => ({
        userGuid: randomUUID(),
        firstName: 'New',
        lastName: `Person ${n}`,
        email: `n${n}@x.example`,
      })),
    };
    await importFile(context, file);
    const [made] = await context.sql.rows<{ guid: string }>(
      'select change_set_guid as guid from change_sets order by change_set_id desc limit 1',
    );
    const removing = `mutation ($guid: UUID!, $dryRun: Boolean!) { undoChangeSet(changeSetGuid: $guid, dryRun: $dryRun) {
      changeSetGuid removedUsers } }`;
    const tried = await graph.data(removing, { guid: made!.guid, dryRun: true });
    expect(tried.undoChangeSet.removedUsers).toBe(3);
    expect((await context.sql.rows("select from users where email like 'n_@x.example'")).length).toBe(3);
    const propose = `mutation ($guid: UUID!) {
      proposeChanges(changes: [{ undoChangeSet: { changeSetGuid: $guid } }], note: "by mistake") { title sentences { text } } }`;
    const { title, sentences } = (await graph.data(propose, { guid: made!.guid })).proposeChanges;
    expect(title).toMatch(/^Undo the change set of .*, which removes 3 people for good$/);
    expect(sentences).toEqual([{ text: title }]);
    const { undoChangeSet: gone } = await graph.data(removing, { guid: made!.guid, dryRun: false });
    expect(gone.removedUsers).toBe(3);
    expect(await context.sql.rows("select from users where email like 'n_@x.example'")).toEqual([]);
    const listed = await graph.data('{ changeSets(last: 2) { nodes { changeSetGuid removedUsers } } }');
    expect(listed.changeSets.nodes).toEqual([
      { changeSetGuid: made!.guid, removedUsers: 0 },
      { changeSetGuid: gone.changeSetGuid, removedUsers: 3 },
    ]);
    const { json } = await graph.ask(undo, { guid: gone.changeSetGuid });
    expect(json.errors[0]).toMatchObject({ extensions: { code: 'CONFLICT' } });
    expect(JSON.stringify(json.errors[0])).toContain('personal data');
  });

  it('of what created a user is refused once somebody has changed the personal data, which no version has', async () => {
    const userGuid = randomUUID();
    const created = await applied([{ createUser: { input: { userGuid, firstName: 'Ada' } } }]);
    const update = (input: object) => applied([{ updateUser: { userGuid, input } }]);
    const blocked = await update({ isBlocked: true });
    await undone(blocked.changeSetGuid);
    expect(await undone(created.changeSetGuid, { dryRun: true })).toMatchObject({ isDryRun: true });
    await update({ email: 'later@x.example', lastName: 'Later' });
    const { json } = await graph.ask(undo, { guid: created.changeSetGuid });
    expect(json.errors[0].extensions).toMatchObject({
      code: 'CONFLICT',
      problems: { changeSetGuid: [`User ${userGuid} was changed since.`] },
    });
  });

  it('of a set that is older than the histories is refused as a whole, not offered, and its effect is not answered', async () => {
    const own = await startTestGraph({ AUDIT_RETENTION_DAYS: '1' });
    try {
      const { sql, config } = own.app.context;
      const roles = ['changed', 'changed-again', 'created', 'created-and-changed'];
      const [changed, changedAgain, created, createdAndChanged] = roles;
      const make = async (changes: object[]): Promise<string> =>
        (
          await own.data('mutation ($changes: [ChangeInput!]!) { applyChanges(changes: $changes) { changeSetGuid } }', {
            changes,
          })
        ).applyChanges.changeSetGuid;
      const create = (roleId?: string) => ({ createRole: { input: { roleId, name: 'R' } } });
      const describeAs = (description: string) => (roleId?: string) => ({
        updateRole: { roleId, input: { description } },
      });
      await make([changed, changedAgain].map(create));
      const guid = await make([
        ...[changed, changedAgain].map(describeAs('first')),
        ...[created, createdAndChanged].map(create),
      ]);
      const read = 'query ($guid: UUID!) { changeSet(changeSetGuid: $guid) { isUndoable effect { gains { users } } } }';
      expect((await own.data(read, { guid })).changeSet).toEqual({ isUndoable: true, effect: { gains: { users: 0 } } });
      await make([changedAgain, createdAndChanged].map(describeAs('later')));
      for (const table of ['change_sets', 'audit_events'])
        await sql.rows(`update ${table} set occurred_at = occurred_at - interval '3 days'`);
      const deps = { sql, config, log: own.app.context.log, sweeps: [] };
      expect(await purgeExpired(deps, new AbortController().signal)).toMatchObject({ versions: expect.any(Number) });
      const state = () =>
        sql.rows('select role_id, description from roles where role_id = any($1) order by 1', [roles]);
      const before = await state();
      expect((await own.data(read, { guid })).changeSet).toEqual({ isUndoable: false, effect: null });
      const only = 'mutation ($guid: UUID!) { undoChangeSet(changeSetGuid: $guid) { changeSetGuid } }';
      const { json } = await own.ask(only, { guid });
      expect(json.errors?.[0].extensions).toMatchObject({
        code: 'CONFLICT',
        problems: { changeSetGuid: ['It is older than the histories that are kept.'] },
      });
      expect(await state()).toEqual(before);
    } finally {
      await own.close();
    }
  });

  it('names the role that a connector has since', async () => {
    const roleId = `r-${randomUUID().slice(0, 8)}`;
    const created = await applied([{ createRole: { input: { roleId, name: 'R' } } }]);
    await createConnector(graph.app.context, { connectorId: roleId, idpname: roleId, roleId });
    const { json } = await graph.ask(undo, { guid: created.changeSetGuid });
    expect(json.errors[0]).toMatchObject({
      message: `Role ${roleId} is in use by later changes.`,
      extensions: { code: 'CONFLICT' },
    });
  });

  it.each([
    ['unblocked a user', true],
    ['gave a profile', false],
  ])('of what %s ends the sessions that began since', async (_what, isUnblocking) => {
    const { context } = graph.app;
    const { user_guid: userGuid, user_id } = await newUser(context, { is_blocked: isUnblocking });
    const [profileId, roleId] = [await newProfile(context), await newRole(context)];
    if (isUnblocking) await linkProfile(context, user_id, profileId, roleId);
    const { changeSetGuid } = await applied([
      isUnblocking
        ? { updateUser: { userGuid, input: { isBlocked: false } } }
        : { assignProfile: { userGuid, profileId, roleId } },
    ]);
    await insert(context.sql, 'tokens', {
      user_id: userGuid,
      profile_id: profileId,
      token: randomBytes(32),
      created_at: new Date(),
      expires_at: new Date(Date.now() + 3_600_000),
    });
    await undone(changeSetGuid);
    const sessions = await context.sql.rows('select is_revoked from tokens where user_id = $1', [userGuid]);
    expect(sessions).toEqual([{ is_revoked: true }]);
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
    expect(tried.effect.gains).toEqual({ ...made.effect.loses, items: expect.any(Object) });
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

  it('gives an external group back that moved between profiles, and one that a new profile took', async () => {
    const [one, other, third, fresh] = ['b', 'a', 'c', 'd'].map((name) => `${name}-${randomUUID().slice(0, 8)}`);
    const profile = (profileId?: string, externalGroup?: string) => ({
      createProfile: { input: { profileId, name: 'P', externalGroup } },
    });
    const grouped = (profileId?: string, externalGroup: string | null = null) => ({
      updateProfile: { profileId, input: { externalGroup } },
    });
    await applied([profile(one, `1-${one}`), profile(other), profile(third, `3-${one}`)]);
    const before = await state();
    const made = await applied([
      grouped(one),
      grouped(other, `1-${one}`),
      grouped(one, `2-${one}`),
      grouped(third),
      profile(fresh, `3-${one}`),
    ]);
    const after = await state();
    const back = await undone(made.changeSetGuid);
    expect(await state()).toEqual(before);
    const { nodes } = back.events;
    expect(nodes.filter(({ action }: { action: string }) => action === 'update')).toHaveLength(3);
    const again = await undone(back.changeSetGuid);
    expect(await state()).toEqual(after);
    await undone(again.changeSetGuid);
    expect(await state()).toEqual(before);
  });

  it('gives an external group back that another profile took in another case', async () => {
    const [one, other] = [randomUUID(), randomUUID()];
    const profile = (profileId: string, externalGroup?: string) => ({
      createProfile: { input: { profileId, name: 'P', externalGroup } },
    });
    await applied([profile(one, `Sales ${one}`), profile(other)]);
    const before = await state();
    const grouped = (profileId: string, externalGroup: string | null) => ({
      updateProfile: { profileId, input: { externalGroup } },
    });
    const made = await applied([grouped(one, null), grouped(other, `SALES ${one}`)]);
    await undone(made.changeSetGuid);
    expect(await state()).toEqual(before);
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
