/** Stands before a service: every request is passed on as it is, and the answer given back as it is. */
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
  /** Longest answer that is held for `onPassed`; a longer one is passed on all the same. */
  answerBytesMax: number;
  /** After the client has its answer. Not called for a request whose body is longer than what is held. */
  onPassed(passed: Passed): void;
}

export interface ListeningProxy {
  url: string;
  /** Takes no more; resolves when all that was passed on was given to `onPassed`. */
  close(): Promise<void>;
}

// RFC 9110 §7.6.1: of one connection alone; node:http writes its own
const hopByHop = new Set('connection keep-alive proxy-connection te trailer transfer-encoding upgrade host'.split(' '));

type Track = (started: Promise<unknown>) => void;

/** Throws OperatorError when it cannot listen. */
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

/** @param handle gets each request; what it hands to `track` is waited for before the listener is closed. Throws OperatorError. */
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
      // requests have their time limit; an answer that has ended is still decoded, and then reported
      while (underWay.size > 0) await Promise.allSettled(underWay);
      server.closeAllConnections();
    },
  };
}

export interface PassOptions {
  to: Service;
  /** `old` or `new`, for the answer when it fails. */
  name: string;
  timeoutMs: number;
  /** Whether the service gets the client's address. */
  forwardedFor?: boolean;
}

/** Passes the request on, and the answer back. @param onResponse may listen to the answer too */
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

/** The addresses that the request came from, the nearest last. */
export const forwardedForOf = ({ headers, socket }: IncomingMessage): string =>
  [headers['x-forwarded-for'], socket.remoteAddress].filter(Boolean).join(', ');

/** RFC 9112 §3.2.2: a client of a proxy may send the whole address. */
export const originForm = (url: string): string =>
  url.startsWith('/') ? url : URL.canParse(url) ? new URL(url).pathname + new URL(url).search : '/';

/** Names as they were written, repeated ones too. */
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
