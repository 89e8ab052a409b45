/** The record that a renewal token names: `jti` is `<record's uuid>.<generation>`. */
import { lacksRenewalKey, openRenewalToken } from '../../auth/tokenFormat.js';
import type { Context } from '../../context.js';

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
