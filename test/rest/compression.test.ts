/** What goes compressed over the wire says the same as what doesn't; what may hold a token or secret never does. */
import { once } from 'node:events';
import { get, type IncomingMessage } from 'node:http';
import { encodings } from '../../src/http/encoding/encodings.js';
import { builtConsole } from '../modules/console/consoleApp.js';
import { startTestApp } from '../support/app.js';
import { administer } from '../support/cluster.js';
import { askWire, decoded } from '../support/encodedAnswers.js';
import { newClient, newHolder } from '../support/records.js';
import { exchangeBody } from '../support/tokens.js';
import { newApplication, newScopes, type RestApp, startRestApp, system } from './restApp.js';

let app: RestApp;
let guid: string;
beforeAll(async () => {
  app = await startRestApp();
  const scopes = await newScopes(app.sql, 20);
  guid = (await newApplication(app.sql)).application_guid;
  await app.sql.rows(
    `insert into applications (name, icon_default, icon_hover, app_type, rendering_mode, link_type, created_by)
     select 'Anwendung „' || i || '“ 🏗️', 'i', 'h', 'web', 'tile', 'internal', $1 from generate_series(1, 300) i`,
    [system],
  );
  await app.sql.rows(
    `insert into access_scope_applications_mappers (application_id, access_scope_id, created_by)
     select application_id, access_scope_id, $1 from applications, access_scopes where access_scope_guid = any($2)`,
    [system, scopes],
  );
});

const headers = (encoding?: string, more: Record<string, string> = {}) => ({
  'api-version': '1.0',
  authorization: `Bearer ${app.token(['admin:write'])}`,
  ...(encoding !== undefined && { 'accept-encoding': encoding }),
  ...more,
});
const ask = (path: string, encoding?: string, more?: Record<string, string>) =>
  askWire(app.url + path, { headers: headers(encoding, more) });

const query = '{ applications(first: 200) { nodes { applicationGuid name createdDate } } }';
const read: Record<string, (encoding?: string) => ReturnType<typeof ask>> = {
  'a list': (encoding) => ask('/api/applications', encoding),
  'a list of few bytes a row': (encoding) => ask('/api/applications?$select=appType', encoding),
  'the mappings of an application': (encoding) => ask(`/api/applications/${guid}/accessScopes`, encoding),
  'an application': (encoding) => ask(`/api/applications/${guid}`, encoding),
  'a query': (encoding) =>
    askWire(`${app.url}/graphql`, { method: 'POST', headers: headers(encoding), body: { query } }),
  'the description': (encoding) => ask('/openapi.json', encoding),
};

describe.each(Object.keys(read))('%s', (name) => {
  it.each(encodings)('says the same in %s, in a fraction of the bytes', async (encoding) => {
    const plain = await read[name]!();
    expect([plain.status, plain.headers['content-encoding']]).toEqual([200, undefined]);
    expect(plain.headers.vary).toMatch(/(^|, )Accept-Encoding$/);
    const answer = await read[name]!(encoding);
    expect([answer.status, answer.headers['content-encoding']]).toEqual([200, encoding]);
    expect(answer.headers.vary).toBe(plain.headers.vary);
    expect(answer.headers.etag).toBe(plain.headers.etag);
    expect(answer.headers['content-type']).toBe(plain.headers['content-type']);
    expect(decoded(answer)).toBe(decoded(plain));
    expect(answer.bytes!.length).toBeLessThan(plain.bytes!.length / 2);
  });

  it('goes as it is to who refuses all codings, or prefers none', async () => {
    for (const encoding of ['*;q=0', 'gzip;q=0', 'identity, gzip;q=0.5'])
      expect((await read[name]!(encoding)).headers['content-encoding']).toBeUndefined();
  });
});

it('a full list goes in a tenth of its bytes', async () => {
  const plain = await ask('/api/applications');
  for (const encoding of encodings)
    expect((await ask('/api/applications', encoding)).bytes!.length).toBeLessThan(plain.bytes!.length / 10);
});

it('answers below a kilobyte, refusals and unchanged lists are not compressed', async () => {
  const short = await ask('/api/applications?$top=1&$select=name', 'gzip');
  expect([short.headers['content-encoding'], short.headers.vary]).toEqual([
    undefined,
    'authorization, Accept-Encoding',
  ]);
  expect((await ask('/api/applications?$top=x', 'gzip')).headers['content-encoding']).toBeUndefined();
  const { etag = '', vary } = (await ask('/api/applications', 'gzip')).headers;
  const unchanged = await ask('/api/applications', 'gzip', { 'if-none-match': etag });
  expect([unchanged.status, unchanged.headers['content-encoding'], unchanged.bytes!.length]).toEqual([
    304,
    undefined,
    0,
  ]);
  expect(unchanged.headers.vary).toBe(vary);
  // one tag for all codings, as it is weak
  expect((await ask('/api/applications', 'br', { 'if-none-match': etag })).status).toBe(304);
});

it.each(['/api/applications', `/openapi.json`])('HEAD of %s has no body in any coding', async (path) => {
  for (const encoding of encodings) {
    const answer = await askWire(app.url + path, { method: 'HEAD', headers: headers(encoding) });
    expect([answer.status, answer.bytes!.length]).toEqual([200, 0]);
    expect(answer.headers.vary).toMatch(/Accept-Encoding/);
  }
});

