/** A proxy in front of a service: passes requests and answers on unchanged. */
import { once } from 'node:events';
import { createServer, type IncomingMessage, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { OperatorError } from '../src/errors.js';
import { type Answer, bodyBytesMax, type Request } from './message.js';
import { hold, joined, type Service, toAnswer } from './send.js';

export interface Passed {
  request: Request;
  answer: Answer;
}

export interface ProxyOptions {
  listen: { host: string; port: number };
  to: Service;
  timeoutMs: number;
  /** Longest answer that `onPassed` gets; longer ones are passed on too. */
  answerBytesMax: number;
  /** Called after the client has its answer, except for a request whose body is too long to keep. */
  onPassed(passed: Passed): void;
}

export interface ListeningProxy {
  url: string;
  /** Accepts no more requests. Resolves after the last `onPassed`. */
  close(): Promise<void>;
}

// RFC 9110 §7.6.1: they belong to one connection, and node:http writes its own
const hopByHop = new Set('connection keep-alive proxy-connection te trailer transfer-encoding upgrade host'.split(' '));

type Track = (started: Promise<unknown>) => void;

/** Starts the proxy. Throws OperatorError if it cannot listen. */
export function startProxy({ listen, ...options }: ProxyOptions): Promise<ListeningProxy> {
  const { answerBytesMax, onPassed, ...passOptions } = options;
  return listenFor(listen, options.timeoutMs, (incoming, outgoing, track) => {
    const sent = hold(incoming, bodyBytesMax);
    passOn({ ...passOptions, name: 'old' }, incoming, outgoing, (response) => {
      const answer = hold(response, answerBytesMax);
      response.on('end', () => {
        const body = sent();
        if (body === undefined) return;
        const [method, target] = [incoming.method!, originForm(incoming.url!)];
        track(
          toAnswer(response, answer()).then((answer) =>
            onPassed({ request: { method, target, headers: joined(incoming.headers), body }, answer }),
          ),
        );
      });
    });
  });
}

/** @param handle gets each request; `close` waits for the promises that it gives to `track`. Throws OperatorError if it cannot listen. */
export async function listenFor(
  { host, port }: { host: string; port: number },
  timeoutMs: number,
  handle: (incoming: IncomingMessage, outgoing: ServerResponse, track: Track) => void,
): Promise<ListeningProxy> {
  const underWay = new Set<Promise<unknown>>();
  const track: Track = (started) => {
    const work = started.finally(() => underWay.delete(work)).catch(() => undefined);
    underWay.add(work);
  };
  const server = createServer((incoming, outgoing) => {
    track(once(outgoing, 'close'));
    handle(incoming, outgoing, track);
  });
  server.requestTimeout = timeoutMs;
  server.listen(port, host);
  await once(server, 'listening').catch((error: Error) => {
    throw new OperatorError(`Nothing can listen on ${host}:${port}: ${error.message}.`);
  });
  const { port: chosen } = server.address() as AddressInfo;
  return {
    url: `http://${host.includes(':') ? `[${host}]` : host}:${chosen}`,
    async close() {
      server.close();
      // new promises may come while it waits: an answer that has ended is decoded, then reported
      while (underWay.size > 0) await Promise.allSettled(underWay);
      server.closeAllConnections();
    },
  };
}

export interface PassOptions {
  to: Service;
  /** `old` or `new`, for the message of a failure. */
  name: string;
  timeoutMs: number;
  /** Whether the service gets the client's address. */
  forwardedFor?: boolean;
}

/** Passes the request on, and the answer back. @param onResponse gets the answer, to listen to it too */
export function passOn(
  { to, name, timeoutMs, forwardedFor }: PassOptions,
  incoming: IncomingMessage,
  outgoing: ServerResponse,
  onResponse: (response: IncomingMessage) => void = () => undefined,
): void {
  const headers = headersToPass(incoming.rawHeaders);
  if (forwardedFor) headers['X-Forwarded-For'] = [forwardedForOf(incoming)];
  const forwarded = to.begin(incoming.method!, originForm(incoming.url!), headers);
  const fail = (status: number, title: string) => {
    forwarded.destroy();
    if (outgoing.headersSent) return void outgoing.destroy();
    outgoing.writeHead(status, { 'content-type': 'application/problem+json' });
    outgoing.end(JSON.stringify({ type: 'about:blank', title, status }));
  };
  const timer = setTimeout(() => fail(504, `The ${name} service has not answered in time.`), timeoutMs);
  forwarded.on('error', () => fail(502, `The ${name} service cannot be reached.`));
  forwarded.on('response', (response) => {
    outgoing.writeHead(response.statusCode!, response.statusMessage, pairsToPass(response.rawHeaders));
    response.pipe(outgoing);
    response.on('error', () => outgoing.destroy());
    onResponse(response);
  });
  outgoing.on('close', () => {
    clearTimeout(timer);
    if (!outgoing.writableFinished) forwarded.destroy();
  });
  incoming.pipe(forwarded);
}

/** The addresses that the request came through, the nearest last. */
export const forwardedForOf = ({ headers, socket }: IncomingMessage): string =>
  [headers['x-forwarded-for'], socket.remoteAddress].filter(Boolean).join(', ');

/** The path and query. RFC 9112 §3.2.2: a client of a proxy may send the whole address. */
export const originForm = (url: string): string =>
  url.startsWith('/') ? url : URL.canParse(url) ? new URL(url).pathname + new URL(url).search : '/';

/** The headers to pass on, with their names as written, repeated ones included. */
export function pairsToPass(raw: readonly string[]): [string, string][] {
  const pairs: [string, string][] = [];
  for (let index = 0; index < raw.length; index += 2)
    if (!hopByHop.has(raw[index]!.toLowerCase())) pairs.push([raw[index]!, raw[index + 1]!]);
  return pairs;
}

function headersToPass(raw: readonly string[]): Record<string, string[]> {
  const headers: Record<string, string[]> = {};
  for (const [name, value] of pairsToPass(raw)) headers[name] = [...(headers[name] ?? []), value];
  return headers;
}
