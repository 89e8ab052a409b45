/** People sign in to the console by genuine OpenID providers (the npm package oidc-provider), and by several. */
import { generateKeyPairSync, type JsonWebKey } from 'node:crypto';
import { type Answer, startTestApp, type TestApp } from '../../support/app.js';
import { freePort } from '../../support/freePort.js';
import { letAdminister, linkProfile, newProfile, newUser } from '../../support/records.js';
import { type Browser, openBrowser } from './browser.js';
import { builtConsole } from './consoleApp.js';
import { accountId, type GenuineProvider, passProvider, startGenuineProvider } from './genuineProvider.js';

interface SignInSetup {
  app: TestApp;
  provider: GenuineProvider;
  browser: Browser;
  /** The cookies that the browser has of the provider. */
  jar: Map<string, string>;
  signIn(path?: string): Promise<Answer>;
}

/** @param registered what else is registered of the client @param own what the setting has of it */
async function prepare(registered: object, own: object): Promise<SignInSetup> {
  const port = await freePort();
  const base = `http://127.0.0.1:${port}`;
  const provider = await startGenuineProvider({
    client_id: 'console',
    redirect_uris: [`${base}/console/callback`],
    post_logout_redirect_uris: [`${base}/console/signed-out`],
    ...registered,
  });
  const issuer = { issuer: provider.issuer, audience: 'portal', idpname: 'genuine', subject: 'idpid' };
  const settings = {
    PORT: String(port),
    ID_TOKEN_ISSUERS: JSON.stringify([{ ...issuer, console: { clientId: 'console', ...own } }]),
  };
  const app = await startTestApp(settings, { consoleFolder: builtConsole() });
  await newAdministrator(app);
  const [browser, jar] = [openBrowser(base), new Map<string, string>()];
  const signIn = async (path = '/console/sign-in?return=/console/why') => {
    const leave = (await browser.go(base + path)).headers.get('location')!;
    return browser.go(await passProvider(leave, jar, `${base}/console/callback`));
  };
  return { app, provider, browser, jar, signIn };
}

async function newAdministrator({ context }: TestApp): Promise<void> {
  const user = await newUser(context, { idpname: 'genuine', idpid: accountId });
  const profileId = await newProfile(context);
  await linkProfile(context, user.user_id, profileId, 'administrator');
  await letAdminister(context.sql, profileId);
}

const secret = 'a secret of the console at the provider, long enough';
const withSecret = () => prepare({ client_secret: secret }, { clientSecret: secret });
const viewer = '{ viewer { permissions } }';

it('people sign in by code and PKCE with a client that has a secret', async () => {
  const { browser, signIn } = await withSecret();
  const page = await signIn();
  expect([page.status, page.headers.get('refresh')]).toEqual([200, '0; url=/console/why']);
  expect((await browser.ask(viewer)).json.data.viewer.permissions).toHaveLength(3);
});

it.each([
  ['RSA', 'RS256', () => generateKeyPairSync('rsa', { modulusLength: 2048 })],
  ['EC', 'ES256', () => generateKeyPairSync('ec', { namedCurve: 'P-256' })],
])('people sign in with a client whose assertion an %s key signs', async (_kind, alg, make) => {
  const { privateKey, publicKey } = (make as () => ReturnType<typeof generateKeyPairSync>)() as never as {
    privateKey: { export(options: object): JsonWebKey };
    publicKey: { export(options: object): JsonWebKey };
  };
  const jwk = { ...publicKey.export({ format: 'jwk' }), kid: 'one', use: 'sig', alg };
  const registered = {
    token_endpoint_auth_method: 'private_key_jwt',
    token_endpoint_auth_signing_alg: alg,
    jwks: { keys: [jwk] },
  };
  const own = { privateKeyJwk: { ...privateKey.export({ format: 'jwk' }), kid: 'one' } };
  const { signIn } = await prepare(registered, own);
  expect((await signIn()).status).toBe(200);
});

it('people sign in with a public client', async () => {
  const { signIn } = await prepare({ token_endpoint_auth_method: 'none' }, {});
  expect((await signIn()).status).toBe(200);
});

it('a wrong secret signs nobody in; the log has why, and the secret is nowhere', async () => {
  const wrong = 'another secret that the provider does not know at all';
  const { app, signIn } = await prepare({ client_secret: secret }, { clientSecret: wrong });
  const page = await signIn();
  expect(page.status).toBe(400);
  expect(app.logged()).toContain("the provider's token endpoint says invalid_client");
  expect(app.logged() + page.text).not.toContain(wrong);
});

