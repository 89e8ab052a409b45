/** Bytes that no HTTP library would send, over bare sockets: never an error of the service, and it goes on. */
import { randomUUID } from 'node:crypto';
import { connect, type Socket } from 'node:net';
import { type Answer, startTestApp, type TestApp } from '../support/app.js';
import { openCallers } from '../support/callers.js';
import { newClient, newHolder } from '../support/records.js';
import { exchangeBody } from '../support/tokens.js';
import { elapse, until } from '../support/until.js';

let app: TestApp;
let body: string;
let port: number;
beforeAll(async () => {
  app = await startTestApp();
  const { clientId, clientSecret } = await newClient(app.context);
  const { userGuid, profileId } = await newHolder(app.context);
  port = Number(new URL(app.url).port);
  body = JSON.stringify({
    ...exchangeBody(app.idToken({ sub: userGuid })),
    profileId,
    client_id: clientId,
    client_secret: clientSecret,
  });
});
afterEach(async () => {
  expect((await good()).status).toBe(200);
  expect(app.logged()).not.toMatch(/"level":(50|60)/);
});
afterAll(() => app.close());

const good = (): Promise<Answer> => app.post('/token', body);
const json = 'Content-Type: application/json';
const form = 'Content-Type: application/x-www-form-urlencoded';
const length = () => `Content-Length: ${Buffer.byteLength(body)}`;
/** Head and body of a request, with what the head has by default. */
const request = (headers: string[], content = body, line = 'POST /token HTTP/1.1'): string =>
  [line, 'Host: localhost', 'Connection: close', ...headers, '', content].join('\r\n');

function open(): { socket: Socket; all: Promise<string> } {
  const socket = connect({ port, host: '127.0.0.1' });
  let received = '';
  socket.setEncoding('latin1').on('data', (chunk: string) => {
    received += chunk;
  });
  const all = new Promise<string>((resolve) => {
    socket.on('error', () => undefined).on('close', () => resolve(received));
  });
  return { socket, all };
}

/** All that the server answers until it closes the connection. */
async function send(...parts: (string | Buffer)[]): Promise<string> {
  const { socket, all } = open();
  for (const part of parts) {
    socket.write(typeof part === 'string' ? Buffer.from(part, 'latin1') : part);
    await new Promise((resolve) => setImmediate(resolve));
  }
  return all;
}

const statusesOf = (answer: string): number[] =>
  [...answer.matchAll(/HTTP\/1\.1 (\d{3}) /g)].map(([, status]) => Number(status));

/** Answered, or refused by the caller's own fault. */
const expectNoFault = (status: number): void =>
  expect([status, status === 200 || (status >= 400 && status < 500)]).toEqual([status, true]);

const chunked = (text: string, size = 7): string => {
  const pieces = text.match(new RegExp(`[^]{1,${size}}`, 'g')) ?? [];
  return `${pieces.map((piece) => `${piece.length.toString(16)}\r\n${piece}\r\n`).join('')}0\r\n\r\n`;
};

it('a body in chunks is read, in one piece or in many, with extensions and trailers', async () => {
  const headers = [json, 'Transfer-Encoding: chunked'];
  expect(statusesOf(await send(request(headers, chunked(body))))).toEqual([200]);
  expect(statusesOf(await send(request(headers, chunked(body, 1))))).toEqual([200]);
  const extended = chunked(body, 1_000_000)
    .replace('\r\n', ';x=y\r\n')
    .replace(/0\r\n\r\n$/, '0\r\nTrailer: t\r\n\r\n');
  expect(statusesOf(await send(request(headers, extended)))).toEqual([200]);
});

it('a body over the limit in chunks is 413, and a broken chunk 400', async () => {
  const headers = [json, 'Transfer-Encoding: chunked'];
  expect(statusesOf(await send(request(headers, chunked('x'.repeat(70_000), 4_096))))).toEqual([413]);
  expect(statusesOf(await send(request(headers, 'zz\r\nbroken')))[0]).toBe(400);
});

