/**
 * Paths whose end is announced (ENDPOINT_ENDS): their answers have `Deprecation` (RFC 9745), `Sunset` (RFC 8594) and `Link`
 * headers. During a brown-out they answer 410, after the caller was identified.
 */
import type { IncomingMessage, RequestListener } from 'node:http';
import type { RequestHandler } from 'express';
import type { Brownout, EndpointEnd } from '../config/endpointEnds.js';
import { gone } from '../errors.js';
import { currentRequest } from '../observability/currentRequest.js';

interface Announced extends EndpointEnd {
  headers: [name: string, value: string][];
}

/** Adds the headers to answers. Returns `answer` itself if no end is announced. */
export function announceEnds(
  { endpointEnds, basePath }: { endpointEnds: readonly EndpointEnd[]; basePath: string },
  answer: RequestListener,
): RequestListener {
  if (endpointEnds.length === 0) return answer;
  const ends = endpointEnds.map((end) => ({
    ...end,
    path: basePath.toLowerCase() + end.path,
    headers: headersOf(end),
  }));
  return (request, response) => {
    const end = ends.find((candidate) => isOf(request, candidate));
    if (end) {
      for (const [name, value] of end.headers) response.setHeader(name, value);
      currentRequest()!.isBrownout = isBrownedOut(end, Date.now());
    }
    answer(request, response);
  };
}

function isOf({ url = '', headers }: IncomingMessage, { path, mediaType }: Announced): boolean {
  const target = url.split('?', 1)[0]!.toLowerCase();
  if (!target.startsWith(path) || !['', '/', '\\', ':', '%'].includes(target.charAt(path.length))) return false;
  return mediaType === undefined || essenceOf(headers['content-type']) === mediaType;
}

const essenceOf = (contentType = ''): string => contentType.split(';', 1)[0]!.trim().toLowerCase();

function headersOf({ deprecatedAt, sunsetAt, link }: EndpointEnd): Announced['headers'] {
  const headers: Announced['headers'] = [['deprecation', `@${Math.floor(deprecatedAt / 1_000)}`]];
  if (sunsetAt !== undefined) headers.push(['sunset', new Date(sunsetAt).toUTCString()]);
  const relations = ['deprecation', ...(sunsetAt === undefined ? [] : ['sunset'])];
  if (link !== undefined)
    headers.push(['link', relations.map((relation) => `<${link}>; rel="${relation}"; type="text/html"`).join(', ')]);
  return headers;
}

const minuteMs = 60_000;
const hourMs = 3_600_000;

/** Whether one of its brown-outs is active; repeated ones stop when the path ends. */
export function isBrownedOut({ brownouts, sunsetAt = Number.POSITIVE_INFINITY }: EndpointEnd, now: number): boolean {
  return brownouts.some(
    (brownout) => now >= brownout.at && sinceItBegan(brownout, now, sunsetAt) < brownout.minutes * minuteMs,
  );
}

function sinceItBegan({ at, everyHours }: Brownout, now: number, sunsetAt: number): number {
  const passed = now - at;
  return everyHours === undefined || now >= sunsetAt ? passed : passed % (everyHours * hourMs);
}

/** Handlers that throw GONE during a brown-out of the requested path; none if no end is announced. */
export function refuseBrownedOut({ endpointEnds }: { endpointEnds: readonly EndpointEnd[] }): RequestHandler[] {
  if (endpointEnds.length === 0) return [];
  const refuse: RequestHandler = (_request, _response, next) => {
    if (currentRequest()!.isBrownout) throw gone();
    next();
  };
  return [refuse];
}
