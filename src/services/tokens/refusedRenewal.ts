/** Handles renewals that changed nothing: repeats a lost answer, or finds the reason of the refusal. */
import { createHash } from 'node:crypto';
import { findRenewalToken } from '../../auth/tokenFormat.js';
import type { Context, RehearsedVerdict } from '../../context.js';
import { isStorable } from '../../entities/valueForms.js';
import { note } from '../../observability/currentRequest.js';
import { alone, shared } from '../../sql.js';
import { lasts } from '../access/grants.js';
import { holdingJoins } from '../access/held.js';
import { activeKidColumn } from '../keys/activeKey.js';
import { type Dialect, type Narrowing, narrow, type RenewableSession, renewalClaims } from './claims.js';
import type { Credentials } from './client.js';
import { isHardened, isOneHardened, judgeRenewal } from './policy.js';
import { type PresentedProof, proofMissing } from './proofOfPossession.js';
import { isLive, isWithinSession, type TokenRecord, tracedBy } from './renewalToken.js';
import { type RefusalReason, TokenRefusal } from './tokenRefusal.js';

export interface RenewalRequest extends Credentials {
  /** A missing token is refused like an unknown one. */
  refreshToken: string | undefined;
  /** The profile that the record must have; undefined: any. The documented dialect checks it only under the hardened policy. */
  profileId: string | undefined;
  dialect: Dialect;
  /** Requests fewer audiences and scopes than the record has; absent: all. */
  narrowing?: Narrowing | undefined;
  /** Proves the key that the record is bound to. A record without a key is bound to it. */
  proof?: PresentedProof | undefined;
  /** The client's Idempotency-Key, with which it may repeat a renewal when the answer was lost. */
  idempotencyKey?: string | undefined;
}

/** A renewal request after its proof was verified. */
export interface ProvenRenewal extends RenewalRequest {
  /** The key that was proven. */
  jkt: string | undefined;
}

/** A refused request with the client's current rules. `profileId` is undefined where the policy ignores it. */
export interface JudgedRenewal extends ProvenRenewal {
  /** The profile that the request names, even where the policy ignores it. */
  namedProfileId: string | undefined;
  /** Whether the hardened policy applies, by the service's or the requesting client's setting. */
  isHardened: boolean;
  /** Whether the client's tokens must be bound to a key. */
  isProofRequired: boolean | null;
  /** The client's; null: all. */
  allowedAudiences: string | null;
}

/**
 * Identifies a repeated renewal: a hash of client, key and presented token. The client is part of it because the documented
 * policy stores none in the record; the token, so that a key is worth nothing for another token. Null without a key.
 */
export function renewalKeyOf({ clientId, refreshToken, idempotencyKey }: RenewalRequest): Buffer | null {
  if (idempotencyKey === undefined) return null;
  return createHash('sha256')
    .update(JSON.stringify([clientId, idempotencyKey, refreshToken]))
    .digest();
}

interface RepeatedRow extends RenewableSession {
  /** The client of the record; the requesting client if the record has none. */
  record_client_id: string;
  jkt: string | null;
  created_at: string;
  expires_at: string;
  token: Buffer;
}

/** The repeated answer: only the access token is new. */
interface Recovered extends RepeatedRow {
  /** The renewal token of the lost answer. */
  refreshToken: string;
}

/**
 * Checks the same conditions as a renewal, against the current database state: under the hardened policy ($6) the record must be
 * the client's ($4), and the session must not have reached its limit ($7). `condition` names `t`; its value is $5.
 */
const recovery = (condition: string): string => `
  select t.user_id as user_guid, t.profile_id, t.audience, t.scope, t.jkt, t.created_at, t.expires_at, t.token, link.role_id, link.role_ends,
    coalesce(t.client_id, $4) as record_client_id, held.scopes, held.scope_ends, ${activeKidColumn}
  from tokens t join users u on u.user_guid = t.user_id and not u.is_blocked ${holdingJoins('t.profile_id')}
  where t.token_guid = $1 and t.generation = $2 and ($3::text is null or t.profile_id = $3)
    and ${isLive('t')} and ${condition}
    and (t.client_id is null or t.client_id = $4 or not ($6::boolean or ${isOneHardened('t.client_id')}))
    and ${isWithinSession('$7::int')}`;
