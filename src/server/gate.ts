/** The entrance of a process: bounds the open requests of connections, answers health checks, and waits for open requests at a stop. */
import { type IncomingMessage, type RequestListener, type Server, type ServerResponse, STATUS_CODES } from 'node:http';
import { isIPv6, Server as NetServer, type Socket } from 'node:net';
import { setTimeout as pause } from 'node:timers/promises';
import { json, send } from '../http/answer.js';
import { linesOf } from '../http/headers.js';

/** Maximum number of waiting requests on one connection. */
const ofOneMax = 100;
/** Maximum number on all connections. */
const max = 10_000;
/** Maximum bytes of all their bodies. */
const bodyBytesMax = 32 * 1024 * 1024;

interface Waiting {
  requests: number;
  bodyBytes: number;
}

/**
 * Bounds requests that wait behind another one on their connection: HTTP/1.1 lets a client send any number before one is
 * answered (RFC 9112 §9.3.2), Node reads them all, and each takes some kilobytes and its body.
 */
export function openWaitingRequests() {
  const connections = new Map<Socket, Waiting>();
  const all: Waiting = { requests: 0, bodyBytes: 0 };
  const add = (to: Waiting, requests: number, bodyBytes: number) => {
    to.requests += requests;
    to.bodyBytes += bodyBytes;
  };
  return {
    /** Counts another request of the connection with its body's bytes; false if it exceeds a limit. */
    enter(socket: Socket, bodyBytes = 0): boolean {
      const own = connections.get(socket) ?? { requests: 0, bodyBytes: 0 };
      if (own.requests >= ofOneMax || all.requests >= max || all.bodyBytes + bodyBytes > bodyBytesMax) return false;
      connections.set(socket, own);
      for (const total of [own, all]) add(total, 1, bodyBytes);
      return true;
    },
    /** Ends the wait of one request of the connection. */
    leave(socket: Socket, bodyBytes = 0): void {
      const own = connections.get(socket);
      if (!own) return;
      for (const total of [own, all]) add(total, -1, -bodyBytes);
      if (own.requests === 0) connections.delete(socket);
    },
    /** Call it when the connection has ended. */
    forget(socket: Socket): void {
      const own = connections.get(socket);
      if (!own) return;
      add(all, -own.requests, -own.bodyBytes);
      connections.delete(socket);
    },
  };
}

/** Maximum bytes that Node reads of a body before the application reads it. */
function unreadBodyBytes({ headers, readableHighWaterMark }: IncomingMessage): number {
  if (headers['transfer-encoding'] !== undefined) return readableHighWaterMark;
  return Math.min(Number(headers['content-length'] ?? 0), readableHighWaterMark);
}

export interface Closing {
  /** How long requests are still accepted, closing each connection after its answer, in milliseconds. */
  delayMs: number;
  /** How long after that open requests may take, in milliseconds. */
  graceMs: number;
}

export type Gate = ReturnType<typeof guard>;

/**
 * Admits requests: early requests wait until the service is open; at a stop, open requests finish and no more are admitted.
 * Pipelined requests of a connection pass one after the other: HTTP sends their answers in that order
 * anyway (RFC 9112 §9.3.2), so a connection costs at most one request and one answer at a time.
 */
