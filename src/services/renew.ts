/** The refresh grant: a renewal token becomes a new access token and its own successor, in one atomic statement. */
import type { KeyRing } from '../auth/keyRing.js';
import { openRenewalToken, renewalTokenHash } from '../auth/tokenFormat.js';
import type { Context } from '../context.js';
import {
  answer,
  holdingJoins,
  type IssuedTokens,
  isStorable,
  issueAccessToken,
  type PreparedRenewalToken,
  prepareRenewalToken,
} from './accessToken.js';
import {
  type Credentials,
  clientColumns,
  presumeClient,
  requireSecret,
  type StoredClient,
  searchableClientId,
} from './clientCheck.js';
import { activeKidColumn, ringWith } from './signingKeys.js';
import { TokenRefusal } from './tokenRefusal.js';

export interface RenewalRequest extends Credentials {
  /** Missing: refused like an unknown one. */
  refreshToken: string | undefined;
}

interface Renewed extends StoredClient {
  active_kid: string;
  user_guid: string | null;
  profile_id: string | null;
  role_id: string | null;
  scopes: string[] | null;
}

/**
 * Of any number of simultaneous uses exactly one finds its hash: the others wait for the row and see another one.
 * It renews only for the client whose stored hash is $2, so the client is judged by what the database has now.
 */
const renewal = `
  with holder as (
    select t.id, u.user_guid, t.profile_id, link.role_id, held.scopes
    from tokens t
    join users u on u.user_guid = t.user_id and not u.is_blocked
    ${holdingJoins('t.profile_id')}
    where t.token = $3
  ), renewed as (
    update tokens t
    set token = $4, generation = $5, created_at = $6, expires_at = $7, is_revoked = false
    from holder, clients client
    where t.id = holder.id and t.token = $3 and not t.is_revoked and t.expires_at > now()
      and client.client_id = $1 and client.is_active
      and (client.client_secret = $2 or (client.previous_secret = $2 and client.previous_secret_ends_at > now()))
    returning holder.user_guid, holder.profile_id, holder.role_id, holder.scopes
  )
  select ${clientColumns}, ${activeKidColumn}, renewed.*
  from (values (1)) one
  left join clients client on client.client_id = $1
  left join renewed on true`;

/** Throws TokenRefusal `invalidClient` or `invalidRenewalToken`, judged in that order. */
export async function renew(context: Context, request: RenewalRequest): Promise<IssuedTokens> {
  const hash = await presumeClient(context, request);
  const now = new Date();
  const ring = context.keys.ring();
  const successor = await findSuccessor(context, ring, request.refreshToken, now);
  let renewed = await rewrite(context, request, hash, successor);
  const matched = await requireSecret(context, request, renewed);
  // the secret was changed since this process last saw it, and matches the new hash too: nothing was renewed yet
  if (matched !== hash) renewed = await rewrite(context, request, matched, successor);
  if (!successor || !renewed.user_guid)
    throw new TokenRefusal('invalidRenewalToken', 'unknown, used, revoked or expired, or no longer allowed');
  const holding = {
    userGuid: renewed.user_guid,
    profileId: renewed.profile_id!,
    roleId: renewed.role_id!,
    scopes: renewed.scopes!,
  };
  return answer(
    issueAccessToken(context, await ringWith(context.keys, renewed.active_kid), holding, now),
    successor.renewal,
  );
}

interface Successor {
  /** Of the presented token. */
  hash: Buffer;
  generation: number;
  renewal: PreparedRenewalToken;
}

/** What the presented token would become. The record is named by our own token itself; for an imported one it is read. */
async function findSuccessor(
  context: Context,
  ring: KeyRing,
  token: string | undefined,
  now: Date,
): Promise<Successor | undefined> {
  if (!token || !isStorable(token)) return undefined;
  const hash = renewalTokenHash(token);
  const record = findRecord(ring, token) ?? (await readRecord(context, hash));
  if (!record) return undefined;
  const generation = record.generation + 1;
  return { hash, generation, renewal: prepareRenewalToken(context, ring, { ...record, generation }, now) };
}

interface TokenRecord {
  userGuid: string;
  tokenGuid: string;
  generation: number;
}

function findRecord(ring: KeyRing, token: string): TokenRecord | undefined {
  const claims = openRenewalToken(ring, token);
  const [tokenGuid, generation] = claims?.jti.split('.') ?? [];
  if (!claims || !tokenGuid || !generation) return undefined;
  return { userGuid: claims.sub, tokenGuid, generation: Number(generation) };
}

async function readRecord({ sql }: Context, hash: Buffer): Promise<TokenRecord | undefined> {
  const [record] = await sql.rows<TokenRecord>(
    'select user_id as "userGuid", token_guid as "tokenGuid", generation from tokens where token = $1',
    [hash],
  );
  return record;
}

async function rewrite(
  context: Context,
  request: RenewalRequest,
  clientHash: string,
  successor: Successor | undefined,
): Promise<Renewed> {
  const { renewal: next } = successor ?? {};
  // without a successor no row has the hash: the statement then only reads the client
  const values = [
    searchableClientId(request),
    successor ? clientHash : null,
    successor?.hash ?? null,
    next?.hash ?? null,
    successor?.generation ?? null,
    next?.createdAt ?? null,
    next?.expiresAt ?? null,
  ];
  const [row] = await context.sql.rows<Renewed>(renewal, values);
  return row!;
}
