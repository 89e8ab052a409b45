/** Validates and introspects this service's tokens, for APIs that don't verify tokens themselves. */
import type { KeyRing } from '../../auth/keyRing.js';
import { type TokenVerdict, unknownKid, verifyAccessToken } from '../../auth/tokenFormat.js';
import type { Context, Dependencies } from '../../context.js';
import { isStorable } from '../../entities/valueForms.js';
import { shared } from '../../sql.js';
import { lasts } from '../access/grants.js';
import { allAudiences } from './claims.js';
import {
  type Credentials,
  clientColumns,
  findRememberedHash,
  requireClient,
  requireSecret,
  type StoredClient,
  searchableClientId,
} from './client.js';
import { isHardened, isOneHardened, isRehearsal } from './policy.js';
import { isLive, isWithinSession, lookupOf } from './renewalToken.js';

/**
 * Checks signature, issuer, audience and lifetime of an access token. Returns its claims, or the reason why not, for the log.
 * @param accepted one of these audiences must be in `aud`
 */
export async function verify(
  dependencies: Dependencies,
  token: string,
  accepted: readonly string[],
): Promise<TokenVerdict> {
  const { issuerUrl: issuer, verified } = dependencies;
  const verifyWith = (ring: KeyRing) =>
    verifyAccessToken(ring, token, { issuer, audiences: accepted, nowSeconds: Date.now() / 1_000 }, verified);
  const verdict: TokenVerdict = verifyWith(dependencies.keys.ring());
  // another process may have made the key
  if ('invalid' in verdict && verdict.invalid === unknownKid)
    return verifyWith(await dependencies.keys.reloadForUnknown());
  return verdict;
}

/**
 * Also checks that the token's session is not revoked. `isHardened`: the requesting client or the session's client is hardened.
 * Reads nothing from the database when the token has no session and the request names no client.
 * @param clientId the requesting client, as the request names it
 */
export async function validate(
  dependencies: Dependencies,
  token: string,
  accepted = dependencies.config.audiences,
  clientId?: string,
): Promise<TokenVerdict & { isHardened: boolean }> {
  const verdict = await verify(dependencies, token, accepted);
  const sid = 'claims' in verdict ? verdict.claims.sid : undefined;
  if (sid === undefined && clientId === undefined) return { ...verdict, isHardened: false };
  const values = { sid: sid ?? null, client_id: searchableClientId({ clientId }) };
  const state = await dependencies.sql.batchedRow<SessionState>(sessions, values);
  const isRevoked = sid !== undefined && !state.is_live;
  return { ...(isRevoked ? revoked : verdict), isHardened: state.is_hardened };
}

/**
 * Also authenticates the client. If its secret is remembered, one statement reads client and session.
 * Throws TokenRefusal `invalidClient`, also for an invalid token.
 */
export async function validateFor(
  context: Context,
  credentials: Credentials,
  token: string,
  accepted = context.config.audiences,
): Promise<TokenVerdict> {
  const rememberedHash = findRememberedHash(context, credentials);
  if (rememberedHash === undefined) {
    await requireClient(context, credentials);
    return validate(context, token, accepted);
  }
  const verdict = await verify(context, token, accepted);
  const sid = 'claims' in verdict ? verdict.claims.sid : undefined;
  if (sid === undefined) {
    await requireClient(context, credentials);
    return verdict;
  }
  const values = { client_id: searchableClientId(credentials), sid };
  const state = await context.sql.batchedRow<StoredClient & LiveState>(clientsAndSessions, values);
  await requireSecret(context, credentials, state, rememberedHash);
  return state.is_live ? verdict : revoked;
}

const revoked = { invalid: 'its record is revoked' };

interface LiveState {
  is_live: boolean;
}

interface SessionState extends LiveState {
  is_hardened: boolean;
}

// the few links that have ended are found first, by an index of their own
const links =
  'from user_profiles link join users u using (user_id) where u.user_guid = t.user_id and link.profile_id = t.profile_id';
const isEnded = `(exists (select ${links} and link.valid_until <= now())
    and not exists (select ${links} and ${lasts('link')}))`;
const isLiveColumn = `t.token_guid is not null and not t.is_revoked and not ${isEnded} as is_live`;

const sessions = shared(
  { sid: 'uuid', client_id: 'text' },
  ({ rows }) => `
  select asked.ord, ${isLiveColumn}, ${isOneHardened('t.client_id', 'asked.client_id')} as is_hardened
  from ${rows} left join tokens t on t.token_guid = asked.sid`,
);
const clientsAndSessions = shared(
  { client_id: 'text', sid: 'uuid' },
  ({ rows }) => `
  select asked.ord, ${clientColumns}, ${isLiveColumn}
  from ${rows} left join clients client on client.client_id = asked.client_id left join tokens t on t.token_guid = asked.sid`,
);

/** Returns an active access token, or what is told of an active renewal token; undefined for any other. */
export async function introspect(context: Context, token: string, client: Credentials) {
  const verdict = await validateFor(context, client, token, allAudiences(context.config));
  return 'claims' in verdict ? verdict : findRenewalToken(context, token, client.clientId);
}

async function findRenewalToken(context: Context, token: string, clientId: string) {
  if (!isStorable(token)) return undefined;
  const { sql, config, issuerUrl, rehearsal } = context;
  const { guids, hash } = lookupOf(token);
  const [record] = await sql.rows<{
    sub: string;
    client_id: string | null;
    is_hardened: boolean;
    iat: number;
    exp: number;
    profile_id: string;
    jkt: string | null;
  }>(
    `select user_id as sub, client_id, profile_id, jkt, ${isOneHardened('t.client_id', '$2')} as is_hardened, round(extract(epoch from created_at))::float8 as iat, round(extract(epoch from expires_at))::float8 as exp
     from tokens t where token_guid = any($3::uuid[]) and token = $1 and ${isLive('t')} and not ${isEnded} and ${isWithinSession('$4::int')}`,
    [hash, clientId, guids, config.sessionMaxDays],
  );
  if (!record) return undefined;
  const isOwn = record.client_id === null || record.client_id === clientId;
  const isStrict = isHardened(config) || record.is_hardened;
  if (!isStrict) rehearsal?.note(clientId, '/introspect', isOwn ? 'passed' : 'anotherClient');
  if (isStrict && !isOwn) return undefined;
  const { sub, iat, exp, profile_id: profileId, client_id, jkt } = record;
  return {
    iss: issuerUrl,
    sub,
    iat,
    exp,
    profileId,
    // in rehearsal the record has a client that the documented policy would not have stored
    ...(client_id && (isStrict || !isRehearsal(config)) && { client_id }),
    ...(jkt && { cnf: { jkt } }),
  };
}
