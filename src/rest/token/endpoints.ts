/** Answers the token endpoints in both dialects, and paths that modules add: path, method, limit, media type, size, answer. */
import type { IncomingMessage, RequestListener } from 'node:http';
import proxyAddress from 'proxy-addr';
import type { Config } from '../../config/config.js';
import type { Context, Dependencies } from '../../context.js';
import { asReadFailure, GatehouseError, gone, methodNotAllowed } from '../../errors.js';
import { type Answer, send } from '../../http/answer.js';
import { type BodyReader, type BodyRule, formOnly, isForm, tokenBody, tokenJson } from '../../http/body.js';
import { linesOf, openCors, secureHeaderEntries } from '../../http/headers.js';
import { isClientGone, problemOf } from '../../http/problem.js';
import { contextOf, pathOf, type Trust } from '../../http/requestContext.js';
import { currentRequest, note, noteGrant } from '../../observability/currentRequest.js';
import { currentNonce, publicUrl } from '../../services/tokens/proofOfPossession.js';
import { type Refused, reportRefusal, TokenRefusal } from '../../services/tokens/tokenRefusal.js';
import * as form from './form.js';
import * as documented from './json.js';
import { OAuthError, readBasic, type TokenRequest } from './request.js';

/** Node joins several lines of a header, except for Authorization, of which `headers` has only the first. */
function readTokenRequest(context: Context, request: IncomingMessage, body: Buffer): TokenRequest {
  const { 'idempotency-key': idempotencyKey, dpop } = request.headers as Record<string, string>;
  return {
    body,
    authorization: linesOf(request, 'authorization'),
    idempotencyKey,
    proof: dpop === undefined ? undefined : { proof: dpop, method: 'POST', url: publicUrl(context, pathOf(request)) },
  };
}

/** Notes client and grant, if they can be read. */
function notePresented({ body, authorization: [header] }: TokenRequest, isOAuth: boolean): void {
  const members = isOAuth ? Object.fromEntries(new URLSearchParams(body.toString())) : parsed(body);
  const clientId = members.client_id ?? (header === undefined ? undefined : readBasic(header)?.clientId);
  if (typeof clientId === 'string') note('clientId', clientId);
  noteGrant(members.grant_type);
}

function parsed(body: Buffer): Record<string, unknown> {
  try {
    return Object(JSON.parse(body.toString()));
  } catch {
    return {};
  }
}

/** Returns what is reported about an error with status 400, 401, 403 or 404; undefined for others, whose answer says everything. */
function refusedBy(error: unknown): Refused | undefined {
  if (error instanceof TokenRefusal) return error;
  if (error instanceof OAuthError) {
    if (error.cause instanceof TokenRefusal) return error.cause;
    return { reason: error.code === 'invalid_request' ? 'invalidRequest' : error.code, detail: error.description };
  }
  if (!(error instanceof GatehouseError) || error.status !== 400) return undefined;
  // without the places: a name may be the caller's
  return {
    reason: 'invalidRequest',
    detail: Object.values(error.more.problems ?? { '': [error.message] })
      .flat()
      .join(' '),
  };
}

interface Endpoint {
  /** Refuses a caller before the body is read; returns the context of the others. */
  enter?: (context: Context, request: IncomingMessage) => Promise<Context>;
  /** Absent: any method, and no body is read. */
  rule?: BodyRule;
  ask?: (context: Context, request: IncomingMessage) => Promise<Answer>;
  json?: (context: Context, read: TokenRequest) => Promise<Answer>;
  form?: Endpoint['json'];
  /** X-Request-ID is answered (AuthZEN 1.0 §10.1.3). */
  hasRequestId?: true;
  /** Its 503 says that nothing was changed. */
  isRead?: true;
  /** Renders an error in JSON; undefined: the default. */
  refuse?: typeof documented.refuse;
  /** Returns what is reported about an error, if the endpoint refuses in a way of its own. */
  refusedBy?(error: unknown): Refused | undefined;
}

/** Endpoints by path. */
type Endpoints = Record<string, Endpoint>;
/** Opens the endpoints of a module. */
export type OpenEndpoints = (config: Config) => Endpoints;

const { enter } = form;
const endpoints: Endpoints = {
  '/token': { enter, rule: tokenBody, json: documented.token, form: form.token },
  '/revoke': { enter, rule: tokenBody, json: documented.revocation, form: form.revocation },
  '/validate-token': {
    rule: tokenJson,
    json: documented.validation,
    refuse: documented.refuseValidation,
    isRead: true,
  },
  '/profiles': { enter, rule: tokenBody, json: documented.profiles, form: form.profiles, isRead: true },
  '/introspect': { enter, rule: formOnly, form: form.introspection, isRead: true },
  '/backchannel-logout': { rule: formOnly, form: form.backchannelLogout },
};
/**
 * Answers with plain node:http, since Express would take as long as the work itself. The media type chooses the dialect: JSON is
 * the documented contract, forms are OAuth.
 * `trust` has the proxies whose X-Forwarded-For counts, `further` the endpoints of modules.
 * @param otherwise answers requests to all other paths
 */
