/** Errors as problem+json (RFC 9457), in the shape of ASP.NET's ProblemDetails that the old services answered with. */
import type { ErrorRequestHandler, Response } from 'express';
import { GatehouseError, toGatehouseError } from '../errors.js';
import type { Log } from '../observability/log.js';
import { type Answer, send } from './answer.js';

const titles: Record<number, string> = {
  400: 'Bad Request',
  401: 'Unauthorized',
  403: 'Forbidden',
  404: 'Not Found',
  405: 'Method Not Allowed',
  409: 'Conflict',
  413: 'Content Too Large',
  415: 'Unsupported Media Type',
  429: 'Too Many Requests',
  500: 'Internal Server Error',
  503: 'Service Unavailable',
};
// sections of RFC 9110 that say what the status means
const sections: Record<number, string> = {
  400: '15.5.1',
  401: '15.5.2',
  403: '15.5.4',
  404: '15.5.5',
  405: '15.5.6',
  409: '15.5.10',
  413: '15.5.14',
  415: '15.5.16',
  500: '15.6.1',
  503: '15.6.4',
};

/** The body of an error. */
export function problemBody(error: GatehouseError, traceId: string): object {
  const { status } = error;
  const { problems, extra } = error.more;
  const isInvalid = problems !== undefined && status === 400;
  return {
    type: sections[status] ? `https://tools.ietf.org/html/rfc9110#section-${sections[status]}` : 'about:blank',
    title: isInvalid ? error.message : (titles[status] ?? 'Error'),
    status,
    ...(!isInvalid && { detail: error.message }),
    ...(problems && { errors: problems }),
    ...extra,
    traceId,
  };
}

/** What a caller is told of an error; the log is told the rest. */
export function problemOf(error: unknown, traceId: string, log: Log): Answer {
  const told = fromBodyParser(error) ?? toGatehouseError(error);
  if (told.status >= 500) log.error({ traceId, error: told.more.cause ?? told }, told.message);
  else if (told.more.detail) log.info({ traceId, status: told.status, detail: told.more.detail }, told.message);
  return {
    status: told.status,
    headers: { ...told.more.headers, 'content-type': 'application/problem+json' },
    body: JSON.stringify(problemBody(told, traceId)),
  };
}

/** Writes an error to a response; one that has begun is torn down instead, so that nobody takes a half for the whole. */
function sendProblem(response: Response, error: unknown, log: Log): void {
  const answer = problemOf(error, response.locals.traceId, log);
  if (response.headersSent) response.destroy();
  else send(response, answer);
}

/** The last of the itinerary: any error of any route. */
export const renderProblem =
  (log: Log): ErrorRequestHandler =>
  (error, _request, response, _next) =>
    sendProblem(response, error, log);

/** Express's own errors: a path that can't be decoded, a body that is too large or broke off. */
export function fromBodyParser(error: unknown): GatehouseError | undefined {
  const { type, status } = error as { type?: unknown; status?: unknown };
  if (error instanceof GatehouseError || typeof status !== 'number') return undefined;
  if (type === 'entity.too.large') return new GatehouseError('TOO_LARGE', 'The body is too large.');
  if (status === 415) return new GatehouseError('UNSUPPORTED_MEDIA_TYPE', 'The content encoding is not supported.');
  return status >= 400 && status < 500 ? new GatehouseError('BAD_USER_INPUT', 'The request is malformed.') : undefined;
}
