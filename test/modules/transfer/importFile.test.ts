/** The import of an operator's file: what it writes, what it keeps, and that once more changes nothing. */
import { randomUUID } from 'node:crypto';
import bcrypt from 'bcrypt';
import { importFile } from '../../../src/modules/transfer/importFile.js';
import { importLists } from '../../../src/modules/transfer/importLists.js';
import { renewStatistics } from '../../../src/modules/transfer/statements.js';
import { requireClient } from '../../../src/services/tokens/client.js';
import { startTestApp, type TestApp } from '../../support/app.js';
import { completeFile } from '../../support/completeFile.js';

let app: TestApp;
beforeAll(async () => {
  app = await startTestApp();
});
afterAll(() => app?.close());

const load = (file: unknown) => importFile(app.context, file);
const rows = <Row extends object>(text: string, values: unknown[] = []) => app.context.sql.rows<Row>(text, values);
/** Every row of every table that an import writes, without the uses of secrets: those are noted a second later. */
async function contents(): Promise<Record<string, unknown>> {
  const tables = await rows<{ name: string }>(
    `select table_name as name from information_schema.tables where table_schema = 'public'
     and table_name not in ('migrations', 'signing_keys') order by 1`,
  );
  const all: Record<string, unknown> = {};
  const row =
    "(to_jsonb(t) - '{secret_last_used_at,previous_secret_last_used_at,keys_last_used_at,last_used_at}'::text[])::text as t";
  for (const { name } of tables) all[name] = await rows(`select ${row} from ${name} t order by 1`);
  return all;
}

it.each(importLists)('the statistics of $name can be renewed, each column once', async (list) => {
  expect(await rows(renewStatistics(list))).toEqual([]);
});

it('every documented scalar of every record is kept, and once more changes nothing', async () => {
  const file = completeFile();
  expect(await load(file)).toEqual({ created: 13, updated: 0, removed: 0, unchanged: 0, kept: {}, reset: {} });
  const tables = {
    roles: 'roles',
    users: 'users',
    accessScopeTypes: 'access_scope_types',
    accessScopes: 'access_scopes',
    profiles: 'profiles',
    userProfiles: 'user_profiles',
    applications: 'applications',
    accessScopeApplicationsMappers: 'access_scope_applications_mappers',
    accessScopeTypeApplicationsMappers: 'access_scope_type_applications_mappers',
    translations: 'translations',
    clients: 'clients',
    tokens: 'tokens',
  };
  const elsewhere = ['userGuid', 'applicationGuid', 'accessScopeGuid', 'accessScopeTypeGuid', 'accessScopeGuids'];
  for (const [list, table] of Object.entries(tables)) {
    const [given] = file[list as keyof typeof file] as Record<string, unknown>[];
    const stored = await rows<Record<string, unknown>>(`select * from ${table} order by ctid desc limit 1`);
    for (const [name, value] of Object.entries(given!)) {
      const column = name.replace(/[A-Z]/g, (letter) => `_${letter.toLowerCase()}`);
      if ((elsewhere.includes(name) && !(column in stored[0]!)) || ['clientSecret', 'token'].includes(name)) continue;
      const expected = list === 'tokens' && name === 'id' ? String(value) : value;
      expect([`${list}.${name}`, stored[0]![column]]).toEqual([`${list}.${name}`, expected]);
    }
  }
  const before = await contents();
  expect(await load(file)).toEqual({ created: 0, updated: 0, removed: 0, unchanged: 13, kept: {}, reset: {} });
  expect(await contents()).toEqual(before);
});

it('a second import counts what the first created, links of profiles to access scopes included', async () => {
  const file = completeFile();
  const { created } = await load(file);
  expect(await load(file)).toMatchObject({ created: 0, unchanged: created });
});

it('a changed row changes its record alone: revision, who and when, audit event, catalogue version', async () => {
  const file = completeFile();
  await load(file);
  const version = async () =>
    Number((await rows<{ version: string }>('select version from catalogue_version'))[0]!.version);
  const before = await version();
  const { roleId } = file.roles[0]!;
  expect(await load({ roles: [{ roleId, name: 'Renamed' }] })).toMatchObject({ updated: 1, created: 0 });
  const [role] = await rows<Record<string, unknown>>('select * from roles where role_id = $1', [roleId]);
  expect(role).toMatchObject({
    name: 'Renamed',
    description: 'About it',
    revision: 2,
    created_date: '2020-01-02T03:04:05.678Z',
    modified_by: app.context.config.systemUserGuid,
  });
  expect(Date.now() - Date.parse(String(role!.modified_date))).toBeLessThan(60_000);
  const events = await rows(
    'select action, actor, detail from audit_events where subject_id = $1 order by audit_event_id',
    [roleId],
  );
  expect(events).toEqual([
    { action: 'create', actor: app.context.config.systemUserGuid, detail: null },
    { action: 'update', actor: app.context.config.systemUserGuid, detail: { fields: ['name'] } },
  ]);
  expect(await version()).toBe(before + 1);
});

