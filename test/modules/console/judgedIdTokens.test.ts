/** What a provider answers at the end of a sign-in is judged, whatever it says: by one that misbehaves on demand. */
import { randomUUID } from 'node:crypto';
import type { ServerResponse } from 'node:http';
import type { JsonObject } from '../../../src/jsonObject.js';
import { type LocalProvider, makeKey, makeToken, startProvider } from '../../auth/localProvider.js';
import { type Answer, nowSeconds, startTestApp, type TestApp } from '../../support/app.js';
import { letAdminister, linkProfile, newClient, newProfile, newUser } from '../../support/records.js';
import { exchangeBody } from '../../support/tokens.js';
import { untilBlocked, untilBlockedOrDone } from '../../support/until.js';
import { type Browser, openBrowser } from './browser.js';
import { builtConsole } from './consoleApp.js';

const key = makeKey('of-the-provider', 'RS256');
let provider: LocalProvider;
let app: TestApp;
let browser: Browser;
let userGuid: string;
let profileId: string;
beforeAll(async () => {
  provider = await startProvider([key]);
  const { issuer } = provider;
  const entry = { issuer, audience: 'portal', idpname: 'guids', subject: 'userGuid', console: { clientId: 'console' } };
  const settings = { ID_TOKEN_ISSUERS: JSON.stringify([entry]), TRUST_PROXY: '127.0.0.1' };
  app = await startTestApp(settings, { consoleFolder: builtConsole() });
  const { context } = app;
  const user = await newUser(context);
  userGuid = user.user_guid;
  profileId = await newProfile(context);
  await linkProfile(context, user.user_id, profileId, 'administrator');
  await letAdminister(context.sql, profileId);
});
beforeEach(() => {
  browser = openBrowser(app.url);
});

const json = (response: ServerResponse, body: object, status = 200) =>
  response.writeHead(status, { 'content-type': 'application/json' }).end(JSON.stringify(body));

/** Has the provider publish what it must, and its token endpoint answer as is said. */
function answerTokensBy(answer: (response: ServerResponse) => void): void {
  const { issuer, keys } = provider;
  provider.answer = (path, response) => {
    if (path === '/jwks') return json(response, { keys });
    if (path === '/token') return answer(response);
    const endpoints = { authorization_endpoint: `${issuer}/authorize`, token_endpoint: `${issuer}/token` };
    return json(response, { issuer, jwks_uri: `${issuer}/jwks`, ...endpoints });
  };
}

/** An ID token of the person for the console. */
const idToken = (claims: JsonObject): string => {
  const iat = nowSeconds();
  return makeToken(key, { iss: provider.issuer, aud: 'console', sub: userGuid, iat, exp: iat + 300, ...claims });
};

/** A sign-in at whose end the provider gives an ID token with these claims beside. */
async function signIn(claims: JsonObject, path = '/console/sign-in'): Promise<Answer> {
  answerTokensBy(() => undefined);
  const { state, nonce } = await leave(path);
  answerTokensBy((response) => {
    const id_token = idToken({ nonce, ...claims });
    json(response, { access_token: 'a', token_type: 'Bearer', id_token });
  });
  return browser.go(`${app.url}/console/callback?code=c&state=${state}`);
}

async function leave(path = '/console/sign-in'): Promise<{ state: string; nonce: string }> {
  const { location } = Object.fromEntries((await browser.go(app.url + path)).headers);
  return Object.fromEntries(new URL(location!).searchParams) as { state: string; nonce: string };
}

const rotate = 'mutation { rotateSigningKey { kid } }';
const codeOf = async (): Promise<string | undefined> => (await browser.ask(rotate)).json.errors?.[0].extensions.code;

it('a good ID token signs in; what is dangerous goes by its auth_time', async () => {
  expect((await signIn({ auth_time: nowSeconds() - 60 })).status).toBe(200);
  expect(await codeOf()).toBeUndefined();
  expect((await signIn({ auth_time: nowSeconds() - 601 })).status).toBe(200);
  expect(await codeOf()).toBe('REAUTHENTICATE');
});

