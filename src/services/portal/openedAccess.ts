/** Lists the applications that profiles and users open, in pages: each once, with the scopes and types that open it. */
import type { Context } from '../../context.js';
import { tooLarge } from '../../errors.js';
import { lasts } from '../access/grants.js';
import { openings } from '../access/openings.js';
import { permit } from '../permit.js';
import { containsWords, wordsOf } from '../read/foldedText.js';
import type { Slice } from '../read/readPages.js';

export interface OpenedAccess {
  applicationId: number;
  /** Access scopes with a mapping of their own. */
  accessScopeIds: number[];
  /** Access scope types whose mapping opens it for one of the scopes. */
  accessScopeTypeIds: number[];
}

export interface OpenedFilter {
  text?: string | null | undefined;
  accessScopeGuid?: string | null | undefined;
  /** Only applications that no other profile opens. */
  onlyThis?: boolean | null | undefined;
  isActive?: boolean | null | undefined;
}

/** SQL: pairs of an owner of $2 and a profile by which the owner opens applications. */
const holders = {
  profile: 'select profile_id as owner, profile_id from unnest($2::text[]) profile_id',
  user: `select distinct u.user_id as owner, held.profile_id from users u join user_profiles held on held.user_id = u.user_id
    where u.user_id = any($2::int[]) and not u.is_blocked and ${lasts('held')}`,
};

const ownersMax = 100;

/** The lists of several profiles or users, in their order. Throws FORBIDDEN, and TOO_LARGE for more than 100 of them. */
export async function listOpenedAccess(
  context: Context,
  kind: keyof typeof holders,
  owners: readonly unknown[],
  { text, accessScopeGuid, onlyThis, isActive }: OpenedFilter,
  { start, first }: { start: number; first: number },
): Promise<Slice<OpenedAccess>[]> {
  permit(context, 'admin:read');
  if (owners.length > ownersMax) throw tooLarge(`What they open can be listed for ${ownersMax} records at once.`);
  const values: unknown[] = [context.config.mappingActiveStates, [...owners]];
  const bind = (value: unknown) => `$${values.push(value)}`;
  const scopeCondition = accessScopeGuid ? `and scope.access_scope_guid = ${bind(accessScopeGuid)}::uuid` : '';
  const alone = `application_id in (select application_id from (${openings('true')}) o
    group by application_id having count(distinct profile_id) = 1)`;
  const rows = await context.reads.rows<OpenedAccess & { owner: unknown; place: number; total: number }>(
    `with holders as materialized (${holders[kind]}),
     opened as (
       select owner, application_id,
         array_agg(distinct access_scope_id) filter (where type_mapping is null) as scopes,
         array_agg(distinct access_scope_type_id) filter (where type_mapping is not null) as types
       from (select profile_id, access_scope_id, application_id, access_scope_type_applications_mapper_id as type_mapping
         from (${openings(`has.profile_id in (select profile_id from holders) ${scopeCondition}`)}) o) opening
       join holders using (profile_id) join access_scopes using (access_scope_id)
       group by owner, application_id),
     listed as materialized (
       select opened.*, row_number() over (partition by owner order by a.name collate "C", application_id)::int as place,
         count(*) over (partition by owner)::int as total
       from opened join applications a using (application_id)
       where a.is_active = ${bind(isActive ?? true)} and ${containsWords(['a.name'], wordsOf(text ?? ''), bind)}
         and ${onlyThis ? alone : 'true'})
     select owner, place, total, application_id as "applicationId", coalesce(scopes, '{}') as "accessScopeIds",
       coalesce(types, '{}') as "accessScopeTypeIds"
     from listed where place = 1 or place - ${bind(start)}::int between 1 and ${bind(first)}::int order by place`,
    values,
  );
  const byOwner = Map.groupBy(rows, ({ owner }) => owner);
  return owners.map((owner) => {
    const page = byOwner.get(owner) ?? [];
    const items = page.filter(({ place }) => place > start && place <= start + first);
    return { items, start, total: page[0]?.total ?? 0 };
  });
}

/** How many profiles open each of the applications. */
export async function countOpeningProfiles(
  { reads, config }: Context,
  applicationIds: readonly number[],
): Promise<number[]> {
  const rows = await reads.rows<{ application_id: number; profiles: number }>(
    `select application_id, count(distinct profile_id)::int as profiles
     from (${openings('m.application_id = any($2::int[])')}) o group by application_id`,
    [config.mappingActiveStates, [...applicationIds]],
  );
  const counts = new Map(rows.map(({ application_id, profiles }) => [application_id, profiles]));
  return applicationIds.map((applicationId) => counts.get(applicationId) ?? 0);
}
