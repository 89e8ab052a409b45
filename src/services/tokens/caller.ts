/**
 * Identifies the caller of the administration once per request, before anything else, by an access token or a console session,
 * against the current database state.
 */
import { randomBytes, randomUUID } from 'node:crypto';
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
import { type AccessTokenClaims, signAccessToken, verifyAccessToken } from '../../auth/tokenFormat.js';
import type { Config } from '../../config/config.js';
import type { Context, Dependencies } from '../../context.js';
import { isStorable } from '../../entities/valueForms.js';
import { type Challenge, conflict, throwReadFailure, unauthenticated } from '../../errors.js';
import { shared } from '../../sql.js';
import { lasts } from '../access/grants.js';
import { heldRole } from '../access/held.js';
import { scopeEntryColumn, scopeIsInUse } from '../access/scopeEntry.js';
import { permit } from '../permit.js';
import { announceChange, authorOf, writeAuditAlone } from '../records/change.js';
import { allAudiences, claimsOf, type Holding, profileIdMax } from './claims.js';
import { subjectConditions, subjectValues, verifyIdToken } from './exchange.js';
import { currentNonce, type PresentedProof, publicUrl, verifyProof } from './proofOfPossession.js';
import { TokenRefusal } from './tokenRefusal.js';
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
  const find = `select u.user_guid from (values ($1::text, $2::text)) asked(idpname, sub)
    join users u on ${subjectConditions[kind]} where asked.sub is not null`;
  const [user] = await sql.rows<{ user_guid: string }>(find, [idpname, sub]).catch(throwReadFailure);
  if (!user) throw invalidToken('no such user of that issuer');
  return readCaller(dependencies, { sub: user.user_guid, profileId, roleId: '', scopes: [] });
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
async function readCaller(
  { sql, config }: Dependencies,
  { sub, profileId, roleId, scopes, scope, sid }: CallerClaims,
): Promise<Caller> {
  const legacy = { readScopes: config.adminReadScopes, writeScopes: config.adminWriteScopes };
  const values = { sub, profile_id: profileId, wanted: administrationScopes(legacy).join(' '), sid };
  const statement = sid === undefined ? callers.ofUser : callers.ofSession;
  const now = await sql.batchedRow<CallerState>(statement, values).catch(throwReadFailure);
  if (now.is_operator)
    return { kind: 'user', sub, profileId, roleId, ownScopes: scopes, permissions: permissionsOf(scopes, legacy) };
  if (now.role_id === null)
    throw invalidToken('the user is unknown or blocked, the profile no longer held, or the session revoked');
  const caller = { kind: 'user' as const, sub, profileId, roleId: now.role_id };
  if (scope === undefined) return { ...caller, permissions: permissionsOf(now.scopes!, legacy) };
  // a narrowed token was requested with these scopes and has no others
  const permissions = permissionsOf(
    scopes.filter((entry) => now.scopes!.includes(entry)),
    legacy,
  );
  return { ...caller, limitedTo: scopes, permissions };
}

interface AdminTokenRequest {
  /** Entries of the `scopes` claim. */
  scopes: string[];
  minutes: number;
  userGuid: string;
}

/** Names no profile or role in the database. */
const operator = { profileId: 'operator', roleId: 'operator' };

/** Issues an access token with these scopes, without a renewal token. Throws CONFLICT for a blocked user. */
export async function issueAdminToken(
  context: Context,
  { scopes, minutes, userGuid }: AdminTokenRequest,
): Promise<string> {
  permit(context, 'admin:security');
  const blocked = await context.sql.rows('select from users where user_guid = $1 and is_blocked', [userGuid]);
  if (blocked.length > 0) throw conflict('The user is blocked: no service would accept the token.');
  return issueOperatorToken(context, { ...operator, userGuid, scopes: [...new Set(scopes)] }, minutes * 60);
}

/** Issues a token for any holding, without checking the database; valid until it expires or its record is revoked. */
export async function issueOperatorToken(context: Context, holding: Holding, seconds: number): Promise<string> {
  const createdAt = context.clock.now();
  const expiresAt = new Date(createdAt.getTime() + seconds * 1_000);
  const sid = await recordOperatorToken(context, { ...holding, createdAt, expiresAt });
  const audiences = allAudiences(context.config);
  const claims = claimsOf(context, { ...holding, audiences }, new Date(), { sid }, seconds);
  return signAccessToken(context.keys.ring(), claims, context.config.accessTokenTyp);
}

/** `tokenType` of the records of operators' tokens. */
const operatorTokenType = 'admin';

