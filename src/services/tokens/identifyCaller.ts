/** Who calls the administration: judged once per request, before anything else is, and by what the database says then. */
import { ALL_PERMISSIONS, administrationScopes, bearerToken, type Caller, permissionsOf } from '../../auth/caller.js';
import type { AccessTokenClaims } from '../../auth/tokenFormat.js';
import type { Dependencies } from '../../context.js';
import { unauthenticated } from '../../errors.js';
import { callers, type Standing } from './callerStatement.js';
import { administrationAudiences } from './narrowing.js';
import { verify } from './validate.js';

/** The service itself: commands, and everybody with ADMIN_AUTH=none. */
export const systemCaller = (sub: string): Caller => ({ kind: 'system', sub, permissions: ALL_PERMISSIONS });

/** The caller that the Authorization header names; anonymous without one. Throws UNAUTHENTICATED for a bad token, and for several. */
export async function identify(
  dependencies: Dependencies,
  [authorization, ...others]: readonly string[] = [],
): Promise<Caller> {
  const { config } = dependencies;
  if (config.adminAuth === 'none') return systemCaller(config.systemUserGuid);
  if (authorization === undefined) return { kind: 'anonymous' };
  // who stands before may have judged another one
  if (others.length > 0) throw invalidToken('several Authorization headers');
  const token = bearerToken(authorization);
  const judged = token
    ? await verify(dependencies, token, administrationAudiences(config))
    : { invalid: 'no Bearer token' };
  if ('invalid' in judged) throw invalidToken(judged.invalid);
  return judgeNow(dependencies, judged.claims);
}

const invalidToken = (detail: string) => unauthenticated(detail, 'Bearer error="invalid_token"');

/** A genuine token says who calls; what that one may do is what the profile gives now, or what the operator gave. */
async function judgeNow(
  { sql, config }: Dependencies,
  { sub, profileId, roleId, scopes, scope, sid }: Readonly<AccessTokenClaims>,
): Promise<Caller> {
  const legacy = { readScopes: config.adminReadScopes, writeScopes: config.adminWriteScopes };
  const values = [sub, profileId, administrationScopes(legacy).join(' ')];
  const now =
    sid === undefined
      ? await sql.batchedRow<Standing>(callers.ofUser, values)
      : await sql.batchedRow<Standing>(callers.ofSession, [...values, sid]);
  if (now.is_operator)
    return { kind: 'user', sub, profileId, roleId, ownScopes: scopes, permissions: permissionsOf(scopes, legacy) };
  if (now.role_id === null)
    throw invalidToken('the user is unknown or blocked, the profile no longer held, or the session revoked');
  const caller = { kind: 'user' as const, sub, profileId, roleId: now.role_id };
  if (scope === undefined) return { ...caller, permissions: permissionsOf(now.scopes!, legacy) };
  // narrowed: it was asked for with these scopes, and has no others
  const permissions = permissionsOf(
    scopes.filter((each) => now.scopes!.includes(each)),
    legacy,
  );
  return { ...caller, limitedTo: scopes, permissions };
}