it.each([
  ['none', undefined],
  ['a text', 'now'],
  ['a fraction', 1.5],
  ['a number past all time', 1e300],
])('a person whose ID token has no usable auth_time (%s) signs in, and must sign in again before dangerous actions', async (_case, auth_time) => {
  const page = await signIn({ auth_time } as JsonObject);
  // openid-client refuses one that is no number by itself
  if (typeof auth_time === 'string') return expect(page.status).toBe(400);
  expect(page.status).toBe(200);
  expect(await codeOf()).toBe('REAUTHENTICATE');
});

it('a provider whose clock is ahead proves nothing of the future', async () => {
  await signIn({ auth_time: nowSeconds() + 3_600 });
  const [row] = await app.context.sql.rows<{ is_past: boolean }>(
    'select bool_and(authenticated_at <= now()) as is_past from console_sessions',
  );
  expect(row).toEqual({ is_past: true });
});

it.each([
  ['an hour ago', { auth_time: 1_700_000_000 }],
  ['nobody says when', {}],
])('a person who had to sign in again and did so %s gets no session', async (_case, claims) => {
  const page = await signIn(claims, '/console/sign-in?again=1');
  expect([page.status, browser.cookies.size]).toEqual([400, 1]);
  expect(app.logged()).toContain('the provider did not authenticate the user again');
});

it.each([
  ['with another nonce', { nonce: 'another' }],
  ['without the nonce', { nonce: undefined }],
  ['for another client', { aud: 'portal' }],
  ['for several, issued to another', { aud: ['console', 'other'], azp: 'other' }],
  ['of another issuer', { iss: 'https://evil.example' }],
  ['that is over', { iat: 1_700_000_000, exp: 1_700_000_300 }],
  ['of nobody here', { sub: '00000000-0000-4000-8000-000000000000' }],
  ['whose sub is no guid', { sub: 'grace' }],
])('an ID token %s signs nobody in', async (_case, claims) => {
  const page = await signIn({ auth_time: nowSeconds(), ...claims } as JsonObject);
  expect([400, 403]).toContain(page.status);
  expect(browser.cookies.has('__Host-gatehouse')).toBe(false);
});

const logOut = (claims: JsonObject) => {
  const iat = nowSeconds();
  const events = { 'http://schemas.openid.net/event/backchannel-logout': {} };
  const all = { iss: provider.issuer, aud: 'console', jti: randomUUID(), iat, exp: iat + 120, events, ...claims };
  const body = new URLSearchParams({ logout_token: makeToken(key, all, { typ: 'logout+jwt' }) });
  return fetch(`${app.url}/backchannel-logout`, { method: 'POST', body });
};
const isSignedIn = async (of: Browser): Promise<boolean> => (await of.ask('{ viewer { permissions } }')).status === 200;

it('a sign-out at the provider ends that session of the console and no other', async () => {
  const here = browser;
  await signIn({ sid: 'here' });
  browser = openBrowser(app.url);
  const elsewhere = browser;
  await signIn({ sid: 'elsewhere' });
  browser = openBrowser(app.url);
  const unnamed = browser;
  await signIn({});
  expect((await logOut({ sid: 'another' })).status).toBe(200);
  expect((await logOut({ sid: 'here', aud: 'stranger' })).status).toBe(400);
  expect(await Promise.all([here, elsewhere, unnamed].map(isSignedIn))).toEqual([true, true, true]);
  expect((await logOut({ sid: 'here' })).status).toBe(200);
  expect(await Promise.all([here, elsewhere, unnamed].map(isSignedIn))).toEqual([false, true, true]);
  expect((await logOut({ sub: (await newUser(app.context)).user_guid })).status).toBe(200);
  expect(await Promise.all([elsewhere, unnamed].map(isSignedIn))).toEqual([true, true]);
  expect((await logOut({ sub: userGuid })).status).toBe(200);
  expect(await Promise.all([elsewhere, unnamed].map(isSignedIn))).toEqual([false, false]);
});

