/** What the end of a server does to the connections that it has: whatever was begun is answered whole, then each of them ends. */
import { once } from 'node:events';
import type { RequestListener, ServerResponse } from 'node:http';
import { type AddressInfo, connect, type Socket } from 'node:net';
import { text } from 'node:stream/consumers';
import { type Gate, guard, openWaitingRequests } from '../../src/server/gate.js';
import { createListener } from '../../src/server/httpServer.js';
import { contain } from '../../src/server/routes.js';
import { elapse } from '../support/until.js';

// longer than a test may take, so that only an end by itself is one
const closing = { delayMs: 0, graceMs: 60_000 };
const asked = (path: string): string => `GET ${path} HTTP/1.1\r\nhost: here\r\n\r\n`;

let server: ReturnType<typeof createListener>;
let gate: Gate;
beforeEach(async () => {
  server = createListener({ connectionsMax: 100, readerBytesPerSecondMin: 0, log: { warn: () => undefined } });
  gate = guard(server, '');
  await once(server.listen(0, '127.0.0.1'), 'listening');
});
afterEach(() => {
  server.close();
  server.closeAllConnections();
});

const openWith = (answer: RequestListener): void => gate.open(answer, async () => ({ checks: {} }));

async function dial(sent: string): Promise<Socket> {
  const socket = connect((server.address() as AddressInfo).port, '127.0.0.1');
  await once(socket, 'connect');
  socket.write(sent);
  return socket;
}

/** What is to be answered, as soon as it is asked for. */
async function underWay(sent: string): Promise<{ socket: Socket; response: ServerResponse }> {
  const taken = Promise.withResolvers<ServerResponse>();
  openWith((_request, response) => taken.resolve(response));
  return { socket: await dial(sent), response: await taken.promise };
}

it('an answer that is read slowly is read whole', async () => {
  const body = 'x'.repeat(20_000_000);
  const { socket, response } = await underWay(asked('/'));
  response.end(body);
  const closed = gate.close(closing);
  const seen = await text(socket);
  expect(seen.length).toBeGreaterThan(body.length);
  await closed;
});

it('a connection ends with the answer that had begun before', async () => {
  const { socket, response } = await underWay(asked('/'));
  response.write('begun');
  await once(socket, 'readable');
  const closed = gate.close(closing);
  response.end('ended');
  expect(await text(socket)).toMatch(/begun.*ended/s);
  await closed;
});

it('of requests sent one behind the other on a connection one is under way at a time, and all are answered in order', async () => {
  let count = 0;
  let most = 0;
  openWith(async (request, response) => {
    count += 1;
    most = Math.max(most, count);
    const body = await text(request);
    await elapse(5);
    count -= 1;
    response.end(`[${request.url} ${body}]`);
  });
  const paths = Array.from({ length: 20 }, (_, index) => `/${index}`);
  const sent = paths.map((path) => {
    const end = path === paths.at(-1) ? 'connection: close\r\n' : '';
    return `POST ${path} HTTP/1.1\r\nhost: here\r\n${end}content-length: 4\r\n\r\nbody`;
  });
  const answers = await text(await dial(sent.join('')));
  expect(answers.match(/\[.*?\]/g)).toEqual(paths.map((path) => `[${path} body]`));
  expect(most).toBe(1);
});

it('of requests sent one behind the other each is answered when the end comes in between, and the last answer ends the connection', async () => {
  const responses: ServerResponse[] = [];
  const isAsked = [Promise.withResolvers<void>(), Promise.withResolvers<void>()];
  openWith((_request, response) => isAsked[responses.push(response) - 1]!.resolve());
  const socket = await dial(asked('/first') + asked('/second'));
  await isAsked[0]!.promise;
  const closed = gate.close(closing);
  responses[0]!.end('answer 0');
  await isAsked[1]!.promise;
  responses[1]!.end('answer 1');
  const [first, second] = (await text(socket)).split('answer 0');
  expect(first).toMatch(/connection: keep-alive/i);
  expect(second).toMatch(/connection: close.*answer 1$/is);
  await closed;
});

