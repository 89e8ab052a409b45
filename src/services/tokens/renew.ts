/** Renews: exchanges a renewal token for a new access token and the next renewal token, in one atomic statement. */
import { renewalTokenHash } from '../../auth/tokenFormat.js';
import type { Context } from '../../context.js';
import { isStorable } from '../../entities/valueForms.js';
import { note } from '../../observability/currentRequest.js';
import { type SharedStatement, shared, valuesOf } from '../../sql.js';
import { firstEnd, heldLink, heldRole, heldScopes, heldScopesWithEnds } from '../access/held.js';
import { activeKidColumn, ringWith } from '../keys/activeKey.js';
import {
  answer,
  audienceValues,
  furtherClaims,
  hasAudience,
  type IssuedTokens,
  issueAccessToken,
  isWithin,
  joinTexts,
  narrow,
  type PreparedRenewalToken,
  prepareRenewalToken,
  type RenewableSession,
} from './claims.js';
import {
  authenticateEarly,
  clientColumns,
  clientStands,
  lastUseIsOld,
  noteUse,
  requireProof,
  requireSecret,
  type StoredClient,
  searchableClientId,
} from './client.js';
import { hardened, isHardened, isOneHardened, isRehearsal, rehearseRenewal } from './policy.js';
import {
  type JudgedRenewal,
  judgeRefusedRenewal,
  type ProvenRenewal,
  type RenewalRequest,
  recoverRenewal,
  renewalKeyOf,
} from './refusedRenewal.js';
import { findClaimedRecord, findNamedRecord, isLive, lookupOf, readRecord, type TokenRecord } from './renewalToken.js';
import { TokenRefusal } from './tokenRefusal.js';

/**
 * Throws TokenRefusal `invalidClient`, `invalidRenewalToken`, `invalidTarget` or `invalidScope`, checked in that order,
 * and `invalidProof` before the token is checked.
 */
export async function renew(context: Context, presentedRequest: RenewalRequest): Promise<IssuedTokens> {
  const hash = await authenticateEarly(context, presentedRequest);
  const request = { ...presentedRequest, jkt: await requireProof(context, presentedRequest) };
  const claimed = findClaimed(context, request.refreshToken);
  if (claimed) return renewPresented(context, request, hash, claimed, false);
  return renewPresented(context, request, hash, await findPresented(context, request.refreshToken), true);
}

/** @param isProven whether the token's signature was verified; otherwise only a record with its hash proves the token */
async function renewPresented(
  context: Context,
  request: ProvenRenewal,
  hash: string,
  presented: Presented | undefined,
  isProven: boolean,
): Promise<IssuedTokens> {
  const successor = presented && prepareSuccessor(context, presented);
  const renewed = await rewriteFor(context, request, hash, successor);
  if (renewed.user_guid !== null) {
    rehearseRenewal(context, request, renewed);
    return issue(context, request, successor!, renewed, successor!.renewal);
  }
  const proven = isProven ? presented : await findPresented(context, request.refreshToken);
  if (proven && proven.record.tokenGuid !== presented!.record.tokenGuid)
    return renewPresented(context, request, hash, proven, true);
  return recover(context, request, proven, renewed);
}

/** Repeats a lost answer of a renewal. Throws the reason of the refusal when no answer was lost. */
async function recover(
  context: Context,
  request: ProvenRenewal,
  presented: Presented | undefined,
  client: NotRenewed,
): Promise<IssuedTokens> {
  if (!presented) throw new TokenRefusal('invalidRenewalToken', 'unknown');
  const judged = applyPolicy(context, request, client);
  const recovered = await recoverRenewal(context, judged, presented.record);
  if (!recovered) throw await judgeRefusedRenewal(context, presented.record, judged);
  const { allowed_audiences, client_policy } = client;
  const holder = { ...recovered, allowed_audiences, client_policy };
  rehearseRenewal(context, request, holder);
  return issue(context, request, presented, holder, { token: recovered.refreshToken });
}

