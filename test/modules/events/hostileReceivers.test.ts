/** Receivers that lie about their address, redirect, never end, or answer with bombs: they cost a bounded request, and nobody else. */
import type { lookup } from 'node:dns';
import { createServer } from 'node:http';
import { type AddressInfo, createServer as createSocketServer, isIP, type Socket } from 'node:net';
import { gzipSync } from 'node:zlib';
import { openPost } from '../../../src/auth/providerDocuments.js';
import type { TestGraph } from '../../graphql/graph.js';
import { closeAtEnd } from '../../support/lifetimes.js';
import { elapse, until } from '../../support/until.js';
import { newPush, newWebhook, readStream, startEventApp } from './eventApp.js';
import { type Receiver, startReceiver } from './receiver.js';

/** A name server that says these addresses, one list for each question. */
function resolver(...answers: string[][]): typeof lookup {
  const tell = (_host: string, _options: object, callback: (error: null, found: object[]) => void) => {
    const addresses = answers.length > 1 ? answers.shift()! : answers[0]!;
    callback(
      null,
      addresses.map((address) => ({ address, family: isIP(address) })),
    );
  };
  return tell as unknown as typeof lookup;
}
const sent = (signal = AbortSignal.timeout(2_000)) => ({ headers: {}, body: '{}', signal });

describe('an address', () => {
  it('that resolves to a private network after it was accepted is refused when connecting', async () => {
    let connections = 0;
    const inner = createServer((_request, response) => response.end());
    inner.on('connection', () => {
      connections += 1;
    });
    closeAtEnd(async () => inner.close());
    await new Promise<void>((resolve) => inner.listen(0, '127.0.0.1', resolve));
    const { port } = inner.address() as AddressInfo;
    const address = `http://hooks.example.com:${port}/`;
    const network = { isLocalByName: false, lookup: resolver(['2d00::1'], ['127.0.0.1']) };
    const { post, close } = openPost(address, network, 2);
    await expect(post(new URL(address), sent())).rejects.not.toThrow('private network');
    await expect(post(new URL(address), sent())).rejects.toThrow('private network');
    close();
    expect(connections).toBe(0);
  });

  it('whose connection breaks within its answer is not asked again, and no error is left behind', async () => {
    let requests = 0;
    const server = createServer((request, response) => {
      requests += 1;
      request.resume();
      if (requests === 1) return response.end('{}');
      response.writeHead(200, { 'content-length': '100' });
      response.write('{');
      response.flushHeaders();
      setImmediate(() => request.socket.resetAndDestroy());
    });
    closeAtEnd(async () => server.close());
    await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
    const address = `http://127.0.0.1:${(server.address() as AddressInfo).port}/`;
    const { post, close } = openPost(address, { privateHosts: ['127.0.0.1'] }, 1);
    closeAtEnd(async () => close());
    await post(new URL(address), sent());
    // its connection is kept then
    await elapse(100);
    await Promise.allSettled([post(new URL(address), sent())]);
    // a request that was sent again would have come by then
    await elapse(300);
    expect(requests).toBe(2);
  });

  it.each([
    'https://10.0.0.1/',
    'https://[::1]/',
    'https://169.254.169.254/',
    'https://localhost/',
    'http://127.0.0.2/',
  ])('%s is refused at the door', async (address) => {
    const graph = await startEventApp();
    const text = `mutation ($input: CreateEventStreamInput!) { createEventStream(input: $input) { secret } }`;
    const { json } = await graph.ask(text, { input: { name: 'x', kind: 'webhook', address } });
    expect(json.errors[0].extensions).toMatchObject({ code: 'BAD_USER_INPUT' });
  });
});

