/** Derives what is counted of a request: client or caller, operation, option, media type and program. */
import { clientIdLengthMax } from '../../entities/Client.js';
import { type CurrentRequest, endpointOf, grantOf, methodOf, operationOf } from '../../observability/currentRequest.js';
import type { UsageKey, UsageRecorder } from './usage.js';

// the service's operations, without pages, documents and health checks
const counted =
  /^\/(token|profiles|revoke|validate-token|introspect|verify|backchannel-logout|access\/v1|api|graphql|console\/graphql)(\/|$)/;

/** Counts a request after it has ended. */
export const countUsage =
  ({ note }: UsageRecorder) =>
  (ended: CurrentRequest): void => {
    const isBrownout = ended.isBrownout && ended.response.statusCode === 410;
    const key = usageOf(ended, isBrownout);
    if (key) note(key, isBrownout);
  };

/** Undefined for other paths, and for refusals of unauthenticated callers. */
function usageOf(current: CurrentRequest, isBrownout: boolean): UsageKey | undefined {
  const endpoint = endpointOf(current);
  const method = methodOf(current);
  if (endpoint === undefined || method === undefined || method === 'OPTIONS' || !counted.test(endpoint))
    return undefined;
  const { request, response, caller = '', options } = current;
  const client = clientOf(current, isBrownout);
  // anybody can invent user agents and be refused; a served request had a token, and a brown-out checks nothing
  const isServed = response.headersSent && response.statusCode < 400;
  if (client === undefined && caller === '' && !isServed && !isBrownout) return undefined;
  const { 'content-type': mediaType = '', 'user-agent': userAgent = '' } = request.headers;
  return {
    clientId: client ?? '',
    ...(client !== undefined && !current.isClientProven && { credential: current.clientCredential ?? '' }),
    caller,
    operation: `${method} ${endpoint}`,
    option: endpoint.endsWith('/graphql') ? (operationOf(current) ?? '') : (options ?? grantOf(current, endpoint)),
    mediaType: mediaType.split(';', 1)[0]!.trim().toLowerCase(),
    // RFC 9110 §10.1.5: the first is the most significant
    product: /^[^\s(]{1,100}/.exec(userAgent.trim())?.[0] ?? '',
  };
}

/** A request counts for a client only if it proved to be that client, or a brown-out answered it before any check. */
function clientOf(
  { clientId, clientFailure, isClientProven, clientCredential }: CurrentRequest,
  isBrownout: boolean,
): string | undefined {
  const isIdentified = isClientProven || clientCredential !== undefined || isBrownout;
  return isIdentified && clientFailure === undefined && clientId !== undefined && clientId.length <= clientIdLengthMax
    ? clientId
    : undefined;
}
