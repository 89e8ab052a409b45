/** A renewal that was refused: why, for the log alone; and hardened, the end of a session whose token was used before. */
import type { Context, RehearsedVerdict } from '../../context.js';
import type { SharedStatement } from '../../sql.js';
import type { Dialect } from './claims.js';
import { isRepeatedInTime } from './lostRenewal.js';
import { findNarrowingRefusal, type Narrowing } from './narrowing.js';
import { isHardened } from './policy.js';
import { proofMissing } from './proofOfPossession.js';
import { judgeRenewal, rehearseRefusal } from './rehearsal.js';
import type { TokenRecord } from './renewalToken.js';
import type { TokenRefusal } from './tokenRefusal.js';

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
