/**
 * Requests that wait behind another one of their connection: HTTP/1.1 lets a client send as many as it likes before any is
 * answered (RFC 9112 §9.3.2), node reads them all, and each takes some kilobytes and what came of its body. So their number
 * and their bodies have bounds.
 */
import type { IncomingMessage } from 'node:http';
import type { Socket } from 'node:net';

/** Of one connection. */
const ofOneMax = 100;
/** Of all. */
const max = 10_000;
/** Of all their bodies. */
const bodyBytesMax = 32 * 1024 * 1024;

interface WaitingRequests {
  /** Counts one more of the connection, with what may be held of its body; false where it may have no more. */
  enter(socket: Socket, bodyBytes?: number): boolean;
  /** One of the connection waits no more. */
  leave(socket: Socket, bodyBytes?: number): void;
  /** The connection has ended. */
  forget(socket: Socket): void;
}

interface Waiting {
  requests: number;
  bodyBytes: number;
}

export function openWaitingRequests(): WaitingRequests {
  const connections = new Map<Socket, Waiting>();
  const all: Waiting = { requests: 0, bodyBytes: 0 };
  const add = (to: Waiting, requests: number, bodyBytes: number) => {
    to.requests += requests;
    to.bodyBytes += bodyBytes;
  };
  return {
    enter(socket, bodyBytes = 0) {
      const own = connections.get(socket) ?? { requests: 0, bodyBytes: 0 };
      if (own.requests >= ofOneMax || all.requests >= max || all.bodyBytes + bodyBytes > bodyBytesMax) return false;
      connections.set(socket, own);
      for (const each of [own, all]) add(each, 1, bodyBytes);
      return true;
    },
    leave(socket, bodyBytes = 0) {
      const own = connections.get(socket);
      if (!own) return;
      for (const each of [own, all]) add(each, -1, -bodyBytes);
      if (own.requests === 0) connections.delete(socket);
    },
    forget(socket) {
      const own = connections.get(socket);
      if (!own) return;
      add(all, -own.requests, -own.bodyBytes);
      connections.delete(socket);
    },
  };
}

/** What node reads at most of a body before anybody asks for it. */
export function unaskedBodyBytes({ headers, readableHighWaterMark }: IncomingMessage): number {
  if (headers['transfer-encoding'] !== undefined) return readableHighWaterMark;
  return Math.min(Number(headers['content-length'] ?? 0), readableHighWaterMark);
}
