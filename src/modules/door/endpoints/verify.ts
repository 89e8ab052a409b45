/** Answers `/verify`: forward authentication for reverse proxies. */
import type { IncomingMessage } from 'node:http';
import type { PresentedToken } from '../../../auth/caller.js';
import type { AccessTokenClaims } from '../../../auth/tokenFormat.js';
import type { Config } from '../../../config/config.js';
import type { Context } from '../../../context.js';
import { isGuid } from '../../../entities/valueForms.js';
import { badInput, GatehouseError, type Problems } from '../../../errors.js';
import type { Answer } from '../../../http/answer.js';
import { answerOf, withResourceMetadata } from '../../../http/problem.js';
import type { OpenEndpoints } from '../../../rest/token/endpoints.js';
import { findPresentedToken, invalidToken, requireToken } from '../../../services/tokens/caller.js';
import { allAudiences } from '../../../services/tokens/claims.js';
import type { PresentedProof } from '../../../services/tokens/proofOfPossession.js';
import type { Refused } from '../../../services/tokens/tokenRefusal.js';
import { type RequiredAccess, requireAccess } from '../requireAccess.js';

export const verifyEndpoints: OpenEndpoints = ({ verify }) =>
  verify ? { '/verify': { ask: countedVerification, refuse: refuseVerification, refusedBy: refusedAtDoor } } : {};

const countedVerification = (context: Context, request: IncomingMessage): Promise<Answer> =>
  verification(context, request).catch(async (error: unknown) => {
    throw await countRefusal(context, error);
  });

/** Counts requests to /verify only when they are refused, since an API may have any number of valid requests. */
async function countRefusal({ tokenRequests, address }: Context, error: unknown): Promise<unknown> {
  if (!isRefusal(error)) return error;
  return tokenRequests
    ? tokenRequests(address).then(
        () => error,
        (overLimit: unknown) => overLimit,
      )
    : error;
}

/** 204 with the caller in headers; a body of the request is not read. */
async function verification(context: Context, request: IncomingMessage): Promise<Answer> {
  const { needs, uri } = readQuery(context.config, request.url ?? '');
  const presented = findToken(context.config, request);
  const claims = await requireAccess(context, presented, needs, () => proofOf(request, uri));
  return { status: 204, headers: callerHeaders(claims, needs), body: '' };
}

/** 401 and 403, with the address of the metadata in their challenge; undefined: the default. */
function refuseVerification({ issuerUrl, traceId }: Context, error: unknown): Answer | undefined {
  const described = withResourceMetadata(error, issuerUrl, 'verify');
  return isRefusal(described) ? answerOf(described, traceId) : undefined;
}

const isRefusal = (error: unknown): error is GatehouseError =>
  error instanceof GatehouseError && (error.status === 401 || error.status === 403);

/** The reason for `bin/gatehouse explain`, by the error of a challenge. */
const reasons = {
  invalid_token: 'invalidAccessToken',
  insufficient_scope: 'insufficientScope',
  invalid_dpop_proof: 'invalidProof',
  use_dpop_nonce: 'nonceWanted',
};

/** Undefined for an error that is no refusal of this endpoint. */
export function refusedAtDoor(error: unknown): Refused | undefined {
  if (!isRefusal(error)) return undefined;
  return { reason: reasons[error.more.challenge ?? 'invalid_token'], detail: error.more.detail };
}

const queryMax = 2_048;
/** Precedes the target of the original request, which Envoy appends to its `path_prefix`. */
const uriParameter = /(?:^|&)uri=/;
/** Reads the parameters that name the required access. Throws BAD_USER_INPUT by parameter, for unknown ones too: a misspelt need must not open. */
function readQuery(config: Config, target: string): { needs: RequiredAccess; uri: string | undefined } {
  const question = target.indexOf('?');
  const query = question < 0 ? '' : target.slice(question + 1);
  const match = uriParameter.exec(query);
  const own = match ? query.slice(0, match.index) : query;
  if (own.length > queryMax) throw badInput({ query: [`The query must have at most ${queryMax} characters.`] });
  const parameters = new URLSearchParams(own);
  const problems: Problems = {};
  for (const name of new Set(parameters.keys())) {
    const problem = findProblem(config, name, parameters.getAll(name));
    if (problem) problems[name] = [`The parameter ${name} ${problem}.`];
  }
  if (Object.keys(problems).length > 0) throw badInput(problems);
  const one = (name: keyof typeof rules) => parameters.get(name) ?? undefined;
  return {
    needs: {
      scopes: parameters.getAll('scope'),
      application: one('application'),
      audience: one('audience'),
      role: one('role'),
    },
    uri: match ? query.slice(match.index + match[0].length) : undefined,
  };
}

