/** The development identity provider: users, pages, authorization code flow, ID tokens. */
import { createHash, createPrivateKey, createPublicKey, generateKeyPairSync, type KeyObject } from 'node:crypto';
import type { IncomingMessage, ServerResponse } from 'node:http';
import { encodeJson, parseJwt, signWithHeader, verifySignature } from '../src/auth/jwt.js';
import { cardPage, cardStyle, escapeHtml } from '../src/html.js';
import type { JsonObject } from '../src/jsonObject.js';
import { keepSecret } from './keptFiles.js';

export interface DevelopmentUser {
  sub: string;
  email: string;
  name: string;
}

/** The page of users with an ID token for each, for exchanges by hand. @param seconds lifetime of the tokens */
function usersPage(issuer: string, users: readonly DevelopmentUser[], seconds: number): string {
  const rows = users.map(({ sub, email, name }) => {
    const link = `${issuer}/id-token?user=${encodeURIComponent(sub)}`;
    return `<tr><td>${escapeHtml(name)}</td><td>${escapeHtml(email)}</td><td><code>${escapeHtml(sub)}</code></td><td><a href="${escapeHtml(link)}">ID token</a></td></tr>`;
  });
  return `<!doctype html>
<html lang="en">
<meta charset="utf-8">
<meta name="viewport" content="width=device-width">
<title>Development identity provider</title>
<style>body{font:16px system-ui,sans-serif;margin:2rem}th,td{text-align:left;padding:.4rem 1.5rem .4rem 0}</style>
<main>
<h1>Development identity provider</h1>
<p>Gives anybody an ID token for any of these users, good for ${seconds / 60} minutes. For development only.</p>
<table><tr><th>Name</th><th>E-mail</th><th>sub</th><th>ID token</th></tr>
${rows.join('\n')}
</table>
</main>
</html>
`;
}

const style = `${cardStyle}
form{display:grid;gap:6px}
button{display:flex;align-items:center;gap:12px;padding:9px 12px;border:1px solid light-dark(#d5d9e2,#2b3240);border-radius:8px;background:none;color:inherit;font:inherit;text-align:left;cursor:pointer}
button:hover{border-color:#3b5bdb}
button:focus-visible{outline:2px solid #3b5bdb;outline-offset:2px}
b{display:grid;place-items:center;width:34px;height:34px;border-radius:50%;background:light-dark(#edf1ff,#1b2345);color:light-dark(#3450c4,#98a9ff);font-size:12px}
small{display:block;color:light-dark(#4c5669,#9aa3b5)}`;

/** The page for choosing a user. A click repeats the request with the chosen user. */
function chooserPage(parameters: URLSearchParams, users: readonly DevelopmentUser[]): string {
  const hiddenFields = [...parameters].filter(([name]) => name !== 'user');
  const hidden = hiddenFields.map(
    ([name, value]) => `<input type="hidden" name="${escapeHtml(name)}" value="${escapeHtml(value)}">`,
  );
  const buttons = users.map(({ sub, name, email }) => {
    const initials = name
      .split(' ')
      .map((word) => word[0])
      .join('');
    return `<button name="user" value="${escapeHtml(sub)}"><b aria-hidden="true">${escapeHtml(initials)}</b><span>${escapeHtml(name)}<small>${escapeHtml(email)}</small></span></button>`;
  });
  const card = `<h1>Sign in as</h1>
<p>For development only: this identity provider signs in anybody.</p>
<form>${hidden.join('')}
${buttons.join('\n')}
</form>`;
  return cardPage({ title: 'Sign in · development identity provider', style, card });
}

/** A client that may send users here to sign in. */
interface AuthorizationClient {
  clientId: string;
  /** The only address to send the browser back to; absent: any address of this machine (RFC 8252 §7.3). */
  redirectUri?: string;
}

