/** Checks that a request comes from a page of the console: the protection against CSRF. */
import type { IncomingMessage } from 'node:http';
import type { RequestHandler } from 'express';
import { GatehouseError } from '../../../errors.js';
import { isJsonType } from '../../../http/body.js';

const crossSite = (detail: string) =>
  new GatehouseError('FORBIDDEN', 'Only pages of the console may send this request.', { detail });

/** Pages of other sites cannot set these headers: https://www.w3.org/TR/fetch-metadata/, or Origin in browsers without it. */
function isSameOrigin({ headers }: IncomingMessage, origin: string): boolean {
  const site = headers['sec-fetch-site'];
  return site === undefined ? headers.origin === origin : site === 'same-origin';
}

/** Throws FORBIDDEN for a request of another site, and for one that a form could send. @param origin of the console */
export function requireConsolePage(origin: string): RequestHandler {
  return (request, _response, next) => {
    if (!isSameOrigin(request, origin)) throw crossSite('from another site');
    // a page of another site needs a preflight for this header, and no preflight is allowed
    if (request.headers['x-gatehouse-console'] !== '1') throw crossSite('without x-gatehouse-console');
    if (!isJsonType(request)) throw crossSite('not JSON');
    next();
  };
}

/** The same for a request without a body. Throws FORBIDDEN. */
export const requireConsoleFetch: RequestHandler = ({ headers }, _response, next) => {
  if ((headers['sec-fetch-site'] ?? 'same-origin') !== 'same-origin') throw crossSite('from another site');
  if (headers['x-gatehouse-console'] !== '1') throw crossSite('without x-gatehouse-console');
  next();
};

/** The same for a form of the console. Throws FORBIDDEN. */
export function requireSameOrigin(origin: string): RequestHandler {
  return (request, _response, next) => {
    if (!isSameOrigin(request, origin)) throw crossSite('from another site');
    next();
  };
}
