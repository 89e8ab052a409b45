/** The exchange grant: an identity provider's ID token becomes tokens for one profile. */
import { randomUUID } from 'node:crypto';
import { IdentityProviderUnavailable, IdTokenInvalid, type VerifiedIdToken } from '../../auth/idToken.js';
import type { Context } from '../../context.js';
import { isGuid } from '../../entities/guid.js';
import { isStorable } from '../../entities/storableText.js';
import { unavailable } from '../../errors.js';
import { ringWith } from '../keys/keyStore.js';
import { authenticateEarly, type Credentials, requireSecret, searchableClientId } from './authenticateClient.js';
import {
  answer,
  type Dialect,
  furtherClaims,
  type IssuedTokens,
  issueAccessToken,
  prepareRenewalToken,
  profileIdMax,
} from './claims.js';
import {
  type ExchangeLookup,
  firstInserts,
  type HolderState,
  holderStates,
  inserts,
  lookUps,
  rehearsedInserts,
} from './exchangeStatements.js';
import { identifyUse } from './idTokenUse.js';
import { joinTexts, type Narrowing, narrowFirst } from './narrowing.js';
import { isHardened, isRehearsal } from './policy.js';
import { type PresentedProof, proofMissing, requireProof } from './proofOfPossession.js';
import { signInOf, wasSignedOut } from './providerSignOut.js';
import { rehearseExchange } from './rehearsal.js';
import { TokenRefusal } from './tokenRefusal.js';
import { hasSeveralIssuers } from './usersOfNoIssuer.js';

export interface ExchangeRequest extends Credentials {
  /** Missing: refused like an invalid one. */
  idToken: string | undefined;
  profileId: string;
  dialect: Dialect;
  /** Fewer audiences and scopes than the profile gives; absent: all. */
  narrowing?: Narrowing | undefined;
  /** Binds the tokens to its key. */
  proof?: PresentedProof | undefined;
}

/**
 * Throws TokenRefusal `invalidClient`, `invalidIdToken`, `invalidProfile`, `invalidTarget`, `invalidScope` or `invalidProof`, judged in that
 * order, and UNAVAILABLE when the identity provider can't be asked.
 */
export async function exchange(context: Context, request: ExchangeRequest): Promise<IssuedTokens> {
  // a client that isn't remembered is judged before any work is done for it
  const known = await authenticateEarly(context, request);
  const jkt = request.proof && (await requireProof(context, request.proof));
  const verified = await verifyIdToken(context, request.idToken).catch((refusal: unknown) => refusal as Error);
  const found = await findHolding(context, request, verified instanceof Error ? undefined : verified);
  await requireSecret(context, request, found, known);
  if (verified instanceof Error) throw verified;
  if (!found.user_guid) throw new TokenRefusal('invalidProfile', await explainProfile(context, request, verified));
  if (found.dpop_required && jkt === undefined) throw proofMissing();
  return issue(context, request, found, verified, jkt);
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

async function findHolding(
  context: Context,
  request: ExchangeRequest,
  verified: VerifiedIdToken | undefined,
): Promise<ExchangeLookup> {
  const { kind, values } = askHolder(context, request, verified);
  return context.sql.batchedRow<ExchangeLookup>(lookUps[kind], values);
}

/** For an authenticated client and a good ID token alone. */
async function explainProfile(context: Context, request: ExchangeRequest, verified: VerifiedIdToken): Promise<string> {
  const { kind, values } = askHolder(context, request, verified);
  const state = await context.sql.batchedRow<HolderState>(holderStates[kind], values);
  if (!state.is_known) return 'no such user of that issuer';
  if (state.is_blocked) return 'user blocked';
  return state.is_profile ? 'profile not held' : 'no such profile';
}

/** What is asked for by whom, as the statements of an exchange have it. */
function askHolder(
  context: Context,
  request: ExchangeRequest,
  verified: VerifiedIdToken | undefined,
): { kind: keyof typeof lookUps; values: unknown[] } {
  const subject = verified?.issuer.subject ?? 'idpid';
  const isSearchable = (sub: string) => isStorable(sub) && (subject === 'idpid' || isGuid(sub));
  const sub = verified && isSearchable(verified.sub) ? verified.sub : null;
  const profileId =
    isStorable(request.profileId) && [...request.profileId].length <= profileIdMax ? request.profileId : null;
  const values = [searchableClientId(request), verified?.issuer.idpname ?? null, sub, profileId];
  const kind = subject === 'userGuid' && !hasSeveralIssuers(context.config) ? 'onlyIssuersUserGuid' : subject;
  return { kind, values };
}

async function issue(
  context: Context,
  request: ExchangeRequest,
  found: ExchangeLookup,
  verified: VerifiedIdToken,
  jkt: string | undefined,
): Promise<IssuedTokens> {
  const ring = await ringWith(context.keys, found.active_kid);
  const { profileId, clientId } = request;
  const issued = narrowFirst(context.config, found.allowed_audiences, found.scopes!, request.narrowing);
  const holding = { userGuid: found.user_guid!, profileId, roleId: found.role_id!, jkt, ...issued };
  const tokenGuid = randomUUID();
  const renewal = prepareRenewalToken(
    context,
    ring,
    { userGuid: holding.userGuid, tokenGuid, generation: 0 },
    context.clock.now(),
  );
  const isStrict = isHardened(context.config, found.client_policy);
  const accessToken = issueAccessToken(context, ring, holding, new Date(), furtherClaims(request, tokenGuid, isStrict));
  const isRehearsed = !isStrict && isRehearsal(context.config);
  // the documented flow sets neither
  const boundTo = [isStrict || isRehearsed ? clientId : null, isStrict ? context.address : null];
  const { issuer } = verified.issuer;
  const madeFor = [joinTexts(request.narrowing?.audiences), joinTexts(request.narrowing?.scopes)];
  const { hash, createdAt, expiresAt } = renewal;
  const values = [
    tokenGuid,
    holding.userGuid,
    profileId,
    hash,
    createdAt,
    expiresAt,
    ...boundTo,
    ...madeFor,
    jkt ?? null,
    issuer,
    ...signInOf(verified),
  ];
  const kind = isStrict ? firstInserts : isRehearsed ? rehearsedInserts : inserts;
  const statement = kind[found.login_is_old ? 'withLogin' : 'ofRecord'];
  const use = isStrict || isRehearsed ? identifyUse(verified, profileId) : undefined;
  const made = await context.sql.batchedRow<{ token_guid: string | null; is_first?: boolean }>(
    statement,
    use ? [...values, use.hash, use.endsAt] : values,
  );
  if (made.token_guid === null) throw await explainUse(context, verified);
  if (isRehearsed) rehearseExchange(context, clientId, made.is_first!);
  return answer(accessToken, renewal, jkt);
}

/** Of an ID token of which no record was made. */
async function explainUse({ sql }: Context, verified: VerifiedIdToken): Promise<TokenRefusal> {
  const isOver = await wasSignedOut(sql, verified);
  const reason = isOver ? 'it is of before a sign-out at its provider' : 'it was exchanged for this profile before';
  return new TokenRefusal('invalidIdToken', reason);
}