it('a body that is compressed on its way is 415: Node undoes chunks only', async () => {
  for (const coding of ['gzip, chunked', 'x-unknown, chunked']) {
    const headers = [json, `Transfer-Encoding: ${coding}`];
    expect(statusesOf(await send(request(headers, chunked(body))))).toEqual([415]);
  }
  expect(statusesOf(await send(request([json, 'Transfer-Encoding: Chunked'], chunked(body))))).toEqual([200]);
});

it('a body without Content-Length is no body: 400, never a success', async () => {
  expect(statusesOf(await send(request([json])))[0]).toBe(400);
});

it('Expect: 100-continue is told to go on, then answered; any other expectation is 417', async () => {
  const [head, rest] = request([json, length(), 'Expect: 100-continue']).split('\r\n\r\n');
  expect(statusesOf(await send(`${head}\r\n\r\n`, rest!))).toEqual([100, 200]);
  expect(statusesOf(await send(request([json, length(), 'Expect: 200-maybe'])))).toEqual([417]);
});

it('behind another expectation the connection ends, because the body may have been held back', async () => {
  const head = request([json, 'Content-Length: 5', 'Expect: later'], '').replace('Connection: close\r\n', '');
  const answer = await send(head, request([], '', 'GET /livez HTTP/1.1'));
  expect(statusesOf(answer)).toEqual([417]);
  expect(answer).toMatch(/connection: close/i);
});

const reader = { userGuid: randomUUID(), profileId: 'p', roleId: 'r', scopes: ['admin:read'] };
it.each([
  'POST /token HTTP/1.1',
  'POST /token HTTP/1.0',
  'POST /graphql HTTP/1.1',
])('a length over the limit is refused before the body is sent, and whole, on a connection that ends: %s', async (line) => {
  const { socket, all } = open();
  const signedIn = `Authorization: Bearer ${(await openCallers(app.context))(reader)}`;
  socket.write(request([json, signedIn, 'Content-Length: 99999999'], '', line));
  let received = '';
  socket.on('data', (chunk) => {
    received += chunk;
  });
  await until(() => received.includes('"status":413') || received.includes('TOO_LARGE'));
  socket.end();
  expect(statusesOf(await all)).toEqual([413]);
});

it('a connection that ends after a refused body ends without the body too', async () => {
  expect(statusesOf(await send(request([json, 'Content-Length: 99999999'], '')))).toEqual([413]);
});

const expecting = 'Expect: 100-continue';
const wrongClient = `Authorization: Basic ${Buffer.from('nobody:wrong').toString('base64')}`;
const ofConsole = ['Sec-Fetch-Site: same-origin', 'x-gatehouse-console: 1'];
it.each<[string, number, string, string[]]>([
  ['for its media type', 415, 'POST /token', ['Content-Type: text/xml', 'Content-Length: 5000']],
  ['for its length', 413, 'POST /token', [json, 'Content-Length: 99999999']],
  ['for its content encoding', 415, 'POST /token', [json, 'Content-Encoding: compress', 'Content-Length: 5000']],
  ['for its method', 405, 'PUT /token', [json, 'Content-Length: 5000']],
  ['for its path', 404, 'POST /nowhere', [json, 'Content-Length: 5000']],
  ['for its caller', 401, 'POST /graphql', [json, 'Content-Length: 5000']],
  ['for its caller', 401, 'POST /api/applications', [json, 'api-version: 1.0', 'Content-Length: 5000']],
  ['for its version', 400, 'POST /api/applications', [json, 'Content-Length: 5000']],
  ['for its caller', 401, 'POST /access/v1/evaluation', [json, 'Content-Length: 5000']],
  ['for its caller', 401, 'POST /access/v1/evaluations', [json, wrongClient, 'Content-Length: 5000']],
  ['for its caller', 401, 'POST /scim/v2/Users', [json, 'Authorization: Bearer x', 'Content-Length: 5000']],
  ['for its caller', 401, 'POST /ssf/streams', [json, 'Content-Length: 5000']],
  ['for its caller', 401, 'POST /ssf/poll/x', [json, wrongClient, 'Content-Length: 5000']],
  ['for its caller', 401, 'POST /console/profile', [json, ...ofConsole, 'Content-Length: 5000']],
  ['for its caller', 401, 'POST /console/graphql', [json, ...ofConsole, 'Content-Length: 5000']],
  ['for its caller', 401, 'POST /console/export/users', [json, ...ofConsole, 'Content-Length: 5000']],
  ['for its client', 401, 'POST /token', [form, wrongClient, 'Content-Length: 5000']],
  ['for its client', 401, 'POST /revoke', [form, wrongClient, 'Content-Length: 5000']],
  ['for its client', 401, 'POST /profiles', [form, wrongClient, 'Content-Length: 5000']],
  ['for its client', 401, 'POST /introspect', [form, 'Authorization: Basic x', 'Content-Length: 5000']],
  ['by a proxy’s question', 401, 'POST /verify', [json, 'Content-Length: 5000']],
  ['by a second Host', 400, 'POST /token', [json, 'Host: b', 'Content-Length: 5000']],
  ['for its length in a form', 413, 'POST /introspect', [form, 'Content-Length: 99999999']],
])('a body that is refused %s is not invited, and its connection ends: %s', async (_why, status, line, headers) => {
  const answer = await send(
    request([...headers, expecting], '', `${line} HTTP/1.1`).replace('Connection: close\r\n', ''),
  );
  expect(statusesOf(answer)).toEqual([status]);
  expect(answer).toMatch(/connection: close/i);
});

