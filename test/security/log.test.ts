/** The log: a line for each event whatever anybody sends, and of a request nothing but what the list allows. */
import { connect } from 'node:net';
import { openLog } from '../../src/observability/log.js';
import { startTestApp, type TestApp } from '../support/app.js';

let app: TestApp | undefined;
afterEach(async () => {
  await app?.close();
  app = undefined;
});

const linesOf = (text: string): Record<string, unknown>[] =>
  text
    .split('\n')
    .filter(Boolean)
    .map((line) => JSON.parse(line));
const requestsIn = (text: string) => linesOf(text).filter(({ msg }) => msg === 'request');

/** Every character that ends a line, moves a cursor or turns the direction somewhere. */
const forged = '\r\n{"level":30,"msg":"forged"}\n\u0085\u2028\u2029\u000b\u000c\u001b[2J\u009b31m\u202e\u2066\u007f';

it('the log has one line for an event, without control characters, whatever values it has', () => {
  let written = '';
  const write = (text: string) => {
    written += text;
  };
  const log = openLog('info', { write });
  log.info({ detail: forged, [forged]: 1 }, forged);
  log.error({ error: new Error(forged) }, 'failed');
  expect(written.split('\n')).toHaveLength(3);
  expect(written.replaceAll('\n', '')).not.toMatch(/[\p{Cc}\p{Zl}\p{Zp}\u202a-\u202e\u2066-\u2069]/u);
  expect(linesOf(written)[0]).toMatchObject({ detail: forged, msg: forged });
});

it('tells of an error where it was, and no line of its message that looks like a place', () => {
  const written: string[] = [];
  const log = openLog('info', { write: (text) => void written.push(text) });
  log.error({ error: Object.assign(new Error('a\n    at canary ($&)\nb'), { code: '22P02' }) }, 'failed');
  expect(linesOf(written.join(''))[0]).toMatchObject({
    error: { stack: expect.arrayContaining([expect.stringContaining('log.test')]) },
  });
  expect(written.join('')).not.toContain('canary');
});

it('keeps the message of an error of the system, whose code looks like a state of SQL', () => {
  const written: string[] = [];
  const log = openLog('info', { write: (text) => void written.push(text) });
  log.error({ error: Object.assign(new Error('write EPIPE'), { code: 'EPIPE', syscall: 'write' }) }, 'failed');
  expect(linesOf(written.join(''))[0]).toMatchObject({ error: { code: 'EPIPE', message: 'write EPIPE' } });
});

it('the log line of a request has method, route, status, duration and trace id, and nothing else', async () => {
  app = await startTestApp({ ACCESS_LOG: 'all' });
  const traceId = 'a'.repeat(32);
  const headers = {
    traceparent: `00-${traceId}-${'b'.repeat(16)}-01`,
    cookie: 'canary',
    authorization: 'Bearer canary',
  };
  await app.post('/token?canary=1', { canary: 1 }, headers);
  await fetch(`${app.url}/.well-known/jwks.json?canary`);
  await fetch(`${app.url}/api/applications/canary`, { headers: { 'api-version': '1.0', 'user-agent': 'canary' } });
  await fetch(`${app.url}/canary%0d%0acanary`);
  const requests = requestsIn(app.logged());
  expect(requests.map(({ method, route, status }) => [method, route, status])).toEqual([
    ['POST', '/token', 400],
    ['GET', '/.well-known/jwks.json', 200],
    ['GET', expect.stringMatching(/^\/api\/applications\/|^-$/), 401],
    ['GET', '-', 404],
  ]);
  for (const request of requests)
    expect(Object.keys(request).sort()).toEqual(
      ['durationMs', 'level', 'method', 'msg', 'route', 'status', 'time', 'traceId'].sort(),
    );
  expect(requests[0]).toMatchObject({ traceId, durationMs: expect.any(Number) });
  expect(app.logged()).not.toContain('canary');
});

it.each([
  ['failures', [404]],
  ['no', []],
  ['all', [200, 404]],
])('ACCESS_LOG=%s has the requests of status %j', async (accessLog, expected) => {
  app = await startTestApp({ ACCESS_LOG: accessLog });
  await fetch(`${app.url}/.well-known/jwks.json`);
  await fetch(`${app.url}/nothing`);
  expect(requestsIn(app.logged()).map(({ status }) => status)).toEqual(expected);
});

it('a trace id that is none, or tries to be more, is replaced', async () => {
  app = await startTestApp({ ACCESS_LOG: 'all' });
  for (const traceparent of [
    'x',
    `00-${'a'.repeat(32)}-${'b'.repeat(16)}-01\u0085canary`,
    `00-${'A'.repeat(32)}-${'b'.repeat(16)}-01`,
  ])
    await sendRaw(`GET /nothing HTTP/1.1\r\nhost: x\r\ntraceparent: ${traceparent}\r\nconnection: close\r\n\r\n`);
  for (const { traceId } of requestsIn(app.logged())) expect(traceId).toMatch(/^[0-9a-f]{32}$/);
  expect(app.logged()).not.toMatch(/canary|a{32}/i);
});

function sendRaw(text: string): Promise<void> {
  const { hostname, port } = new URL(app!.url);
  return new Promise((resolve) => {
    const socket = connect(Number(port), hostname, () => socket.write(text));
    socket.resume().on('close', () => resolve());
  });
}