const statements = {
  byKey: recovery('t.renewal_key = $5::bytea'),
  // RENEWAL_RECOVERY_SECONDS: a renewal with a key is recovered only with that key
  byTime: recovery(
    't.renewal_key is null and t.client_id = $4 and t.created_at > now() - make_interval(secs => $5::int)',
  ),
};

/**
 * Returns the answer to repeat, for an authenticated client that renewed this token, one generation before the current one, and may have
 * lost the answer; undefined for every other use of a used token. The record stores which request made its current token: the same
 * Idempotency-Key identifies its repetition. Nothing is written. Throws TokenRefusal where no such token may be issued now.
 */
export async function recoverRenewal(
  context: Context,
  request: JudgedRenewal,
  presented: TokenRecord,
): Promise<Recovered | undefined> {
  const recovered = await findLost(context, request, presented);
  if (!recovered) return undefined;
  const refusal = findNarrowingRefusal(context.config, recovered, request, recovered.scopes);
  if (refusal) throw new TokenRefusal(refusal.reason, refusal.detail, presented.tokenGuid);
  note('recovered', true);
  const { log, traceId, recoveries } = context;
  recoveries.note({ clientId: request.clientId, tokenGuid: presented.tokenGuid, traceId });
  log.info(
    { traceId, clientId: request.clientId, tokenRecord: presented.tokenGuid },
    'the lost answer of a renewal was repeated',
  );
  return recovered;
}

/** Whether the hardened policy would recover a renewal without a key, within RENEWAL_RECOVERY_SECONDS. */
const isRepeatedInTime = async (context: Context, request: JudgedRenewal, presented: TokenRecord): Promise<boolean> =>
  request.idempotencyKey === undefined &&
  (await findLost(context, { ...request, isHardened: true }, presented)) !== undefined;

async function findLost(
  context: Context,
  request: JudgedRenewal,
  presented: TokenRecord,
): Promise<Recovered | undefined> {
  const row = await findRepeated(context, request, presented);
  if (!row || (row.jkt !== null && row.jkt !== request.jkt)) return undefined;
  if (request.isProofRequired && request.jkt === undefined) return undefined;
  const claims = renewalClaims(context, {
    userGuid: row.user_guid,
    tokenGuid: presented.tokenGuid,
    generation: presented.generation + 1,
    createdAt: new Date(row.created_at),
    expiresAt: new Date(row.expires_at),
  });
  const { keys } = context;
  // another process may have made the key that signed it
  const refreshToken =
    findRenewalToken(keys.ring(), claims, row.token) ??
    findRenewalToken(await keys.reloadForUnknown(), claims, row.token);
  return refreshToken === undefined ? undefined : { ...row, refreshToken };
}

async function findRepeated(
  { sql, config }: Context,
  request: JudgedRenewal,
  { tokenGuid, generation }: TokenRecord,
): Promise<RepeatedRow | undefined> {
  const { clientId, profileId = null, dialect, isHardened } = request;
  if (profileId !== null && !isStorable(profileId)) return undefined;
  const readFirst = async (statement: string, condition: unknown) => {
    const values = [tokenGuid, generation + 1, profileId, clientId, condition, isHardened, config.sessionMaxDays];
    return (await sql.rows<RepeatedRow>(statement, values))[0];
  };
  const key = renewalKeyOf(request);
  if (key) return readFirst(statements.byKey, key);
  const seconds = isHardened && dialect === 'oauth' ? config.renewalRecoverySeconds : 0;
  if (seconds === 0) return undefined;
  return readFirst(statements.byTime, seconds);
}

/** The current state of a record, its user and its client. */
interface RenewalState {
  /** Null: there is no such record. */
  generation: number | null;
  is_revoked: boolean;
  revoked_at: string | null;
  revoked_by: string | null;
  revoked_by_ip: string | null;
  expires_at: string;
  is_expired: boolean;
  profile_id: string;
  client_id: string | null;
  /** Client.policy of its client. */
  owner_policy: string | null;
  audience: string | null;
  scope: string | null;
  jkt: string | null;
  renewal_key: Buffer | null;
  is_blocked: boolean | null;
  is_held: boolean;
  /** When the last of the links between user and profile ended; null: none has. */
  ended_at: string | null;
}

