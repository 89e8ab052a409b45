/** Answers that nobody reads cost a bounded time and a bounded memory, whatever they are; connections are bounded in number. */
import { once } from 'node:events';
import { createServer, type RequestListener, type Server } from 'node:http';
import { type AddressInfo, connect, type Socket } from 'node:net';
import { jest } from '@jest/globals';
import { createListener, cutOffSlowReaders, type ReadersOptions } from '../../src/server/httpServer.js';
import { closeAtEnd } from '../support/lifetimes.js';
import { elapse, until } from '../support/until.js';

// more than the buffers of a connection hold
const large = Buffer.alloc(32 * 1024 * 1024, 'x');

async function listen(server: Server, answer: RequestListener): Promise<Server> {
  server.on('request', answer);
  await once(server.listen(0, '127.0.0.1'), 'listening');
  closeAtEnd(async () => {
    server.close();
    server.closeAllConnections();
  });
  return server;
}

interface Watched {
  server: Server;
  cutOff: number[];
}
async function serve(options: Partial<ReadersOptions>, answer: RequestListener): Promise<Watched> {
  const server = createServer();
  const cutOff: number[] = [];
  cutOffSlowReaders(server, {
    bytesPerSecondMin: 0,
    unreadBytesMax: Number.POSITIVE_INFINITY,
    graceMs: 500,
    checkIntervalMs: 50,
    cutOff: (count) => cutOff.push(count),
    ...options,
  });
  await listen(server, answer);
  return { server, cutOff };
}

/** Asks, and reads nothing. */
async function ask(server: Server, sent = 'GET / HTTP/1.1\r\nhost: here\r\n\r\n'): Promise<Socket> {
  const socket = connect((server.address() as AddressInfo).port, '127.0.0.1');
  closeAtEnd(async () => socket.destroy());
  socket.on('error', () => undefined);
  socket.pause();
  await once(socket, 'connect');
  socket.write(sent);
  return socket;
}
const untilCut = ({ cutOff }: Watched, count = 1) => until(() => cutOff.reduce((sum, each) => sum + each, 0) >= count);
/** The bytes that arrive before the connection ends, or `enough` of them. */
async function readAll(socket: Socket, enough = Number.POSITIVE_INFINITY): Promise<number> {
  let bytes = 0;
  for await (const chunk of socket) {
    bytes += (chunk as Buffer).length;
    if (bytes >= enough) break;
  }
  return bytes;
}

it.each([
  ['in one piece', (response: Parameters<RequestListener>[1]) => response.end(large)],
  [
    'piece by piece',
    async (response: Parameters<RequestListener>[1]) => {
      while (!response.destroyed) if (!response.write(large.subarray(0, 65_536))) await once(response, 'drain');
    },
  ],
])('a client that reads nothing of an answer that is written %s loses its connection', async (_name, write) => {
  const watched = await serve({ bytesPerSecondMin: large.length }, (_request, response) => void write(response));
  const socket = await ask(watched.server);
  await untilCut(watched);
  expect(await readAll(socket).catch(() => 0)).toBeLessThan(large.length);
});

it('a client that read a lot at once may not stop for long afterwards', async () => {
  const watched = await serve({ bytesPerSecondMin: 1_000_000 }, async (_request, response) => {
    while (!response.destroyed) if (!response.write(large.subarray(0, 65_536))) await once(response, 'drain');
  });
  const socket = await ask(watched.server);
  let bytes = 0;
  socket.on('data', (chunk: Buffer) => {
    bytes += chunk.length;
    if (bytes > 50_000_000) socket.pause();
  });
  socket.resume();
  await untilCut(watched);
  expect(bytes).toBeGreaterThan(50_000_000);
});

it('a client that reads at the minimum rate gets the whole answer, and so does one that waits for a slow answer', async () => {
  const watched = await serve({ bytesPerSecondMin: 1_000 }, async (_request, response) => {
    await elapse(1_000);
    response.end(large);
  });
  const socket = await ask(watched.server, 'GET / HTTP/1.1\r\nhost: here\r\nconnection: close\r\n\r\n');
  let bytes = 0;
  for await (const chunk of socket) {
    bytes += (chunk as Buffer).length;
    if (bytes < 1_000_000) await elapse(20);
  }
  expect(bytes).toBeGreaterThan(large.length);
  expect(watched.cutOff).toEqual([]);
});

it('time in which the process itself stood still is no reader’s delay', async () => {
  const watched = await serve({ bytesPerSecondMin: 1_000_000 }, (_request, response) => response.end(large));
  const socket = await ask(watched.server, 'GET / HTTP/1.1\r\nhost: here\r\nconnection: close\r\n\r\n');
  await elapse(200);
  const now = performance.now.bind(performance);
  const clock = jest.spyOn(performance, 'now').mockImplementation(() => now() + 60_000);
  await elapse(200);
  clock.mockRestore();
  expect(await readAll(socket)).toBeGreaterThan(large.length);
  expect(watched.cutOff).toEqual([]);
});

it('the slowest readers lose their connections when too many bytes wait, and no more of them than needed', async () => {
  let written = 0;
  const watched = await serve(
    { bytesPerSecondMin: 1, graceMs: 60_000, unreadBytesMax: 3.5 * large.length },
    (_request, response) => {
      response.end(large);
      written += 1;
    },
  );
  const slow = [await ask(watched.server), await ask(watched.server)];
  await until(() => written === 2);
  await elapse(300);
  for (let count = 0; count < 2; count++) await ask(watched.server);
  await untilCut(watched);
  await elapse(300);
  expect(watched.cutOff).toEqual([1]);
  const read = await Promise.all(slow.map((socket) => readAll(socket, large.length).catch(() => 0)));
  expect(read.filter((bytes) => bytes < large.length)).toHaveLength(1);
});

it('no more connections are taken than may be, and it is told once', async () => {
  const logged: object[] = [];
  const log = { warn: (...line: unknown[]) => void logged.push(line[0] as object) };
  const server = createListener({ connectionsMax: 3, readerBytesPerSecondMin: 0, log });
  await listen(server, (_request, response) => response.end('answered'));
  const taken = [await ask(server), await ask(server), await ask(server)];
  for (let count = 0; count < 5; count++) expect(await readAll(await ask(server)).catch(() => 0)).toBe(0);
  for (const socket of taken) expect(await readAll(socket, 1)).toBeGreaterThan(1);
  expect(logged).toEqual([{ count: 1 }]);
});
