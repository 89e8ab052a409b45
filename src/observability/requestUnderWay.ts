/** The request that is being answered, for whoever observes statements: no service has to hand it on. */
import { AsyncLocalStorage } from 'node:async_hooks';
import type { IncomingMessage, RequestListener, ServerResponse } from 'node:http';

export interface RequestUnderWay {
  request: IncomingMessage;
  response: ServerResponse;
  /** Milliseconds, as performance.now() has them. */
  startedAt: number;
  /** SQL statements so far. */
  statements: number;
}

const underWay = new AsyncLocalStorage<RequestUnderWay>();

export const currentRequest = (): RequestUnderWay | undefined => underWay.getStore();

/** Answers as `answer` does; `ended` is told when the answer is out or the caller has gone. */
export function observeRequests(answer: RequestListener, ended?: (request: RequestUnderWay) => void): RequestListener {
  return (request, response) => {
    const current = { request, response, startedAt: performance.now(), statements: 0 };
    if (ended) response.once('close', () => ended(current));
    underWay.run(current, answer, request, response);
  };
}

// what Express leaves on its requests and responses
interface Routed {
  route?: { path?: unknown };
  body?: unknown;
}

/** The route's template, such as `/api/applications/:guid`, never a path; `other` where no route was found. */
export function endpointOf({ request }: RequestUnderWay): string {
  const path = (request as Routed).route?.path;
  const template = Array.isArray(path) ? path[0] : path;
  return typeof template === 'string' ? template : 'other';
}

const grants: Record<string, string> = {
  refresh_token: 'refresh_token',
  'urn:service:authz:exchange': 'exchange',
  'urn:ietf:params:oauth:grant-type:token-exchange': 'token-exchange',
};

/** The grant that /token was asked for; empty elsewhere. */
export function grantOf({ request }: RequestUnderWay, endpoint: string): string {
  if (endpoint !== '/token') return '';
  const { body } = request as Routed;
  // a form stays as the bytes that came
  const given = Buffer.isBuffer(body) ? new URLSearchParams(body.toString('latin1')).get('grant_type') : memberOf(body);
  return (typeof given === 'string' && Object.hasOwn(grants, given) && grants[given]) || 'other';
}

const memberOf = (body: unknown): unknown => (body as { grant_type?: unknown } | null | undefined)?.grant_type;

export const traceIdOf = ({ response }: RequestUnderWay): string | undefined =>
  (response as { locals?: { traceId?: string } }).locals?.traceId;

/** The name of a GraphQL operation, as its caller gave it. */
export function operationOf({ request }: RequestUnderWay): string | undefined {
  const { operationName, query } = ((request as Routed).body ?? {}) as { operationName?: unknown; query?: unknown };
  if (typeof operationName === 'string') return operationName.slice(0, 100);
  return typeof query === 'string' ? /\b(?:query|mutation)\s+([_A-Za-z]\w{0,99})/.exec(query)?.[1] : undefined;
}
