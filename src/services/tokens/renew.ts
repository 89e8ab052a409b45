/** The refresh grant: a renewal token becomes a new access token and its own successor, in one atomic statement. */
import { renewalTokenHash } from '../../auth/tokenFormat.js';
import type { Context } from '../../context.js';
import { isStorable } from '../../entities/storableText.js';
import { noteProvenClient } from '../../observability/currentRequest.js';
import { ringWith } from '../keys/keyStore.js';
import {
  authenticateEarly,
  type Credentials,
  noteUse,
  requireSecret,
  searchableClientId,
} from './authenticateClient.js';
import {
  answer,
  type Dialect,
  furtherClaims,
  type IssuedTokens,
  issueAccessToken,
  type PreparedRenewalToken,
  prepareRenewalToken,
} from './claims.js';
import { recoverRenewal, renewalKeyOf } from './lostRenewal.js';
import { audienceValues, joinTexts, type Narrowing, narrow } from './narrowing.js';
import { isHardened, isRehearsal } from './policy.js';
import { type PresentedProof, requireProof } from './proofOfPossession.js';
import { explainRefusal } from './refusedRenewal.js';
import { rehearseRenewal } from './rehearsal.js';
import { type NotRenewed, type Renewed, renewalFor } from './renewalStatement.js';
import { findClaimedRecord, findNamedRecord, lookupOf, readRecord, type TokenRecord } from './renewalToken.js';
import { TokenRefusal } from './tokenRefusal.js';

export interface RenewalRequest extends Credentials {
  /** Missing: refused like an unknown one. */
  refreshToken: string | undefined;
  /** The profile that the record must have; undefined: any. In the documented dialect it counts where hardened alone. */
  profileId: string | undefined;
  dialect: Dialect;
  /** Fewer audiences and scopes than the record was made for; absent: as many as there are. */
  narrowing?: Narrowing | undefined;
  /** Of the key that the record is bound to; binds one that is to none. */
  proof?: PresentedProof | undefined;
  /** Of the client's making: with it the same renewal may be asked for again when its answer was lost. */
  idempotencyKey?: string | undefined;
}

/**
 * Throws TokenRefusal `invalidClient`, `invalidRenewalToken`, `invalidTarget` or `invalidScope`, judged in that order,
 * and `invalidProof` before what is judged of the token.
 */
export async function renew(context: Context, asked: RenewalRequest): Promise<IssuedTokens> {
  const hash = await authenticateEarly(context, asked);
  const request: Proven = { ...asked, jkt: asked.proof && (await requireProof(context, asked.proof)) };
  const claimed = findClaimed(context, request.refreshToken);
  if (claimed) return renewPresented(context, request, hash, claimed, false);
  return renewPresented(context, request, hash, await findPresented(context, request.refreshToken), true);
}

/** @param isProven whether the token has the record that is presented; otherwise that shows when the record has its hash */
async function renewPresented(
  context: Context,
  request: Proven,
  hash: string,
  presented: Presented | undefined,
  isProven: boolean,
): Promise<IssuedTokens> {
  const successor = presented && prepareSuccessor(context, presented);
  const renewed = await rewriteFor(context, request, hash, successor);
  if (renewed.user_guid !== null) {
    rehearseRenewal(context, request, renewed);
    return issue(context, request, successor!, renewed, successor!.renewal);
  }
  const proven = isProven ? presented : await findPresented(context, request.refreshToken);
  if (proven && proven.record.tokenGuid !== presented!.record.tokenGuid)
    return renewPresented(context, request, hash, proven, true);
  return recover(context, request, proven, renewed);
}

/** What was renewed already, and not answered. Throws why it is refused where nothing was. */
async function recover(
  context: Context,
  request: Proven,
  presented: Presented | undefined,
  client: NotRenewed,
): Promise<IssuedTokens> {
  const judged = judgedAs(context, request, client);
  const recovered = presented && (await recoverRenewal(context, judged, presented.record));
  if (!recovered) throw await refusal(context, judged, presented, client);
  const { allowed_audiences, client_policy } = client;
  const holder = { ...recovered, allowed_audiences, client_policy };
  rehearseRenewal(context, request, holder);
  return issue(context, request, presented, holder, { token: recovered.refreshToken });
}

/** A renewal whose proof was judged. */
type Proven = RenewalRequest & { jkt: string | undefined };

/** The request as the policy that it is judged by has it: documented, the profile that a JSON body names does not count. */
function judgedAs({ config }: Context, request: Proven, { client_policy: policy, dpop_required }: NotRenewed) {
  const isStrict = isHardened(config, policy);
  const profileId = isStrict || request.dialect === 'oauth' ? request.profileId : undefined;
  const isProofRequired = dpop_required;
  return { ...request, profileId, namedProfileId: request.profileId, isHardened: isStrict, isProofRequired };
}

