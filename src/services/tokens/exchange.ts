/** The exchange grant: an identity provider's ID token becomes tokens for one profile. */
import { hash, randomUUID } from 'node:crypto';
import { IdentityProviderUnavailable, IdTokenInvalid, type VerifiedIdToken } from '../../auth/idToken.js';
import type { Context } from '../../context.js';
import { isGuid } from '../../entities/guid.js';
import { isStorable } from '../../entities/storableText.js';
import { unavailable } from '../../errors.js';
import type { SharedStatement } from '../../sql.js';
import { activeKidColumn, ringWith } from '../keys/keyStore.js';
import {
  answer,
  type Dialect,
  furtherClaims,
  heldRole,
  heldScopes,
  type IssuedTokens,
  issueAccessToken,
  joinTexts,
  type Narrowing,
  narrowFirst,
  prepareRenewalToken,
  profileIdMax,
} from './claims.js';
import {
  authenticateEarly,
  type Credentials,
  clientColumns,
  requireSecret,
  type StoredClient,
  searchableClientId,
} from './client.js';
import { isHardened, isRehearsal, rehearseExchange } from './policy.js';
import { type PresentedProof, proofMissing, requireProof } from './proofOfPossession.js';
import { deferProviderLogouts, isSignedOut, signInOf, wasSignedOut } from './providerLogout.js';
import { TokenRefusal } from './tokenRefusal.js';
import { hasSeveralIssuers } from './usersOfNoIssuer.js';

/** A client and the person whom an ID token names. */
export interface SignInRequest extends Credentials {
  /** A missing token is refused like an invalid one. */
  idToken: string | undefined;
  /** Proves possession of a key. */
  proof?: PresentedProof | undefined;
}

/** A proof binds the tokens to its key. */
export interface ExchangeRequest extends SignInRequest {
  profileId: string;
  dialect: Dialect;
  /** Fewer audiences and scopes than the profile gives; absent: all. */
  narrowing?: Narrowing | undefined;
}

/**
 * Throws TokenRefusal `invalidClient`, `invalidIdToken`, `invalidProfile`, `invalidTarget`, `invalidScope` or `invalidProof`, judged in that
 * order, and UNAVAILABLE when the identity provider can't be asked.
 */
export async function exchange(context: Context, request: ExchangeRequest): Promise<IssuedTokens> {
  const { profileId } = request;
  const searchable = isStorable(profileId) && [...profileId].length <= profileIdMax ? profileId : null;
  const { holder, verified, jkt } = await requireHolder<ExchangeLookup>(context, request, lookUps, searchable);
  return issue(context, request, holder, verified, jkt);
}

/** What a look-up reads of the client and the person; `user_guid` is null where the person is refused. */
interface Holder extends StoredClient {
  user_guid: string | null;
}

/**
 * Checks the client, its proof and the ID token, and reads the person with one statement. Throws TokenRefusal `invalidClient`,
 * `invalidIdToken`, `invalidProfile` or `invalidProof`, judged in that order, and UNAVAILABLE when the identity provider can't be asked.
 * @param statements $1 is the client id, $2 the issuer's idpname, $3 the subject, $4 the profile id
 */
export async function requireHolder<Found extends Holder>(
  context: Context,
  request: SignInRequest,
  statements: Record<keyof typeof subjectConditions, SharedStatement>,
  profileId: string | null,
): Promise<{ holder: Found; verified: VerifiedIdToken; jkt: string | undefined }> {
  // a client that isn't remembered is authenticated before any work is done for it
  const known = await authenticateEarly(context, request);
  const jkt = request.proof && (await requireProof(context, request.proof));
  const verified = await verifyIdToken(context, request.idToken).catch((refusal: unknown) => refusal as Error);
  const { kind, sub, idpname } = subjectOf(context, verified instanceof Error ? undefined : verified);
  const values = [searchableClientId(request), idpname, sub, profileId];
  const holder = await context.sql.batchedRow<Found>(statements[kind], values);
  await requireSecret(context, request, holder, known);
  if (verified instanceof Error) throw verified;
  if (!holder.user_guid) {
    const state = await context.sql.batchedRow<HolderState>(holderStates[kind], values);
    throw new TokenRefusal('invalidProfile', explainProfile(state));
  }
  if (holder.dpop_required && jkt === undefined) throw proofMissing();
  return { holder, verified, jkt };
}

