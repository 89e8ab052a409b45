/** A renewal that rewrote nothing: the same answer again if the last one was lost, otherwise the reason of the refusal. */
import { createHash } from 'node:crypto';
import { findRenewalToken } from '../../auth/tokenFormat.js';
import type { Context, RehearsedVerdict } from '../../context.js';
import { isStorable } from '../../entities/storableText.js';
import { noteRecovery } from '../../observability/currentRequest.js';
import type { SharedStatement } from '../../sql.js';
import { activeKidColumn } from '../keys/keyStore.js';
import { type Dialect, findNarrowingRefusal, holdingJoins, type Narrowing, renewalClaims } from './claims.js';
import { isHardened, isOneHardened, judgeRenewal, rehearseRefusal } from './policy.js';
import { proofMissing } from './proofOfPossession.js';
import { isLive, type TokenRecord } from './renewalToken.js';
import type { TokenRefusal } from './tokenRefusal.js';

/**
 * A renewal whose answer never came. The record keeps by what its present token was asked for: who brings the token before
 * that with the same Idempotency-Key is the client that renewed it, and is given the same answer again; nothing is written.
 */

/** What a renewal asks for, as far as its repetition is known by it. */
interface RepeatedRenewal {
  clientId: string;
  dialect: Dialect;
  refreshToken: string | undefined;
  /** The profile that the record must have; undefined: any. */
  profileId: string | undefined;
  /** Idempotency-Key of the request; absent without one. */
  idempotencyKey?: string | undefined;
  /** The key that was proven. */
  jkt: string | undefined;
  /** Whether the client's tokens are bound to a key now. */
  isProofRequired: boolean | null;
  isHardened: boolean;
}

/** What is issued again, but for the access token, which is a new one. */
interface Recovered {
  active_kid: string;
  user_guid: string;
  profile_id: string;
  role_id: string;
  scopes: string[];
  /** Whose the record is; who asks, where it is nobody's. */
  record_client_id: string;
  audience: string | null;
  scope: string | null;
  /** The renewal token that the lost answer had. */
  refreshToken: string;
}

/**
 * By what the record knows the renewal again. The client is in it, for the documented policy keeps none in the record; and the
 * token that was presented, so that a key means nothing for another one. Null without a key.
 */
export function renewalKeyOf({
  clientId,
  refreshToken,
  idempotencyKey,
}: Pick<RepeatedRenewal, 'clientId' | 'refreshToken' | 'idempotencyKey'>): Buffer | null {
  if (idempotencyKey === undefined) return null;
  return createHash('sha256')
    .update(JSON.stringify([clientId, idempotencyKey, refreshToken]))
    .digest();
}

interface Found extends Omit<Recovered, 'refreshToken'> {
  jkt: string | null;
  created_at: string;
  expires_at: string;
  token: Buffer;
}

/**
 * Who may have it is asked as in a renewal, of what the database says now: hardened ($6), for the client ($4) whose record it is;
 * and of a session that is not over since ($7). `condition` names `t`, its value is $5.
 */
const recovery = (condition: string): string => `
  select t.user_id as user_guid, t.profile_id, t.audience, t.scope, t.jkt, t.created_at, t.expires_at, t.token, link.role_id,
    coalesce(t.client_id, $4) as record_client_id, held.scopes, ${activeKidColumn}
  from tokens t join users u on u.user_guid = t.user_id and not u.is_blocked ${holdingJoins('t.profile_id')}
  where t.token_guid = $1 and t.generation = $2 and ($3::text is null or t.profile_id = $3)
    and ${isLive('t')} and ${condition}
    and (t.client_id is null or t.client_id = $4 or not ($6::boolean or ${isOneHardened('t.client_id')}))
    and ($7::int = 0 or t.started_at > now() - make_interval(days => $7::int))`;
const statements = {
  byKey: recovery('t.renewal_key = $5::bytea'),
  // RENEWAL_RECOVERY_SECONDS: a renewal that had a key is known by it alone
  byTime: recovery(
    't.renewal_key is null and t.client_id = $4 and t.created_at > now() - make_interval(secs => $5::int)',
  ),
};

/**
 * What an authenticated client is given again that renewed this token, of the generation before the present one, and may have
 * lost the answer; undefined for every other use of a used token.
 */
export async function recoverRenewal(
  context: Context,
  request: RepeatedRenewal,
  presented: TokenRecord,
): Promise<Recovered | undefined> {
  const recovered = await findLost(context, request, presented);
  if (!recovered) return undefined;
  noteRecovery();
  const { log, traceId, recoveries } = context;
  recoveries.note({ clientId: request.clientId, tokenGuid: presented.tokenGuid, traceId });
  log.info(
    { traceId, clientId: request.clientId, tokenRecord: presented.tokenGuid },
    'a lost renewal is answered again',
  );
  return recovered;
}