/** Return the problem of a value, if it has one. */
const rules = {
  scope(value: string) {
    const colon = value.indexOf(':');
    const isEntry = colon > 0 && colon < value.length - 1;
    return isEntry ? undefined : 'must be <type>:<key>, or <type>:*; several are repeated';
  },
  application: (value: string) => (isGuid(value) ? undefined : 'must be the guid of an application'),
  audience: (value: string, config: Config) =>
    allAudiences(config).includes(value) ? undefined : 'must be an audience that tokens may have (AUDIENCES)',
  role: (value: string) => (value === '' ? 'must be the id of a role' : undefined),
};

function findProblem(config: Config, name: string, values: readonly string[]): string | undefined {
  if (!Object.hasOwn(rules, name)) return `is unknown; supported are ${Object.keys(rules).join(', ')}`;
  if (name !== 'scope' && values.length > 1) return 'must occur once';
  return values.map((value) => rules[name as keyof typeof rules](value, config)).find(Boolean);
}

/** Returns the token of the header or else of the cookie. Throws UNAUTHENTICATED for several tokens, and for text that is no token. */
function findToken({ verifyCookie }: Config, request: IncomingMessage): PresentedToken | undefined {
  const presented = findPresentedToken(request);
  if (presented) return presented;
  const cookies = (request.headers.cookie ?? '').split(';').flatMap((pair) => {
    const [name, ...value] = pair.split('=');
    return verifyCookie !== undefined && name!.trim() === verifyCookie ? [value.join('=').trim()] : [];
  });
  if (cookies.length > 1) throw invalidToken('several cookies');
  return cookies[0] === undefined ? undefined : requireToken(`Bearer ${cookies[0]}`);
}

/**
 * Returns the proof, and the request that it must name: nginx, Traefik and Caddy name it in headers, Envoy in the query.
 * Undefined unless exactly one request is named, since the client may have sent headers that the proxy does not overwrite.
 */
function proofOf({ headers, method = '' }: IncomingMessage, uri: string | undefined): PresentedProof | undefined {
  const header = (name: string) => headers[name] as string | undefined;
  // the handshake of a WebSocket is an HTTP request (RFC 6455 §4.1); Traefik writes `wss`
  const asHttp = (text: string | undefined) => text?.replace(/^ws(?=s?(:|$))/i, 'http');
  const [proto, host] = [asHttp(header('x-forwarded-proto')), header('x-forwarded-host') ?? (uri && headers.host)];
  const urls = [uri, header('x-forwarded-uri'), header('x-original-uri')].map((path) =>
    // a path without a slash would complete the host
    path === undefined ? undefined : `${proto}://${host}${path.startsWith('/') ? '' : '/'}${path}`,
  );
  const methods = [uri && method, header('x-forwarded-method'), header('x-original-method')];
  const url = only([...urls, asHttp(header('x-original-url'))].map((value) => value?.split('?', 1)[0]));
  const named = only(methods);
  return url && named ? { proof: header('dpop') ?? '', method: named, url } : undefined;
}

function only(values: readonly (string | undefined)[]): string | undefined {
  const [value, ...others] = new Set(values.filter((candidate) => candidate !== undefined));
  return others.length > 0 ? undefined : value;
}

/** Proxies hold all headers of an answer in 4 to 16 kB. */
const scopesLengthMax = 2_048;

/**
 * Every answer has all of them, empty where the token has no value, so that a proxy that copies them overwrites what a client
 * sent. Scopes are separated by spaces; where they are too long, only those that were asked for are listed.
 */
function callerHeaders(
  { sub, profileId, roleId, scopes, client_id: clientId = '' }: Readonly<AccessTokenClaims>,
  needs: RequiredAccess,
): Record<string, string> {
  const all = scopes.map(encode).join(' ');
  const isComplete = all.length <= scopesLengthMax;
  return {
    'x-gatehouse-user': encode(sub),
    'x-gatehouse-profile': encode(profileId),
    'x-gatehouse-role': encode(roleId),
    'x-gatehouse-scopes': isComplete ? all : [...new Set(needs.scopes)].map(encode).join(' '),
    'x-gatehouse-scopes-omitted': isComplete ? 'no' : 'yes',
    'x-gatehouse-client': encode(clientId),
  };
}

const unfit = /[^!-$&-~]/gu;
/** Percent-encodes everything but visible ASCII, and `%`: no value can end a line or a list. */
const encode = (text: string): string =>
  text.search(unfit) < 0 ? text : text.toWellFormed().replace(unfit, encodeURIComponent);