async function verifyIdToken({ idTokens }: Context, idToken: string | undefined): Promise<VerifiedIdToken> {
  if (!idToken) throw new TokenRefusal('invalidIdToken', 'no ID token');
  try {
    return await idTokens.verify(idToken);
  } catch (error) {
    if (error instanceof IdTokenInvalid) throw new TokenRefusal('invalidIdToken', error.reason);
    if (error instanceof IdentityProviderUnavailable)
      throw unavailable('The identity provider', error, error.retryAfterSeconds);
    throw error;
  }
}

function explainProfile(state: HolderState): string {
  if (!state.is_known) return 'no such user of that issuer';
  if (state.is_blocked) return 'user blocked';
  return state.is_profile ? 'profile not held' : 'no such profile';
}

/** How the statements find the person whom an ID token names; they find nobody without one. */
function subjectOf(
  { config }: Context,
  verified: VerifiedIdToken | undefined,
): { kind: keyof typeof subjectConditions; idpname: string | null; sub: string | null } {
  const subject = verified?.issuer.subject ?? 'idpid';
  const isSearchable = (sub: string) => isStorable(sub) && (subject === 'idpid' || isGuid(sub));
  const sub = verified && isSearchable(verified.sub) ? verified.sub : null;
  const kind = subject === 'userGuid' && !hasSeveralIssuers(config) ? 'onlyIssuersUserGuid' : subject;
  return { kind, idpname: verified?.issuer.idpname ?? null, sub };
}

async function issue(
  context: Context,
  request: ExchangeRequest,
  found: ExchangeLookup,
  verified: VerifiedIdToken,
  jkt: string | undefined,
): Promise<IssuedTokens> {
  const ring = await ringWith(context.keys, found.active_kid);
  const { profileId, clientId } = request;
  const issued = narrowFirst(context.config, found.allowed_audiences, found.scopes!, request.narrowing);
  const holding = { userGuid: found.user_guid!, profileId, roleId: found.role_id!, jkt, ...issued };
  const tokenGuid = randomUUID();
  const renewal = prepareRenewalToken(
    context,
    ring,
    { userGuid: holding.userGuid, tokenGuid, generation: 0 },
    context.clock.now(),
  );
  const isStrict = isHardened(context.config, found.client_policy);
  const accessToken = issueAccessToken(context, ring, holding, new Date(), furtherClaims(request, tokenGuid, isStrict));
  const isRehearsed = !isStrict && isRehearsal(context.config);
  // the documented flow sets neither
  const boundTo = [isStrict || isRehearsed ? clientId : null, isStrict ? context.address : null];
  const { issuer } = verified.issuer;
  const madeFor = [joinTexts(request.narrowing?.audiences), joinTexts(request.narrowing?.scopes)];
  const { hash, createdAt, expiresAt } = renewal;
  const values = [
    tokenGuid,
    holding.userGuid,
    profileId,
    hash,
    createdAt,
    expiresAt,
    ...boundTo,
    ...madeFor,
    jkt ?? null,
    issuer,
    ...signInOf(verified),
  ];
  const kind = isStrict ? firstInserts : isRehearsed ? rehearsedInserts : inserts;
  const statement = kind[found.login_is_old ? 'withLogin' : 'ofRecord'];
  const use = isStrict || isRehearsed ? identifyUse(verified, profileId) : undefined;
  const made = await context.sql.batchedRow<{ token_guid: string | null; is_first?: boolean }>(
    statement,
    use ? [...values, use.hash, use.endsAt] : values,
  );
  if (made.token_guid === null)
    throw (
      (await findSignOut(context, verified)) ??
      new TokenRefusal('invalidIdToken', 'it was exchanged for this profile before')
    );
  if (isRehearsed) rehearseExchange(context, clientId, made.is_first!);
  return answer(accessToken, renewal, jkt);
}

/** The refusal of an ID token that was issued before its person signed out at the provider. */
export async function findSignOut({ sql }: Context, verified: VerifiedIdToken): Promise<TokenRefusal | undefined> {
  if (!(await wasSignedOut(sql, verified))) return undefined;
  return new TokenRefusal('invalidIdToken', 'it is of before a sign-out at its provider');
}

/** Single use: what identifies an ID token that is exchanged again, and until when it could be. */

interface IdTokenUse {
  hash: string;
  endsAt: Date;
}

/**
 * A token is identified by its `jti`, or else by the text that its signature covers. The signature is left out, since an ECDSA
 * signature has a second spelling, which would make the same token look like another.
 */
function identifyUse({ issuer, claims, signingInput, endsAtSeconds }: VerifiedIdToken, profileId: string): IdTokenUse {
  const { jti } = claims;
  const name = typeof jti === 'string' && jti !== '' ? ['jti', jti] : ['text', signingInput];
  const text = JSON.stringify([issuer.issuer, ...name, profileId]);
  return { hash: hash('sha256', text, 'base64url'), endsAt: new Date(endsAtSeconds * 1_000) };
}