it('ids that are made come after those that were given', async () => {
  const file = completeFile();
  const userId = 1_500_000_000; // past all others of this file
  await load({ users: [{ ...file.users[0], userId }] });
  await load({
    users: [{ userGuid: randomUUID() }, { userGuid: randomUUID(), userId: userId + 5 }, { userGuid: randomUUID() }],
  });
  const made = await rows<{ user_id: number }>('select user_id from users where user_id > $1 order by 1', [userId]);
  expect(made.map(({ user_id }) => user_id - userId)).toEqual([5, 6, 7]);
});

it('a list of access scopes is the whole of a profile, and no list leaves it alone', async () => {
  const file = completeFile();
  const scopes = [1, 2, 3].map(() => ({
    accessScopeGuid: randomUUID(),
    accessScopeTypeGuid: file.accessScopeTypes[0]!.accessScopeTypeGuid,
    name: 'Scope',
  }));
  await load({ ...file, accessScopes: [...file.accessScopes, ...scopes] });
  const { profileId } = file.profiles[0]!;
  const held = async () =>
    (
      await rows<{ guid: string }>(
        `select access_scope_guid as guid from profile_access_scopes join access_scopes using (access_scope_id)
         where profile_id = $1`,
        [profileId],
      )
    )
      .map(({ guid }) => guid)
      .sort();
  const [first, second, third] = scopes.map(({ accessScopeGuid }) => accessScopeGuid);
  await load({ profiles: [{ profileId, name: 'Profile', accessScopeGuids: [first, second] }] });
  expect(await held()).toEqual([first, second].sort());
  expect(
    await load({ profiles: [{ profileId, accessScopeGuids: [`{${third!.toUpperCase()}}`, second] }] }),
  ).toMatchObject({
    created: 1,
    removed: 1,
  });
  expect(await held()).toEqual([second, third].sort());
  await load({ profiles: [{ profileId, name: 'Renamed' }] });
  expect(await held()).toEqual([second, third].sort());
  await load({ profiles: [{ profileId, accessScopeGuids: [] }] });
  expect(await held()).toEqual([]);
});

it("clients bring their secrets in clear or as another system's hash", async () => {
  const id = randomUUID();
  const hash = bcrypt.hashSync('from php', 4);
  await load({
    clients: [
      { clientId: `clear-${id}`, clientSecret: 'in clear', name: 'A' },
      { clientId: `hash-${id}`, clientSecretHash: `$2y$${hash.slice(4)}`, name: 'B' },
    ],
  });
  const check = (clientId: string, clientSecret: string) =>
    requireClient(app.context, { clientId, clientSecret }).then(
      () => true,
      () => false,
    );
  expect(await check(`clear-${id}`, 'in clear')).toBe(true);
  expect(await check(`hash-${id}`, 'from php')).toBe(true);
  await load({ clients: [{ clientId: `clear-${id}`, isActive: false }] });
  expect(await check(`clear-${id}`, 'in clear')).toBe(false);
  await load({ clients: [{ clientId: `clear-${id}`, isActive: true, clientSecret: 'another' }] });
  expect([await check(`clear-${id}`, 'in clear'), await check(`clear-${id}`, 'another')]).toEqual([false, true]);
});

it('a sign-in after the import is not undone by the next', async () => {
  const file = completeFile();
  await load(file);
  const { userGuid } = file.users[0]!;
  await rows("update users set last_login_date = '2025-05-05T00:00:00Z' where user_guid = $1", [userGuid]);
  const before = await contents();
  await load(file);
  expect(await contents()).toEqual(before);
});

it('an export from before a change brings its values back, but not that it was never changed', async () => {
  const file = completeFile();
  const [role] = file.roles;
  const fresh = { roleId: role!.roleId, name: 'Role', modifiedDate: null, modifiedBy: null };
  await load({ roles: [fresh] });
  await load({ roles: [{ ...fresh, name: 'Renamed' }] });
  const changed = () => rows<object>('select modified_date, revision from roles where role_id = $1', [role!.roleId]);
  const before = await changed();
  expect(before).toEqual([{ modified_date: expect.any(String), revision: 2 }]);
  expect(await load({ roles: [{ ...fresh, name: 'Renamed' }] })).toMatchObject({ unchanged: 1 });
  expect(await changed()).toEqual(before);
});

it('the same file imported twice at the same moment is imported once', async () => {
  const file = completeFile();
  const outcomes = await Promise.all([load(file), load(file), load(file)]);
  expect(outcomes.map(({ created }) => created).sort()).toEqual([0, 0, 13]);
  expect(outcomes.map(({ updated }) => updated)).toEqual([0, 0, 0]);
});

it('names of this file may be given before they are defined, and rows may swap order', async () => {
  const { accessScopes, accessScopeTypes, ...others } = completeFile();
  await load({ accessScopes, ...others, accessScopeTypes });
  expect(
    await rows('select 1 from access_scopes where access_scope_guid = $1', [accessScopes[0]!.accessScopeGuid]),
  ).toHaveLength(1);
});

it('only who has admin:security may', async () => {
  const caller = { ...app.context.caller, permissions: new Set(['admin:write'] as const) } as never;
  await expect(importFile({ ...app.context, caller }, {})).rejects.toMatchObject({ code: 'FORBIDDEN' });
});
