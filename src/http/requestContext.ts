/** The context that services receive of one request. */
import type { ServerResponse } from 'node:http';
import type { Request } from 'express';
import type { Caller } from '../auth/caller.js';
import type { Context, Dependencies } from '../context.js';
import { asReadFailure, clientLeft, readTookTooLong } from '../errors.js';
import { currentRequest, noteCaller } from '../observability/currentRequest.js';
import { addressOf } from './address.js';

/** Names the request that is being answered in everything that is reported of it. */
export const traceIdNow = (): string => currentRequest()!.traceId;

/** @param caller when it has been identified: its statements are on its share of the database then */
export function contextOf(
  dependencies: Dependencies,
  request: Pick<Request, 'ip' | 'socket'>,
  caller: Caller = { kind: 'anonymous' },
): Context {
  const address = addressOf(request);
  const context = { ...dependencies, caller, address, traceId: traceIdNow(), face: 'rest' as const };
  if (caller.kind === 'anonymous') return context;
  noteCaller(caller.sub);
  const name = nameOf(caller, address);
  const sql = dependencies.openChanges({ name });
  const openReads = () => {
    const signal = untilClosed(currentRequest()!.response);
    return withReadFailures(dependencies.openReads({ signal, name, overdue: readTookTooLong }));
  };
  const holdTransaction = () => dependencies.holdForChange({ name });
  return { ...context, sql, reads: sql, openReads, holdTransaction };
}

/** Tells one caller from another: people by who they are, and everybody else (ADMIN_AUTH=none) by the address. */
const nameOf = (caller: Caller, address: string | null): string | undefined =>
  caller.kind === 'user' ? caller.sub : (address ?? undefined);

/** Statements that change nothing: where one fails, that is known. */
function withReadFailures(sql: Context['reads']): Context['reads'] {
  const rethrow = (error: unknown): never => {
    throw asReadFailure(error);
  };
  return {
    ...sql,
    rows: (text, values, form) => sql.rows<never>(text, values, form).catch(rethrow),
    async *stream(text, values, batch, form) {
      try {
        yield* sql.stream<never>(text, values, batch, form);
      } catch (error) {
        rethrow(error);
      }
    },
  };
}

/** Aborted when the response is closed, answered or not: then nobody waits for anything of the request. */
export function untilClosed(response: ServerResponse): AbortSignal {
  const closed = new AbortController();
  const abort = () => closed.abort(clientLeft());
  if (response.closed) abort();
  else response.once('close', abort);
  return closed.signal;
}
