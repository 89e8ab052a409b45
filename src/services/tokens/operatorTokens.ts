/** Access tokens that an operator issues by command (`bin/gatehouse admin-token`), without a renewal token. */
import { randomBytes, randomUUID } from 'node:crypto';
import type { Context } from '../../context.js';
import { conflict } from '../../errors.js';
import { permit } from '../permit.js';
import { announceChange, authorOf, writeAuditAlone } from '../records/change.js';
import { operatorTokenType } from './caller.js';
import { allAudiences, type Holding, issueAccessToken } from './claims.js';

interface AdminTokenRequest {
  /** Entries of the `scopes` claim. */
  scopes: string[];
  minutes: number;
  userGuid: string;
}

/** Names no profile and no role: their ids are never empty. */
const operator = { profileId: '', roleId: '' };

/** Issues an access token with these scopes, without a renewal token. Throws CONFLICT for a blocked user. */
export async function issueAdminToken(
  context: Context,
  { scopes, minutes, userGuid }: AdminTokenRequest,
): Promise<string> {
  permit(context, 'admin:security');
  const blocked = await context.sql.rows('select from users where user_guid = $1 and is_blocked', [userGuid]);
  if (blocked.length > 0) throw conflict('The user is blocked: no service would accept the token.');
  return issueOperatorToken(context, { ...operator, userGuid, scopes: [...new Set(scopes)] }, minutes * 60);
}

/** Issues a token for any holding, without checking the database; valid until it expires or its record is revoked. */
export async function issueOperatorToken(context: Context, holding: Holding, seconds: number): Promise<string> {
  const createdAt = context.clock.now();
  const expiresAt = new Date(createdAt.getTime() + seconds * 1_000);
  const sid = await recordOperatorToken(context, { ...holding, createdAt, expiresAt });
  const audiences = allAudiences(context.config);
  return issueAccessToken(context, context.keys.ring(), { ...holding, audiences }, new Date(), { sid }, seconds);
}

type OperatorRecord = Pick<Holding, 'userGuid' | 'profileId' | 'scopes'> & { createdAt: Date; expiresAt: Date };

// the hash is random bytes, the hash of no known text, so that presenting a token neither renews nor revokes it
const insertRecord = `
  insert into tokens (token_guid, user_id, profile_id, token, token_type, created_at, started_at, expires_at)
  values ($1, $2, $3, $4, '${operatorTokenType}', $5, least($5::timestamptz, now()), $6) returning id`;

/**
 * Inserts a record of an operator's access token (`bin/gatehouse admin-token`) and its audit event; returns the token's `sid`. The
 * record makes the token visible in lists, and revoking it ends the token at once.
 */
export async function recordOperatorToken(context: Context, record: OperatorRecord): Promise<string> {
  const { userGuid, profileId, scopes, createdAt, expiresAt } = record;
  const { sql } = context;
  const sid = randomUUID();
  await sql.transaction(async ({ rows }) => {
    await announceChange(rows, authorOf(context));
    const values = [sid, userGuid, profileId, randomBytes(32), createdAt, expiresAt];
    const [inserted] = await rows<{ id: string }>(insertRecord, values);
    const detail = { user: userGuid, scopes, expiresAt };
    await writeAuditAlone(rows, [{ action: 'issue', subjectType: 'Token', subjectId: inserted!.id, detail }]);
  });
  return sid;
}
