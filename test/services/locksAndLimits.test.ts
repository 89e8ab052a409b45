/** Conditions and locks of changes that only show beside something else: an expired record, a second caller. */
import { setTranslations } from '../../src/services/catalogue/translations.js';
import { assignProfile, createProfile, deleteProfile } from '../../src/services/people/profiles.js';
import { createRole, deleteRole } from '../../src/services/people/users.js';
import { revokeTokens } from '../../src/services/tokens/revokeSessions.js';
import { startTestApp, type TestApp } from '../support/app.js';
import { openClient } from '../support/cluster.js';
import { insert, newClient, newHolder } from '../support/records.js';
import { untilBlocked } from '../support/until.js';

let app: TestApp;
beforeEach(async () => {
  app = await startTestApp();
});

const untilWaiting = (statements: number) => untilBlocked(app.running.database.background, statements);

it('revoking the tokens of a user leaves expired ones as they ended', async () => {
  const { userGuid, profileId } = await newHolder(app.context);
  await app.context.sql.rows(
    `insert into tokens (user_id, profile_id, token, created_at, expires_at)
     select $1, $2, sha256(n::text::bytea), now() - interval '40 days', now() + make_interval(days => n)
     from unnest(array[-1, 1]) n`,
    [userGuid, profileId],
  );
  expect(await revokeTokens(app.context, { userGuid })).toBe(1);
  const records = await app.context.sql.rows(
    'select expires_at > now() as is_good, is_revoked from tokens where user_id = $1 order by expires_at',
    [userGuid],
  );
  expect(records).toEqual([
    { is_good: false, is_revoked: false },
    { is_good: true, is_revoked: true },
  ]);
});

it('revoking tokens works with ids of any characters: the text of the audit event is never cut within one', async () => {
  const { context } = app;
  const { userGuid, profileId } = await newHolder(context);
  // the text is cut at code unit 255, which is odd or even there
  for (const clientId of ['\u{1f600}'.repeat(100), `x${'\u{1f600}'.repeat(99)}`]) {
    await newClient(context, undefined, { client_id: clientId });
    await insert(context.sql, 'tokens', {
      user_id: userGuid,
      profile_id: profileId,
      client_id: clientId,
      token: Buffer.from(clientId),
      created_at: context.clock.now(),
      expires_at: new Date(context.clock.now().getTime() + 60_000),
    });
    expect(await revokeTokens(context, { userGuid, profileId, clientId })).toBe(1);
    const events = await context.sql.rows<{ subject: string }>(
      "select subject_id as subject from audit_events where action = 'revoke' and position($1 in subject_id) > 0",
      [`clientId ${[...clientId].slice(0, 80).join('')}`],
    );
    expect(events).toHaveLength(1);
    expect(events[0]!.subject).not.toContain('\ufffd');
  }
});

it('two simultaneous changes of the texts of a group leave those of one of them, and no mixture', async () => {
  const text = (languageCode: string) => [{ fieldName: 'name', languageCode, translatedText: languageCode }];
  // both get as far as they can before either may end
  const lock = await openClient(app.database.url);
  await lock.query('begin; update catalogue_version set version = version');
  const both = [setTranslations(app.context, 'g', text('de')), setTranslations(app.context, 'g', text('en'))];
  await untilWaiting(2);
  await lock.query('rollback');
  await Promise.all(both);
  const stored = await app.context.sql.rows(`select language_code from translations where translation_group = 'g'`);
  expect(stored).toHaveLength(1);
});

const removals = [
  ['roles', (id: string) => createRole(app.context, { roleId: id, name: 'x' }), deleteRole],
  ['profiles', (id: string) => createProfile(app.context, { profileId: id, name: 'x' }), deleteProfile],
] as const;

it.each(removals)('%s: of two who remove one at the same moment, one has removed it', async (table, create, remove) => {
  await create('gone');
  const lock = await openClient(app.database.url);
  await lock.query(`begin; select from ${table} for update`);
  const both = Promise.allSettled([remove(app.context, 'gone'), remove(app.context, 'gone')]);
  await untilWaiting(2);
  await lock.query('rollback');
  expect((await both).map(({ status }) => status).sort()).toEqual(['fulfilled', 'rejected']);
  const told = await app.context.sql.rows(`select from audit_events where action = 'delete' and subject_id = 'gone'`);
  expect(told).toHaveLength(1);
});

it.each(
  removals,
)('%s: one that somebody changes at the same moment is not removed unseen', async (table, create, remove) => {
  await create('changed');
  const other = await openClient(app.database.url);
  await other.query(`begin; update ${table} set name = 'y', revision = revision + 1 where name = 'x'`);
  const removed = remove(app.context, 'changed', 1).catch((error) => error.code);
  await untilWaiting(1);
  await other.query('commit');
  expect(await removed).toBe('CONFLICT');
});

it('giving a profile in a role that is removed at the same moment is a conflict', async () => {
  const { userGuid, profileId } = await newHolder(app.context);
  await createRole(app.context, { roleId: 'leaving', name: 'x' });
  const other = await openClient(app.database.url);
  await other.query(`begin; delete from roles where role_id = 'leaving'`);
  const assigned = assignProfile(app.context, { userGuid, profileId, roleId: 'leaving' }).catch((error) => error.code);
  await untilWaiting(1);
  await other.query('commit');
  expect(await assigned).toBe('CONFLICT');
});
