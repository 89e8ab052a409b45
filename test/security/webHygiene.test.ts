/** What every answer tells browsers, which pages of other sites may call, and what is read of a request before it is judged. */
import { connect } from 'node:net';
import { createListener } from '../../src/server/httpServer.js';
import { startTestApp, type TestApp } from '../support/app.js';

let app: TestApp;
afterEach(() => app.close());
const page = 'https://app.example';

const ask = (path: string, method: string, headers: Record<string, string> = {}): Promise<Response> =>
  fetch(app.url + path, { method, headers });

/** The Access-Control headers and Vary of an answer, and its status. */
async function corsOf(path: string, method: string, headers: Record<string, string>): Promise<object> {
  const response = await ask(path, method, headers);
  const shown = [...response.headers].filter(([name]) => name.startsWith('access-control-') || name === 'vary');
  return { status: response.status, ...Object.fromEntries(shown) };
}

it('every answer, whatever it is, tells browsers that it is no page', async () => {
  app = await startTestApp();
  const askings: [string, string][] = [
    ['/token', 'POST'],
    ['/token', 'GET'],
    ['/validate-token', 'POST'],
    ['/introspect', 'POST'],
    ['/.well-known/jwks.json', 'GET'],
    ['/.well-known/oauth-authorization-server', 'GET'],
    ['/api/applications', 'GET'],
    ['/graphql', 'POST'],
    ['/openapi.json', 'GET'],
    ['/nothing', 'GET'],
    ['/%ff', 'GET'],
  ];
  for (const [path, method] of askings) {
    const { headers } = await ask(path, method);
    expect([path, Object.fromEntries(headers)]).toEqual([
      path,
      expect.objectContaining({
        'x-content-type-options': 'nosniff',
        'x-frame-options': 'DENY',
        'referrer-policy': 'no-referrer',
        'cross-origin-resource-policy': 'same-origin',
        'content-security-policy': "default-src 'none'; frame-ancestors 'none'",
      }),
    ]);
    expect(headers.has('x-powered-by') || headers.has('server') || headers.has('strict-transport-security')).toBe(
      false,
    );
  }
});

it('the pages that there are say for themselves what they load, and take nothing from elsewhere', async () => {
  app = await startTestApp({ GRAPHQL_INTROSPECTION: 'yes' });
  for (const path of ['/docs', '/graphql']) {
    const response = await ask(path, 'GET', { accept: 'text/html' });
    const policy = response.headers.get('content-security-policy');
    expect([response.status, policy]).toEqual([200, expect.stringContaining("script-src 'self'")]);
    expect(policy).toContain("default-src 'none'");
    expect(policy).toContain("frame-ancestors 'none'");
    expect(policy).not.toMatch(/https?:|\*|unsafe-eval/);
    expect(response.headers.get('x-frame-options')).toBe('DENY');
    for (const [, asset] of (await response.text()).matchAll(/(?:src|href)="([^":]+)"/g))
      expect((await ask(`/${asset}`, 'GET')).status).toBe(200);
  }
});

it('an issuer that is https makes browsers keep to it', async () => {
  app = await startTestApp({ ISSUER_URL: 'https://auth.example' });
  const { headers } = await ask('/.well-known/jwks.json', 'GET');
  expect(headers.get('strict-transport-security')).toBe('max-age=31536000');
});

