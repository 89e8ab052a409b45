/** Exchanges an identity provider's ID token for tokens of one profile. */
import { hash, randomUUID } from 'node:crypto';
import type { VerifiedIdToken } from '../../auth/idToken.js';
import type { Context } from '../../context.js';
import { isGuid, isStorable } from '../../entities/valueForms.js';
import { alone, type SharedStatement, shared } from '../../sql.js';
import { lasts } from '../access/grants.js';
import { firstEnd, type HeldEnds, heldLink, heldScopesWithEnds, holdsNow } from '../access/held.js';
import { activeKidColumn, ringWith } from '../keys/activeKey.js';
import {
  answer,
  type Dialect,
  furtherClaims,
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
  requireProof,
  requireSecret,
  type StoredClient,
  searchableClientId,
} from './client.js';
import { isHardened, isRehearsal } from './policy.js';
import { type PresentedProof, proofMissing } from './proofOfPossession.js';
import {
  deferProviderLogouts,
  isSignedOut,
  issuedBeforeSignOut,
  providerTypes,
  signInOf,
  wasSignedOut,
} from './providerLogout.js';
import { TokenRefusal, verifyProviderToken } from './tokenRefusal.js';
import { hasSeveralIssuers } from './usersOfNoIssuer.js';

/** A client and the ID token of a person. */
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
  /** Requests fewer audiences and scopes than the profile gives; absent: all. */
  narrowing?: Narrowing | undefined;
}

/**
 * Throws TokenRefusal `invalidClient`, `invalidIdToken`, `invalidProfile`, `invalidTarget`, `invalidScope` or `invalidProof`, checked in that
 * order, and UNAVAILABLE when the identity provider can't be reached.
 */
export async function exchange(context: Context, request: ExchangeRequest): Promise<IssuedTokens> {
  const { profileId } = request;
  const searchable = isStorable(profileId) && [...profileId].length <= profileIdMax ? profileId : null;
  const { holder, verified, jkt } = await requireHolder<ExchangeLookup>(context, request, lookUps, searchable);
  return issue(context, request, holder, verified, jkt);
}

/** The client and the person, as the look-up reads them; `user_guid` is null when the person is refused. */
interface Holder extends StoredClient {
  user_guid: string | null;
}

/**
 * Checks the client, its proof and the ID token, and reads the person with one statement. Throws TokenRefusal `invalidClient`,
 * `invalidIdToken`, `invalidProfile` or `invalidProof`, checked in that order, and UNAVAILABLE when the identity provider can't be reached.
 * @param statements have the values of `signInTypes`
 */
export async function requireHolder<Found extends Holder>(
  context: Context,
  request: SignInRequest,
  statements: Record<Subject, SharedStatement>,
  profileId: string | null,
): Promise<{ holder: Found; verified: VerifiedIdToken; jkt: string | undefined }> {
  // authenticates a client without a remembered hash before doing any work for it
  const rememberedHash = await authenticateEarly(context, request);
  const jkt = await requireProof(context, request);
  const verified = await verifyIdToken(context, request.idToken).catch((refusal: unknown) => refusal as Error);
  const { kind, ...subject } = subjectValues(context, verified instanceof Error ? undefined : verified);
  const values = { client_id: searchableClientId(request), ...subject, profile_id: profileId };
  const holder = await context.sql.batchedRow<Found>(statements[kind], values);
  await requireSecret(context, request, holder, rememberedHash);
  if (verified instanceof Error) throw verified;
  if (!holder.user_guid) throw await invalidProfile(context, verified, profileId);
  if (holder.dpop_required && jkt === undefined) throw proofMissing();
  return { holder, verified, jkt };
}

/** Throws TokenRefusal `invalidIdToken`, and UNAVAILABLE when the identity provider can't be reached. */
export async function verifyIdToken(
  context: Pick<Context, 'idTokens'>,
  idToken: string | undefined,
  purpose?: 'pipeline',
): Promise<VerifiedIdToken> {
  if (!idToken) throw new TokenRefusal('invalidIdToken', 'no ID token');
  return verifyProviderToken(context, 'invalidIdToken', idToken, purpose);
}

/** The length up to which an unknown profile's id is shown whole; guids are too. */
const profileIdShownMax = 20;

