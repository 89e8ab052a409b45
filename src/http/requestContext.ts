/** What is known of one request before anybody judges it: trace id, address, and the context that services receive. */
import { randomBytes } from 'node:crypto';
import type { IncomingMessage } from 'node:http';
import type { Request, RequestHandler, Response } from 'express';
import type { Caller } from '../auth/caller.js';
import type { Context, Dependencies } from '../context.js';
import { addressOf } from './address.js';

// https://www.w3.org/TR/trace-context/#traceparent-header
const traceparent = /^[0-9a-f]{2}-([0-9a-f]{32})-[0-9a-f]{16}-[0-9a-f]{2}$/;

/** Names the request: the caller's trace id where there is one, else a new one. */
export const nameRequest: RequestHandler = (request, response, next) => {
  response.locals.traceId = traceIdFor(request);
  next();
};

export function traceIdFor({ headers }: IncomingMessage): string {
  const given = typeof headers.traceparent === 'string' ? traceparent.exec(headers.traceparent)?.[1] : undefined;
  return given ?? randomBytes(16).toString('hex');
}

/** The context of a request; `caller` when it has been identified. */
export function contextOf(
  dependencies: Dependencies,
  request: Request,
  response: Response,
  caller: Caller = { kind: 'anonymous' },
): Context {
  return { ...dependencies, caller, address: addressOf(request), traceId: response.locals.traceId };
}
