/** Previews the access token of a user for a profile: its claims if it were issued now, and why. Issues nothing. */
import type { AccessTokenClaims } from '../../auth/tokenFormat.js';
import type { Context } from '../../context.js';
import { notFound } from '../../errors.js';
import { lasts } from '../access/grants.js';
import { firstEnd, type HeldEnds, holdingJoins } from '../access/held.js';
import { scopeEntryColumn, scopesAndTypes } from '../access/scopeEntry.js';
import { permit } from '../permit.js';
import { claimsOf, type Holding } from './claims.js';

interface PreviewedScope {
  /** The entry of the claim; null for an access scope that has neither key nor concreteId. */
  scope: string | null;
  isIssued: boolean;
  why: string;
  accessScopeId: number;
  profileAccessScopeId: number;
}

interface TokenPreview {
  isIssued: boolean;
  /** The reason why no token would be issued; null: one would be. */
  refusal: string | null;
  claims: AccessTokenClaims | null;
  /** The link of user and profile that decides the role. */
  userProfileId: number | null;
  scopes: PreviewedScope[];
}

interface State extends HeldEnds {
  user_known: boolean;
  profile_known: boolean;
  is_blocked: boolean | null;
  user_guid: string | null;
  role_id: string | null;
  scopes: string[] | null;
  user_profile_id: number | null;
  /** When the last of the user's links to the profile ended; null: none has. */
  ended_at: string | null;
}

const linkOfUser =
  'from user_profiles link join users using (user_id) where users.user_guid = $1::uuid and link.profile_id = $2';

const stateStatement = `
  select known.user_guid is not null as user_known, known.is_blocked,
    exists (select 1 from profiles where profile_id = $2) as profile_known, holder.*,
    (select min(user_profile_id) ${linkOfUser} and ${lasts('link')}) as user_profile_id,
    (select max(valid_until) ${linkOfUser} and not ${lasts('link')}) as ended_at
  from (values (1)) one
  left join users known on known.user_guid = $1::uuid
  left join (
    select u.user_guid, link.*, held.* from users u ${holdingJoins('$2')}
    where u.user_guid = $1::uuid and not u.is_blocked
  ) holder on true`;

const scopesStatement = `
  select has.profile_access_scope_id, case when not ${lasts('has')} then has.valid_until end as ended_at,
    scope.access_scope_id, scope.is_active, type.is_active as type_is_active,
    ${scopeEntryColumn} as entry
  from profile_access_scopes has join (${scopesAndTypes}) using (access_scope_id)
  where has.profile_id = $1 order by scope.access_scope_id`;

interface ScopeRow {
  /** Null: it has not ended. */
  ended_at: string | null;
  profile_access_scope_id: number;
  access_scope_id: number;
  is_active: boolean;
  type_is_active: boolean;
  entry: string | null;
}

/** Throws NOT_FOUND for an unknown user or profile. */
export async function previewToken(context: Context, userGuid: string, profileId: string): Promise<TokenPreview> {
  permit(context, 'admin:read');
  const [state] = await context.sql.rows<State>(stateStatement, [userGuid, profileId]);
  if (!state?.user_known) throw notFound('The user');
  if (!state.profile_known) throw notFound('The profile');
  const refusal = state.is_blocked
    ? 'The user is blocked.'
    : state.role_id
      ? null
      : state.ended_at
        ? `The user held the profile until ${state.ended_at}.`
        : 'The user does not hold the profile.';
  return {
    isIssued: refusal === null,
    refusal,
    claims: refusal === null ? claimsOf(context, holdingOf(state, profileId), new Date()) : null,
    userProfileId: state.user_profile_id,
    scopes: await explain(context, profileId, refusal === null ? (state.scopes ?? []) : []),
  };
}

const holdingOf = (state: State, profileId: string): Holding => ({
  userGuid: state.user_guid!,
  profileId,
  roleId: state.role_id!,
  scopes: state.scopes!,
  endsAtSeconds: firstEnd(state, state.scopes!),
});

async function explain({ sql }: Context, profileId: string, issued: readonly string[]): Promise<PreviewedScope[]> {
  const rows = await sql.rows<ScopeRow>(scopesStatement, [profileId]);
  // by UTF-16 code unit, as the claim is; those without an entry last
  const key = ({ entry }: { entry: string | null }) => entry ?? '\uffff';
  rows.sort((one, other) => (key(one) < key(other) ? -1 : key(one) > key(other) ? 1 : 0));
  const all = new Set(issued);
  return rows.map((row) => {
    const { entry } = row;
    const isIssued = row.ended_at === null && row.is_active && row.type_is_active && entry !== null && all.has(entry);
    return {
      scope: entry,
      isIssued,
      why: isIssued ? 'The profile has this access scope, and it is active.' : whyNot(row),
      accessScopeId: row.access_scope_id,
      profileAccessScopeId: row.profile_access_scope_id,
    };
  });
}

function whyNot({ ended_at, is_active, type_is_active, entry }: ScopeRow): string {
  if (ended_at !== null) return `The profile had this access scope until ${ended_at}.`;
  if (!is_active) return 'The profile has this access scope, but it is not active.';
  if (!type_is_active) return 'The profile has this access scope, but its type is not in use.';
  if (entry === null) return 'The access scope has neither key nor concreteId.';
  return 'The user gets no token for this profile.';
}
