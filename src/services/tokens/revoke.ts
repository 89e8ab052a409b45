/** Revocation of a renewal token by whoever holds it; hardened: by the client that it was issued to. */
import type { Context } from '../../context.js';
import { isStorable } from '../../entities/storableText.js';
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
}

// a genuine token that was used names its record too ($6): its owner says how it is judged
const statement = `
  with record as materialized (
    select client_id, generation, is_revoked from tokens
    where token_guid = any($9::uuid[]) and (token = $1 or token_guid = $6::uuid) limit 1
  ), judged as materialized (
    select $5::boolean or ${isOneHardened('$3', '(select client_id from record)')} as is_hardened
  ), revoked as (
    update tokens t set is_revoked = true, revoked_at = now(), revoked_by = $4, revoked_by_ip = $2
    from judged
    where t.token_guid = any($9::uuid[]) and t.token = $1 and ${isLive('t')}
      and (not judged.is_hardened or ($7::boolean and (t.client_id is null or t.client_id = $3)))
    returning 1
  )
  select is_hardened, exists (select from revoked) as is_revoked, record.client_id as owner_client_id,
    record.is_revoked as was_revoked, coalesce(record.generation > $8::int and not record.is_revoked, false) as is_reused
  from judged left join record on true`;

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
  const [outcome] = await context.sql.rows<Outcome>(statement, values);
  const { is_hardened: isStrict, is_revoked: isRevoked } = outcome!;
  if (!isStrict) rehearseRevocation(context, asking, outcome!, isRevoked);
  if (isRevoked) return 'revoked';
  if (isStrict && !isAuthenticated) return 'clientWanted';
  if (isStrict && used) await revokeReused(context, used, presenter);
  return 'notFound';
}
