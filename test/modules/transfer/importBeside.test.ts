/** Imports beside the running service: nobody waits for what an import doesn't change, and it takes nothing back. */
import { randomUUID } from 'node:crypto';
import { renewalTokenHash } from '../../../src/auth/tokenFormat.js';
import { importFile } from '../../../src/modules/transfer/importFile.js';
import type { Sql } from '../../../src/sql.js';
import { type Answer, startTestApp, type TestApp } from '../../support/app.js';
import { closeAtEnd } from '../../support/lifetimes.js';
import { createProxiedDatabase } from '../../support/proxiedDatabase.js';
import { renewalBody } from '../../support/tokens.js';
import { untilBlocked, untilBlockedOrDone } from '../../support/until.js';

let app: TestApp;
beforeAll(async () => {
  app = await startTestApp();
});
afterAll(() => app?.close());

const load = (file: unknown) => importFile(app.context, file);

/** A file with one record of each list that callers use, and tokens of another system. */
function newFile(tokenCount: number) {
  const id = randomUUID().slice(0, 8);
  const userGuid = randomUUID();
  return {
    roles: [{ roleId: id, name: 'Role' }],
    users: [{ userGuid, firstName: 'Ada' }],
    profiles: [{ profileId: id, name: 'Profile' }],
    userProfiles: [{ userGuid, profileId: id, roleId: id }],
    clients: [{ clientId: id, clientSecret: 'secret', name: 'Client' }],
    tokens: Array.from({ length: tokenCount }, (_, index) => ({
      userGuid,
      profileId: id,
      token: `${id}-${index}`,
      createdAt: '2026-01-01T00:00:00Z',
      expiresAt: '2099-01-01T00:00:00Z',
    })),
  };
}
type File = ReturnType<typeof newFile>;

const renew = (file: File, refresh_token: string, by = app): Promise<Answer> =>
  by.post('/token', {
    ...renewalBody(refresh_token),
    profileId: file.profiles[0]!.profileId,
    client_id: file.clients[0]!.clientId,
    client_secret: 'secret',
  });
const later = (file: File) => file.tokens.map((token) => ({ ...token, expiresAt: '2100-01-01T00:00:00Z' }));

/** Begins the import while `held` has done its statements, and gives its result when these are committed. */
async function importWhile(file: unknown, held: (sql: Sql) => Promise<unknown>) {
  let importing: ReturnType<typeof importFile> | undefined;
  await app.context.sql.transaction(async (sql) => {
    await held(sql);
    importing = load(file);
    await untilBlockedOrDone(app.running.database.background, importing);
  });
  return importing!;
}

it('an import waits for no record that it does not change, and so holds none', async () => {
  const file = newFile(3);
  await load(file);
  const imported = await app.context.sql.transaction(async (sql) => {
    for (const table of ['roles', 'users', 'profiles', 'user_profiles', 'clients', 'tokens'])
      await sql.rows(`select 1 from ${table} for update`);
    return load(file);
  });
  expect(imported).toMatchObject({ created: 0, updated: 0, unchanged: 8 });
});

it('a client that an import changes renews meanwhile', async () => {
  const file = newFile(1);
  await load(file);
  // its last statement waits for us, with all that was changed held
  const { promise: released, resolve: release } = Promise.withResolvers<void>();
  const held = app.context.sql.transaction(async (sql) => {
    await sql.rows('update catalogue_version set version = version');
    await released;
  });
  const importing = load({
    clients: [{ ...file.clients[0], name: 'Renamed', isActive: true }],
    users: [{ ...file.users[0], firstName: 'Augusta' }],
  });
  await untilBlocked(app.context.sql);
  const answer = await renew(file, file.tokens[0]!.token);
  release();
  await held;
  expect(answer.status).toBe(200);
  expect(await importing).toMatchObject({ updated: 2 });
});

