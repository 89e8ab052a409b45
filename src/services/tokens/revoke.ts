/** Revocation of a renewal token by whoever holds it; hardened: by the client that it was issued to. */
import type { Context } from '../../context.js';
import { isStorable } from '../../entities/storableText.js';
import type { SharedStatement } from '../../sql.js';
import { searchableClientId } from './authenticateClient.js';
import { isHardened, isOneHardened } from './policy.js';
import { revokeReused } from './refusedRenewal.js';
import { type RevokedRecord, rehearseRevocation } from './rehearsal.js';
import { findNamedRecord, isLive, lookupOf } from './renewalToken.js';

/** Who asks for a revocation, or for a validation. */
export interface Asking {
  /** As the request names it; undefined: not at all. */
  clientId: string | undefined;
  /** As the request has it, unproven. */
  clientSecret?: string | undefined;
  /** Whether it proved to be that client. */
  isAuthenticated: boolean;
}

/** `clientWanted`: a client of the request is hardened, and none was authenticated; nothing was done. */
type Revocation = 'revoked' | 'notFound' | 'clientWanted';

interface Outcome extends RevokedRecord {
  is_hardened: boolean;
  is_revoked: boolean;
  is_held?: boolean;
}

// a genuine token that was used names its record too ($6): its owner says how it is judged
const judged = `
  with record as materialized (
    select client_id, generation, is_revoked from tokens
    where token_guid = any($9::uuid[]) and (token = $1 or token_guid = $6::uuid) limit 1
  ), judged as materialized (
    select $5::boolean or ${isOneHardened('$3', '(select client_id from record)')} as is_hardened
  )`;
const isToBeRevoked = `t.token_guid = any($9::uuid[]) and t.token = $1 and ${isLive('t')}
      and (not judged.is_hardened or ($7::boolean and (t.client_id is null or t.client_id = $3)))`;
const revoking = `update tokens t set is_revoked = true, revoked_at = now(), revoked_by = $4, revoked_by_ip = $2`;
const outcomeColumns = `
  select is_hardened, exists (select from revoked) as is_revoked, record.client_id as owner_client_id,
    record.is_revoked as was_revoked, coalesce(record.generation > $8::int and not record.is_revoked, false) as is_reused`;

/** Leaves a record that another transaction holds at the moment, and says so. */
const statement = `${judged}, free as materialized (
    select t.id from tokens t, judged where ${isToBeRevoked} for no key update of t skip locked
  ), revoked as (${revoking} from free where t.id = free.id returning 1)
  ${outcomeColumns}, not exists (select from revoked) and exists (select from tokens t where ${isToBeRevoked}) as is_held
  from judged left join record on true`;
/** Waits for it. */
const waitingStatement: SharedStatement = {
  one: `${judged}, revoked as (${revoking} from judged where ${isToBeRevoked} returning 1)
  ${outcomeColumns} from judged left join record on true`,
};

/**
 * Revokes the active record that has the token, if there is one. The moment is the database's. Hardened, a token that was
 * used before is no record's either, but its session ends too: with its successor whoever took the token would stay signed in.
 */
export async function revoke(context: Context, token: string, asking: Asking): Promise<Revocation> {
  const { clientId, isAuthenticated } = asking;
  const presenter = clientId === undefined ? null : searchableClientId({ clientId });
  const isStorableToken = isStorable(token);
  const used = isStorableToken ? await findNamedRecord(context, token) : undefined;
  const lookup = isStorableToken ? lookupOf(token, used) : undefined;
  const values = [
    lookup?.hash ?? null,
    context.address,
    presenter,
    isAuthenticated ? `client ${clientId}` : 'holder',
    isHardened(context.config),
    used?.tokenGuid ?? null,
    isAuthenticated,
    used?.generation ?? null,
    lookup?.guids ?? [],
  ];
  const [found] = await context.sql.rows<Outcome>(statement, values);
  const outcome = found!.is_held ? await context.sql.batchedRow<Outcome>(waitingStatement, values) : found!;
  const { is_hardened: isStrict, is_revoked: isRevoked } = outcome;
  if (!isStrict) rehearseRevocation(context, asking, outcome, isRevoked);
  if (isRevoked) return 'revoked';
  if (isStrict && !isAuthenticated) return 'clientWanted';
  if (isStrict && used) await revokeReused(context, used, presenter);
  return 'notFound';
}