/** Whether the hardened policy would answer a renewal without key again, by the seconds since the first. */
const isRepeatedInTime = async (context: Context, request: RepeatedRenewal, presented: TokenRecord): Promise<boolean> =>
  request.idempotencyKey === undefined &&
  (await findLost(context, { ...request, isHardened: true }, presented)) !== undefined;

async function findLost(
  context: Context,
  request: RepeatedRenewal,
  presented: TokenRecord,
): Promise<Recovered | undefined> {
  const found = await findRepeated(context, request, presented);
  if (!found || (found.jkt !== null && found.jkt !== request.jkt)) return undefined;
  if (request.isProofRequired && request.jkt === undefined) return undefined;
  const claims = renewalClaims(context, {
    userGuid: found.user_guid,
    tokenGuid: presented.tokenGuid,
    generation: presented.generation + 1,
    createdAt: new Date(found.created_at),
    expiresAt: new Date(found.expires_at),
  });
  const { keys } = context;
  // another process may have made the key that signed it
  const refreshToken =
    findRenewalToken(keys.ring(), claims, found.token) ??
    findRenewalToken(await keys.reloadForUnknown(), claims, found.token);
  return refreshToken === undefined ? undefined : { ...found, refreshToken };
}

async function findRepeated(
  { sql, config }: Context,
  request: RepeatedRenewal,
  { tokenGuid, generation }: TokenRecord,
): Promise<Found | undefined> {
  const { clientId, profileId = null, dialect, isHardened } = request;
  if (profileId !== null && !isStorable(profileId)) return undefined;
  const found = async (statement: string, condition: unknown) => {
    const values = [tokenGuid, generation + 1, profileId, clientId, condition, isHardened, config.sessionMaxDays];
    return (await sql.rows<Found>(statement, values))[0];
  };
  const key = renewalKeyOf(request);
  if (key) return found(statements.byKey, key);
  const seconds = isHardened && dialect === 'oauth' ? config.renewalRecoverySeconds : 0;
  if (seconds === 0) return undefined;
  return found(statements.byTime, seconds);
}

/** A renewal that was refused: why, for the log alone; and hardened, the end of a session whose token was used before. */

type RefusedRenewal = Pick<TokenRefusal, 'reason' | 'detail'>;

/** A record, and what it stands on, as they are now. */
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
}

const columns = `t.generation, t.is_revoked, t.revoked_at, t.revoked_by, t.revoked_by_ip, t.expires_at,
    t.expires_at <= now() as is_expired, t.profile_id, t.client_id, owner.policy as owner_policy, t.audience, t.scope, t.jkt, t.renewal_key, u.is_blocked,
    exists (select from user_profiles link where link.user_id = u.user_id and link.profile_id = t.profile_id) as is_held`;
const stateOf = (asked: string): string => `
  select asked.ord, ${columns} from ${asked}
  left join tokens t on t.token_guid = asked.token_guid left join users u on u.user_guid = t.user_id
  left join clients owner on owner.client_id = t.client_id`;
const one = '(values (1, $1::uuid)) asked(ord, token_guid)';
/** Many who are refused at once share it. */
const state: SharedStatement = {
  one: stateOf(one),
  many: stateOf('unnest($1::uuid[]) with ordinality asked(token_guid, ord)'),
};
// the record is described as it was before
const endReused: SharedStatement = {
  one: `with ended as (
    update tokens set is_revoked = true, revoked_at = now(), revoked_by = 'reuse', revoked_by_ip = $3
    where token_guid = $1 and generation > $2 and not is_revoked
      and ($4::text is null or client_id is null or client_id = $4)
      and not ($5::bytea is not null and renewal_key is not distinct from $5) returning 1
  )
  select *, exists (select from ended) as is_ended from (${stateOf(one)}) state`,
};

/**
 * RFC 9700 §4.14: a genuine token of an older generation was used before; whoever has its successor loses it.
 * @param boundTo only where the record is this client's; null: whosever it is
 * @param renewalKey by which a client that repeats its renewal of this token is known: that one took nothing from anybody
 */
export async function revokeReused(
  { sql, address, log, traceId }: Context,
  { tokenGuid, generation }: TokenRecord,
  boundTo: string | null = null,
  renewalKey: Buffer | null = null,
): Promise<RenewalState> {
  const values = [tokenGuid, generation, address, boundTo, renewalKey];
  const found = await sql.batchedRow<RenewalState & { is_ended: boolean }>(endReused, values);
  if (found.is_ended)
    log.warn({ traceId, tokenRecord: tokenGuid }, 'a used renewal token came again: its record is revoked');
  return found;
}

/** What the renewal asked for. */
interface Asked {
  clientId: string;
  refreshToken: string | undefined;
  /** Undefined: any. */
  profileId: string | undefined;
  /** As the request names it, counted or not. */
  namedProfileId: string | undefined;
  /** By the policy of the service or of the client that asks. */
  isHardened: boolean;
  renewalKey: Buffer | null;
  idempotencyKey?: string | undefined;
  dialect: Dialect;
  /** Of the client; null: all. */
  allowedAudiences: string | null;
  /** Whether the client needs a proof. */
  isProofRequired: boolean | null;
  /** The key that was proven. */
  jkt: string | undefined;
  narrowing?: Narrowing | undefined;
}

