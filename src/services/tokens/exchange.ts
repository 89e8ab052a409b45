/** The exchange grant: an identity provider's ID token becomes tokens for one profile. */
import { randomUUID } from 'node:crypto';
import { IdentityProviderUnavailable, IdTokenInvalid, type VerifiedIdToken } from '../../auth/idToken.js';
import type { Context } from '../../context.js';
import { isGuid } from '../../entities/guid.js';
import { isStorable } from '../../entities/storableText.js';
import { unavailable } from '../../errors.js';
import type { SharedStatement } from '../../sql.js';
import { ringWith } from '../keys/keyStore.js';
import {
  authenticateEarly,
  type Credentials,
  requireSecret,
  type StoredClient,
  searchableClientId,
} from './authenticateClient.js';
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
  type whose,
} from './exchangeStatements.js';
import { identifyUse } from './idTokenUse.js';
import { joinTexts, type Narrowing, narrowFirst } from './narrowing.js';
import { isHardened, isRehearsal } from './policy.js';
import { type PresentedProof, proofMissing, requireProof } from './proofOfPossession.js';
import { signInOf, wasSignedOut } from './providerSignOut.js';
import { rehearseExchange } from './rehearsal.js';
import { TokenRefusal } from './tokenRefusal.js';
import { hasSeveralIssuers } from './usersOfNoIssuer.js';

/** A client and the person whom an ID token names. */
export interface SignInRequest extends Credentials {
  /** Missing: refused like an invalid one. */
  idToken: string | undefined;
  /** Proves possession of a key. */
  proof?: PresentedProof | undefined;
}

/** A proof binds the tokens to its key. */
export interface ExchangeRequest extends SignInRequest {
  profileId: string;
  dialect: Dialect;
  /** Fewer audiences and scopes than the profile gives; absent: all. */
  narrowing?: Narrowing | undefined;
}

/**
 * Throws TokenRefusal `invalidClient`, `invalidIdToken`, `invalidProfile`, `invalidTarget`, `invalidScope` or `invalidProof`, judged in that
 * order, and UNAVAILABLE when the identity provider can't be asked.
 */
export async function exchange(context: Context, request: ExchangeRequest): Promise<IssuedTokens> {
  const { profileId } = request;
  const searchable = isStorable(profileId) && [...profileId].length <= profileIdMax ? profileId : null;
  const { holder, verified, jkt } = await requireHolder<ExchangeLookup>(context, request, lookUps, searchable);
  return issue(context, request, holder, verified, jkt);
}

/** What a look-up reads of the client and the person; `user_guid` is null where the person is refused. */
interface Holder extends StoredClient {
  user_guid: string | null;
}

/**
 * Checks the client, its proof and the ID token, and reads the person with one statement. Throws TokenRefusal `invalidClient`,
 * `invalidIdToken`, `invalidProfile` or `invalidProof`, judged in that order, and UNAVAILABLE when the identity provider can't be asked.
 * @param statements $1 is the client id, $2 the issuer's idpname, $3 the subject, $4 the profile id
 */
export async function requireHolder<Found extends Holder>(
  context: Context,
  request: SignInRequest,
  statements: Record<keyof typeof whose, SharedStatement>,
  profileId: string | null,
): Promise<{ holder: Found; verified: VerifiedIdToken; jkt: string | undefined }> {
  // a client that isn't remembered is judged before any work is done for it
  const known = await authenticateEarly(context, request);
  const jkt = request.proof && (await requireProof(context, request.proof));
  const verified = await verifyIdToken(context, request.idToken).catch((refusal: unknown) => refusal as Error);
  const { kind, sub, idpname } = subjectOf(context, verified instanceof Error ? undefined : verified);
  const values = [searchableClientId(request), idpname, sub, profileId];
  const holder = await context.sql.batchedRow<Found>(statements[kind], values);
  await requireSecret(context, request, holder, known);
  if (verified instanceof Error) throw verified;
  if (!holder.user_guid) {
    const state = await context.sql.batchedRow<HolderState>(holderStates[kind], values);
    throw new TokenRefusal('invalidProfile', explainProfile(state));
  }
  if (holder.dpop_required && jkt === undefined) throw proofMissing();
  return { holder, verified, jkt };
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

function explainProfile(state: HolderState): string {
  if (!state.is_known) return 'no such user of that issuer';
  if (state.is_blocked) return 'user blocked';
  return state.is_profile ? 'profile not held' : 'no such profile';
}

/** How the statements find the person whom an ID token names; they find nobody without one. */
function subjectOf(
  { config }: Context,
  verified: VerifiedIdToken | undefined,
): { kind: keyof typeof whose; idpname: string | null; sub: string | null } {
  const subject = verified?.issuer.subject ?? 'idpid';
  const isSearchable = (sub: string) => isStorable(sub) && (subject === 'idpid' || isGuid(sub));
  const sub = verified && isSearchable(verified.sub) ? verified.sub : null;
  const kind = subject === 'userGuid' && !hasSeveralIssuers(config) ? 'onlyIssuersUserGuid' : subject;
  return { kind, idpname: verified?.issuer.idpname ?? null, sub };
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
  if (made.token_guid === null)
    throw (
      (await findSignOut(context, verified)) ??
      new TokenRefusal('invalidIdToken', 'it was exchanged for this profile before')
    );
  if (isRehearsed) rehearseExchange(context, clientId, made.is_first!);
  return answer(accessToken, renewal, jkt);
}

/** The refusal of an ID token that was issued before its person signed out at the provider. */
export async function findSignOut({ sql }: Context, verified: VerifiedIdToken): Promise<TokenRefusal | undefined> {
  if (!(await wasSignedOut(sql, verified))) return undefined;
  return new TokenRefusal('invalidIdToken', 'it is of before a sign-out at its provider');
}
