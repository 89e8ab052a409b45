/** Revokes the renewal token that somebody presents. */
import type { Context } from '../../context.js';
import { isStorable } from '../../entities/valueForms.js';
import { alone, valuesOf } from '../../sql.js';
import { searchableClientId } from './client.js';
import { isHardened, isOneHardened, type RevokedRecord, rehearseRevocation } from './policy.js';
import { revokeReused } from './refusedRenewal.js';
import { findNamedRecord, isLive, lookupOf, tracedBy } from './renewalToken.js';

/** The sender of a revocation or validation request. */
export interface Asking {
  /** The client id in the request, if any. */
  clientId: string | undefined;
  /** The secret in the request, not yet checked. */
  clientSecret?: string | undefined;
  /** Whether the sender authenticated as that client. */
  isAuthenticated: boolean;
}

/** `clientWanted`: a client involved is hardened, and the sender did not authenticate. Nothing was changed. */
type Revocation = 'revoked' | 'notFound' | 'clientWanted';

interface Outcome extends RevokedRecord {
  is_hardened: boolean;
  is_revoked: boolean;
  is_held: boolean;
}

const types = {
  token: 'bytea',
  guids: 'uuid[]',
  address: 'text',
  client_id: 'text',
  revoked_by: 'text',
  is_hardened: 'boolean',
  is_authenticated: 'boolean',
  used_guid: 'uuid',
  used_generation: 'int',
  trace_id: 'text',
};
/** @param isWaiting whether to wait for a record that another transaction has locked; otherwise it is skipped, and `is_held` is true */
const revocation = (isWaiting: boolean) =>
  alone(types, ({ value }) => {
    const isToBeRevoked = `t.token_guid = any(${value('guids')}) and t.token = ${value('token')} and ${isLive('t')}
      and (not judged.is_hardened or (${value('is_authenticated')} and (t.client_id is null or t.client_id = ${value('client_id')})))`;
    const free = `free as materialized (
    select t.id from tokens t, judged where ${isToBeRevoked} for no key update of t skip locked
  )`;
    // a genuine used token names its record too; the policy of the record's client applies
    return `
  with record as materialized (
    select client_id, generation, is_revoked, ${tracedBy(value('trace_id'))} from tokens
    where token_guid = any(${value('guids')}) and (token = ${value('token')} or token_guid = ${value('used_guid')}) limit 1
  ), judged as materialized (
    select ${value('is_hardened')} or ${isOneHardened(value('client_id'), '(select client_id from record)')} as is_hardened
  ), ${isWaiting ? '' : `${free}, `}revoked as (
    update tokens t set is_revoked = true, revoked_at = now(), revoked_by = ${value('revoked_by')}, revoked_by_ip = ${value('address')}
    from ${isWaiting ? `judged where ${isToBeRevoked}` : 'free where t.id = free.id'} returning 1
  )
  select is_hardened, exists (select from revoked) as is_revoked, record.client_id as owner_client_id,
    record.is_revoked as was_revoked,
    coalesce(record.generation > ${value('used_generation')} and not record.is_revoked, false) as is_reused,
    not exists (select from revoked) and exists (select from tokens t where ${isToBeRevoked}) as is_held
  from judged left join record on true`;
  });
const revocations = { free: revocation(false), waiting: revocation(true) };

/**
 * Revokes the active record that has the token, if there is one, at the database's time. Under the hardened policy a used
 * token also ends its session, because a thief may hold its successor.
 */
export async function revoke(context: Context, token: string, asking: Asking): Promise<Revocation> {
  const { clientId, isAuthenticated } = asking;
  const presenter = searchableClientId(asking);
  const isStorableToken = isStorable(token);
  const used = isStorableToken ? await findNamedRecord(context, token) : undefined;
  const lookup = isStorableToken ? lookupOf(token, used) : undefined;
  const values = {
    token: lookup?.hash ?? null,
    guids: lookup?.guids ?? [],
    address: context.address,
    client_id: presenter,
    revoked_by: isAuthenticated ? `client ${clientId}` : 'holder',
    is_hardened: isHardened(context.config),
    is_authenticated: isAuthenticated,
    used_guid: used?.tokenGuid ?? null,
    used_generation: used?.generation ?? null,
    trace_id: context.traceId,
  };
  const { free, waiting } = revocations;
  const [first] = await context.sql.rows<Outcome>(free.one, valuesOf(free, values));
  const outcome = first!.is_held ? await context.sql.batchedRow<Outcome>(waiting, values) : first!;
  const { is_hardened: isStrict, is_revoked: isRevoked } = outcome;
  if (!isStrict) rehearseRevocation(context, asking, outcome, isRevoked);
  if (isRevoked) return 'revoked';
  if (isStrict && !isAuthenticated) return 'clientWanted';
  if (isStrict && used) await revokeReused(context, used, presenter);
  return 'notFound';
}
