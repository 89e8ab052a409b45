/** The way into the console and out of it, by the development identity provider. */
import { createHash } from 'node:crypto';
import { openBrowser } from './browser.js';
import { type DevelopmentConsole, finishSignIn, people, startDevelopmentConsole } from './consoleApp.js';

let own: DevelopmentConsole;
let url: string;
beforeAll(async () => {
  own = await startDevelopmentConsole();
  ({ url } = own.app);
});

const viewer = '{ viewer { userGuid profileId permissions } }';
const cookieName = '__Host-gatehouse';
const rowsOf = (secret: string) =>
  own.app.context.sql.rows<{ user_guid: string }>('select user_guid from console_sessions where session_hash = $1', [
    createHash('sha256').update(secret).digest(),
  ]);

it('a person who administers signs in by the provider, and comes back to where the way began', async () => {
  const { browser, page } = await own.signIn(people.grace, '/console/sign-in?return=/console/users/5%3Ftab=access');
  expect([page.status, page.headers.get('refresh')]).toEqual([200, '0; url=/console/users/5?tab=access']);
  expect(page.headers.get('cache-control')).toBe('no-store');
  const { status, json } = await browser.ask(viewer);
  expect([status, json.data.viewer]).toEqual([
    200,
    {
      userGuid: people.grace,
      profileId: 'administration',
      permissions: ['admin:read', 'admin:security', 'admin:write'],
    },
  ]);
});

it('the cookie of a session is for this host alone, no script reads it, and no other site has it sent', async () => {
  const { page, browser } = await own.signIn(people.grace);
  const [line] = page.headers.getSetCookie().filter((each) => each.startsWith(`${cookieName}=`));
  expect(line).toMatch(/^__Host-gatehouse=[\w-]{43}; Path=\/; HttpOnly; SameSite=Strict; Secure; Max-Age=43200$/);
  // what the database knows of it is no secret
  const secret = browser.cookies.get(cookieName)!;
  expect(await rowsOf(secret)).toHaveLength(1);
  const dump = JSON.stringify(await own.app.context.sql.rows('select * from console_sessions'));
  expect(dump).not.toContain(secret);
  expect(own.app.logged()).not.toContain(secret);
});

it('no token of any kind reaches the browser', async () => {
  const { browser, page } = await own.signIn(people.grace);
  const seen = [page.text, ...page.headers.values(), ...browser.cookies.values()].join('\n');
  expect(seen).not.toMatch(/eyJ[\w-]+\.eyJ/);
});

it('each sign-in has a new secret, and the session before it ends', async () => {
  const { browser } = await own.signIn(people.grace);
  const before = browser.cookies.get(cookieName)!;
  await finishSignIn(browser, `${url}/console/sign-in`, people.grace);
  const after = browser.cookies.get(cookieName)!;
  expect(after).not.toBe(before);
  expect((await browser.ask(viewer)).status).toBe(200);
  browser.cookies.set(cookieName, before);
  expect((await browser.ask(viewer)).status).toBe(401);
});

it('a person has twenty sessions at most: the one that was used longest ago ends', async () => {
  const { browser } = await own.signIn(people.grace);
  await own.app.context.sql.rows("update console_sessions set seen_at = now() - interval '5 minutes'");
  await Promise.all(Array.from({ length: 21 }, () => own.signIn(people.grace)));
  const [row] = await own.app.context.sql.rows<{ count: number }>('select count(*)::int from console_sessions');
  expect(row!.count).toBeLessThanOrEqual(20);
  expect((await browser.ask(viewer)).status).toBe(401);
});

it.each([
  ['of no profile that administers', people.ada],
  ['who is blocked', people.mallory],
])('a person %s gets a page that says so, and no session', async (_case, user) => {
  const { browser, page } = await own.signIn(user);
  expect([page.status, page.headers.get('content-type')]).toEqual([403, 'text/html; charset=utf-8']);
  expect(page.text).toMatch(/none of your profiles has administration permissions.*Trace id: [0-9a-f]{32}/s);
  expect([...browser.cookies.keys()]).toEqual([]);
  expect(await own.app.context.sql.rows('select from console_sessions where user_guid = $1', [user])).toEqual([]);
});