it('a length over the limit is refused before the body is sent, and the connection goes on behind it', async () => {
  const length = 100_000;
  const { socket, all } = open();
  const head = request([json, `Content-Length: ${length}`], 'x').replace('Connection: close\r\n', '');
  socket.write(head);
  let received = '';
  socket.on('data', (chunk) => {
    received += chunk;
  });
  await until(() => statusesOf(received).includes(413));
  socket.write('x'.repeat(length - 1) + request([json, `Content-Length: ${Buffer.byteLength(body)}`]));
  expect(statusesOf(await all)).toEqual([413, 200]);
});

it('behind a body that was invited the connection goes on', async () => {
  const kept = request([json, length(), expecting]).replace('Connection: close\r\n', '');
  expect(statusesOf(await send(kept, request([json, length()])))).toEqual([100, 200, 200]);
  const inChunks = request([json, 'Transfer-Encoding: chunked', expecting], chunked(body));
  expect(statusesOf(await send(inChunks))).toEqual([100, 200]);
});

it('pipelined requests are answered in their order', async () => {
  const [kept, last] = [request([json, length()]).replace('Connection: close\r\n', ''), request([json, length()])];
  const wrong = request([json, 'Content-Length: 2'], '{}').replace('Connection: close\r\n', '');
  expect(statusesOf(await send(kept + wrong + kept + last))).toEqual([200, 400, 200, 200]);
});

it.each([
  ['a length', [json, 'Content-Length: 70000'], 'x'.repeat(70_000)],
  ['chunks', [json, 'Transfer-Encoding: chunked'], chunked('x'.repeat(70_000), 4_096)],
])('behind a body over the limit with %s the next request is answered', async (_name, headers, content) => {
  const refused = request(headers, content).replace('Connection: close\r\n', '');
  expect(statusesOf(await send(refused, request([json, length()])))).toEqual([413, 200]);
});

it.each([
  'POST /token',
  'GET /livez',
  'GET /.well-known/jwks.json',
  'GET /api/applications',
  'GET /graphql',
])('two Hosts are 400 on any path, alike or not: %s', async (line) => {
  for (const further of ['Host: localhost', 'host: other', 'HOST:'])
    expect(statusesOf(await send(request([json, length(), further], body, `${line} HTTP/1.1`)))).toEqual([400]);
});

