/**
 * Identifies the caller of the administration once per request, before anything else, by an access token, against the current
 * database state.
 */
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
import { clientAlgorithms } from '../../auth/clientKeys.js';
import { type AccessTokenClaims, verifyAccessToken } from '../../auth/tokenFormat.js';
import type { Config } from '../../config/config.js';
import type { Dependencies } from '../../context.js';
import { type Challenge, throwReadFailure, unauthenticated } from '../../errors.js';
import { shared } from '../../sql.js';
import { lasts } from '../access/grants.js';
import { heldRole } from '../access/held.js';
import { scopeEntryColumn, scopeIsInUse } from '../access/scopeEntry.js';
import { currentNonce, type PresentedProof, publicUrl, verifyProof } from './proofOfPossession.js';
import { verify } from './validate.js';

/** The service itself: commands, and every caller with ADMIN_AUTH=none. */
export const systemCaller = (sub: string): Caller => ({ kind: 'system', sub, permissions: allPermissions });

/** Returns the caller of the Authorization header; anonymous without one. Throws UNAUTHENTICATED for a bad token or several tokens. */
export async function identify(dependencies: Dependencies, request: IncomingMessage): Promise<Caller> {
  const { config } = dependencies;
  if (config.adminAuth === 'none') return systemCaller(config.systemUserGuid);
  const presented = findPresentedToken(request);
  if (!presented) return { kind: 'anonymous' };
  const verdict = await verify(dependencies, presented.token, administrationAudiences(config));
  if ('invalid' in verdict) throw invalidToken(verdict.invalid, presented.scheme);
  await requireBinding(dependencies, presented, verdict.claims.cnf?.jkt, () => proofOf(dependencies, request));
  return readCaller(dependencies, verdict.claims);
}

/** Returns the token of the Authorization header; undefined without one. Throws UNAUTHENTICATED for several headers and for other schemes. */
export function findPresentedToken({ headersDistinct }: IncomingMessage): PresentedToken | undefined {
  const [authorization, ...others] = headersDistinct.authorization ?? [];
  // a proxy may have checked another one
  if (others.length > 0) throw invalidToken('several Authorization headers');
  return authorization === undefined ? undefined : requireToken(authorization);
}

export function requireToken(authorization: string): PresentedToken {
  const presented = presentedToken(authorization);
  if (!presented) throw invalidToken('neither a Bearer token nor one of DPoP');
  return presented;
}

/**
 * Returns the user of the request's token. Checks only the signature, not the database, so the user may have lost the permission.
 * Undefined without a valid token.
 */
export function findSubject({ config, issuerUrl, keys, verified }: Dependencies, request: IncomingMessage) {
  const presented = presentedToken(request.headers.authorization ?? '');
  if (!presented) return undefined;
  const expected = { issuer: issuerUrl, audiences: administrationAudiences(config), nowSeconds: Date.now() / 1_000 };
  const verdict = verifyAccessToken(keys.ring(), presented.token, expected, verified);
  return 'claims' in verdict ? verdict.claims.sub : undefined;
}

/** The audiences that the administration accepts; a token needs one of them. */
const administrationAudiences = ({ audiences, adminAudience }: Config): readonly string[] =>
  adminAudience === undefined ? audiences : [adminAudience];

export const invalidToken = (detail: string, scheme: TokenScheme = 'Bearer') =>
  unauthenticated(detail, challengeOf(scheme, 'invalid_token'));

/** RFC 9449 §7.1: a DPoP challenge names the algorithms of its proofs. */
export const challengeOf = (scheme: TokenScheme, error: Challenge['error']): Challenge => ({
  header: `${scheme} error="${error}"${scheme === 'DPoP' ? `, algs="${clientAlgorithms.join(' ')}"` : ''}`,
  error,
});

/** Returns the DPoP proof of a request to this service. */
function proofOf(dependencies: Dependencies, request: IncomingMessage & { originalUrl?: string }): PresentedProof {
  const { method = '', headers } = request;
  const url = publicUrl(dependencies, request.originalUrl ?? request.url ?? '');
  return { proof: (headers.dpop as string | undefined) ?? '', method, url };
}

/**
 * Checks that a bound token comes with a proof of its key and the DPoP scheme, and that any other token doesn't (RFC 9449 §7).
 * @param presentedProof called for a bound token
 */
