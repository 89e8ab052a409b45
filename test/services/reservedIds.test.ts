/** The reserved administration scopes leave an old catalogue its numbers: in a new database and in one of before. */
import { randomUUID } from 'node:crypto';
import { allMigrations } from '../../src/database/migrations/all.js';
import { importFile } from '../../src/modules/transfer/importFile.js';
import { reservedScopeKeys, reservedTypeGuid } from '../../src/services/adminScopes/guard.js';
import { setProfileAccessScopes } from '../../src/services/people/profiles.js';
import { createUser } from '../../src/services/people/users.js';
import { exchange } from '../../src/services/tokens/exchange.js';
import { startTestApp, type TestApp } from '../support/app.js';
import { closeAtEnd } from '../support/lifetimes.js';
import { newClient, newHolder, systemUser } from '../support/records.js';
import { untilBlockedOrDone } from '../support/until.js';

async function startApp(): Promise<TestApp> {
  const app = await startTestApp();
  closeAtEnd(() => app.close());
  return app;
}

const reservedIds = ({ context }: TestApp) =>
  context.sql.rows<{ type: number; scope: number; key: string }>(
    `select access_scope_type_id as type, access_scope_id as scope, access_scope_key as key
     from access_scopes join access_scope_types using (access_scope_type_id)
     where access_scope_type_guid = $1 order by access_scope_guid`,
    [reservedTypeGuid],
  );
const expectedIds = ['read', 'write', 'security'].map((key, index) => ({
  type: 2147483601,
  scope: 2147483601 + index,
  key,
}));

it('a catalogue whose every number starts at 1 is imported into a new database, and new records follow it', async () => {
  const app = await startApp();
  const guids = [1, 2, 3].map(() => randomUUID());
  const numbered = (name: string, more: (index: number) => object) =>
    guids.map((guid, index) => ({ [`${name}Id`]: index + 1, [`${name}Guid`]: guid, ...more(index) }));
  const application = { iconDefault: 'i', iconHover: 'h', appType: 'web', renderingMode: 'page', linkType: 'internal' };
  const file = {
    roles: [{ roleId: '1', name: 'Role' }],
    users: numbered('user', () => ({ firstName: 'Ada' })),
    accessScopeTypes: numbered('accessScopeType', (index) => ({ name: `type${index}` })),
    accessScopes: numbered('accessScope', (index) => ({ accessScopeTypeId: index + 1, name: 'Scope' })),
    profiles: [{ profileId: '1', name: 'Profile', accessScopeGuids: guids }],
    userProfiles: [{ userProfileId: 1, userId: 1, profileId: '1', roleId: '1' }],
    applications: numbered('application', () => ({ ...application, name: 'Application' })),
    accessScopeApplicationsMappers: guids.map((_guid, index) => ({
      accessScopeApplicationsMapperId: index + 1,
      applicationId: index + 1,
      accessScopeId: index + 1,
    })),
    accessScopeTypeApplicationsMappers: guids.map((_guid, index) => ({
      accessScopeTypeApplicationsMapperId: index + 1,
      applicationId: index + 1,
      accessScopeTypeId: index + 1,
    })),
  };
  expect(await importFile(app.context, file)).toMatchObject({ created: 24, updated: 0, unchanged: 0 });
  expect(await reservedIds(app)).toEqual(expectedIds);
  const further = randomUUID();
  await importFile(app.context, {
    accessScopeTypes: [{ accessScopeTypeGuid: further, name: 'further' }],
    accessScopes: [{ accessScopeGuid: further, accessScopeTypeGuid: further, name: 'Further' }],
  });
  const made = await app.context.sql.rows(
    'select access_scope_id, access_scope_type_id from access_scopes where access_scope_guid = $1',
    [further],
  );
  expect(made).toEqual([{ access_scope_id: 4, access_scope_type_id: 4 }]);
});

it('a record that has the last number there is keeps it, and records are made after its import as before', async () => {
  const app = await startApp();
  const [first, last, further] = [randomUUID(), randomUUID(), randomUUID()];
  const user = { firstName: 'Ada' };
  await importFile(app.context, {
    users: [
      { ...user, userGuid: first, userId: 1_000 },
      { ...user, userGuid: last, userId: 2_147_483_647 },
      { ...user, userGuid: further },
    ],
  });
  const ids = await app.context.sql.rows('select user_guid, user_id from users where user_guid = any($1) order by 2', [
    [first, last, further],
  ]);
  expect(ids).toEqual([
    { user_guid: first, user_id: 1_000 },
    { user_guid: further, user_id: 1_001 },
    { user_guid: last, user_id: 2_147_483_647 },
  ]);
  expect(await createUser(app.context, user)).toMatchObject({ userId: 1_002 });
});

