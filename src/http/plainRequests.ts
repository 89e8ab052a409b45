/**
 * The plain requests of the documented token endpoints, answered without Express: a POST of JSON to the exact path, its
 * length told. They are nearly all there are, and Express would take as long as the work itself. Whatever is in any way
 * unusual takes the long way, where the same endpoints answer.
 */
import { AsyncResource } from 'node:async_hooks';
import type { IncomingMessage, RequestListener, ServerResponse } from 'node:http';
import type { Context, Dependencies } from '../context.js';
import { currentRequest } from '../observability/requestUnderWay.js';
import { type DocumentedEndpoint, documentedEndpoints } from '../rest/token.js';
import { watchAccess } from './accessLog.js';
import { addressOf, forwardedAddress, type Trust } from './address.js';
import { type Answer, send } from './answer.js';
import { jsonOf, tokenBytesMax } from './body.js';
import { problemOf } from './problem.js';
import { secureHeaderEntries } from './secureHeaders.js';

// what Express leaves on requests and responses, for those who look at them later
type Routed = IncomingMessage & { route: { path: string }; body?: unknown };
type Named = ServerResponse & { locals: { traceId: string } };

const plainTypes = new Set(['application/json', 'application/json; charset=utf-8', 'application/json;charset=utf-8']);

function isPlain({ headers }: IncomingMessage): boolean {
  const length = headers['content-length'];
  return (
    length !== undefined &&
    Number(length) <= tokenBytesMax &&
    plainTypes.has(headers['content-type']?.toLowerCase() ?? '') &&
    headers['content-encoding'] === undefined &&
    headers.expect === undefined
  );
}

/** @param otherwise answers every other request */
export function answerPlainRequests(
  dependencies: Dependencies,
  trust: Trust,
  otherwise: RequestListener,
): RequestListener {
  const { config, log, issuerUrl, tokenRequests } = dependencies;
  // pages of other sites are for the long way
  if (config.corsOrigins.length > 0) return otherwise;
  const endpoints = new Map<string | undefined, [string, DocumentedEndpoint]>(
    Object.entries(documentedEndpoints).map(([path, endpoint]) => [config.basePath + path, [path, endpoint]]),
  );
  const headers = [...secureHeaderEntries(issuerUrl), ['cache-control', 'no-store']].flat();
  const watch = watchAccess(config.accessLog, log);

  async function answer(
    request: Routed,
    context: Context,
    endpoint: DocumentedEndpoint,
    body: Buffer,
  ): Promise<Answer> {
    try {
      if (tokenRequests) await tokenRequests(context.address);
      request.body = jsonOf(body);
      return await endpoint.answer(context, request.body);
    } catch (error) {
      return endpoint.refuse?.(error) ?? problemOf(error, context.traceId, log);
    }
  }

  return (request, response) => {
    const [path, endpoint] = (request.method === 'POST' && endpoints.get(request.url)) || [];
    if (!path || !endpoint || !isPlain(request)) return otherwise(request, response);
    const { traceId } = currentRequest()!;
    (request as Routed).route = { path };
    (response as Named).locals = { traceId };
    watch(request, response);
    const address = addressOf({ ip: forwardedAddress(request, trust), socket: request.socket });
    const context: Context = { ...dependencies, caller: { kind: 'anonymous' }, address, traceId };
    readAll(request, async (body) => send(response, await answer(request as Routed, context, endpoint, body), headers));
  };
}

/**
 * A body that breaks off is nobody's. The connection's events know nothing of the request under way, so its scope is
 * kept; by no bound function, for what that holds stays until a full collection.
 */
function readAll(request: IncomingMessage, then: (body: Buffer) => void): void {
  const chunks: Buffer[] = [];
  const scope = new AsyncResource('RequestBody');
  request.on('data', (chunk: Buffer) => chunks.push(chunk));
  request.once('end', () => {
    const body = chunks.length === 1 ? chunks[0]! : Buffer.concat(chunks);
    scope.runInAsyncScope(then, undefined, body);
  });
  request.on('error', () => undefined);
}
