/** Secrets with a mark in every field that takes or gives one; then the log, the metrics, the traces, every error and the whole database are searched for the mark. */
import { randomBytes } from 'node:crypto';
import { inspect } from 'node:util';
import { openApp } from '../../src/app.js';
import { loadConfig } from '../../src/config/loadConfig.js';
import { importFile } from '../../src/modules/transfer/importFile.js';
import { maintainKeys } from '../../src/services/keys/keyMaintenance.js';
import { issueAdminToken } from '../../src/services/tokens/operatorTokens.js';
import { makeKey, makeToken } from '../auth/localProvider.js';
import { type Answer, startTestApp, type TestApp } from '../support/app.js';
import { administer, createMigratedDatabase, type TestDatabase } from '../support/cluster.js';
import { type Collector, startCollector } from '../support/collector.js';
import { newHolder } from '../support/records.js';
import { exchangeBody, renewalBody } from '../support/tokens.js';
import { until } from '../support/until.js';

const encryptionKey = randomBytes(32);
const password = `canary-password-${randomBytes(6).toString('hex')}`;
/** What must be found nowhere in clear: name → every spelling that a leak could have. */
const secrets = new Map<string, string[]>();
let made = 0;

/** Puts a secret under watch; of a token its signature alone tells it from others. */
function watch(name: string, secret: string): string {
  const bytes = Buffer.from(secret);
  const spellings = [
    secret,
    encodeURIComponent(secret),
    bytes.toString('hex'),
    bytes.toString('base64url').replace(/..$/, ''),
  ];
  const signature = secret.split('.').at(-1)!;
  secrets.set(`${name} ${++made}`, secret.split('.').length === 3 ? [...spellings, signature] : spellings);
  return secret;
}
const newSecret = (name: string): string => watch(name, `canary-${name}-${randomBytes(9).toString('hex')}`);

let database: TestDatabase;
let collector: Collector;
let app: TestApp;
/** Bodies of all answers that told an error. */
const errors: string[] = [];
beforeAll(async () => {
  database = await createMigratedDatabase();
  const url = new URL(database.url);
  url.username = 'canary_role';
  url.password = password;
  await administer(`create role canary_role superuser login password '${password}'`);
  secrets.set('DATABASE_URL', [password]);
  const spellings = [
    encryptionKey.toString('base64').replace('=', ''),
    encryptionKey.toString('hex'),
    encryptionKey.toString('base64url'),
  ];
  secrets.set('KEY_ENCRYPTION_KEY', spellings);
  collector = await startCollector();
  app = await startTestApp(
    {
      OTEL_EXPORTER_OTLP_ENDPOINT: collector.url,
      DATABASE_URL: url.href,
      KEY_ENCRYPTION_KEY: encryptionKey.toString('base64'),
      TOKEN_POLICY: 'hardened',
      ACCESS_LOG: 'all',
      METRICS_PORT: '0',
      CLIENT_FAILURE_LIMIT: '50',
      REFUSAL_RETENTION_DAYS: '7',
      // a replica that is away
      DATABASE_REPLICA_URLS: `postgres://canary_role:${watch('replica', 'canary-replica-password')}@127.0.0.1:1/gatehouse`,
    },
    { limits: { slowStatementMs: 1 } },
  );
  watchKeys();
});

/** The private halves of the keys that sign, as bytes and as they are written down. */
function watchKeys(): void {
  const { signing, renewal } = app.context.keys.ring();
  const scalar = Buffer.from(signing.privateKey.export({ format: 'jwk' }).d as string, 'base64url');
  const whole = signing.privateKey.export({ format: 'der', type: 'pkcs8' }).subarray(-40);
  const secret = Buffer.isBuffer(renewal.secret) ? renewal.secret : renewal.secret.export();
  for (const [name, bytes] of Object.entries({ scalar, whole, secret }))
    secrets.set(`private key, ${name}`, [
      bytes.toString('hex'),
      bytes.toString('base64').replace(/..?=*$/, ''),
      bytes.toString('base64url').replace(/..$/, ''),
    ]);
}
afterAll(async () => {
  await app.close();
  await collector.close();
  await database.drop();
  await administer('drop role canary_role');
});