const linkOfUser = 'from user_profiles link where link.user_id = u.user_id and link.profile_id = t.profile_id';
const columns = `t.generation, t.is_revoked, t.revoked_at, t.revoked_by, t.revoked_by_ip, t.expires_at,
    t.expires_at <= now() as is_expired, t.profile_id, t.client_id, owner.policy as owner_policy, t.audience, t.scope, t.jkt, t.renewal_key, u.is_blocked,
    exists (select ${linkOfUser} and ${lasts('link')}) as is_held,
    (select max(link.valid_until) ${linkOfUser} and not ${lasts('link')}) as ended_at`;
const stateOf = (rows: string): string => `
  select asked.ord, ${columns} from ${rows}
  left join tokens t on t.token_guid = asked.token_guid left join users u on u.user_guid = t.user_id
  left join clients owner on owner.client_id = t.client_id`;
/** Renewals that are refused at the same moment share the statement. */
const state = shared({ token_guid: 'uuid' }, ({ rows }) => stateOf(rows));
// returns the record as it was before the update
const endReused = alone(
  { token_guid: 'uuid', generation: 'int', address: 'text', bound_to: 'text', renewal_key: 'bytea', trace_id: 'text' },
  ({ rows }) => `with asked as materialized (select *, ${tracedBy('trace_id')} from ${rows}), ended as (
    update tokens t set is_revoked = true, revoked_at = now(), revoked_by = 'reuse', revoked_by_ip = asked.address from asked
    where t.token_guid = asked.token_guid and t.generation > asked.generation and not t.is_revoked
      and (asked.bound_to is null or t.client_id is null or t.client_id = asked.bound_to)
      and not (asked.renewal_key is not null and t.renewal_key is not distinct from asked.renewal_key) returning 1
  )
  select *, exists (select from ended) as is_ended from (${stateOf('asked')}) state`,
);

/**
 * Revokes the record and its current token, because a genuine token of an older generation was used again (RFC 9700 §4.14).
 * @param boundTo revokes only a record of this client, or of none; null: of any
 * @param renewalKey identifies a client that repeats its own renewal, which revokes nothing
 */
export async function revokeReused(
  { sql, address, log, traceId }: Context,
  { tokenGuid, generation }: TokenRecord,
  boundTo: string | null = null,
  renewalKey: Buffer | null = null,
): Promise<RenewalState> {
  const values = {
    token_guid: tokenGuid,
    generation,
    address,
    bound_to: boundTo,
    renewal_key: renewalKey,
    trace_id: traceId,
  };
  const current = await sql.batchedRow<RenewalState & { is_ended: boolean }>(endReused, values);
  if (current.is_ended)
    log.warn({ traceId, tokenRecord: tokenGuid }, 'a used renewal token was presented again: its session is revoked');
  return current;
}

/** The reason of a refusal, without values that the caller sent. Under the hardened policy reuse also revokes the record. */
export async function judgeRefusedRenewal(
  context: Context,
  presented: TokenRecord,
  request: JudgedRenewal,
): Promise<TokenRefusal> {
  const current = await findState(context, presented, request);
  const isStrict = request.isHardened || isHardened(context.config, current.owner_policy);
  const isOthers = isStrict && current.client_id !== null && current.client_id !== request.clientId;
  const { reason, detail } = judge(context, current, presented, request, isOthers);
  if (!isStrict && context.rehearsal) {
    const verdict = await rehearse(context, presented, request, current, reason);
    context.rehearsal.note(request.clientId, '/token', verdict ?? 'passed');
  }
  return new TokenRefusal(reason, detail, presented.tokenGuid);
}

type Refused = Pick<TokenRefusal, 'reason' | 'detail'>;
const refusedFor = (detail: string): Refused => ({ reason: 'invalidRenewalToken', detail });

