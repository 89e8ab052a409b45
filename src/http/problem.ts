/** Errors as problem details (RFC 9457). */
import type { ErrorRequestHandler, Response } from 'express';
import { asReadFailure, GatehouseError, malformed, preconditionFailed, toGatehouseError } from '../errors.js';
import type { Log } from '../observability/log.js';
import { type Answer, send } from './answer.js';
import { traceIdNow } from './requestContext.js';

const wellKnown = '/.well-known/oauth-protected-resource';

/** The address of the resource's document: RFC 9728 §3.1 puts the resource's path after the well-known name. */
function resourceMetadataUrl(issuerUrl: string, resource: string): string {
  const { origin, pathname } = new URL(issuerUrl);
  return `${origin}${wellKnown}${pathname.replace(/\/$/, '')}/${resource}`;
}

/** The paths of the document: also below BASE_PATH, for a proxy that passes nothing else. */
export function resourceMetadataPaths(issuerUrl: string, basePath: string, resource: string): string[] {
  const { pathname } = new URL(resourceMetadataUrl(issuerUrl, resource));
  return [...new Set([pathname, `${basePath}${wellKnown}/${resource}`])];
}

/** Adds `resource_metadata` to the error's challenge, if it asks for a token (RFC 9728 §5.1). */
export function withResourceMetadata(error: unknown, issuerUrl: string, resource: string): unknown {
  const challenge = error instanceof GatehouseError ? error.more.headers?.['www-authenticate'] : undefined;
  if (!(error instanceof GatehouseError) || challenge === undefined || !/^(?:Bearer|DPoP)\b/.test(challenge))
    return error;
  const parameter = `resource_metadata="${resourceMetadataUrl(issuerUrl, resource)}"`;
  const headers = {
    ...error.more.headers,
    'www-authenticate': `${challenge}${challenge.includes(' ') ? ',' : ''} ${parameter}`,
  };
  return new GatehouseError(error.code, error.message, { ...error.more, headers });
}

/** The title of each status, and the section of RFC 9110 that defines it. */
const kinds: Record<number, [title: string, section?: string]> = {
  400: ['Bad Request', '15.5.1'],
  401: ['Unauthorized', '15.5.2'],
  403: ['Forbidden', '15.5.4'],
  404: ['Not Found', '15.5.5'],
  405: ['Method Not Allowed', '15.5.6'],
  409: ['Conflict', '15.5.10'],
  410: ['Gone', '15.5.11'],
  412: ['Precondition Failed', '15.5.13'],
  413: ['Content Too Large', '15.5.14'],
  415: ['Unsupported Media Type', '15.5.16'],
  429: ['Too Many Requests'],
  500: ['Internal Server Error', '15.6.1'],
  503: ['Service Unavailable', '15.6.4'],
};

/** The body of an error. */
function problemBody(error: GatehouseError, traceId: string): object {
  const { status } = error;
  const { problems, extra } = error.more;
  const [title = 'Error', section] = kinds[status] ?? [];
  const isInvalid = problems !== undefined && status === 400;
  return {
    type: section ? `https://tools.ietf.org/html/rfc9110#section-${section}` : 'about:blank',
    title: isInvalid ? error.message : title,
    status,
    ...(!isInvalid && { detail: error.message }),
    ...(problems && { errors: problems }),
    ...extra,
    traceId,
  };
}

/** The answer for an error. The log has the rest. */
export function problemOf(error: unknown, traceId: string, log: Log): Answer {
  const problemError = fromExpress(error) ?? toGatehouseError(error);
  if (problemError.status >= 500 && !problemError.more.isOwnLimit)
    log.error({ traceId, error: problemError.more.cause ?? problemError }, problemError.message);
  else if (problemError.more.detail)
    log.info({ traceId, status: problemError.status, detail: problemError.more.detail }, problemError.message);
  return answerOf(problemError, traceId);
}

/** Returns the answer for an error that is logged elsewhere. */
export const answerOf = (error: GatehouseError, traceId: string): Answer => ({
  status: error.status,
  headers: { ...error.more.headers, 'content-type': 'application/problem+json' },
  body: JSON.stringify(problemBody(error, traceId)),
});

/**
 * Whether the client has closed the connection. No answer is rendered then, because thousands of clients may leave at the
 * same moment.
 */
export const isClientGone = (error: unknown): boolean =>
  error instanceof GatehouseError && error.code === 'CLIENT_CLOSED_REQUEST';

/** Sends the answer for an error. A response that has begun is destroyed, so that it isn't taken for complete. */
function sendProblem(response: Response, error: unknown, log: Log): void {
  if (isClientGone(error)) return void response.destroy();
  const answer = problemOf(error, traceIdNow(), log);
  if (response.headersSent) return void response.destroy();
  // those of the list or file which could not be sent
  if (answer.status >= 500) response.removeHeader('etag');
  for (const name of ['content-encoding', 'last-modified']) response.removeHeader(name);
  if (String(response.getHeader('cache-control')).startsWith('public')) response.setHeader('cache-control', 'no-store');
  send(response, answer);
}

/** The last handler: renders any error of any route. */
export const renderProblem =
  (log: Log): ErrorRequestHandler =>
  (error, { method }, response, _next) =>
    sendProblem(response, method === 'GET' || method === 'HEAD' ? asReadFailure(error) : error, log);

/** Translates Express's own errors, such as a path that can't be decoded. */
function fromExpress(error: unknown): GatehouseError | undefined {
  const { status } = error as { status?: unknown };
  if (error instanceof GatehouseError || typeof status !== 'number') return undefined;
  if (status === 412) return preconditionFailed();
  return status >= 400 && status < 500 ? malformed() : undefined;
}
