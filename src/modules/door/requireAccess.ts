/** Checks whether an access token gives the access that a reverse proxy requires (`/verify`). */
import type { PresentedToken } from '../../auth/caller.js';
import type { AccessTokenClaims } from '../../auth/tokenFormat.js';
import type { Context } from '../../context.js';
import { isScopeToken } from '../../entities/valueForms.js';
import { insufficientScope, throwReadFailure, unauthenticated } from '../../errors.js';
import { note } from '../../observability/currentRequest.js';
import { openings } from '../../services/access/openings.js';
import { covers, scopeEntryColumn } from '../../services/access/scopeEntry.js';
import { challengeOf, invalidToken, requireBinding } from '../../services/tokens/caller.js';
import type { PresentedProof } from '../../services/tokens/proofOfPossession.js';
import { validate } from '../../services/tokens/validate.js';
import { shared } from '../../sql.js';

export interface RequiredAccess {
  /** Entries of `scopes`; the token must hold each, or the wildcard of its type. */
  scopes: readonly string[];
  /** Guid of an application that the token's profile opens now. */
  application?: string | undefined;
  /** Absent: one of AUDIENCES. */
  audience?: string | undefined;
  role?: string | undefined;
}

/**
 * Returns the claims of a live token that meets the needs. Throws UNAUTHENTICATED or FORBIDDEN, each with its challenge
 * (RFC 6750 §3, RFC 9449 §7.1), and UNAVAILABLE.
 * @param proof called for a token that is bound to a key; undefined: the proxy does not name its request
 */
export async function requireAccess(
  context: Context,
  presented: PresentedToken | undefined,
  needs: RequiredAccess,
  proof: () => PresentedProof | undefined,
): Promise<Readonly<AccessTokenClaims>> {
  if (!presented) throw unauthenticated('no access token');
  const { scheme, token } = presented;
  const accepted = needs.audience === undefined ? context.config.audiences : [needs.audience];
  const verdict = await validate(context, token, accepted).catch(throwReadFailure);
  if ('invalid' in verdict) throw invalidToken(verdict.invalid, scheme);
  const { claims } = verdict;
  note('caller', claims.sub);
  await requireBinding(context, presented, claims.cnf?.jkt, () => {
    const named = proof();
    if (!named) throw invalidToken('the proxy does not name the request, or names two', scheme);
    return named;
  });
  const missing = await findMissing(context, claims, needs);
  if (missing === undefined) return claims;
  // RFC 6750 §3: the attribute holds scope-tokens
  const scope = needs.scopes.filter(isScopeToken).join(' ');
  const { header, error } = challengeOf(scheme, 'insufficient_scope');
  throw insufficientScope(missing, { header: scope === '' ? header : `${header}, scope="${scope}"`, error });
}

async function findMissing(
  context: Context,
  claims: Readonly<AccessTokenClaims>,
  { scopes, role, application }: RequiredAccess,
): Promise<string | undefined> {
  if (!scopes.every((scope) => covers(claims.scopes, scope))) return 'a scope is missing';
  if (role !== undefined && claims.roleId !== role) return 'the role is another';
  if (application === undefined) return undefined;
  return (await opens(context, claims, application)) ? undefined : 'the application is not open';
}

/** Whether the token's profile opens the application now; a narrowed token counts only with its own scopes. */
async function opens(
  { sql, config }: Context,
  { profileId, scopes, scope }: Readonly<AccessTokenClaims>,
  application: string,
): Promise<boolean> {
  const limits = scope === undefined ? null : scopes.join(' ');
  const values = { profile_id: profileId, application, limits, states: config.mappingActiveStates.join() };
  const row = await sql.batchedRow<{ is_open: boolean }>(openApplications, values).catch(throwReadFailure);
  return row.is_open;
}

const condition = `m.application_id = a.application_id and has.profile_id = asked.profile_id
  and (asked.limits is null or ${scopeEntryColumn} = any(string_to_array(asked.limits, ' ')))`;
const openApplications = shared(
  { profile_id: 'text', application: 'uuid', limits: 'text', states: 'text' },
  ({ rows }) => `
  select asked.ord, exists (
    select from applications a where a.application_guid = asked.application and a.is_active
      and exists (${openings(condition, `string_to_array(asked.states, ',')`)})) as is_open
  from ${rows}`,
);
