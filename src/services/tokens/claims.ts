/** What a token is issued with: who holds the profile in which role, its scopes, and the two signed tokens. */
import { randomUUID } from 'node:crypto';
import { parseJwt } from '../../auth/jwt.js';
import type { KeyRing } from '../../auth/keyRing.js';
import type { AccessTokenClaims, RenewalTokenClaims } from '../../auth/tokenClaims.js';
import { renewalTokenHash, signAccessToken, signRenewalToken } from '../../auth/tokenFormat.js';
import type { Dependencies } from '../../context.js';
import { scopeEntryColumn, scopeIsInUse, scopesAndTypes } from '../scopeEntry.js';

export const accessTokenSeconds = 3_600;
const dayMs = 24 * 3_600 * 1_000;
const renewalTokenMs = 30 * dayMs;
/** Longest profile id, in code points. */
export const profileIdMax = 50;

/** How a client speaks: the documented contract in JSON, or the standards in forms. */
export type Dialect = 'documented' | 'oauth';

/** The success answer of /token, in the documented spelling. */
export interface IssuedTokens {
  access_token: string;
  refresh_token: string;
  token_type: 'Bearer' | 'DPoP';
  expires_in: number;
}

/** What the access token says of its holder. */
export interface Holding {
  userGuid: string;
  profileId: string;
  roleId: string;
  scopes: string[];
  /** Absent: those of the issuing flow. */
  audiences?: readonly string[];
  /** The claim of narrowed scopes. */
  scope?: string;
  /** Thumbprint of the key that the token is bound to. */
  jkt?: string | undefined;
}

/** Claims beside the documented eight: RFC 9068 §2.2, and `sid`, the record's uuid, by which a revocation is seen at once. */
type FurtherClaims = Pick<AccessTokenClaims, 'client_id' | 'jti' | 'sid'>;

/** SQL: `role_id` of the user's lowest link to the profile, as a value, null where there is none, or as a table, empty then. */
export const heldRole = (userId: string, profileId: string): string => `(
    select role_id from user_profiles where user_id = ${userId} and profile_id = ${profileId}
    order by user_profile_id limit 1)`;

/** SQL: the profile's scopes that are in use, an array of text. */
export const heldScopes = (profileId: string): string => `(
    select coalesce(array_agg(distinct ${scopeEntryColumn}) filter (where ${scopeEntryColumn} is not null), '{}')
    from profile_access_scopes has join (${scopesAndTypes}) using (access_scope_id)
    where has.profile_id = ${profileId} and ${scopeIsInUse})`;

/** SQL: the same of many profiles, a row of `profile_id` and `value` for each entry; `condition` may name `has`. */
export const heldEntries = (condition: string): string => `
    select has.profile_id, ${scopeEntryColumn} as value
    from profile_access_scopes has join (${scopesAndTypes}) using (access_scope_id)
    where ${condition} and ${scopeIsInUse} and ${scopeEntryColumn} is not null`;

/** SQL: for user `u`, where it has the profile, `link.role_id` and `held.scopes`. */
export const holdingJoins = (profileId: string): string => `
  cross join lateral ${heldRole('u.user_id', profileId)} link
  cross join lateral (select ${heldScopes(profileId)} as scopes) held`;

/** The claims of the contract: the documented eight, exactly, unless others are asked for. @param seconds they are good for */
export function claimsOf(
  { issuerUrl, config }: Pick<Dependencies, 'issuerUrl' | 'config'>,
  holding: Holding,
  now: Date,
  further?: FurtherClaims,
  seconds = accessTokenSeconds,
): AccessTokenClaims {
  const iat = Math.floor(now.getTime() / 1_000);
  const { userGuid: sub, profileId, roleId } = holding;
  // by UTF-16 code unit, whatever the database's collation
  const scopes = [...holding.scopes].sort();
  const { audiences = config.audiences, scope, jkt } = holding;
  const aud = [...audiences];
  const asked = { ...(scope !== undefined && { scope }), ...(jkt !== undefined && { cnf: { jkt } }) };
  return { iss: issuerUrl, sub, aud, profileId, roleId, scopes, exp: iat + seconds, iat, ...asked, ...further };
}

/** The access token of an exchange or a renewal. */
export function issueAccessToken(
  dependencies: Dependencies,
  ring: KeyRing,
  holding: Holding,
  now: Date,
  further?: FurtherClaims,
): string {
  const claims = claimsOf(dependencies, holding, now, further);
  return signAccessToken(ring, claims, dependencies.config.accessTokenTyp);
}

/** The claims beyond the documented ones: none in the documented dialect and policy. */
export function furtherClaims(
  request: { clientId: string; dialect: Dialect },
  tokenGuid: string,
  isHardened: boolean,
): FurtherClaims | undefined {
  if (request.dialect === 'documented' && !isHardened) return undefined;
  return { client_id: request.clientId, jti: randomUUID(), ...(isHardened && { sid: tokenGuid }) };
}

export interface PreparedRenewalToken {
  token: string;
  hash: Buffer;
  createdAt: Date;
  expiresAt: Date;
}

/** The renewal token of a record at a generation; the same values give the same bytes. */
export function prepareRenewalToken(
  { issuerUrl, config }: Dependencies,
  ring: KeyRing,
  record: { userGuid: string; tokenGuid: string; generation: number; startedAt?: Date },
  createdAt: Date,
): PreparedRenewalToken {
  const sessionEnd =
    config.sessionMaxDays > 0
      ? (record.startedAt ?? createdAt).getTime() + config.sessionMaxDays * dayMs
      : Number.POSITIVE_INFINITY;
  const expiresAt = new Date(Math.min(createdAt.getTime() + renewalTokenMs, sessionEnd));
  const token = signRenewalToken(ring, renewalClaims({ issuerUrl }, { ...record, createdAt, expiresAt }));
  return { token, hash: renewalTokenHash(token), createdAt, expiresAt };
}

/** The claims of the renewal token that a record has, or is to have. */
export const renewalClaims = (
  { issuerUrl }: Pick<Dependencies, 'issuerUrl'>,
  record: { userGuid: string; tokenGuid: string; generation: number; createdAt: Date; expiresAt: Date },
): RenewalTokenClaims => ({
  iss: issuerUrl,
  sub: record.userGuid,
  created_at: record.createdAt.toISOString(),
  expires_at: record.expiresAt.toISOString(),
  jti: `${record.tokenGuid}.${record.generation}`,
});

/** The scopes that the issued access token carries. */
export function issuedScopes({ access_token }: IssuedTokens): string[] {
  const jwt = parseJwt(access_token, access_token.length);
  return 'payload' in jwt ? (jwt.payload as unknown as AccessTokenClaims).scopes : [];
}

export const answer = (accessToken: string, renewal: { token: string }, jkt?: string): IssuedTokens => ({
  access_token: accessToken,
  refresh_token: renewal.token,
  token_type: jkt === undefined ? 'Bearer' : 'DPoP',
  expires_in: accessTokenSeconds,
});
