/** The token endpoints in both dialects: path, method, limit, media type, size, answer. */
import type { IncomingMessage, RequestListener } from 'node:http';
import proxyAddress from 'proxy-addr';
import type { Context, Dependencies } from '../../context.js';
import { GatehouseError, gone, methodNotAllowed } from '../../errors.js';
import { type Answer, send } from '../../http/answer.js';
import { type BodyReader, type BodyRule, formOnly, isForm, tokenBody, tokenJson } from '../../http/body.js';
import { openCors, secureHeaderEntries } from '../../http/headers.js';
import { isOfNobody, problemOf } from '../../http/problem.js';
import { contextOf } from '../../http/requestContext.js';
import { currentRequest, noteClient, noteGrant } from '../../observability/currentRequest.js';
import { currentNonce } from '../../services/tokens/proofOfPossession.js';
import { type Refused, reportRefusal, TokenRefusal } from '../../services/tokens/tokenRefusal.js';
import * as form from './form.js';
import * as documented from './json.js';
import { OAuthError, pathOf, readBasic, readTokenRequest, type TokenRequest } from './request.js';

/** During a brown-out nothing is checked; the client is noted as the request names it. */

/** Notes client and grant, if they can be read. */
function notePresented({ body, authorization: [header] }: TokenRequest, isOAuth: boolean): void {
  const given = isOAuth ? Object.fromEntries(new URLSearchParams(body.toString())) : parsed(body);
  const clientId = given.client_id ?? (header === undefined ? undefined : readBasic(header)?.clientId);
  if (typeof clientId === 'string') noteClient(clientId);
  noteGrant(given.grant_type);
}

function parsed(body: Buffer): Record<string, unknown> {
  try {
    return Object(JSON.parse(body.toString()));
  } catch {
    return {};
  }
}

/** What is reported about an error that is answered with 400, 401 or 404; undefined for others, whose answer says everything. */
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

/**
 * The path of a request, for both dialects: method, limit, media type, size, dialect, answer. It uses plain node:http, since
 * Express would take as long as the work itself. The media type chooses the dialect: JSON is the documented contract, forms
 * are OAuth.
 */

interface Endpoint {
  rule: BodyRule;
  json?: (context: Context, request: TokenRequest) => Promise<Answer>;
  form?: Endpoint['json'];
  /** Renders an error in JSON; undefined: the default. */
  refuse?: typeof documented.refuse;
}

const endpoints: Record<string, Endpoint> = {
  '/token': { rule: tokenBody, json: documented.token, form: form.token },
  '/revoke': { rule: tokenBody, json: documented.revocation, form: form.revocation },
  '/validate-token': { rule: tokenJson, json: documented.validation, refuse: documented.refuseValidation },
  '/profiles': { rule: tokenBody, json: documented.profiles, form: form.profiles },
  '/introspect': { rule: formOnly, form: form.introspection },
  '/backchannel-logout': { rule: formOnly, form: form.backchannelLogout },
};

/**
 * @param trust whether an address belongs to a trusted proxy; index 0 is the connected address
 * @param otherwise answers requests to all other paths
 */
export function answerTokenRequests(
  dependencies: Dependencies,
  bodies: BodyReader,
  trust: (address: string, index: number) => boolean,
  otherwise: RequestListener,
): RequestListener {
  const { config, issuerUrl } = dependencies;
  const headers = [...secureHeaderEntries(issuerUrl).flat(), 'cache-control', 'no-store'];
  const { corsOrigins: origins } = config;
  const isPreflight = origins.length > 0 ? openCors({ origins, methods: 'GET, HEAD, POST' }) : undefined;
  const paths = new Map(Object.keys(endpoints).map((path) => [config.basePath + path, path]));
  return (request, response) => {
    const path = paths.get(pathOf(request));
    if (path === undefined) return otherwise(request, response);
    const current = currentRequest()!;
    current.route = path;
    if (isPreflight?.(request, response)) return response.writeHead(204, headers).end();
    const context = contextOf(dependencies, { ip: proxyAddress(request, trust), socket: request.socket });
    void answer(context, request, { endpoint: endpoints[path]!, bodies, isBrownout: current.isBrownout }).then(
      (answered) =>
        answered
          ? send(response, answered, [...headersOf(context, request, answered), ...headers])
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
    if (request.method !== 'POST') throw methodNotAllowed('POST');
    await context.tokenRequests?.(context.address);
    const read = readTokenRequest(context, request, await bodies.read(request, endpoint.rule));
    if (isBrownout) {
      notePresented(read, isOAuth);
      throw gone();
    }
    const dialect = isOAuth ? endpoint.form : endpoint.json;
    return await dialect!(context, read);
  } catch (error) {
    if (isOfNobody(error)) return undefined;
    const refused = refusedBy(error);
    if (refused) reportRefusal(context, refused);
    const refuse = isOAuth ? form.refuse : (endpoint.refuse ?? documented.refuse);
    return refuse(context, error) ?? problemOf(error, context.traceId, context.log);
  }
}

const none: readonly string[] = [];

/** Headers of one answer: the trace id of a failure, and for a client that sent a proof its next nonce (RFC 9449 §8.2). */
function headersOf(context: Context, { headers }: IncomingMessage, { status }: Answer): readonly string[] {
  const sendsNonce = context.config.dpopNonce && headers.dpop !== undefined;
  if (status < 400 && !sendsNonce) return none;
  return [
    ...(status < 400 ? none : ['trace-id', context.traceId]),
    ...(sendsNonce ? ['dpop-nonce', currentNonce(context)] : none),
  ];
}