it('answers of the token endpoints and of the change of one record are never compressed', async () => {
  const client = await newClient(app.context);
  const holder = await newHolder(app.context);
  const post = (path: string, body: object) =>
    askWire(app.url + path, { method: 'POST', headers: { 'accept-encoding': 'zstd, br, gzip, *' }, body });
  const credentials = { client_id: client.clientId, client_secret: client.clientSecret };
  const exchanged = await post('/token', {
    ...exchangeBody(app.idToken({ sub: holder.userGuid })),
    ...credentials,
    profileId: holder.profileId,
  });
  const token = JSON.parse(decoded(exchanged)).access_token;
  const validated = await post('/validate-token', { token });
  const introspected = await post('/introspect', new URLSearchParams({ token, ...credentials }));
  const names = Array.from({ length: 20 }, (_, index) => `n${index}: name`).join(' ');
  const query = `mutation { createRole(input: { roleId: "compressed", name: "${'n'.repeat(200)}" }) { ${names} } }`;
  const changed = await askWire(`${app.url}/graphql`, { method: 'POST', headers: headers('gzip'), body: { query } });
  expect(changed.bytes!.length).toBeGreaterThan(4_000);
  const keys = await ask('/.well-known/jwks.json', 'gzip');
  for (const answer of [exchanged, validated, introspected, changed, keys])
    expect([answer.status, answer.headers['content-encoding']]).toEqual([200, undefined]);
});

it('the effect of a change set is compressed like a query, whatever else the request selects', async () => {
  const input = (name: string) => `input: { roleId: "${name}", name: "${'n'.repeat(200)}" }`;
  const changes = Array.from({ length: 20 }, (_, index) => `{ createRole: { ${input(`tried-${index}`)} } }`).join(', ');
  const trial = `applyChanges(changes: [${changes}], dryRun: true) { effect { outcomes { nodes { path outcome } } } }`;
  const encodingOf = async (fields: string) => {
    const body = { query: `mutation { ${fields} }` };
    const answer = await askWire(`${app.url}/graphql`, { method: 'POST', headers: headers('br'), body });
    expect(answer.status).toBe(200);
    return answer.headers['content-encoding'];
  };
  expect(await encodingOf(trial)).toBe('br');
  expect(await encodingOf(`${trial} createRole(${input('beside')}) { roleId }`)).toBeUndefined();
});

it('the page of the console is compressed, and its files are as the build made them', async () => {
  const own = await startTestApp({}, { consoleFolder: builtConsole() });
  const asset = `${own.url}/console/assets/index-4f3a.js`;
  const taken = async (encoding: string) =>
    (await askWire(asset, { headers: { 'accept-encoding': encoding } })).headers['content-encoding'];
  expect(await taken('zstd, br, gzip')).toBe('br');
  expect(await taken('br;q=0.1, gzip')).toBe('gzip');
  expect(await taken('zstd')).toBeUndefined();
  expect((await askWire(`${own.url}/console/`, { headers: { 'accept-encoding': 'br' } })).headers.vary).toBe(
    'Accept-Encoding',
  );
});

it('COMPRESSION=no: everything goes as it is, and caches are told nothing', async () => {
  const own = await startTestApp({ COMPRESSION: 'no', ADMIN_AUTH: 'none' }, { consoleFolder: builtConsole() });
  const accepting = { 'accept-encoding': 'gzip', 'api-version': '1.0' };
  for (const path of ['/openapi.json', '/api/applications', '/console/assets/index-4f3a.js']) {
    const answer = await askWire(own.url + path, { headers: accepting });
    expect([path, answer.status, answer.headers['content-encoding']]).toEqual([path, 200, undefined]);
    expect(answer.headers.vary ?? '').not.toMatch(/encoding/i);
  }
});

async function openList(): Promise<IncomingMessage> {
  const asked = get(`${app.url}/api/applications`, { headers: headers('gzip'), agent: false });
  const [answer] = (await once(asked, 'response')) as [IncomingMessage];
  answer.on('error', () => undefined);
  return answer;
}

it('a client that leaves gives its encoder back', async () => {
  for (let count = 0; count < 30; count++) {
    const answer = await openList();
    expect(answer.headers['content-encoding']).toBe('gzip');
    answer.destroy();
  }
});

it('a failure in the middle destroys the connection, and never ends the coding', async () => {
  // more than the buffers of a connection hold, however it is compressed
  await app.sql.rows(
    `insert into applications (name, icon_default, icon_hover, app_type, rendering_mode, link_type, created_by)
     select noise, noise, reverse(noise), 'web', 'tile', 'internal', $1
     from generate_series(1, 20000) i, lateral (select string_agg(encode(sha256((i * 8 + n)::text::bytea), 'hex'), '') noise from generate_series(1, 3) n) made`,
    [system],
  );
  const answer = await openList();
  answer.pause();
  // it may be told at once
  const ended = new Promise((resolve) =>
    answer.once('end', () => resolve('end')).once('error', () => resolve('error')),
  );
  const database = new URL(app.database.url).pathname.slice(1);
  await administer(
    `select pg_terminate_backend(pid) from pg_stat_activity where datname = '${database}' and query like '%row_to_json%'`,
  );
  answer.resume();
  expect(await ended).toBe('error');
});
