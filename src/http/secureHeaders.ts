/** What every answer tells browsers: it is no page, belongs into no frame and is what its type says. */
import type { RequestHandler } from 'express';

/** Names and values. @param issuerUrl where https:// is promised, browsers are to keep to it (RFC 6797) */
export const secureHeaderEntries = (issuerUrl: string): [string, string][] =>
  Object.entries({
    'x-content-type-options': 'nosniff',
    'x-frame-options': 'DENY',
    'referrer-policy': 'no-referrer',
    // the few pages that there are say for themselves what they need
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
