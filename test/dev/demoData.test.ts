/** A development start: the demonstration data, and the commands of its first screen. */
import { execFile } from 'node:child_process';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { demonstrationFile } from '../../dev/demoData.js';
import { loadDemoData } from '../../dev/development.js';
import { loadConfig } from '../../src/config/loadConfig.js';
import { importFile } from '../../src/modules/transfer/importFile.js';
import { welcome } from '../../src/process/welcome.js';
import { type RunningApp, startApp } from '../../src/startApp.js';
import { createMigratedDatabase } from '../support/cluster.js';
import { closeAtEnd } from '../support/lifetimes.js';
import { exchangeBody } from '../support/tokens.js';

const run = promisify(execFile);
let folder: string;
beforeAll(() => {
  folder = mkdtempSync(join(tmpdir(), 'gatehouse-demo-'));
});
afterAll(() => rmSync(folder, { recursive: true, force: true }));

/** A development start on a new database. */
async function start(settings: Record<string, string>) {
  const database = await createMigratedDatabase();
  const environment = {
    DATABASE_URL: database.url,
    DATA_DIR: folder,
    PORT: '0',
    BCRYPT_COST: '4',
    LOG_LEVEL: 'silent',
    ...settings,
  };
  const app = await startApp({ config: loadConfig(environment), notice: () => undefined });
  closeAtEnd(() => app.close());
  return app;
}

it.each<[string, string, Record<string, string>]>([
  ['sh', 'without settings', {}],
  ['bash', 'with the hardened policy', { TOKEN_POLICY: 'hardened' }],
  // nobody answers there: the service asks itself for the keys
  ['sh', 'behind a proxy', { BASE_PATH: '/auth', ISSUER_URL: 'https://gatehouse.example.invalid/auth' }],
])('the three commands work as printed, pasted into %s, %s', async (shell, _what, settings) => {
  const app = await start(settings);
  // the indented lines after the numbered headings
  const screen = await welcome(app);
  const commands = [...screen.matchAll(/^\d\. .*\n {2}(.*)$/gm)].map(([, command]) => command!);
  expect(commands).toHaveLength(3);
  const { stdout } = await run(shell, ['-c', commands.join('\n')]);
  const [idToken, tokens, validation] = stdout.trim().split('\n');
  expect(idToken).toMatch(/^[\w-]+\.[\w-]+\.[\w-]+$/);
  expect(JSON.parse(tokens!)).toMatchObject({ token_type: 'Bearer', expires_in: 3600 });
  expect(JSON.parse(validation!)).toMatchObject({
    is_valid: true,
    claims: { profileId: 'grid-operator', roleId: 'operator', scopes: ['report:consumption', 'site:*'] },
  });
});

describe('the demonstration data', () => {
  let app: RunningApp;
  beforeAll(async () => {
    app = await start({});
  });

  it('every demonstration user gets a token for each profile that is theirs, but the blocked one', async () => {
    const { idTokens } = app.dependencies;
    const base = app.url;
    const outcomes: Record<string, number[]> = {};
    for (const { userGuid, profileId } of demonstrationFile.userProfiles) {
      const idToken = await (await fetch(`${base}/development/identity-provider/id-token?user=${userGuid}`)).text();
      expect((await idTokens.verify(idToken)).sub).toBe(userGuid);
      const [client] = demonstrationFile.clients;
      const answer = await fetch(`${base}/token`, {
        method: 'POST',
        headers: { 'content-type': 'application/json' },
        body: JSON.stringify({
          ...exchangeBody(idToken),
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

  it('a next start changes nothing, whatever was changed since', async () => {
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
});

it('the commands are shown while their client is there', async () => {
  const app = await start({});
  expect(await welcome(app)).toContain('curl');
  await app.dependencies.sql.rows("delete from clients where client_id = 'demo-client'");
  expect(await welcome(app)).toContain(app.url);
  expect(await welcome(app)).not.toMatch(/demo|curl/);
});

it('a service with identity providers of its own gets no demonstration data and shows no commands', async () => {
  const issuers = [{ issuer: 'https://idp.example.com', audience: 'a', idpname: 'x', subject: 'idpid' }];
  const app = await start({ ID_TOKEN_ISSUERS: JSON.stringify(issuers) });
  expect(await app.dependencies.sql.rows('select 1 from users')).toEqual([]);
  expect(await welcome(app)).not.toMatch(/demo|curl/);
  expect(await welcome(app)).toContain(app.url);
  expect((await fetch(`${app.url}/development/identity-provider/`)).status).toBe(404);
});