const leaks = (where: string, text: string): string[] =>
  [...secrets]
    .filter(([, spellings]) => spellings.some((spelling) => text.includes(spelling)))
    .map(([name]) => `${name} in ${where}`);

function keep(answer: Answer): Answer {
  if (answer.status >= 400 || answer.json?.errors || answer.json?.error) errors.push(answer.text);
  return answer;
}
const post = async (path: string, body: unknown, headers = {}) => keep(await app.post(path, body, headers));
const form = (path: string, body: Record<string, string>, headers = {}) =>
  post(path, new URLSearchParams(body).toString(), { 'content-type': 'application/x-www-form-urlencoded', ...headers });
const basic = (id: string, secret: string) => ({
  authorization: `Basic ${Buffer.from(`${id}:${secret}`).toString('base64')}`,
});

async function dump(): Promise<string> {
  const { sql } = app.context;
  const tables = await sql.rows<{ name: string }>(
    `select quote_ident(schemaname) || '.' || quote_ident(tablename) as name from pg_tables where schemaname not in ('pg_catalog', 'information_schema')`,
  );
  const texts = await Promise.all(
    tables.map(async ({ name }) =>
      (await sql.rows<{ text: string }>(`select t::text as text from ${name} t`)).map(({ text }) => text),
    ),
  );
  expect(tables.length).toBeGreaterThan(15);
  return texts.flat().join('\n');
}

/** Refusals are written within a second or so, after their answers. */
async function refusalsWritten(): Promise<void> {
  const traceId = randomBytes(16).toString('hex');
  await app.post('/revoke', { token: 'x' }, { traceparent: `00-${traceId}-${'1'.repeat(16)}-01` });
  const isWritten = async () =>
    (await app.context.sql.rows('select 1 from refused_requests where trace_id = $1', [traceId])).length > 0;
  await until(isWritten);
}

