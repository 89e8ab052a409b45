/** The request that is being answered, for whoever observes statements: no service has to hand it on. */
import { AsyncLocalStorage } from 'node:async_hooks';
import { randomFillSync } from 'node:crypto';
import type { IncomingMessage, RequestListener, ServerResponse } from 'node:http';
import { findTraceparent, type Traceparent } from './traceparent.js';

type ClientFailure = 'unknown client' | 'inactive client' | 'wrong secret' | 'wrong assertion';

export interface CurrentRequest {
  request: IncomingMessage;
  response: ServerResponse;
  /** Names the request in its answer, in log and trace; the caller's trace id where there is one. 16 bytes in hex. */
  traceId: string;
  /** Milliseconds, as performance.now() has them. */
  startedAt: number;
  /** Where the request was routed without Express: the route's template. */
  route: string | undefined;
  /** The grant that /token was asked for. */
  grant: string | undefined;
  /** The id of the client, as presented: it may be anything. */
  clientId: string | undefined;
  /** Whether the client proved to be that one. */
  isClientProven: boolean;
  /** The stored hash of a client's secret that this process knows the presented one to match; the database may have another since. */
  clientCredential: string | undefined;
  /** Why the client could not be authenticated, where it couldn't. */
  clientFailure: ClientFailure | undefined;
  /** Guid of the user whose token it bears, at the administration. */
  caller: string | undefined;
  /** The names of the options of a list. */
  options: string | undefined;
  /** `query` or `mutation`, of a GraphQL operation. */
  operationType: string | undefined;
  /** Whether a brown-out answers it. */
  isBrownout: boolean;
  /** Whether the answer of a renewal that was lost is given again. */
  recovered: boolean;
  /** Sessions that ended by an identity provider's word. */
  endedSessions: number;
  /** SQL statements so far. */
  statements: number;
  /** Where the request is traced. */
  trace: RequestTrace | undefined;
}

/** Called with what happens in a request; returns what to call at its end. */
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

interface RequestObservers {
  /** Called when the answer is out or the caller has gone. */
  ended?: readonly (((request: CurrentRequest) => void) | undefined)[];
  /** Begins the trace of a request. */
  begin?: ((caller: Traceparent | undefined) => RequestTrace | undefined) | undefined;
}

const requests = new AsyncLocalStorage<CurrentRequest>();

export const currentRequest = (): CurrentRequest | undefined => requests.getStore();

const traceIdBytes = 16;
// drawn ahead, for each call costs more than the bytes
const drawn = Buffer.alloc(256 * traceIdBytes);
let unused = 0;

/** In hex. */
function newTraceId(): string {
  if (unused === 0) unused = randomFillSync(drawn).length;
  unused -= traceIdBytes;
  return drawn.toString('hex', unused, unused + traceIdBytes);
}

/** Answers as `answer` does, observed. */
export function observeRequests(answer: RequestListener, { ended = [], begin }: RequestObservers): RequestListener {
  const observers = ended.filter((observer) => observer !== undefined);
  return (request, response) => {
    const caller = request.headers.traceparent === undefined ? undefined : findTraceparent(request);
    const trace = begin?.(caller);
    const traceId = trace?.traceId ?? caller?.traceId ?? newTraceId();
    const current: CurrentRequest = {
      request,
      response,
      traceId,
      startedAt: performance.now(),
      route: undefined,
      grant: undefined,
      clientId: undefined,
      isClientProven: false,
      clientCredential: undefined,
      clientFailure: undefined,
      caller: undefined,
      options: undefined,
      operationType: undefined,
      isBrownout: false,
      recovered: false,
      endedSessions: 0,
      statements: 0,
      trace,
    };
    // one listener for all, for each costs the request some
    response.once('close', () => {
      for (const observer of observers) observer(current);
      trace?.ended(current);
    });
    requests.run(current, answer, request, response);
  };
}

// what Express leaves on its requests and responses
interface Routed {
  route?: { path?: unknown };
  body?: unknown;
}

const methods = new Set(['GET', 'HEAD', 'POST', 'PATCH', 'DELETE', 'PUT', 'OPTIONS']);

/** Undefined for one that is nobody's but the caller's. */
export const methodOf = ({ request: { method = '' } }: CurrentRequest): string | undefined =>
  methods.has(method) ? method : undefined;

/** The route's template, such as `/api/applications/:guid`, never a path; undefined where no route was found. */
export function endpointOf({ request, route }: CurrentRequest): string | undefined {
  const path = route ?? (request as Routed).route?.path;
  const template = Array.isArray(path) ? path[0] : path;
  return typeof template === 'string' ? template : undefined;
}

const grants: Record<string, string> = {
  refresh_token: 'refresh_token',
  'urn:service:authz:exchange': 'exchange',
  'urn:ietf:params:oauth:grant-type:token-exchange': 'token-exchange',
};

/** Notes which grant /token is asked for. */
export function noteGrant(given: unknown): void {
  const current = currentRequest();
  if (current && typeof given === 'string' && Object.hasOwn(grants, given)) current.grant = grants[given];
}

/** Notes which client the request says to be. */
export function noteClient(clientId: string): void {
  const current = currentRequest();
  if (current) current.clientId = clientId;
}

/** Notes that the client proved to be the one that it says to be. */
export function noteProvenClient(): void {
  const current = currentRequest();
  if (current) current.isClientProven = true;
}

/** Notes by what this process knows the client, where nothing of the request waits for the database to say so. */
export function noteClientCredential(storedHash: string): void {
  const current = currentRequest();
  if (current) current.clientCredential = storedHash;
}

/** Notes whose token the request bears. */
export function noteCaller(sub: string): void {
  const current = currentRequest();
  if (current) current.caller = sub;
}

/** Notes which options a list is asked with. */
export function noteOptions(names: readonly string[]): void {
  const current = currentRequest();
  if (current && names.length > 0) current.options = [...new Set(names)].sort().join(' ');
}

/** Notes what a GraphQL request asks for. */
export function noteOperationType(type: string): void {
  const current = currentRequest();
  if (current) current.operationType = type;
}

export function noteClientFailure(failure: ClientFailure): void {
  const current = currentRequest();
  if (current) current.clientFailure = failure;
}

export function noteEndedSessions(count: number): void {
  const current = currentRequest();
  if (current) current.endedSessions += count;
}

export function noteRecovery(): void {
  const current = currentRequest();
  if (current) current.recovered = true;
}

/** The grant that /token was asked for; empty elsewhere. */
export const grantOf = ({ grant }: CurrentRequest, endpoint: string | undefined): string =>
  endpoint === '/token' ? (grant ?? 'other') : '';

/** The name of a GraphQL operation, as its caller gave it; nothing that can't be a name. */
export function operationOf({ request }: CurrentRequest): string | undefined {
  const { operationName, query } = ((request as Routed).body ?? {}) as { operationName?: unknown; query?: unknown };
  if (typeof operationName === 'string') return /^[_A-Za-z]\w{0,99}$/.exec(operationName)?.[0];
  return typeof query === 'string' ? /\b(?:query|mutation)\s{1,99}([_A-Za-z]\w{0,99})/.exec(query)?.[1] : undefined;
}
