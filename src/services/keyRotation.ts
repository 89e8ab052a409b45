/** The rotation of the signing key as an administrator's change: permitted, and in the audit log. */
import type { Context } from '../context.js';
import { actorOf, permit } from './change.js';
import { rotateSigningKey } from './signingKeys.js';

/** Has the next key sign at once; gives the id of the key that signs now. */
export async function rotateKey(context: Context): Promise<string> {
  permit(context, 'admin:security');
  const { sql, encryptionKeys, config, traceId, keys } = context;
  const kid = await sql.transaction(async (transaction) => {
    const active = await rotateSigningKey({ sql: transaction, encryptionKeys, signingAlg: config.signingAlg });
    await transaction.rows(
      `insert into audit_events (actor, action, subject_type, subject_id, trace_id) values ($1, 'rotate', 'SigningKey', $2, $3)`,
      [actorOf(context), active, traceId],
    );
    return active;
  });
  await keys.reload();
  return kid;
}
