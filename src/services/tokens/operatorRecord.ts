/**
 * The record of an access token that the operator makes (`npx gatehouse admin-token`): by it the token is listed, and
 * refused from the moment at which the record is revoked.
 */
import { randomBytes, randomUUID } from 'node:crypto';
import type { Context } from '../../context.js';
import { actorOf } from '../permit.js';
import { announceChange, writeAudit } from '../records/auditLog.js';

/** `tokenType` of these records. */
export const operatorTokenType = 'admin';

interface OperatorRecord {
  userGuid: string;
  profileId: string;
  scopes: readonly string[];
  createdAt: Date;
  expiresAt: Date;
}

// no text has the random bytes for its hash, so nothing is renewed or revoked by presenting a token
const insertRecord = `
  insert into tokens (token_guid, user_id, profile_id, token, token_type, created_at, started_at, expires_at)
  values ($1, $2, $3, $4, '${operatorTokenType}', $5, least($5::timestamptz, now()), $6) returning id`;

/** Makes the record and its audit event; gives the `sid` of the token. */
export async function recordOperatorToken(context: Context, record: OperatorRecord): Promise<string> {
  const { userGuid, profileId, scopes, createdAt, expiresAt } = record;
  const { sql, traceId, face } = context;
  const sid = randomUUID();
  const author = { actor: actorOf(context), traceId, face };
  await sql.transaction(async ({ rows }) => {
    await announceChange(rows, author);
    const values = [sid, userGuid, profileId, randomBytes(32), createdAt, expiresAt];
    const [made] = await rows<{ id: string }>(insertRecord, values);
    const detail = { user: userGuid, scopes, expiresAt };
    await writeAudit(rows, author, [{ action: 'issue', subjectType: 'Token', subjectId: made!.id, detail }]);
  });
  return sid;
}