/** Applies the policy to the request: the documented policy ignores the profile in a JSON body. */
function applyPolicy({ config }: Context, request: ProvenRenewal, client: NotRenewed): JudgedRenewal {
  const isStrict = isHardened(config, client.client_policy);
  return {
    ...request,
    profileId: isStrict || request.dialect === 'oauth' ? request.profileId : undefined,
    namedProfileId: request.profileId,
    isHardened: isStrict,
    isProofRequired: client.dpop_required,
    allowedAudiences: client.allowed_audiences,
  };
}

async function issue(
  context: Context,
  request: ProvenRenewal,
  { record }: Presented,
  holder: Omit<Renewed, 'use_is_old'>,
  renewal: { token: string },
): Promise<IssuedTokens> {
  const { active_kid, user_guid: userGuid, profile_id: profileId, role_id: roleId } = holder;
  const issued = narrow(context.config, holder, holder.allowed_audiences, holder.scopes, request.narrowing);
  const ring = await ringWith(context.keys, active_kid);
  const further = furtherClaims(request, record.tokenGuid, isHardened(context.config, holder.client_policy));
  const { jkt } = request;
  const holding = { userGuid, profileId, roleId, jkt, endsAtSeconds: firstEnd(holder, issued.scopes), ...issued };
  const now = new Date();
  context.grantUses.note(userGuid, profileId);
  return answer(issueAccessToken(context, ring, holding, now, further), renewal, holding, now);
}

/**
 * Renews against the client's current record. A renewed record proves the client, because the statement compares its hash.
 * When nothing was renewed and the secret matches another hash, stored in the meantime, the renewal runs again with that hash.
 */
async function rewriteFor(
  context: Context,
  request: ProvenRenewal,
  hash: string,
  successor: Successor | undefined,
): Promise<Renewed | NotRenewed> {
  const row = await rewrite(context, request, hash, successor);
  if (row.user_guid !== null) {
    note('isClientProven', true);
    if (row.use_is_old) noteUse(context, request, hash);
    return row;
  }
  const matched = await requireSecret(context, request, row, hash);
  return matched === hash ? row : rewriteFor(context, request, matched, successor);
}

/** A renewal token that a record has or had. */
interface Presented {
  record: TokenRecord;
  hash: Buffer;
}

/** Returns the record that one of our own tokens names; undefined where sessions are limited, since only the record has their end. */
function findClaimed(context: Context, token: string | undefined): Presented | undefined {
  const record = token && context.config.sessionMaxDays === 0 ? findClaimedRecord(context, token) : undefined;
  return record && { record, hash: renewalTokenHash(token!) };
}

/** Returns the record of the token: our own tokens name it; the record of another system's token is read. */
async function findPresented(context: Context, token: string | undefined): Promise<Presented | undefined> {
  if (!token || !isStorable(token)) return undefined;
  const named = await findNamedRecord(context, token);
  const lookup = lookupOf(token, named);
  // only the record has the end of a limited session
  const record = named && context.config.sessionMaxDays === 0 ? named : ((await readRecord(context, lookup)) ?? named);
  return record && { record, hash: lookup.hash };
}

interface Successor extends Presented {
  renewal: PreparedRenewalToken;
}

/** Returns the next token; undefined if the session is over, since SESSION_MAX_DAYS may have been lowered. */
function prepareSuccessor(context: Context, { record, hash }: Presented): Successor | undefined {
  const now = context.clock.now();
  const next = { ...record, generation: record.generation + 1 };
  const renewal = prepareRenewalToken(context, context.keys.ring(), next, now);
  return renewal.expiresAt > now ? { record, hash, renewal } : undefined;
}

