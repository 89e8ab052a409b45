/**
 * Requests that wait behind another one of their connection: HTTP/1.1 lets a client send as many as it likes before any is
 * answered (RFC 9112 §9.3.2), node reads them all, and each takes some kilobytes. So their number has bounds.
 */
import type { Socket } from 'node:net';

/** Of one connection. */
const ofOneMax = 100;
/** Of all. */
const max = 10_000;

interface WaitingRequests {
  /** Counts one more of the connection; false where it may have no more. */
  enter(socket: Socket): boolean;
  /** One of the connection waits no more. */
  leave(socket: Socket): void;
  /** The connection has ended. */
  forget(socket: Socket): void;
}

export function openWaitingRequests(): WaitingRequests {
  const counts = new Map<Socket, number>();
  let all = 0;
  return {
    enter(socket) {
      const own = counts.get(socket) ?? 0;
      if (own >= ofOneMax || all >= max) return false;
      counts.set(socket, own + 1);
      all += 1;
      return true;
    },
    leave(socket) {
      const own = counts.get(socket) ?? 0;
      if (own === 0) return;
      if (own === 1) counts.delete(socket);
      else counts.set(socket, own - 1);
      all -= 1;
    },
    forget(socket) {
      all -= counts.get(socket) ?? 0;
      counts.delete(socket);
    },
  };
}