function takesBack({ redirectUri }: AuthorizationClient, uri: string): boolean {
  if (redirectUri !== undefined) return uri === redirectUri;
  const { protocol, hostname } = URL.parse(uri) ?? {};
  return protocol === 'http:' && ['127.0.0.1', '[::1]', 'localhost'].includes(hostname!);
}

/** Signs claims as a JWT, and reads its own JWTs; returns undefined for others. */
interface Jwts {
  sign(claims: JsonObject): string;
  read(token: string): JsonObject | undefined;
}

const codeSeconds = 60;
const nowSeconds = (): number => Math.floor(Date.now() / 1_000);

/** Returns why a request to /authorize gets only an error page; undefined if it is valid. */
function findAuthorizationFault(
  parameters: URLSearchParams,
  clients: readonly AuthorizationClient[],
): string | undefined {
  const client = clients.find(({ clientId }) => clientId === parameters.get('client_id'));
  if (!client || !takesBack(client, parameters.get('redirect_uri') ?? ''))
    return 'client_id is not known, or redirect_uri is not one of that client.';
  if (parameters.get('response_type') !== 'code' || parameters.get('code_challenge_method') !== 'S256')
    return 'response_type=code with PKCE (S256) is supported.';
  return /^[\w-]{43}$/.test(parameters.get('code_challenge') ?? '') ? undefined : 'code_challenge is not one of S256.';
}

/**
 * Where the browser goes back to when a user is chosen (RFC 6749 §4.1.2, RFC 9207). The code is a signed JWT, so that any
 * process with the key can redeem it. It is valid for a minute, and only with PKCE.
 */
function grantCode(parameters: URLSearchParams, user: DevelopmentUser, issuer: string, jwts: Jwts): string {
  const [redirectUri, challenge] = [parameters.get('redirect_uri')!, parameters.get('code_challenge')!];
  const at = nowSeconds();
  const nonce = parameters.get('nonce') ?? undefined;
  const clientId = parameters.get('client_id');
  const promised = { redirectUri, clientId, challenge, nonce, auth_time: at };
  const code = { use: 'code', sub: user.sub, ...promised, exp: at + codeSeconds };
  const back = new URL(redirectUri);
  back.searchParams.set('code', jwts.sign(code));
  const state = parameters.get('state');
  if (state !== null) back.searchParams.set('state', state);
  back.searchParams.set('iss', issuer);
  return back.href;
}

/** Returns what a code stands for; undefined if it is not valid for this request (RFC 6749 §4.1.3, RFC 7636 §4.6). */
function redeemCode(
  form: URLSearchParams,
  clients: readonly AuthorizationClient[],
  jwts: Jwts,
): { sub: string; aud: string; claims: object } | undefined {
  const code = jwts.read(form.get('code') ?? '');
  if (code?.use !== 'code' || Number(code.exp) < nowSeconds()) return undefined;
  const challenge = createHash('sha256')
    .update(form.get('code_verifier') ?? '')
    .digest('base64url');
  const isRight =
    form.get('grant_type') === 'authorization_code' &&
    form.get('client_id') === code.clientId &&
    clients.some(({ clientId }) => clientId === code.clientId) &&
    form.get('redirect_uri') === code.redirectUri &&
    challenge === code.challenge;
  const { sub, clientId, nonce, auth_time } = code;
  const claims = { ...(nonce !== undefined && { nonce }), auth_time };
  return isRight ? { sub: String(sub), aud: String(clientId), claims } : undefined;
}

const idTokenSeconds = 900;
const formBytesMax = 8 * 1_024;

interface DevelopmentProviderOptions {
  /** Its URL without a slash at the end. The caller that mounts it strips this URL's path from the requests. */
  issuer: string;
  audience: string;
  clients: readonly AuthorizationClient[];
  /** File of its RSA key, created if missing. Processes that share the file accept each other's tokens. */
  keyFile: string;
  users: DevelopmentUser[];
  /** Whether a request with this header Host is answered. */
  isOwnHost(host: string | undefined): boolean;
}

