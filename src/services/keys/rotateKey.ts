/** Rotates and revokes signing keys for an administrator. */
import type { Context } from '../../context.js';
import { notFound } from '../../errors.js';
import { actorOf, permit, requireFreshSignIn } from '../permit.js';
import { announceChange, writeAudit } from '../records/change.js';
import { lockKeys, publishNextKey, replaceRenewalKey, rotateSigningKey } from './keyStore.js';

/**
 * Makes the next key the signing key. Returns its id. Throws REAUTHENTICATE. It does not use `change`, because keys are not
 * part of the catalogue and its version must not rise.
 */
export async function rotateKey(context: Context): Promise<string> {
  permit(context, 'admin:security');
  requireFreshSignIn(context);
  const { sql, encryptionKeys, config, traceId, keys, face } = context;
  const kid = await sql.transaction(async (transaction) => {
    const active = await rotateSigningKey({ sql: transaction, encryptionKeys, signingAlg: config.signingAlg });
    await announceChange(transaction.rows, { actor: actorOf(context), traceId, face });
    await writeAudit(transaction.rows, [{ action: 'rotate', subjectType: 'SigningKey', subjectId: active }]);
    return active;
  });
  await keys.reload();
  return kid;
}

/**
 * Removes a leaked key, so that every process refuses its tokens within a second. Another key takes its place. Returns the id
 * of the present signing key. Throws NOT_FOUND.
 */
export async function revokeKey(context: Context, kid: string): Promise<string> {
  permit(context, 'admin:security');
  const { sql, encryptionKeys, config, traceId, keys, face } = context;
  await sql.transaction(async (transaction) => {
    await lockKeys(transaction);
    const [key] = await transaction.rows<{ state: string; alg: string }>(
      'select state, alg from signing_keys where kid = $1',
      [kid],
    );
    if (!key) throw notFound(`The key ${kid}`);
    const store = { sql: transaction, encryptionKeys, signingAlg: config.signingAlg };
    // rotate first, so that there is always a signing key and a next key
    if (key.state === 'active') await (key.alg === 'HS256' ? replaceRenewalKey(store) : rotateSigningKey(store));
    await transaction.rows('delete from signing_keys where kid = $1', [kid]);
    if (key.state === 'next') await publishNextKey(store);
    await announceChange(transaction.rows, { actor: actorOf(context), traceId, face });
    await writeAudit(transaction.rows, [{ action: 'revoke', subjectType: 'SigningKey', subjectId: kid }]);
  });
  return (await keys.reload()).signing.kid;
}
