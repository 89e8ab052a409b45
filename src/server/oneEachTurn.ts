/**
 * Requests that come at the same moment begin one in each turn of the event loop: between two of them the loop comes to
 * what else has arrived. So whoever opens a hundred lists at once doesn't hold up the token endpoints, which don't wait here.
 */
import { AsyncResource } from 'node:async_hooks';
import type { IncomingMessage, RequestListener, ServerResponse } from 'node:http';

interface Waiting {
  request: IncomingMessage;
  response: ServerResponse;
  /** Where log and traces find the request; not `bind`, which keeps what it binds (docs/decisions/0016). */
  scope: AsyncResource;
}

export function oneEachTurn(answer: RequestListener): RequestListener {
  const waiting: Waiting[] = [];
  const beginNext = () => {
    const { request, response, scope } = waiting.shift()!;
    if (waiting.length > 0) setImmediate(beginNext);
    scope.runInAsyncScope(answer, undefined, request, response);
  };
  return (request, response) => {
    waiting.push({ request, response, scope: new AsyncResource('WaitingRequest') });
    if (waiting.length === 1) setImmediate(beginNext);
  };
}
