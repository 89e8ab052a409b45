/** Says what profiles would give a person beside those that the person holds: the applications and the entries of `scopes` that are new. */
import type { Context } from '../../context.js';
import { notFound, tooLarge } from '../../errors.js';
import { lasts } from '../../services/access/grants.js';
import { heldEntries } from '../../services/access/held.js';
import { openings } from '../../services/access/openings.js';
import { permit } from '../../services/permit.js';

/** Applications and entries that are listed; the counts are of all. */
export const previewedMax = 12;
const profilesMax = 100;

interface GrantPreview {
  isHeld: boolean;
  /** Applications that the profile opens, for whoever holds it. */
  opens: number;
  /** Applications and entries that the person would gain. */
  applications: number;
  scopes: number;
  /** The first of them, by name. */
  applicationIds: number[];
  entries: string[];
}

// $1 person, $2 profiles, $3 active states. Somebody who is blocked has nothing, and gains nothing. What the person has is read
// by each access scope once, whichever of the profiles held have it
const statement = `
  with person as materialized (select user_id, is_blocked from users where user_guid = $1::uuid),
  held as materialized (
    select distinct link.profile_id from user_profiles link join person using (user_id) where ${lasts('link')}),
  links as materialized (
    select min(has.profile_access_scope_id) as id from profile_access_scopes has
    where has.profile_id in (select profile_id from held) and ${lasts('has')} group by has.access_scope_id),
  open_already as materialized (
    select distinct application_id from (${openings('has.profile_access_scope_id = any(array(select id from links))', '$3::text[]')}) o),
  issued_already as materialized (
    select value from (${heldEntries('has.profile_access_scope_id = any(array(select id from links))')}) e),
  opened as materialized (
    select distinct o.profile_id, o.application_id
    from (${openings('has.profile_id = any($2::text[])', '$3::text[]')}) o
    join applications a on a.application_id = o.application_id and a.is_active),
  issued as materialized (select distinct profile_id, value from (${heldEntries('has.profile_id = any($2::text[])')}) e),
  new_applications as materialized (
    select profile_id, application_id, row_number() over (partition by profile_id order by a.name collate "C", application_id) as place
    from opened join applications a using (application_id)
    where application_id not in (select application_id from open_already)),
  new_entries as materialized (
    select profile_id, value, row_number() over (partition by profile_id order by value collate "C") as place
    from issued where value not in (select value from issued_already))
  select asked.profile_id as "profileId", asked.profile_id in (select profile_id from held) as "isHeld",
    (select count(*)::int from opened where opened.profile_id = asked.profile_id) as opens,
    applications.count as applications, applications.ids as "applicationIds", scopes.count as scopes, scopes.entries
  from unnest($2::text[]) asked (profile_id) cross join person
  cross join lateral (select count(*)::int as count,
      coalesce(array_agg(application_id order by place) filter (where place <= ${previewedMax}), '{}') as ids
    from new_applications n where n.profile_id = asked.profile_id and not person.is_blocked) applications
  cross join lateral (select count(*)::int as count,
      coalesce(array_agg(value order by place) filter (where place <= ${previewedMax}), '{}') as entries
    from new_entries n where n.profile_id = asked.profile_id and not person.is_blocked) scopes`;

/** One for each profile, in their order. Throws FORBIDDEN, NOT_FOUND for an unknown person, and TOO_LARGE for more than 100 profiles. */
export async function previewGrants(
  context: Context,
  userGuid: string,
  profileIds: readonly string[],
): Promise<GrantPreview[]> {
  permit(context, 'admin:read');
  if (profileIds.length > profilesMax)
    throw tooLarge(`What they give can be read for ${profilesMax} profiles at once.`);
  const rows = await context.reads.rows<GrantPreview & { profileId: string }>(statement, [
    userGuid,
    [...new Set(profileIds)],
    context.config.mappingActiveStates,
  ]);
  const previews = new Map(rows.map((row) => [row.profileId, row]));
  return profileIds.map((profileId) => {
    const preview = previews.get(profileId);
    if (!preview) throw notFound('The user');
    return preview;
  });
}