it.each([
  'https://evil.example/console/',
  '//evil.example/console/',
  '/\\evil.example/console/',
  '/console/../elsewhere',
  '/console/%2e%2e/elsewhere',
  '/console/..\\elsewhere',
  '/consolex',
  '/graphql',
  'javascript:alert(1)',
  '/console/sign-in',
  '/console/callback?code=1',
  '',
  `/console/${'x'.repeat(3_000)}`,
])('whoever is asked to come back to %j comes to the console itself', async (wanted) => {
  const { page } = await own.signIn(people.grace, `/console/sign-in?return=${encodeURIComponent(wanted)}`);
  expect(page.headers.get('refresh')).toBe('0; url=/console/');
});

describe('what comes back', () => {
  it('with a state of another sign-in is refused, and the one that is under way goes on', async () => {
    const [mine, attackers] = [own.newBrowser(), own.newBrowser()];
    const leave = new URL((await mine.go(`${url}/console/sign-in`)).headers.get('location')!);
    const theirs = new URL((await attackers.go(`${url}/console/sign-in`)).headers.get('location')!);
    theirs.searchParams.set('user', people.grace);
    const foreign = (await attackers.go(theirs.href)).headers.get('location')!;
    const refused = await mine.go(foreign);
    expect([refused.status, mine.cookies.has(cookieName)]).toEqual([400, false]);
    leave.searchParams.set('user', people.grace);
    expect((await mine.follow(leave.href)).status).toBe(200);
  });

  it('in a browser where none began is refused with a page that names the request', async () => {
    const { status, text, headers } = await own.newBrowser().go(`${url}/console/callback?code=x&state=y`);
    expect([status, headers.get('content-type')]).toEqual([400, 'text/html; charset=utf-8']);
    const traceId = /Trace id: ([0-9a-f]{32})/.exec(text)![1];
    expect(own.app.logged()).toContain(`"traceId":"${traceId}","reason":"no sign-in is under way in this browser"`);
  });

  it.each([
    ['no cookie of ours', 'xxxx'],
    ['a cookie that is JSON of something else', Buffer.from('null').toString('base64url')],
    ['a cookie of an unknown provider', cookieOf({ issuer: 'https://evil.example' })],
    ['a cookie with members of another kind', cookieOf({ state: ['s'] })],
    ['a cookie that ends what it names by no hash', cookieOf({ replaces: "' or true --" })],
  ])('with %s is refused', async (_case, value) => {
    const browser = own.newBrowser();
    browser.cookies.set('__Host-gatehouse-flow', value);
    expect((await browser.go(`${url}/console/callback?code=x&state=s`)).status).toBe(400);
  });

  it.each(['code', 'iss'])('without %s, or with another, is refused', async (name) => {
    for (const value of [undefined, 'https://evil.example']) {
      const browser = own.newBrowser();
      const leave = new URL((await browser.go(`${url}/console/sign-in`)).headers.get('location')!);
      leave.searchParams.set('user', people.grace);
      const back = new URL((await browser.go(leave.href)).headers.get('location')!);
      if (value === undefined) back.searchParams.delete(name);
      else back.searchParams.set(name, value);
      expect((await browser.go(back.href)).status).toBe(400);
      expect(own.app.logged()).not.toContain('finished before');
    }
  });

  it('with an error of the provider is refused; the log has its code, and no word more', async () => {
    const browser = own.newBrowser();
    const leave = new URL((await browser.go(`${url}/console/sign-in`)).headers.get('location')!);
    const { state } = Object.fromEntries(leave.searchParams);
    const iss = encodeURIComponent(`${url}/development/identity-provider`);
    const description = 'said-by-the-provider';
    const answer = await browser.go(
      `${url}/console/callback?error=access_denied&error_description=${description}&state=${state}&iss=${iss}`,
    );
    expect(answer.status).toBe(400);
    expect(answer.text).not.toContain(description);
    expect(own.app.logged()).toContain('"reason":"the provider says access_denied"');
    expect(own.app.logged()).not.toContain(description);
  });
});

