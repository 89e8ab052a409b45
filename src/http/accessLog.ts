/** A line for each request that ACCESS_LOG asks for. Nothing else of a request is ever logged than what stands here. */
import type { Request, RequestHandler } from 'express';
import type { Config } from '../config.js';
import type { Log } from '../observability/log.js';

export function logAccess(wanted: Config['accessLog'], log: Log): RequestHandler {
  if (wanted === 'no') return (_request, _response, next) => next();
  return (request, response, next) => {
    const begun = performance.now();
    response.once('close', () => {
      const { statusCode: status, locals } = response;
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
    next();
  };
}

/** The pattern that the request was routed by, never what was asked for: an address may hold anything. */
function routeOf({ route }: Request): string {
  const pattern: unknown = Array.isArray(route?.path) ? route.path[0] : route?.path;
  return pattern === undefined ? '-' : String(pattern);
}
