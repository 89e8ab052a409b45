/** A server for an admin UI of your own: it signs people in at the identity provider, keeps their tokens, and passes /graphql on. */
import { randomBytes, randomUUID } from 'node:crypto';
import { createServer } from 'node:http';
import * as openid from 'openid-client';

const { PUBLIC_URL, GATEHOUSE, CLIENT_ID, CLIENT_SECRET, PROVIDER, PROVIDER_CLIENT_ID, PROVIDER_CLIENT_SECRET } =
  process.env;
const isSecure = PUBLIC_URL.startsWith('https:');
const options = { execute: isSecure ? [] : [openid.allowInsecureRequests] };
const { discovery, authorizationCodeGrant } = openid;
const provider = await discovery(new URL(PROVIDER), PROVIDER_CLIENT_ID, PROVIDER_CLIENT_SECRET, undefined, options);

/** Sign-ins under way and sessions, by the secret of a cookie. With several servers, keep them in a database. */
const flows = openStore({ sizeMax: 1_000, seconds: 600 });
const sessions = openStore({ sizeMax: 10_000, seconds: 8 * 3_600 });

function openStore({ sizeMax, seconds }) {
  const values = new Map();
  return {
    seconds,
    /** The oldest makes room. */
    add(value) {
      const secret = randomBytes(32).toString('base64url');
      values.set(secret, Object.assign(value, { storedUntil: Date.now() + seconds * 1_000 }));
      if (values.size > sizeMax) values.delete(values.keys().next().value);
      return secret;
    },
    find: (secret) => (values.get(secret)?.storedUntil > Date.now() ? values.get(secret) : undefined),
    remove: (secret) => values.delete(secret),
  };
}

const secretOf = ({ headers }, name) => new RegExp(`(?:^|; )${name}=([\\w-]{43})(?:;|$)`).exec(headers.cookie)?.[1];
const cookie = (name, value, seconds) =>
  `${name}=${value}; Path=/; HttpOnly; SameSite=Lax; Max-Age=${seconds}${isSecure ? '; Secure' : ''}`;
const redirect = (response, location, ...cookies) =>
  response.writeHead(302, { location, 'set-cookie': cookies, 'cache-control': 'no-store' }).end();
const refuse = (response, status, message, code) =>
  response
    .writeHead(status, { 'content-type': 'application/json', 'cache-control': 'no-store' })
    .end(JSON.stringify({ errors: [{ message, ...(code && { extensions: { code } }) }] }));

/** A form to Gatehouse, as this server's client. Throws when Gatehouse can't answer now. */
async function post(path, fields, headers = {}) {
  const body = new URLSearchParams({ ...fields, client_id: CLIENT_ID, client_secret: CLIENT_SECRET });
  const response = await fetch(GATEHOUSE + path, { method: 'POST', headers, body });
  if (response.status >= 500) throw new Error(`${path} was answered ${response.status}`);
  return response.ok && path !== '/revoke' ? response.json() : undefined;
}

/** /sign-in?profile=ID: to the provider. Without a profile the first that the person holds is taken. */
async function signIn(_request, response, url) {
  const flow = { verifier: openid.randomPKCECodeVerifier(), state: randomUUID(), nonce: randomUUID() };
  const location = openid.buildAuthorizationUrl(provider, {
    redirect_uri: `${PUBLIC_URL}/callback`,
    scope: 'openid',
    state: flow.state,
    nonce: flow.nonce,
    code_challenge: await openid.calculatePKCECodeChallenge(flow.verifier),
    code_challenge_method: 'S256',
  });
  const secret = flows.add({ ...flow, profileId: url.searchParams.get('profile') });
  redirect(response, location.href, cookie('flow', secret, flows.seconds));
}

