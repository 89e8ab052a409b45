/** The gate of a server: requests that come before all is open wait; at the end, those under way are let out and no more come in. */
import type { IncomingMessage, RequestListener, Server, ServerResponse } from 'node:http';
import { setTimeout as pause } from 'node:timers/promises';

export interface Closing {
  /** How long requests are still taken, each connection ending with its answer, in milliseconds. */
  delayMs: number;
  /** How long after that requests under way may take. */
  graceMs: number;
}

export interface Gate {
  open(answer: RequestListener): void;
  isClosing(): boolean;
  /** Resolves when no connection is left. */
  close(closing: Closing): Promise<void>;
}

export function guard(server: Server): Gate {
  const early: [IncomingMessage, ServerResponse][] = [];
  const underWay = new Set<ServerResponse>();
  let answer: RequestListener = (...request) => early.push(request);
  let closing = false;
  server.on('request', (request, response) => {
    underWay.add(response);
    response.once('close', () => underWay.delete(response));
    if (closing) endConnectionAfter(response);
    answer(request, response);
  });
  return {
    isClosing: () => closing,
    open(given) {
      answer = given;
      for (const request of early.splice(0)) answer(...request);
    },
    async close({ delayMs, graceMs }) {
      closing = true;
      for (const response of underWay) endConnectionAfter(response);
      if (delayMs > 0) await pause(delayMs);
      const closed = new Promise<void>((resolve) => server.close(() => resolve()));
      server.closeIdleConnections();
      const impatient = setTimeout(() => server.closeAllConnections(), graceMs);
      await closed;
      clearTimeout(impatient);
    },
  };
}

function endConnectionAfter(response: ServerResponse): void {
  if (!response.headersSent) response.setHeader('connection', 'close');
}
