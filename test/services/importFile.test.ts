/** The import of an operator's file: what it writes, what it keeps, and that once more changes nothing. */
import { createHash, randomUUID } from 'node:crypto';
import bcrypt from 'bcrypt';
import { requireClient } from '../../src/services/tokens/authenticateClient.js';
import { importFile } from '../../src/services/transfer/importFile.js';
import { startTestApp, type TestApp } from '../support/app.js';
import { renewalBody } from '../support/tokens.js';

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
    "(to_jsonb(t) - '{secret_last_used_at,previous_secret_last_used_at,keys_last_used_at}'::text[])::text as t";
  for (const { name } of tables) all[name] = await rows(`select ${row} from ${name} t order by 1`);
  return all;
}
const sha256 = (text: string) => createHash('sha256').update(text).digest('hex');

/** A file with every documented scalar of every list. */
function everything() {
  const [user, type, scope, application] = [randomUUID(), randomUUID(), randomUUID(), randomUUID()];
  const name = randomUUID().slice(0, 8);
  const stamps = {
    createdDate: '2020-01-02T03:04:05.678Z',
    createdBy: user,
    modifiedDate: '2021-01-02T03:04:05.678Z',
    modifiedBy: user,
  };
  const id = Math.floor(Math.random() * 1e9) + 1_000;
  return {
    roles: [{ roleId: `r-${name}`, name: 'Role', description: 'About it', ...stamps }],
    users: [
      {
        userId: id,
        userGuid: user,
        salutation: 'Ms',
        title: 'Dr.',
        firstName: 'Ada',
        lastName: 'Lovelace',
        idpname: 'names',
        idpid: `ada-${name}`,
        telephone: '+44 1',
        email: 'ada@example.com',
        status: 'active',
        statusId: 3,
        lastLoginDate: '2022-01-02T03:04:05.678Z',
        jobTitle: 'Analyst',
        jobTitleAdditional: 'of engines',
        jobTitleId: -4,
        department: 'Engines',
        languagePreference: 'en',
        emailSubscriptions: 'none',
        notificationOptions: '{"mail":true}',
        anbversion: '1.0',
        anbacceptanceDate: '2019-01-02T03:04:05.678Z',
        assignedCustomerSupportGuid: user,
        invitedBy: user,
        invitationDate: '2018-01-02T03:04:05.678Z',
        uipreferences: '{"dark":true}',
        isBlocked: false,
        ...stamps,
      },
    ],
    accessScopeTypes: [
      {
        accessScopeTypeId: id,
        accessScopeTypeGuid: type,
        name: `type-${name}`,
        description: 'A type',
        translationGroup: `tt-${name}`,
        isActive: true,
        ...stamps,
      },
    ],
    accessScopes: [
      {
        accessScopeId: id,
        accessScopeGuid: scope,
        accessScopeTypeId: id,
        accessScopeTypeGuid: type,
        name: 'Scope',
        accessScopeKey: 'key',
        concreteId: 7,
        description: 'A scope',
        translationGroup: `ts-${name}`,
        isWildcard: false,
        isActive: true,
        ...stamps,
      },
    ],
    profiles: [{ profileId: `p-${name}`, name: 'Profile', description: 'x', accessScopeGuids: [scope], ...stamps }],
    userProfiles: [
      { userProfileId: id, userId: id, userGuid: user, profileId: `p-${name}`, roleId: `r-${name}`, ...stamps },
    ],
    applications: [
      {
        applicationId: id,
        applicationGuid: application,
        name: 'Application',
        description: 'An application',
        iconDefault: 'icon.svg',
        iconHover: 'hover.svg',
        appType: 'web',
        renderingMode: 'page',
        linkType: 'internal',
        globalExternalLink: 'https://example.com',
        translationGroup: `ta-${name}`,
        isTokenExchangeRequired: true,
        isIframe: false,
        isActive: true,
        ...stamps,
      },
    ],
    accessScopeApplicationsMappers: [
      {
        accessScopeApplicationsMapperId: id,
        accessScopeId: id,
        applicationId: id,
        applicationGuid: application,
        accessScopeGuid: scope,
        state: 'active',
        individualExternalLink: 'https://example.com/a',
        ...stamps,
      },
    ],
    accessScopeTypeApplicationsMappers: [
      {
        accessScopeTypeApplicationsMapperId: id,
        accessScopeTypeId: id,
        applicationId: id,
        applicationGuid: application,
        accessScopeTypeGuid: type,
        state: 'planned',
        ...stamps,
      },
    ],
    translations: [
      { translationGroup: `ta-${name}`, fieldName: 'name', languageCode: 'de', translatedText: 'Anwendung' },
    ],
    clients: [
      {
        clientId: `c-${name}`,
        clientSecret: `secret-${name}`,
        name: 'Client',
        description: 'A client',
        createdAt: '2020-01-02T03:04:05.678Z',
        isActive: true,
      },
    ],
    tokens: [
      {
        id,
        userGuid: user,
        userId: user,
        profileId: `p-${name}`,
        token: `old-token-${name}`,
        tokenType: 'refresh',
        createdAt: '2020-01-02T03:04:05.678Z',
        expiresAt: '2099-01-02T03:04:05.678Z',
        revokedAt: null,
        isRevoked: false,
        clientId: `c-${name}`,
        createdByIp: '192.0.2.1',
        revokedByIp: null,
      },
    ],
  };
}