async function rewrite(
  context: Context,
  request: ProvenRenewal,
  clientHash: string,
  successor: Successor | undefined,
): Promise<Renewed | NotRenewed> {
  const profileId = findProfileId(request);
  const isBound = isHardened(context.config);
  const checksProfile = isBound || request.dialect === 'oauth';
  const profile = profileId === undefined ? 'any' : checksProfile ? 'asked' : 'askedOfHardened';
  const { audiences, scopes } = request.narrowing ?? {};
  const isNarrowed = audiences !== undefined || scopes !== undefined;
  const statement = renewalFor({ isBound, isRehearsal: isRehearsal(context.config), profile, isNarrowed });
  const [ownAudiences, allAudiences] = audienceValues(context.config);
  const values = {
    client_id: searchableClientId(request),
    // without a successor no row has the hash: the statement then only reads the client
    known_secret: successor ? clientHash : null,
    token_guid: successor?.record.tokenGuid ?? null,
    token: successor?.hash ?? null,
    next_token: successor?.renewal.hash ?? null,
    generation: successor ? successor.record.generation + 1 : null,
    created_at: successor?.renewal.createdAt ?? null,
    expires_at: successor?.renewal.expiresAt ?? null,
    renewal_key: request.idempotencyKey === undefined ? null : renewalKeyOf(request),
    jkt: request.jkt ?? null,
    audiences: ownAudiences,
    all_audiences: allAudiences,
    profile_id: profileId,
    asked_audience: joinTexts(audiences),
    asked_scope: joinTexts(scopes),
  };
  if (successor) return context.sql.batchedRow<Renewed | NotRenewed>(statement, values);
  const [row] = await context.sql.rows<NotRenewed>(statement.one, valuesOf(statement, values));
  return row!;
}

/** No record has a profile id that can't be stored. */
const findProfileId = ({ profileId }: RenewalRequest): string | undefined =>
  profileId === undefined || isStorable(profileId) ? profileId : '';

interface Renewed extends RenewableSession {
  allowed_audiences: string | null;
  client_policy: string | null;
  /** Whether the stored time of the secret's last use is due for an update. */
  use_is_old: boolean;
  /** The client of the record. Only selected in rehearsal. */
  record_client_id?: string;
}

/** A refused renewal; the client's columns show whether the client is the reason. */
interface NotRenewed extends StoredClient {
  user_guid: null;
}

interface Variant {
  /** TOKEN_POLICY=hardened: a record with a client is renewed only for that client, and a record without one is bound. */
  isBound: boolean;
  /** Binds records without a client, and returns the client of each record. Never together with `isBound`. */
  isRehearsal: boolean;
  /** The profile that the record must have: the requested one, the requested one for hardened clients only, or any. */
  profile: 'asked' | 'askedOfHardened' | 'any';
  /** The request names audiences or scopes, and the record must have them. */
  isNarrowed: boolean;
}

const parameters = {
  client_id: 'text',
  known_secret: 'text',
  token_guid: 'uuid',
  token: 'bytea',
  next_token: 'bytea',
  generation: 'int',
  created_at: 'timestamptz',
  expires_at: 'timestamptz',
  renewal_key: 'bytea',
  jkt: 'text',
  audiences: 'text',
  all_audiences: 'text',
};
const typesOf = ({ profile, isNarrowed }: Variant): Record<string, string> => ({
  ...parameters,
  ...(profile !== 'any' && { profile_id: 'text' }),
  ...(isNarrowed && { asked_audience: 'text', asked_scope: 'text' }),
});

const clientIsDocumented = `client.policy is distinct from '${hardened}'`;

/**
 * SQL: the conditions on client, record and user for a renewal. `parameter` gives the SQL of a value.
 * @param role SQL: the user's role in the record's profile; null: the user no longer holds the profile
 */
const mayRenew = (
  { isBound, profile, isNarrowed }: Variant,
  parameter: (name: string) => string,
  role: string,
): string => `
      t.token_guid = ${parameter('token_guid')} and t.token = ${parameter('token')} and ${isLive('t')}
      ${profile === 'any' ? '' : `and (t.profile_id = ${parameter('profile_id')} ${profile === 'asked' ? '' : `or ${clientIsDocumented}`})`}
      and (t.client_id is null or t.client_id = ${parameter('client_id')}
        ${isBound ? '' : `or not ${isOneHardened('t.client_id', parameter('client_id'))}`})
      and client.client_id = ${parameter('client_id')} and ${clientStands(parameter('known_secret'))}
      and u.user_guid = t.user_id and not u.is_blocked
      and ${role} is not null
      and (t.jkt is null or t.jkt = ${parameter('jkt')}) and (not client.dpop_required or ${parameter('jkt')} is not null)
      and ${hasAudience(parameter)}
      ${isNarrowed ? `and ${isWithin(parameter, heldScopes('t.profile_id'))}` : ''}`;

