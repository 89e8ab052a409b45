/** The exchange grant: an identity provider's ID token becomes tokens for one profile. */
import { randomUUID } from 'node:crypto';
import { IdentityProviderUnavailable, IdTokenInvalid, type VerifiedIdToken } from '../auth/idToken.js';
import type { Context } from '../context.js';
import { unavailable } from '../errors.js';
import {
  answer,
  type Dialect,
  furtherClaims,
  type IssuedTokens,
  isStorable,
  issueAccessToken,
  prepareRenewalToken,
  profileIdMax,
} from './accessToken.js';
import { type Credentials, presumeClient, requireSecret, searchableClientId } from './clientCheck.js';
import { type Found, inserts, lookUps } from './exchangeStatements.js';
import { ringWith } from './signingKeys.js';
import { TokenRefusal } from './tokenRefusal.js';

export interface ExchangeRequest extends Credentials {
  /** Missing: refused like an invalid one. */
  idToken: string | undefined;
  profileId: string;
  dialect: Dialect;
}

/**
 * Throws TokenRefusal `invalidClient`, `invalidIdToken` or `invalidProfile`, judged in that order, and UNAVAILABLE when
 * the identity provider can't be asked.
 */
export async function exchange(context: Context, request: ExchangeRequest): Promise<IssuedTokens> {
  // a client that isn't remembered is judged before any work is done for it
  await presumeClient(context, request);
  const verified = await verifyIdToken(context, request.idToken).catch((refusal: unknown) => refusal as Error);
  const found = await findHolding(context, request, verified instanceof Error ? undefined : verified);
  await requireSecret(context, request, found);
  if (verified instanceof Error) throw verified;
  if (!found.user_guid) throw new TokenRefusal('invalidProfile', 'no such user, blocked, or profile not held');
  return issue(context, request, found);
}

async function verifyIdToken({ idTokens }: Context, idToken: string | undefined): Promise<VerifiedIdToken> {
  if (!idToken) throw new TokenRefusal('invalidIdToken', 'no ID token');
  try {
    return await idTokens.verify(idToken);
  } catch (error) {
    if (error instanceof IdTokenInvalid) throw new TokenRefusal('invalidIdToken', error.reason);
    if (error instanceof IdentityProviderUnavailable)
      throw unavailable('The identity provider', error, error.retryAfterSeconds);
    throw error;
  }
}

const guidForm = /^[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}$/i;

async function findHolding(
  context: Context,
  request: ExchangeRequest,
  verified: VerifiedIdToken | undefined,
): Promise<Found> {
  const subject = verified?.issuer.subject ?? 'idpid';
  const isSearchable = (sub: string) => isStorable(sub) && (subject === 'idpid' || guidForm.test(sub));
  const sub = verified && isSearchable(verified.sub) ? verified.sub : null;
  const profileId =
    isStorable(request.profileId) && [...request.profileId].length <= profileIdMax ? request.profileId : null;
  const values = [searchableClientId(request), verified?.issuer.idpname ?? null, sub, profileId];
  return context.sql.rowTogether<Found>(lookUps[subject], values);
}

async function issue(context: Context, request: ExchangeRequest, found: Found): Promise<IssuedTokens> {
  const ring = await ringWith(context.keys, found.active_kid);
  const now = new Date();
  const { profileId, clientId } = request;
  const holding = { userGuid: found.user_guid!, profileId, roleId: found.role_id!, scopes: found.scopes! };
  const tokenGuid = randomUUID();
  const renewal = prepareRenewalToken(context, ring, { userGuid: holding.userGuid, tokenGuid, generation: 0 }, now);
  const accessToken = issueAccessToken(context, ring, holding, now, furtherClaims(context, request, tokenGuid));
  // the documented flow sets neither
  const boundTo = context.config.tokenPolicy === 'hardened' ? [clientId, context.address] : [null, null];
  const { hash, createdAt, expiresAt } = renewal;
  const values = [tokenGuid, holding.userGuid, profileId, hash, createdAt, expiresAt, ...boundTo];
  await context.sql.rowTogether(found.login_is_old ? inserts.withLogin : inserts.ofRecord, values);
  return answer(accessToken, renewal);
}