function judge(
  { config }: Context,
  current: RenewalState,
  presented: TokenRecord,
  request: JudgedRenewal,
  isOthers: boolean,
): Refused {
  const cause = causeOf(current, presented, request, isOthers);
  if (cause !== undefined) return refusedFor(cause);
  const { jkt, isProofRequired } = request;
  if (jkt === undefined && (current.jkt !== null || isProofRequired)) return proofMissing();
  if (current.jkt !== null && current.jkt !== jkt) return refusedFor('bound to another key than the proof’s');
  // a token that is valid, but not for the requested audiences and scopes, was not used up
  const refusal = findNarrowingRefusal(config, current, request);
  return refusal ?? refusedFor('its session has ended, or changed at this moment');
}

/** The refusal of what a renewal asks for; undefined: none. @param scopes those of the profile; absent: as if it had none */
function findNarrowingRefusal(
  config: Context['config'],
  record: Pick<RenewalState, 'audience' | 'scope'>,
  { allowedAudiences, narrowing, dialect }: JudgedRenewal,
  scopes: readonly string[] = [],
): Refused | undefined {
  try {
    narrow(config, record, allowedAudiences, scopes, narrowing);
    return undefined;
  } catch (error) {
    if (!(error instanceof TokenRefusal)) throw error;
    // the documented contract has neither reason
    return dialect === 'documented' ? refusedFor(error.detail) : error;
  }
}

/** The verdict of the hardened policy; undefined: the same. */
async function rehearse(
  context: Context,
  presented: TokenRecord,
  request: JudgedRenewal,
  current: RenewalState,
  reason: RefusalReason,
): Promise<RehearsedVerdict | undefined> {
  const { generation, renewal_key: key, is_revoked: isRevoked } = current;
  const { clientId, namedProfileId: profileId } = request;
  if (generation !== null && generation > presented.generation) {
    const renewalKey = renewalKeyOf(request);
    if (isRevoked || (renewalKey && key?.equals(renewalKey))) return undefined;
    return (await isRepeatedInTime(context, { ...request, profileId }, presented)) ? undefined : 'reuse';
  }
  // the documented policy found a fault that the hardened one finds too
  if (reason === 'invalidRenewalToken') return undefined;
  const { client_id, profile_id } = current;
  return judgeRenewal({ clientId, profileId }, { record_client_id: client_id ?? undefined, profile_id });
}

/** The state before this request. Revokes a reused record if the requesting client or the record's client is hardened. */
async function findState(context: Context, presented: TokenRecord, request: JudgedRenewal): Promise<RenewalState> {
  const endReuse = () => revokeReused(context, presented, null, renewalKeyOf(request));
  if (request.isHardened) return endReuse();
  const current = await context.sql.batchedRow<RenewalState>(state, { token_guid: presented.tokenGuid });
  return isHardened(context.config, current.owner_policy) ? endReuse() : current;
}

function causeOf(
  current: RenewalState,
  presented: TokenRecord,
  request: JudgedRenewal,
  isOthers: boolean,
): string | undefined {
  if (current.generation === null) return 'unknown: its record is gone';
  if (current.generation > presented.generation) {
    const end = current.is_revoked ? `, ${revocationOf(current)}` : '';
    return `used: generation ${presented.generation} of ${current.generation}${end}`;
  }
  if (current.is_revoked) return revocationOf(current);
  if (current.is_expired) return `expired at ${current.expires_at}`;
  if (current.is_blocked === null) return 'user gone';
  if (current.is_blocked) return 'user blocked';
  if (!current.is_held && current.ended_at !== null) return `link ended at ${current.ended_at}`;
  if (!current.is_held) return 'link gone: the user no longer holds the profile';
  if (isOthers) return 'of another client';
  if (request.profileId !== undefined && request.profileId !== current.profile_id)
    return 'of another profile than asked for';
  return undefined;
}

function revocationOf({ revoked_at, revoked_by, revoked_by_ip }: RenewalState): string {
  const by = revoked_by ? ` by ${revoked_by}` : '';
  const from = revoked_by_ip ? ` from ${revoked_by_ip}` : '';
  return `revoked${by}${from}${revoked_at ? ` at ${revoked_at}` : ''}`;
}