export function answerTokenRequests(
  dependencies: Dependencies,
  { bodies, trust, further }: { bodies: BodyReader; trust: Trust; further: Endpoints },
  otherwise: RequestListener,
): (...request: Parameters<RequestListener>) => unknown {
  const { config, issuerUrl } = dependencies;
  const headers = [...secureHeaderEntries(issuerUrl).flat(), 'cache-control', 'no-store'];
  const { corsOrigins: origins } = config;
  const isPreflight = origins.length > 0 ? openCors({ origins, methods: 'GET, HEAD, POST' }) : undefined;
  const served = Object.entries<Endpoint>({ ...endpoints, ...further });
  const paths = new Map(served.map(([path, endpoint]) => [config.basePath + path, { path, endpoint }]));
  return (request, response) => {
    const match = paths.get(pathOf(request));
    if (match === undefined) return otherwise(request, response);
    const { path, endpoint } = match;
    const current = currentRequest()!;
    current.route = path;
    // a proxy may ask /verify about a preflight: 204 would let the preflight pass
    if (!endpoint.ask && isPreflight?.(request, response)) return response.writeHead(204, headers).end();
    const context = contextOf(dependencies, { ip: proxyAddress(request, trust), socket: request.socket });
    return answer(context, request, { endpoint, bodies, isBrownout: current.isBrownout }).then((answered) =>
      answered
        ? send(response, answered, [
            ...headersOf(context, request, answered),
            ...(endpoint.ask && announcesBody(request) ? closing : none),
            ...(endpoint.hasRequestId ? requestIdOf(request) : none),
            ...headers,
          ])
        : response.destroy(),
    );
  };
}

/** Undefined for a client that has gone. */
async function answer(
  context: Context,
  request: IncomingMessage,
  { endpoint, bodies, isBrownout }: { endpoint: Endpoint; bodies: BodyReader; isBrownout: boolean },
): Promise<Answer | undefined> {
  const isOAuth = endpoint.form !== undefined && isForm(request);
  try {
    if (endpoint.ask) {
      if (isBrownout) throw gone();
      return await endpoint.ask(context, request);
    }
    if (request.method !== 'POST') throw methodNotAllowed('POST');
    await context.tokenRequests?.(context.address);
    const entered = endpoint.enter ? await endpoint.enter(context, request) : context;
    const read = readTokenRequest(context, request, await bodies.read(request, endpoint.rule!));
    if (isBrownout) {
      notePresented(read, isOAuth);
      throw gone();
    }
    const dialect = isOAuth ? endpoint.form : endpoint.json;
    return await dialect!(entered, read);
  } catch (thrown) {
    if (isClientGone(thrown)) return undefined;
    const error = endpoint.isRead ? asReadFailure(thrown) : thrown;
    const refused = endpoint.refusedBy?.(error) ?? refusedBy(error);
    if (refused) reportRefusal(context, refused);
    const refuse = isOAuth ? form.refuse : (endpoint.refuse ?? documented.refuse);
    return refuse(context, error) ?? problemOf(error, context.traceId, context.log);
  }
}

const none: readonly string[] = [];

const requestIdOf = ({ headers }: IncomingMessage): readonly string[] =>
  headers['x-request-id'] === undefined ? none : ['x-request-id', headers['x-request-id'] as string];

/** A body that is not read, or never comes, must not be taken for the connection's next request. */
const closing = ['connection', 'close'];
const announcesBody = ({ headers }: IncomingMessage): boolean =>
  headers['transfer-encoding'] !== undefined || (headers['content-length'] ?? '0') !== '0';

/** Headers of one answer: the trace id of a failure, and for a client that sent a proof its next nonce (RFC 9449 §8.2). */
function headersOf(context: Context, { headers }: IncomingMessage, answered: Answer): readonly string[] {
  const { status } = answered;
  const sendsNonce = context.config.dpopNonce && headers.dpop !== undefined && !answered.headers['dpop-nonce'];
  if (status < 400 && !sendsNonce) return none;
  return [
    ...(status < 400 ? none : ['trace-id', context.traceId]),
    ...(sendsNonce ? ['dpop-nonce', currentNonce(context)] : none),
  ];
}