it('a connection on which too many wait behind one is cut, however often, and others are answered', async () => {
  openWith((request, response) => {
    if (request.url !== '/never') response.end('answered');
  });
  for (let turn = 0; turn < 120; turn++) {
    const socket = await dial(asked('/never').repeat(102));
    socket.on('error', () => undefined).resume();
    await once(socket, 'close');
  }
  const last = 'GET / HTTP/1.1\r\nhost: here\r\nconnection: close\r\n\r\n';
  const answers = await text(await dial(asked('/').repeat(99) + last));
  expect(answers.match(/answered/g)).toHaveLength(100);
});

it('at most ten thousand requests wait on all connections, and each that leaves makes room for one', () => {
  const waiting = openWaitingRequests();
  const sockets = Array.from({ length: 101 }, () => ({}) as Socket);
  const enter = (socket: Socket, count: number) =>
    Array.from({ length: count }, () => waiting.enter(socket)).filter(Boolean).length;
  expect(sockets.slice(0, 100).every((socket) => enter(socket, 100) === 100)).toBe(true);
  const [first, second] = sockets as [Socket, Socket];
  const late = sockets.at(-1)!;
  expect(enter(late, 1)).toBe(0);
  waiting.leave(first);
  expect(enter(late, 2)).toBe(1);
  waiting.forget(second);
  // whose end comes after that of the connection waits no more already
  waiting.leave(second);
  expect(enter(second, 101)).toBe(100);
});

it('the bodies of waiting requests are bounded together', () => {
  const waiting = openWaitingRequests();
  const sockets = Array.from({ length: 6 }, () => ({}) as Socket);
  const kibibytes64 = 64 * 1024;
  const entered = sockets.flatMap((socket) => Array.from({ length: 100 }, () => waiting.enter(socket, kibibytes64)));
  expect(entered.filter(Boolean)).toHaveLength(512);
  const [first, second] = sockets as [Socket, Socket];
  expect(waiting.enter(sockets.at(-1)!)).toBe(true);
  waiting.leave(first, kibibytes64);
  expect([waiting.enter(first, kibibytes64), waiting.enter(first, kibibytes64)]).toEqual([true, false]);
  waiting.forget(second);
  expect(Array.from({ length: 101 }, () => waiting.enter(second, kibibytes64)).filter(Boolean)).toHaveLength(100);
});

it('a client whose waiting bodies are more than may be held loses its connection, and others are answered', async () => {
  openWith((request, response) => {
    if (request.url === '/') response.end('answered');
  });
  const filled = async () => {
    const body = 'x'.repeat(64 * 1024);
    const socket = await dial(asked('/never'));
    socket.on('error', () => undefined).resume();
    for (let count = 0; count < 99; count++)
      socket.write(`POST /late HTTP/1.1\r\nhost: here\r\ncontent-length: ${body.length}\r\n\r\n${body}`);
    return socket;
  };
  const sockets = [];
  for (let count = 0; count < 6; count++) sockets.push(await filled());
  await Promise.race(sockets.map((socket) => new Promise((resolve) => socket.once('close', resolve))));
  expect(await text(await dial('GET / HTTP/1.1\r\nhost: here\r\nconnection: close\r\n\r\n'))).toMatch(/answered/);
  for (const socket of sockets) socket.destroy();
});

it('a client that leaves has none of the requests answered that stand behind the one under way', async () => {
  const taken: string[] = [];
  const first = Promise.withResolvers<ServerResponse>();
  openWith((request, response) => {
    taken.push(request.url!);
    first.resolve(response);
  });
  const socket = await dial(asked('/1') + asked('/2'));
  const response = await first.promise;
  const isOver = once(response, 'close');
  socket.destroy();
  await isOver;
  await elapse(100);
  expect(taken).toEqual(['/1']);
});

