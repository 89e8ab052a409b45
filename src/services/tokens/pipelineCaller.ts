/** Identifies pipelines, which present the ID token of their own provider. */
import type { IncomingMessage } from 'node:http';
import { type Caller, presentedToken } from '../../auth/caller.js';
import type { Dependencies } from '../../context.js';
import { isStorable } from '../../entities/valueForms.js';
import { throwReadFailure } from '../../errors.js';
import { invalidToken, readCaller, systemCaller } from './caller.js';
import { profileIdMax } from './claims.js';
import { subjectConditions, subjectValues, verifyIdToken } from './exchange.js';
import { isSignedOut, issuedBeforeSignOut, signInOf } from './providerLogout.js';
import { TokenRefusal } from './tokenRefusal.js';

/** Header that names the profile for which a pipeline presents its ID token. */
export const pipelineProfileHeader = 'gatehouse-profile';

/**
 * Returns the caller of a pipeline: a workload that presents the ID token of its own provider and names a profile, instead of
 * exchanging the token with a client's secret. Only issuers with `pipelines` are accepted. Throws UNAUTHENTICATED, and
 * UNAVAILABLE when the provider or the database can't be reached.
 */
export async function identifyPipeline(dependencies: Dependencies, request: IncomingMessage): Promise<Caller> {
  const { config, idTokens, sql } = dependencies;
  if (config.adminAuth === 'none') return systemCaller(config.systemUserGuid);
  const [profileId = '', ...furtherProfiles] = request.headersDistinct[pipelineProfileHeader] ?? [];
  const [authorization, ...further] = request.headersDistinct.authorization ?? [];
  const presented = further.length > 0 ? undefined : presentedToken(authorization);
  if (presented?.scheme !== 'Bearer') throw invalidToken('not one Bearer token');
  if (furtherProfiles.length > 0 || !isStorable(profileId) || [...profileId].length > profileIdMax)
    throw invalidToken(`${pipelineProfileHeader} names no profile`);
  const verified = await verifyIdToken({ idTokens }, presented.token, 'pipeline').catch((error) => {
    throw error instanceof TokenRefusal ? invalidToken(error.detail) : error;
  });
  const { kind, sub, idpname } = subjectValues({ config }, verified);
  const find = `select u.user_guid, ${isSignedOut} as is_signed_out
    from (values ($1::text, $2::text, $3::text, $4::text, $5::timestamptz)) asked(idpname, sub, session_hash, user_hash, issued_at)
    join users u on ${subjectConditions[kind]} where asked.sub is not null`;
  const { session_hash, user_hash, issued_at } = signInOf(verified);
  const [user] = await sql
    .rows<{ user_guid: string; is_signed_out: boolean }>(find, [idpname, sub, session_hash, user_hash, issued_at])
    .catch(throwReadFailure);
  if (!user) throw invalidToken('no such user of that issuer');
  if (user.is_signed_out) throw invalidToken(issuedBeforeSignOut);
  return readCaller(dependencies, { sub: user.user_guid, profileId, roleId: '', scopes: [] });
}
