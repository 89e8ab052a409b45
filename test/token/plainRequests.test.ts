/** However a request is carried, its answer is the same: plainly, in pieces without a length, with a query, or compressed. */
import { request } from 'node:http';
import { gzipSync } from 'node:zlib';
import { startTestApp, type TestApp } from '../support/app.js';
import { newClient, newHolder } from '../support/records.js';

let app: TestApp;
let body: Record<string, string>;
let renewalToken: () => Promise<string>;
interface Raw {
  status: number;
  headers: Record<string, unknown>;
  text: string;
}

/** Without what differs from one answer to the next by its nature. */
function call(path: string, headers: Record<string, string | number>, bytes: Buffer, pieces = 1): Promise<Raw> {
  return new Promise((resolve, reject) => {
    const sent = request(`${app.url}${path}`, { method: 'POST', headers, agent: false }, async (response) => {
      const chunks: Buffer[] = [];
      for await (const chunk of response) chunks.push(chunk as Buffer);
      const { date: _date, ...told } = response.headers;
      const text = Buffer.concat(chunks)
        .toString()
        .replace(/"traceId":"[0-9a-f]{32}"/, '"traceId":"…"')
        .replace(/eyJ[\w.-]+/g, 'a token');
      delete told['content-length'];
      resolve({ status: response.statusCode!, headers: told, text });
    });
    sent.once('error', reject);
    const size = Math.ceil(bytes.length / pieces);
    for (let at = 0; at < bytes.length; at += size) sent.write(bytes.subarray(at, at + size));
    sent.end();
  });
}

const json = 'application/json';
const carriers: Record<string, (path: string, bytes: Buffer) => Promise<Raw>> = {
  'in pieces': (path, bytes) => call(path, { 'content-type': json }, bytes, 3),
  'with a query': (path, bytes) => call(`${path}?a=b`, { 'content-type': json, 'content-length': bytes.length }, bytes),
  'with parameters of the media type': (path, bytes) =>
    call(path, { 'content-type': `${json}; charset="UTF-8"; v=1`, 'content-length': bytes.length }, bytes),
  compressed: (path, bytes) => call(path, { 'content-type': json, 'content-encoding': 'gzip' }, gzipSync(bytes)),
};
const plainly = (path: string, bytes: Buffer) =>
  call(path, { 'content-type': json, 'content-length': bytes.length }, bytes);

const refresh = async () => ({ ...body, grant_type: 'refresh_token', refresh_token: await renewalToken() });
const cases: [string, string, () => unknown][] = [
  ['a renewal', '/token', refresh],
  ['a wrong secret', '/token', async () => ({ ...(await refresh()), client_secret: 'wrong' })],
  ['an unknown grant', '/token', () => ({ ...body, grant_type: 'password' })],
  ['a used renewal token', '/token', () => ({ ...body, grant_type: 'refresh_token', refresh_token: 'used' })],
  [
    'a profile that is not held',
    '/token',
    () => ({ ...body, grant_type: 'urn:service:authz:exchange', profileId: 'x' }),
  ],
  ['missing fields', '/token', () => ({ grant_type: 7 })],
  ['an array', '/token', () => []],
  ['no JSON', '/token', () => Buffer.from('{"grant_type":')],
  ['bytes that are no UTF-8', '/token', () => Buffer.from([0x7b, 0xff, 0x7d])],
  ['a byte order mark', '/validate-token', () => Buffer.from('\ufeff{"token":"x"}')],
  ['no body', '/token', () => Buffer.alloc(0)],
  ['a token to revoke', '/revoke', async () => ({ token: await renewalToken() })],
  ['an unknown token to revoke', '/revoke', () => ({ token: 'x' })],
  ['nothing to revoke', '/revoke', () => ({ token: '' })],
  ['a token to validate', '/validate-token', async () => ({ token: 'x.y.z' })],
  ['a token to revoke, of a client', '/revoke', async () => ({ ...body, token: await renewalToken() })],
  ['a token to validate, of a client', '/validate-token', () => ({ ...body, token: 'x.y.z' })],
  [
    'a token to validate, with a wrong secret',
    '/validate-token',
    () => ({ ...body, token: 'x', client_secret: 'wrong' }),
  ],
  ['nothing to validate', '/validate-token', () => ({})],
  ['no JSON to validate', '/validate-token', () => Buffer.from('token')],
];

describe.each(['documented', 'hardened'])('under the %s policy', (policy) => {
  beforeAll(async () => {
    app = await startTestApp({ TOKEN_POLICY: policy });
    const client = await newClient(app.context);
    const { userGuid, profileId } = await newHolder(app.context);
    body = { profileId, client_id: client.clientId, client_secret: client.clientSecret };
    renewalToken = async () => {
      const exchange = { ...body, grant_type: 'urn:service:authz:exchange', id_token: app.idToken({ sub: userGuid }) };
      return (await app.post('/token', exchange)).json.refresh_token;
    };
  });
  afterAll(() => app.close());

  describe.each(Object.keys(carriers))('%s', (carrier) => {
    it.each(cases)('%s at %s', async (_name, path, makeBody) => {
      const bytesOf = async () => {
        const made = await makeBody();
        return Buffer.isBuffer(made) ? made : Buffer.from(JSON.stringify(made));
      };
      const expected = await plainly(path, await bytesOf());
      expect(await carriers[carrier]!(path, await bytesOf())).toEqual(expected);
      expect(expected.headers).toMatchObject({ 'cache-control': 'no-store', 'x-content-type-options': 'nosniff' });
    });
  });

  it('a body that breaks off is nobody’s, and the next request is answered', async () => {
    await new Promise<void>((resolve) => {
      const sent = request(`${app.url}/token`, {
        method: 'POST',
        headers: { 'content-type': json, 'content-length': 100 },
      });
      sent.on('error', () => resolve());
      sent.write('{"grant_type"', () => sent.destroy());
    });
    const next = await plainly('/revoke', Buffer.from(JSON.stringify({ ...body, token: 'x' })));
    expect(next.status).toBe(404);
  });
});