async function issue(
  context: Context,
  request: Proven,
  { record }: Presented,
  holder: Omit<Renewed, 'use_is_old'>,
  renewal: { token: string },
): Promise<IssuedTokens> {
  const { active_kid, user_guid: userGuid, profile_id: profileId, role_id: roleId } = holder;
  const issued = narrow(context.config, holder, holder.allowed_audiences, holder.scopes, request.narrowing);
  const ring = await ringWith(context.keys, active_kid);
  const further = furtherClaims(request, record.tokenGuid, isHardened(context.config, holder.client_policy));
  const { jkt } = request;
  const holding = { userGuid, profileId, roleId, jkt, ...issued };
  return answer(issueAccessToken(context, ring, holding, new Date(), further), renewal, jkt);
}

/**
 * Renews for the client as it is stored now. What was renewed proves the client: the statement asks for its hash. When
 * nothing was and the secret matches another hash, which was set or made anew meanwhile, it is done again for that one.
 */
async function rewriteFor(
  context: Context,
  request: Proven,
  hash: string,
  successor: Successor | undefined,
): Promise<Renewed | NotRenewed> {
  const row = await rewrite(context, request, hash, successor);
  if (row.user_guid !== null) {
    noteProvenClient();
    if (row.use_is_old) noteUse(context, request, hash);
    return row;
  }
  const matched = await requireSecret(context, request, row, hash);
  return matched === hash ? row : rewriteFor(context, request, matched, successor);
}

async function refusal(
  context: Context,
  request: ReturnType<typeof judgedAs>,
  presented: Presented | undefined,
  { allowed_audiences: allowedAudiences }: NotRenewed,
): Promise<TokenRefusal> {
  if (!presented) return new TokenRefusal('invalidRenewalToken', 'unknown');
  const { record } = presented;
  const asked = { ...request, allowedAudiences, renewalKey: renewalKeyOf(request) };
  const { reason, detail } = await explainRefusal(context, record, asked);
  return new TokenRefusal(reason, detail, record.tokenGuid);
}

/** A renewal token that some record has or had. */
interface Presented {
  record: TokenRecord;
  hash: Buffer;
}

/** What our own token claims; not where sessions are limited, for their end stands in the record alone. */
function findClaimed(context: Context, token: string | undefined): Presented | undefined {
  const record = token && context.config.sessionMaxDays === 0 ? findClaimedRecord(context, token) : undefined;
  return record && { record, hash: renewalTokenHash(token!) };
}

/** Our own token names its record; that of another system's is read. */
async function findPresented(context: Context, token: string | undefined): Promise<Presented | undefined> {
  if (!token || !isStorable(token)) return undefined;
  const named = await findNamedRecord(context, token);
  const lookup = lookupOf(token, named);
  // the end of a limited session stands in the record alone
  const record = named && context.config.sessionMaxDays === 0 ? named : ((await readRecord(context, lookup)) ?? named);
  return record && { record, hash: lookup.hash };
}

interface Successor extends Presented {
  renewal: PreparedRenewalToken;
}

/** What the presented token would become; undefined where the session is over, for SESSION_MAX_DAYS may have been lowered. */
function prepareSuccessor(context: Context, { record, hash }: Presented): Successor | undefined {
  const now = context.clock.now();
  const next = { ...record, generation: record.generation + 1 };
  const renewal = prepareRenewalToken(context, context.keys.ring(), next, now);
  return renewal.expiresAt > now ? { record, hash, renewal } : undefined;
}

async function rewrite(
  context: Context,
  request: Proven,
  clientHash: string,
  successor: Successor | undefined,
): Promise<Renewed | NotRenewed> {
  const profileId = findProfileId(request);
  const isBound = isHardened(context.config);
  const isAsked = isBound || request.dialect === 'oauth';
  const profile = profileId === undefined ? 'any' : isAsked ? 'asked' : 'askedOfHardened';
  const { audiences, scopes } = request.narrowing ?? {};
  const isNarrowed = audiences !== undefined || scopes !== undefined;
  const statement = renewalFor({ isBound, isRehearsal: isRehearsal(context.config), profile, isNarrowed });
  const values = [
    searchableClientId(request),
    // without a successor no row has the hash: the statement then only reads the client
    successor ? clientHash : null,
    successor?.record.tokenGuid ?? null,
    successor?.hash ?? null,
    successor?.renewal.hash ?? null,
    successor ? successor.record.generation + 1 : null,
    successor?.renewal.createdAt ?? null,
    successor?.renewal.expiresAt ?? null,
    request.idempotencyKey === undefined ? null : renewalKeyOf(request),
    request.jkt ?? null,
    ...audienceValues(context.config),
    ...(profileId === undefined ? [] : [profileId]),
    ...(isNarrowed ? [joinTexts(audiences), joinTexts(scopes)] : []),
  ];
  if (successor) return context.sql.batchedRow<Renewed | NotRenewed>(statement, values);
  const [row] = await context.sql.rows<NotRenewed>(statement.one, values);
  return row!;
}

/** A profile that can't be stored is no record's. */
const findProfileId = ({ profileId }: RenewalRequest): string | undefined =>
  profileId === undefined || isStorable(profileId) ? profileId : '';
