/** Starts a review: stores, by one statement, who holds what at that moment. */
import type { Context } from '../../../context.js';
import { Review } from '../../../entities/Review.js';
import { badInput, conflict, type Problems, tooLarge } from '../../../errors.js';
import { lasts } from '../../../services/access/grants.js';
import { openings } from '../../../services/access/openings.js';
import { findDaysProblem, isUnused } from '../../../services/access/unusedGrants.js';
import { administeringProfiles, legacyScopes } from '../../../services/adminScopes/guard.js';
import { fullName } from '../../../services/fullName.js';
import { actorOf, permit } from '../../../services/permit.js';
import { unusualInDepartments } from '../../../services/read/unusualProfiles.js';
import { alreadyThere } from '../../../services/records/change.js';
import { findProblem } from '../../../services/records/input.js';

/** Maximum number of grants in a review. */
export const reviewItemsMax = 100_000;
/** Maximum number of reviews that are open at the same time. */
export const openReviewsMax = 50;

const grantKinds = ['USER_PROFILE', 'PROFILE_ACCESS_SCOPE'] as const;
export type GrantKind = (typeof grantKinds)[number];
export type ReviewDefault = 'KEEP' | 'END';

/** Which grants are reviewed; conditions are combined with AND. */
export interface ReviewCriteria {
  kinds?: readonly GrantKind[] | null;
  profileIds?: readonly string[] | null;
  ownerProfileIds?: readonly string[] | null;
  departments?: readonly string[] | null;
  /** Only profiles with administration scopes; false: only the others. */
  administration?: boolean | null;
  /** Given at least that many days ago, and not used since; people who are blocked are left out. */
  unusedDays?: number | null;
}

interface NewReview {
  name: string;
  filter: ReviewCriteria;
  dueAt: string;
  undecided: ReviewDefault;
  note?: string | null | undefined;
  /** Chosen by the caller, so that a review that is started again stays one. */
  reviewGuid?: string | null | undefined;
}

/** Conditions that only a user's grant can meet. */
const concernsUsers = ({ departments, unusedDays }: ReviewCriteria): boolean =>
  Boolean(departments) || typeof unusedDays === 'number';

/** Returns the guid. Throws BAD_USER_INPUT, TOO_LARGE for too many grants, and CONFLICT for too many open reviews. */
export async function startReview(context: Context, review: NewReview): Promise<string> {
  permit(context, 'admin:read');
  permit(context, 'admin:security');
  await requireReview(context, review);
  const { name, filter, dueAt, undecided, note = null, reviewGuid = null } = review;
  const own = [name.trim(), undecided, dueAt, note, JSON.stringify(filter), actorOf(context), reviewGuid];
  return context.sql.transaction(async ({ rows }) => {
    await rows("select pg_advisory_xact_lock(hashtext('gatehouse reviews'))");
    const [stored] = await rows<{ isSame: boolean }>(
      `select (name, undecided, due_at, filter, started_by) = ($1, $2, $3::timestamptz(3), $5::jsonb, $6::uuid)
         and note is not distinct from $4 as "isSame" from reviews where review_guid = $7::uuid`,
      own,
    );
    if (stored && !stored.isSame) throw conflict(alreadyThere);
    if (stored) return reviewGuid!;
    const [open] = await rows<{ count: number }>("select count(*)::int as count from reviews where state = 'OPEN'");
    if (open!.count >= openReviewsMax) throw conflict(`${openReviewsMax} reviews are open: finish one first.`);
    const [started] = await rows<{ id: string; guid: string }>(
      `insert into reviews (name, undecided, due_at, note, filter, total, started_by, review_guid)
       values ($1, $2, $3::timestamptz, $4, $5::jsonb, 0, $6::uuid, coalesce($7::uuid, gen_random_uuid()))
       returning review_id::text as id, review_guid::text as guid`,
      own,
    );
    const { id, guid } = started!;
    const values = [...filterValues(context, filter), context.config.mappingActiveStates, id];
    const [frozen] = await rows<{ count: number }>(freeze, values);
    if (frozen!.count === 0) throw badInput({ filter: ['No grant matches the filter.'] });
    if (frozen!.count > reviewItemsMax)
      throw tooLarge(`A review has at most ${reviewItemsMax} grants: narrow the filter.`);
    await rows('update reviews set total = $2::int where review_id = $1::bigint', [id, frozen!.count]);
    return guid;
  });
}

interface ReviewSize {
  /** Items that the review would have. */
  grants: number;
  people: number;
  profiles: number;
  /** A review has at most `reviewItemsMax` items. */
  isTooLarge: boolean;
}

/** How large a review with this filter would be if it started now. Throws BAD_USER_INPUT. */
export async function sizeOfReview(context: Context, filter: ReviewCriteria): Promise<ReviewSize> {
  permit(context, 'admin:read');
  permit(context, 'admin:security');
  const problems = await findFilterProblems(context, filter);
  if (Object.keys(problems).length > 0) throw badInput(problems);
  const [size] = await context.sql.rows<ReviewSize>(countGrants, filterValues(context, filter));
  return size!;
}

/** The values of $1 to $7 of `chosen` and of the grants. */
const filterValues = (context: Context, filter: ReviewCriteria): unknown[] => [
  filter.kinds ?? (concernsUsers(filter) ? ['USER_PROFILE'] : grantKinds),
  filter.profileIds ?? null,
  filter.ownerProfileIds ?? null,
  filter.departments ?? null,
  filter.unusedDays ?? null,
  filter.administration ?? null,
  legacyScopes(context),
];

