/** To-many relations of entities: collections that are read when a service asks for them, and that nothing else shows. */
import { openApp } from '../../src/app.js';
import { loadConfig } from '../../src/config/loadConfig.js';
import type { Context } from '../../src/context.js';
import { Profile } from '../../src/entities/Profile.js';
import { User } from '../../src/entities/User.js';
import { setProfileAccessScopes } from '../../src/services/people/profiles.js';
import { createDatabase } from '../support/cluster.js';
import { closeAtEnd } from '../support/lifetimes.js';
import { newHolder, newScope, newScopeType } from '../support/records.js';

let context: Context;
beforeAll(async () => {
  const database = await createDatabase();
  const environment = {
    DATABASE_URL: database.url,
    KEY_ENCRYPTION_KEY: Buffer.alloc(32, 7).toString('base64'),
    LOG_LEVEL: 'silent',
  };
  const app = await openApp({ config: loadConfig(environment), notice: () => {} });
  closeAtEnd(() => app.close());
  context = app.commandContext();
});

it('a record is read with the relations that are asked for, and with no others', async () => {
  const { profileId } = await newHolder(context);
  await newScope(context, await newScopeType(context), profileId, { access_scope_key: 'read' });
  const profile = await context.orm.em
    .fork()
    .findOneOrFail(Profile, { profileId }, { populate: ['profileAccessScopes.accessScope', 'userProfiles'] });
  expect(profile.profileAccessScopes.getItems().map(({ accessScope }) => accessScope.name)).toHaveLength(1);
  expect(profile.userProfiles).toHaveLength(1);
  const bare = await context.orm.em.fork().findOneOrFail(Profile, { profileId });
  expect(bare.profileAccessScopes.isInitialized()).toBe(false);
});

it('a collection that was not asked for is in no JSON, and tokens are no collection', async () => {
  const { userGuid } = await newHolder(context);
  const user = await context.orm.em.fork().findOneOrFail(User, { userGuid });
  expect(JSON.parse(JSON.stringify(user))).toMatchObject({ userGuid });
  expect(Object.keys(JSON.parse(JSON.stringify(user)))).not.toContain('userProfiles');
  expect(Object.keys(context.orm.getMetadata().get(User).properties)).not.toContain('tokens');
});

it('a link that leaves the collection of its profile is deleted, and one that is in it stays as it is', async () => {
  const { profileId } = await newHolder(context);
  const type = await newScopeType(context);
  const stays = await newScope(context, type, profileId, { access_scope_key: 'stays' });
  const goes = await newScope(context, type, profileId, { access_scope_key: 'goes' });
  const comes = await newScope(context, type, undefined, { access_scope_key: 'comes' });
  const links = () =>
    context.sql.rows<{ scope: number; link: number }>(
      'select access_scope_id as scope, profile_access_scope_id as link from profile_access_scopes where profile_id = $1',
      [profileId],
    );
  const before = await links();
  await setProfileAccessScopes(context, profileId, [stays.access_scope_guid, comes.access_scope_guid]);
  const after = await links();
  expect(after.map(({ scope }) => scope).sort()).toEqual([stays.access_scope_id, comes.access_scope_id].sort());
  expect(after).toContainEqual(before.find(({ scope }) => scope === stays.access_scope_id));
  expect(before.map(({ scope }) => scope)).toContain(goes.access_scope_id);
  const audited = await context.sql.rows<{ detail: unknown }>(
    "select detail from audit_events where subject_type = 'Profile'",
  );
  expect(JSON.stringify(audited)).not.toContain('profileAccessScopes');
});
