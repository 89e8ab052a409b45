/**
 * Finds the record of a renewal token. Our own tokens name it: `jti` is `<record's uuid>.<generation>`. The uuid of another system's
 * token is made from its hash. A record has the token if both uuid and hash are equal (docs/decisions/0030).
 */
import {
  findClaimedJti,
  lacksRenewalKey,
  openRenewalToken,
  type RenewalTokenClaims,
  readUnproven,
  renewalTokenHash,
} from '../../auth/tokenFormat.js';
import type { Context } from '../../context.js';

export interface TokenRecord {
  userGuid: string;
  tokenGuid: string;
  /** How many times the record was renewed before this token. */
  generation: number;
  /** The time of the exchange, when the session began. Absent when only the token was read. */
  startedAt?: Date;
}

/** Returns the record that one of our own tokens names. Runs no statement. */
export async function findNamedRecord({ keys }: Context, token: string): Promise<TokenRecord | undefined> {
  let claims = openRenewalToken(keys.ring(), token);
  // another process may have made the key
  if (!claims && lacksRenewalKey(keys.ring(), token)) claims = openRenewalToken(await keys.reloadForUnknown(), token);
  return claims && recordOf(claims);
}

/** Returns the same, using only the keys that this process has loaded. */
export function findOwnRecord({ keys }: Pick<Context, 'keys'>, token: string): TokenRecord | undefined {
  const claims = openRenewalToken(keys.ring(), token);
  return claims && recordOf(claims);
}

/** The record that a token claims, unverified: use it only together with the token's hash. */
export function findClaimedRecord({ keys }: Context, token: string): TokenRecord | undefined {
  const claims = readUnproven(keys.ring(), token);
  return claims && recordOf(claims);
}

/** The record that the `jti` names; undefined when it is malformed. */
function recordOf({ sub, jti }: RenewalTokenClaims): TokenRecord | undefined {
  const [, tokenGuid, generation] = nameForm.exec(jti) ?? [];
  return tokenGuid && generation ? { userGuid: sub, tokenGuid, generation: Number(generation) } : undefined;
}

// the generation and the next one fit PostgreSQL's integer
const nameForm = /^([0-9a-f]{8}(?:-[0-9a-f]{4}){3}-[0-9a-f]{12})\.(\d{1,9})$/;

/** SQL: whether the record is neither revoked nor expired. */
export const isLive = (record: string): string => `not ${record}.is_revoked and ${record}.expires_at > now()`;

/** SQL: whether the session of record `t` is younger than SESSION_MAX_DAYS. @param days 0: no limit */
export const isWithinSession = (days: string): string =>
  `(${days} = 0 or t.started_at > now() - make_interval(days => ${days}))`;

/** How to find the record of a token: by one of these guids, and by the hash. */
interface Lookup {
  hash: Buffer;
  /** The guids that its record can have. */
  guids: string[];
}

/**
 * @param token storable text
 * @param named the record that it names as one of ours, if that is known: then no other record can have it
 */
export function lookupOf(token: string, named?: TokenRecord): Lookup {
  const hash = renewalTokenHash(token);
  if (named) return { hash, guids: [named.tokenGuid] };
  // the name is unverified, since the key may be gone or another installation's; the hash decides
  const [, claimed] = nameForm.exec(findClaimedJti(token) ?? '') ?? [];
  return { hash, guids: [...(claimed ? [claimed] : []), guidOfHash(hash)] };
}

/** The guid of the record of another system's token: the beginning of its hash as a UUID (RFC 9562 §5.8). */
export function guidOfHash(hash: Buffer): string {
  const bytes = Buffer.from(hash.subarray(0, 16));
  bytes[6] = (bytes[6]! & 0x0f) | 0x80;
  bytes[8] = (bytes[8]! & 0x3f) | 0x80;
  const digits = bytes.toString('hex');
  return [0, 8, 12, 16, 20].map((start, index) => digits.slice(start, [8, 12, 16, 20, 32][index])).join('-');
}

/** Reads the record that has the token now. */
export async function readRecord({ sql }: Context, { guids, hash }: Lookup): Promise<TokenRecord | undefined> {
  const [row] = await sql.rows<Omit<TokenRecord, 'startedAt'> & { startedAt: string }>(
    `select user_id as "userGuid", token_guid as "tokenGuid", generation, started_at as "startedAt"
     from tokens where token_guid = any($1::uuid[]) and token = $2`,
    [guids, hash],
  );
  return row && { ...row, startedAt: new Date(row.startedAt) };
}

/** SQL: a column that names the request to triggers, in a statement that announces no change. */
export const tracedBy = (traceId: string): string => `set_config('gatehouse.trace_id', ${traceId}, true) as traced`;
