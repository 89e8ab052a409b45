/**
 * The way of a request of a token consumer, for both dialects: path, method, limit, media type, size, dialect, answer. Bare
 * node:http, for Express would take as long as the work itself. The media type chooses the dialect: JSON is the documented
 * contract, forms are OAuth.
 */
import type { IncomingMessage, RequestListener } from 'node:http';
import proxyAddress from 'proxy-addr';
import type { Context, Dependencies } from '../../context.js';
import { gone, methodNotAllowed } from '../../errors.js';
import { type Answer, send } from '../../http/answer.js';
import { type BodyRule, formOnly, isForm, readBody, tokenBody, tokenJson } from '../../http/body.js';
import { openCors } from '../../http/cors.js';
import { problemOf } from '../../http/problem.js';
import { contextOf } from '../../http/requestContext.js';
import { secureHeaderEntries } from '../../http/secureHeaders.js';
import { currentRequest } from '../../observability/currentRequest.js';
import { currentNonce, type PresentedProof, publicUrl } from '../../services/tokens/proofOfPossession.js';
import { reportRefusal } from '../../services/tokens/tokenRefusal.js';
import { notePresented } from './brownout.js';
import * as form from './form.js';
import * as documented from './json.js';
import { refusedBy } from './refusedBy.js';

/** What is read of a request before anything is judged. */
export interface TokenRequest {
  body: Buffer;
  /** The lines of the header. */
  authorization: readonly string[];
  /** Several lines are joined by a comma and a space. */
  idempotencyKey: string | undefined;
  /** Of the header DPoP. */
  proof: PresentedProof | undefined;
}

interface Endpoint {
  rule: BodyRule;
  json?: (context: Context, request: TokenRequest) => Promise<Answer>;
  form?: Endpoint['json'];
  /** How an error is rendered in JSON; undefined: like everywhere. */
  refuse?: typeof documented.refuse;
}

const endpoints: Record<string, Endpoint> = {
  '/token': { rule: tokenBody, json: documented.token, form: form.token },
  '/revoke': { rule: tokenBody, json: documented.revocation, form: form.revocation },
  '/validate-token': { rule: tokenJson, json: documented.validation, refuse: documented.refuseValidation },
  '/introspect': { rule: formOnly, form: form.introspection },
  '/backchannel-logout': { rule: formOnly, form: form.backchannelLogout },
};

/**
 * @param trust whether an address is a proxy's whose word counts; 0 is who is connected
 * @param otherwise answers the requests of all other paths
 */
export function answerTokenRequests(
  dependencies: Dependencies,
  trust: (address: string, index: number) => boolean,
  otherwise: RequestListener,
): RequestListener {
  const { config, issuerUrl } = dependencies;
  const secure = secureHeaderEntries(issuerUrl).flat();
  const headers = [...secure, 'cache-control', 'no-store'];
  const isPreflight = openCors({ origins: config.corsOrigins, methods: 'GET, HEAD, POST' });
  const paths = new Map(Object.keys(endpoints).map((path) => [config.basePath + path, path]));
  return (request, response) => {
    const path = paths.get(pathOf(request));
    if (path === undefined) return otherwise(request, response);
    const current = currentRequest()!;
    current.route = path;
    if (isPreflight(request, response)) return response.writeHead(204, secure).end();
    const context = contextOf(dependencies, { ip: proxyAddress(request, trust), socket: request.socket });
    void answer(context, request, endpoints[path]!, current.isBrownout).then((answered) =>
      send(response, answered, [
        ...(answered.status < 400 ? none : ['trace-id', context.traceId]),
        ...nonceFor(context, request),
        ...headers,
      ]),
    );
  };
}

/** Without query, and without the slash at the end that a caller may have put there. */
function pathOf({ url = '' }: IncomingMessage): string {
  const target = url.split('?', 1)[0]!;
  // RFC 9112 §3.2.2: a target may be a whole address
  const path = target.startsWith('/') ? target : target.slice(target.indexOf('/', target.indexOf('://') + 3));
  return path.endsWith('/') ? path.slice(0, -1) : path;
}

async function answer(
  context: Context,
  request: IncomingMessage,
  endpoint: Endpoint,
  isBrownout: boolean,
): Promise<Answer> {
  const isOAuth = endpoint.form !== undefined && isForm(request);
  try {
    if (request.method !== 'POST') throw methodNotAllowed('POST');
    await context.tokenRequests?.(context.address);
    const body = await readBody(request, endpoint.rule);
    const read = {
      body,
      authorization: authorizationOf(request),
      idempotencyKey: headerOf(request, 'idempotency-key'),
      proof: proofOf(context, request),
    };
    if (isBrownout) {
      notePresented(read, isOAuth);
      throw gone();
    }
    const dialect = isOAuth ? endpoint.form : endpoint.json;
    return await dialect!(context, read);
  } catch (error) {
    const refused = refusedBy(error);
    if (refused) reportRefusal(context, refused);
    const refuse = isOAuth ? form.refuse : (endpoint.refuse ?? documented.refuse);
    return refuse(context, error) ?? problemOf(error, context.traceId, context.log);
  }
}

const none: readonly string[] = [];

/** Several lines are joined by node. */
const headerOf = ({ headers }: IncomingMessage, name: 'idempotency-key' | 'dpop'): string | undefined =>
  headers[name] as string | undefined;

function proofOf(context: Context, request: IncomingMessage): PresentedProof | undefined {
  const proof = headerOf(request, 'dpop');
  return proof === undefined ? undefined : { proof, method: 'POST', url: publicUrl(context, pathOf(request)) };
}

/** RFC 9449 §8.2: who proves a key is told the nonce of its next proof. */
const nonceFor = (context: Context, request: IncomingMessage): readonly string[] =>
  context.config.dpopNonce && headerOf(request, 'dpop') !== undefined ? ['dpop-nonce', currentNonce(context)] : none;

/** Node's own `headers` keep the first line alone; most requests have none. */
const authorizationOf = ({ headers, headersDistinct }: IncomingMessage): readonly string[] =>
  headers.authorization === undefined ? none : (headersDistinct.authorization ?? none);
