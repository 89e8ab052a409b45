/** The exchange grant: an identity provider's ID token becomes tokens for one profile. */
import { randomUUID } from 'node:crypto';
import { IdentityProviderUnavailable, IdTokenInvalid, type VerifiedIdToken } from '../auth/idToken.js';
import type { Context } from '../context.js';
import { unavailable } from '../errors.js';
import {
  answer,
  type Dialect,
  furtherClaims,
  holdingJoins,
  type IssuedTokens,
  isStorable,
  issueAccessToken,
  prepareRenewalToken,
  profileIdMax,
} from './accessToken.js';
import {
  type Credentials,
  clientColumns,
  presumeClient,
  requireSecret,
  type StoredClient,
  searchableClientId,
} from './clientCheck.js';
import { activeKidColumn, ringWith } from './signingKeys.js';
import { TokenRefusal } from './tokenRefusal.js';

export interface ExchangeRequest extends Credentials {
  /** Missing: refused like an invalid one. */
  idToken: string | undefined;
  profileId: string;
  dialect: Dialect;
}

interface Found extends StoredClient {
  active_kid: string;
  user_guid: string | null;
  login_is_old: boolean | null;
  role_id: string | null;
  scopes: string[] | null;
}

// `userGuid`: the subject is the user's guid, and the user's idpname, where there is one, is the issuer's;
// `idpid`: the subject is the user at that provider. So no provider can assert another's users.
const whose = {
  userGuid: 'u.user_guid = $3::uuid and (u.idpname is null or u.idpname = $2)',
  idpid: 'u.idpname = $2 and u.idpid = $3',
};
const lookUp = (subject: keyof typeof whose): string => `
  select ${clientColumns}, ${activeKidColumn}, holder.*
  from (values (1)) one
  left join clients client on client.client_id = $1
  left join (
    select u.user_guid, link.role_id, held.scopes,
      coalesce(u.last_login_date < now() - interval '1 hour', true) as login_is_old
    from users u ${holdingJoins('$4')}
    where ${whose[subject]} and not u.is_blocked
  ) holder on true`;
const lookUps = { userGuid: lookUp('userGuid'), idpid: lookUp('idpid') };

const insertRecord = `insert into tokens (token_guid, generation, user_id, profile_id, token, token_type, created_at, expires_at, started_at, client_id, created_by_ip)
  values ($1, 0, $2, $3, $4, 'refresh', $5, $6, $5, $7, $8)`;
const insertRecordAndLogin = `with login as (
    update users set last_login_date = $5 where user_guid = $2
      and (last_login_date is null or last_login_date < $5::timestamptz - interval '1 hour')
  ) ${insertRecord}`;

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
  const [found] = await context.sql.rows<Found>(lookUps[subject], values);
  return found!;
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
  await context.sql.rows(found.login_is_old ? insertRecordAndLogin : insertRecord, values);
  return answer(accessToken, renewal);
}
