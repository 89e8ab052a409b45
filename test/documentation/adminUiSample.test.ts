/** docs/samples/admin-ui: a person signs in at a genuine identity provider, and the browser never sees a token. */
import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { readFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import { demonstrationUsers } from '../../dev/demoData.js';
import { startTestApp, type TestApp } from '../support/app.js';
import { freePort } from '../support/freePort.js';
import { closeAtEnd } from '../support/lifetimes.js';
import { openBrowser, passPages, startOidcProvider } from '../support/oidcProvider.js';
import { linkProfile, newClient, newProfile, newUser } from '../support/records.js';

const program = fileURLToPath(new URL('../../../docs/samples/admin-ui/server.mjs', import.meta.url));
let app: TestApp;
let provider: Awaited<ReturnType<typeof startOidcProvider>>;
let ui: string;
let output = '';
let sample: ChildProcess;
/** Loaded before the sample: a signal sets its clock forward to the last minute of an access token. */
const clock = `const now = Date.now;
  let aheadMs = 0;
  Date.now = () => now() + aheadMs;
  process.on('SIGUSR2', () => { aheadMs = 3_570_000; process.stdout.write('ahead\\n'); });`;

beforeAll(async () => {
  provider = await startOidcProvider();
  const { issuer, audience } = provider;
  app = await startTestApp({
    TOKEN_POLICY: 'hardened',
    ID_TOKEN_ISSUERS: JSON.stringify([{ issuer, audience, idpname: 'op', subject: 'idpid' }]),
  });
  ui = `http://127.0.0.1:${await freePort()}`;
  await provider.open(`${app.url}/backchannel-logout`, `${ui}/callback`);
  const { clientId, clientSecret } = await newClient(app.context);
  sample = spawn(process.execPath, ['--import', `data:text/javascript,${encodeURIComponent(clock)}`, program], {
    env: {
      PUBLIC_URL: ui,
      GATEHOUSE: app.url,
      CLIENT_ID: clientId,
      CLIENT_SECRET: clientSecret,
      PROVIDER: issuer,
      PROVIDER_CLIENT_ID: audience,
      PROVIDER_CLIENT_SECRET: provider.clientSecret,
    },
  });
  closeAtEnd(async () => {
    if (sample.exitCode === null && sample.kill()) await once(sample, 'exit');
  });
  for (const stream of [sample.stdout!, sample.stderr!])
    stream.on('data', (chunk) => {
      output += chunk;
    });
  await Promise.race([once(sample.stdout!, 'data'), once(sample, 'exit')]);
  expect(output).toContain('listening');
});
afterAll(() => app.close());

const ids = ['reader', 'writer'] as const;
/** Somebody who holds a profile that reads and one that writes. */
async function newAdministrator(idpid: string): Promise<Record<(typeof ids)[number], string>> {
  const { user_id } = await newUser(app.context, { idpname: 'op', idpid });
  const [type] = await app.context.sql.rows<{ access_scope_type_id: number }>(
    "select access_scope_type_id from access_scope_types where name = 'admin'",
  );
  const profiles = { reader: `${idpid}-1-reader`, writer: `${idpid}-2-writer` };
  for (const [name, key] of [
    ['reader', 'read'],
    ['writer', 'write'],
  ] as const) {
    await newProfile(app.context, profiles[name]);
    await app.context.sql.rows(
      `insert into profile_access_scopes (profile_id, access_scope_id, created_by)
       select $1, access_scope_id, created_by from access_scopes where access_scope_type_id = $2 and access_scope_key = $3`,
      [profiles[name], type!.access_scope_type_id, key],
    );
    await linkProfile(app.context, user_id, profiles[name], 'member');
  }
  return profiles;
}

async function signIn(login: string, profile?: string) {
  const browser = openBrowser(provider.issuer, `${ui}/callback`);
  const query = profile === undefined ? '' : `?profile=${profile}`;
  const page = await passPages(browser, await browser.visit(`${ui}/sign-in${query}`), login);
  const graphql = async (query: string, headers: object = { 'x-admin-ui': '1' }) => {
    const cookie = [...browser.cookies].map(([name, value]) => `${name}=${value}`).join('; ');
    const response = await fetch(`${ui}/graphql`, {
      method: 'POST',
      headers: { cookie, ...headers },
      body: JSON.stringify({ query }),
    });
    return { status: response.status, json: (await response.json()) as Record<string, never> };
  };
  return { ...browser, page, graphql };
}
const whoami = '{ viewer { profileId permissions profiles { profileId } } }';

it('the sample server has at most 150 lines', () => {
  expect(readFileSync(program, 'utf8').trimEnd().split('\n').length).toBeLessThanOrEqual(150);
});

it('signs a person in for the first profile held, or for the one that is asked for', async () => {
  const held = await newAdministrator('ada');
  const first = await signIn('ada');
  expect(first.page.url).toBe(`${ui}/`);
  const profiles = Object.values(held).map((profileId) => ({ profileId }));
  expect((await first.graphql(whoami)).json).toEqual({
    data: { viewer: { profileId: held.reader, permissions: ['admin:read'], profiles } },
  });
  const second = await signIn('ada', held.writer);
  expect((await second.graphql(whoami)).json).toMatchObject({ data: { viewer: { profileId: held.writer } } });
});

it('gives the browser two cookies that scripts can’t read, and no token', async () => {
  await newAdministrator('grace');
  const { cookies, graphql } = await signIn('grace');
  expect([...cookies.keys()].filter((name) => name === 'session' || name === 'flow')).toEqual(['session']);
  expect(cookies.get('session')).toMatch(/^[\w-]{43}$/);
  const response = await fetch(`${ui}/sign-in`, { redirect: 'manual' });
  expect(response.headers.getSetCookie()).toEqual([expect.stringMatching(/; HttpOnly; SameSite=Lax/)]);
  expect(JSON.stringify((await graphql(whoami)).json)).not.toContain('eyJ');
});

it('refuses requests without a session with 401, and those that another site could send with 403', async () => {
  await newAdministrator('linus');
  const { graphql } = await signIn('linus');
  expect((await graphql(whoami, {})).status).toBe(403);
  expect((await graphql(whoami, { 'x-admin-ui': '1', cookie: 'session=x' })).status).toBe(401);
  expect((await fetch(`${ui}//`, { method: 'POST' })).status).toBe(404);
});

it('renews an access token that ends, once for all requests of that moment, and ends the session with the renewal token', async () => {
  await newAdministrator('ken');
  const { graphql, cookies } = await signIn('ken');
  expect(await recordOf('ken')).toEqual({ generation: 0, is_revoked: false });
  sample.kill('SIGUSR2');
  await once(sample.stdout!, 'data');
  const answers = await Promise.all([graphql(whoami), graphql(whoami), graphql(whoami)]);
  expect(answers.map(({ status }) => status)).toEqual([200, 200, 200]);
  expect(await recordOf('ken')).toEqual({ generation: 1, is_revoked: false });
  const signedOut = await fetch(`${ui}/sign-out`, {
    method: 'POST',
    headers: { 'x-admin-ui': '1', cookie: `session=${cookies.get('session')}` },
  });
  expect(signedOut.status).toBe(204);
  expect(await recordOf('ken')).toEqual({ generation: 1, is_revoked: true });
  expect((await graphql(whoami)).status).toBe(401);
});

const recordOf = async (idpid: string) =>
  (
    await app.context.sql.rows(
      'select generation, is_revoked from tokens join users on users.user_guid = tokens.user_id where idpid = $1',
      [idpid],
    )
  )[0];

it('refuses a person who holds no profile with 403', async () => {
  await newUser(app.context, { idpname: 'op', idpid: 'nobody' });
  const { page } = await signIn('nobody');
  expect(page.status).toBe(403);
});

it('runs beside npm start as its README says, with the development identity provider', async () => {
  const development = await startTestApp({ ID_TOKEN_ISSUERS: '' });
  const readme = readFileSync(program.replace('server.mjs', 'README.md'), 'utf8');
  const shown = /<!-- try -->\n```sh\n([\s\S]*?)```/.exec(readme)![1]!;
  const at = `http://127.0.0.1:${await freePort()}`;
  const placed = shown.replaceAll('http://127.0.0.1:4000', development.url).replace('http://127.0.0.1:8080', at);
  const env = Object.fromEntries([...placed.matchAll(/([A-Z_]+)=(\S+)/g)].map(([, name, value]) => [name!, value!]));
  const tried = spawn(process.execPath, [program], { env, stdio: ['ignore', 'pipe', 'inherit'] });
  const visit = (url: string, cookie = '') => fetch(url, { redirect: 'manual', headers: { cookie } });
  const cookiesOf = ({ headers }: Response) => headers.getSetCookie().join('; ');
  try {
    await once(tried.stdout!, 'data');
    const begun = await visit(`${at}/sign-in`);
    const grace = demonstrationUsers.find(({ name }) => name === 'Grace Hall')!;
    const chosen = await visit(`${begun.headers.get('location')}&user=${grace.sub}`);
    const back = await visit(chosen.headers.get('location')!, cookiesOf(begun));
    const response = await fetch(`${at}/graphql`, {
      method: 'POST',
      headers: { 'x-admin-ui': '1', cookie: cookiesOf(back) },
      body: JSON.stringify({ query: '{ viewer { profileId permissions } }' }),
    });
    const permissions = ['admin:read', 'admin:security', 'admin:write'];
    expect(await response.json()).toEqual({ data: { viewer: { profileId: 'administration', permissions } } });
  } finally {
    if (tried.kill()) await once(tried, 'exit');
    await development.close();
  }
});
