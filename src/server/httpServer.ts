/** The HTTP server itself: how many connections there may be, and how long and how large a request or an unread answer. */
import { createServer, type Server } from 'node:http';
import type { Log } from '../observability/log.js';
import { throttle } from '../observability/throttle.js';
import { cutOffSlowReaders } from './slowReaders.js';

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
