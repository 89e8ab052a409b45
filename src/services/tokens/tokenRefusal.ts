/** Why a token request is refused. Each face has its own answer for each reason; the rest is for the log alone. */
import type { Context } from '../../context.js';
import { currentRequest } from '../../observability/currentRequest.js';

export type RefusalReason =
  | 'invalidClient'
  | 'invalidIdToken'
  | 'invalidProfile'
  | 'invalidRenewalToken'
  | 'unsupportedGrantType';

export class TokenRefusal extends Error {
  constructor(
    readonly reason: RefusalReason,
    readonly detail: string,
    /** The guid of the record that a renewal token is of. */
    readonly tokenRecord?: string,
  ) {
    super(reason);
  }
}

/** No stored client id is longer. */
const clientIdShownMax = 100;

/** @param refusal without a value that the caller sent */
export function logRefusal(
  { log, traceId, address }: Context,
  { reason, detail, tokenRecord }: { reason: string; detail?: string | undefined; tokenRecord?: string | undefined },
): void {
  const clientId = currentRequest()?.clientId?.slice(0, clientIdShownMax);
  log.info({ traceId, reason, detail, clientId, address, tokenRecord }, 'token refused');
}
