/**
 * Renewal tokens in an import file. A token that was imported before and has been renewed or revoked since must not come alive
 * again: the guid of its record is made from its hash, so that the record is found in any state.
 */
import { renewalTokenHash } from '../../auth/tokenFormat.js';
import type { Context } from '../../context.js';
import { isStorable } from '../../entities/valueForms.js';
import { findOwnRecord, guidOfHash } from '../../services/tokens/renewalToken.js';
import type { Faults, Findings } from './findings.js';
import type { ImportRow } from './readRows.js';
import { batchesOf, type Query } from './statements.js';

/** "Token column length" of the authorization service's limits. */
const tokenMax = 512;

/** Replaces `token` or `tokenSha256` by the stored form. */
export function readTokens(context: Context, rows: ImportRow[], faults: Faults): void {
  for (const row of rows) {
    const { token, tokenSha256 } = row.extras;
    const hash = token === undefined ? readHash(row, tokenSha256, faults) : hashOf(row, token, tokenSha256, faults);
    if (hash) Object.assign(row.values, { token: `\\x${hash.toString('hex')}`, ...recordOf(context, token, hash) });
    if (row.values.createdAt !== undefined) row.values.startedAt = row.values.createdAt;
    if (row.values.revokedAt && !row.values.isRevoked)
      faults.add(`${row.path}.revokedAt`, 'is only allowed with isRevoked: true');
  }
}

function hashOf({ path }: ImportRow, token: unknown, other: unknown, faults: Faults): Buffer | undefined {
  if (other !== undefined) faults.add(`${path}.tokenSha256`, 'cannot be combined with token');
  else if (typeof token !== 'string' || token === '') faults.add(`${path}.token`, 'must be a string, not empty');
  else if (token.length > tokenMax) faults.add(`${path}.token`, `must be at most ${tokenMax} characters long`);
  else if (!isStorable(token)) faults.add(`${path}.token`, 'must be well-formed Unicode without NUL');
  else return renewalTokenHash(token);
  return undefined;
}

function readHash({ path }: ImportRow, hash: unknown, faults: Faults): Buffer | undefined {
  if (typeof hash === 'string' && /^[0-9a-f]{64}$/i.test(hash)) return Buffer.from(hash, 'hex');
  if (hash === undefined) faults.add(`${path}.token`, 'is required, or tokenSha256 in its place');
  else faults.add(`${path}.tokenSha256`, 'must be a SHA-256 as 64 hexadecimal digits');
  return undefined;
}

/** A token of our own names its record; that of another system's token is named after the hash. */
function recordOf(context: Context, token: unknown, hash: Buffer): { tokenGuid: string; generation: number } {
  const own = typeof token === 'string' ? findOwnRecord(context, token) : undefined;
  return own
    ? { tokenGuid: own.tokenGuid, generation: own.generation }
    : { tokenGuid: guidOfHash(hash), generation: 0 };
}

/** Assigns rows without a record to the user's record that has the same token hash. */
async function assignOwnRecords(query: Query, rows: readonly ImportRow[]): Promise<void> {
  const byHash = rows.filter(({ extras, values }) => extras.tokenSha256 !== undefined && values.userGuid !== undefined);
  if (byHash.length === 0) return;
  const ownRecords = await query<{ token: string; tokenGuid: string; generation: number }>(
    `select t.token::text as token, t.token_guid as "tokenGuid", t.generation
     from jsonb_to_recordset($1::jsonb) as x (token bytea, owner uuid)
     join tokens t on t.user_id = x.owner and t.token = x.token`,
    [JSON.stringify(byHash.map(({ values }) => ({ token: values.token, owner: values.userGuid })))],
  );
  const records = new Map(ownRecords.map(({ token, ...record }) => [token, record]));
  for (const { values } of byHash) Object.assign(values, records.get(String(values.token)));
}

/** Reported for a token whose record was renewed here. */
export const renewedHere = 'was renewed here, and no longer works';

/** The tokens that the file may still add or change, without those whose record was renewed since. */
export async function withoutRenewed(
  query: Query,
  keyed: Map<string, ImportRow>,
  kept: Findings,
): Promise<Map<string, ImportRow>> {
  const left = new Map(keyed);
  for (const batch of batchesOf([...keyed.entries()])) {
    await assignOwnRecords(
      query,
      batch.map(([, row]) => row),
    );
    const rows = batch.map(([, { values }]) => ({ token: values.token, guid: values.tokenGuid }));
    const renewed = await query<{ token: string }>(
      `select x.token::text as token from jsonb_to_recordset($1::jsonb) as x (token bytea, guid uuid)
       join tokens t on t.token_guid = x.guid where t.token <> x.token`,
      [JSON.stringify(rows)],
    );
    const tokens = new Set(renewed.map(({ token }) => token));
    for (const [key, { path, values }] of batch) {
      if (!tokens.has(String(values.token))) continue;
      left.delete(key);
      kept.add(path, renewedHere);
    }
  }
  return left;
}