async function invalidProfile(
  context: Context,
  verified: VerifiedIdToken,
  profileId: string | null,
): Promise<TokenRefusal> {
  const { kind, ...subject } = subjectValues(context, verified);
  const values = { client_id: null, ...subject, profile_id: profileId };
  const state = await context.sql.batchedRow<HolderState>(holderStates[kind], values);
  return new TokenRefusal('invalidProfile', explainProfile(state, profileId));
}

function explainProfile(state: HolderState, profileId: string | null): string {
  if (!state.is_known) return 'no such user of that issuer';
  if (state.is_blocked) return 'user blocked';
  if (state.ended_at !== null) return `profile ended at ${state.ended_at}`;
  if (state.is_profile) return 'profile not held';
  if (!profileId) return 'no such profile';
  // another field's secret may have been sent as the profile
  const looksLikeId = profileId.length <= profileIdShownMax || isGuid(profileId);
  return `no such profile: ${JSON.stringify(looksLikeId ? profileId : `${profileId.slice(0, 4)}…`)}`;
}

/** The values by which the statements find the person of an ID token; without a token they find no one. */
export function subjectValues(
  { config }: Pick<Context, 'config'>,
  verified: VerifiedIdToken | undefined,
): { kind: Subject; idpname: string | null; sub: string | null } {
  const subject = verified?.issuer.subject ?? 'idpid';
  const isSearchable = (sub: string) => isStorable(sub) && (subject === 'idpid' || isGuid(sub));
  const sub = verified && isSearchable(verified.sub) ? verified.sub : null;
  const kind = subject === 'userGuid' && !hasSeveralIssuers(config) ? 'onlyIssuersUserGuid' : subject;
  return { kind, idpname: verified?.issuer.idpname ?? null, sub };
}

async function issue(
  context: Context,
  request: ExchangeRequest,
  lookup: ExchangeLookup,
  verified: VerifiedIdToken,
  jkt: string | undefined,
): Promise<IssuedTokens> {
  const ring = await ringWith(context.keys, lookup.active_kid);
  const { profileId, clientId } = request;
  const issued = narrowFirst(context.config, lookup.allowed_audiences, lookup.scopes!, request.narrowing);
  const endsAtSeconds = firstEnd(lookup, issued.scopes);
  const holding = { userGuid: lookup.user_guid!, profileId, roleId: lookup.role_id!, jkt, endsAtSeconds, ...issued };
  const tokenGuid = randomUUID();
  const record = { userGuid: holding.userGuid, tokenGuid, generation: 0 };
  const renewal = prepareRenewalToken(context, ring, record, context.clock.now());
  const isStrict = isHardened(context.config, lookup.client_policy);
  const now = new Date();
  const accessToken = issueAccessToken(context, ring, holding, now, furtherClaims(request, tokenGuid, isStrict));
  const isRehearsed = !isStrict && isRehearsal(context.config);
  const values = {
    token_guid: tokenGuid,
    user_id: holding.userGuid,
    profile_id: profileId,
    token: renewal.hash,
    created_at: renewal.createdAt,
    expires_at: renewal.expiresAt,
    // the documented flow sets neither
    client_id: isStrict || isRehearsed ? clientId : null,
    created_by_ip: isStrict ? context.address : null,
    audience: joinTexts(request.narrowing?.audiences),
    scope: joinTexts(request.narrowing?.scopes),
    jkt: jkt ?? null,
    issuer: verified.issuer.issuer,
    ...signInOf(verified),
    ...((isStrict || isRehearsed) && identifyUse(verified, profileId)),
  };
  const kind = isStrict ? firstInserts : isRehearsed ? rehearsedInserts : inserts;
  const statement = kind[lookup.login_is_old ? 'withLogin' : 'ofRecord'];
  const inserted = await context.sql.batchedRow<Inserted>(statement, values);
  if (inserted.token_guid === null) {
    const signOut = await findSignOut(context, verified);
    if (signOut) throw signOut;
    if (inserted.is_entitled) throw new TokenRefusal('invalidIdToken', 'it was exchanged for this profile before');
    const { holds } = await context.sql.batchedRow<{ holds: boolean }>(holdsAfterChange, values);
    if (!holds) throw await invalidProfile(context, verified, profileId);
    return issue(context, request, lookup, verified, jkt);
  }
  if (isRehearsed) context.rehearsal?.note(clientId, '/token', inserted.is_first ? 'passed' : 'repeatedIdToken');
  context.grantUses.note(holding.userGuid, profileId);
  return answer(accessToken, renewal, holding, now);
}

