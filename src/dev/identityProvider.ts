/** The development identity provider: hands anybody an ID token for one of its users, and so is never for production. */
import { createHash, createPrivateKey, createPublicKey, generateKeyPairSync, type KeyObject, sign } from 'node:crypto';
import type { IncomingMessage, ServerResponse } from 'node:http';
import { keepSecret } from './keptSecret.js';

const idTokenSeconds = 900;

export interface DevelopmentUser {
  sub: string;
  email: string;
  name: string;
}

export interface DevelopmentProviderOptions {
  /** Its URL without a slash at the end; whoever mounts it strips this URL's path from the requests. */
  issuer: string;
  audience: string;
  /** Where its RSA key is kept, made if missing; processes that share the file accept each other's tokens. */
  keyFile: string;
  users: DevelopmentUser[];
  /** Whether a request with this header Host is answered. */
  isOwnHost(host: string | undefined): boolean;
}

export interface DevelopmentProvider {
  issuer: string;
  handle(request: IncomingMessage, response: ServerResponse): void;
  /** Throws for a sub that is none of the users'. */
  issueIdToken(sub: string): string;
}

interface Answer {
  status: number;
  type: 'application/json' | 'text/plain' | 'text/html';
  body: string;
}

interface SigningKey {
  privateKey: KeyObject;
  /** The public half as published, with its kid. */
  jwk: Record<string, unknown>;
  kid: string;
}

export function createDevelopmentProvider(options: DevelopmentProviderOptions): DevelopmentProvider {
  const key = readSigningKey(options.keyFile);
  const issueIdToken = (sub: string) => {
    const user = options.users.find((candidate) => candidate.sub === sub);
    if (!user) throw new Error(`The development identity provider has no user ${sub}.`);
    return signIdToken(user, options, key);
  };
  const answer = (url: URL): Answer => {
    switch (url.pathname) {
      case '/.well-known/openid-configuration':
        return json(metadata(options.issuer));
      case '/jwks':
        return json({ keys: [key.jwk] });
      case '/id-token':
        return answerIdToken(url.searchParams.get('user') ?? '', options.users, issueIdToken);
      case '/':
        return { status: 200, type: 'text/html', body: page(options) };
      default:
        return text(
          404,
          'Not found: the development identity provider has /, /id-token, /jwks and /.well-known/openid-configuration.',
        );
    }
  };
  return {
    issuer: options.issuer,
    issueIdToken,
    handle: (request, response) => {
      // RFC 9110 §15.5.20
      if (!options.isOwnHost(request.headers.host))
        return send(
          response,
          text(421, 'The development identity provider answers under names of its own machine only.'),
        );
      if (request.method !== 'GET' && request.method !== 'HEAD') {
        response.setHeader('allow', 'GET, HEAD');
        return send(response, text(405, 'The development identity provider answers GET and HEAD only.'));
      }
      send(response, answer(new URL(`http://provider/${(request.url ?? '').replace(/^\/+/, '')}`)));
    },
  };
}

function send(response: ServerResponse, { status, type, body }: Answer): void {
  response.writeHead(status, {
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

/** OpenID Connect Discovery 1.0 §3. There is no sign-in: the authorization endpoint is the page that lists the users. */
function metadata(issuer: string) {
  return {
    issuer,
    authorization_endpoint: `${issuer}/`,
    jwks_uri: `${issuer}/jwks`,
    response_types_supported: ['id_token'],
    subject_types_supported: ['public'],
    id_token_signing_alg_values_supported: ['RS256'],
    scopes_supported: ['openid', 'email', 'profile'],
    claims_supported: ['iss', 'sub', 'aud', 'exp', 'iat', 'email', 'name'],
  };
}

function answerIdToken(wanted: string, users: DevelopmentUser[], issueIdToken: (sub: string) => string): Answer {
  const user = findUser(wanted, users);
  if (user) return text(200, issueIdToken(user.sub));
  const known = users.map(({ name, email, sub }) => `${name} (${email}, ${sub})`).join('; ');
  return text(404, `No such user; say ?user= with the sub, e-mail or first name of one of these: ${known}.`);
}

/** By sub, e-mail or first name, in any case. */
function findUser(wanted: string, users: DevelopmentUser[]): DevelopmentUser | undefined {
  const name = wanted.trim().toLowerCase();
  if (name === '') return undefined;
  return users.find((user) => [user.sub, user.email, user.name.split(' ')[0]!].some((id) => id.toLowerCase() === name));
}

function signIdToken(user: DevelopmentUser, { issuer, audience }: DevelopmentProviderOptions, key: SigningKey): string {
  const iat = Math.floor(Date.now() / 1000);
  const header = { alg: 'RS256', typ: 'JWT', kid: key.kid };
  const claims = { iss: issuer, sub: user.sub, aud: audience, email: user.email, name: user.name, iat };
  const signed = `${encode(header)}.${encode({ ...claims, exp: iat + idTokenSeconds })}`;
  return `${signed}.${sign('sha256', Buffer.from(signed), key.privateKey).toString('base64url')}`;
}

function encode(part: object): string {
  return Buffer.from(JSON.stringify(part)).toString('base64url');
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

function page({ issuer, users }: DevelopmentProviderOptions): string {
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
<h1>Development identity provider</h1>
<p>Gives anybody an ID token for any of these users, good for ${idTokenSeconds / 60} minutes. For development only.</p>
<table><tr><th>Name</th><th>E-mail</th><th>sub</th><th></th></tr>
${rows.join('\n')}
</table>
</html>
`;
}

function escapeHtml(value: string): string {
  return value.replace(/[&<>"']/g, (character) => `&#${character.charCodeAt(0)};`);
}
