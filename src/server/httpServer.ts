/** Creates the HTTP server with its limits, and closes connections that read too slowly. */
import { createServer, type Server } from 'node:http';
import type { Socket } from 'node:net';
import type { Log } from '../observability/log.js';
import { throttle } from '../observability/throttle.js';

export interface ReadersOptions {
  /** Bytes per second that a client must read on average; 0: no minimum. */
  bytesPerSecondMin: number;
  /** Limit of unread bytes on all connections together; above it the slowest readers are cut off. */
  unreadBytesMax: number;
  /** Called with the number of connections that a check closed, if any. */
  cutOff(count: number): void;
  /** How long a reader may read nothing, in addition to the time for the unread bytes, in milliseconds; 10,000. */
  graceMs?: number;
  /** Time between two checks in milliseconds; 1,000. */
  checkIntervalMs?: number;
}

interface Reader {
  socket: Socket;
  unread: number;
  /** Bytes that have left this process. */
  taken: number;
  /** Bytes behind the minimum. */
  debt: number;
}

/**
 * Closes connections that read too slowly, because unread bytes stay in memory and an unfinished list keeps a database connection.
 * While there are connections, all are checked once a second.
 */
export function cutOffSlowReaders(server: Server, options: ReadersOptions): void {
  const sockets = new Set<Socket>();
  let readers = new Map<Socket, Reader>();
  const { checkIntervalMs = 1_000, graceMs = 10_000, cutOff } = options;
  const allowedDebtBytes = (options.bytesPerSecondMin * graceMs) / 1_000;
  let checkedAt = performance.now();
  const check = () => {
    const now = performance.now();
    // while this process was blocked, no client could read
    const elapsedMs = Math.min(now - checkedAt, 2 * checkIntervalMs);
    readers = measureReaders(sockets, readers, (options.bytesPerSecondMin * elapsedMs) / 1_000);
    checkedAt = now;
    const tooSlow = tooSlowOf([...readers.values()], allowedDebtBytes, options.unreadBytesMax);
    for (const { socket } of tooSlow) socket.destroy();
    if (tooSlow.length > 0) cutOff(tooSlow.length);
  };
  let timer: NodeJS.Timeout | undefined;
  server.on('connection', (socket) => {
    if (sockets.size === 0) {
      checkedAt = performance.now();
      timer = setInterval(check, checkIntervalMs).unref();
    }
    sockets.add(socket);
    socket.once('close', () => {
      sockets.delete(socket);
      if (sockets.size === 0) clearInterval(timer);
    });
  });
}

/** @param due bytes that each reader should have read since the last check */
function measureReaders(
  sockets: ReadonlySet<Socket>,
  before: ReadonlyMap<Socket, Reader>,
  due: number,
): Map<Socket, Reader> {
  const readers = new Map<Socket, Reader>();
  for (const socket of sockets) {
    const unread = socket.writableLength;
    if (unread === 0) continue;
    const sentBytes = socket.bytesWritten - unread;
    const last = before.get(socket);
    const debt = last ? Math.max(0, last.debt + due - (sentBytes - last.taken)) : 0;
    readers.set(socket, { socket, unread, taken: sentBytes, debt });
  }
  return readers;
}

/** Progress within one large write isn't visible, so its size is added to the allowed debt. */
function tooSlowOf(readers: Reader[], allowedDebtBytes: number, unreadBytesMax: number): Reader[] {
  const isTooSlow = ({ debt, unread }: Reader) => debt > allowedDebtBytes + unread;
  const tooSlow = readers.filter(isTooSlow);
  const others = readers.filter((reader) => !isTooSlow(reader));
  let unreadBytes = others.reduce((sum, { unread }) => sum + unread, 0);
  if (unreadBytes <= unreadBytesMax) return tooSlow;
  for (const reader of others.sort((one, other) => other.debt - one.debt || other.unread - one.unread)) {
    if (unreadBytes <= unreadBytesMax) break;
    unreadBytes -= reader.unread;
    tooSlow.push(reader);
  }
  return tooSlow;
}

interface ListenerLimits {
  /** Simultaneous connections; further ones are closed at once. */
  connectionsMax: number;
  /** Bytes per second that a client must read of a waiting answer; 0: no minimum. */
  readerBytesPerSecondMin: number;
  log: Pick<Log, 'warn'>;
}

const second = 1_000;
/** Unread bytes of answers on all connections together. */
const unreadBytesMax = 256 * 1024 * 1024;

/** Creates the server. Node itself cuts off clients that send too slowly, too much or nothing: 408, 413, 431, or the connection ends. */
export function createListener({ connectionsMax, readerBytesPerSecondMin, log }: ListenerLimits): Server {
  const server = createServer({
    headersTimeout: 15 * second,
    // includes the body; 8 MiB in this time are 140 kB/s
    requestTimeout: 60 * second,
    connectionsCheckingInterval: 5 * second,
    // longer than load balancers keep idle connections (a minute), so that they close first
    keepAliveTimeout: 65 * second,
    maxHeaderSize: 16 * 1024,
  });
  // the size limit is enough; a count would drop the last headers, which the proxy added
  server.maxHeadersCount = 0;
  // a connection on which nothing moves, not even an answer that nobody reads
  server.setTimeout(120 * second);
  // unlimited requests per connection, since a limit would refuse pipelined ones
  server.maxRequestsPerSocket = 0;
  server.maxConnections = connectionsMax;
  const warnRefused = throttle((count) => log.warn({ count }, 'connections are refused: CONNECTIONS_MAX are open'));
  server.on('drop', () => warnRefused(1));
  cutOffSlowReaders(server, {
    bytesPerSecondMin: readerBytesPerSecondMin,
    unreadBytesMax,
    cutOff: throttle((count) => log.warn({ count }, 'connections are closed: their clients read too slowly')),
  });
  return server;
}
