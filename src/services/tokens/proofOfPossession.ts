/** DPoP proofs (RFC 9449), and everything that may be used only once. */
import { createHmac, hash, timingSafeEqual } from 'node:crypto';
import { verifyDpopProof } from '../../auth/clientKeys.js';
import type { Dependencies } from '../../context.js';
import type { SharedStatement, Sql } from '../../sql.js';
import { TokenRefusal } from './tokenRefusal.js';

/** What is good for one use, in whatever process: the first that notes it has it. Those of the same moment share a statement. */

interface OnceOnly {
  kind: 'assertion' | 'proof' | 'logout' | 'sign-in';
  /** Who made it, and its jti; of a sign-in the issuer and the state. */
  name: readonly [maker: string, jti: string];
  /** From when on it is refused for its age, in seconds since 1970. */
  endsAtSeconds: number;
}

// in one order, so that two of these never wait for each other
const note = (given: string): string => `
  with given as materialized (${given}), noted as (
    insert into single_uses (use_hash, ends_at) select use_hash, ends_at from given order by use_hash
    on conflict do nothing returning use_hash
  ), firsts as (
    select distinct on (use_hash) ord from given join noted using (use_hash) order by use_hash, ord
  )
  select given.ord, firsts.ord is not null as is_first from given left join firsts using (ord)`;
const notes: SharedStatement = {
  one: note('select 1 as ord, $1::text as use_hash, $2::timestamptz as ends_at'),
  many: note('select * from unnest($1::text[], $2::timestamptz[]) with ordinality asked(use_hash, ends_at, ord)'),
};

/** Whether this is its first use; of any number of simultaneous ones exactly one is. */
export async function noteFirstUse(sql: Sql, { kind, name, endsAtSeconds }: OnceOnly): Promise<boolean> {
  const useHash = hash('sha256', JSON.stringify([kind, ...name]), 'base64url');
  const values = [useHash, new Date(endsAtSeconds * 1_000)];
  return (await sql.batchedRow<{ is_first: boolean }>(notes, values)).is_first;
}

/** DPoP (RFC 9449): who presents a token proves that it has the key which the token is bound to; each proof is good once. */

/** A proof as it came with a request, unjudged. */
export interface PresentedProof {
  /** The header; several lines joined. */
  proof: string;
  method: string;
  /** The public address of what was asked. */
  url: string;
  /** The access token beside it; absent at the token endpoint. */
  accessToken?: string;
  /** Thumbprint of the key that the access token is bound to. */
  jkt?: string;
}

type ProofVerdict = { jkt: string } | { invalid: string; isNonceWanted?: true; isOfAnotherKey?: true };

/** The thumbprint of the key, or why the proof is none, for the log. In any number of processes a proof is taken once. */
export async function verifyProof(
  { sql, clock, config, encryptionKeys }: Dependencies,
  { proof, ...expected }: PresentedProof,
): Promise<ProofVerdict> {
  const nowSeconds = Math.floor(clock.now().getTime() / 1_000);
  const judged = await verifyDpopProof(proof, { ...expected, nowSeconds });
  if ('invalid' in judged) return judged;
  const { jkt, jti, nonce, expiresAt } = judged;
  if (config.dpopNonce && !isNonce(encryptionKeys, nonce, nowSeconds))
    return { invalid: 'its nonce is missing or over', isNonceWanted: true };
  const isFirst = await noteFirstUse(sql, { kind: 'proof', name: [jkt, jti], endsAtSeconds: expiresAt });
  return isFirst ? { jkt } : { invalid: 'it was used before' };
}

/** The address of a request as callers know it, from ISSUER_URL. @param target as the request line has it */
export function publicUrl({ issuerUrl, config }: Pick<Dependencies, 'issuerUrl' | 'config'>, target: string): string {
  const path = target.split('?', 1)[0]!;
  return issuerUrl + (path.startsWith(config.basePath) ? path.slice(config.basePath.length) : path);
}

/** A nonce is good for two of these, in seconds. */
const nonceSeconds = 120;

/** The nonce of now (RFC 9449 §8); all processes with this KEY_ENCRYPTION_KEY have the same. */
export function currentNonce({ encryptionKeys, clock }: Pick<Dependencies, 'encryptionKeys' | 'clock'>): string {
  return nonceOf(encryptionKeys[0]!, periodOf(clock.now().getTime() / 1_000));
}

const periodOf = (seconds: number): number => Math.floor(seconds / nonceSeconds);
const nonceOf = (key: Buffer, period: number): string =>
  createHmac('sha256', key).update(`DPoP nonce ${period}`).digest('base64url');

function isNonce(encryptionKeys: readonly Buffer[], nonce: string | undefined, nowSeconds: number): boolean {
  const period = periodOf(nowSeconds);
  const given = Buffer.from(nonce ?? '');
  return encryptionKeys.some((key) =>
    // the clock of another process may be ahead
    [period, period - 1, period + 1].some((each) => {
      const good = Buffer.from(nonceOf(key, each));
      return good.length === given.length && timingSafeEqual(good, given);
    }),
  );
}

/**
 * The key of the proof that came with a request for tokens. Only of an authenticated client: a proof leaves
 * a record. Throws TokenRefusal `invalidProof` and `nonceWanted`.
 */
export async function requireProof(dependencies: Dependencies, presented: PresentedProof): Promise<string> {
  const judged = await verifyProof(dependencies, presented);
  if ('jkt' in judged) return judged.jkt;
  throw new TokenRefusal(judged.isNonceWanted ? 'nonceWanted' : 'invalidProof', judged.invalid);
}

/** Of a client that needs one, or a record that is bound to a key. */
export const proofMissing = (): TokenRefusal => new TokenRefusal('invalidProof', 'there is no proof');