/** Why a renewal of the record was refused, in words without a value that the caller sent. Hardened, reuse ends the record. */
export async function explainRefusal(context: Context, presented: TokenRecord, asked: Asked): Promise<RefusedRenewal> {
  const found = await findState(context, presented, asked);
  const isStrict = asked.isHardened || isHardened(context.config, found.owner_policy);
  const isOthers = isStrict && found.client_id !== null && found.client_id !== asked.clientId;
  const cause = causeOf(found, presented, asked, isOthers);
  const refused = cause === undefined ? judgeRest(context, found, asked) : refusedFor(cause);
  if (!isStrict && context.rehearsal)
    rehearseRefusal(context, asked.clientId, await rehearse(context, presented, asked, found, refused));
  return refused;
}

const refusedFor = (detail: string): RefusedRenewal => ({ reason: 'invalidRenewalToken', detail });

const judgeRest = (context: Context, found: RenewalState, asked: Asked): RefusedRenewal =>
  judgeBinding(found, asked) ?? judgeNarrowing(context, found, asked) ?? refusedFor(elsewhere);

/** What the hardened policy would say of it; undefined: the same. */
async function rehearse(
  context: Context,
  presented: TokenRecord,
  asked: Asked,
  found: RenewalState,
  { reason }: RefusedRenewal,
): Promise<RehearsedVerdict | undefined> {
  const { generation, renewal_key: key, is_revoked: isRevoked } = found;
  if (generation !== null && generation > presented.generation) {
    const isRepeated = asked.renewalKey && key?.equals(asked.renewalKey);
    if (isRevoked || isRepeated) return undefined;
    return (await isRepeatedInTime(context, { ...asked, profileId: asked.namedProfileId }, presented))
      ? undefined
      : 'reuse';
  }
  // the documented policy found another fault, in words of its own
  if (reason === 'invalidRenewalToken') return undefined;
  const verdict = judgeRenewal(
    { clientId: asked.clientId, profileId: asked.namedProfileId },
    { record_client_id: found.client_id ?? undefined, profile_id: found.profile_id },
  );
  return verdict === 'passed' ? undefined : verdict;
}

/** As it was before; where the client or the record's is hardened, reuse has ended it. */
async function findState(context: Context, presented: TokenRecord, asked: Asked): Promise<RenewalState> {
  const endReuse = () => revokeReused(context, presented, null, asked.renewalKey);
  if (asked.isHardened) return endReuse();
  const found = await context.sql.batchedRow<RenewalState>(state, [presented.tokenGuid]);
  return isHardened(context.config, found.owner_policy) ? endReuse() : found;
}

const elsewhere = 'its session is over, or it changed at this moment';

function judgeBinding({ jkt }: RenewalState, asked: Asked): RefusedRenewal | undefined {
  if (asked.jkt === undefined) return jkt !== null || asked.isProofRequired ? proofMissing() : undefined;
  return jkt !== null && jkt !== asked.jkt
    ? { reason: 'invalidRenewalToken', detail: 'bound to another key than the proof’s' }
    : undefined;
}

/** The token is good, but not for what is asked for; nothing was used up. */
function judgeNarrowing({ config }: Context, found: RenewalState, asked: Asked): RefusedRenewal | undefined {
  const { allowedAudiences, narrowing = {}, dialect } = asked;
  const refusal = findNarrowingRefusal(config, found, allowedAudiences, narrowing);
  // the documented contract knows neither
  if (refusal && dialect === 'documented') return { reason: 'invalidRenewalToken', detail: refusal.detail };
  return refusal;
}

function causeOf(found: RenewalState, presented: TokenRecord, asked: Asked, isOthers: boolean): string | undefined {
  if (found.generation === null) return 'unknown: its record is gone';
  if (found.generation > presented.generation) {
    const end = found.is_revoked ? `, ${revocationOf(found)}` : '';
    return `used: generation ${presented.generation} of ${found.generation}${end}`;
  }
  if (found.is_revoked) return revocationOf(found);
  if (found.is_expired) return `expired at ${timeOf(found.expires_at)}`;
  if (found.is_blocked === null) return 'user gone';
  if (found.is_blocked) return 'user blocked';
  if (!found.is_held) return 'link gone: the user no longer holds the profile';
  if (isOthers) return 'of another client';
  if (asked.profileId !== undefined && asked.profileId !== found.profile_id) return 'of another profile than asked for';
  return undefined;
}

function revocationOf({ revoked_at, revoked_by, revoked_by_ip }: RenewalState): string {
  const by = revoked_by ? ` by ${revoked_by}` : '';
  const from = revoked_by_ip ? ` from ${revoked_by_ip}` : '';
  return `revoked${by}${from}${revoked_at ? ` at ${timeOf(revoked_at)}` : ''}`;
}

const timeOf = (value: string): string => new Date(value).toISOString();
