/** What is good for one use, in whatever process: the first that notes it has it. Those of the same moment share a statement. */
import { hash } from 'node:crypto';
import type { SharedStatement, Sql } from '../../sql.js';

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