it.each([
  ['text that is no request', `${asked('/')}no request\r\n\r\n`],
  ['a head that is too long', `${asked('/')}GET / HTTP/1.1\r\nhost: here\r\nx: ${'x'.repeat(20_000)}\r\n\r\n`],
  [
    'a chunk without a size',
    `${asked('/')}POST / HTTP/1.1\r\nhost: here\r\ntransfer-encoding: chunked\r\n\r\nno size\r\n`,
  ],
  ['sent after close', `GET / HTTP/1.1\r\nhost: here\r\nconnection: close\r\n\r\n${asked('/')}`],
])('a request is answered, and the connection ends with it, when what follows is %s', async (_what, sent) => {
  const { socket, response } = await underWay(sent);
  await elapse(50);
  response.end('answered');
  expect((await text(socket)).match(/HTTP\/1.1 .*|answered/g)).toEqual(['HTTP/1.1 200 OK', 'answered']);
});

it('an answer that is being read ends whole when its client has sent half of another request and no more', async () => {
  const { socket, response } = await underWay(`${asked('/')}GET /`);
  response.write('begun ');
  await once(socket, 'readable');
  socket.end();
  await elapse(50);
  response.end('ended');
  expect(await text(socket)).toMatch(/begun .*ended/s);
});

it.each([
  ['says close', 'GET / HTTP/1.1\r\nhost: here\r\nconnection: close\r\n\r\n', 'answered'],
  ['has no valid host', 'GET / HTTP/1.1\r\nhost: a b\r\n\r\n', 'HTTP/1.1 400 Bad Request'],
  ['expects what is not known', 'GET / HTTP/1.1\r\nhost: here\r\nexpect: x\r\n\r\n', 'HTTP/1.1 417 Expectation Failed'],
  ['holds its body back', 'GET / HTTP/1.1\r\nhost: here\r\nexpect: 100-continue\r\n\r\n', 'answered'],
])('no request is answered, or begun, behind one that %s, whose answer ends the connection', async (_what, sent, answer) => {
  const taken: string[] = [];
  openWith((request, response) => {
    taken.push(request.url!);
    response.end('answered');
  });
  const answers = await text(await dial(sent + asked('/behind')));
  expect(answers.match(/HTTP\/1.1/g)).toHaveLength(1);
  expect(answers).toContain(answer);
  expect(taken).not.toContain('/behind');
});

it('a connection that waits for its next request ends; one on which half a request has come is answered', async () => {
  openWith((_request, response) => response.end('answered'));
  const idle = await dial(asked('/'));
  await once(idle, 'data');
  const half = await dial('GET / HTTP/1.1\r\n');
  // the half has come when what was sent after it was answered
  await once(await dial(asked('/')), 'data');
  const closed = gate.close(closing);
  await once(idle, 'close');
  half.write('host: here\r\n\r\n');
  expect(await text(half)).toMatch(/connection: close.*answered$/is);
  await closed;
});

it('a caller that has gone is not waited for', async () => {
  const { socket } = await underWay(asked('/'));
  const closed = gate.close(closing);
  socket.destroy();
  await closed;
  expect(server.listening).toBe(false);
});

it.each([
  [
    'at once',
    (fault: Error) => {
      throw fault;
    },
  ],
  ['later', (fault: Error) => Promise.reject(fault)],
])('a fault that a request meets %s is logged and ends its connection, and no other', async (_when, meet) => {
  const logged: object[] = [];
  const fault = new Error('a fault');
  openWith(
    contain({ error: (fields: object) => void logged.push(fields) }, ({ url }, response) =>
      url === '/faulty' ? meet(fault) : response.end('answered'),
    ),
  );
  expect(await text(await dial(asked('/faulty')))).toBe('');
  expect(logged).toEqual([{ error: fault }]);
  expect(await text(await dial('GET / HTTP/1.1\r\nhost: here\r\nconnection: close\r\n\r\n'))).toMatch(/answered/);
});
