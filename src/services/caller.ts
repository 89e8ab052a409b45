/** Who calls the administration: judged once per request, before anything else is. */
import { ALL_PERMISSIONS, bearerToken, type Caller, permissionsOf } from '../auth/caller.js';
import type { Dependencies } from '../context.js';
import { unauthenticated } from '../errors.js';
import { validate } from './validate.js';

/** The service itself: commands, and everybody with ADMIN_AUTH=none. */
export const systemCaller = (sub: string): Caller => ({ kind: 'system', sub, permissions: ALL_PERMISSIONS });

/** The caller that an Authorization header names; anonymous without one. Throws UNAUTHENTICATED for a bad token. */
export async function identify(dependencies: Dependencies, authorization: string | undefined): Promise<Caller> {
  const { config } = dependencies;
  if (config.adminAuth === 'none') return systemCaller(config.systemUserGuid);
  if (authorization === undefined) return { kind: 'anonymous' };
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
