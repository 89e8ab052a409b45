/** The HTTP server itself: how long and how large a request may be before anybody looks at it. */
import { createServer, type Server } from 'node:http';

const second = 1_000;

/** Who sends slowly, or much, or nothing, is cut off by node itself: 408, 413, 431, or the end of the connection. */
export function createListener(): Server {
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
  return server;
}
