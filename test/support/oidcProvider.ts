/** A genuine identity provider (npm oidc-provider) on 127.0.0.1: people sign in by its pages, and sign out again. */
import { createHash, generateKeyPairSync, randomBytes } from 'node:crypto';
import { once } from 'node:events';
import { createServer, type RequestListener } from 'node:http';
import type { AddressInfo } from 'node:net';
import { closeAtEnd } from './lifetimes.js';

interface SignedIn {
  idToken: string;
  /** Asks for the page of sign-out and confirms it. */
  signOut(): Promise<void>;
}

interface OidcProvider {
  issuer: string;
  /** The id of the one client: `aud` of the ID tokens. */
  audience: string;
  clientSecret: string;
  /** To be called before anybody signs in. @param logoutUri where the client wants to hear of sign-outs @param ownRedirectUri of a program that signs people in itself */
  open(logoutUri: string, ownRedirectUri?: string): Promise<void>;
  /** In a browser of its own. */
  signIn(login: string): Promise<SignedIn>;
}

const clientId = 'gatehouse-test';
const clientSecret = 'a secret of the client';
const redirectUri = 'https://app.example/signed-in';

export async function startOidcProvider(): Promise<OidcProvider> {
  let listener: RequestListener = (_request, response) => response.writeHead(503).end();
  const server = createServer((request, response) => listener(request, response));
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  // it tells of each default that it takes
  const { info, warn } = console;
  Object.assign(console, { info: () => undefined, warn: () => undefined });
  closeAtEnd(async () => {
    Object.assign(console, { info, warn });
    server.closeAllConnections();
    server.close();
  });
  const issuer = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
  return {
    issuer,
    audience: clientId,
    clientSecret,
    async open(logoutUri, ownRedirectUri = redirectUri) {
      const { default: Provider } = await import('oidc-provider');
      const { privateKey } = generateKeyPairSync('rsa', { modulusLength: 2048 });
      const provider = new Provider(issuer, {
        clients: [
          {
            client_id: clientId,
            client_secret: clientSecret,
            redirect_uris: [ownRedirectUri],
            backchannel_logout_uri: logoutUri,
            backchannel_logout_session_required: true,
          },
        ],
        cookies: { keys: [randomBytes(16).toString('hex')] },
        features: { backchannelLogout: { enabled: true } },
        jwks: { keys: [{ ...privateKey.export({ format: 'jwk' }), kid: 'of-the-provider', use: 'sig' }] },
        findAccount: (_context: unknown, id: string) => ({ accountId: id, claims: () => ({ sub: id }) }),
        // its own dispatcher refuses addresses of this machine
        fetch: (url: string | URL, { dispatcher: _, ...options }: RequestInit & { dispatcher?: unknown } = {}) =>
          fetch(url, options),
      });
      listener = provider.callback();
    },
    signIn: (login) => signIn(issuer, login),
  };
}

interface Page {
  url: string;
  status: number;
  text: string;
}

/** A browser: keeps cookies, and follows redirections to these places only. */
export function openBrowser(...places: string[]) {
  const cookies = new Map<string, string>();
  async function visit(url: string, form?: Record<string, string>, headers = {}): Promise<Page> {
    const response = await fetch(url, {
      redirect: 'manual',
      headers: { ...headers, cookie: [...cookies].map(([name, value]) => `${name}=${value}`).join('; ') },
      ...(form && { method: 'POST', body: new URLSearchParams(form) }),
    });
    for (const line of response.headers.getSetCookie()) {
      const [, name, value] = /^([^=]+)=([^;]*)/.exec(line) ?? [];
      if (name && value) cookies.set(name, value);
      else if (name) cookies.delete(name);
    }
    const location = response.headers.get('location');
    const { status } = response;
    if (location === null) return { url, status, text: await response.text() };
    const next = new URL(location, url).href;
    return places.some((place) => next.startsWith(place)) ? visit(next) : { url: next, status, text: '' };
  }
  return { visit, cookies };
}

/** Fills in the provider's pages of sign-in and consent, if they are shown. */
export async function passPages(browser: ReturnType<typeof openBrowser>, start: Page, login: string): Promise<Page> {
  let page = start;
  for (const prompt of ['login', 'consent'])
    if (page.text.includes(`value="${prompt}"`))
      page = await browser.visit(page.url, { prompt, login, password: 'any' });
  return page;
}

async function signIn(issuer: string, login: string): Promise<SignedIn> {
  const browser = openBrowser(issuer);
  const { visit } = browser;
  const verifier = randomBytes(32).toString('base64url');
  const question = new URLSearchParams({
    client_id: clientId,
    redirect_uri: redirectUri,
    response_type: 'code',
    scope: 'openid',
    code_challenge: createHash('sha256').update(verifier).digest('base64url'),
    code_challenge_method: 'S256',
  });
  const page = await passPages(browser, await visit(`${issuer}/auth?${question}`), login);
  const code = new URL(page.url).searchParams.get('code');
  if (!page.url.startsWith(redirectUri) || !code) throw new Error(`not signed in: ${page.url} ${page.text}`);
  const answer = await fetch(`${issuer}/token`, {
    method: 'POST',
    headers: { authorization: `Basic ${btoa(`${clientId}:${encodeURIComponent(clientSecret)}`)}` },
    body: new URLSearchParams({
      grant_type: 'authorization_code',
      code,
      redirect_uri: redirectUri,
      code_verifier: verifier,
    }),
  });
  const { id_token: idToken } = (await answer.json()) as { id_token?: string };
  if (!idToken) throw new Error('no ID token');
  return {
    idToken,
    async signOut() {
      const signedOut = await visit(`${issuer}/session/end?id_token_hint=${idToken}`);
      const xsrf = /name="xsrf" value="([^"]+)"/.exec(signedOut.text)?.[1];
      if (!xsrf) throw new Error(`no page of sign-out: ${signedOut.text}`);
      await visit(`${issuer}/session/end/confirm`, { xsrf, logout: 'yes' });
    },
  };
}
