/** Rotation and revocation of a signing key by an administrator. */
import type { Context } from '../../context.js';
import { notFound } from '../../errors.js';
import { actorOf, permit, requireFreshSignIn } from '../permit.js';
import { announceChange, writeAudit } from '../records/change.js';
import { lockKeys, publishNextKey, replaceRenewalKey, rotateSigningKey } from './keyStore.js';

/**
 * The rotation of the signing key as an administrator's change: permitted, and in the audit log. It does not go through
 * `change`: keys are no part of the catalogue, so its version stays and nobody's lists grow old; and the maintenance of
 * keys rotates them too, without a caller.
 */

/** Has the next key sign at once; gives the id of the key that signs now. Throws REAUTHENTICATE. */
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

/** The end of a key that strangers may know: at once, with every token that it signed; others take its place. */

/** Gives the id of the key that signs access tokens now. Throws NOT_FOUND. Every process refuses the key within a second. */
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
    // a key that signs gives place to the next one first, and there is a new next one
    if (key.state === 'active') await (key.alg === 'HS256' ? replaceRenewalKey(store) : rotateSigningKey(store));
    await transaction.rows('delete from signing_keys where kid = $1', [kid]);
    if (key.state === 'next') await publishNextKey(store);
    await announceChange(transaction.rows, { actor: actorOf(context), traceId, face });
    await writeAudit(transaction.rows, [{ action: 'revoke', subjectType: 'SigningKey', subjectId: kid }]);
  });
  return (await keys.reload()).signing.kid;
}
