/** Checks permissions, before a service does anything else, and returns the author. */
import { allPermissions, type Caller, hasPermission, type Permission } from '../auth/caller.js';
import type { Context } from '../context.js';
import { approvalRequired, forbidden, reauthenticate, unauthenticated } from '../errors.js';

/** Throws 401 for an anonymous caller, 403 for one without the permission. */
export function permit(context: { caller: Caller }, permission: Permission): void {
  if (context.caller.kind === 'anonymous') throw unauthenticated('no access token');
  if (!hasPermission(context.caller, permission)) throw forbidden(permission);
}

/**
 * For dangerous operations: a console session must have authenticated in the last minutes, so that an unattended browser is not
 * enough. Throws REAUTHENTICATE. Tokens and commands are exempt: a token lives for an hour, and a command has access to the
 * machine.
 */
export function requireFreshSignIn({ caller, isDryRun }: Pick<Context, 'caller' | 'isDryRun'>): void {
  if (caller.kind === 'user' && caller.session && !caller.session.isFresh && !isDryRun) throw reauthenticate();
}

/** Whether APPROVALS requires a second person for changes with the permission. */
export const needsApproval = ({ config }: Pick<Context, 'config'>, permission: Permission): boolean =>
  config.approvals === 'all' || (config.approvals === 'security' && permission === 'admin:security');

/**
 * Commands are exempt for emergencies. Connectors are exempt because they were approved when they were created, and users who
 * leave must lose access at once.
 */
const isExempt = (face: Context['face']): boolean => face === 'cli' || face === 'scim';

/** Throws APPROVAL_REQUIRED for a direct change that a second person must approve. Dry runs are allowed. */
export function permitDirectly(context: Context, permission: Permission): void {
  const { isDryRun, isApproved, face } = context;
  if (!isDryRun && !isApproved && !isExempt(face) && needsApproval(context, permission)) throw approvalRequired();
}

/** The same person with permissions of the service, for work whose outcome is checked or narrowed before anybody sees it. */
export const asService = (
  context: Context,
  permissions: ReadonlySet<Permission> = allPermissions,
  sub = actorOf(context),
): Context => ({ ...context, caller: { kind: 'system', sub, permissions } });

/** The guid of the author of changes. */
export function actorOf({ caller, config }: Context): string {
  return caller.kind === 'anonymous' ? config.systemUserGuid : caller.sub;
}
