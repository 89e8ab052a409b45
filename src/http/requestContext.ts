/** Builds the context of a request: address, trace id, database connections. */
import type { IncomingMessage, RequestListener, ServerResponse } from 'node:http';
import { isIP, isIPv4 } from 'node:net';
import type { Request, RequestHandler } from 'express';
import type { Caller } from '../auth/caller.js';
import type { RequestLimit } from '../auth/limits.js';
import type { Config } from '../config/config.js';
import { unmapped } from '../config/parsers.js';
import type { Context, Dependencies } from '../context.js';
import { clientLeft, readTookTooLong, throwReadFailure } from '../errors.js';
import { currentRequest, note } from '../observability/currentRequest.js';
import type { Log } from '../observability/log.js';

const addressMax = 45;

/** Returns the address from trusted proxies (TRUST_PROXY), otherwise that of the connection; only valid addresses. */
export function addressOf({
  ip,
  socket,
}: Pick<IncomingMessage, 'socket'> & { ip?: string | undefined }): string | null {
  const address = findAddress(ip) ?? findAddress(socket.remoteAddress);
  return address?.slice(0, addressMax) ?? null;
}

/** The path without query and without a trailing slash. */
export function pathOf({ url = '' }: IncomingMessage): string {
  const path = url.split('?', 1)[0]!;
  return path.endsWith('/') ? path.slice(0, -1) : path;
}

/** Warns once that a proxy is not trusted, so that all of its callers count as one address. */
export function warnOfForwarding({ trustProxy }: Config, log: Log, answer: RequestListener): RequestListener {
  if (trustProxy !== false) return answer;
  let isLogged = false;
  return (request, response) => {
    if (!isLogged && request.headers['x-forwarded-for'] !== undefined) {
      isLogged = true;
      log.warn(
        'X-Forwarded-For arrives while TRUST_PROXY is no: all callers behind a proxy count as its one address, and failed requests of one caller block all. Set TRUST_PROXY to the proxy, or have it drop the header.',
      );
    }
    answer(request, response);
  };
}

function findAddress(text: string | undefined): string | undefined {
  const address = text === undefined ? undefined : withoutPort(text);
  return address === undefined ? undefined : unmapped(address);
}

/** Some proxies write the port too: `192.0.2.1:4711`, `[2001:db8::1]:4711`. Undefined for a text that is no address. */
function withoutPort(written: string): string | undefined {
  // a tab too may be beside a comma (RFC 9110 §5.6.1)
  const text = written.trim();
  if (isIPv4(text)) return text;
  const [, bracketed, plain] = /^(?:\[([^\]]{1,64})\]|([^:]{1,64}))(?::\d{1,5})?$/.exec(text) ?? [];
  const address = bracketed ?? plain ?? text;
  return isIP(address) === 0 ? undefined : address;
}

/** Whether an entry of X-Forwarded-For belongs to a trusted proxy; index 0 is the connected address. */
export type Trust = (address: string, index: number) => boolean;

/** Knows a proxy with a port too. A text that is no address is judged as it is, so not trusted. A client that has gone has none. */
export const trustWithPorts =
  (trust: Trust) =>
  (entry: string | undefined, index: number): boolean =>
    entry !== undefined && trust(withoutPort(entry) ?? entry, index);

/** Returns the trace id of the current request. */
export const traceIdNow = (): string => currentRequest()!.traceId;

/** @param caller the identified caller, if any: its statements use its share of the database */
export function contextOf(
  dependencies: Dependencies,
  request: Pick<Request, 'ip' | 'socket'>,
  caller: Caller = { kind: 'anonymous' },
): Context {
  const address = addressOf(request);
  const face = caller.kind === 'connector' ? ('scim' as const) : ('rest' as const);
  const context = { ...dependencies, caller, address, traceId: traceIdNow(), face };
  if (caller.kind === 'anonymous') return context;
  note('caller', caller.sub);
  const name = nameOf(caller, address);
  const sql = dependencies.openChanges({ name });
  const openReads = () => {
    const signal = untilClosed(currentRequest()!.response);
    return withReadFailures(dependencies.openReads({ signal, name, overdue: readTookTooLong }));
  };
  const holdTransaction = () => dependencies.holdForChange({ name });
  return { ...context, sql, reads: sql, openReads, holdTransaction };
}

/** Identifies the owner of a share: the user or connector, or with ADMIN_AUTH=none the address. */
const nameOf = (caller: Caller, address: string | null): string | undefined =>
  caller.kind === 'user' || caller.kind === 'connector' ? caller.sub : (address ?? undefined);

/** Reports a database failure of a read as a 503 that says that nothing was changed. */
function withReadFailures(sql: Context['reads']): Context['reads'] {
  return {
    ...sql,
    rows: (text, values, form) => sql.rows<never>(text, values, form).catch(throwReadFailure),
    async *stream(text, values, batch, form) {
      try {
        yield* sql.stream<never>(text, values, batch, form);
      } catch (error) {
        throwReadFailure(error);
      }
    },
  };
}

/** Returns a signal that is aborted when the response is closed, answered or not. */
export function untilClosed(response: ServerResponse): AbortSignal {
  const closed = new AbortController();
  const abort = () => closed.abort(clientLeft());
  if (response.closed || response.destroyed) abort();
  else response.once('close', abort);
  return closed.signal;
}

/** Returns the handler that counts requests; none without a limit. */
export function limitRequests(limit: RequestLimit | undefined): RequestHandler[] {
  if (!limit) return [];
  const count: RequestHandler = async (request, _response, next) => {
    await limit(addressOf(request));
    next();
  };
  return [count];
}
