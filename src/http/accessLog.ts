/** A line for each request that ACCESS_LOG asks for. Nothing else of a request is ever logged than what stands here. */
import type { IncomingMessage, ServerResponse } from 'node:http';
import type { RequestHandler } from 'express';
import type { Config } from '../config.js';
import type { Log } from '../observability/log.js';

// what Express, or the listener of plain requests, leaves on them
type Routed = IncomingMessage & { route?: { path?: unknown } };
type Named = ServerResponse & { locals: { traceId?: string } };

export function logAccess(wanted: Config['accessLog'], log: Log): RequestHandler {
  const watch = watchAccess(wanted, log);
  return (request, response, next) => {
    watch(request, response as Named);
    next();
  };
}

/** Logs a request when it has ended. */
export function watchAccess(
  wanted: Config['accessLog'],
  log: Log,
): (request: IncomingMessage, response: ServerResponse) => void {
  if (wanted === 'no') return () => undefined;
  return (request, response) => {
    const begun = performance.now();
    response.once('close', () => {
      const { statusCode: status, locals } = response as Named;
      // an answer that broke off is a failure, whatever its status was to be
      const isComplete = response.writableFinished;
      if (wanted === 'failures' && status < 400 && isComplete) return;
      const durationMs = Math.round((performance.now() - begun) * 10) / 10;
      const { method } = request;
      log.info(
        {
          traceId: locals.traceId,
          method,
          route: routeOf(request),
          status,
          durationMs,
          ...(!isComplete && { aborted: true }),
        },
        'request',
      );
    });
  };
}

/** The pattern that the request was routed by, never what was asked for: an address may hold anything. */
function routeOf({ route }: Routed): string {
  const pattern: unknown = Array.isArray(route?.path) ? route.path[0] : route?.path;
  return pattern === undefined ? '-' : String(pattern);
}