type OperatorRecord = Pick<Holding, 'userGuid' | 'profileId' | 'scopes'> & { createdAt: Date; expiresAt: Date };

// the hash is random bytes, the hash of no known text, so that presenting a token neither renews nor revokes it
const insertRecord = `
  insert into tokens (token_guid, user_id, profile_id, token, token_type, created_at, started_at, expires_at)
  values ($1, $2, $3, $4, '${operatorTokenType}', $5, least($5::timestamptz, now()), $6) returning id`;

/**
 * Inserts a record of an operator's access token (`bin/gatehouse admin-token`) and its audit event; returns the token's `sid`. The
 * record makes the token visible in lists, and revoking it ends the token at once.
 */
export async function recordOperatorToken(context: Context, record: OperatorRecord): Promise<string> {
  const { userGuid, profileId, scopes, createdAt, expiresAt } = record;
  const { sql } = context;
  const sid = randomUUID();
  await sql.transaction(async ({ rows }) => {
    await announceChange(rows, authorOf(context));
    const values = [sid, userGuid, profileId, randomBytes(32), createdAt, expiresAt];
    const [inserted] = await rows<{ id: string }>(insertRecord, values);
    const detail = { user: userGuid, scopes, expiresAt };
    await writeAuditAlone(rows, [{ action: 'issue', subjectType: 'Token', subjectId: inserted!.id, detail }]);
  });
  return sid;
}

/** All null for a user who is blocked, no longer holds the profile, or whose session is revoked. */
interface CallerState {
  role_id: string | null;
  /** The profile's scopes that are in use and permit something here. */
  scopes: string[] | null;
  /** Whether the session belongs to an operator's token, which has its own scopes. */
  is_operator: boolean | null;
}

/** A session of the console. All null if it has ended, or its user lost the permission. */
export interface ConsoleCallerState {
  user_guid: string | null;
  profile_id: string;
  issuer: string;
  created_at: string;
  ends_at: string;
  role_id: string;
  scopes: string[];
  /** Whether the user authenticated in the last ten minutes. */
  is_fresh: boolean;
  /** Whether its last use was noted more than a minute ago. */
  is_to_be_noted: boolean;
}

/** How long after an authentication a dangerous operation needs no new one. */
export const freshMinutes = 10;

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
const holderOf = (userGuid: string, profileId: string): string => `
    select link.role_id, array(select granting.entry from granting where (
      select true from profile_access_scopes has
      where has.profile_id = ${profileId} and has.access_scope_id = granting.access_scope_id and ${lasts('has')} limit 1)) as scopes
    from users u cross join lateral (select ${heldRole('u.user_id', profileId)} as role_id) link
    where u.user_guid = ${userGuid} and not u.is_blocked and link.role_id is not null`;
const holder = holderOf('asked.sub', 'asked.profile_id');

const userStatement = `
  select asked.ord, holder.*, null::boolean as is_operator
  from asked left join lateral (${holder}) holder on true`;

const sessionStatement = `
  select asked.ord, holder.*, session.token_type = '${operatorTokenType}' and not coalesce(u.is_blocked, false) as is_operator
  from asked
  left join tokens session on session.token_guid = asked.sid and not session.is_revoked
  left join users u on u.user_guid = asked.sub
  left join lateral (${holder}) holder on session.token_type <> '${operatorTokenType}'`;

// the provider states when the user authenticated
const consoleStatement = `
  select asked.ord, session.*
  from asked left join lateral (
    select session.user_guid, session.profile_id, session.issuer, session.created_at, session.ends_at, holder.role_id, holder.scopes,
      coalesce(session.authenticated_at > now() - interval '${freshMinutes} minutes', false) as is_fresh,
      session.seen_at < now() - interval '1 minute' as is_to_be_noted
    from console_sessions session
    cross join lateral (${holderOf('session.user_guid', 'session.profile_id')}) holder
    where session.session_hash = asked.session_hash and session.ends_at > now()
      and session.seen_at > now() - make_interval(mins => asked.idle_minutes)
  ) session on true`;

const readCallers = (types: Record<string, string>, select: string) =>
  shared(types, ({ rows }) => `with asked as materialized (select * from ${rows}), ${granting} ${select}`);
const person = { sub: 'uuid', profile_id: 'text', wanted: 'text' };

/** `ofUser`: for a token without a session. `ofSession`: for a token with one. `ofConsole`: for a session of the console. */
export const callers = {
  ofUser: readCallers(person, userStatement),
  ofSession: readCallers({ ...person, sid: 'uuid' }, sessionStatement),
  ofConsole: readCallers({ wanted: 'text', session_hash: 'bytea', idle_minutes: 'int' }, consoleStatement),
};