it('no secret and no token is anywhere but in the answers that give it', async () => {
  const admin = watch(
    'admin token',
    await issueAdminToken(app.context, {
      scopes: ['admin:read', 'admin:write', 'admin:security'],
      minutes: 5,
      userGuid: app.context.config.systemUserGuid,
    }),
  );
  const bearer = { authorization: `Bearer ${admin}` };
  const graph = async (query: string, variables: object = {}) =>
    keep(await app.post('/graphql', { query, variables }, bearer)).json;

  // clients made by import, by GraphQL, and rotated
  const imported = newSecret('imported');
  const importedToken = newSecret('imported-token');
  const holder = await newHolder(app.context);
  await importFile(app.context, {
    clients: [{ clientId: 'imported', clientSecret: imported, name: 'Imported' }],
    tokens: [
      {
        userGuid: holder.userGuid,
        profileId: holder.profileId,
        token: importedToken,
        createdAt: new Date().toISOString(),
        expiresAt: new Date(Date.now() + 1e9).toISOString(),
      },
    ],
  });
  for (const clients of [
    [{ clientId: 'bad', clientSecret: newSecret('too-long').padEnd(80, 'x') }],
    [{ clientId: 'bad', clientSecret: 5, name: newSecret('no-secret').slice(0, 1) }],
    [{ clientId: 'bad', clientSecret: newSecret('twice'), clientSecretHash: newSecret('no-hash'), name: 'x' }],
  ])
    await importFile(app.context, { clients }).catch((error: unknown) => errors.push(inspect(error, { depth: 8 })));
  const created = await graph('mutation { createClient(input: {clientId: "made", name: "Made"}) { clientSecret } }');
  watch('created', created.data.createClient.clientSecret);
  const rotated = await graph(
    'mutation { rotateClientSecret(clientId: "made", keepPreviousHours: 1) { clientSecret } }',
  );
  const secret = watch('rotated', rotated.data.rotateClientSecret.clientSecret);

  // both dialects of the token endpoint, good and bad in every field
  const idToken = () => watch('ID token', app.idToken({ sub: holder.userGuid }));
  const client = { client_id: 'made', client_secret: secret };
  const exchange = (more: object = {}) => ({
    ...exchangeBody(idToken()),
    profileId: holder.profileId,
    ...client,
    ...more,
  });
  const issued = await post('/token', exchange());
  expect(issued.status).toBe(200);
  const note = ({ json }: Answer) => ({
    access: watch('access token', json.access_token),
    refresh: watch('renewal token', json.refresh_token),
  });
  const first = note(issued);
  const second = note(
    await post('/token', {
      ...renewalBody(first.refresh),
      profileId: holder.profileId,
      ...client,
    }),
  );
  note(await form('/token', { ...exchangeBody(idToken()), profileId: holder.profileId }, basic('made', secret)));
  note(
    await post('/token', {
      ...renewalBody(importedToken),
      profileId: holder.profileId,
      client_id: 'imported',
      client_secret: imported,
    }),
  );
  const stranger = makeKey('provider-key', 'RS256');
  const forged = watch(
    'forged ID token',
    makeToken(stranger, {
      iss: app.provider.issuer,
      aud: 'gatehouse-test',
      sub: newSecret('sub'),
      iat: Date.now() / 1e3,
      exp: Date.now() / 1e3 + 60,
    }),
  );
  const unknownIssuer = watch(
    'stranger’s ID token',
    makeToken(stranger, { iss: newSecret('iss'), name: newSecret('name') }),
  );
  for (const more of [
    { client_secret: newSecret('wrong-secret') },
    { client_secret: newSecret('very-long').padEnd(5_000, 'x') },
    { client_id: newSecret('as-client-id'), client_secret: newSecret('wrong-secret') },
    { client_secret: [newSecret('list')] },
    { id_token: forged },
    { id_token: unknownIssuer },
    { id_token: newSecret('no-jwt') },
    { id_token: { token: newSecret('object') } },
    { profileId: newSecret('as-profile') },
    { grant_type: newSecret('as-grant-type') },
    { ...renewalBody(first.refresh) },
    { ...renewalBody(newSecret('unknown-renewal')) },
    { ...renewalBody(`${second.refresh}x`) },
    { [newSecret('as-name')]: 1, grant_type: 1 },
  ]) {
    await post('/token', exchange(more));
    const body = Object.fromEntries(Object.entries(exchange(more)).map(([name, value]) => [name, String(value)]));
    await form('/token', body);
  }
  await post('/token', `{"client_secret": "${newSecret('in-broken-json')}", `);
  await post('/token', newSecret('n'));
  await post('/token', `client_secret=${newSecret('in-text')}`, { 'content-type': 'text/plain' });
  await form('/token', { ...exchange(), client_secret: newSecret('basic-and-body') }, basic('made', secret));
  for (const path of ['/token', '/introspect', '/revoke'])
    await form(path, { token: second.refresh }, basic('made', newSecret('basic')));
  await form('/introspect', { token: second.access }, basic('made', secret));
  for (const token of [second.access, `${second.access}x`, newSecret('validated'), first.refresh])
    await post('/validate-token', { token, ...client });
  await post('/validate-token', { token: second.access, client_id: 'made', client_secret: newSecret('wrong-secret') });

  const exchanging = {
    grant_type: 'urn:ietf:params:oauth:grant-type:token-exchange',
    subject_token_type: 'urn:ietf:params:oauth:token-type:id_token',
    profileId: holder.profileId,
  };
  for (const more of [
    { subject_token: idToken() },
    { subject_token: newSecret('subject') },
    { subject_token: idToken(), subject_token_type: newSecret('subject-type') },
    { subject_token: idToken(), requested_token_type: newSecret('requested-type') },
    { subject_token: idToken(), audience: newSecret('audience'), resource: newSecret('resource') },
    { subject_token: idToken(), actor_token: newSecret('actor'), actor_token_type: newSecret('actor-type') },
    { subject_token: idToken(), scope: newSecret('scope'), client_assertion: newSecret('assertion') },
  ]) {
    const answer = await form('/token', { ...exchanging, ...more }, basic('made', secret));
    if (answer.status === 200) note(answer);
  }
  const twice = `token=${newSecret('twice')}&token=${newSecret('twice')}`;
  await post('/revoke', twice, { 'content-type': 'application/x-www-form-urlencoded', ...basic('made', secret) });

  // secrets where none belong: paths, queries, headers, GraphQL documents and variables
  const misplaced = newSecret('misplaced');
  for (const path of [
    `/token?client_secret=${misplaced}`,
    `/${misplaced}`,
    `/api/applications?options=${misplaced}`,
    `/api/applications/${misplaced}/accessScopes`,
    `/docs/${misplaced}`,
  ])
    for (const method of ['GET', 'POST'])
      await (
        await fetch(app.url + path, {
          method,
          headers: { 'api-version': '1.0', cookie: misplaced, 'user-agent': misplaced },
        })
      ).text();
  for (const authorization of [
    `Bearer ${newSecret('bearer')}`,
    `Bearer ${second.access}`,
    `Basic ${newSecret('scheme')}`,
    newSecret('nothing'),
  ])
    for (const path of ['/api/applications', '/graphql'])
      await post(path, { query: '{ clients { nodes { clientId } } }' }, { authorization, 'api-version': '1.0' });
  await graph('mutation($x: CreateClientInput!) { createClient(input: $x) { clientSecret } }', {
    x: { clientId: 'made', name: 'again' },
  });
  await graph('query($x: Int) { clients(first: $x) { nodes { clientId } } }', { x: misplaced, [misplaced]: 1 });
  await graph(`{ clients(filter: {clientSecret: {eq: "x"}}) { nodes { clientSecret } } }`);
  await graph(
    '{ clients { nodes { clientId name isActive } } tokens { nodes { tokenId isRevoked } } auditEvents { nodes { action detail } } signingKeys { nodes { kid publicJwk } } }',
  );
  const inline = () => newSecret('inline');
  for (const document of [
    `{ clients(first: "${inline()}") { nodes { clientId } } }`,
    `{ client(clientId: "${inline()}") { name } }`,
    `{ clients(after: "${inline()}") { nodes { clientId } } }`,
    `{ clients(filter: {name: {eq: 5, startsWith: "${inline()}"}}) { nodes { clientId } } }`,
    `{ application(applicationGuid: "${inline()}") { name } }`,
    `mutation { createClient(input: {clientId: "made", name: "${inline()}", isActive: "${inline()}"}) { clientSecret } }`,
    `mutation { createUser(input: {email: ["${inline()}"]}) { email } }`,
    `{ clients(filter: "${inline()}") { nodes { clientId } } }`,
    `{ clients(filter: {name: "${inline()}"}) { nodes { clientId } } }`,
    `{ clients(filter: {name: {in: [["${inline()}"]]}}) { nodes { clientId } } }`,
    `{ clients(orderBy: [{name: "${inline()}"}]) { nodes { clientId } } }`,
    `{ clients(orderBy: "${inline()}") { nodes { clientId } } }`,
    `{ clients @include(if: "${inline()}") { nodes { clientId } } }`,
    `query ($x: Int = "${inline()}") { clients(first: $x) { nodes { clientId } } }`,
    `{ clients(first: 1) { nodes { clientId } } } "${inline()}"`,
    `{ clients(first: """${inline()}""") { nodes { clientId } } }`,
    `{ """${inline()}""" }`,
    `mutation { setClientActive(clientId: "made", isActive: "${inline()}") { name } }`,
    `mutation { revokeTokens(tokenId: "${inline()}") }`,
    `mutation { setTranslations(translationGroup: "g", translations: [{text: "${inline()}"}]) { fieldName } }`,
    `{ clients { nodes { clientId } } } # ${inline()} {`,
    `{ clients("${inline()}") }`,
  ])
    await graph(document);
  const versioned = { ...bearer, 'api-version': '1.0' };
  for (const body of [
    { name: [inline()] },
    { name: inline().repeat(50) },
    { name: 'n', iconDefault: inline().repeat(100), isIframe: inline() },
    `{"name": "${inline()}`,
    [{ accessScopeGuid: inline() }],
  ])
    for (const path of ['/api/applications', `/api/applications/${holder.userGuid}/accessScopes`])
      await post(path, body, versioned);
  await graph('mutation { rotateSigningKey { kid } }');
  watchKeys();
  await maintainKeys(app.context);

  // a provider that is away, and revocation
  app.provider.answer = (_path, response) => response.writeHead(500).end();
  await post('/token', exchange());
  await post('/revoke', { token: second.refresh, ...client });
  await post('/revoke', { token: second.refresh, ...client });

  await refusalsWritten();
  const stored = await dump();
  const metrics = await (await fetch(`${app.running.metricsUrl}/metrics`)).text();
  expect(metrics).toContain('# HELP');

  // a database that is away
  await database.drop();
  for (const [path, body] of [
    ['/token', exchange({ id_token: forged })],
    ['/revoke', { token: second.refresh, ...client }],
    ['/validate-token', { token: second.access, ...client }],
  ] as const) {
    const answer = await post(path, body);
    expect([path, answer.status]).toEqual([path, 503]);
  }
  await form('/token', { ...renewalBody(second.refresh) }, basic('made', secret));
  await graph('{ clients { nodes { clientId } } }');

  // what is left of the traces is sent
  await app.running.close();

  expect(secrets.size).toBeGreaterThan(70);
  expect(errors.length).toBeGreaterThan(40);
  expect(app.logged().length).toBeGreaterThan(10_000);
  // who says to be a client is told of refusals, here and in the log
  expect(stored).toContain('canary-as-client-id');
  expect(leaks('the database', stored).filter((leak) => !leak.startsWith('as-client-id'))).toEqual([]);
  expect(leaks('the metrics', metrics)).toEqual([]);
  // one for each line of the access log
  expect(collector.spans().filter(({ kind }) => kind === 2).length).toBe(
    app.logged().split('"msg":"request"').length - 1,
  );
  expect(leaks('the traces', collector.received())).toEqual([]);
  expect(leaks('the log', app.logged()).filter((leak) => !leak.startsWith('as-client-id'))).toEqual([]);
  expect(errors.flatMap((text) => leaks(`the error ${text.slice(0, 300)}`, text))).toEqual([]);
});

