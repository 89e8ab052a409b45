/** The refresh grant: a renewal token becomes a new access token and its own successor, in one atomic statement. */
import { renewalTokenHash } from '../auth/tokenFormat.js';
import type { Context } from '../context.js';
import {
  answer,
  type Dialect,
  furtherClaims,
  type IssuedTokens,
  isStorable,
  issueAccessToken,
  type PreparedRenewalToken,
  prepareRenewalToken,
} from './accessToken.js';
import { type Credentials, noteUse, presumeClient, requireSecret, searchableClientId } from './clientCheck.js';
import { type Renewed, renewals } from './renewalStatement.js';
import { ringWith } from './signingKeys.js';
import { findNamedRecord, readRecord, revokeReused, type TokenRecord } from './tokenRecord.js';
import { TokenRefusal } from './tokenRefusal.js';

export interface RenewalRequest extends Credentials {
  /** Missing: refused like an unknown one. */
  refreshToken: string | undefined;
  /** The profile that the record must have; undefined: any, as documented. */
  profileId: string | undefined;
  dialect: Dialect;
}

/** Throws TokenRefusal `invalidClient` or `invalidRenewalToken`, judged in that order. */
export async function renew(context: Context, request: RenewalRequest): Promise<IssuedTokens> {
  const hash = await presumeClient(context, request);
  const now = new Date();
  const successor = await findSuccessor(context, request.refreshToken, now);
  const renewed = await rewriteFor(context, request, hash, successor);
  if (!successor || !renewed.user_guid) {
    if (context.config.tokenPolicy === 'hardened' && successor) await revokeReused(context, successor.record);
    throw new TokenRefusal('invalidRenewalToken', 'unknown, used, revoked or expired, or no longer allowed');
  }
  return answer(
    issueAccessToken(
      context,
      await ringWith(context.keys, renewed.active_kid),
      {
        userGuid: renewed.user_guid,
        profileId: renewed.profile_id!,
        roleId: renewed.role_id!,
        scopes: renewed.scopes!,
      },
      now,
      furtherClaims(context, request, successor.record.tokenGuid),
    ),
    successor.renewal,
  );
}

/**
 * Renews for the client as it is stored now. What was renewed proves the client: the statement asks for its hash. When
 * nothing was and the secret matches another hash, which was set or made anew meanwhile, it is done again for that one.
 */
async function rewriteFor(
  context: Context,
  request: RenewalRequest,
  hash: string,
  successor: Successor | undefined,
): Promise<Renewed> {
  const row = await rewrite(context, request, hash, successor);
  if (row.user_guid) {
    await noteUse(context, request, row, hash);
    return row;
  }
  const matched = await requireSecret(context, request, row);
  return matched === hash ? row : rewriteFor(context, request, matched, successor);
}

interface Successor {
  record: TokenRecord;
  /** Of the presented token. */
  hash: Buffer;
  renewal: PreparedRenewalToken;
}

/** What the presented token would become. The record is named by our own token itself; for an imported one it is read. */
async function findSuccessor(context: Context, token: string | undefined, now: Date): Promise<Successor | undefined> {
  if (!token || !isStorable(token)) return undefined;
  const hash = renewalTokenHash(token);
  const named = await findNamedRecord(context, token);
  // the end of a limited session stands in the record alone
  const record = named && context.config.sessionMaxDays === 0 ? named : ((await readRecord(context, hash)) ?? named);
  if (!record) return undefined;
  const next = { ...record, generation: record.generation + 1 };
  const renewal = prepareRenewalToken(context, context.keys.ring(), next, now);
  // SESSION_MAX_DAYS may have been lowered since
  return renewal.expiresAt > now ? { record, hash, renewal } : undefined;
}

async function rewrite(
  context: Context,
  request: RenewalRequest,
  clientHash: string,
  successor: Successor | undefined,
): Promise<Renewed> {
  const profileId = findProfileId(request);
  const isBound = context.config.tokenPolicy === 'hardened';
  const statement = renewals[isBound ? 'bound' : 'unbound'][profileId === undefined ? 'ofAnyProfile' : 'ofProfile'];
  const values = [
    searchableClientId(request),
    // without a successor no row has the hash: the statement then only reads the client
    successor ? clientHash : null,
    successor?.hash ?? null,
    successor?.renewal.hash ?? null,
    successor ? successor.record.generation + 1 : null,
    successor?.renewal.createdAt ?? null,
    successor?.renewal.expiresAt ?? null,
    ...(profileId === undefined ? [] : [profileId]),
  ];
  if (successor) return context.sql.rowTogether<Renewed>(statement, values);
  const [row] = await context.sql.rows<Renewed>(statement.one, values);
  return row!;
}

/** A profile that can't be stored is no record's. */
const findProfileId = ({ profileId }: RenewalRequest): string | undefined =>
  profileId === undefined || isStorable(profileId) ? profileId : '';
