/** A development start: the demonstration data, and the commands of its first screen. */
import { execFile } from 'node:child_process';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { type RunningApp, startApp } from '../../src/app.js';
import { loadConfig } from '../../src/config.js';
import { demonstrationFile } from '../../src/dev/demoData.js';
import { loadDemoData, welcome } from '../../src/dev/development.js';
import { importFile } from '../../src/services/importFile.js';
import { createMigratedDatabase, type TestDatabase } from '../support/cluster.js';

const run = promisify(execFile);
let database: TestDatabase;
let folder: string;
let app: RunningApp;
let screen: string;

beforeAll(async () => {
  database = await createMigratedDatabase();
  folder = mkdtempSync(join(tmpdir(), 'gatehouse-demo-'));
  const environment = {
    DATABASE_URL: database.url,
    DATA_DIR: folder,
    PORT: '0',
    BASE_PATH: '/auth',
    BCRYPT_COST: '4',
    LOG_LEVEL: 'silent',
  };
  app = await startApp({ config: loadConfig(environment), notice: () => undefined });
  screen = await welcome(app);
});
afterAll(async () => {
  await app?.close();
  await database?.drop();
  rmSync(folder, { recursive: true, force: true });
});

/** The lines to paste: the indented ones after the numbered headings. */
const commands = () => [...screen.matchAll(/^\d\. .*\n {2}(.*)$/gm)].map(([, command]) => command!);

test.each(['sh', 'bash'])('the three commands work as printed, pasted into %s', async (shell) => {
  expect(commands()).toHaveLength(3);
  const { stdout } = await run(shell, ['-c', commands().join('\n')]);
  const [idToken, tokens, validation] = stdout.trim().split('\n');
  expect(idToken).toMatch(/^[\w-]+\.[\w-]+\.[\w-]+$/);
  expect(JSON.parse(tokens!)).toMatchObject({ token_type: 'Bearer', expires_in: 3600 });
  expect(JSON.parse(validation!)).toMatchObject({
    is_valid: true,
    claims: { profileId: 'grid-operator', roleId: 'operator', scopes: ['report:consumption', 'site:*'] },
  });
});

test('every demonstration user gets a token for each profile that is theirs, but the blocked one', async () => {
  const { idTokens } = app.dependencies;
  const base = `${app.url}/auth`;
  const outcomes: Record<string, number[]> = {};
  for (const { userGuid, profileId } of demonstrationFile.userProfiles) {
    const idToken = await (await fetch(`${base}/development/identity-provider/id-token?user=${userGuid}`)).text();
    expect((await idTokens.verify(idToken)).sub).toBe(userGuid);
    const [client] = demonstrationFile.clients;
    const answer = await fetch(`${base}/token`, {
      method: 'POST',
      headers: { 'content-type': 'application/json' },
      body: JSON.stringify({
        grant_type: 'urn:service:authz:exchange',
        id_token: idToken,
        profileId,
        client_id: client!.clientId,
        client_secret: client!.clientSecret,
      }),
    });
    const user = demonstrationFile.users.find((each) => each.userGuid === userGuid)!;
    outcomes[user.firstName] = [...(outcomes[user.firstName] ?? []), answer.status];
  }
  const { Mallory, ...others } = outcomes;
  expect(Mallory).toEqual([400]);
  expect(new Set(Object.values(others).flat())).toEqual(new Set([200]));
  expect(Object.values(others).filter((statuses) => statuses.length > 1).length).toBeGreaterThan(2);
});

test('a next start changes nothing, whatever was changed since', async () => {
  const context = app.commandContext();
  expect(await importFile(context, demonstrationFile)).toMatchObject({ created: 0, updated: 0, removed: 0 });
  await context.sql.rows("update users set first_name = 'Changed' where first_name = 'Ada'");
  await context.sql.rows("delete from clients where client_id = 'demo-client'");
  const state = () =>
    context.sql.rows(
      "select (select string_agg(first_name, ',' order by user_id) from users) names, (select count(*) from clients) clients",
    );
  const before = await state();
  await loadDemoData(context);
  expect(await state()).toEqual(before);
});

test('with identity providers of its own a service gets no demonstration data and no commands', async () => {
  const own = await createMigratedDatabase();
  const issuers = [{ issuer: 'https://idp.example.com', audience: 'a', idpname: 'x', subject: 'idpid' }];
  const config = loadConfig({
    DATABASE_URL: own.url,
    DATA_DIR: folder,
    PORT: '0',
    LOG_LEVEL: 'silent',
    ID_TOKEN_ISSUERS: JSON.stringify(issuers),
  });
  const other = await startApp({ config, notice: () => undefined });
  try {
    expect(await other.dependencies.sql.rows('select 1 from users')).toEqual([]);
    expect(await welcome(other)).not.toMatch(/demo|curl/);
    expect(await welcome(other)).toContain(other.url);
    expect((await fetch(`${other.url}/development/identity-provider/`)).status).toBe(404);
  } finally {
    await other.close();
    await own.drop();
  }
});
