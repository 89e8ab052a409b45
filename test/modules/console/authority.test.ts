/** A session of the console is judged at each request, by what the database says then. */
import { sweeps } from '../../../src/modules/cleanUp.js';
import { purgeExpired } from '../../../src/services/maintenance/purge.js';
import { startTestApp } from '../../support/app.js';
import { exchangeBody } from '../../support/tokens.js';
import { openBrowser } from './browser.js';
import { builtConsole, type DevelopmentConsole, finishSignIn, people, startDevelopmentConsole } from './consoleApp.js';

const viewer =
  '{ viewer { profileId permissions signedInAt sessionEndsAt mappingActiveStates administrationProfiles { profileId name permissions } } }';
let own: DevelopmentConsole;
const sql = (text: string, values: unknown[] = []) => own.app.context.sql.rows(text, values);

beforeEach(async () => {
  own = await startDevelopmentConsole();
});

it('nobody is signed in without the cookie, and a Bearer token counts nothing', async () => {
  const { app } = own;
  const browser = own.newBrowser();
  const refused = await browser.ask(viewer);
  expect([refused.status, refused.json.errors[0].extensions.code]).toEqual([401, 'UNAUTHENTICATED']);
  // no scheme for which a browser asks, and no token
  expect(refused.headers.get('www-authenticate')).toMatch(/^Session /);
  const token = await bearer();
  const asked = (headers: object) =>
    app.post('/console/graphql', { query: viewer }, { ...headers, authorization: token });
  expect((await asked({})).status).toBe(403);
  expect((await asked({ 'sec-fetch-site': 'same-origin', 'x-gatehouse-console': '1' })).status).toBe(401);
  expect((await app.post('/graphql', { query: viewer }, { authorization: token })).status).toBe(200);
});

/** Of Grace, who administers. */
async function bearer(): Promise<string> {
  const { app } = own;
  const idToken = await (await fetch(`${app.url}/development/identity-provider/id-token?user=grace`)).text();
  const { json } = await app.post('/token', {
    ...exchangeBody(idToken),
    profileId: 'administration',
    client_id: 'demo-client',
    client_secret: 'demo-secret-for-development-only',
  });
  return `Bearer ${json.access_token}`;
}

it('the cookie of a session opens nothing but the console', async () => {
  const { browser } = await own.signIn(people.grace);
  expect((await browser.post('/graphql', { query: viewer })).status).toBe(401);
  const list = await browser.go(`${own.app.url}/api/applications`, { 'api-version': '1.0' });
  expect(list.status).toBe(401);
});

describe('who is signed in is out at the next request', () => {
  it.each([
    ['the profile is taken', 'delete from user_profiles where profile_id = $1', ['administration']],
    ['the person is blocked', 'update users set is_blocked = true where user_guid = $1', [people.grace]],
    ['the session was idle', "update console_sessions set seen_at = now() - interval '31 minutes'", []],
    ['the session is too old', 'update console_sessions set ends_at = now()', []],
    ['nobody signs in by the provider any more', "update console_sessions set issuer = 'https://gone.example'", []],
  ])('when %s', async (_case, statement, values) => {
    const { browser } = await own.signIn(people.grace);
    expect((await browser.ask(viewer)).status).toBe(200);
    await sql(statement, values);
    expect((await browser.ask(viewer)).status).toBe(401);
    expect((await browser.post('/console/profile', { profileId: 'administration' })).status).toBe(401);
  });
});

it('a session has the permissions that its profile gives now, fewer or more, at once', async () => {
  const { browser } = await own.signIn(people.grace);
  const permissions = async () => (await browser.ask(viewer)).json.data.viewer.permissions;
  expect(await permissions()).toEqual(['admin:read', 'admin:security', 'admin:write']);
  const keys = `select access_scope_id from access_scopes where access_scope_key in ('security', 'write')`;
  await sql(`delete from profile_access_scopes where access_scope_id in (${keys})`);
  expect(await permissions()).toEqual(['admin:read']);
  const refused = await browser.ask('{ clients { nodes { clientId } } }');
  expect(refused.json.errors[0].extensions.code).toBe('FORBIDDEN');
});

it('a user who was blocked or lost the profile has no session any more when it is given back', async () => {
  const administrator = await own.signIn(people.grace);
  const unlink = { userGuid: people.grace, profileId: 'administration', roleId: 'administrator' };
  const arguments_ = `userGuid: "${unlink.userGuid}", profileId: "${unlink.profileId}", roleId: "${unlink.roleId}"`;
  const token = await bearer();
  const ask = (query: string) => own.app.post('/graphql', { query }, { authorization: token });
  const taken = await ask(`mutation { unassignProfile(${arguments_}) }`);
  expect(taken.json.errors).toBeUndefined();
  await sql(
    `insert into user_profiles (user_id, profile_id, role_id, created_by)
     select user_id, 'administration', 'administrator', user_guid from users where user_guid = $1`,
    [people.grace],
  );
  expect((await administrator.browser.ask(viewer)).status).toBe(401);
});

it('revoking the tokens of a person ends the sessions of the console with them', async () => {
  const [{ browser }, other] = [await own.signIn(people.grace), await own.signIn(people.grace)];
  const revoked = await browser.ask(`mutation { revokeTokens(userGuid: "${people.grace}") }`);
  expect(revoked.json.data).toEqual({ revokeTokens: 0 });
  expect([(await browser.ask(viewer)).status, (await other.browser.ask(viewer)).status]).toEqual([401, 401]);
});