export interface DevelopmentProvider {
  issuer: string;
  handle(request: IncomingMessage, response: ServerResponse): void;
  /** Throws for a sub that no user has. */
  issueIdToken(sub: string): string;
}

interface Answer {
  status: number;
  type: 'application/json' | 'text/plain' | 'text/html';
  body: string;
  location?: string;
}

interface SigningKey {
  privateKey: KeyObject;
  /** The public half as published, with its kid. */
  jwk: Record<string, unknown>;
  kid: string;
}

export function createDevelopmentProvider(options: DevelopmentProviderOptions): DevelopmentProvider {
  const key = readSigningKey(options.keyFile);
  const jwts = openJwts(key);
  const issueIdToken = (sub: string) => {
    const user = options.users.find((candidate) => candidate.sub === sub);
    if (!user) throw new Error(`The development identity provider has no user ${sub}.`);
    return jwts.sign(idTokenClaims(user, options.issuer, options.audience));
  };
  const answer = (url: URL): Answer => {
    switch (url.pathname) {
      case '/.well-known/openid-configuration':
        return json(metadata(options.issuer));
      case '/jwks':
        return json({ keys: [key.jwk] });
      case '/authorize':
        return answerAuthorization(url.searchParams, options, jwts);
      case '/id-token':
        return answerIdToken(url.searchParams.get('user') ?? '', options.users, issueIdToken);
      case '/':
        return { status: 200, type: 'text/html', body: usersPage(options.issuer, options.users, idTokenSeconds) };
      default:
        return text(
          404,
          'Not found: the development identity provider has /, /id-token, /authorize, /token, /jwks and /.well-known/openid-configuration.',
        );
    }
  };
  return {
    issuer: options.issuer,
    issueIdToken,
    handle: (request, response) => {
      // RFC 9110 §15.5.20
      if (!options.isOwnHost(request.headers.host))
        return send(response, text(421, 'The development identity provider answers only under names of this machine.'));
      if (request.method === 'POST' && /^\/token(\?|$)/.test(request.url ?? '')) {
        void readForm(request).then((form) => send(response, answerToken(form, options, jwts)));
        return;
      }
      if (request.method !== 'GET' && request.method !== 'HEAD') {
        response.setHeader('allow', 'GET, HEAD');
        return send(response, text(405, 'The development identity provider answers GET and HEAD only.'));
      }
      send(response, answer(new URL(`http://provider/${(request.url ?? '').replace(/^\/+/, '')}`)));
    },
  };
}

function send(response: ServerResponse, { status, type, body, location }: Answer): void {
  response.writeHead(status, {
    ...(location && { location }),
    'content-type': type === 'application/json' ? type : `${type}; charset=utf-8`,
    'content-length': Buffer.byteLength(body),
    'cache-control': 'no-store',
    'x-content-type-options': 'nosniff',
    ...(type === 'text/html' && { 'content-security-policy': "default-src 'none'; style-src 'unsafe-inline'" }),
  });
  response.end(body); // node leaves the body of a HEAD out
}

function json(value: unknown): Answer {
  return { status: 200, type: 'application/json', body: JSON.stringify(value) };
}

function text(status: number, body: string): Answer {
  return { status, type: 'text/plain', body };
}

/** OpenID Connect Discovery 1.0 §3. */
function metadata(issuer: string) {
  return {
    issuer,
    authorization_endpoint: `${issuer}/authorize`,
    token_endpoint: `${issuer}/token`,
    token_endpoint_auth_methods_supported: ['none'],
    jwks_uri: `${issuer}/jwks`,
    response_types_supported: ['code'],
    grant_types_supported: ['authorization_code'],
    code_challenge_methods_supported: ['S256'],
    authorization_response_iss_parameter_supported: true,
    subject_types_supported: ['public'],
    id_token_signing_alg_values_supported: ['RS256'],
    scopes_supported: ['openid', 'email', 'profile'],
    claims_supported: ['iss', 'sub', 'aud', 'exp', 'iat', 'nonce', 'auth_time', 'email', 'name'],
  };
}

