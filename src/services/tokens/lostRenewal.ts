/**
 * A renewal whose answer never came. The record keeps by what its present token was asked for: who brings the token before
 * that with the same Idempotency-Key is the client that renewed it, and is given the same answer again; nothing is written.
 */
import { createHash } from 'node:crypto';
import { findRenewalToken } from '../../auth/tokenFormat.js';
import type { Context } from '../../context.js';
import { isStorable } from '../../entities/storableText.js';
import { noteRecovery } from '../../observability/currentRequest.js';
import { activeKidColumn } from '../keys/keyStore.js';
import { type Dialect, holdingJoins, renewalClaims } from './claims.js';
import { isOneHardened } from './policy.js';
import { isLive, type TokenRecord } from './renewalToken.js';

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
export const isRepeatedInTime = async (
  context: Context,
  request: RepeatedRenewal,
  presented: TokenRecord,
): Promise<boolean> =>
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
