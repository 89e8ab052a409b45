/** Narrowed tokens at the administration: they permit no more than they carry, and ADMIN_AUDIENCE takes its own alone. */
import { randomUUID } from 'node:crypto';
import { decodeJwt } from 'jose';
import { readAnswer, startTestApp, type TestApp } from '../support/app.js';
import { newClient, newHolder } from '../support/records.js';
import { exchangeBody } from '../support/tokens.js';

const adminAudience = 'https://auth.example/administration';

type Client = { clientId: string; clientSecret: string };
let app: TestApp;
let client: Client;
afterEach(() => app.close());

async function open(settings: Record<string, string> = {}): Promise<void> {
  app = await startTestApp(settings);
  client = await newClient(app.context);
}

/** Somebody whose profile has these scopes; gives what gets an access token. */
async function administrator(scopes: string[]) {
  const { userGuid, profileId } = await newHolder(app.context);
  const [type] = await app.context.sql.rows<{ id: number }>(
    "select access_scope_type_id as id from access_scope_types where name = 'admin'",
  );
  for (const scope of scopes)
    await app.context.sql.rows(
      `insert into profile_access_scopes (profile_id, access_scope_id, created_by)
       select $1, access_scope_id, $2 from access_scopes where access_scope_type_id = $3 and access_scope_key = $4`,
      [profileId, randomUUID(), type!.id, scope.slice('admin:'.length)],
    );
  return async (form: Record<string, string> = {}): Promise<string> => {
    const body = new URLSearchParams({
      ...exchangeBody(app.idToken({ sub: userGuid })),
      profileId,
      client_id: client.clientId,
      client_secret: client.clientSecret,
      ...form,
    });
    return (await readAnswer(await fetch(`${app.url}/token`, { method: 'POST', body }))).json.access_token;
  };
}
const api = (token: string | undefined, method = 'GET') =>
  fetch(`${app.url}/api/applications`, {
    method,
    headers: {
      ...(token && { authorization: `Bearer ${token}` }),
      'api-version': '1.0',
      'content-type': 'application/json',
    },
    ...(method === 'POST' && { body: '{}' }),
  });
const graphql = (token: string | undefined, query: string) =>
  app.post('/graphql', { query }, token ? { authorization: `Bearer ${token}` } : {});

it.each(['documented', 'hardened'])('a narrowed token permits no more than it carries: %s', async (policy) => {
  await open({ TOKEN_POLICY: policy });
  const sign = await administrator(['admin:read', 'admin:write', 'admin:security']);
  const [all, narrow] = [await sign(), await sign({ scope: 'admin:read' })];
  expect([(await api(all, 'POST')).status, (await api(narrow, 'POST')).status, (await api(narrow)).status]).toEqual([
    400, 403, 200,
  ]);
  const clients = '{ clients { nodes { clientId } } }';
  expect((await graphql(all, clients)).json.errors).toBeUndefined();
  expect((await graphql(narrow, clients)).json.errors[0].extensions.code).toBe('FORBIDDEN');
  const viewer = await graphql(narrow, '{ viewer { scopes } }');
  expect(viewer.json.data.viewer.scopes).toEqual(['admin:read']);
});

it('a narrowed token permits no more than the profile has now', async () => {
  await open();
  const sign = await administrator(['admin:read']);
  const token = await sign({ scope: 'admin:read' });
  expect((await api(token)).status).toBe(200);
  await app.context.sql.rows('delete from profile_access_scopes');
  expect((await api(token)).status).toBe(403);
});

it.each([
  'documented',
  'hardened',
])('the administration with ADMIN_AUDIENCE accepts no other token: %s', async (policy) => {
  await open({ ADMIN_AUDIENCE: adminAudience, TOKEN_POLICY: policy });
  const sign = await administrator(['admin:read']);
  const [usual, ofAdmin] = [await sign(), await sign({ audience: adminAudience })];
  expect(decodeJwt(usual).aud).toEqual(['GRID', 'IOT']);
  expect([(await api(usual)).status, (await api(ofAdmin)).status]).toEqual([401, 200]);
  expect([
    (await graphql(usual, '{ viewer { profileId } }')).status,
    (await graphql(ofAdmin, '{ viewer { profileId } }')).status,
  ]).toEqual([401, 200]);
});

it('a token for the administration alone is no good to /validate-token, and active at /introspect', async () => {
  await open({ ADMIN_AUDIENCE: adminAudience });
  const token = await (await administrator([]))({ audience: adminAudience });
  expect((await app.post('/validate-token', { token })).status).toBe(400);
  const body = new URLSearchParams({ token, client_id: client.clientId, client_secret: client.clientSecret });
  const introspected = await readAnswer(await fetch(`${app.url}/introspect`, { method: 'POST', body }));
  expect(introspected.json).toMatchObject({ active: true, aud: [adminAudience] });
});

it.each([
  undefined,
  adminAudience,
])('tells where its tokens come from, in a document and in each refusal: %s', async (audience) => {
  await open({ BASE_PATH: '/auth', ...(audience && { ADMIN_AUDIENCE: audience }) });
  const { url } = app;
  const base = `${url}/auth`;
  for (const [path, ask] of [
    ['api', () => fetch(`${base}/api/applications`, { headers: { 'api-version': '1.0' } })],
    ['graphql', () => fetch(`${base}/graphql?query={__typename}`)],
  ] as const) {
    const { status, headers } = await ask();
    const document = `${url}/.well-known/oauth-protected-resource/auth/${path}`;
    expect([status, headers.get('www-authenticate')]).toEqual([401, `Bearer resource_metadata="${document}"`]);
    const [at, below] = await Promise.all(
      [document, `${base}/.well-known/oauth-protected-resource/${path}`].map((each) => fetch(each)),
    );
    expect(await at!.json()).toMatchObject({ resource: `${base}/${path}`, authorization_servers: [base] });
    expect(below!.status).toBe(200);
  }
});
