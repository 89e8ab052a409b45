/** Reads which profiles of a person permit administration. */
import { administrationScopes, type Permission, permissionsOf } from '../../auth/caller.js';
import type { IdTokenIssuer } from '../../config/config.js';
import type { Context, Dependencies } from '../../context.js';
import { isGuid } from '../../entities/valueForms.js';
import { lasts } from '../../services/access/grants.js';
import { granting } from '../../services/tokens/caller.js';
import { subjectConditions } from '../../services/tokens/exchange.js';
import { hasSeveralIssuers } from '../../services/tokens/usersOfNoIssuer.js';

export interface Administrator {
  userGuid: string;
  /** Profiles with administration permissions, the one with the most permissions first. */
  profiles: AdministrationProfile[];
}

interface AdministrationProfile {
  profileId: string;
  name: string;
  permissions: ReadonlySet<Permission>;
}

/** @param isThatOne SQL condition on `u` and on the row `asked` with idpname, sub and administration scopes */
const statement = (isThatOne: string): string => `
  with asked as materialized (select * from (values ($1::text, $2::text, $3::text)) asked(idpname, sub, wanted)), ${granting}
  select u.user_guid as "userGuid", held.profile_id as "profileId", held.name, held.scopes
  from asked join users u on ${isThatOne} and not u.is_blocked
  left join lateral (
    select link.profile_id, profile.name, array_agg(distinct granting.entry) as scopes
    from user_profiles link join profiles profile on profile.profile_id = link.profile_id
    join profile_access_scopes has on has.profile_id = link.profile_id
    join granting on granting.access_scope_id = has.access_scope_id
    where link.user_id = u.user_id and ${lasts('link')} and ${lasts('has')}
    group by link.profile_id, profile.name
  ) held on true`;

/** The user of an issuer's ID token; undefined if there is none or the user is blocked. */
export function findAdministrator(
  dependencies: Dependencies,
  { subject, idpname }: IdTokenIssuer,
  sub: string,
): Promise<Administrator | undefined> {
  if (subject === 'userGuid' && !isGuid(sub)) return Promise.resolve(undefined);
  const kind = subject === 'userGuid' && !hasSeveralIssuers(dependencies.config) ? 'onlyIssuersUserGuid' : subject;
  return find(dependencies, subjectConditions[kind], idpname, sub);
}

/** The administrator with this guid, for a user who is already signed in. */
export const findAdministratorByGuid = (
  dependencies: Dependencies,
  userGuid: string,
): Promise<Administrator | undefined> => find(dependencies, 'u.user_guid = asked.sub::uuid', null, userGuid);

/** Whether at least one user who is not blocked could administer by signing in at a provider of the console. */
export async function canAnybodySignIn({ sql, config }: Pick<Dependencies, 'sql' | 'config'>): Promise<boolean> {
  const issuers = (config.idTokenIssuers ?? []).filter((issuer) => issuer.console);
  const takesNoName = issuers.some(({ subject }) => subject === 'userGuid') && !hasSeveralIssuers(config);
  const [row] = await sql.rows(
    `with asked as materialized (select $1::text as wanted), ${granting}
     select from users u join user_profiles link using (user_id)
     join profile_access_scopes has on has.profile_id = link.profile_id
     join granting on granting.access_scope_id = has.access_scope_id
     where ${lasts('link')} and ${lasts('has')} and not u.is_blocked and (u.idpname = any($2::text[]) or u.idpname is null and $3) limit 1`,
    [administrationScopes(config).join(' '), issuers.map(({ idpname }) => idpname), takesNoName],
  );
  return row !== undefined;
}

/** Returns the caller's profiles that permit administration; none for a caller without a user record. */
export async function listOwnProfiles(
  context: Context,
): Promise<{ profileId: string; name: string; permissions: Permission[] }[]> {
  const { caller } = context;
  if (caller.kind !== 'user' || !isGuid(caller.sub)) return [];
  const administrator = await findAdministratorByGuid(context, caller.sub);
  return (administrator?.profiles ?? []).map((profile) => ({
    ...profile,
    permissions: [...profile.permissions].sort(),
  }));
}

async function find(
  { sql, config }: Dependencies,
  isThatOne: string,
  idpname: string | null,
  sub: string,
): Promise<Administrator | undefined> {
  const values = [idpname, sub, administrationScopes(config).join(' ')];
  // without such a profile there is one row, whose scopes are null
  const rows = await sql.rows<{ userGuid: string; profileId: string; name: string; scopes: string[] | null }>(
    statement(isThatOne),
    values,
  );
  if (rows.length === 0) return undefined;
  const profiles = rows
    .map(({ profileId, name, scopes }) => ({ profileId, name, permissions: permissionsOf(scopes ?? [], config) }))
    .filter(({ permissions }) => permissions.size > 0)
    .sort((one, other) => other.permissions.size - one.permissions.size || (one.profileId < other.profileId ? -1 : 1));
  return { userGuid: rows[0]!.userGuid, profiles };
}
