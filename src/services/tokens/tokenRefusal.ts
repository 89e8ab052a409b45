/**
 * Defines and records refusals of token requests. Each dialect has its own answer for each reason; the detail is for the log, and for
 * administrators who look it up by trace id (modules/insight).
 */
import { IdTokenInvalid, type IdTokenVerifier, type VerifiedIdToken } from '../../auth/idToken.js';
import type { Context } from '../../context.js';
import { startOf } from '../../entities/valueForms.js';
import { throwUnavailable } from '../../errors.js';
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
    /** The guid of the renewal token's record. */
    readonly tokenRecord?: string,
  ) {
    super(reason);
  }
}

/** Verifies a token of an identity provider. Throws TokenRefusal with this reason, and UNAVAILABLE when the provider can't be reached. */
export const verifyProviderToken = (
  { idTokens }: Pick<Context, 'idTokens'>,
  reason: RefusalReason,
  ...presented: Parameters<IdTokenVerifier['verify']>
): Promise<VerifiedIdToken> =>
  idTokens.verify(...presented).catch((error: unknown) => {
    if (error instanceof IdTokenInvalid) throw new TokenRefusal(reason, error.reason);
    return throwUnavailable('The identity provider')(error);
  });

/** The logged part of a refusal. It has no text of the caller except ids, which are cut where they look like secrets. */
export interface Refused {
  /** A RefusalReason, or the code of an error of the OAuth dialect. */
  reason: string;
  detail?: string | undefined;
  tokenRecord?: string | undefined;
}

/** Logs the refusal and records it. */
export function reportRefusal(context: Context, { reason, detail, tokenRecord }: Refused): void {
  const { log, traceId, address } = context;
  const clientId = presentedClientId();
  log.info({ traceId, reason, detail, clientId, address, tokenRecord }, 'token refused');
  // RFC 9449 §8: a step of the protocol, after which the client asks again
  if (reason !== 'nonceWanted') keep(context, { reason, detail, tokenRecord });
}

/** Logs and records an access token that failed its validation. */
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

/** The length limit of a stored id. */
const idShownMax = 100;
/** Characters shown of an id that looks like a secret. */
const secretShownMax = 4;

/** An id that a caller sent, cut to its maximal length, or to a few characters if it looks like a secret or token. */
const loggedId = (id: string): string =>
  secretForm.test(id) ? `${startOf(id, secretShownMax)}…` : startOf(id, idShownMax);

function presentedClientId(): string | undefined {
  const presented = currentRequest()?.clientId;
  return presented === undefined ? undefined : loggedId(presented);
}
