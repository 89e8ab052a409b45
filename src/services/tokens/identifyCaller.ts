/** Who calls the administration: judged once per request, before anything else is, and by what the database says then. */
import type { IncomingMessage } from 'node:http';
import {
  administrationScopes,
  allPermissions,
  type Caller,
  type PresentedToken,
  permissionsOf,
  presentedToken,
  type TokenScheme,
} from '../../auth/caller.js';
import { clientAlgorithms } from '../../auth/clientJwt.js';
import type { AccessTokenClaims } from '../../auth/tokenClaims.js';
import { verifyAccessToken } from '../../auth/tokenFormat.js';
import type { Config } from '../../config/config.js';
import type { Dependencies } from '../../context.js';
import { asReadFailure, unauthenticated } from '../../errors.js';
import { type CallerState, callers } from './callerStatement.js';
import { currentNonce, publicUrl, verifyProof } from './proofOfPossession.js';
import { verify } from './validate.js';

/** The service itself: commands, and everybody with ADMIN_AUTH=none. */
export const systemCaller = (sub: string): Caller => ({ kind: 'system', sub, permissions: allPermissions });

/** The caller that the Authorization header names; anonymous without one. Throws UNAUTHENTICATED for a bad token, and for several. */
export async function identify(dependencies: Dependencies, request: IncomingMessage): Promise<Caller> {
  const { config } = dependencies;
  const [authorization, ...others] = request.headersDistinct.authorization ?? [];
  if (config.adminAuth === 'none') return systemCaller(config.systemUserGuid);
  if (authorization === undefined) return { kind: 'anonymous' };
  // who stands before may have judged another one
  if (others.length > 0) throw invalidToken('several Authorization headers');
  const presented = presentedToken(authorization);
  if (!presented) throw invalidToken('neither a Bearer token nor one of DPoP');
  const judged = await verify(dependencies, presented.token, administrationAudiences(config));
  if ('invalid' in judged) throw invalidToken(judged.invalid, presented.scheme);
  await requireBinding(dependencies, request, presented, judged.claims.cnf?.jkt);
  return readCaller(dependencies, judged.claims);
}

/**
 * Whom the request's token is of, by its signature alone: nothing is asked of the database, so that one may no longer be who
 * may call. Undefined without a good one.
 */
export function findSubject({ config, issuerUrl, keys, verified }: Dependencies, request: IncomingMessage) {
  const presented = presentedToken(request.headers.authorization ?? '');
  if (!presented) return undefined;
  const expected = { issuer: issuerUrl, audiences: administrationAudiences(config), nowSeconds: Date.now() / 1_000 };
  const judged = verifyAccessToken(keys.ring(), presented.token, expected, verified);
  return 'claims' in judged ? judged.claims.sub : undefined;
}

/** What the administration asks of a token: one of these. */
const administrationAudiences = ({ audiences, adminAudience }: Config): readonly string[] =>
  adminAudience === undefined ? audiences : [adminAudience];

const invalidToken = (detail: string, scheme: TokenScheme = 'Bearer') =>
  unauthenticated(detail, challengeOf(scheme, 'invalid_token'));

/** RFC 9449 §7.1: a challenge to DPoP names the algorithms of its proofs. */
const challengeOf = (scheme: TokenScheme, error: string): string =>
  `${scheme} error="${error}"${scheme === 'DPoP' ? `, algs="${clientAlgorithms.join(' ')}"` : ''}`;

/** RFC 9449 §7: a bound token comes with a proof of its key, and as no Bearer token; no other does. */
async function requireBinding(
  dependencies: Dependencies,
  request: IncomingMessage & { originalUrl?: string },
  { scheme, token }: PresentedToken,
  jkt: string | undefined,
): Promise<void> {
  if (scheme === 'Bearer' && jkt === undefined) return;
  if (scheme === 'Bearer') throw invalidToken('a bound token, presented as a Bearer token', 'DPoP');
  if (jkt === undefined) throw invalidToken('presented with DPoP, and bound to no key', scheme);
  const { method = '', headers } = request;
  const url = publicUrl(dependencies, request.originalUrl ?? request.url ?? '');
  const proof = (headers.dpop as string | undefined) ?? '';
  const judged = await verifyProof(dependencies, { proof, method, url, accessToken: token, jkt });
  if ('jkt' in judged) return;
  if (judged.isOfAnotherKey) throw invalidToken(judged.invalid, scheme);
  const error = judged.isNonceWanted ? 'use_dpop_nonce' : 'invalid_dpop_proof';
  const nonce = dependencies.config.dpopNonce ? { 'dpop-nonce': currentNonce(dependencies) } : {};
  throw unauthenticated(judged.invalid, challengeOf(scheme, error), nonce);
}

/** A genuine token says who calls; what that one may do is what the profile gives now, or what the operator gave. */
async function readCaller(
  { sql, config }: Dependencies,
  { sub, profileId, roleId, scopes, scope, sid }: Readonly<AccessTokenClaims>,
): Promise<Caller> {
  const legacy = { readScopes: config.adminReadScopes, writeScopes: config.adminWriteScopes };
  const values = [sub, profileId, administrationScopes(legacy).join(' ')];
  const [statement, asked] = sid === undefined ? [callers.ofUser, values] : [callers.ofSession, [...values, sid]];
  const now = await sql.batchedRow<CallerState>(statement, asked).catch((error) => {
    throw asReadFailure(error);
  });
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
