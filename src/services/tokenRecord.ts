/** The record that a renewal token names: `jti` is `<record's uuid>.<generation>`. */
import { lacksRenewalKey, openRenewalToken } from '../auth/tokenFormat.js';
import type { Context } from '../context.js';

export interface TokenRecord {
  userGuid: string;
  tokenGuid: string;
  /** How many times the record was renewed before this token. */
  generation: number;
  /** When the session began: the exchange. Unknown where only the token was read. */
  startedAt?: Date;
}

/** The record that a token of ours names; no record is read. */
export async function findNamedRecord({ keys }: Context, token: string): Promise<TokenRecord | undefined> {
  let claims = openRenewalToken(keys.ring(), token);
  // another process may have made the key
  if (!claims && lacksRenewalKey(keys.ring(), token)) claims = openRenewalToken(await keys.reloadForUnknown(), token);
  const [tokenGuid, generation] = claims?.jti.split('.') ?? [];
  if (!claims || !tokenGuid || !generation) return undefined;
  return { userGuid: claims.sub, tokenGuid, generation: Number(generation) };
}

/** The record that has the token now. */
export async function readRecord({ sql }: Context, hash: Buffer): Promise<TokenRecord | undefined> {
  const [row] = await sql.rows<Omit<TokenRecord, 'startedAt'> & { startedAt: string }>(
    `select user_id as "userGuid", token_guid as "tokenGuid", generation, started_at as "startedAt"
     from tokens where token = $1`,
    [hash],
  );
  return row && { ...row, startedAt: new Date(row.startedAt) };
}

/**
 * RFC 9700 §4.14: a genuine token of an older generation was used before; whoever has its successor loses it.
 * @param boundTo only where the record is this client's; null: whosever it is
 */
export async function revokeReused(
  { sql, address, log, traceId }: Context,
  record: TokenRecord,
  boundTo: string | null = null,
): Promise<void> {
  const revoked = await sql.rows(
    `update tokens set is_revoked = true, revoked_at = now(), revoked_by_ip = $3
     where token_guid = $1 and generation > $2 and not is_revoked
       and ($4::text is null or client_id is null or client_id = $4) returning id`,
    [record.tokenGuid, record.generation, address, boundTo],
  );
  if (revoked.length > 0)
    log.warn({ traceId, tokenRecord: record.tokenGuid }, 'a used renewal token came again: its record is revoked');
}