it('a use is noted once a minute, and keeps the session', async () => {
  const { browser } = await own.signIn(people.grace);
  const updates = () => own.app.takeStatements().filter((text) => text.includes('update console_sessions')).length;
  updates();
  await browser.ask(viewer);
  expect(updates()).toBe(0);
  await sql("update console_sessions set seen_at = now() - interval '29 minutes'");
  updates();
  await browser.ask(viewer);
  await browser.ask(viewer);
  expect(updates()).toBe(1);
  const [row] = await sql("select seen_at > now() - interval '1 minute' as is_noted from console_sessions");
  expect(row).toEqual({ is_noted: true });
});

it('a session tells when it began and ends, what it may do, and between which profiles it can choose', async () => {
  await sql(
    `insert into profile_access_scopes (profile_id, access_scope_id, created_by)
     select 'grid-operator', access_scope_id, $1 from access_scopes where access_scope_key = 'read'`,
    [people.grace],
  );
  const { browser } = await own.signIn(people.grace);
  const asked = async () => (await browser.ask(viewer)).json.data.viewer;
  const { signedInAt, sessionEndsAt, ...others } = await asked();
  expect(Date.parse(sessionEndsAt) - Date.parse(signedInAt)).toBe(12 * 3_600_000);
  const all = ['admin:read', 'admin:security', 'admin:write'];
  expect(others).toEqual({
    profileId: 'administration',
    permissions: all,
    mappingActiveStates: ['active'],
    administrationProfiles: [
      { profileId: 'administration', name: 'Administration of Gatehouse', permissions: all },
      { profileId: 'grid-operator', name: 'Grid operator', permissions: ['admin:read'] },
    ],
  });
  expect((await browser.post('/console/profile', { profileId: 'grid-operator' })).status).toBe(204);
  expect(await asked()).toMatchObject({ profileId: 'grid-operator', permissions: ['admin:read'] });
  // and stays so when the person signs in again
  await finishSignIn(browser, `${own.app.url}/console/sign-in?again=1`, people.grace);
  expect(await asked()).toMatchObject({ profileId: 'grid-operator' });
});

it.each([
  ['that is not held', { profileId: 'reporting' }, 403],
  ['that permits nothing here', { profileId: 'grid-operator' }, 403],
  ['that nobody has', { profileId: 'x\0' }, 403],
  ['that is none', {}, 400],
  ['of a body that is no object', null, 400],
])('a profile %s is not chosen', async (_case, body, status) => {
  const { browser } = await own.signIn(people.grace);
  expect((await browser.post('/console/profile', body)).status).toBe(status);
  expect((await browser.ask(viewer)).json.data.viewer.profileId).toBe('administration');
});

it('no other site can choose a profile', async () => {
  const { browser } = await own.signIn(people.grace);
  const choose = (headers: Record<string, string>) =>
    browser.post('/console/profile', { profileId: 'administration' }, headers);
  expect((await choose({ 'sec-fetch-site': 'cross-site', 'x-gatehouse-console': '1' })).status).toBe(403);
  expect((await choose({ 'sec-fetch-site': 'same-origin' })).status).toBe(403);
  expect((await choose({ 'sec-fetch-site': 'same-origin', 'x-gatehouse-console': '1' })).status).toBe(204);
});

it('any process redeems a code, and knows a session that another one began', async () => {
  const { app } = own;
  const { config } = app.context;
  const shared = {
    ID_TOKEN_ISSUERS: '',
    DATABASE_URL: app.database.url,
    DATA_DIR: config.dataDir,
    ISSUER_URL: app.url,
  };
  const second = await startTestApp(shared, { consoleFolder: builtConsole() });
  const browser = openBrowser(app.url);
  const leave = new URL((await browser.go(`${app.url}/console/sign-in`)).headers.get('location')!);
  leave.searchParams.set('user', people.grace);
  const back = new URL((await browser.go(leave.href)).headers.get('location')!);
  const atSecond = openBrowser(second.url);
  for (const [name, value] of browser.cookies) atSecond.cookies.set(name, value);
  const page = await atSecond.go(second.url + back.pathname + back.search);
  expect(page.status).toBe(200);
  for (const [name, value] of atSecond.cookies) browser.cookies.set(name, value);
  expect([(await browser.ask(viewer)).status, (await atSecond.ask(viewer)).status]).toEqual([200, 200]);
  await browser.post('/console/sign-out', {});
  expect((await atSecond.ask(viewer)).status).toBe(401);
});

it('housekeeping removes sessions that are over, and no other', async () => {
  const signIns = [await own.signIn(people.grace), await own.signIn(people.grace), await own.signIn(people.grace)];
  await sql(
    `update console_sessions set ends_at = now() - interval '1 second'
     where session_hash = (select session_hash from console_sessions order by created_at limit 1)`,
  );
  await sql(
    `update console_sessions set seen_at = now() - interval '31 minutes'
     where session_hash = (select session_hash from console_sessions order by created_at offset 1 limit 1)`,
  );
  const { config, log } = own.app.context;
  const background = own.app.running.database.background;
  await purgeExpired({ sql: background, config, log, sweeps }, new AbortController().signal);
  expect(await sql('select from console_sessions')).toHaveLength(1);
  expect((await signIns[2]!.browser.ask(viewer)).status).toBe(200);
});