export function guard(server: Server, basePath: string) {
  const early: [IncomingMessage, ServerResponse][] = [];
  // the last response of each connection; a map that grows and shrinks with every request would keep responses until a full collection
  const underWay = new Map<Socket, ServerResponse | undefined>();
  // connections on which something came that is no request
  const unreadable = new WeakSet<Socket>();
  const waiting = openWaitingRequests();
  let answer: RequestListener = (...request) => early.push(request);
  let closing = false;
  let check = async (): Promise<ReadinessReport> => ({ checks: { process: 'is starting' } });
  const health = openHealth(async () => (closing ? { checks: { process: 'is ending' } } : check()), basePath);
  /** Closes idle connections, unless any connection still has bytes to write, since Node would cut it off. */
  const endIdle = () => {
    for (const { writableLength } of underWay.keys()) if (writableLength > 0) return;
    server.closeIdleConnections();
  };
  server.on('connection', (socket) =>
    socket.once('close', () => {
      underWay.delete(socket);
      waiting.forget(socket);
    }),
  );
  server.on('checkContinue', (request, response) => {
    // unless it is asked for, the body may never come, and must not be taken for the connection's next request
    endConnectionAfter(response);
    continueWhenRead(request, response, () => {
      if (!closing) response.removeHeader('connection');
    });
    server.emit('request', request, response);
  });
  // by itself node would keep the connection, and take the next request for the body that the client held back
  server.on('checkExpectation', (request, response) => {
    enter(request, response);
    refuse(response, 417);
  });
  server.on('clientError', (error: NodeJS.ErrnoException, socket: Socket) => {
    const last = underWay.get(socket);
    if (!last || (last.socket && !last.req.complete)) refuseUnreadable(error, socket, last);
    // RFC 9112 §9.3.2: requests before this one have their answers first; node would write the refusal at once, as theirs
    else if (!unreadable.has(socket)) last.once(last.req.complete ? 'close' : 'socket', () => socket.destroySoon());
    unreadable.add(socket);
  });
  /** Returns the response that comes before it on the connection. */
  const enter = ({ socket }: IncomingMessage, response: ServerResponse): ServerResponse | undefined => {
    const before = underWay.get(socket);
    underWay.set(socket, response);
    // a single listener, since each costs the request time; `once` would cost more, and this is emitted once
    response.on('close', () => {
      if (underWay.get(socket) === response) underWay.set(socket, undefined);
      if (!server.listening) endIdle();
    });
    if (closing) endConnectionAfter(response);
    return before;
  };
  server.on('request', (request, response) => {
    const { socket } = request;
    const target = originFormOf(request.url);
    if (target !== undefined) request.url = target;
    const before = enter(request, response);
    if (target === undefined || !hasOneHost(request)) return refuse(response);
    // RFC 9112 §6.1: in HTTP/1.0 nobody may rely on how such a request is delimited
    if (request.httpVersionMinor === 0 && request.headers['transfer-encoding'] !== undefined)
      endConnectionAfter(response);
    if (!before) return take(request, response);
    const bodyBytes = unreadBodyBytes(request);
    // an answer must not overtake earlier ones
    if (!waiting.enter(socket, bodyBytes)) socket.destroy();
    else
      before.once('close', () => {
        waiting.leave(socket, bodyBytes);
        // RFC 9112 §9.6: nothing is processed behind an answer that ends the connection
        if (socket.writable) take(request, response);
      });
  });
  const take: RequestListener = (request, response) => {
    if (!health.answers(request, response)) answer(request, response);
  };
  return {
    health,
    /** Lets requests in; `healthCheck` says whether they can be answered. */
    open(listener: RequestListener, healthCheck: () => Promise<ReadinessReport>): void {
      answer = listener;
      check = healthCheck;
      for (const request of early.splice(0)) answer(...request);
    },
    /** Resolves when no connection is left. */
    async close({ delayMs, graceMs }: Closing): Promise<void> {
      closing = true;
      for (const response of underWay.values()) if (response) endConnectionAfter(response);
      if (delayMs > 0) await pause(delayMs);
      // Node's own close would cut off answers that are still being read
      const closed = new Promise<void>((resolve) => NetServer.prototype.close.call(server, () => resolve()));
      endIdle();
      const forceCloseTimer = setTimeout(() => server.closeAllConnections(), graceMs);
      await closed;
      clearTimeout(forceCloseTimer);
      server.close();
    },
  };
}

/** RFC 9112 §3.2: node refuses a request without a Host, takes the first of several, and any text. */
function hasOneHost(request: IncomingMessage): boolean {
  const hosts = linesOf(request, 'host');
  return hosts.length <= 1 && hosts.every(isHost);
}

