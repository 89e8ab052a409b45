/** Requests that no client should send: each is answered as designed, and the log keeps no secret. */
import { buffer } from 'node:stream/consumers';
import { brotliCompressSync, constants, createZstdCompress, deflateSync, gzipSync, zstdCompressSync } from 'node:zlib';
import { type Answer, startTestApp, type TestApp } from '../support/app.js';
import { newClient, newHolder } from '../support/records.js';
import { exchangeBody } from '../support/tokens.js';

let app: TestApp;
let good: Record<string, unknown>;
beforeAll(async () => {
  app = await startTestApp();
  const client = await newClient(app.context, 'canary-secret-of-the-client');
  const holder = await newHolder(app.context);
  good = {
    ...exchangeBody(app.idToken({ sub: holder.userGuid })),
    profileId: holder.profileId,
    client_id: client.clientId,
    client_secret: client.clientSecret,
  };
});
afterAll(() => app.close());

const required = ['grant_type', 'profileId', 'client_id', 'client_secret'];
function expectProblem(answer: Answer, status: number, fields: string[] = []): void {
  expect(answer.status).toBe(status);
  expect(answer.headers.get('content-type')).toBe('application/problem+json');
  expect(answer.headers.get('cache-control')).toBe('no-store');
  expect(answer.json).toMatchObject({
    type: expect.any(String),
    title: expect.any(String),
    status,
    traceId: expect.stringMatching(/^[0-9a-f]{32}$/),
  });
  if (fields.length > 0) expect(Object.keys(answer.json.errors).sort()).toEqual([...fields].sort());
}

describe('a required field of /token', () => {
  for (const field of required)
    it.each([
      ['absent', undefined],
      ['null', null],
      ['empty', ''],
      ['a number', 1],
      ['true', true],
      ['an array', ['x']],
      ['an object', {}],
    ])(`${field} that is %s is a 400 problem naming it, before the client check`, async (_name, value) => {
      const body = { ...good, client_secret: 'wrong', [field]: value };
      expectProblem(await app.post('/token', body), 400, [field]);
    });

  it('tells all faults together', async () => {
    expectProblem(await app.post('/token', { id_token: 5, refresh_token: [] }), 400, [
      ...required,
      'id_token',
      'refresh_token',
    ]);
  });

  it.each(['id_token', 'refresh_token'])('%s may be null, but no other type', async (field) => {
    expectProblem(await app.post('/token', { ...good, [field]: 1 }), 400, [field]);
  });

  it('is not satisfied by a prototype: __proto__ is just another field', async () => {
    const body = `{"__proto__": ${JSON.stringify(good)}, "constructor": 1}`;
    expectProblem(await app.post('/token', body), 400, required);
    const answer = await app.post('/token', `{"__proto__": null, ${JSON.stringify(good).slice(1)}`);
    expect(answer.status).toBe(200);
  });

  it('is read among extra ones, which are ignored', async () => {
    expect((await app.post('/token', { more: [1, { a: { a: null } }], ...good })).status).toBe(200);
  });
});

