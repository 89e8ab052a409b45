/** Decides the audiences, scopes, claims and lifetimes of issued tokens. */
import { randomUUID } from 'node:crypto';
import { parseJwt } from '../../auth/jwt.js';
import type { KeyRing } from '../../auth/keyRing.js';
import {
  type AccessTokenClaims,
  type RenewalTokenClaims,
  renewalTokenHash,
  signAccessToken,
  signRenewalToken,
} from '../../auth/tokenFormat.js';
import type { Config } from '../../config/config.js';
import type { Dependencies } from '../../context.js';
import { isScopeToken } from '../../entities/valueForms.js';
import type { HeldEnds } from '../access/held.js';
import { scopeText } from '../access/scopeEntry.js';
import { TokenRefusal } from './tokenRefusal.js';

type Audiences = Pick<Config, 'audiences' | 'adminAudience'>;

/** Every audience that an access token may have. */
export const allAudiences = ({ audiences, adminAudience }: Audiences): readonly string[] =>
  adminAudience === undefined ? audiences : [...audiences, adminAudience];

/**
 * The requested audiences and scopes; an absent member requests all (RFC 8707, RFC 6749 §3.3 and §6). A request narrows and
 * never widens the token: it stays within the client's audiences, the record, and the profile's current scopes.
 */
export interface Narrowing {
  audiences?: readonly string[] | undefined;
  scopes?: readonly string[] | undefined;
}

/** The audiences and scopes of a record, separated by spaces; null: all. */
interface MadeFor {
  audience: string | null;
  scope: string | null;
}

/** The audiences and scopes that a token is issued with. */
interface Issued {
  audiences: readonly string[];
  scopes: string[];
  /** Only with narrowed scopes: the claim of RFC 9068 §2.2.3, which marks such a token. */
  scope?: string;
}

/** Sorted texts separated by spaces, as records and clients store them; null for undefined. */
export const joinTexts = (texts: readonly string[] | undefined): string | null =>
  texts === undefined ? null : [...new Set(texts)].sort().join(' ');
const splitTexts = (text: string | null): string[] | undefined => text?.split(' ').filter(Boolean);

/** Values for the statements below: AUDIENCES, and every audience that a token may have, each separated by spaces. */
export const audienceValues = (config: Audiences): string[] => [
  config.audiences.join(' '),
  allAudiences(config).join(' '),
];

type ParameterSql = (name: string) => string;

/** SQL: the audiences of record `t` that tokens in general and tokens of the client may have. */
const mayHaveAudiences = (parameter: ParameterSql): string => `
      select string_to_table(coalesce(t.audience, ${parameter('audiences')}), ' ')
      intersect select string_to_table(${parameter('all_audiences')}, ' ')
      intersect select string_to_table(coalesce(client.allowed_audiences, ${parameter('all_audiences')}), ' ')`;

/** SQL: whether there is such an audience. */
export const hasAudience = (parameter: ParameterSql): string =>
  `(t.audience is null and client.allowed_audiences is null or exists (${mayHaveAudiences(parameter)}))`;

// `<@` compares every pair, and there may be thousands
const hasAll = (required: string, available: string): string =>
  `not exists (select string_to_table(${required}, ' ') except (${available}))`;

/** SQL: whether the record, its client and the profile have all requested audiences and scopes, texts or null. */
export const isWithin = (parameter: ParameterSql, heldScopes: string): string => {
  const [audience, scope] = [parameter('asked_audience'), parameter('asked_scope')];
  return `
      (${audience} is null or ${hasAll(audience, mayHaveAudiences(parameter))})
      and (${scope} is null or ((t.scope is null or ${hasAll(scope, "select string_to_table(t.scope, ' ')")})
        and ${hasAll(scope, `select unnest(${heldScopes})`)}))`;
};

/**
 * The audiences and scopes to issue. Throws TokenRefusal `invalidTarget` or `invalidScope` for any other.
 * @param allowed the client's allowedAudiences
 */
export function narrow(
  config: Audiences,
  madeFor: MadeFor,
  allowed: string | null,
  profileScopes: readonly string[],
  request: Narrowing = {},
): Issued {
  const isWhole = madeFor.audience === null && madeFor.scope === null && allowed === null;
  if (isWhole && !request.audiences && !request.scopes)
    return { audiences: config.audiences, scopes: [...profileScopes] };
  const mayHave = intersect(
    splitTexts(madeFor.audience) ?? config.audiences,
    allAudiences(config),
    splitTexts(allowed),
  );
  if (mayHave.length === 0) throw new TokenRefusal('invalidTarget', whyNone(config, madeFor, allowed));
  return {
    audiences: pickAudiences(mayHave, request.audiences),
    ...pickScopes(profileScopes, splitTexts(madeFor.scope), request.scopes),
  };
}

/** The same for an exchange. Only an exchange may request the audience of the administration. */
export const narrowFirst = (
  config: Audiences,
  allowed: string | null,
  profileScopes: readonly string[],
  request: Narrowing = {},
): Issued => {
  const audience = request.audiences === undefined ? null : joinTexts(allAudiences(config));
  return narrow(config, { audience, scope: null }, allowed, profileScopes, request);
};

/** The reason why no audience is left. Answers to forms contain it. */
function whyNone(config: Audiences, { audience }: MadeFor, allowed: string | null): string {
  const all = allAudiences(config);
  if (intersect(all, splitTexts(allowed)).length === 0)
    return 'no token can have one of the audiences that the client may have';
  if (audience !== null && intersect(all, splitTexts(audience)).length === 0)
    return 'no token can have one of the audiences that the session was made for';
  return audience === null
    ? 'the client may have the audience of the administration only, and did not ask for it'
    : 'the client may have none of the audiences that the session was made for';
}

