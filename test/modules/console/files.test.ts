/** The console's pages and files, as browsers get and keep them. */
import { get } from 'node:http';
import { buffer } from 'node:stream/consumers';
import { brotliDecompressSync, gunzipSync } from 'node:zlib';
import { startTestApp } from '../../support/app.js';
import { builtConsole, script } from './consoleApp.js';

const ask = (url: string, init: RequestInit = {}) => fetch(url, { redirect: 'manual', ...init });

/** Node's fetch would inflate and hide it. */
const askEncoded = (url: string, encodings: string) =>
  new Promise<{ encoding: string | undefined; vary: string | undefined; body: Buffer }>((resolve, reject) => {
    get(url, { headers: { 'accept-encoding': encodings } }, async (answer) => {
      const { 'content-encoding': encoding, vary } = answer.headers;
      resolve({ encoding, vary, body: await buffer(answer) });
    }).once('error', reject);
  });

describe('with built files', () => {
  let url: string;
  beforeAll(async () => {
    ({ url } = await startTestApp({}, { consoleFolder: builtConsole() }));
  });

  it('every path below /console that is no file is its page, never kept without asking again', async () => {
    for (const path of ['/console/', '/console/applications/5?tab=access', '/console/users/a.b', '/console/why']) {
      const answer = await ask(url + path);
      expect([path, answer.status, answer.headers.get('content-type')]).toEqual([
        path,
        200,
        'text/html; charset=utf-8',
      ]);
      expect(answer.headers.get('cache-control')).toBe('no-cache');
      expect(await answer.text()).toContain('<base href="/console/">');
    }
  });

  it('its page runs nothing but its own scripts, sends nothing elsewhere and stands in no frame', async () => {
    const { headers } = await ask(`${url}/console/`);
    expect(headers.get('content-security-policy')).toBe(
      "default-src 'none'; script-src 'self'; style-src 'self'; img-src 'self'; font-src 'self'; connect-src 'self'; form-action 'self'; base-uri 'self'; frame-ancestors 'none'; require-trusted-types-for 'script'; trusted-types 'none'",
    );
    expect(headers.get('cross-origin-opener-policy')).toBe('same-origin');
    expect(headers.get('x-content-type-options')).toBe('nosniff');
  });

  it.each(['/', '/console'])('GET %s leads to the console', async (path) => {
    const answer = await ask(url + path);
    expect([302, 308]).toContain(answer.status);
    expect(answer.headers.get('location')).toBe('/console/');
  });

  it('an asset stays in the browser for a year', async () => {
    const answer = await ask(`${url}/console/assets/index-4f3a.js`);
    expect(answer.headers.get('cache-control')).toBe('public, max-age=31536000, immutable');
    expect(answer.headers.get('content-type')).toBe('text/javascript; charset=utf-8');
    expect(await answer.text()).toBe(script);
  });

  it.each([
    '/console/assets/index-4f3a.js',
    '/console/favicon.svg',
    '/docs/swagger-ui.css',
    '/graphql/assets/react.js',
  ])('no cache keeps a refusal in place of the file %s, and parts of it are not sent', async (path) => {
    const date = 'Fri, 01 Jan 1999 00:00:00 GMT';
    const refused = await ask(url + path, { headers: { 'if-unmodified-since': date } });
    const { headers } = refused;
    expect([refused.status, await refused.text()]).toEqual([412, expect.stringContaining('Precondition Failed')]);
    expect(['cache-control', 'content-encoding', 'last-modified'].map((name) => headers.get(name))).toEqual([
      'no-store',
      null,
      null,
    ]);
    // RFC 9110 §14.2: a server may ignore Range, and is never wrong with it
    const whole = await ask(url + path, { headers: { range: 'bytes=99999999-' } });
    expect([whole.status, whole.headers.get('accept-ranges')]).toEqual([200, null]);
  });

  it('an asset comes as the build compressed it, for who can read that', async () => {
    const asset = `${url}/console/assets/index-4f3a.js`;
    const brotli = await askEncoded(asset, 'gzip, deflate, br');
    expect([brotli.encoding, brotli.vary]).toEqual(['br', 'Accept-Encoding']);
    expect(brotliDecompressSync(brotli.body).toString()).toBe(script);
    const gzip = await askEncoded(asset, 'gzip');
    expect([gzip.encoding, gunzipSync(gzip.body).toString()]).toEqual(['gzip', script]);
    const plain = await askEncoded(asset, 'identity');
    expect([plain.encoding, plain.vary, plain.body.toString()]).toEqual([undefined, 'Accept-Encoding', script]);
    const refused = await askEncoded(asset, 'br;q=0, gzip;q=0');
    expect([refused.encoding, refused.body.toString()]).toEqual([undefined, script]);
    const small = await askEncoded(`${url}/console/assets/small-77b0.css`, 'br');
    expect([small.encoding, small.body.toString()]).toEqual([undefined, 'body{}']);
  });

  it.each([
    '/console/assets/none-1.js',
    '/console/assets/',
    '/console/assets/%2e%2e%2findex.html',
  ])('%s is no page that would be run as a script', async (path) => {
    expect((await ask(url + path)).status).toBe(404);
  });

  it('what stands beside the page is a file', async () => {
    const answer = await ask(`${url}/console/favicon.svg`);
    expect([answer.status, answer.headers.get('content-type')]).toEqual([200, 'image/svg+xml']);
  });

  it('pages answer GET and HEAD alone', async () => {
    const refused = await ask(`${url}/console/why`, { method: 'POST' });
    expect([refused.status, refused.headers.get('allow')]).toEqual([405, 'GET, HEAD']);
    expect((await ask(`${url}/console/why`, { method: 'HEAD' })).status).toBe(200);
  });
});

it('the console with a base path has all its files below it', async () => {
  const { url } = await startTestApp({ BASE_PATH: '/gate' }, { consoleFolder: builtConsole() });
  expect((await ask(`${url}/gate/`)).headers.get('location')).toBe('/gate/console/');
  expect(await (await ask(`${url}/gate/console/a/b`)).text()).toContain('<base href="/gate/console/">');
  expect((await ask(`${url}/gate/console/assets/index-4f3a.js`)).status).toBe(200);
  expect((await ask(`${url}/console/`)).status).toBe(404);
});

it('behind a proxy that takes the prefix away, the page knows the path that browsers see', async () => {
  const settings = { ISSUER_URL: 'https://example.com/auth' };
  const { url } = await startTestApp(settings, { consoleFolder: builtConsole() });
  expect(await (await ask(`${url}/console/`)).text()).toContain('<base href="/auth/console/">');
});

async function expectNoConsole(url: string): Promise<void> {
  for (const path of ['/', '/console', '/console/', '/console/sign-in', '/console/assets/index-4f3a.js'])
    expect([path, (await ask(url + path)).status]).toEqual([path, 404]);
  expect((await ask(`${url}/console/graphql`, { method: 'POST' })).status).toBe(404);
}

it('CONSOLE=no: there is no console, and / is as before', async () => {
  const { url } = await startTestApp({ CONSOLE: 'no' }, { consoleFolder: builtConsole() });
  await expectNoConsole(url);
});

it('there is no console without built files, and the log says why, once', async () => {
  const { url, logged } = await startTestApp({}, { consoleFolder: '/nowhere' });
  await expectNoConsole(url);
  expect(logged().match(/it is not built/g)).toHaveLength(1);
});
