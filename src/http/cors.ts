/** Which pages of other sites may call: those of CORS_ORIGINS, and the paths of token consumers alone. */
import type { RequestHandler } from 'express';
import type { Config } from '../config.js';

const preflightSeconds = '600';

/**
 * Marks the answers, and answers preflights (https://fetch.spec.whatwg.org/#http-cors-protocol) of allowed origins; those
 * of others go on to be a 405 like any OPTIONS. Cookies mean nothing here, so no credentials are allowed.
 */
export function allowOrigins({ corsOrigins }: Config, paths: ReadonlySet<string>): RequestHandler {
  const isAny = corsOrigins.includes('*');
  return (request, response, next) => {
    if (corsOrigins.length === 0 || !paths.has(request.path)) return next();
    if (!isAny) response.vary('Origin');
    const origin = request.get('origin');
    if (origin === undefined || !(isAny || corsOrigins.includes(origin))) return next();
    response.set('access-control-allow-origin', isAny ? '*' : origin);
    response.set('access-control-expose-headers', 'Retry-After, WWW-Authenticate');
    if (request.method !== 'OPTIONS' || request.get('access-control-request-method') === undefined) return next();
    response.set({
      'access-control-allow-methods': 'GET, HEAD, POST',
      'access-control-allow-headers': 'Authorization, Content-Type, Traceparent',
      'access-control-max-age': preflightSeconds,
    });
    response.status(204).end();
  };
}
