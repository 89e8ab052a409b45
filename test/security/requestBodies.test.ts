/** Request bodies that are half-sent, compressed, in tiny pieces or answered to nobody cost their sender more than the service. */
import { createHook } from 'node:async_hooks';
import { once } from 'node:events';
import { ServerResponse } from 'node:http';
import { connect, type Socket } from 'node:net';
import { text } from 'node:stream/consumers';
import { setFlagsFromString } from 'node:v8';
import { runInNewContext } from 'node:vm';
import { brotliCompressSync, deflateSync, gzipSync, zstdCompressSync } from 'node:zlib';
import { newApplication, newScopes, type RestApp, startRestApp, system } from '../rest/restApp.js';
import { closeAtEnd } from '../support/lifetimes.js';
import { elapse } from '../support/until.js';

setFlagsFromString('--expose-gc');
const collectGarbage = runInNewContext('gc') as () => void;
/** Without garbage. */
const heapBytes = (): number => {
  collectGarbage();
  return process.memoryUsage().heapUsed;
};

let app: RestApp;
beforeAll(async () => {
  app = await startRestApp({ READER_BYTES_PER_SECOND_MIN: '0' });
});
afterAll(() => app?.close());

async function dial(): Promise<Socket> {
  const socket = connect(Number(new URL(app.url).port), '127.0.0.1');
  closeAtEnd(async () => socket.destroy());
  socket.on('error', () => undefined);
  await once(socket, 'connect');
  return socket;
}

const head = (path: string, headers: Record<string, string | number>): string =>
  `POST ${path} HTTP/1.1\r\nhost: here\r\napi-version: 1.0\r\ncontent-type: application/json\r\n${Object.entries(
    headers,
  )
    .map(([name, value]) => `${name}: ${value}\r\n`)
    .join('')}\r\n`;

/** Sends all but the last byte. */
async function sendHalf(path: string, body: Buffer, headers: Record<string, string> = {}): Promise<Socket> {
  const socket = await dial();
  socket.write(Buffer.concat([Buffer.from(head(path, { ...headers, 'content-length': body.length + 1 })), body]));
  return socket;
}

/** Long enough for what was sent to be read: a request that came later has its answer. */
async function untilRead(): Promise<void> {
  for (let count = 0; count < 5; count++) {
    await elapse(20);
    await app.post('/token', {});
  }
}

const bomb = 'x'.repeat(60_000);
it('a compressed body has no decoder before it is complete', async () => {
  const token = `Bearer ${app.token(['admin:write'])}`;
  const compressed: [string, Buffer][] = [
    ['gzip', gzipSync(bomb)],
    ['deflate', deflateSync(bomb)],
    ['br', brotliCompressSync(bomb)],
    ['zstd', zstdCompressSync(bomb)],
  ];
  const decoders: string[] = [];
  const hook = createHook({
    init: (_id, type) => void (/zlib|brotli|zstd/i.test(type) && decoders.push(type)),
  }).enable();
  closeAtEnd(async () => hook.disable());
  const halves: Socket[] = [];
  for (const [coding, body] of compressed)
    for (const path of ['/token', '/graphql', '/api/applications'])
      halves.push(
        await sendHalf(path, body, { 'content-encoding': coding, authorization: token, connection: 'close' }),
      );
  await untilRead();
  expect(decoders).toEqual([]);
  // the byte that was left out: it belongs to no coding, but the body is complete
  for (const half of halves) {
    half.write('x');
    expect(await text(half)).toMatch(/^HTTP\/1\.1 400/);
  }
  expect(decoders.length).toBeGreaterThan(0);
});

it('a body in pieces of one byte is held as one piece, and read', async () => {
  const body = JSON.stringify({ token: 'x'.repeat(9_000) });
  const sockets = await Promise.all(Array.from({ length: 10 }, dial));
  const before = heapBytes();
  for (const socket of sockets) {
    socket.write(head('/validate-token', { 'transfer-encoding': 'chunked', connection: 'close' }));
    socket.write([...body].map((character) => `1\r\n${character}\r\n`).join(''));
  }
  await untilRead();
  // an object for each piece would be 20 MB
  expect(heapBytes() - before).toBeLessThan(5_000_000);
  for (const socket of sockets) {
    socket.write('0\r\n\r\n');
    expect(await text(socket)).toMatch(/"is_valid":false/);
  }
});

