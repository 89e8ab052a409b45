/** The reserved administration scopes leave an old catalogue its numbers. */
import { randomUUID } from 'node:crypto';
import { importFile } from '../../src/modules/transfer/importFile.js';
import { reservedTypeGuid } from '../../src/services/adminScopes/guard.js';
import { createUser } from '../../src/services/people/users.js';
import { startTestApp, type TestApp } from '../support/app.js';
import { closeAtEnd } from '../support/lifetimes.js';

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
