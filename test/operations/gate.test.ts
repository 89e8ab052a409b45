/** What the end of a server does to the connections that it has: whatever was begun is answered whole, then each of them ends. */
import { once } from 'node:events';
import type { RequestListener, ServerResponse } from 'node:http';
import { type AddressInfo, connect, type Socket } from 'node:net';
import { text } from 'node:stream/consumers';
import { type Gate, guard } from '../../src/server/drain.js';
import { createListener } from '../../src/server/httpServer.js';

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

/** The answers to `sent` that are to be given, as soon as all of them are asked for. */
async function underWay(sent: string, count: number): Promise<{ socket: Socket; responses: ServerResponse[] }> {
  const responses: ServerResponse[] = [];
  const all = Promise.withResolvers<void>();
  openWith((_request, response) => {
    if (responses.push(response) === count) all.resolve();
  });
  const socket = await dial(sent);
  await all.promise;
  return { socket, responses };
}

it('an answer that is read slowly is read whole', async () => {
  const body = 'x'.repeat(20_000_000);
  const { socket, responses } = await underWay(asked('/'), 1);
  responses[0]!.end(body);
  const closed = gate.close(closing);
  const seen = await text(socket);
  expect(seen.length).toBeGreaterThan(body.length);
  await closed;
});

it('a connection ends with the answer that had begun before', async () => {
  const { socket, responses } = await underWay(asked('/'), 1);
  responses[0]!.write('begun');
  await once(socket, 'readable');
  const closed = gate.close(closing);
  responses[0]!.end('ended');
  expect(await text(socket)).toMatch(/begun.*ended/s);
  await closed;
});

it.each([
  ['the first is answered first', [0, 1]],
  ['the second is answered first', [1, 0]],
])('of requests sent one behind the other each is answered, and the last answer ends the connection: %s', async (_order, order) => {
  const { socket, responses } = await underWay(asked('/first') + asked('/second'), 2);
  const closed = gate.close(closing);
  for (const index of order) responses[index]!.end(`answer ${index}`);
  const [first, second] = (await text(socket)).split('answer 0');
  expect(first).toMatch(/connection: keep-alive/i);
  expect(second).toMatch(/connection: close.*answer 1$/is);
  await closed;
});

it('of two such requests the second was answered before the end: both answers arrive, and the connection ends', async () => {
  const { socket, responses } = await underWay(asked('/first') + asked('/second'), 2);
  responses[1]!.end('answer 1');
  const closed = gate.close(closing);
  responses[0]!.end('answer 0');
  expect(await text(socket)).toMatch(/answer 0.*answer 1$/s);
  await closed;
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
  const { socket } = await underWay(asked('/first') + asked('/second'), 2);
  const closed = gate.close(closing);
  socket.destroy();
  await closed;
  expect(server.listening).toBe(false);
});