interface Inserted {
  token_guid: string | null;
  /** Whether nothing but an earlier use of the ID token was in the way. */
  is_entitled: boolean;
  is_first?: boolean;
}

/** Returns the refusal of an ID token that was issued before the person signed out at the provider. */
export async function findSignOut({ sql }: Context, verified: VerifiedIdToken): Promise<TokenRefusal | undefined> {
  if (!(await wasSignedOut(sql, verified))) return undefined;
  return new TokenRefusal('invalidIdToken', issuedBeforeSignOut);
}

/**
 * Identifies an ID token, so that each is exchanged only once: by its `jti`, or else by the text that its signature covers,
 * until it can no longer be exchanged. The signature itself is left out, since an ECDSA
 * signature has a second spelling, which would make the same token look like another.
 */
function identifyUse({ issuer, claims, signingInput, endsAtSeconds }: VerifiedIdToken, profileId: string) {
  const { jti } = claims;
  const name = typeof jti === 'string' && jti !== '' ? ['jti', jti] : ['text', signingInput];
  const text = JSON.stringify([issuer.issuer, ...name, profileId]);
  return { use_hash: hash('sha256', text, 'base64url'), use_ends_at: new Date(endsAtSeconds * 1_000) };
}

interface ExchangeLookup extends StoredClient, HeldEnds {
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
type Subject = keyof typeof subjectConditions;
/** The values by which the statements of a sign-in find client, person and profile. */
export const signInTypes = { client_id: 'text', idpname: 'text', sub: 'text', profile_id: 'text' };

/** Makes a statement for each kind of subject. @param make gets the condition that finds the user `u` */
export const bySubject = (make: (condition: string) => SharedStatement): Record<Subject, SharedStatement> => ({
  userGuid: make(subjectConditions.userGuid),
  onlyIssuersUserGuid: make(subjectConditions.onlyIssuersUserGuid),
  idpid: make(subjectConditions.idpid),
});

/** @param isUser SQL: finds the user `u` @param scopes SQL: the scopes of `holder.held_profile_id` with their ends, a table */
const lookUp = (requests: string, isUser: string, scopes: string): string => `
  select asked.ord, ${clientColumns}, ${activeKidColumn}, holder.*, held.scopes, held.scope_ends
  from ${requests}
  left join clients client on client.client_id = asked.client_id
  left join lateral (
    select u.user_guid, link.role_id, link.role_ends, coalesce(u.last_login_date < now() - interval '1 hour', true) as login_is_old,
      asked.profile_id as held_profile_id
    from users u cross join lateral ${heldLink('u.user_id', 'asked.profile_id')} link
    where ${isUser} and not u.is_blocked
  ) holder on true
  left join ${scopes}`;
/** Find the holder of a profile and the client. Many requests read the scopes of a profile once. */
export const lookUps = bySubject((isUser) =>
  shared(signInTypes, ({ rows, isMany }) =>
    isMany
      ? `with asked as materialized (select * from ${rows}), held as materialized (
    select profile_id, held.* from (select distinct profile_id from asked) profile
    cross join lateral ${heldScopesWithEnds('profile.profile_id')} held)
  ${lookUp('asked', isUser, 'held on held.profile_id = holder.held_profile_id')}`
      : lookUp(rows, isUser, `lateral ${heldScopesWithEnds('holder.held_profile_id')} held on true`),
  ),
);

/** The reason why no holder was found. */
interface HolderState {
  is_known: boolean;
  is_blocked: boolean | null;
  is_profile: boolean;
  /** When the last of the person's links to the profile ended; null: none has. */
  ended_at: string | null;
}
const holderStates = bySubject((isUser) =>
  shared(
    signInTypes,
    ({ rows }) => `
  select asked.ord, u.user_guid is not null as is_known, u.is_blocked,
    exists (select from profiles where profile_id = asked.profile_id) as is_profile,
    (select max(link.valid_until) from user_profiles link
     where link.user_id = u.user_id and link.profile_id = asked.profile_id and not ${lasts('link')}) as ended_at
  from ${rows} left join users u on ${isUser}`,
  ),
);

const recordTypes = {
  token_guid: 'uuid',
  user_id: 'uuid',
  profile_id: 'text',
  token: 'bytea',
  created_at: 'timestamptz',
  expires_at: 'timestamptz',
  client_id: 'text',
  created_by_ip: 'text',
  audience: 'text',
  scope: 'text',
  jkt: 'text',
  issuer: 'text',
};
/** Identify a first use. */
const useTypes = { use_hash: 'text', use_ends_at: 'timestamptz' };
const recordColumns = Object.keys(recordTypes);

// our estimate of the database's clock may be ahead, and started_at is compared with that clock
const record = `
  insert into tokens (generation, token_type, started_at, ${recordColumns.join(', ')})
  select 0, 'refresh', least(asked.created_at, now()), ${recordColumns.map((name) => `asked.${name}`).join(', ')} from asked returning token_guid`;

// a row that another transaction has locked is skipped: that transaction writes the date, and no request waits for it
const login = `login as (
  update users set last_login_date = old.at from (
    select u.user_id, asked.created_at as at from asked join users u on u.user_guid = asked.user_id
    where u.last_login_date is null or u.last_login_date < asked.created_at - interval '1 hour'
    for no key update of u skip locked
  ) old where users.user_id = old.user_id),`;

const session = `
  insert into provider_sessions (token_guid, session_hash)
  select asked.token_guid, asked.session_hash from asked where asked.session_hash is not null`;

/**
 * SQL: the requests of people who are still signed in at the provider, and still hold the profile. It is part of the insert, so that a
 * user who signed out, was blocked or lost the profile before it gets no record. Nobody else waits for a change that is under way.
 */
const entitled = `select asked.* from requested asked cross join lateral ${holdsNow('asked.user_id', 'asked.profile_id', 'skip locked')} holding
    where ${deferProviderLogouts} and not ${isSignedOut}`;

/** Waits for a change that ends sessions of the user. */
const holdsAfterChange = alone(
  { user_id: 'uuid', profile_id: 'text' },
  ({ value }) => `select exists ${holdsNow(value('user_id'), value('profile_id'))} as holds`,
);

// in one order, so that two of these never deadlock
const noted = `noted as (
    insert into id_token_uses (use_hash, ends_at) select use_hash, use_ends_at from given order by use_hash
    on conflict do nothing returning use_hash
  )`;

/** @param chosenRows SQL: selects the rows to insert from `given` and `noted`; absent: all @param further columns to return */
function insert(hasLogin: boolean, chosenRows?: string, further = ''): SharedStatement {
  const requests = chosenRows ? `${noted}, asked as materialized (${chosenRows})` : 'asked as (select * from given)';
  const types: Record<string, string> = { ...recordTypes, ...providerTypes, ...(chosenRows && useTypes) };
  return shared(
    types,
    ({ rows }) => `
  with requested as materialized (select * from ${rows}), given as materialized (${entitled}), ${requests}, session as (${session}),
  ${hasLogin ? login : ''} inserted as (${record})
  select requested.ord, inserted.token_guid, requested.ord in (select ord from given) as is_entitled${further}
  from requested left join inserted using (token_guid)
  ${further && 'left join asked using (token_guid)'}`,
  );
}

/** `ofRecord` inserts a record; `withLogin` writes the date of the user's last log-in too. */
const insertsOf = (chosenRows?: string, further?: string) => ({
  ofRecord: insert(false, chosenRows, further),
  withLogin: insert(true, chosenRows, further),
});

/** `token_guid` is null when the user signed out at the provider after the ID token was issued, and when `is_entitled` is false. */
export const inserts = insertsOf();

// exactly one of several simultaneous uses is inserted
const firstOnly = `
    select distinct on (use_hash) given.* from given join noted using (use_hash) order by use_hash, ord`;
const markFirst = `
    select given.*, noted.use_hash is not null and row_number() over (partition by use_hash order by ord) = 1 as is_first
    from given left join noted using (use_hash)`;

/**
 * Insert a record only for the first use of an ID token, with the values of `useTypes`. `token_guid` is null for a repeated use too.
 */
const firstInserts = insertsOf(firstOnly);

/** Insert a record for every use of an ID token, with the values of `useTypes`; `is_first` says whether it was the first. */
const rehearsedInserts = insertsOf(markFirst, ', asked.is_first');