it('every documented scalar of every record is kept, and once more changes nothing', async () => {
  const file = everything();
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
  expect(await load(file)).toEqual({ created: 0, updated: 0, removed: 0, unchanged: 12, kept: {}, reset: {} });
  expect(await contents()).toEqual(before);
});

it('a changed row changes its record alone: revision, who and when, audit event, catalogue version', async () => {
  const file = everything();
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
  const file = everything();
  const userId = 1_500_000_000; // past all others of this file
  await load({ users: [{ ...file.users[0], userId }] });
  await load({
    users: [{ userGuid: randomUUID() }, { userGuid: randomUUID(), userId: userId + 5 }, { userGuid: randomUUID() }],
  });
  const made = await rows<{ user_id: number }>('select user_id from users where user_id > $1 order by 1', [userId]);
  expect(made.map(({ user_id }) => user_id - userId)).toEqual([5, 6, 7]);
});

it('a list of access scopes is the whole of a profile, and no list leaves it alone', async () => {
  const file = everything();
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

describe('a renewal token of an old service', () => {
  const renew = async (refresh_token: string, file: ReturnType<typeof everything>) =>
    app.post('/token', {
      ...renewalBody(refresh_token),
      profileId: file.profiles[0]!.profileId,
      client_id: file.clients[0]!.clientId,
      client_secret: file.clients[0]!.clientSecret,
    });

  it('goes on working, and not once more when it is imported again after its renewal', async () => {
    const file = everything();
    await load(file);
    const { token } = file.tokens[0]!;
    const first = await renew(token, file);
    expect(first.status).toBe(200);
    expect(await load(file)).toMatchObject({ created: 0, updated: 0, unchanged: 12 });
    expect((await renew(token, file)).status).toBe(401);
    expect((await renew(first.json.refresh_token, file)).status).toBe(200);
  });

  it('may be given by its hash', async () => {
    const file = everything();
    const { token, ...others } = file.tokens[0]!;
    await load({ ...file, tokens: [{ ...others, tokenSha256: sha256(token).toUpperCase() }] });
    expect((await renew(token, file)).status).toBe(200);
    await load(file);
    expect((await renew(token, file)).status).toBe(401);
  });

  it('stays revoked, whatever is imported', async () => {
    const file = everything();
    await load(file);
    const { token } = file.tokens[0]!;
    expect((await app.post('/revoke', { token })).status).toBe(200);
    await load(file);
    expect((await renew(token, file)).status).toBe(401);
  });

  it('is revoked by a file that says so', async () => {
    const file = everything();
    await load(file);
    await load({ tokens: [{ ...file.tokens[0], isRevoked: true, revokedAt: '2026-01-01T00:00:00Z' }] });
    expect((await renew(file.tokens[0]!.token, file)).status).toBe(401);
  });

  it('of this service itself keeps its record', async () => {
    const file = everything();
    await load(file);
    const { json } = await renew(file.tokens[0]!.token, file);
    const second = await renew(json.refresh_token, file);
    const spent = { ...file.tokens[0], token: json.refresh_token } as Record<string, unknown>;
    delete spent.id;
    expect(await load({ tokens: [spent] })).toMatchObject({ created: 0, unchanged: 1 });
    expect((await renew(json.refresh_token, file)).status).toBe(401);
    expect((await renew(second.json.refresh_token, file)).status).toBe(200);
  });
});

it('a sign-in after the import is not undone by the next', async () => {
  const file = everything();
  await load(file);
  const { userGuid } = file.users[0]!;
  await rows("update users set last_login_date = '2025-05-05T00:00:00Z' where user_guid = $1", [userGuid]);
  const before = await contents();
  await load(file);
  expect(await contents()).toEqual(before);
});

it('an export from before a change brings its values back, but not that it was never changed', async () => {
  const file = everything();
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
  const file = everything();
  const outcomes = await Promise.all([load(file), load(file), load(file)]);
  expect(outcomes.map(({ created }) => created).sort()).toEqual([0, 0, 13]);
  expect(outcomes.map(({ updated }) => updated)).toEqual([0, 0, 0]);
});

it('names of this file may be given before they are defined, and rows may swap order', async () => {
  const { accessScopes, accessScopeTypes, ...others } = everything();
  await load({ accessScopes, ...others, accessScopeTypes });
  expect(
    await rows('select 1 from access_scopes where access_scope_guid = $1', [accessScopes[0]!.accessScopeGuid]),
  ).toHaveLength(1);
});

it('only who has admin:security may', async () => {
  const caller = { ...app.context.caller, permissions: new Set(['admin:write'] as const) } as never;
  await expect(importFile({ ...app.context, caller }, {})).rejects.toMatchObject({ code: 'FORBIDDEN' });
});
