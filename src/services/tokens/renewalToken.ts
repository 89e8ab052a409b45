/**
 * The record of a renewal token. One of ours names it: `jti` is `<record's uuid>.<generation>`; the record of another system's
 * is named after its hash. So a record is found by its uuid, and has the token if the hash is the same (docs/decisions/0030).
 */
import type { RenewalTokenClaims } from '../../auth/tokenFormat.js';
import {
  findClaimedJti,
  lacksRenewalKey,
  openRenewalToken,
  readUnproven,
  renewalTokenHash,
} from '../../auth/tokenFormat.js';
import type { Context } from '../../context.js';

export interface TokenRecord {
  userGuid: string;
  tokenGuid: string;
  /** How many times the record was renewed before this token. */
  generation: number;
  /** When the session began: the exchange. Unknown where only the token was read. */
  startedAt?: Date;
}

/** The record that a token of ours names; no record is read. */
export async function findNamedRecord({ keys }: Context, token: string): Promise<TokenRecord | undefined> {
  let claims = openRenewalToken(keys.ring(), token);
  // another process may have made the key
  if (!claims && lacksRenewalKey(keys.ring(), token)) claims = openRenewalToken(await keys.reloadForUnknown(), token);
  return claims && recordOf(claims);
}

/** The same where only the keys count that are known here. */
export function findOwnRecord({ keys }: Pick<Context, 'keys'>, token: string): TokenRecord | undefined {
  const claims = openRenewalToken(keys.ring(), token);
  return claims && recordOf(claims);
}

/** The record that a token names which looks like one of ours; only what is done beside its hash may count on it. */
export function findClaimedRecord({ keys }: Context, token: string): TokenRecord | undefined {
  const claims = readUnproven(keys.ring(), token);
  return claims && recordOf(claims);
}

/** Undefined for a name that no record can have. */
function recordOf({ sub, jti }: RenewalTokenClaims): TokenRecord | undefined {
  const [, tokenGuid, generation] = nameForm.exec(jti) ?? [];
  return tokenGuid && generation ? { userGuid: sub, tokenGuid, generation: Number(generation) } : undefined;
}

// a generation is an integer of PostgreSQL, and so is the next one
const nameForm = /^([0-9a-f]{8}(?:-[0-9a-f]{4}){3}-[0-9a-f]{12})\.(\d{1,9})$/;

/** SQL: whether the record is one that may be used: neither revoked nor past its end. */
export const isLive = (record: string): string => `not ${record}.is_revoked and ${record}.expires_at > now()`;

/** What a token is looked up by: one of these records has it if the hash is that of the record's token. */
interface Lookup {
  hash: Buffer;
  /** Guids that its record can have. */
  guids: string[];
}

/**
 * @param token storable text
 * @param named the record that it names as one of ours, where that is known: then no other can have it
 */
export function lookupOf(token: string, named?: TokenRecord): Lookup {
  const hash = renewalTokenHash(token);
  if (named) return { hash, guids: [named.tokenGuid] };
  // nobody vouches for the name here, but the record's hash does: the key may be gone, or another installation's
  const [, claimed] = nameForm.exec(findClaimedJti(token) ?? '') ?? [];
  return { hash, guids: [...(claimed ? [claimed] : []), guidOfHash(hash)] };
}

/** Guid of the record of another system's token: the beginning of its hash, in the form of RFC 9562 §5.8. */
export function guidOfHash(hash: Buffer): string {
  const bytes = Buffer.from(hash.subarray(0, 16));
  bytes[6] = (bytes[6]! & 0x0f) | 0x80;
  bytes[8] = (bytes[8]! & 0x3f) | 0x80;
  const digits = bytes.toString('hex');
  return [0, 8, 12, 16, 20].map((start, index) => digits.slice(start, [8, 12, 16, 20, 32][index])).join('-');
}

/** The record that has the token now. */
export async function readRecord({ sql }: Context, { guids, hash }: Lookup): Promise<TokenRecord | undefined> {
  const [row] = await sql.rows<Omit<TokenRecord, 'startedAt'> & { startedAt: string }>(
    `select user_id as "userGuid", token_guid as "tokenGuid", generation, started_at as "startedAt"
     from tokens where token_guid = any($1::uuid[]) and token = $2`,
    [guids, hash],
  );
  return row && { ...row, startedAt: new Date(row.startedAt) };
}