it('a person who has to sign in again is asked by the provider, although it knows the browser', async () => {
  const { app, browser, provider, signIn } = await withSecret();
  await signIn();
  const signedIn = async () => (await provider.asked()).filter((path) => path.startsWith('POST /interaction/')).length;
  const once = await signedIn();
  await signIn();
  expect(await signedIn()).toBe(once);
  await app.context.sql.rows("update console_sessions set authenticated_at = now() - interval '1 hour'");
  const rotate = 'mutation { rotateSigningKey { kid } }';
  expect((await browser.ask(rotate)).json.errors[0].extensions.code).toBe('REAUTHENTICATE');
  const page = await signIn('/console/sign-in?again=1&return=/console/keys');
  expect(page.headers.get('refresh')).toBe('0; url=/console/keys');
  expect(await signedIn()).toBeGreaterThan(once);
  expect((await browser.ask(rotate)).json.errors).toBeUndefined();
});

it('signing out ends the session at the provider, and leads back to a page that says so', async () => {
  const { app, browser, jar, provider, signIn } = await withSecret();
  await signIn();
  const { json } = await browser.post('/console/sign-out', {});
  const leave = new URL(json.location);
  expect(leave.origin).toBe(provider.issuer);
  expect(Object.fromEntries(leave.searchParams)).toEqual({
    client_id: 'console',
    post_logout_redirect_uri: `${app.url}/console/signed-out`,
  });
  expect(await passProvider(leave.href, jar, `${app.url}/console/signed-out`)).toMatch(/\/console\/signed-out/);
  const { length } = await provider.asked();
  await signIn();
  const since = (await provider.asked()).slice(length);
  expect(since.some((path) => path.startsWith('POST /interaction/'))).toBe(true);
});

it('a provider that is away signs nobody in: 503, and whoever is signed in goes on and gets out', async () => {
  const { app, browser, provider, signIn } = await withSecret();
  await signIn();
  const leave = (await browser.go(`${app.url}/console/sign-in`)).headers.get('location')!;
  await provider.close();
  const { searchParams } = new URL(leave);
  const query = new URLSearchParams({ code: 'x', state: searchParams.get('state')!, iss: provider.issuer });
  const page = await browser.go(`${app.url}/console/callback?${query}`);
  expect([page.status, page.headers.get('retry-after')]).toEqual([503, '5']);
  expect(page.text).toContain('Trace id');
  expect((await browser.ask(viewer)).status).toBe(200);
  expect((await browser.post('/console/sign-out', {})).status).toBe(200);
  expect((await browser.ask(viewer)).status).toBe(401);
});

describe('among several providers', () => {
  it('people choose, by name, and each signs in its own people alone', async () => {
    const port = await freePort();
    const base = `http://127.0.0.1:${port}`;
    const registered = {
      client_id: 'console',
      token_endpoint_auth_method: 'none',
      redirect_uris: [`${base}/console/callback`],
    };
    const [one, other] = [await startGenuineProvider(registered), await startGenuineProvider(registered)];
    const of = ({ issuer }: GenuineProvider, idpname: string, name?: string) => ({
      issuer,
      audience: 'portal',
      idpname,
      subject: 'idpid',
      console: { clientId: 'console', ...(name && { name }) },
    });
    const issuers = [
      of(one, 'genuine', 'Staff <only>'),
      of(other, 'strangers'),
      { ...of(one, 'x'), issuer: 'https://none.example', console: undefined },
    ];
    const settings = { PORT: String(port), ID_TOKEN_ISSUERS: JSON.stringify(issuers) };
    const app = await startTestApp(settings, { consoleFolder: builtConsole() });
    await newAdministrator(app);
    const browser = openBrowser(base);
    const choice = await browser.go(`${base}/console/sign-in?return=/console/why`);
    expect([choice.status, choice.text.match(/<a /g)]).toEqual([200, ['<a ', '<a ']]);
    expect(choice.text).toContain('Staff &#60;only&#62;');
    expect(choice.text).toContain(new URL(other.issuer).host);
    const links = [...choice.text.matchAll(/href="([^"]+)"/g)].map(([, link]) => link!.replaceAll('&#38;', '&'));
    const signIn = async (link: string) => {
      const leave = (await browser.go(`${base}/console/${link}`)).headers.get('location')!;
      return browser.go(await passProvider(leave, new Map(), `${base}/console/callback`));
    };
    expect((await signIn(links[1]!)).status).toBe(403);
    const page = await signIn(links[0]!);
    expect([page.status, page.headers.get('refresh')]).toEqual([200, '0; url=/console/why']);
    const unknown = await browser.go(`${base}/console/sign-in?provider=https://none.example`);
    expect([unknown.status, unknown.text.match(/<a /g)]).toEqual([200, ['<a ', '<a ']]);
  });

  it('a page says so where no provider signs in to the console', async () => {
    const app = await startTestApp({}, { consoleFolder: builtConsole() });
    const page = await openBrowser(app.url).go(`${app.url}/console/sign-in`);
    expect([page.status, page.headers.get('content-type')]).toEqual([503, 'text/html; charset=utf-8']);
    expect(page.text).toContain('No identity provider is configured for the console yet.');
  });
});