/** RFC 9110 §7.2 and RFC 3986 §3.2.2: a name or address, and a port. Empty for a target without an authority. */
const hostForm = /^(?:\[([\w:.~%-]{1,100})\]|(?:[\w.~!$&'()*+,;=-]|%[\da-f]{2}){0,255})(?::\d{0,5})?$/i;

/** The last one that was found right, since nearly all requests have the same. */
let lastHost: string | undefined;

function isHost(text: string): boolean {
  if (text === lastHost) return true;
  const [match, bracketed] = hostForm.exec(text) ?? [];
  const isOne = match !== undefined && (bracketed === undefined || isIPv6(bracketed));
  if (isOne) lastHost = text;
  return isOne;
}

/** RFC 9112 §3.2.2: a target may be a whole address. Routes and limits know only its path and query. Undefined without a valid host. */
function originFormOf(target = ''): string | undefined {
  if (target.startsWith('/') || !/^https?:\/\//i.test(target)) return target;
  const start = target.indexOf('//') + 2;
  const ends = ['/', '?'].map((end) => target.indexOf(end, start)).filter((at) => at >= 0);
  const end = Math.min(...ends, target.length);
  const authority = target.slice(start, end);
  if (/^(?::|$)/.test(authority) || !isHost(authority)) return undefined;
  const rest = target.slice(end);
  return rest.startsWith('/') ? rest : `/${rest}`;
}

/**
 * Sends 100 Continue when the body is read, so that a request that is refused by its headers gets its answer at once (RFC 9110
 * §10.1.1).
 */
function continueWhenRead(request: IncomingMessage, response: ServerResponse, continued: () => void): void {
  const { _read: read } = request;
  request._read = (size) => {
    request._read = read;
    if (!response.headersSent && !response.closed) {
      continued();
      response.writeContinue();
    }
    read.call(request, size);
  };
}

const unreadableStatus = new Map([
  ['HPE_HEADER_OVERFLOW', 431],
  ['HPE_CHUNK_EXTENSIONS_OVERFLOW', 413],
  ['ERR_HTTP_REQUEST_TIMEOUT', 408],
]);

/** Does what Node does without a listener. */
function refuseUnreadable(error: NodeJS.ErrnoException, socket: Socket, response: ServerResponse | undefined): void {
  const status = unreadableStatus.get(error.code ?? '') ?? 400;
  if (socket.writable && !response?.headersSent)
    socket.write(`HTTP/1.1 ${status} ${STATUS_CODES[status]}\r\nConnection: close\r\n\r\n`);
  socket.destroy(error);
}

/** Refuses a request like Node refuses an unreadable one. */
function refuse(response: ServerResponse, status = 400): void {
  response.writeHead(status, { connection: 'close' }).end();
}

function endConnectionAfter(response: ServerResponse): void {
  if (!response.headersSent) response.setHeader('connection', 'close');
}

export interface ReadinessReport {
  /** The result of each check: `ok`, or the problem. */
  checks: Readonly<Record<string, string>>;
  /** What doesn't affect readiness: the state of the replicas, and a full disk of the database. */
  replicas?: string;
  disk?: string;
}

export type Health = ReturnType<typeof openHealth>;

/**
 * Opens the health checks: /livez shows that the process runs, /readyz which part fails, if any. Both need no token and come before
 * all routes.
 * @param check must never reject
 * @param basePath the paths are answered with and without it
 */
export function openHealth(check: () => Promise<ReadinessReport>, basePath: string) {
  const answer = new Map<string, (response: ServerResponse) => void>();
  for (const prefix of new Set(['', basePath])) {
    answer.set(`${prefix}/livez`, (response) => send(response, json(200, { status: 'ok' }, notStored)));
    answer.set(`${prefix}/readyz`, (response) => void check().then((report) => sendReadiness(response, report)));
  }
  return {
    /** What /readyz reports. Never rejects. */
    report: check,
    /** Answers the request if it is for one of the two paths. */
    answers(request: IncomingMessage, response: ServerResponse): boolean {
      const handler = answer.get(pathOf(request));
      if (!handler) return false;
      if (isRead(request, response)) handler(response);
      return true;
    },
  };
}

/** Refuses other methods. */
function isRead({ method }: IncomingMessage, response: ServerResponse): boolean {
  if (method === 'GET' || method === 'HEAD') return true;
  response.writeHead(405, { allow: 'GET, HEAD' }).end();
  return false;
}

const pathOf = ({ url }: IncomingMessage): string => originFormOf(url)?.split('?', 1)[0] ?? '';

export const isReady = ({ checks }: ReadinessReport): boolean => Object.values(checks).every((check) => check === 'ok');

function sendReadiness(response: ServerResponse, report: ReadinessReport): void {
  const ready = isReady(report);
  send(response, json(ready ? 200 : 503, { status: ready ? 'ok' : 'unavailable', ...report }, notStored));
}

const notStored = { 'cache-control': 'no-store' };

/** The listener of METRICS_PORT: /metrics and the two health checks. */
export function metricsListener(health: Health, metrics: () => Promise<string>, contentType: string): RequestListener {
  let underWay: Promise<string> | undefined;
  /** Simultaneous requests share one collection. */
  const gather = () => {
    underWay ??= metrics().finally(() => {
      underWay = undefined;
    });
    return underWay;
  };
  return (request, response) => {
    if (health.answers(request, response)) return;
    if (pathOf(request) !== '/metrics') {
      response.writeHead(404).end();
      return;
    }
    if (!isRead(request, response)) return;
    gather().then(
      (text) => response.writeHead(200, { 'content-type': contentType }).end(text),
      () => response.writeHead(503, { 'retry-after': '5' }).end(),
    );
  };
}