it.each([
  'a, b',
  'a b',
  'x@y/z',
  'x@y',
  'a/b',
  'a?b',
  'a#b',
  'a:b',
  'a:1:2',
  '[::1',
  '::1',
  '[::1]x',
  'a\\b',
  '<a>',
  'a%zz',
  'ä',
  'http://a',
  '[zz]',
  '[1:2]',
  '[1.2.3.4]',
])('a Host that is none is 400: %s', async (host) => {
  for (const line of ['POST /token', 'GET /livez', 'GET /nowhere'])
    expect(
      statusesOf(await send(request([json, length()], body, `${line} HTTP/1.1`).replace('localhost', host))),
    ).toEqual([400]);
});

it.each([
  'localhost:4000',
  'LOCALHOST',
  'a.example.',
  'under_score',
  '127.0.0.1:1',
  '[::1]',
  '[::1]:4000',
  '[fe80::1%25eth0]:1',
  'a:',
  'xn--4ca.example',
  'a%2Db',
  '',
])('a Host that is one is answered: "%s"', async (host) => {
  expect(statusesOf(await send(request([json, length()]).replace('localhost', host)))).toEqual([200]);
});

it('HTTP/1.0 is answered, with or without Host', async () => {
  const old = request([json, length()], body, 'POST /token HTTP/1.0');
  expect(statusesOf(await send(old))).toEqual([200]);
  expect(statusesOf(await send(old.replace('Host: localhost\r\n', '')))).toEqual([200]);
});

it('after a body in chunks the connection of an HTTP/1.0 client ends, whatever it wishes', async () => {
  const old = request([json, 'Transfer-Encoding: chunked'], chunked(body), 'POST /token HTTP/1.0');
  const kept = old.replace('Connection: close', 'Connection: keep-alive');
  const answer = await send(kept + kept);
  expect(statusesOf(answer)).toEqual([200]);
  expect(answer).toMatch(/connection: close/i);
});

it.each([
  ['/livez', 200],
  ['/readyz?probe=1', 200],
  ['/.well-known/jwks.json', 200],
  ['/openapi.json', 200],
  ['/docs', 200],
  ['/token', 405],
  ['/api/applications', 400],
  ['/schema.graphql', 401],
  ['/nowhere', 404],
  ['', 200],
])('every target has an absolute form: http://elsewhere%s is %s', async (path, status) => {
  const answerTo = async (target: string) =>
    statusesOf(await send(request([], '', `GET ${target} HTTP/1.1`))).map((found) => (found === 302 ? 200 : found));
  if (path !== '') expect(await answerTo(path)).toEqual([status]);
  for (const authority of ['http://elsewhere', 'HTTPS://elsewhere:8443', 'http://[::1]:80'])
    expect([path, await answerTo(authority + path)]).toEqual([path, path === '' ? await answerTo('/') : [status]]);
});

it.each([
  'http:///livez',
  'http://',
  'http://:80/livez',
  'http://a@b/livez',
  'http://[::1/livez',
  'https://a:b/livez',
  'http://a%zz/livez',
  'http://a#/livez',
])('a target whose host is none is 400: %s', async (target) => {
  expect(statusesOf(await send(request([], '', `GET ${target} HTTP/1.1`)))).toEqual([400]);
});

it('a target in absolute form is the same path', async () => {
  expect(statusesOf(await send(request([json, length()], body, 'POST http://elsewhere/token HTTP/1.1')))).toEqual([
    200,
  ]);
});

it.each([
  'POST //token HTTP/1.1',
  'POST /token/../token HTTP/1.1',
  'POST /%00 HTTP/1.1',
  'POST /%ff%fe HTTP/1.1',
  'POST /token%2f HTTP/1.1',
  'POST http://[ HTTP/1.1',
  'POST http:///token HTTP/1.1',
  'POST ? HTTP/1.1',
  'OPTIONS * HTTP/1.1',
  'CONNECT /token HTTP/1.1',
  'TRACE /token HTTP/1.1',
  'post /token HTTP/1.1',
  'POST /token HTTP/2.0',
  'POST /token HTTP/9.9',
  'POST /token',
  'POST  /token HTTP/1.1',
  'PRI * HTTP/2.0',
  '\x16\x03\x01\x02\x00\x01\x00\x01\xfc\x03\x03',
  `POST /${'x'.repeat(20_000)} HTTP/1.1`,
])('%j is told as the caller’s fault, or read leniently', async (line) => {
  for (const status of statusesOf(await send(request([json, length()], body, line)))) expectNoFault(status);
});

