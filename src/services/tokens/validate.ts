/** Validation of an access token of this service, for APIs that don't validate tokens themselves. */
import type { KeyRing } from '../../auth/keyRing.js';
import { unknownKid, verifyAccessToken } from '../../auth/tokenFormat.js';
import type { TokenVerdict } from '../../auth/verifiedTokens.js';
import type { Context, Dependencies } from '../../context.js';
import type { SharedStatement } from '../../sql.js';
import {
  type Credentials,
  clientColumns,
  findKnown,
  requireClient,
  requireSecret,
  type StoredClient,
  searchableClientId,
} from './authenticateClient.js';
import { isOneHardened } from './policy.js';

/**
 * The claims of a token whose signature, issuer, audience and lifetime are right, or why they aren't, for the log.
 * @param accepted one of these audiences must be in `aud`
 */
export async function verify(
  dependencies: Dependencies,
  token: string,
  accepted = dependencies.config.audiences,
): Promise<TokenVerdict> {
  const { issuerUrl: issuer, verified } = dependencies;
  const verifyWith = (ring: KeyRing) =>
    verifyAccessToken(ring, token, { issuer, audiences: accepted, nowSeconds: Date.now() / 1_000 }, verified);
  const judged: TokenVerdict = verifyWith(dependencies.keys.ring());
  // another process may have made the key
  if ('invalid' in judged && judged.invalid === unknownKid)
    return verifyWith(await dependencies.keys.reloadForUnknown());
  return judged;
}

/**
 * The same; and where the token has a session, that one is not revoked. `isHardened`: the client that asks, or that of the
 * session, is hardened. Nothing is read for a token without session that nobody's id comes with.
 * @param clientId of the client that asks, as the request names it
 */
export async function validate(
  dependencies: Dependencies,
  token: string,
  accepted = dependencies.config.audiences,
  clientId?: string,
): Promise<TokenVerdict & { isHardened: boolean }> {
  const judged = await verify(dependencies, token, accepted);
  const sid = 'claims' in judged ? judged.claims.sid : undefined;
  if (sid === undefined && clientId === undefined) return { ...judged, isHardened: false };
  const presenter = clientId === undefined ? null : searchableClientId({ clientId });
  const state = await dependencies.sql.batchedRow<SessionState>(sessions, [sid ?? null, presenter]);
  const isRevoked = sid !== undefined && !state.is_live;
  return { ...(isRevoked ? revoked : judged), isHardened: state.is_hardened };
}

/**
 * The same for a client that has to prove itself; of one whose secret is remembered client and session are read together.
 * Throws TokenRefusal `invalidClient`, whatever the token is.
 */
export async function validateFor(
  context: Context,
  credentials: Credentials,
  token: string,
  accepted = context.config.audiences,
): Promise<TokenVerdict> {
  const known = findKnown(context, credentials);
  if (known === undefined) {
    await requireClient(context, credentials);
    return validate(context, token, accepted);
  }
  const judged = await verify(context, token, accepted);
  const sid = 'claims' in judged ? judged.claims.sid : undefined;
  if (sid === undefined) {
    await requireClient(context, credentials);
    return judged;
  }
  const values = [searchableClientId(credentials), sid];
  const state = await context.sql.batchedRow<StoredClient & LiveState>(clientsAndSessions, values);
  await requireSecret(context, credentials, state, known);
  return state.is_live ? judged : revoked;
}

const revoked = { invalid: 'its record is revoked' };

interface LiveState {
  is_live: boolean;
}

interface SessionState extends LiveState {
  is_hardened: boolean;
}

const isLive = 't.token_guid is not null and not t.is_revoked as is_live';

const sessionStatesOf = (asked: string): string => `
  select asked.ord, ${isLive}, ${isOneHardened('t.client_id', 'asked.client_id')} as is_hardened
  from ${asked} left join tokens t on t.token_guid = asked.sid`;
const sessions: SharedStatement = {
  one: sessionStatesOf('(values (1, $1::uuid, $2::text)) asked(ord, sid, client_id)'),
  many: sessionStatesOf('unnest($1::uuid[], $2::text[]) with ordinality asked(sid, client_id, ord)'),
};

const clientAndSessionOf = (asked: string): string => `
  select asked.ord, ${clientColumns}, ${isLive}
  from ${asked} left join clients client on client.client_id = asked.client_id left join tokens t on t.token_guid = asked.sid`;
const clientsAndSessions: SharedStatement = {
  one: clientAndSessionOf('(values (1, $1::text, $2::uuid)) asked(ord, client_id, sid)'),
  many: clientAndSessionOf('unnest($1::text[], $2::uuid[]) with ordinality asked(client_id, sid, ord)'),
};