/** The two statements of an exchange: the look-up of the profile's holder, and the insert of the record; for one or for many. */

interface ExchangeLookup extends StoredClient {
  active_kid: string;
  user_guid: string | null;
  login_is_old: boolean | null;
  role_id: string | null;
  scopes: string[] | null;
}

// `userGuid`: the subject is the user's guid, and the user's idpname is the issuer's. `onlyIssuersUserGuid`: the same with a
// single issuer, where idpname may be null. `idpid`: the subject is the user's id at that provider. So no provider can assert
// another provider's users.
export const subjectConditions = {
  userGuid: 'u.user_guid = asked.sub::uuid and u.idpname = asked.idpname',
  onlyIssuersUserGuid: 'u.user_guid = asked.sub::uuid and (u.idpname is null or u.idpname = asked.idpname)',
  idpid: 'u.idpname = asked.idpname and u.idpid = asked.sub',
};
const asOne = '(values (1, $1::text, $2::text, $3::text, $4::text)) asked(ord, client_id, idpname, sub, profile_id)';
const asMany =
  'unnest($1::text[], $2::text[], $3::text[], $4::text[]) with ordinality asked(client_id, idpname, sub, profile_id, ord)';

const lookUp = (asked: string, subject: keyof typeof subjectConditions, scopes: string): string => `
  select asked.ord, ${clientColumns}, ${activeKidColumn}, holder.*, case when holder.user_guid is not null then ${scopes} end as scopes
  from ${asked}
  left join clients client on client.client_id = asked.client_id
  left join lateral (
    select u.user_guid, link.role_id, coalesce(u.last_login_date < now() - interval '1 hour', true) as login_is_old
    from users u cross join lateral ${heldRole('u.user_id', 'asked.profile_id')} link
    where ${subjectConditions[subject]} and not u.is_blocked
  ) holder on true`;
const heldByAsked = '(select held.scopes from held where held.profile_id = asked.profile_id)';
const lookUpFor = (subject: keyof typeof subjectConditions): SharedStatement => ({
  one: lookUp(asOne, subject, heldScopes('asked.profile_id')),
  many: `with asked as materialized (select * from ${asMany}), held as materialized (
    select profile_id, ${heldScopes('profile.profile_id')} as scopes from (select distinct profile_id from asked) profile)
  ${lookUp('asked', subject, heldByAsked)}`,
});
/** Finds the holder of a profile and the client. Values: client id, the issuer's idpname, subject, profile id. */
export const lookUps = {
  userGuid: lookUpFor('userGuid'),
  onlyIssuersUserGuid: lookUpFor('onlyIssuersUserGuid'),
  idpid: lookUpFor('idpid'),
};

/** Why nobody was found to hold the profile. */
interface HolderState {
  is_known: boolean;
  is_blocked: boolean | null;
  is_profile: boolean;
}
const holderState = (asked: string, subject: keyof typeof subjectConditions): string => `
  select asked.ord, u.user_guid is not null as is_known, u.is_blocked,
    exists (select from profiles where profile_id = asked.profile_id) as is_profile
  from ${asked} left join users u on ${subjectConditions[subject]}`;
const holderStateFor = (subject: keyof typeof subjectConditions): SharedStatement => ({
  one: holderState(asOne, subject),
  many: holderState(asMany, subject),
});
/** Takes the same values as `lookUps`. */
const holderStates = {
  userGuid: holderStateFor('userGuid'),
  onlyIssuersUserGuid: holderStateFor('onlyIssuersUserGuid'),
  idpid: holderStateFor('idpid'),
};

const names = [
  'token_guid',
  'user_id',
  'profile_id',
  'token',
  'created_at',
  'expires_at',
  'client_id',
  'created_by_ip',
  'audience',
  'scope',
  'jkt',
  'issuer',
];
const types = [
  'uuid',
  'uuid',
  'text',
  'bytea',
  'timestamptz',
  'timestamptz',
  'text',
  'text',
  'text',
  'text',
  'text',
  'text',
];
/** The record's values, and the sign-in at the provider that it comes from. */
const [askedNames, askedTypes] = [
  [...names, 'session_hash', 'user_hash', 'issued_at'],
  [...types, 'text', 'text', 'timestamptz'],
];
/** Identify a first use; they follow the record's values. */
const useNames = ['use_hash', 'use_ends_at'];
const useTypes = ['text', 'timestamptz'];

