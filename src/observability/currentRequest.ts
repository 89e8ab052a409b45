/** Gives observers the request that is being answered, without passing it through the services. */
import { AsyncLocalStorage } from 'node:async_hooks';
import { randomFillSync } from 'node:crypto';
import type { IncomingMessage, RequestListener, ServerResponse } from 'node:http';
import type { Log } from './log.js';

/** A request that is being answered, and what services note about it. */
export class CurrentRequest {
  /** Milliseconds, from performance.now(). */
  readonly startedAt = performance.now();
  /** The route's template, for requests routed without Express. */
  route: string | undefined;
  /** The grant of a request to /token. */
  grant: string | undefined;
  /** The client id as presented; not verified. */
  clientId: string | undefined;
  /** Whether the client was authenticated. */
  isClientProven = false;
  /** The stored hash that the presented secret matched in this process; the client may have another secret now. */
  clientCredential: string | undefined;
  /** Why the client could not be authenticated. */
  clientFailure: 'unknown client' | 'inactive client' | 'wrong secret' | 'wrong assertion' | undefined;
  /** Guid of the administration's caller. */
  caller: string | undefined;
  /** Names of the query options of a list. */
  options: string | undefined;
  /** `query` or `mutation`. */
  operationType: string | undefined;
  /** Whether a brown-out answered it. */
  isBrownout = false;
  /** Whether the lost answer of a renewal was repeated. */
  recovered = false;
  /** Sessions ended by an identity provider's logout token. */
  endedSessions = 0;
  /** SQL statements so far. */
  statements = 0;

  constructor(
    readonly request: IncomingMessage,
    readonly response: ServerResponse,
    /** Identifies the request in its answer, log and trace; the caller's trace id if it sent one. 16 bytes in hex. */
    readonly traceId: string,
    /** Present if the request is traced. */
    readonly trace: RequestTrace | undefined,
  ) {}
}

/** Records a request's trace. The returned functions end a statement or fetch. */
export interface RequestTrace {
  traceId: string;
  statementBegan(text: string): (error?: unknown) => void;
  fetchBegan(url: URL): (outcome: FetchOutcome) => void;
  ended(request: CurrentRequest): void;
}
export interface FetchOutcome {
  status?: number;
  error?: unknown;
}

/** The `traceparent` header (https://www.w3.org/TR/trace-context). */
export interface Traceparent {
  /** 16 bytes in hex. */
  traceId: string;
  /** 8 bytes in hex. */
  spanId: string;
  isSampled: boolean;
  /** The header's value. */
  tracestate: string | undefined;
}

const form = /^(?!ff)[0-9a-f]{2}-(?!0{32})([0-9a-f]{32})-(?!0{16})([0-9a-f]{16})-([0-9a-f]{2})$/;

function findTraceparent({ headers }: IncomingMessage): Traceparent | undefined {
  const { traceparent, tracestate } = headers;
  if (typeof traceparent !== 'string') return undefined;
  const [, traceId, spanId, flags] = form.exec(traceparent) ?? [];
  if (!traceId || !spanId || !flags) return undefined;
  const isSampled = (Number.parseInt(flags, 16) & 1) === 1;
  return { traceId, spanId, isSampled, tracestate: tracestate === undefined ? undefined : String(tracestate) };
}

interface RequestObservers {
  /** Called when the answer was sent or the caller has left. */
  ended?: readonly (((request: CurrentRequest) => void) | undefined)[];
  /** Begins the trace of a request. */
  begin?: ((caller: Traceparent | undefined) => RequestTrace | undefined) | undefined;
}

const requests = new AsyncLocalStorage<CurrentRequest>();

export const currentRequest = (): CurrentRequest | undefined => requests.getStore();

const traceIdBytes = 16;
// random bytes are drawn in advance, because a call costs more than the bytes
const drawn = Buffer.alloc(256 * traceIdBytes);
let unused = 0;

/** 16 random bytes in hex. */
function newTraceId(): string {
  if (unused === 0) unused = randomFillSync(drawn).length;
  unused -= traceIdBytes;
  return drawn.toString('hex', unused, unused + traceIdBytes);
}

