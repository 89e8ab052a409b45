/** Sends requests to a service. Follows no redirects, and keeps nothing between requests except connections. */
import { type ClientRequest, Agent as HttpAgent, request as httpRequest, type IncomingMessage } from 'node:http';
import { Agent as HttpsAgent, request as httpsRequest } from 'node:https';
import { finished } from 'node:stream/promises';
import { type Answer, bodyBytesMax, decodeBody, type Headers, type Request } from './message.js';

/** There is no answer, or it cannot be read; the message has the reason in a few words. */
export class NoAnswer extends Error {}

export interface Service {
  /** Throws NoAnswer. */
  send(request: Request): Promise<Answer>;
  /** Begins a request. The caller sends the body and reads the answer. */
  begin(method: string, target: string, headers: Record<string, string | string[]>): ClientRequest;
  close(): void;
}

/** @param address may have a path, to which targets are added */
export function openService(address: URL, timeoutMs: number): Service {
  const isTls = address.protocol === 'https:';
  const options = { keepAlive: true, maxSockets: 256, scheduling: 'lifo' as const };
  const agent = isTls ? new HttpsAgent(options) : new HttpAgent(options);
  const basePath = address.pathname.replace(/\/$/, '');
  const begin: Service['begin'] = (method, target, headers) =>
    (isTls ? httpsRequest : httpRequest)({
      agent,
      method,
      protocol: address.protocol,
      hostname: address.hostname.replace(/^\[|\]$/g, ''),
      port: address.port,
      path: `${basePath}${target}`,
      headers: { ...headers, host: address.host },
    });
  return { begin, send: (request) => send(begin, request, timeoutMs), close: () => agent.destroy() };
}

function send(begin: Service['begin'], { method, target, headers, body }: Request, timeoutMs: number): Promise<Answer> {
  return new Promise((resolve, reject) => {
    const length = body.length > 0 ? { 'content-length': String(body.length) } : {};
    const request = begin(method, target, { ...headers, ...length });
    const fail = (error: NodeJS.ErrnoException) => {
      clearTimeout(timer);
      reject(error instanceof NoAnswer ? error : new NoAnswer(reasons[error.code ?? ''] ?? 'connection failed'));
      request.destroy();
    };
    const timer = setTimeout(() => fail(new NoAnswer(`none within ${timeoutMs / 1_000} s`)), timeoutMs);
    request.on('error', fail);
    request.on('response', (response) =>
      readAnswer(response).then((answer) => {
        clearTimeout(timer);
        resolve(answer);
      }, fail),
    );
    request.end(body);
  });
}

const reasons: Record<string, string> = {
  ECONNREFUSED: 'connection refused',
  ECONNRESET: 'connection broken off',
  ENOTFOUND: 'no such host',
  EAI_AGAIN: 'no such host',
  CERT_HAS_EXPIRED: 'certificate expired',
  DEPTH_ZERO_SELF_SIGNED_CERT: 'certificate not trusted',
  SELF_SIGNED_CERT_IN_CHAIN: 'certificate not trusted',
  UNABLE_TO_VERIFY_LEAF_SIGNATURE: 'certificate not trusted',
};

async function readAnswer(response: IncomingMessage): Promise<Answer> {
  const body = hold(response, bodyBytesMax);
  await finished(response, { writable: false });
  return toAnswer(response, body());
}

/** Collects what the stream sends. The returned function gives the bytes; undefined: they are more than `bytesMax`. */
export function hold(stream: IncomingMessage, bytesMax: number): () => Buffer | undefined {
  const chunks: Buffer[] = [];
  let bytes = 0;
  stream.on('data', (chunk: Buffer) => {
    bytes += chunk.length;
    if (bytes <= bytesMax) chunks.push(chunk);
    else chunks.length = 0;
  });
  return () => (bytes <= bytesMax ? Buffer.concat(chunks) : undefined);
}

/** @param bytes undefined: too many to keep */
export async function toAnswer(response: IncomingMessage, bytes: Buffer | undefined): Promise<Answer> {
  const body = bytes && (await decodeBody(response.headers['content-encoding'], bytes));
  return {
    status: response.statusCode!,
    headers: joined(response.headers),
    body: body ?? Buffer.alloc(0),
    isTooLong: body === undefined,
  };
}

export const joined = (headers: NodeJS.Dict<string | string[]>): Headers =>
  Object.fromEntries(
    Object.entries(headers).flatMap(([name, value]) =>
      value === undefined ? [] : [[name, Array.isArray(value) ? value.join(', ') : value]],
    ),
  );
