/**
 * The rotation of the signing key as an administrator's change: permitted, and in the audit log. It does not go through
 * `change`: keys are no part of the catalogue, so its version stays and nobody's lists grow old; and the maintenance of
 * keys rotates them too, without a caller.
 */
import type { Context } from '../../context.js';
import { actorOf, permit, requireFreshSignIn } from '../permit.js';
import { announceChange, writeAudit } from '../records/auditLog.js';
import { rotateSigningKey } from './keyStore.js';

/** Has the next key sign at once; gives the id of the key that signs now. Throws REAUTHENTICATE. */
export async function rotateKey(context: Context): Promise<string> {
  permit(context, 'admin:security');
  requireFreshSignIn(context);
  const { sql, encryptionKeys, config, traceId, keys, face } = context;
  const kid = await sql.transaction(async (transaction) => {
    const active = await rotateSigningKey({ sql: transaction, encryptionKeys, signingAlg: config.signingAlg });
    const author = { actor: actorOf(context), traceId, face };
    await announceChange(transaction.rows, author);
    await writeAudit(transaction.rows, author, [{ action: 'rotate', subjectType: 'SigningKey', subjectId: active }]);
    return active;
  });
  await keys.reload();
  return kid;
}