it('a start that fails tells neither the password nor the encryption key', async () => {
  const bad = [
    { DATABASE_URL: `postgres://gatehouse:${password}@127.0.0.1:1/gatehouse` },
    { DATABASE_URL: `postgres://gatehouse:${password}@no-such-host.invalid/gatehouse` },
    { DATABASE_DIRECT_URL: `postgres://gatehouse:${password}@127.0.0.1:1/gatehouse` },
    { DATABASE_DIRECT_URL: `mysql://gatehouse:${password}@db/gatehouse` },
    { DATABASE_REPLICA_URLS: `mysql://gatehouse:${password}@db/gatehouse` },
    { OTEL_EXPORTER_OTLP_ENDPOINT: `ftp://gatehouse:${password}@collector` },
    { ID_TOKEN_ISSUERS: `[{"issuer": "https://gatehouse:${password}@idp.example", "audience": ` },
    { DATABASE_URL: `mysql://gatehouse:${password}@db/gatehouse` },
    { KEY_ENCRYPTION_KEY: encryptionKey.toString('hex') },
    { KEY_ENCRYPTION_KEY: `${encryptionKey.toString('base64')},${password}` },
  ];
  for (const environment of bad) {
    const outputs: string[] = [];
    const open = async () => {
      const config = loadConfig({
        DATABASE_URL: database.url,
        DATABASE_TIMEOUT_MS: '5000',
        LOG_LEVEL: 'silent',
        ...environment,
      });
      await (await openApp({ config, notice: (line) => outputs.push(line) })).close();
    };
    const error = await open().then(
      () => 'started',
      (failure: Error) => `${failure.message} ${failure.stack} ${inspect(failure, { depth: 8 })}`,
    );
    expect(error).not.toBe('started');
    expect(leaks(`the failure ${error}`, error + outputs.join())).toEqual([]);
  }
});