/** Wraps `answer` so that requests are observed. */
export function observeRequests(answer: RequestListener, { ended = [], begin }: RequestObservers): RequestListener {
  const observers = ended.filter((observer) => observer !== undefined);
  return (request, response) => {
    const caller = request.headers.traceparent === undefined ? undefined : findTraceparent(request);
    const trace = begin?.(caller);
    const traceId = trace?.traceId ?? caller?.traceId ?? newTraceId();
    const current = new CurrentRequest(request, response, traceId, trace);
    // one listener for all observers, because each listener costs time
    response.on('close', () => {
      for (const observer of observers) observer(current);
      trace?.ended(current);
    });
    requests.run(current, answer, request, response);
  };
}

// what Express adds to a request
interface Routed {
  route?: { path?: unknown };
  body?: unknown;
}

const methods = new Set(['GET', 'HEAD', 'POST', 'PATCH', 'DELETE', 'PUT', 'OPTIONS']);

/** The method of the request; undefined for an unknown one. */
export const methodOf = ({ request: { method = '' } }: CurrentRequest): string | undefined =>
  methods.has(method) ? method : undefined;

/** The route's template, such as `/api/applications/:guid`, never a path. Undefined without a route. */
export function endpointOf({ request, route }: CurrentRequest): string | undefined {
  const path = route ?? (request as Routed).route?.path;
  const template = Array.isArray(path) ? path[0] : path;
  return typeof template === 'string' ? template : undefined;
}

const grants: Record<string, string> = {
  refresh_token: 'refresh_token',
  'urn:service:authz:exchange': 'exchange',
  'urn:ietf:params:oauth:grant-type:token-exchange': 'token-exchange',
  client_credentials: 'client_credentials',
};

type Noted =
  | 'clientId'
  | 'isClientProven'
  | 'clientCredential'
  | 'clientFailure'
  | 'caller'
  | 'options'
  | 'operationType'
  | 'recovered'
  | 'endedSessions';

/** Notes a fact about the current request, for log, metrics, traces and usage; nothing outside of requests. */
export function note<Name extends Noted>(name: Name, value: CurrentRequest[Name]): void {
  const current = currentRequest();
  if (current) current[name] = value;
}

/** Notes the grant of a request to /token. */
export function noteGrant(grantType: unknown): void {
  const current = currentRequest();
  if (current && typeof grantType === 'string' && Object.hasOwn(grants, grantType)) current.grant = grants[grantType];
}

/** The grant of a request to /token; empty for other endpoints. */
export const grantOf = ({ grant }: CurrentRequest, endpoint: string | undefined): string =>
  endpoint === '/token' ? (grant ?? 'other') : '';

/** The name of a GraphQL operation; undefined if it is not a valid name. */
export function operationOf({ request }: CurrentRequest): string | undefined {
  const { operationName, query } = ((request as Routed).body ?? {}) as { operationName?: unknown; query?: unknown };
  if (typeof operationName === 'string') return /^[_A-Za-z]\w{0,99}$/.exec(operationName)?.[0];
  return typeof query === 'string' ? /\b(?:query|mutation)\s{1,99}([_A-Za-z]\w{0,99})/.exec(query)?.[1] : undefined;
}

/**
 * The access log (ACCESS_LOG): a function that logs an ended request, with no data of the request except these fields; undefined
 * when no requests are logged.
 */
export function openAccessLog(
  wanted: 'no' | 'failures' | 'all',
  log: Log,
): ((ended: CurrentRequest) => void) | undefined {
  if (wanted === 'no') return undefined;
  return (ended) => {
    const { request, response, traceId, startedAt } = ended;
    const { statusCode: status } = response;
    // an answer that was interrupted is a failure, whatever its status
    const isComplete = response.writableFinished;
    if (wanted === 'failures' && status < 400 && isComplete) return;
    const durationMs = Math.round((performance.now() - startedAt) * 10) / 10;
    const route = endpointOf(ended) ?? '-';
    const { method } = request;
    log.info({ traceId, method, route, status, durationMs, ...(!isComplete && { aborted: true }) }, 'request');
  };
}