export async function requireBinding(
  dependencies: Dependencies,
  { scheme, token }: PresentedToken,
  jkt: string | undefined,
  presentedProof: () => PresentedProof,
): Promise<void> {
  if (scheme === 'Bearer' && jkt === undefined) return;
  if (scheme === 'Bearer') throw invalidToken('a bound token, presented as a Bearer token', 'DPoP');
  if (jkt === undefined) throw invalidToken('presented with DPoP, and bound to no key', scheme);
  const proof = await verifyProof(dependencies, { ...presentedProof(), accessToken: token, jkt });
  if ('jkt' in proof) return;
  if (proof.isOfAnotherKey) throw invalidToken(proof.invalid, scheme);
  const error = proof.isNonceWanted ? 'use_dpop_nonce' : 'invalid_dpop_proof';
  const nonce = dependencies.config.dpopNonce ? { 'dpop-nonce': currentNonce(dependencies) } : {};
  throw unauthenticated(proof.invalid, challengeOf(scheme, error), nonce);
}

type CallerClaims = Readonly<
  Pick<AccessTokenClaims, 'sub' | 'profileId' | 'roleId' | 'scopes'> & Partial<Pick<AccessTokenClaims, 'scope' | 'sid'>>
>;

/** Returns the caller of a verified token, with the permissions that the profile or the operator gives. */
export async function readCaller(
  { sql, config }: Dependencies,
  { sub, profileId, roleId, scopes, scope, sid }: CallerClaims,
): Promise<Caller> {
  const values = { sub, profile_id: profileId, wanted: administrationScopes(config).join(' '), sid };
  const statement = sid === undefined ? callers.ofUser : callers.ofSession;
  const now = await sql.batchedRow<CallerState>(statement, values).catch(throwReadFailure);
  if (now.is_operator)
    return { kind: 'user', sub, profileId, roleId, ownScopes: scopes, permissions: permissionsOf(scopes, config) };
  if (now.role_id === null)
    throw invalidToken('the user is unknown or blocked, the profile no longer held, or the session revoked');
  const caller = { kind: 'user' as const, sub, profileId, roleId: now.role_id };
  if (scope === undefined) return { ...caller, permissions: permissionsOf(now.scopes!, config) };
  // a narrowed token was requested with these scopes and has no others
  const permissions = permissionsOf(
    scopes.filter((entry) => now.scopes!.includes(entry)),
    config,
  );
  return { ...caller, limitedTo: scopes, permissions };
}

/** All null for a user who is blocked, no longer holds the profile, or whose session is revoked. */
interface CallerState {
  role_id: string | null;
  /** The profile's scopes that are in use and permit something here. */
  scopes: string[] | null;
  /** Whether the session belongs to an operator's token, which has its own scopes. */
  is_operator: boolean | null;
}

/**
 * SQL: the few access scopes that permit anything here, read once for all callers of the statement by their types, which have an
 * index. A profile may have thousands of scopes. `wanted` holds the entries, separated by spaces.
 */
export const granting = `granting as materialized (
    select scope.access_scope_id, ${scopeEntryColumn} as entry
    from (select string_to_array(wanted, ' ') as entries from asked limit 1) wanted,
      lateral (select * from access_scope_types
        where name = any(array(select split_part(entry, ':', 1) from unnest(wanted.entries) entry)) offset 0) type,
      lateral (select * from access_scopes where access_scope_type_id = type.access_scope_type_id offset 0) scope
    where ${scopeIsInUse} and ${scopeEntryColumn} = any(wanted.entries)
  )`;

/** SQL: the user, who must hold the profile and not be blocked. */
export const holderOf = (userGuid: string, profileId: string): string => `
    select link.role_id, array(select granting.entry from granting where (
      select true from profile_access_scopes has
      where has.profile_id = ${profileId} and has.access_scope_id = granting.access_scope_id and ${lasts('has')} limit 1)) as scopes
    from users u cross join lateral (select ${heldRole('u.user_id', profileId)} as role_id) link
    where u.user_guid = ${userGuid} and not u.is_blocked and link.role_id is not null`;
const holder = holderOf('asked.sub', 'asked.profile_id');

/** `tokenType` of the records of operators' tokens. */
export const operatorTokenType = 'admin';

const userStatement = `
  select asked.ord, holder.*, null::boolean as is_operator
  from asked left join lateral (${holder}) holder on true`;

const sessionStatement = `
  select asked.ord, holder.*, session.token_type = '${operatorTokenType}' and not coalesce(u.is_blocked, false) as is_operator
  from asked
  left join tokens session on session.token_guid = asked.sid and not session.is_revoked
  left join users u on u.user_guid = asked.sub
  left join lateral (${holder}) holder on session.token_type <> '${operatorTokenType}'`;

export const readCallers = (types: Record<string, string>, select: string) =>
  shared(types, ({ rows }) => `with asked as materialized (select * from ${rows}), ${granting} ${select}`);
const person = { sub: 'uuid', profile_id: 'text', wanted: 'text' };

/** `ofUser`: for a token without a session. `ofSession`: for a token with one. */
export const callers = {
  ofUser: readCallers(person, userStatement),
  ofSession: readCallers({ ...person, sid: 'uuid' }, sessionStatement),
};
