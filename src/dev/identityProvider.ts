/** The development identity provider: hands anybody an ID token for one of its users, and so is never for production. */
import {
  createHash,
  createPrivateKey,
  createPublicKey,
  generateKeyPairSync,
  type KeyObject,
  sign,
  verify,
} from 'node:crypto';
import type { IncomingMessage, ServerResponse } from 'node:http';
import {
  type AuthorizationClient,
  findAuthorizationFault,
  grantCode,
  type Notes,
  redeemCode,
} from './authorization.js';
import type { DevelopmentUser } from './developmentUser.js';
import { keepSecret } from './keptSecret.js';
import { chooserPage, usersPage } from './providerPages.js';

const idTokenSeconds = 900;
const formBytesMax = 8 * 1_024;

interface DevelopmentProviderOptions {
  /** Its URL without a slash at the end; whoever mounts it strips this URL's path from the requests. */
  issuer: string;
  audience: string;
  /** Who may send people here to sign in; absent: nobody. */
  client?: AuthorizationClient;
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
  const notes: Notes = { sign: (claims) => signJwt(claims, key), read: (note) => readJwt(note, key) };
  const issueIdToken = (sub: string) => {
    const user = options.users.find((candidate) => candidate.sub === sub);
    if (!user) throw new Error(`The development identity provider has no user ${sub}.`);
    return notes.sign(idTokenClaims(user, options.issuer, options.audience));
  };
  const answer = (url: URL): Answer => {
    switch (url.pathname) {
      case '/.well-known/openid-configuration':
        return json(metadata(options.issuer));
      case '/jwks':
        return json({ keys: [key.jwk] });
      case '/authorize':
        return answerAuthorization(url.searchParams, options, notes);
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
        return send(
          response,
          text(421, 'The development identity provider answers under names of its own machine only.'),
        );
      if (request.method === 'POST' && /^\/token(\?|$)/.test(request.url ?? '')) {
        void readForm(request).then((form) => send(response, answerToken(form, options, notes)));
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

/** The page of users, or with one of them chosen the way back. */
function answerAuthorization(asked: URLSearchParams, options: DevelopmentProviderOptions, notes: Notes): Answer {
  const { client, users, issuer } = options;
  const fault = client ? findAuthorizationFault(asked, client) : 'nobody may send people here to sign in.';
  if (fault) return text(400, fault);
  const user = users.find(({ sub }) => sub === asked.get('user'));
  if (!user) return { status: 200, type: 'text/html', body: chooserPage(asked, users) };
  return { ...text(302, ''), location: grantCode(asked, user, issuer, notes) };
}

/** RFC 6749 §5; the access token is good for nothing. */
function answerToken(form: URLSearchParams, options: DevelopmentProviderOptions, notes: Notes): Answer {
  const granted = options.client && redeemCode(form, options.client, notes);
  const user = options.users.find(({ sub }) => sub === granted?.sub);
  if (!granted || !user) return { ...json({ error: 'invalid_grant' }), status: 400 };
  const claims = { ...idTokenClaims(user, options.issuer, options.client!.clientId), ...granted.claims };
  return json({ access_token: 'none', token_type: 'Bearer', expires_in: 60, id_token: notes.sign(claims) });
}

async function readForm(request: IncomingMessage): Promise<URLSearchParams> {
  let body = '';
  try {
    // all of it is read, for its sender comes to the answer only then
    for await (const chunk of request) if (body.length <= formBytesMax) body += chunk;
  } catch {
    return new URLSearchParams();
  }
  return new URLSearchParams(body.length <= formBytesMax ? body : '');
}

function idTokenClaims({ sub, email, name }: DevelopmentUser, issuer: string, audience: string) {
  const iat = Math.floor(Date.now() / 1000);
  return { iss: issuer, sub, aud: audience, email, name, iat, exp: iat + idTokenSeconds };
}

function signJwt(claims: object, key: SigningKey): string {
  const signed = `${encode({ alg: 'RS256', typ: 'JWT', kid: key.kid })}.${encode(claims)}`;
  return `${signed}.${sign('sha256', Buffer.from(signed), key.privateKey).toString('base64url')}`;
}

function readJwt(token: string, key: SigningKey): Record<string, unknown> | undefined {
  const [head, body, signature, ...more] = token.split('.');
  if (!head || !body || !signature || more.length > 0) return undefined;
  const signed = Buffer.from(`${head}.${body}`);
  const isOurs = verify('sha256', signed, createPublicKey(key.privateKey), Buffer.from(signature, 'base64url'));
  return isOurs ? (JSON.parse(Buffer.from(body, 'base64url').toString()) as Record<string, unknown>) : undefined;
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
