/** Who calls, and which applications the caller's profile opens: the query behind a portal's tiles. */
import type { Caller, Permission } from '../../auth/caller.js';
import type { Context } from '../../context.js';
import { isGuid } from '../../entities/guid.js';
import { unauthenticated } from '../../errors.js';
import { readByKeys } from '../graphReads/readPages.js';
import type { Row, Selection } from '../sql/select.js';
import { heldScopes } from '../tokens/claims.js';

export interface Viewer {
  userGuid: string;
  profileId: string;
  roleId: string;
  permissions: Permission[];
  /** Of a session of the console; ISO 8601. */
  signedInAt: string | null;
  sessionEndsAt: string | null;
  mappingActiveStates: readonly string[];
}

/** Stands for no profile and no role of the database. */
const noProfile = { profileId: 'operator', roleId: 'operator' };

/** Who calls, and for which profile; with ADMIN_AUTH=none the system user, for none. Throws UNAUTHENTICATED for nobody. */
export function getViewer({ caller, config }: Context): Viewer {
  if (caller.kind === 'anonymous') throw unauthenticated('the viewer is whom an access token names');
  const { profileId, roleId } = caller.kind === 'user' ? caller : noProfile;
  const session = caller.kind === 'user' ? caller.session : undefined;
  return {
    userGuid: caller.sub,
    profileId,
    roleId,
    permissions: [...caller.permissions].sort(),
    signedInAt: session?.startedAt ?? null,
    sessionEndsAt: session?.endsAt ?? null,
    mappingActiveStates: config.mappingActiveStates,
  };
}

/** The caller's scopes as they are now, sorted. */
export async function listOwnScopes({ caller, reads }: Context, profileId: string): Promise<string[]> {
  if (caller.kind === 'system') return [...caller.permissions].sort();
  if (caller.kind === 'user' && caller.ownScopes) return [...caller.ownScopes];
  const [held] = await reads.rows<{ scopes: string[] }>(`select ${heldScopes('$1')} as scopes`, [profileId]);
  const limits = limitsOf(caller);
  return held!.scopes.filter((scope) => limits?.includes(scope) ?? true).sort();
}

/** The scopes beside which a narrowed token has none; null of any other. */
export const limitsOf = (caller: Caller): readonly string[] | null =>
  (caller.kind === 'user' && caller.limitedTo) || null;

/** The caller's own record, which needs no permission; records related to it do. Null for a user not known here. */
export async function findOwnUser(context: Context, selection: Selection): Promise<Row | null> {
  const { caller } = context;
  if (caller.kind !== 'user' || !isGuid(caller.sub)) return null;
  const sub = caller.sub.toLowerCase();
  return (await readByKeys(context, selection, 'userGuid', [sub], { isOwn: true })).get(sub) ?? null;
}
