/** Headers that every answer has, CORS, and the lines of a request's headers. */
import type { IncomingMessage, ServerResponse } from 'node:http';
import type { RequestHandler } from 'express';

/** Names and values of the headers. @param issuerUrl if it is https, browsers must use only https (RFC 6797) */
export const secureHeaderEntries = (issuerUrl: string): [string, string][] =>
  Object.entries({
    'x-content-type-options': 'nosniff',
    'x-frame-options': 'DENY',
    'referrer-policy': 'no-referrer',
    // the few HTML pages set their own policy
    'content-security-policy': "default-src 'none'; frame-ancestors 'none'",
    'cross-origin-resource-policy': 'same-origin',
    ...(issuerUrl.startsWith('https:') && { 'strict-transport-security': 'max-age=31536000' }),
  });

export function secureHeaders(issuerUrl: string): RequestHandler {
  const entries = secureHeaderEntries(issuerUrl);
  return (_request, response, next) => {
    for (const [name, value] of entries) response.setHeader(name, value);
    next();
  };
}

/** The lines of one header, by its name in lower case. Node's `headersDistinct` reads all headers for it. */
export function linesOf({ rawHeaders }: IncomingMessage, name: string): string[] {
  const lines: string[] = [];
  for (let at = 0; at < rawHeaders.length; at += 2)
    if (rawHeaders[at]!.length === name.length && rawHeaders[at]!.toLowerCase() === name)
      lines.push(rawHeaders[at + 1]!);
  return lines;
}

export interface CorsRule {
  /** Origins as browsers send them, or `*`. */
  origins: readonly string[];
  methods: string;
  /** Request headers beside those that every rule allows. */
  headers?: readonly string[];
}

const preflightSeconds = '600';

/**
 * Sets the CORS headers for an allowed origin (https://fetch.spec.whatwg.org/#http-cors-protocol) and returns whether the request
 * is its preflight, to be answered with 204. Preflights of other origins get 405 like any OPTIONS. Cookies are not used here, so
 * credentials are not allowed.
 */
export function openCors({
  origins,
  methods,
  headers: further = [],
}: CorsRule): (request: IncomingMessage, response: ServerResponse) => boolean {
  if (origins.length === 0) return () => false;
  const isAny = origins.includes('*');
  return ({ method, headers }, response) => {
    const { origin } = headers;
    if (!isAny) response.setHeader('Vary', 'Origin');
    if (origin === undefined || !(isAny || origins.includes(origin))) return false;
    response.setHeader('access-control-allow-origin', isAny ? '*' : origin);
    response.setHeader('access-control-expose-headers', 'DPoP-Nonce, Retry-After, Trace-Id, WWW-Authenticate');
    if (method !== 'OPTIONS' || headers['access-control-request-method'] === undefined) return false;
    response.setHeader('access-control-allow-methods', methods);
    const allowed = ['Authorization', 'Content-Type', 'DPoP', 'Idempotency-Key', 'Traceparent', ...further];
    response.setHeader('access-control-allow-headers', allowed.join(', '));
    response.setHeader('access-control-max-age', preflightSeconds);
    return true;
  };
}