// our estimate of the database's clock may be ahead, and started_at is compared with that clock
const recordOf = (asked: string) => `
  insert into tokens (generation, token_type, started_at, ${names.join(', ')})
  select 0, 'refresh', least(asked.created_at, now()), ${names.map((name) => `asked.${name}`).join(', ')} from ${asked} returning token_guid`;

// a row that another transaction has locked is skipped: that transaction writes the date, and nobody waits for it
const login = (asked: string) => `
  update users set last_login_date = old.at from (
    select u.user_id, asked.created_at as at from ${asked} join users u on u.user_guid = asked.user_id
    where u.last_login_date is null or u.last_login_date < asked.created_at - interval '1 hour'
    for no key update of u skip locked
  ) old where users.user_id = old.user_id`;

const session = (asked: string) => `
  insert into provider_sessions (token_guid, session_hash)
  select asked.token_guid, asked.session_hash from ${asked} where asked.session_hash is not null`;

const columns = (types: readonly string[], suffix: string) =>
  types.map((type, index) => `$${index + 1}::${type}${suffix}`).join(', ');
const rowOf = (names: readonly string[], types: readonly string[]) =>
  `(values (${columns(types, '')})) asked(${names.join(', ')})`;
const rowsOf = (names: readonly string[], types: readonly string[]) =>
  `select * from unnest(${columns(types, '[]')}) with ordinality asked(${names.join(', ')}, ord)`;

// part of the insert, so that a user who signed out before it gets no record
const stillSignedIn = `where ${deferProviderLogouts} and not ${isSignedOut('asked')}`;

function insert(hasLogin: boolean): SharedStatement {
  const inserted = (
    rows: string,
  ) => `with asked as materialized (${rows} ${stillSignedIn}), session as (${session('asked')}),
    ${hasLogin ? `login as (${login('asked')}),` : ''} inserted as (${recordOf('asked')})`;
  return {
    one: `${inserted(`select * from ${rowOf(askedNames, askedTypes)}`)}
    select token_guid from (values (1)) one left join inserted on true`,
    many: `${inserted(rowsOf(askedNames, askedTypes))} select asked.ord, token_guid from asked join inserted using (token_guid)`,
  };
}

/**
 * Insert a record, `withLogin` also the date of the user's last log-in. `token_guid` is null when the user signed out at the
 * provider after the ID token was issued.
 */
export const inserts = { ofRecord: insert(false), withLogin: insert(true) };

const firstOnly = `
    select distinct on (use_hash) given.* from given join noted using (use_hash) order by use_hash, ord`;
const markFirst = `
    select given.*, noted.use_hash is not null and row_number() over (partition by use_hash order by ord) = 1 as is_first
    from given left join noted using (use_hash)`;

// exactly one of several simultaneous uses is inserted; in one order, so that two of these never deadlock
const usesOf = (given: string, hasLogin: boolean, taken: string) => `
  with given as materialized (${given} ${stillSignedIn}), noted as (
    insert into id_token_uses (use_hash, ends_at) select use_hash, use_ends_at from given order by use_hash
    on conflict do nothing returning use_hash
  ), asked as materialized (${taken}
  ), session as (${session('asked')}), ${hasLogin ? `login as (${login('asked')}),` : ''} inserted as (${recordOf('asked')})`;

/** @param taken SQL that chooses the rows to insert @param further columns to return beside `token_guid` */
function insertWithUse(hasLogin: boolean, taken: string, further = ''): SharedStatement {
  const [allNames, allTypes] = [
    [...askedNames, ...useNames],
    [...askedTypes, ...useTypes],
  ];
  const row = `select *, 1 as ord from ${rowOf(allNames, allTypes)}`;
  return {
    one: `${usesOf(row, hasLogin, taken)} select token_guid${further} from (values (1)) one left join (asked join inserted using (token_guid)) on true`,
    many: `${usesOf(rowsOf(allNames, allTypes), hasLogin, taken)}
    select asked.ord, token_guid${further} from asked join inserted using (token_guid)`,
  };
}

/**
 * The same, only for the first use of an ID token. Its hash and end follow the record's values. `token_guid` is null for a
 * repeated use, and after a sign-out.
 */
const firstInserts = { ofRecord: insertWithUse(false, firstOnly), withLogin: insertWithUse(true, firstOnly) };

/** The same with the same values, except that every use inserts a record; `is_first` says whether it was the first. */
const rehearsedInserts = {
  ofRecord: insertWithUse(false, markFirst, ', is_first'),
  withLogin: insertWithUse(true, markFirst, ', is_first'),
};