it.each<[string, () => string[]]>([
  ['Content-Type twice, the same', () => [json, json, length()]],
  ['Content-Type twice, JSON and a form', () => [json, 'Content-Type: application/x-www-form-urlencoded', length()]],
  ['Content-Type twice, nonsense and JSON', () => ['Content-Type: x', json, length()]],
  ['Content-Length twice, the same', () => [json, length(), length()]],
  ['Content-Length twice, different', () => [json, length(), 'Content-Length: 1']],
  ['Content-Length and chunks', () => [json, length(), 'Transfer-Encoding: chunked']],
  ['Content-Length negative', () => [json, 'Content-Length: -1']],
  ['Content-Length no number', () => [json, 'Content-Length: 1e3']],
  ['Content-Length immense', () => [json, 'Content-Length: 99999999999999999999']],
  ['an unknown transfer encoding', () => [json, length(), 'Transfer-Encoding: gzip']],
  ['a header in two lines', () => [json, length(), 'X-Folded: a\r\n b']],
  ['a header without a name', () => [json, length(), ': x']],
  ['a space before the colon', () => [json, 'Content-Length : 5']],
  ['a bare CR in a header', () => [json, length(), 'X-Bare: a\rSet-Cookie: b']],
  ['a bare LF in a header', () => [json, length(), 'X-Bare: a\nX-More: b']],
  ['NUL in a header', () => [json, length(), 'X-Null: a\0b']],
  ['bytes over 127 in a header', () => [json, length(), 'X-High: \xff\xfe']],
  ['2,000 headers', () => [json, length(), ...Array.from({ length: 2_000 }, (_, number) => `X-${number}: y`)]],
  ['a header of 60 kB', () => [json, length(), `X-Long: ${'y'.repeat(60_000)}`]],
  ['an upgrade', () => [json, length(), 'Upgrade: websocket', 'Connection: Upgrade']],
])('%s: 200 or told as the caller’s fault, with one answer', async (_name, headers) => {
  const { socket, all } = open();
  socket.write(Buffer.from(request(headers()), 'latin1'));
  socket.end();
  const statuses = statusesOf(await all);
  expect(statuses.length).toBeLessThanOrEqual(1);
  for (const status of statuses) expectNoFault(status);
});

it.each([
  'traceparent: 00-0123456789abcdef0123456789abcdef-0123456789abcdef-01\tx',
  'traceparent: 00-0123456789ABCDEF0123456789ABCDEF-0123456789abcdef-01',
  'X-Forwarded-For: 10.0.0.1, evil\tSet-Cookie: a=b',
  `X-Forwarded-For: ${'1.2.3.4, '.repeat(500)}`,
  'Forwarded: for="_evil"',
  'Authorization: Basic \tx',
])('nothing of the header %j comes back', async (header) => {
  const answer = await send(request([json, 'Content-Length: 2', header], '{}'));
  expect(statusesOf(answer)).toEqual([400]);
  expect(answer).not.toMatch(/Set-Cookie|evil|ABCDEF|\tx/);
});

it('callers who go away at any byte cost nothing but themselves', async () => {
  const whole = Buffer.from(request([json, length()]));
  const places = Array.from({ length: 60 }, (_, number) => Math.floor((whole.length * number) / 60));
  await Promise.all(
    places.map(async (place) => {
      const { socket, all } = open();
      socket.write(whole.subarray(0, place));
      await new Promise((resolve) => setImmediate(resolve));
      if (place % 2) socket.resetAndDestroy();
      else socket.end();
      await all;
    }),
  );
  // just after the request is there, before its answer is
  for (let round = 0; round < 30; round++) {
    const { socket, all } = open();
    socket.write(whole);
    await elapse(round % 5);
    socket.resetAndDestroy();
    await all;
  }
});