describe('a receiver', () => {
  let graph: TestGraph;
  let hostile: Receiver;
  let fine: Receiver;
  beforeEach(async () => {
    graph = await startEventApp();
    [hostile, fine] = await Promise.all([startReceiver(), startReceiver()]);
  });
  const cause = () => graph.data('mutation { rotateSigningKey { kid } }');

  it('that redirects is not followed', async () => {
    const goal = await startReceiver();
    hostile.answer = (_request, response) => response.writeHead(307, { location: goal.url }).end();
    const { guid } = await newWebhook(graph, hostile.url, { events: ['key.rotated'] });
    await cause();
    const stream = await until(async () => {
      const read = await readStream(graph, guid);
      return read.failures > 0 && read;
    });
    expect(stream).toMatchObject({ lastStatus: 307, advice: expect.stringContaining('Redirects are not followed') });
    expect(goal.received).toHaveLength(0);
  });

  it('that answers without end, or with a bomb, has the event with its status, and no other stream waits', async () => {
    const bomb = gzipSync(Buffer.alloc(64 * 1024 * 1024));
    let isOpen = true;
    hostile.answer = (_request, response) => {
      response.writeHead(200, { 'content-encoding': 'gzip' });
      const pour = () => {
        while (isOpen && !response.destroyed && response.write(bomb));
      };
      response.on('drain', pour);
      response.on('close', () => {
        isOpen = false;
      });
      pour();
    };
    const { guid } = await newWebhook(graph, hostile.url, { events: ['key.rotated'] });
    await newWebhook(graph, fine.url, { events: ['key.rotated'] });
    await cause();
    await until(() => fine.received.length === 1);
    await until(async () => (await readStream(graph, guid)).lastDeliveredAt !== null);
    // its connection is closed after 64 kB
    await until(() => !isOpen);
  });

  it('that never answers holds one request, and no other stream waits', async () => {
    hostile.answer = () => undefined;
    await newWebhook(graph, hostile.url, { events: ['key.rotated'] });
    await newWebhook(graph, fine.url, { events: ['key.rotated'] });
    for (let count = 0; count < 3; count++) await cause();
    await until(() => fine.received.length === 3);
    expect(hostile.most()).toBeLessThanOrEqual(3);
  });

  it('gets no secret into logs, history, audit events, answers or errors', async () => {
    hostile.answer = (_request, response) =>
      response.writeHead(401, { 'content-type': 'application/json' }).end('{"err":"authentication_failed"}');
    const header = 'Bearer canary-of-the-header';
    const { guid } = await newPush(graph, hostile.url, { authorizationHeader: header });
    const { secret } = await newWebhook(graph, fine.url);
    await graph.data('mutation ($g: UUID!) { sendTestEvent(eventStreamGuid: $g) { status } }', { g: guid });
    const stream = await until(async () => {
      const read = await readStream(graph, guid);
      return read.failures > 0 && read;
    });
    expect(stream).toMatchObject({ lastProblem: 'answers 401, authentication_failed' });
    expect(hostile.received[0]!.headers.authorization).toBe(header);
    const { sql } = graph.app.context;
    const tables = [
      'event_streams',
      'audit_events',
      'change_sets',
      'record_versions',
      'event_causes',
      'published_events',
      'event_deliveries',
    ];
    const texts = await Promise.all(
      tables.map((table) =>
        sql.rows<{ text: string }>(`select coalesce(string_agg(t::text, ' '), '') as text from ${table} t`),
      ),
    );
    const all = [
      graph.app.logged(),
      JSON.stringify(stream),
      ...texts.flatMap((rows) => rows.map(({ text }) => text)),
    ].join();
    for (const hidden of ['canary-of-the-header', secret, secret.slice('whsec_'.length)]) {
      expect(all).not.toContain(hidden);
      expect(all).not.toContain(Buffer.from(hidden).toString('hex'));
    }
  });

  it('of which there are a thousand, all but one silent, lets that one have its event', async () => {
    hostile.answer = () => undefined;
    const { sql } = graph.app.context;
    await newWebhook(graph, fine.url, { events: ['key.rotated'] });
    await sql.rows(
      `insert into event_streams (event_stream_guid, name, kind, address, secret_ciphertext, created_at)
       select gen_random_uuid(), 'silent ' || number, 'webhook', $1, null, now() - interval '1 minute' from generate_series(1, 999) number`,
      [hostile.url],
    );
    await cause();
    await until(() => fine.received.length === 1);
    const { json } = await graph.ask(
      'mutation ($input: CreateEventStreamInput!) { createEventStream(input: $input) { secret } }',
      {
        input: { name: 'one more', kind: 'webhook', address: fine.url },
      },
    );
    expect(json.errors[0].extensions.code).toBe('CONFLICT');
  });
});

/** A receiver that reads and writes on its socket as slowly as it likes. */
async function startSlow(onConnection: (socket: Socket) => void): Promise<string> {
  const server = createSocketServer(onConnection);
  closeAtEnd(async () => server.close());
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  return `http://127.0.0.1:${(server.address() as AddressInfo).port}/events`;
}

describe('a receiver that dawdles', () => {
  /** Writes a byte a moment for ever. */
  const trickle = (socket: Socket, text: string) => {
    let at = 0;
    const timer = setInterval(() => socket.write(text[at++] ?? 'x'), 200);
    socket.on('close', () => clearInterval(timer));
    socket.on('error', () => undefined);
  };
  const ways: [string, (socket: Socket) => void][] = [
    [
      'never reads the request',
      (socket) => {
        socket.pause();
        socket.on('error', () => undefined);
      },
    ],
    ['sends the headers of its answer byte by byte', (socket) => trickle(socket, 'HTTP/1.1 202 Accepted\r\nx: ')],
    [
      'sends the body of a refusal byte by byte',
      (socket) => {
        socket.write('HTTP/1.1 400 Bad Request\r\ncontent-length: 60000\r\n\r\n');
        trickle(socket, '{"err":"');
      },
    ],
  ];
  let graph: Awaited<ReturnType<typeof startEventApp>>;
  let fine: Awaited<ReturnType<typeof startReceiver>>;
  const streams = new Map<string, string>();
  // all dawdle at the same time
  beforeAll(async () => {
    graph = await startEventApp();
    fine = await startReceiver();
    for (const [way, onConnection] of ways)
      streams.set(way, (await newWebhook(graph, await startSlow(onConnection), { events: ['key.rotated'] })).guid);
    await newWebhook(graph, fine.url, { events: ['key.rotated'] });
    await graph.data('mutation { rotateSigningKey { kid } }');
  });

  it.each(ways)('and %s fails after ten seconds, and no other stream waits', async (way) => {
    await until(() => fine.received.length === 1);
    const stream = await until(async () => {
      const read = await readStream(graph, streams.get(way)!);
      return read.failures > 0 && read;
    });
    expect(stream.lastProblem).toMatch(/does not answer within 10 s|answers 400/);
    expect(stream.deliveries[0].milliseconds).toBeLessThan(20_000);
  });
});
