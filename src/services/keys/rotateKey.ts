/** Rotates and revokes signing keys for an administrator. */
import { openKeyRing, opensSigningKey } from '../../auth/keyRing.js';
import type { Context } from '../../context.js';
import { notFound, OperatorError } from '../../errors.js';
import { permit, requireFreshSignIn } from '../permit.js';
import { announceChange, authorOf, writeAudit } from '../records/change.js';
import {
  findSigningKey,
  lockKeys,
  promoteNextKey,
  publishNextKey,
  readKeys,
  replaceRenewalKey,
  rotateSigningKey,
} from './keyStore.js';

/**
 * Makes the next key the signing key. Returns its id. Throws REAUTHENTICATE. It does not use `change`, because keys are not
 * part of the catalogue and its version must not rise.
 */
export async function rotateKey(context: Context): Promise<string> {
  permit(context, 'admin:security');
  requireFreshSignIn(context);
  const { sql, encryptionKeys, config, keys } = context;
  const kid = await sql.transaction(async (transaction) => {
    const active = await rotateSigningKey({ sql: transaction, encryptionKeys, signingAlg: config.signingAlg });
    await announceChange(transaction.rows, authorOf(context));
    await writeAudit(transaction.rows, [{ action: 'rotate', subjectType: 'SigningKey', subjectId: active }]);
    return active;
  });
  await keys.reload();
  return kid;
}

/**
 * Removes a leaked key, so that every process refuses its tokens within a second. The next key takes its place. Returns the id
 * of the present signing key. If KEY_ENCRYPTION_KEY does not open the keys, none is created: the processes could not read it.
 * The maintenance of a process then publishes a next key. Throws NOT_FOUND, SigningKeyUnusable where a new key is necessary.
 */
export async function revokeKey(context: Context, kid: string): Promise<string> {
  permit(context, 'admin:security');
  const { sql, encryptionKeys, config, keys } = context;
  const signing = await sql.transaction(async (transaction) => {
    await lockKeys(transaction);
    const [key] = await transaction.rows<{ state: string; alg: string }>(
      'select state, alg from signing_keys where kid = $1',
      [kid],
    );
    if (!key) throw notFound(`The key ${kid}`);
    const store = { sql: transaction, encryptionKeys, signingAlg: config.signingAlg };
    const rows = await readKeys(transaction);
    const mayCreate = rows.every((row) => opensSigningKey(row, encryptionKeys));
    const needsNew = key.alg === 'HS256' || !rows.some(({ state }) => state === 'next');
    if (key.state === 'active' && needsNew) openKeyRing(rows, encryptionKeys);
    if (mayCreate) await publishNextKey(store);
    if (key.state === 'active') await (key.alg === 'HS256' ? replaceRenewalKey(store) : promoteNextKey(transaction));
    await transaction.rows('delete from signing_keys where kid = $1', [kid]);
    if (mayCreate) await publishNextKey(store);
    await announceChange(transaction.rows, authorOf(context));
    await writeAudit(transaction.rows, [{ action: 'revoke', subjectType: 'SigningKey', subjectId: kid }]);
    return (await findSigningKey(transaction))!.kid;
  });
  // a failure changes nothing: the key is removed, and every process reads the keys each second
  await keys.reload().catch(() => undefined);
  return signing;
}

/**
 * Removes the keys that KEY_ENCRYPTION_KEY does not open, and creates those that are then missing. Returns the ids of the
 * removed keys and of the signing key. Throws OperatorError if every key opens.
 */
export async function replaceLostKeys(context: Context): Promise<{ removed: string[]; signing: string }> {
  permit(context, 'admin:security');
  const { sql, encryptionKeys, config } = context;
  return sql.transaction(async (transaction) => {
    await lockKeys(transaction);
    const rows = await readKeys(transaction);
    const removed = rows.filter((row) => !opensSigningKey(row, encryptionKeys)).map((row) => row.kid);
    if (removed.length === 0) throw new OperatorError('KEY_ENCRYPTION_KEY opens every signing key: none is lost.');
    await transaction.rows('delete from signing_keys where kid = any($1)', [removed]);
    await publishNextKey({ sql: transaction, encryptionKeys, signingAlg: config.signingAlg });
    await announceChange(transaction.rows, authorOf(context));
    await writeAudit(
      transaction.rows,
      removed.map((kid) => ({ action: 'revoke', subjectType: 'SigningKey', subjectId: kid })),
    );
    return { removed, signing: (await findSigningKey(transaction))!.kid };
  });
}