describe('a body', () => {
  it.each([
    '',
    '{',
    'null',
    '[]',
    '"x"',
    '5',
    'true',
    '{"a":1}}',
    '\u0000',
    '{"a":\u0001}',
    Buffer.from([0xff, 0xfe]),
    Buffer.from('{"grant_type":"\xff"}', 'latin1'),
  ])('%j is a 400 problem', async (body) => expectProblem(await app.post('/token', body), 400));

  it.each([
    ['before', '"profileId": "other",', ''],
    ['behind', '', ', "profileId": "other"'],
    ['with the same value', '"client_id": null,', ', "client_id" : null'],
    ['spelled with an escape', '"grant\\u005ftype": "x",', ''],
    ['inside an extra member', '"more": [{"a": "\\\\", "a": "\\""}],', ''],
    ['as __proto__', '"__proto__": 1, "__proto__": 2,', ''],
  ])('with a member twice is a 400 problem: %s', async (_name, before, behind) => {
    const members = JSON.stringify(good).slice(1, -1);
    expectProblem(await app.post('/token', `{${before}${members}${behind}}`), 400, ['$']);
    const { status, json } = await app.post('/validate-token', `{${before}"token": "x", "token": "y"${behind}}`);
    expect([status, json]).toEqual([400, { is_valid: false, error: 'Token is invalid or expired' }]);
  });

  it('may begin with a byte order mark', async () => {
    expect((await app.post('/token', `\ufeff${JSON.stringify(good)}`)).status).toBe(200);
  });

  it('over 64 KiB is 413, whatever it holds', async () => {
    const padded = (length: number) =>
      JSON.stringify({ ...good, pad: '' }).replace('"pad":""', `"pad":"${'x'.repeat(length)}"`);
    const room = 64 * 1024 - JSON.stringify({ ...good, pad: '' }).length;
    expect((await app.post('/token', padded(room))).status).toBe(200);
    expectProblem(await app.post('/token', padded(room + 1)), 413);
    expectProblem(await app.post('/token', '['.repeat(100_000)), 413);
    expectProblem(await app.post('/token', 'x'.repeat(10_000_000)), 413);
  });

  it('of a thousand keys or 30,000 levels is judged like any other', async () => {
    const keys = Object.fromEntries(Array.from({ length: 4_000 }, (_, index) => [`k${index}`, 1]));
    expect((await app.post('/token', { ...keys, ...good })).status).toBe(200);
    const deep = JSON.stringify(good).replace('{', `{"deep":${'['.repeat(30_000)}${']'.repeat(30_000)},`);
    expect((await app.post('/token', deep)).status).toBe(200);
  });

  it.each([
    'application/json; charset=utf-8',
    'APPLICATION/JSON',
    'application/json;charset="UTF-8";x=y',
    'application/json; charset=us-ascii',
    'application/json; charset="ISO-8859-1"',
    'application/json; charset=windows-1252',
    'application/json; charset=',
    'application/json; charset=x-unknown',
    'application/vnd.api+json',
    'text/json',
  ])('of type %s is read', async (type) =>
    expect((await app.post('/token', good, { 'content-type': type })).status).toBe(200));

  it.each([
    'text/plain',
    'application/xml',
    'application/json; charset=utf-16',
    'application/json; charset="UTF-16LE"',
    'application/json; charset=utf-32be',
    'application/json; charset=iso-10646-ucs-2',
    'application/jsonx',
    'multipart/form-data',
    'nonsense',
    '',
  ])('of type "%s" is 415', async (type) =>
    expectProblem(await app.post('/token', good, { 'content-type': type }), 415));

  it('with a label of another charset is read as UTF-8, and refused where its bytes are none', async () => {
    const label = { 'content-type': 'application/json; charset=iso-8859-1' };
    expect((await app.post('/validate-token', Buffer.from('{"token":"\u00e9"}', 'latin1'), label)).status).toBe(400);
    expectProblem(await app.post('/token', Buffer.from('{"grant_type":"\u00e9"}', 'latin1'), label), 400);
    expectProblem(await app.post('/token', Buffer.from(JSON.stringify(good), 'utf16le'), label), 400);
  });

  it.each([
    ['gzip', gzipSync],
    ['x-gzip', gzipSync],
    ['deflate', deflateSync],
    ['br', brotliCompressSync],
    ['zstd', zstdCompressSync],
  ])('compressed by %s is inflated, 413 when that is too large, and 400 when it breaks off', async (encoding, compress) => {
    const headers = { 'content-encoding': encoding };
    const compressed = compress(JSON.stringify(good));
    expect((await app.post('/token', compressed, headers)).status).toBe(200);
    expectProblem(await app.post('/token', compress('x'.repeat(1_000_000)), headers), 413);
    expectProblem(await app.post('/token', compressed.subarray(0, -9), headers), 400);
    const form = { ...headers, 'content-type': 'application/x-www-form-urlencoded' };
    expect((await app.post('/token', 'no such bytes', form)).json).toMatchObject({ error: 'invalid_request' });
  });

  it('compressed by zstd for a window of more than the 8 MiB of RFC 9659 is 400: so much memory would be taken for it', async () => {
    const headers = { 'content-encoding': 'zstd' };
    const wide = (windowLog: number) => {
      const stream = createZstdCompress({ params: { [constants.ZSTD_c_windowLog]: windowLog } });
      stream.write(JSON.stringify(good));
      // of a size that is not known then: otherwise the window is no larger than the content
      stream.flush(() => stream.end());
      return buffer(stream);
    };
    expect((await app.post('/token', await wide(23), headers)).status).toBe(200);
    expectProblem(await app.post('/token', await wide(24), headers), 400);
  });

  it('compressed in a way that nobody knows is 415', async () => {
    expectProblem(await app.post('/token', JSON.stringify(good), { 'content-encoding': 'sdch' }), 415);
  });
});

it.each([
  'GET',
  'PUT',
  'DELETE',
  'PATCH',
  'OPTIONS',
])('%s on the three paths is 405 and names POST, before anything else', async (method) => {
  for (const path of ['/token', '/revoke', '/validate-token']) {
    const response = await fetch(app.url + path, { method });
    expect([response.status, response.headers.get('allow'), response.headers.get('cache-control')]).toEqual([
      405,
      'POST',
      'no-store',
    ]);
  }
});

it.each([
  '/Token',
  '/token/x',
  '/tokens',
  '/%74oken/../nothing',
  '/nothing',
  '/%ff',
])('%s is no path of the service', async (path) => {
  const answer = await app.post(path, good);
  expect([400, 404]).toContain(answer.status);
  expect(answer.headers.get('content-type')).toMatch(/problem\+json/);
});

it.each([
  'grant_type',
  'profileId',
  'client_id',
  'client_secret',
  'id_token',
  'refresh_token',
])('NUL, lone surrogates and 60 kB in %s never fail the service', async (field) => {
  for (const value of ['\0', 'a\0b', '\ud800', '\udc00x', 'é'.repeat(30_000)])
    for (const grant_type of ['urn:service:authz:exchange', 'refresh_token'])
      expect((await app.post('/token', { ...good, grant_type, [field]: value })).status).toBeLessThan(500);
});

it('no secret and no token is in the log', async () => {
  const { json } = await app.post('/token', good);
  await app.post('/token', { ...good, client_secret: 'canary-wrong-secret' });
  await app.post('/revoke', { token: json.refresh_token });
  await app.post('/validate-token', { token: `${json.access_token}x` });
  const canaries = [
    'canary-secret-of-the-client',
    'canary-wrong-secret',
    good.id_token,
    json.refresh_token,
    json.access_token,
  ] as string[];
  expect(app.logged().length).toBeGreaterThan(0);
  for (const canary of canaries) expect(app.logged()).not.toContain(canary);
});