describe('a session that nobody could end begins for nobody:', () => {
  const isRefused = async (page: Answer) => {
    expect([page.status, browser.cookies.has('__Host-gatehouse')]).toEqual([403, false]);
    expect(app.logged()).toContain('"reason":"signed out at the provider, blocked or without the profile since"');
    expect(
      await app.context.sql.rows("select from console_sessions where created_at > now() - interval '1 hour'"),
    ).toEqual([]);
  };
  beforeEach(() => app.context.sql.rows('delete from console_sessions'));

  it('the provider signed the person out while the code was redeemed', async () => {
    answerTokensBy(() => undefined);
    const { state, nonce } = await leave();
    answerTokensBy(async (response) => {
      const id_token = idToken({ nonce, sid: 'left' });
      expect((await logOut({ sid: 'left' })).status).toBe(200);
      answerTokensBy(() => undefined);
      json(response, { access_token: 'a', token_type: 'Bearer', id_token });
    });
    await isRefused(await browser.go(`${app.url}/console/callback?code=c&state=${state}`));
  });

  it('the provider signs the person out while the session begins', async () => {
    const { sql } = app.context;
    await sql.rows(`create function hold_session() returns trigger language plpgsql as $$
      begin perform pg_advisory_xact_lock(4711); return new; end $$`);
    await sql.rows(
      'create trigger hold before insert on console_sessions for each row execute function hold_session()',
    );
    const [page, logout] = await sql
      .transaction(async (holder) => {
        await holder.rows('select pg_advisory_xact_lock(4711)');
        const signingIn = signIn({ sid: 'leaving' });
        await untilBlocked(sql);
        const leaving = logOut({ sid: 'leaving' });
        await untilBlockedOrDone(sql, leaving, 2);
        return [signingIn, leaving];
      })
      .then((both) => Promise.all(both));
    await sql.rows('drop function hold_session cascade');
    expect([page!.status, logout!.status]).toEqual([200, 200]);
    expect(await isSignedIn(browser)).toBe(false);
  });

  it('the person is blocked while the session begins', async () => {
    const { sql } = app.context;
    const page = await sql
      .transaction(async (holder) => {
        await holder.rows('select from users where user_guid = $1 for update', [userGuid]);
        await holder.rows('update users set is_blocked = true where user_guid = $1', [userGuid]);
        const signingIn = signIn({ sid: 'blocked' });
        await untilBlockedOrDone(sql, signingIn);
        return [signingIn];
      })
      .then(([signingIn]) => signingIn!);
    await sql.rows('update users set is_blocked = false where user_guid = $1', [userGuid]);
    await isRefused(page);
  });
});

it('an ID token that another key signed signs nobody in', async () => {
  answerTokensBy(() => undefined);
  const { state, nonce } = await leave();
  const stranger = makeKey(key.kid, 'RS256');
  const iat = nowSeconds();
  const claims = { iss: provider.issuer, aud: 'console', sub: userGuid, iat, exp: iat + 300, nonce };
  answerTokensBy((response) =>
    json(response, { access_token: 'a', token_type: 'Bearer', id_token: makeToken(stranger, claims) }),
  );
  expect((await browser.go(`${app.url}/console/callback?code=c&state=${state}`)).status).toBe(400);
});

it('the console’s ID token is good for no exchange', async () => {
  const { clientId, clientSecret } = await newClient(app.context);
  const exchange = (token: string) =>
    app.post('/token', { ...exchangeBody(token), profileId, client_id: clientId, client_secret: clientSecret });
  answerTokensBy(() => undefined);
  expect((await exchange(idToken({ aud: 'portal' }))).status).toBe(200);
  expect((await exchange(idToken({}))).status).toBe(401);
  expect((await exchange(idToken({ aud: ['portal', 'console'] }))).status).toBe(401);
});

