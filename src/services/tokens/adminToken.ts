/** Access tokens for the operator: for the first administrator, and for scripts. */
import { signAccessToken } from '../../auth/tokenFormat.js';
import type { Context } from '../../context.js';
import { conflict } from '../../errors.js';
import { permit } from '../permit.js';
import { claimsOf, type Holding } from './claims.js';
import { allAudiences } from './narrowing.js';
import { recordOperatorToken } from './operatorRecord.js';

interface AdminTokenRequest {
  /** Entries of the `scopes` claim. */
  scopes: string[];
  minutes: number;
  userGuid: string;
}

/** Stands for no profile and no role of the database. */
const operator = { profileId: 'operator', roleId: 'operator' };

/** An access token with these scopes, without a renewal token. Throws CONFLICT for a user who is blocked. */
export async function issueAdminToken(
  context: Context,
  { scopes, minutes, userGuid }: AdminTokenRequest,
): Promise<string> {
  permit(context, 'admin:security');
  const blocked = await context.sql.rows('select from users where user_guid = $1 and is_blocked', [userGuid]);
  if (blocked.length > 0) throw conflict('The user is blocked: nobody would take the token.');
  return issueOperatorToken(context, { ...operator, userGuid, scopes: [...new Set(scopes)] }, minutes * 60);
}

/** A token of any holding, whatever the database says of it; good until it ends or its record is revoked. */
export async function issueOperatorToken(context: Context, holding: Holding, seconds: number): Promise<string> {
  const createdAt = context.clock.now();
  const expiresAt = new Date(createdAt.getTime() + seconds * 1_000);
  const sid = await recordOperatorToken(context, { ...holding, createdAt, expiresAt });
  const audiences = allAudiences(context.config);
  const claims = claimsOf(context, { ...holding, audiences }, new Date(), { sid }, seconds);
  return signAccessToken(context.keys.ring(), claims, context.config.accessTokenTyp);
}