describe('a database of before', () => {
  const migration = allMigrations.find(({ name }) => name === 'Migration20261122000100')!;

  /** The statements of the migration, one after the other in a transaction. */
  async function migrate(app: TestApp, between: () => Promise<unknown> = async () => undefined): Promise<void> {
    const { class: Migration } = migration;
    const statements = new Migration(undefined as never, undefined as never);
    statements.up();
    await app.context.sql.transaction(async (sql) => {
      for (const statement of statements.getQueries()) {
        await sql.rows(String(statement));
        await between();
      }
    });
  }

  /** As the version before left it: the reserved records have the first numbers, and others refer to them. */
  async function startOld() {
    const app = await startApp();
    const { sql } = app.context;
    await sql.rows(
      'update access_scopes set access_scope_id = access_scope_id - 2147483600 where access_scope_id > 2000000000',
    );
    await sql.rows('update access_scope_types set access_scope_type_id = 1 where access_scope_type_id = 2147483601');
    const holder = await newHolder(app.context);
    await setProfileAccessScopes(app.context, holder.profileId, [...reservedScopeKeys.keys()]);
    await sql.rows(
      `insert into applications (name, icon_default, icon_hover, app_type, rendering_mode, link_type, created_by)
       values ('A', 'i', 'h', 'web', 'page', 'internal', $1)`,
      [systemUser],
    );
    await sql.rows(
      `insert into access_scope_applications_mappers (application_id, access_scope_id, created_by) select application_id, 2, $1 from applications`,
      [systemUser],
    );
    await sql.rows(
      `insert into access_scope_type_applications_mappers (application_id, access_scope_type_id, created_by) select application_id, 1, $1 from applications`,
      [systemUser],
    );
    const client = await newClient(app.context);
    const signIn = async () => {
      const idToken = app.idToken({ sub: holder.userGuid });
      return exchange(app.context, { ...client, idToken, profileId: holder.profileId, dialect: 'documented' });
    };
    return { app, holder, signIn };
  }

  it('has them moved with all that refers to them, and lists are known to be others', async () => {
    const { app } = await startOld();
    const { sql } = app.context;
    const version = async () =>
      Number((await sql.rows<{ version: string }>('select version from catalogue_version'))[0]!.version);
    const before = await version();
    await migrate(app);
    expect(await reservedIds(app)).toEqual(expectedIds);
    expect(await sql.rows('select access_scope_id from access_scope_applications_mappers')).toEqual([
      { access_scope_id: 2147483602 },
    ]);
    expect(await sql.rows('select access_scope_type_id from access_scope_type_applications_mappers')).toEqual([
      { access_scope_type_id: 2147483601 },
    ]);
    expect(await version()).toBe(before + 1);
    await migrate(app);
    expect(await reservedIds(app)).toEqual(expectedIds);
  });

  it('goes on issuing the same scopes while they move', async () => {
    const { app, signIn } = await startOld();
    const scopesOf = ({ access_token }: { access_token: string }) =>
      JSON.parse(Buffer.from(access_token.split('.')[1]!, 'base64url').toString()).scopes;
    const all = ['admin:read', 'admin:security', 'admin:write'];
    expect(scopesOf(await signIn())).toEqual(all);
    await migrate(app, async () => expect(scopesOf(await signIn())).toEqual(all));
    expect(scopesOf(await signIn())).toEqual(all);
  });

  it('leaves nothing half done of a change that comes meanwhile: it is made, or refused and made the next time', async () => {
    const { app, holder } = await startOld();
    const guids = [...reservedScopeKeys.keys()];
    await setProfileAccessScopes(app.context, holder.profileId, []);
    const changes: Promise<unknown>[] = [];
    await migrate(app, async () => {
      const change = setProfileAccessScopes(app.context, holder.profileId, guids).catch((error: unknown) => error);
      changes.push(change);
      await untilBlockedOrDone(app.running.database.background, change);
    });
    await Promise.all(changes);
    const held = () =>
      app.context.sql.rows('select access_scope_id from profile_access_scopes where profile_id = $1 order by 1', [
        holder.profileId,
      ]);
    const all = [1, 2, 3].map((number) => ({ access_scope_id: 2147483600 + number }));
    expect([[], all]).toContainEqual(await held());
    await setProfileAccessScopes(app.context, holder.profileId, guids);
    expect(await held()).toEqual(all);
  });
});