describe('pages of other sites', () => {
  const preflight = { 'access-control-request-method': 'POST', 'access-control-request-headers': 'content-type' };

  it('are not allowed anything where CORS_ORIGINS is not set', async () => {
    app = await startTestApp();
    expect(await corsOf('/token', 'OPTIONS', { origin: page, ...preflight })).toEqual({ status: 405 });
    expect(await corsOf('/.well-known/jwks.json', 'GET', { origin: page })).toEqual({ status: 200 });
  });

  it('of the origins set may call the token endpoints, keys and metadata, and nothing else', async () => {
    app = await startTestApp({ CORS_ORIGINS: `${page}, https://other.example:8443`, BASE_PATH: '/auth' });
    const paths = ['/auth/token', '/auth/revoke', '/auth/validate-token', '/auth/introspect'];
    const documents = ['/auth/.well-known/jwks.json', '/.well-known/oauth-authorization-server/auth'];
    for (const path of [...paths, ...documents])
      expect(await corsOf(path, 'OPTIONS', { origin: page, ...preflight })).toEqual({
        status: 204,
        vary: 'Origin',
        'access-control-allow-origin': page,
        'access-control-expose-headers': 'DPoP-Nonce, Retry-After, Trace-Id, WWW-Authenticate',
        'access-control-allow-methods': 'GET, HEAD, POST',
        'access-control-allow-headers': 'Authorization, Content-Type, DPoP, Idempotency-Key, Traceparent',
        'access-control-max-age': '600',
      });
    for (const path of documents)
      expect(await corsOf(path, 'GET', { origin: page })).toMatchObject({
        status: 200,
        'access-control-allow-origin': page,
      });
    for (const path of paths)
      expect((await ask(path, 'OPTIONS', { origin: page, ...preflight })).headers.get('cache-control')).toBe(
        'no-store',
      );
    const refused = await corsOf('/auth/token', 'POST', { origin: page });
    expect(refused).toMatchObject({ status: 415, 'access-control-allow-origin': page });
    for (const path of [
      '/auth/api/applications',
      '/auth/graphql',
      '/auth/openapi.json',
      '/auth/token/x',
      '/auth/Token',
    ])
      for (const method of ['GET', 'OPTIONS'])
        expect(Object.keys(await corsOf(path, method, { origin: page, ...preflight }))).not.toContain(
          'access-control-allow-origin',
        );
  });

  it.each([
    'https://app.example.evil.example',
    'http://app.example',
    'https://app.example:444',
    'https://APP.example',
    'null',
    'https://app.example, https://evil.example',
  ])('of %s are not among them: a preflight stays 405', async (origin) => {
    app = await startTestApp({ CORS_ORIGINS: page });
    expect(await corsOf('/token', 'OPTIONS', { origin, ...preflight })).toEqual({ status: 405, vary: 'Origin' });
    expect(await corsOf('/.well-known/jwks.json', 'GET', { origin })).toEqual({ status: 200, vary: 'Origin' });
  });

  it('of ADMIN_CORS_ORIGINS may call /graphql, ask it what a request costs, and nothing else; those of CORS_ORIGINS may not', async () => {
    const other = 'https://other.example';
    app = await startTestApp({ ADMIN_CORS_ORIGINS: page, CORS_ORIGINS: other, BASE_PATH: '/auth' });
    expect(await corsOf('/auth/graphql', 'OPTIONS', { origin: page, ...preflight })).toEqual({
      status: 204,
      vary: 'Origin',
      'access-control-allow-origin': page,
      'access-control-expose-headers': 'DPoP-Nonce, Retry-After, Trace-Id, WWW-Authenticate',
      'access-control-allow-methods': 'GET, POST',
      'access-control-allow-headers':
        'Authorization, Content-Type, DPoP, Idempotency-Key, Traceparent, x-gatehouse-cost',
      'access-control-max-age': '600',
    });
    expect(await corsOf('/auth/graphql', 'POST', { origin: page })).toMatchObject({
      status: 401,
      'access-control-allow-origin': page,
    });
    for (const [path, origin] of [
      ['/auth/graphql', other],
      ['/auth/token', page],
      ['/auth/.well-known/jwks.json', page],
      ['/auth/api/applications', page],
    ] as const)
      expect(await corsOf(path, 'OPTIONS', { origin, ...preflight })).not.toHaveProperty('access-control-allow-origin');
    expect((await corsOf('/auth/graphql', 'OPTIONS', { origin: other, ...preflight })) as object).toMatchObject({
      status: 405,
    });
  });

  it('all are with *, without credentials', async () => {
    app = await startTestApp({ CORS_ORIGINS: '*' });
    const cors = await corsOf('/token', 'OPTIONS', { origin: 'https://any.example', ...preflight });
    expect(cors).toMatchObject({ status: 204, 'access-control-allow-origin': '*' });
    expect(cors).not.toHaveProperty('access-control-allow-credentials');
    expect(await corsOf('/token', 'OPTIONS', { origin: page })).toMatchObject({ status: 405 });
  });
});

describe('a request', () => {
  it('that comes slowly is cut off by the server itself', async () => {
    app = await startTestApp();
    const { headersTimeout, requestTimeout, keepAliveTimeout, timeout } = createListener({
      connectionsMax: 1,
      readerBytesPerSecondMin: 0,
      log: app.context.log,
    });
    expect({ headersTimeout, requestTimeout, keepAliveTimeout, timeout }).toEqual({
      headersTimeout: 15_000,
      requestTimeout: 60_000,
      keepAliveTimeout: 65_000,
      timeout: 120_000,
    });
  });

  it.each([
    ['with 20 kB of headers', `GET / HTTP/1.1\r\nhost: x\r\nx: ${'y'.repeat(20_000)}\r\n\r\n`, '431'],
    ['with two lengths', 'POST /token HTTP/1.1\r\nhost: x\r\ncontent-length: 1\r\ncontent-length: 2\r\n\r\n{}', '400'],
    [
      'with a length and chunks',
      'POST /token HTTP/1.1\r\nhost: x\r\ncontent-length: 3\r\ntransfer-encoding: chunked\r\n\r\n0\r\n\r\n',
      '400',
    ],
    ['without a host', 'GET / HTTP/1.1\r\n\r\n', '400'],
    ['with a bare line feed in a header', 'GET / HTTP/1.1\r\nhost: x\r\nx: a\nb: c\r\n\r\n', '400'],
    ['of another protocol', 'SSH-2.0-OpenSSH_9.9\r\n\r\n', '400'],
  ])('%s is refused before anybody looks at it', async (_name, text, status) => {
    app = await startTestApp();
    expect(await sendRaw(text)).toMatch(new RegExp(`^HTTP/1.1 ${status} `));
  });
});

function sendRaw(text: string): Promise<string> {
  const { hostname, port } = new URL(app.url);
  return new Promise((resolve, reject) => {
    let answer = '';
    const socket = connect(Number(port), hostname, () => socket.write(text));
    socket.on('data', (chunk) => {
      answer += chunk;
      socket.end();
    });
    socket.on('close', () => resolve(answer));
    socket.on('error', reject);
  });
}
