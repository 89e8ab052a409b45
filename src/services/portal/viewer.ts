/** Reads the viewer: the caller, with the own record and the current scopes. */
import type { Permission } from '../../auth/caller.js';
import type { Context } from '../../context.js';
import { isGuid } from '../../entities/valueForms.js';
import { unauthenticated } from '../../errors.js';
import { heldScopes } from '../access/held.js';
import { readByKeys } from '../read/readPages.js';
import type { Row, Selection } from '../read/select.js';
import { limitsOf } from './openedApplications.js';

export interface OwnView {
  userGuid: string;
  profileId: string;
  roleId: string;
  permissions: Permission[];
  /** The end of a console session, ISO 8601. */
  signedInAt: string | null;
  sessionEndsAt: string | null;
  mappingActiveStates: readonly string[];
  timeZone: string;
  /** APPROVALS. */
  approvals: string;
}

/** Stands for no profile and no role of the database. */
const noProfile = { profileId: 'operator', roleId: 'operator' };

/** The caller and the profile; with ADMIN_AUTH=none the system user without a profile. Throws UNAUTHENTICATED for an anonymous caller. */
export function getViewer({ caller, config }: Context): OwnView {
  if (caller.kind === 'anonymous') throw unauthenticated('no access token, which would name the viewer');
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
    timeZone: config.timeZone,
    approvals: config.approvals,
  };
}

/** The current scopes of the caller, sorted. */
export async function listOwnScopes({ caller, reads }: Context, profileId: string): Promise<string[]> {
  if (caller.kind === 'system') return [...caller.permissions].sort();
  if (caller.kind === 'user' && caller.ownScopes) return [...caller.ownScopes];
  const [row] = await reads.rows<{ scopes: string[] }>(`select ${heldScopes('$1')} as scopes`, [profileId]);
  const limits = limitsOf(caller);
  return row!.scopes.filter((scope) => limits?.includes(scope) ?? true).sort();
}

/** The caller's own record, which needs no permission; related records do. Null for an unknown user. */
export async function findOwnUser(context: Context, selection: Selection): Promise<Row | null> {
  const { caller } = context;
  if (caller.kind !== 'user' || !isGuid(caller.sub)) return null;
  const sub = caller.sub.toLowerCase();
  return (await readByKeys(context, selection, 'userGuid', [sub], { isOwn: true })).get(sub) ?? null;
}