/** Back from the provider: the ID token becomes tokens for one profile. */
async function callback(request, response, url) {
  const flow = flows.find(secretOf(request, 'flow'));
  flows.remove(secretOf(request, 'flow'));
  if (!flow) return refuse(response, 400, 'The sign-in did not begin in this browser, or took too long.');
  const checks = { pkceCodeVerifier: flow.verifier, expectedState: flow.state, expectedNonce: flow.nonce };
  const granted = await authorizationCodeGrant(provider, url, { ...checks, idTokenExpected: true }).catch(() => {});
  if (!granted) return refuse(response, 400, 'The identity provider refused the sign-in.');
  const { id_token } = granted;
  const profileId = flow.profileId ?? (await post('/profiles', { id_token }))?.profiles[0]?.profileId;
  const exchange = { grant_type: 'urn:service:authz:exchange', id_token, profileId };
  const tokens = profileId && (await post('/token', exchange));
  if (!tokens) return refuse(response, 403, 'You do not hold this profile.', 'FORBIDDEN');
  const secret = sessions.add(withEnd(tokens));
  redirect(response, '/', cookie('flow', '', 0), cookie('session', secret, sessions.seconds));
}

const withEnd = (tokens) => ({ ...tokens, endsAt: Date.now() + tokens.expires_in * 1_000 });

/** Renews a minute before the end, once for all requests of the moment. A repeated attempt sends the same key, so no answer is lost. */
async function accessTokenOf(session) {
  if (session.endsAt - Date.now() > 60_000) return session.access_token;
  session.key ??= randomUUID();
  const renewal = { grant_type: 'refresh_token', refresh_token: session.refresh_token };
  session.renewing ??= post('/token', renewal, { 'idempotency-key': session.key })
    .then((tokens) =>
      Object.assign(session, tokens ? withEnd(tokens) : { access_token: undefined }, { key: undefined }),
    )
    .finally(() => Object.assign(session, { renewing: undefined }));
  return (await session.renewing).access_token;
}

async function graphql(request, response) {
  const session = sessions.find(secretOf(request, 'session'));
  const accessToken = session && (await accessTokenOf(session));
  if (!accessToken) return refuse(response, 401, 'Sign in.', 'UNAUTHENTICATED');
  const headers = { authorization: `Bearer ${accessToken}`, 'content-type': 'application/json' };
  const body = await readBody(request);
  if (!body) return refuse(response, 413, 'The body is too large.', 'TOO_LARGE');
  const passed = await fetch(`${GATEHOUSE}/graphql`, { method: 'POST', headers, body });
  const answered = Buffer.from(await passed.arrayBuffer());
  response.writeHead(passed.status, { 'content-type': passed.headers.get('content-type') }).end(answered);
}

async function readBody(request, bytesMax = 1024 * 1024) {
  const chunks = [];
  for await (const chunk of request) {
    chunks.push(chunk);
    if (chunks.reduce((bytes, { length }) => bytes + length, 0) > bytesMax) return undefined;
  }
  return Buffer.concat(chunks);
}

async function signOut(request, response) {
  const secret = secretOf(request, 'session');
  const session = sessions.find(secret);
  sessions.remove(secret);
  if (session) await post('/revoke', { token: session.refresh_token });
  response.writeHead(204, { 'set-cookie': cookie('session', '', 0) }).end();
}

const gets = { '/sign-in': signIn, '/callback': callback };
const posts = { '/graphql': graphql, '/sign-out': signOut };

async function handle(request, response) {
  const url = URL.canParse(request.url, PUBLIC_URL) && new URL(request.url, PUBLIC_URL);
  const routes = request.method === 'POST' ? posts : request.method === 'GET' ? gets : {};
  if (!Object.hasOwn(routes, url.pathname)) return refuse(response, 404, 'There is no such path.');
  // another site can't send this header without asking first
  if (routes === posts && !request.headers['x-admin-ui']) return refuse(response, 403, 'Send the header x-admin-ui.');
  await routes[url.pathname](request, response, url);
}

createServer((request, response) => {
  handle(request, response).catch(() => refuse(response, 503, 'Try again.', 'UNAVAILABLE'));
}).listen(new URL(PUBLIC_URL).port || 8080, '127.0.0.1', () => process.stdout.write(`listening on ${PUBLIC_URL}\n`));