it('fifty come back from the provider at a time; who comes beside them is told to come later, and may then', async () => {
  answerTokensBy(() => undefined);
  const browsers = Array.from({ length: 51 }, () => openBrowser(app.url));
  const ways: string[] = [];
  for (browser of browsers) ways.push(`${app.url}/console/callback?code=c&state=${(await leave()).state}`);
  const waiting: ServerResponse[] = [];
  const areWaiting = Promise.withResolvers<void>();
  answerTokensBy((response) => {
    if (waiting.push(response) === 50) areWaiting.resolve();
  });
  const from = (index: number) => ({ 'x-forwarded-for': `192.0.2.${index}` });
  const under = browsers.slice(0, 50).map((each, index) => each.go(ways[index]!, from(index)));
  await areWaiting.promise;
  const late = () => browsers[50]!.go(ways[50]!, from(50));
  expect((await late()).status).toBe(503);
  for (const response of waiting) json(response, { error: 'invalid_grant' }, 400);
  expect((await Promise.all(under)).map(({ status }) => status)).toEqual(under.map(() => 400));
  answerTokensBy((response) => json(response, { error: 'invalid_grant' }, 400));
  expect((await late()).status).toBe(400);
});

it.each([
  ['fails', (response: ServerResponse) => json(response, {}, 500), 503],
  ['sends on elsewhere', (response: ServerResponse) => response.writeHead(302, { location: '/x' }).end(), 400],
  ['answers with a page', (response: ServerResponse) => response.end('<html>'), 400],
  [
    'answers without an ID token',
    (response: ServerResponse) => json(response, { access_token: 'a', token_type: 'Bearer' }),
    400,
  ],
  ['breaks off', (response: ServerResponse) => response.destroy(), 503],
  ['answers without end', (response: ServerResponse) => response.end('x'.repeat(3_000_000)), 503],
])('a token endpoint that %s signs nobody in, and the service goes on', async (_case, answer, status) => {
  answerTokensBy(() => undefined);
  const { state } = await leave();
  answerTokensBy(answer as (response: ServerResponse) => void);
  const page = await browser.go(`${app.url}/console/callback?code=c&state=${state}`);
  expect([page.status, page.headers.get('content-type')]).toEqual([status, 'text/html; charset=utf-8']);
  expect((await signIn({ auth_time: nowSeconds() })).status).toBe(200);
});

describe('a provider that cannot sign anybody in now is a 503 with Retry-After, a line of the log, and a way to begin again:', () => {
  const code = 'code=c';
  const never = () => undefined;
  it.each([
    ['an answer 429', code, (response: ServerResponse) => json(response, { error: 'slow_down' }, 429)],
    ['a page 429', code, (response: ServerResponse) => response.writeHead(429).end('<html>')],
    [
      'temporarily_unavailable',
      code,
      (response: ServerResponse) => json(response, { error: 'temporarily_unavailable' }, 400),
    ],
    ['server_error', code, (response: ServerResponse) => json(response, { error: 'server_error' }, 400)],
    ['an authorization that says server_error', 'error=server_error', never],
    ['an authorization that says temporarily_unavailable', 'error=temporarily_unavailable', never],
  ])('%s', async (_case, result, answer) => {
    answerTokensBy(() => undefined);
    const { state } = await leave('/console/sign-in?return=/console/why%3Fq%3D1');
    answerTokensBy(answer as (response: ServerResponse) => void);
    const before = app.logged().length;
    const page = await browser.go(`${app.url}/console/callback?${result}&state=${state}`);
    expect([page.status, page.headers.get('retry-after')]).toEqual([503, '5']);
    const logged = app.logged().slice(before);
    expect(logged).toContain('identity provider unavailable');
    expect(logged).not.toContain('console sign-in refused');
    const [, again] = /href="([^"]+)"/.exec(page.text)!;
    const provided = new URL(again!.replaceAll('&amp;', '&'), app.url).searchParams.get('return');
    expect([again, provided]).toEqual([expect.stringContaining('/console/sign-in?'), '/console/why?q=1']);
    expect((await signIn({ auth_time: nowSeconds() }, again!.replaceAll('&amp;', '&'))).headers.get('refresh')).toBe(
      '0; url=/console/why?q=1',
    );
  });
});
