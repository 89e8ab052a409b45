/** The request that is being answered, for whoever observes statements: no service has to hand it on. */
import { AsyncLocalStorage } from 'node:async_hooks';
import { randomBytes } from 'node:crypto';
import type { IncomingMessage, RequestListener, ServerResponse } from 'node:http';
import { findTraceparent, type Traceparent } from './traceparent.js';

export interface RequestUnderWay {
  request: IncomingMessage;
  response: ServerResponse;
  /** Names the request in its answer, in log and trace; the caller's trace id where there is one. 16 bytes in hex. */
  traceId: string;
  /** Milliseconds, as performance.now() has them. */
  startedAt: number;
  /** SQL statements so far. */
  statements: number;
  /** Where the request is traced. */
  trace: RequestTrace | undefined;
}

/** Told of what happens in a request; gives what is told of its end. */
export interface RequestTrace {
  traceId: string;
  statementBegan(text: string): (error?: unknown) => void;
  fetchBegan(url: URL): (outcome: FetchOutcome) => void;
  ended(request: RequestUnderWay): void;
}
export interface FetchOutcome {
  status?: number;
  error?: unknown;
}

export interface RequestObservers {
  /** Told when the answer is out or the caller has gone. */
  ended?: ((request: RequestUnderWay) => void) | undefined;
  /** Begins the trace of a request. */
  begin?: ((caller: Traceparent | undefined) => RequestTrace | undefined) | undefined;
}

const underWay = new AsyncLocalStorage<RequestUnderWay>();

export const currentRequest = (): RequestUnderWay | undefined => underWay.getStore();

/** Answers as `answer` does, observed. */
export function observeRequests(answer: RequestListener, { ended, begin }: RequestObservers): RequestListener {
  return (request, response) => {
    const caller = findTraceparent(request);
    const trace = begin?.(caller);
    const traceId = trace?.traceId ?? caller?.traceId ?? randomBytes(16).toString('hex');
    const current = { request, response, traceId, startedAt: performance.now(), statements: 0, trace };
    if (ended) response.once('close', () => ended(current));
    if (trace) response.once('close', () => trace.ended(current));
    underWay.run(current, answer, request, response);
  };
}

// what Express leaves on its requests and responses
interface Routed {
  route?: { path?: unknown };
  body?: unknown;
}

const methods = new Set(['GET', 'HEAD', 'POST', 'PATCH', 'DELETE', 'PUT', 'OPTIONS']);

/** Undefined for one that is nobody's but the caller's. */
export const methodOf = ({ request: { method = '' } }: RequestUnderWay): string | undefined =>
  methods.has(method) ? method : undefined;

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

/** The name of a GraphQL operation, as its caller gave it; nothing that can't be a name. */
export function operationOf({ request }: RequestUnderWay): string | undefined {
  const { operationName, query } = ((request as Routed).body ?? {}) as { operationName?: unknown; query?: unknown };
  if (typeof operationName === 'string') return /^[_A-Za-z]\w{0,99}$/.exec(operationName)?.[0];
  return typeof query === 'string' ? /\b(?:query|mutation)\s+([_A-Za-z]\w{0,99})/.exec(query)?.[1] : undefined;
}
