/** The key that signs now: a statement reads which one it is, and a process that has another reads its keys again. */
import type { KeyRing } from '../../auth/keyRing.js';
import type { SigningKeys } from '../../context.js';

/** SQL: the signing key's id, for statements that should notice a rotation. */
export const activeKidColumn = `(select kid from signing_keys where state = 'active' and alg <> 'HS256') as active_kid`;

/** The key ring with this signing key, read again if needed. If it cannot be read, the present ring. */
export async function ringWith(keys: SigningKeys, activeKid: string): Promise<KeyRing> {
  return keys.ring().signing.kid === activeKid ? keys.ring() : keys.reload().catch(() => keys.ring());
}
