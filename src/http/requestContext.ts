/** The context that services receive of one request. */
import type { ServerResponse } from 'node:http';
import type { Request } from 'express';
import type { Caller } from '../auth/caller.js';
import type { Context, Dependencies } from '../context.js';
import { clientLeft } from '../errors.js';
import { currentRequest, noteCaller } from '../observability/currentRequest.js';
import { addressOf } from './address.js';

/** Names the request that is being answered in everything that is reported of it. */
export const traceIdNow = (): string => currentRequest()!.traceId;

/** @param caller when it has been identified */
export function contextOf(
  dependencies: Dependencies,
  request: Pick<Request, 'ip' | 'socket'>,
  caller: Caller = { kind: 'anonymous' },
): Context {
  if (caller.kind !== 'anonymous') noteCaller(caller.sub);
  const openReads = () => {
    const name = caller.kind === 'user' ? caller.sub : undefined;
    return dependencies.openReads({ signal: untilClosed(currentRequest()!.response), name });
  };
  return { ...dependencies, openReads, caller, address: addressOf(request), traceId: traceIdNow(), face: 'rest' };
}

/** Aborted when the response is closed, answered or not: then nobody waits for anything of the request. */
export function untilClosed(response: ServerResponse): AbortSignal {
  const closed = new AbortController();
  const abort = () => closed.abort(clientLeft());
  if (response.closed) abort();
  else response.once('close', abort);
  return closed.signal;
}