it('half-sent bodies past the bound give way with 503 and Retry-After, a whole one among them is answered, and the log tells it once', async () => {
  const halves: Socket[] = [];
  // 42 MB; 32 MiB is the bound
  for (let count = 0; count < 700; count++) halves.push(await sendHalf('/token', Buffer.alloc(60_000, 'x')));
  await untilRead();
  const whole = await app.post('/validate-token', { token: 'x'.repeat(60_000) });
  expect(whole.json).toEqual({ is_valid: false, error: expect.any(String) });
  const answers = await Promise.all(
    halves.map((half) => {
      half.end('x');
      return text(half);
    }),
  );
  const refused = answers.filter((answer) => answer.startsWith('HTTP/1.1 503'));
  expect(refused.length).toBeGreaterThan(100);
  expect(refused.length).toBeLessThan(400);
  for (const answer of refused) expect(answer).toMatch(/retry-after: \d+/i);
  expect(answers.filter((answer) => answer.startsWith('HTTP/1.1 400'))).toHaveLength(700 - refused.length);
  expect(app.logged().match(/request bodies are dropped/g)).toHaveLength(1);
});

it('nothing is rendered for senders that leave before their bodies are complete, and nothing is refused', async () => {
  const { writeHead } = ServerResponse.prototype;
  let toNobody = 0;
  closeAtEnd(async () => {
    ServerResponse.prototype.writeHead = writeHead;
  });
  ServerResponse.prototype.writeHead = function (this: ServerResponse, ...given: Parameters<typeof writeHead>) {
    if (this.destroyed) toNobody += 1;
    return writeHead.apply(this, given);
  } as typeof writeHead;
  const logged = app.logged().length;
  const authorization = `Bearer ${app.token(['admin:write'])}`;
  const halves: Socket[] = [];
  for (const path of ['/token', '/revoke', '/validate-token', '/graphql', '/api/applications']) {
    halves.push(await sendHalf(path, Buffer.from('{"token":"x"'), { authorization }));
    // refused already, while the rest of it is awaited
    halves.push(await sendHalf(path, Buffer.alloc(9_000_000, ' '), { authorization }));
  }
  await untilRead();
  const closed = halves.map((half) => once(half, 'close'));
  for (const half of halves) half.destroy();
  await Promise.all(closed);
  await untilRead();
  expect(toNobody).toBe(0);
  const ofThese = app.logged().slice(logged);
  expect(ofThese.match(/token refused/g) ?? []).toHaveLength(10);
  expect(ofThese).not.toMatch(/malformed|too large|token invalid/);
});

describe('a large body whose answer nobody reads', () => {
  const scopesMax = 6_000;
  let path: string;
  let items: { accessScopeGuid: string }[];
  beforeAll(async () => {
    const scopes = await newScopes(app.sql, scopesMax);
    const { application_guid } = await newApplication(app.sql);
    path = `/api/applications/${application_guid}/accessScopes`;
    items = scopes.map((accessScopeGuid) => ({ accessScopeGuid }));
  });

  /** Reads nothing; resolves when the head of the answer has come. */
  async function askUnread(path: string, body: string): Promise<void> {
    const socket = await dial();
    const authorization = `Bearer ${app.token(['admin:write', 'admin:read'])}`;
    socket.write(head(path, { authorization, 'content-length': body.length }) + body);
    await once(socket, 'readable');
    expect(String(socket.read(12))).toBe('HTTP/1.1 200');
  }

  it('keeps nobody else’s large body waiting: a bulk', async () => {
    await askUnread(path, JSON.stringify(items));
    const { status } = await app.call('POST', path, { body: `[${'0,'.repeat(140_000)}` });
    expect(status).toBe(400);
  });

  it('keeps nobody else’s large body waiting: a query', async () => {
    await app.sql.rows(
      `insert into applications (name, description, icon_default, icon_hover, app_type, rendering_mode, link_type, created_by)
       select 'L' || i, repeat('d', 250), repeat('i', 250), repeat('h', 250), 'web', 'tile', 'internal', $1 from generate_series(1, 1000) i`,
      [system],
    );
    const lists = Array.from(
      { length: 15 },
      (_, index) => `a${index}: applications(first: 1000) { nodes { description iconDefault iconHover } }`,
    );
    const query = `{ ${lists.join(' ')} }`;
    await askUnread('/graphql', JSON.stringify({ query, variables: { unread: 'x'.repeat(300_000) } }));
    const small = { query: '{ __typename }', variables: { unread: 'x'.repeat(300_000) } };
    const { status, json } = await app.call('POST', '/graphql', { body: small });
    expect([status, json]).toEqual([200, { data: { __typename: 'Query' } }]);
  });
});