function cookieOf(more: object): string {
  const issuer = 'http://127.0.0.1:1/development/identity-provider';
  const flow = { issuer, to: '/console/', state: 's', nonce: 'n', verifier: 'v', isAgain: false, ...more };
  return Buffer.from(JSON.stringify(flow)).toString('base64url');
}

describe('signing out', () => {
  it('ends the session, has the browser forget what the pages kept, and does not sign in again by itself', async () => {
    const { browser } = await own.signIn(people.grace);
    const secret = browser.cookies.get(cookieName)!;
    const answer = await browser.post('/console/sign-out', {});
    expect([answer.status, answer.json]).toEqual([200, { location: '/console/signed-out' }]);
    expect(answer.headers.get('clear-site-data')).toBe('"cache", "storage"');
    expect([browser.cookies.has(cookieName), await rowsOf(secret)]).toEqual([false, []]);
    browser.cookies.set(cookieName, secret);
    expect((await browser.ask(viewer)).status).toBe(401);
    const page = await browser.go(`${url}/console/signed-out`);
    expect([page.status, page.text.includes('Signed out')]).toEqual([200, true]);
  });

  it('works from a form, whose policy lets it lead nowhere else', async () => {
    const { browser } = await own.signIn(people.grace);
    const form = { 'content-type': 'application/x-www-form-urlencoded', 'sec-fetch-site': 'same-origin' };
    const answer = await browser.post('/console/sign-out', {}, form);
    expect([answer.status, answer.headers.get('refresh')]).toEqual([200, '0; url=/console/signed-out']);
  });

  it('is nothing that another site can cause', async () => {
    const { browser } = await own.signIn(people.grace);
    const form = { 'content-type': 'application/x-www-form-urlencoded' };
    expect((await browser.post('/console/sign-out', {}, { ...form, 'sec-fetch-site': 'cross-site' })).status).toBe(403);
    expect((await browser.post('/console/sign-out', {}, { ...form, origin: 'https://evil.example' })).status).toBe(403);
    expect((await browser.post('/console/sign-out', {}, form)).status).toBe(403);
    expect((await browser.go(`${url}/console/sign-out`)).status).toBe(405);
    expect((await browser.ask(viewer)).status).toBe(200);
  });
});

it('who opens the service under another name of the machine signs in under that of the issuer, and not in a circle', async () => {
  const other = url.replace('127.0.0.1', 'localhost');
  const browser = openBrowser(other);
  const answer = await browser.go(`${other}/console/sign-in?return=/console/why`);
  const location = answer.headers.get('location')!;
  expect(location.startsWith(`${url}/console/sign-in?`)).toBe(true);
  const here = await browser.go(location.replace('127.0.0.1', 'localhost'));
  expect(here.headers.get('location')).toContain('/development/identity-provider/authorize?');
});

it('the whole sign-in stays below the base path', async () => {
  const below = await startDevelopmentConsole({ BASE_PATH: '/gate' });
  const { browser, page } = await below.signIn(people.grace, '/console/sign-in?return=/gate/console/why');
  expect(page.headers.get('refresh')).toBe('0; url=/gate/console/why');
  expect((await browser.ask(viewer)).status).toBe(200);
});

it('signing in is limited like the token endpoints, with a page', async () => {
  const limited = await startDevelopmentConsole({ TOKEN_RATE_LIMIT: '2' });
  const browser = limited.newBrowser();
  const statuses = [];
  for (let time = 0; time < 3; time++) statuses.push((await browser.go(`${limited.app.url}/console/callback`)).status);
  expect(statuses).toEqual([400, 400, 429]);
  const refused = await browser.go(`${limited.app.url}/console/sign-in`);
  expect([refused.status, refused.headers.get('content-type')]).toEqual([429, 'text/html; charset=utf-8']);
  expect(refused.headers.get('retry-after')).toMatch(/^\d+$/);
});
