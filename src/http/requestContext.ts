/** What is known of one request before anybody judges it: trace id, address, and the context that services receive. */
import type { Request, RequestHandler, Response } from 'express';
import type { Caller } from '../auth/caller.js';
import type { Context, Dependencies } from '../context.js';
import { currentRequest } from '../observability/requestUnderWay.js';
import { addressOf } from './address.js';

/** Names the request in all that is told of it. */
export const nameRequest: RequestHandler = (_request, response, next) => {
  response.locals.traceId = currentRequest()!.traceId;
  next();
};

/** The context of a request; `caller` when it has been identified. */
export function contextOf(
  dependencies: Dependencies,
  request: Request,
  response: Response,
  caller: Caller = { kind: 'anonymous' },
): Context {
  return { ...dependencies, caller, address: addressOf(request), traceId: response.locals.traceId };
}