/** Begins the refusal of a requested audience. */
export const notAmong = 'audience must be among';

function pickAudiences(mayHave: readonly string[], requested: readonly string[] | undefined): string[] {
  if (requested && !requested.every((audience) => mayHave.includes(audience)))
    throw new TokenRefusal('invalidTarget', `${notAmong} ${mayHave.join(', ')}`);
  return requested ? intersect(mayHave, requested) : [...mayHave];
}

function pickScopes(
  profileScopes: readonly string[],
  madeFor: readonly string[] | undefined,
  requested: readonly string[] | undefined,
): Pick<Issued, 'scopes' | 'scope'> {
  if (!madeFor && !requested) return { scopes: [...profileScopes] };
  const mayHave = new Set(intersect(profileScopes, madeFor).filter(isScopeToken));
  if (requested && !requested.every((scope) => mayHave.has(scope)))
    throw new TokenRefusal('invalidScope', 'a scope that the profile or the session does not have');
  const scopes = [...new Set(requested ?? mayHave)].sort();
  return { scopes, scope: scopeText(scopes) };
}

function intersect(first: readonly string[], ...others: (readonly string[] | undefined)[]): string[] {
  const sets = others.flatMap((other) => (other ? [new Set(other)] : []));
  return first.filter((text) => sets.every((set) => set.has(text)));
}

export const accessTokenSeconds = 3_600;
const dayMs = 24 * 3_600 * 1_000;
const renewalTokenMs = 30 * dayMs;
/** Length limit of a profile id, in code points. */
export const profileIdMax = 50;

/** The dialect of a request: the documented contract in JSON, or OAuth in forms. */
export type Dialect = 'documented' | 'oauth';

/** The successful answer of /token, in the documented spelling. */
export interface IssuedTokens {
  access_token: string;
  refresh_token: string;
  token_type: 'Bearer' | 'DPoP';
  expires_in: number;
}

/** The holder and its rights, as the access token states them. */
export interface Holding {
  userGuid: string;
  profileId: string;
  roleId: string;
  scopes: string[];
  /** Absent: AUDIENCES. */
  audiences?: readonly string[];
  /** The claim of narrowed scopes. */
  scope?: string;
  /** Thumbprint of the key that the token is bound to. */
  jkt?: string | undefined;
  /** When the first of its grants ends: the token ends no later. In seconds since 1970. */
  endsAtSeconds?: number | undefined;
}

/** Claims in addition to the documented eight: RFC 9068 §2.2, and `sid`, the record's uuid, with which a revocation works at once. */
type FurtherClaims = Pick<AccessTokenClaims, 'client_id' | 'jti' | 'sid'>;

/** A record and the current rights of its user, from which its next access token is made. */
export interface RenewableSession extends HeldEnds, MadeFor {
  active_kid: string;
  user_guid: string;
  profile_id: string;
  role_id: string;
  scopes: string[];
}

/** The claims of the contract: exactly the documented eight, unless `further` adds some. @param seconds lifetime */
export function claimsOf(
  { issuerUrl, config }: Pick<Dependencies, 'issuerUrl' | 'config'>,
  holding: Holding,
  now: Date,
  further?: FurtherClaims,
  seconds = accessTokenSeconds,
): AccessTokenClaims {
  const iat = Math.floor(now.getTime() / 1_000);
  const { userGuid: sub, profileId, roleId, endsAtSeconds = Number.POSITIVE_INFINITY } = holding;
  // by UTF-16 code unit, whatever the database's collation
  const scopes = [...holding.scopes].sort();
  const { audiences = config.audiences, scope, jkt } = holding;
  const aud = [...audiences];
  const narrowed = { ...(scope !== undefined && { scope }), ...(jkt !== undefined && { cnf: { jkt } }) };
  return {
    iss: issuerUrl,
    sub,
    aud,
    profileId,
    roleId,
    scopes,
    exp: Math.min(iat + seconds, endsAtSeconds),
    iat,
    ...narrowed,
    ...further,
  };
}

/** Signs an access token with the claims of the contract. @param seconds lifetime */
export function issueAccessToken(
  dependencies: Dependencies,
  ring: KeyRing,
  holding: Holding,
  now: Date,
  further?: FurtherClaims,
  seconds?: number,
): string {
  const claims = claimsOf(dependencies, holding, now, further, seconds);
  return signAccessToken(ring, claims, dependencies.config.accessTokenTyp);
}

/** Claims in addition to the documented ones: none in the documented dialect under the documented policy. */
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

/** Signs the renewal token of a record at a generation; the same values give the same bytes. */
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

/** Returns the claims of a record's renewal token. */
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

/** Returns the scopes of the issued access token. */
export function issuedScopes({ access_token }: IssuedTokens): string[] {
  const jwt = parseJwt(access_token, access_token.length);
  return 'payload' in jwt ? (jwt.payload as unknown as AccessTokenClaims).scopes : [];
}

/** The answer with an access token of that holding. */
export const answer = (
  accessToken: string,
  renewal: { token: string },
  { jkt, endsAtSeconds = Number.POSITIVE_INFINITY }: Holding,
  now: Date,
): IssuedTokens => ({
  access_token: accessToken,
  refresh_token: renewal.token,
  token_type: jkt === undefined ? 'Bearer' : 'DPoP',
  // a process whose clock is ahead may see the end behind it
  expires_in: Math.max(0, Math.min(accessTokenSeconds, endsAtSeconds - Math.floor(now.getTime() / 1_000))),
});
