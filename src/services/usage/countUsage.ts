/** What of a request is counted: who asked, for which operation, how, and with what program. */
import { clientIdLengthMax } from '../../entities/Client.js';
import { type CurrentRequest, endpointOf, grantOf, methodOf, operationOf } from '../../observability/currentRequest.js';
import type { UsageKey, UsageRecorder } from './usageRecorder.js';

/** Operations of the service; not its pages, documents and health. */
const counted =
  /^\/(token|revoke|validate-token|profiles|introspect|backchannel-logout|api|graphql|console\/graphql)(\/|$)/;

/** Counts a request that has ended. */
export const countUsage =
  ({ note }: UsageRecorder) =>
  (ended: CurrentRequest): void => {
    const key = usageOf(ended);
    if (key) note(key, ended.isBrownout && ended.response.statusCode === 410);
  };

/** Undefined for a request that is none of the service's operations. */
function usageOf(current: CurrentRequest): UsageKey | undefined {
  const endpoint = endpointOf(current);
  const method = methodOf(current);
  if (endpoint === undefined || method === undefined || method === 'OPTIONS' || !counted.test(endpoint))
    return undefined;
  const { request, clientId, clientFailure, caller = '', options } = current;
  const { 'content-type': mediaType = '', 'user-agent': userAgent = '' } = request.headers;
  return {
    // whoever can't prove to be a client is not counted as that client
    clientId:
      clientId !== undefined && clientFailure === undefined && clientId.length <= clientIdLengthMax ? clientId : '',
    caller,
    operation: `${method} ${endpoint}`,
    option: endpoint.endsWith('/graphql') ? (operationOf(current) ?? '') : (options ?? grantOf(current, endpoint)),
    mediaType: mediaType.split(';', 1)[0]!.trim().toLowerCase(),
    // RFC 9110 §10.1.5: the first is the most significant
    product: /^[^\s(]{1,100}/.exec(userAgent.trim())?.[0] ?? '',
  };
}