function answerIdToken(query: string, users: DevelopmentUser[], issueIdToken: (sub: string) => string): Answer {
  const user = findUser(query, users);
  if (user) return text(200, issueIdToken(user.sub));
  const names = users.map(({ name, email, sub }) => `${name} (${email}, ${sub})`).join('; ');
  return text(404, `No such user; say ?user= with the sub, e-mail or first name of one of these: ${names}.`);
}

/** Finds a user by sub, e-mail or first name, ignoring case. */
function findUser(query: string, users: DevelopmentUser[]): DevelopmentUser | undefined {
  const name = query.trim().toLowerCase();
  if (name === '') return undefined;
  return users.find((user) => [user.sub, user.email, user.name.split(' ')[0]!].some((id) => id.toLowerCase() === name));
}

/** Answers with the page of users, or redirects back once a user is chosen. */
function answerAuthorization(parameters: URLSearchParams, options: DevelopmentProviderOptions, jwts: Jwts): Answer {
  const { clients, users, issuer } = options;
  const fault = findAuthorizationFault(parameters, clients);
  if (fault) return text(400, fault);
  const user = users.find(({ sub }) => sub === parameters.get('user'));
  if (!user) return { status: 200, type: 'text/html', body: chooserPage(parameters, users) };
  return { ...text(302, ''), location: grantCode(parameters, user, issuer, jwts) };
}

/** RFC 6749 §5. No endpoint accepts this access token. */
function answerToken(form: URLSearchParams, options: DevelopmentProviderOptions, jwts: Jwts): Answer {
  const granted = redeemCode(form, options.clients, jwts);
  const user = options.users.find(({ sub }) => sub === granted?.sub);
  if (!granted || !user) return { ...json({ error: 'invalid_grant' }), status: 400 };
  const claims = { ...idTokenClaims(user, options.issuer, granted.aud), ...granted.claims };
  return json({ access_token: 'none', token_type: 'Bearer', expires_in: 60, id_token: jwts.sign(claims) });
}

async function readForm(request: IncomingMessage): Promise<URLSearchParams> {
  let body = '';
  try {
    // read to the end, because the sender reads the answer only after it has sent everything
    for await (const chunk of request) if (body.length <= formBytesMax) body += chunk;
  } catch {
    return new URLSearchParams();
  }
  return new URLSearchParams(body.length <= formBytesMax ? body : '');
}

function idTokenClaims({ sub, email, name }: DevelopmentUser, issuer: string, audience: string) {
  const iat = nowSeconds();
  return { iss: issuer, sub, aud: audience, email, name, iat, exp: iat + idTokenSeconds };
}

function openJwts({ privateKey, kid }: SigningKey): Jwts {
  const header = encodeJson({ alg: 'RS256', typ: 'JWT', kid });
  return {
    sign: (claims) => signWithHeader(header, claims, { alg: 'RS256', privateKey }),
    read(token) {
      const jwt = parseJwt(token);
      const isOwn = !('malformed' in jwt) && verifySignature(jwt, 'RS256', createPublicKey(privateKey));
      return isOwn ? jwt.payload : undefined;
    },
  };
}

function readSigningKey(file: string): SigningKey {
  const privateKey = createPrivateKey(keepSecret(file, makeKey));
  const { kty, n, e } = createPublicKey(privateKey).export({ format: 'jwk' });
  // RFC 7638 §3.2: the required members in this order
  const kid = createHash('sha256').update(JSON.stringify({ e, kty, n })).digest('base64url');
  return { privateKey, kid, jwk: { kty, n, e, kid, alg: 'RS256', use: 'sig' } };
}

function makeKey(): string {
  const { privateKey } = generateKeyPairSync('rsa', { modulusLength: 2048 });
  return privateKey.export({ type: 'pkcs8', format: 'pem' }) as string;
}
