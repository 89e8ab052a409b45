/** The listening server: its limits, and the end of connections that read too slowly. */
import { createServer, type Server } from 'node:http';
import type { Socket } from 'node:net';
import type { Log } from '../observability/log.js';
import { throttle } from '../observability/throttle.js';

/**
 * Whoever reads an answer too slowly loses the connection: what is not read is held in memory, and a list that is being
 * written holds a connection to the database. All are checked once a second, whatever they are answered.
 */

export interface ReadersOptions {
  /** What a reader must take on average, in bytes a second; 0: no minimum. */
  bytesPerSecondMin: number;
  /** Most bytes that wait to be read on all connections together; past it those go whose readers are the slowest. */
  unreadBytesMax: number;
  /** Called at each check at which connections were closed, with how many. */
  cutOff(count: number): void;
  /** For how long a reader may take nothing, beside the time that what waits may take, in milliseconds; 10,000. */
  graceMs?: number;
  /** From one check to the next, in milliseconds; 1,000. */
  checkIntervalMs?: number;
}

interface Reader {
  socket: Socket;
  unread: number;
  /** Bytes that have left this process. */
  taken: number;
  /** By how many bytes it is behind the minimum. */
  debt: number;
}

export function cutOffSlowReaders(server: Server, options: ReadersOptions): void {
  const sockets = new Set<Socket>();
  server.on('connection', (socket) => {
    sockets.add(socket);
    socket.once('close', () => sockets.delete(socket));
  });
  let readers = new Map<Socket, Reader>();
  const { checkIntervalMs = 1_000, graceMs = 10_000, cutOff } = options;
  const allowedDebtBytes = (options.bytesPerSecondMin * graceMs) / 1_000;
  let checkedAt = performance.now();
  const timer = setInterval(() => {
    const now = performance.now();
    // where this process itself stood still nobody could read
    const elapsedMs = Math.min(now - checkedAt, 2 * checkIntervalMs);
    readers = measureReaders(sockets, readers, (options.bytesPerSecondMin * elapsedMs) / 1_000);
    checkedAt = now;
    const tooSlow = tooSlowOf([...readers.values()], allowedDebtBytes, options.unreadBytesMax);
    for (const { socket } of tooSlow) socket.destroy();
    if (tooSlow.length > 0) cutOff(tooSlow.length);
  }, checkIntervalMs).unref();
  server.once('close', () => clearInterval(timer));
}

/** @param due bytes that each should have taken since the last check */
function measureReaders(
  sockets: ReadonlySet<Socket>,
  before: ReadonlyMap<Socket, Reader>,
  due: number,
): Map<Socket, Reader> {
  const readers = new Map<Socket, Reader>();
  for (const socket of sockets) {
    const unread = socket.writableLength;
    if (unread === 0) continue;
    const taken = socket.bytesWritten - unread;
    const last = before.get(socket);
    const debt = last ? Math.max(0, last.debt + due - (taken - last.taken)) : 0;
    readers.set(socket, { socket, unread, taken, debt });
  }
  return readers;
}

/** How much of one large write has been taken does not show before all has: so its own size counts as allowed. */
function tooSlowOf(readers: Reader[], allowedDebtBytes: number, unreadBytesMax: number): Reader[] {
  const isTooSlow = ({ debt, unread }: Reader) => debt > allowedDebtBytes + unread;
  const tooSlow = readers.filter(isTooSlow);
  const others = readers.filter((reader) => !isTooSlow(reader));
  let held = others.reduce((sum, { unread }) => sum + unread, 0);
  if (held <= unreadBytesMax) return tooSlow;
  for (const reader of others.sort((one, other) => other.debt - one.debt || other.unread - one.unread)) {
    if (held <= unreadBytesMax) break;
    held -= reader.unread;
    tooSlow.push(reader);
  }
  return tooSlow;
}

/** The HTTP server itself: how many connections there may be, and how long and how large a request or an unread answer. */

interface ListenerLimits {
  /** Connections at a time; the next is closed at once. */
  connectionsMax: number;
  /** What a reader must take of an answer that waits for it, on average; 0: no minimum. */
  readerBytesPerSecondMin: number;
  log: Pick<Log, 'warn'>;
}

const second = 1_000;
/** Of answers that wait to be read, on all connections together. */
const unreadBytesMax = 256 * 1024 * 1024;

/** Who sends slowly, or much, or nothing, is cut off by node itself: 408, 413, 431, or the end of the connection. */
export function createListener({ connectionsMax, readerBytesPerSecondMin, log }: ListenerLimits): Server {
  const server = createServer({
    headersTimeout: 15 * second,
    // with its body; 8 MiB in this time are 140 kB/s
    requestTimeout: 60 * second,
    connectionsCheckingInterval: 5 * second,
    // longer than the minute for which load balancers keep theirs, so that they close first
    keepAliveTimeout: 65 * second,
    maxHeaderSize: 16 * 1024,
  });
  // their size bounds them; a count would drop the last ones, which are the proxy's own
  server.maxHeadersCount = 0;
  // a connection on which nothing moves, not even an answer that nobody reads
  server.setTimeout(120 * second);
  // as many requests on a connection as its client likes: an end in between would refuse pipelined ones
  server.maxRequestsPerSocket = 0;
  server.maxConnections = connectionsMax;
  const warnRefused = throttle((count) => log.warn({ count }, 'connections are refused: CONNECTIONS_MAX are open'));
  server.on('drop', () => warnRefused(1));
  cutOffSlowReaders(server, {
    bytesPerSecondMin: readerBytesPerSecondMin,
    unreadBytesMax,
    cutOff: throttle((count) => log.warn({ count }, 'connections are cut off: their clients read too slowly')),
  });
  return server;
}
