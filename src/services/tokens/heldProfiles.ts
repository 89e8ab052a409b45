/** Lists the profiles that a person holds: by ID token before the first exchange, later by access token. */
import type { Context } from '../../context.js';
import { isGuid } from '../../entities/valueForms.js';
import { alone, timeText } from '../../sql.js';
import { lasts } from '../access/grants.js';
import { clientColumns, type StoredClient } from './client.js';
import { bySubject, findSignOut, requireHolder, type SignInRequest, signInTypes } from './exchange.js';

interface HeldProfile {
  profileId: string;
  name: string;
  /** The role of the lowest link, as in a token. */
  roleId: string;
  /** When the person ceases to hold the profile, ISO 8601; null: never. */
  validUntil: string | null;
}

/** SQL: the profiles of the user `u`, a JSON array in order of profile id. */
const heldProfiles = `(
    select coalesce(json_agg(json_build_object('profileId', held.profile_id, 'name', held.name, 'roleId', held.role_id,
      'validUntil', held.valid_until) order by held.profile_id collate "C"), '[]')
    from (
      select distinct on (link.profile_id) link.profile_id, profile.name, link.role_id,
        case when bool_and(link.valid_until is not null) over links
          then ${timeText('max(link.valid_until) over links')} end as valid_until
      from user_profiles link join profiles profile on profile.profile_id = link.profile_id
      where link.user_id = u.user_id and ${lasts('link')}
      window links as (partition by link.profile_id)
      order by link.profile_id, link.user_profile_id
    ) held)`;

interface PersonLookup extends StoredClient {
  user_guid: string | null;
  profiles: HeldProfile[] | null;
}

const statements = bySubject((isUser) =>
  alone(
    signInTypes,
    ({ rows }) => `select ${clientColumns}, holder.*
    from ${rows}
    left join clients client on client.client_id = asked.client_id
    left join lateral (
      select u.user_guid, ${heldProfiles} as profiles from users u where ${isUser} and not u.is_blocked
    ) holder on true`,
  ),
);

/** Checks client, proof and ID token like an exchange, and throws the same errors. Issues and writes nothing. */
export async function listProfiles(context: Context, request: SignInRequest): Promise<HeldProfile[]> {
  const { holder, verified } = await requireHolder<PersonLookup>(context, request, statements, null);
  const signOut = await findSignOut(context, verified);
  if (signOut) throw signOut;
  return holder.profiles!;
}

const ownProfiles = `select ${heldProfiles} as profiles from users u where u.user_guid = $1`;

/** Returns the caller's own profiles; none for a caller without a user record. */
export async function listOwnHeldProfiles({ caller, reads }: Context): Promise<HeldProfile[]> {
  if (caller.kind !== 'user' || !isGuid(caller.sub)) return [];
  const [row] = await reads.rows<{ profiles: HeldProfile[] }>(ownProfiles, [caller.sub]);
  return row?.profiles ?? [];
}
