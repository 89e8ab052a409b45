/** Who calls the administration: judged once per request, before anything else is. */
import { ALL_PERMISSIONS, bearerToken, type Caller, permissionsOf } from '../auth/caller.js';
import type { Dependencies } from '../context.js';
import { unauthenticated } from '../errors.js';
import { validate } from './validate.js';

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
  if (others.length > 0) throw unauthenticated('several Authorization headers', 'Bearer error="invalid_token"');
  const token = bearerToken(authorization);
  const judged = token ? await validate(dependencies, token) : { invalid: 'no Bearer token' };
  if ('invalid' in judged) throw unauthenticated(judged.invalid, 'Bearer error="invalid_token"');
  const { sub, profileId, roleId } = judged.claims;
  const scopes = new Set(judged.claims.scopes);
  const permissions = permissionsOf(scopes, {
    readScopes: config.adminReadScopes,
    writeScopes: config.adminWriteScopes,
  });
  return { kind: 'user', sub, profileId, roleId, scopes, permissions };
}