describe('a token that is changed by the file', () => {
  it('and renewed in the same moment has the renewal alone', async () => {
    const file = newFile(2);
    await load(file);
    const renewed = renewalTokenHash('renewed');
    const imported = await importWhile({ tokens: later(file) }, (sql) =>
      sql.rows('update tokens set token = $1, generation = 1 where token = $2', [
        renewed,
        renewalTokenHash(file.tokens[0]!.token),
      ]),
    );
    expect(imported).toMatchObject({
      created: 0,
      updated: 1,
      unchanged: 1,
      kept: { 'tokens[0]': ['was renewed here, and no longer works'] },
    });
    const stored = await app.context.sql.rows('select expires_at from tokens where token = $1', [renewed]);
    expect(stored).toEqual([{ expires_at: '2099-01-01T00:00:00.000Z' }]);
    expect((await renew(file, file.tokens[0]!.token)).status).toBe(401);
  });

  it('and revoked in the same moment stays revoked', async () => {
    const file = newFile(1);
    await load(file);
    const imported = await importWhile({ tokens: later(file) }, (sql) =>
      sql.rows('update tokens set is_revoked = true, revoked_at = now() where token = $1', [
        renewalTokenHash(file.tokens[0]!.token),
      ]),
    );
    expect(imported).toMatchObject({ updated: 0, unchanged: 1, kept: { 'tokens[0]': [expect.any(String)] } });
    expect((await renew(file, file.tokens[0]!.token)).status).toBe(401);
  });
});

it('a token that is renewed between two looks of the import does not come back as a new one', async () => {
  const database = await createProxiedDatabase();
  closeAtEnd(() => database.drop());
  const proxied = await startTestApp({ DATABASE_URL: database.proxy.url });
  closeAtEnd(() => proxied.close());
  const file = newFile(1);
  await importFile(proxied.context, file);
  const { token } = file.tokens[0]!;
  let isRenewed = false;
  database.proxy.fault = (text) => {
    if (isRenewed || !/from tokens t .*as k/s.test(text)) return undefined;
    isRenewed = true;
    return {
      pass: database.direct.sql
        .rows('update tokens set token = $1, generation = 1 where token = $2', [
          renewalTokenHash('renewed'),
          renewalTokenHash(token),
        ])
        .then(() => undefined),
    };
  };
  expect(await importFile(proxied.context, file)).toMatchObject({
    created: 0,
    unchanged: 6,
    kept: { 'tokens[0]': ['was renewed here, and no longer works'] },
  });
  expect(isRenewed).toBe(true);
  expect((await renew(file, token, proxied)).status).toBe(401);
});

it('an import that reads a record twice goes by the later state', async () => {
  const file = newFile(0);
  await load(file);
  const { userGuid } = file.users[0]!;
  const imported = await importWhile({ users: [{ userGuid, firstName: 'Augusta', lastName: 'Byron' }] }, (sql) =>
    sql.rows(
      "update users set first_name = 'Augusta', email = 'a@example.com', revision = revision + 1 where user_guid = $1",
      [userGuid],
    ),
  );
  expect(imported).toMatchObject({ updated: 1 });
  const [user] = await app.context.sql.rows(
    'select first_name, last_name, email, revision from users where user_guid = $1',
    [userGuid],
  );
  expect(user).toEqual({ first_name: 'Augusta', last_name: 'Byron', email: 'a@example.com', revision: 3 });
  const events = await app.context.sql.rows(
    'select detail from audit_events where subject_id = $1 order by audit_event_id desc limit 1',
    [userGuid],
  );
  expect(events).toEqual([{ detail: { fields: ['lastName'] } }]);
});

it('a record that somebody removed between two looks is told, and nothing is written', async () => {
  const file = newFile(0);
  await load(file);
  const { profileId } = file.profiles[0]!;
  const importing = importWhile(
    { roles: [{ roleId: `${profileId}-new`, name: 'New' }], profiles: [{ profileId, name: 'Renamed' }] },
    (sql) => sql.rows('delete from profiles where profile_id = $1', [profileId]),
  );
  await expect(importing).rejects.toMatchObject({ code: 'CONFLICT', message: expect.stringContaining('profiles[0]') });
  expect(await app.context.sql.rows('select 1 from roles where role_id = $1', [`${profileId}-new`])).toEqual([]);
});

it('imports of live tokens succeed beside their renewals, each of which is answered', async () => {
  const file = newFile(300);
  await load(file);
  const answers: Answer[] = [];
  const renewAll = async () => {
    for (let index = 0; index < file.tokens.length; index += 20)
      answers.push(...(await Promise.all(file.tokens.slice(index, index + 20).map(({ token }) => renew(file, token)))));
  };
  const importAll = async () => {
    const imports = [];
    while (answers.length < file.tokens.length) imports.push(await load(file));
    return imports;
  };
  const [, imports] = await Promise.all([renewAll(), importAll()]);
  expect(answers.map(({ status }) => status)).toEqual(file.tokens.map(() => 200));
  for (const imported of imports) expect(imported).toMatchObject({ created: 0, updated: 0, unchanged: 305 });
});