/** SQL: the record's client after the renewal. @param policy SQL: the requesting client's policy */
const clientAfter = (
  { isBound, isRehearsal }: Variant,
  parameter: (name: string) => string,
  policy: string,
): string => {
  if (isBound) return parameter('client_id');
  // a hardened client renews its own records, and those that have none
  if (isRehearsal) return `coalesce(t.client_id, ${parameter('client_id')})`;
  return `case ${policy} when '${hardened}' then ${parameter('client_id')} else t.client_id end`;
};

const rewritten = (variant: Variant, parameter: (name: string) => string, policy: string): string => `
      token = ${parameter('next_token')}, generation = ${parameter('generation')}, created_at = ${parameter('created_at')},
      expires_at = ${parameter('expires_at')}, renewal_key = ${parameter('renewal_key')},
      jkt = ${parameter('jkt')},
      client_id = ${clientAfter(variant, parameter, policy)}`;
const returnedClient = ({ isRehearsal }: Variant): string => (isRehearsal ? ', t.client_id as record_client_id' : '');

/**
 * Renews one record. Exactly one of several simultaneous uses matches the hash: the others wait for the row and then see a new one.
 * The client's stored hash must equal the verified one, so the client is checked against the current database state.
 */
function renewalOfOne(variant: Variant, parameter: (name: string) => string): string {
  const role = heldRole('u.user_id', 't.profile_id');
  return `
  with renewed as (
    update tokens t set ${rewritten(variant, parameter, 'client.policy')}
    from clients client, users u
    where ${mayRenew(variant, parameter, role)}
    returning t.user_id as user_guid, t.profile_id, t.audience, t.scope${returnedClient(variant)}, u.user_id,
      ${lastUseIsOld(parameter('known_secret'))} as use_is_old
  )
  select ${clientColumns}, ${activeKidColumn}, renewed.*, link.*, held.*
  from (values (1)) one
  left join clients client on client.client_id = ${parameter('client_id')}
  left join renewed on true
  left join lateral ${heldLink('renewed.user_id', 'renewed.profile_id')} link on true
  left join lateral ${heldScopesWithEnds('renewed.profile_id')} held on true`;
}

/**
 * Renews many records: returns a row for each record that it renewed. Records that another transaction has locked are skipped,
 * so the statement never waits for another transaction's row, and two of these never deadlock.
 */
function renewalOfMany(variant: Variant, requests: string): string {
  const parameter = (name: string) => `asked.${name}`;
  return `
  with found as materialized (
    select asked.*, t.id, held.role_id, held.role_ends, client.allowed_audiences,
      client.policy as client_policy, ${lastUseIsOld('asked.known_secret')} as use_is_old
    from ${requests}, tokens t, clients client, users u,
      lateral ${heldLink('u.user_id', 't.profile_id')} held
    where ${mayRenew(variant, parameter, 'held.role_id')}
    for update of t skip locked
  ), renewed as (
    update tokens t set ${rewritten(variant, (name) => `found.${name}`, 'found.client_policy')}
    from found where t.id = found.id
    returning found.ord, found.role_id, found.role_ends, found.allowed_audiences, found.client_policy, found.use_is_old,
      t.user_id as user_guid, t.profile_id, t.audience, t.scope${returnedClient(variant)}
  ), scopes as materialized (
    select profile_id, held.* from (select distinct profile_id from renewed) profile
    cross join lateral ${heldScopesWithEnds('profile.profile_id')} held
  )
  select renewed.*, scopes.scopes, scopes.scope_ends, ${activeKidColumn} from renewed join scopes using (profile_id)`;
}

const statements = new Map<string, SharedStatement>();

/** Each variant is a separate statement, without conditions that a parameter switches off, so that it is planned once. */
export function renewalFor(variant: Variant): SharedStatement {
  const { isBound, isRehearsal, profile, isNarrowed } = variant;
  const name = [isBound, isRehearsal, profile, isNarrowed].join();
  const made = statements.get(name);
  if (made) return made;
  const statement = shared(typesOf(variant), ({ rows, isMany, value }) =>
    isMany ? renewalOfMany(variant, rows) : renewalOfOne(variant, value),
  );
  statements.set(name, statement);
  return statement;
}
