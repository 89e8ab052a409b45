/**
 * Why a token request is refused. Each face has its own answer for each reason; the rest is for the log, and for
 * administrators who ask by the trace id (services/refusals).
 */
import type { Context } from '../../context.js';
import { currentRequest, endpointOf, grantOf } from '../../observability/currentRequest.js';
import { secretForm } from '../../secretForm.js';

export type RefusalReason =
  | 'invalidClient'
  | 'invalidIdToken'
  | 'invalidProfile'
  | 'invalidRenewalToken'
  | 'invalidTarget'
  | 'invalidScope'
  | 'invalidProof'
  | 'nonceWanted'
  | 'invalidLogoutToken'
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

/** What is reported of a refusal, without a value that the caller sent. */
export interface Refused {
  /** A RefusalReason, or the code of an error of the OAuth dialect. */
  reason: string;
  detail?: string | undefined;
  tokenRecord?: string | undefined;
}

/** Logs the refusal and keeps it. */
export function reportRefusal(context: Context, { reason, detail, tokenRecord }: Refused): void {
  const { log, traceId, address } = context;
  const clientId = presentedClientId();
  log.info({ traceId, reason, detail, clientId, address, tokenRecord }, 'token refused');
  // RFC 9449 §8: a step of the protocol, after which the client asks again
  if (reason !== 'nonceWanted') keep(context, { reason, detail, tokenRecord });
}

/** The same of an access token that was to be validated. */
export function reportInvalidToken(context: Context, detail: string): void {
  const { log, traceId, address } = context;
  log.info({ traceId, detail, address }, 'token invalid');
  keep(context, { reason: 'invalidAccessToken', detail });
}

function keep({ refusalRecorder, traceId, address }: Context, { reason, detail = reason, tokenRecord }: Refused): void {
  const current = currentRequest();
  const endpoint = current && endpointOf(current);
  refusalRecorder.note({
    traceId,
    address,
    endpoint: endpoint ?? null,
    grant: (current && grantOf(current, endpoint)) || null,
    clientId: presentedClientId() ?? null,
    reason,
    detail,
    tokenGuid: tokenRecord ?? null,
  });
}

/** No stored client id is longer. */
const clientIdShownMax = 100;
/** Of what may be a secret in the wrong place. */
const secretShownMax = 4;
/** The client that the request says to be: as presented, but for its length, and for what looks like a secret or a token. */
function presentedClientId(): string | undefined {
  const presented = currentRequest()?.clientId;
  if (presented === undefined) return undefined;
  return secretForm.test(presented) ? `${presented.slice(0, secretShownMax)}…` : presented.slice(0, clientIdShownMax);
}
