/** Verifies DPoP proofs (RFC 9449), and notes uses of everything that may be used only once. */
import { createHmac, hash, timingSafeEqual } from 'node:crypto';
import { verifyDpopProof } from '../../auth/clientKeys.js';
import type { Dependencies } from '../../context.js';
import { type Sql, shared } from '../../sql.js';
import { TokenRefusal } from './tokenRefusal.js';

interface OnceOnly {
  kind: 'assertion' | 'proof' | 'logout' | 'sign-in';
  /** Identifies it: the signer and the jti; for a sign-in the issuer and the state. */
  name: readonly [maker: string, jti: string];
  /** When it expires, in seconds since 1970. */
  endsAtSeconds: number;
}

// in one order, so that two of these never deadlock
const notes = shared(
  { use_hash: 'text', ends_at: 'timestamptz' },
  ({ rows }) => `
  with given as materialized (select * from ${rows}), noted as (
    insert into single_uses (use_hash, ends_at) select use_hash, ends_at from given order by use_hash
    on conflict do nothing returning use_hash
  ), firsts as (
    select distinct on (use_hash) ord from given join noted using (use_hash) order by use_hash, ord
  )
  select given.ord, firsts.ord is not null as is_first from given left join firsts using (ord)`,
);

/** Notes a use and returns whether it was the first; exactly one of several simultaneous uses is. */
export async function noteFirstUse(sql: Sql, { kind, name, endsAtSeconds }: OnceOnly): Promise<boolean> {
  const useHash = hash('sha256', JSON.stringify([kind, ...name]), 'base64url');
  const values = { use_hash: useHash, ends_at: new Date(endsAtSeconds * 1_000) };
  return (await sql.batchedRow<{ is_first: boolean }>(notes, values)).is_first;
}

/** The proof of a request, not yet verified. */
export interface PresentedProof {
  /** The value of the header; several lines are joined. */
  proof: string;
  method: string;
  /** The public address of the request. */
  url: string;
  /** The access token that came with it; absent at the token endpoint. */
  accessToken?: string;
  /** Thumbprint of the key that the access token is bound to. */
  jkt?: string;
}

type ProofVerdict = { jkt: string } | { invalid: string; isNonceWanted?: true; isOfAnotherKey?: true };

/** Returns the thumbprint of the key, or why the proof is invalid, for the log. Each proof is accepted once across all processes. */
export async function verifyProof(
  { sql, clock, config, encryptionKeys }: Dependencies,
  { proof, ...expected }: PresentedProof,
): Promise<ProofVerdict> {
  const nowSeconds = Math.floor(clock.now().getTime() / 1_000);
  const verdict = await verifyDpopProof(proof, { ...expected, nowSeconds });
  if ('invalid' in verdict) return verdict;
  const { jkt, jti, nonce, expiresAt } = verdict;
  if (config.dpopNonce && !isNonce(encryptionKeys, nonce, nowSeconds))
    return { invalid: 'its nonce is missing or has expired', isNonceWanted: true };
  const isFirst = await noteFirstUse(sql, { kind: 'proof', name: [jkt, jti], endsAtSeconds: expiresAt });
  return isFirst ? { jkt } : { invalid: 'it was used before' };
}

/** Returns the public address of a request, built from ISSUER_URL. @param target the target of the request line */
export function publicUrl({ issuerUrl, config }: Pick<Dependencies, 'issuerUrl' | 'config'>, target: string): string {
  const path = target.split('?', 1)[0]!;
  return issuerUrl + (path.startsWith(config.basePath) ? path.slice(config.basePath.length) : path);
}

/** Seconds; a nonce is valid for two of these periods. */
const nonceSeconds = 120;

/** The current nonce (RFC 9449 §8), the same in all processes with this KEY_ENCRYPTION_KEY. */
export function currentNonce({ encryptionKeys, clock }: Pick<Dependencies, 'encryptionKeys' | 'clock'>): string {
  return nonceOf(encryptionKeys[0]!, periodOf(clock.now().getTime() / 1_000));
}

const periodOf = (seconds: number): number => Math.floor(seconds / nonceSeconds);
const nonceOf = (key: Buffer, period: number): string =>
  createHmac('sha256', key).update(`DPoP nonce ${period}`).digest('base64url');

function isNonce(encryptionKeys: readonly Buffer[], nonce: string | undefined, nowSeconds: number): boolean {
  const period = periodOf(nowSeconds);
  const presented = Buffer.from(nonce ?? '');
  return encryptionKeys.some((key) =>
    // the clock of another process may be ahead
    [period, period - 1, period + 1].some((candidate) => {
      const good = Buffer.from(nonceOf(key, candidate));
      return good.length === presented.length && timingSafeEqual(good, presented);
    }),
  );
}

/** Returns the refusal of a request without the proof that its client or record needs. */
export const proofMissing = (): TokenRefusal => new TokenRefusal('invalidProof', 'the proof is missing');