async function requireReview(context: Context, { name, filter, dueAt, note }: NewReview): Promise<void> {
  const problems = await findFilterProblems(context, filter);
  const nameProblem = name.trim() ? findProblem(Review, 'name', name) : 'must not be empty';
  if (nameProblem) problems.name = [`The name ${nameProblem}.`];
  const noteProblem = note ? findProblem(Review, 'note', note) : undefined;
  if (noteProblem) problems.note = [`The note ${noteProblem}.`];
  const [time] = await context.sql.rows<{ isOver: boolean }>('select $1::timestamptz <= now() as "isOver"', [dueAt]);
  if (time!.isOver) problems.dueAt = ['The time has passed.'];
  if (Object.keys(problems).length > 0) throw badInput(problems);
}

async function findFilterProblems({ sql }: Context, filter: ReviewCriteria): Promise<Problems> {
  const problems: Problems = {};
  const [named] = await sql.rows<{ unknown: string[] }>(
    'select array(select id from unnest($1::text[]) id where not exists (select from profiles where profile_id = id)) as unknown',
    [[...(filter.profileIds ?? []), ...(filter.ownerProfileIds ?? [])]],
  );
  for (const list of ['profileIds', 'ownerProfileIds'] as const)
    (filter[list] ?? []).forEach((id, index) => {
      if (named!.unknown.includes(id)) problems[`filter.${list}[${index}]`] = ['There is no such profile.'];
    });
  const daysProblem = typeof filter.unusedDays === 'number' && findDaysProblem(filter.unusedDays);
  if (daysProblem) problems['filter.unusedDays'] = [daysProblem];
  return problems;
}

// $1 kinds, $2 profiles, $3 owners, $4 departments, $5 days, $6 administration, $7 legacy scopes
const chosen = `
  administering as materialized (
    ${administeringProfiles('$7')} and ${lasts('has')}),
  chosen as materialized (
    select p.profile_id, p.name,
      case when p.profile_id not in (select profile_id from administering) then p.owner_profile_id end as owner_profile_id
    from profiles p
    where ($2::text[] is null or p.profile_id = any($2)) and ($3::text[] is null or p.owner_profile_id = any($3))
      and ($6::boolean is null or $6 = (p.profile_id in (select profile_id from administering))))`;
const ofUsers = 'user_profiles link join chosen using (profile_id) join users u using (user_id)';
const isOfUsers = `'USER_PROFILE' = any($1::text[]) and ${lasts('link')}
      and ($4::text[] is null or u.department = any($4))
      and ($5::int is null or not u.is_blocked and ${isUnused('link.created_date', 'link.last_used_at', '$5::int')})`;
const ofProfiles =
  'profile_access_scopes has join chosen using (profile_id) join access_scopes s using (access_scope_id)';
const isOfProfiles = `'PROFILE_ACCESS_SCOPE' = any($1::text[]) and ${lasts('has')} and $4::text[] is null and $5::int is null`;

const countGrants = `with ${chosen}
  select count(*)::int as grants, count(distinct user_id)::int as people, count(distinct profile_id)::int as profiles,
    count(*) > ${reviewItemsMax} as "isTooLarge"
  from (select chosen.profile_id, u.user_id from ${ofUsers} where ${isOfUsers}
    union all select chosen.profile_id, null from ${ofProfiles} where ${isOfProfiles}) grants`;

// $8 active states, $9 review
const freeze = `with ${chosen},
  opened as materialized (
    select distinct opening.profile_id, opening.access_scope_id, opening.application_id
    from (${openings('has.profile_id = any(array(select profile_id from chosen))', '$8::text[]')}) opening
    join applications a on a.application_id = opening.application_id and a.is_active),
  by_profile as materialized (
    select profile_id, count(distinct application_id)::int as opens from opened group by profile_id),
  by_scope as materialized (
    select profile_id, access_scope_id, count(*)::int as opens from opened group by profile_id, access_scope_id),
  unusual as materialized (select department, profile_id from (${unusualInDepartments}) rare),
  items as (
    insert into review_items (review_id, kind, link_id, link_revision, user_guid, user_name, user_email, department, profile_id,
      profile_name, role_id, access_scope_guid, access_scope_name, valid_until, managed_by, granted_by, granted_at, given_at, last_used_at,
      opens, is_unusual, owner_profile_id)
    select $9::bigint, 'USER_PROFILE', link.user_profile_id, link.revision, u.user_guid,
      ${fullName('u.')}, u.email, u.department, chosen.profile_id, chosen.name, link.role_id,
      null::uuid, null, link.valid_until, link.managed_by, coalesce(link.modified_by, link.created_by),
      coalesce(link.modified_date, link.created_date), link.created_date, link.last_used_at, coalesce(by_profile.opens, 0),
      unusual.profile_id is not null, chosen.owner_profile_id
    from ${ofUsers}
    left join by_profile using (profile_id)
    left join unusual on unusual.department = u.department and unusual.profile_id = link.profile_id
    where ${isOfUsers}
    union all
    select $9::bigint, 'PROFILE_ACCESS_SCOPE', has.profile_access_scope_id, has.revision, null, null, null, null, chosen.profile_id,
      chosen.name, null, s.access_scope_guid, s.name, has.valid_until, null, coalesce(has.modified_by, has.created_by),
      coalesce(has.modified_date, has.created_date), has.created_date, null, coalesce(by_scope.opens, 0), false, chosen.owner_profile_id
    from ${ofProfiles}
    left join by_scope using (profile_id, access_scope_id)
    where ${isOfProfiles}
    limit ${reviewItemsMax + 1}
    returning 1)
  select count(*)::int as count from items`;
