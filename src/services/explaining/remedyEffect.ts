/**
 * Computes what each remedy does besides opening the application, for all remedies in one statement. It uses the SQL that
 * decides what is opened and issued, on the tables as all remedies together would leave them; each row carries the set of
 * remedies (as bits) that it depends on.
 */
import type { Context } from '../../context.js';
import { AccessScope } from '../../entities/AccessScope.js';
import { AccessScopeType } from '../../entities/AccessScopeType.js';
import { describe, type RecordClass } from '../../entities/description.js';
import { administers, legacyScopes } from '../adminScopes/guard.js';
import { lasts } from '../grants.js';
import { openings } from '../portal/viewer.js';
import { scopeEntryColumn, scopesAndTypes } from '../scopeEntry.js';
import { heldEntries } from '../tokens/claims.js';
import type { AccessReason } from './links.js';
import type { Way } from './ways.js';

export interface RemedyEffect {
  /** Whether it gives an administration scope to a profile, gives the user a profile that has one, or activates one. */
  grantsAdministration: boolean;
  /** Other people whose profiles gain an application or a scope entry. */
  othersGaining: number;
  /** Further applications and scope entries that the user gains. */
  gainedBeside: number;
}

/** The user and the application of the question. */
export interface Target {
  userGuid: string;
  applicationGuid: string;
}

// $1 active states, $2 user, $3 application, $4 remedies, $5 administration entries
const application = '(select application_id from applications where application_guid = $3::uuid)';
const remedies = (...reasons: AccessReason[]): string =>
  `(select * from remedy where reasons && array['${reasons.join("', '")}'])`;

/** SQL: the table under its own name, with the records that `condition` selects made active. */
function withInUse(record: RecordClass, condition: string): string {
  const { table, fields } = describe(record);
  const columns = fields.map(({ column }) =>
    column === 'is_active' ? `t.is_active or ${condition} as is_active` : `t.${column}`,
  );
  return `${table} as not materialized (select ${columns.join(', ')} from ${table} t)`;
}

/** SQL: `query` on the tables as all remedies would leave them. A mapping of a type counts as one of each of its access scopes. */
const after = (query: string): string => `with
  ${withInUse(AccessScope, 't.access_scope_id in (select access_scope_id from woken)')},
  ${withInUse(AccessScopeType, `t.access_scope_type_id in (select type_id from ${remedies('TYPE_INACTIVE')} r)`)},
  profile_access_scopes as not materialized (
    select profile_id, access_scope_id, valid_until from profile_access_scopes
    union all select profile_id, access_scope_id, null::timestamptz from linked),
  access_scope_applications_mappers as not materialized (
    select access_scope_applications_mapper_id, application_id, access_scope_id, individual_external_link, state
    from access_scope_applications_mappers
    union all select null::int, ${application}, access_scope_id, null::varchar, ($1::text[])[1]::varchar from mapped)
  ${query}`;

// arrays, so that PostgreSQL always uses the index
const ofProfiles = (from: string): string => `has.profile_id = any(array(select profile_id from ${from}))`;
const ofScopes = (from: string): string => `has.access_scope_id = any(array(select access_scope_id from ${from}))`;

/**
 * SQL: the effects, in the order of the remedies. `bits` of a row has one bit for each remedy that makes the row exist;
 * -1 (all bits) means that it exists without any remedy.
 */
const statement = `with remedy as materialized (
    select * from jsonb_to_recordset($4::jsonb) as remedy (bits int, profile_id varchar, scope_id int, type_id int, maps_type boolean, reasons text[])),
  touched as materialized (
    select scope_id as access_scope_id, bits, true as is_woken from ${remedies('SCOPE_INACTIVE')} r
    union all
    select s.access_scope_id, bits, s.is_active from ${remedies('TYPE_INACTIVE')} r join access_scopes s on s.access_scope_type_id = type_id),
  woken as materialized (select access_scope_id, bit_or(bits) as bits from touched where is_woken group by access_scope_id),
  linked as materialized (
    select profile_id, scope_id as access_scope_id, bit_or(bits) as bits from ${remedies('SCOPE_NOT_IN_PROFILE')} r group by profile_id, scope_id),
  mapped as materialized (
    select access_scope_id, bit_or(bits) as bits from (
      select scope_id as access_scope_id, bits from ${remedies('MAPPING_STATE', 'NO_MAPPING')} r where not maps_type
      union all
      select s.access_scope_id, bits from ${remedies('MAPPING_STATE', 'NO_MAPPING')} r
      join access_scopes s on s.access_scope_type_id = type_id where maps_type) one
    group by access_scope_id),
  changed as materialized (
    select has.profile_id, has.access_scope_id, woken.bits from woken join profile_access_scopes has using (access_scope_id)
    union all select profile_id, access_scope_id, bits from linked),
  held as materialized (
    select link.profile_id, -1 as bits from user_profiles link join users u using (user_id) where u.user_guid = $2::uuid and ${lasts('link')}
    union all select profile_id, bits from ${remedies('PROFILE_NOT_HELD')} r),
  holder as materialized (
    select profile_id, bit_or(bits) as bits from held
    where exists (select from held where bits <> -1) or exists (select from held join changed using (profile_id))
    group by profile_id),
  same_entry as materialized (
    select scope.access_scope_id from ${scopesAndTypes} where ${scopeEntryColumn} in (
      select ${scopeEntryColumn} from ${scopesAndTypes} where scope.access_scope_id = any(array(select distinct access_scope_id from changed)))),
  to_application as materialized (
    select access_scope_id from access_scope_applications_mappers where application_id = ${application}
    union select s.access_scope_id from access_scope_type_applications_mappers m
    join access_scopes s on s.access_scope_type_id = m.access_scope_type_id where m.application_id = ${application}
    union select access_scope_id from mapped),
  entry as materialized (
    select profile_id, value, bit_or(coalesce(changed.bits, -1)) as bits from (${after(
      [ofProfiles('holder'), ofScopes('same_entry')]
        .map((condition) => heldEntries(condition, 'has.profile_id, has.access_scope_id'))
        .join(' union all '),
    )}) held left join changed using (profile_id, access_scope_id)
    group by profile_id, value),
  by_entry as materialized (select profile_id, bit_or(bits) as bits from entry where bits <> -1 group by profile_id),
  looked_at as materialized (
    select profile_id from holder
    union select profile_id from changed left join by_entry using (profile_id) where changed.bits & ~coalesce(by_entry.bits, 0) <> 0),
  opened as materialized (
    select profile_id, application_id, bit_or(coalesce(changed.bits, -1)
      & case when access_scope_applications_mapper_id is null and access_scope_type_applications_mapper_id is null then mapped.bits else -1 end
      & case when before.is_active then -1 else (select bit_or(bits) from remedy) end) as bits
    from (${after(
      `${openings(ofProfiles('looked_at'))} union all ${openings(
        `m.application_id = ${application} and ${ofScopes('to_application')} and exists (select from ${remedies('MAPPING_STATE', 'NO_MAPPING', 'APPLICATION_INACTIVE')} r)`,
      )}`,
    )}) opening
    join applications before using (application_id)
    left join changed using (profile_id, access_scope_id) left join mapped using (access_scope_id)
    where before.is_active or before.application_guid = $3::uuid
    group by profile_id, application_id),
  gaining as materialized (
    select profile_id, bit_or(bits) as bits from (
      select profile_id, bits from by_entry union all select profile_id, bits from opened where bits <> -1) one
    group by profile_id),
  other as materialized (
    select bits, count(*) as users from (
      select user_id, bit_or(bits) as bits from user_profiles has join gaining using (profile_id)
      where ${ofProfiles('gaining')} and ${lasts('has')} group by user_id) one
    join users u using (user_id) where not u.is_blocked and u.user_guid <> $2::uuid
    group by bits),
  beside as materialized (
    select bit_or(holder.bits & entry.bits) as bits from holder join entry using (profile_id) group by value
    union all
    select bit_or(holder.bits & opened.bits) from holder join opened using (profile_id)
    where application_id <> ${application} group by application_id),
  administering as materialized (select scope.access_scope_id from ${scopesAndTypes} where ${administers('$5')}),
  administration as materialized (
    select bit_or(case when holder.bits > 0 then holder.bits else 0 end | coalesce(touched.bits, 0) | coalesce(linked.bits, 0)) as bits
    from (${after(`select has.profile_id, has.access_scope_id from profile_access_scopes has where ${ofScopes('administering')} and ${lasts('has')}`)}) has
    left join holder using (profile_id) left join touched using (access_scope_id) left join linked using (profile_id, access_scope_id))
  select coalesce(remedy.bits & (select bits from administration) <> 0, false) as "grantsAdministration",
    (select coalesce(sum(users), 0)::int from other where other.bits & remedy.bits <> 0) as "othersGaining",
    (select count(*)::int from beside where beside.bits <> -1 and beside.bits & remedy.bits <> 0) as "gainedBeside"
  from remedy order by remedy.bits`;

/** An ended grant counts like a missing one. */
const missingLinks = ({ profileEndedAt, scopeEndedAt }: Way): AccessReason[] => [
  ...(profileEndedAt ? ['PROFILE_NOT_HELD' as const] : []),
  ...(scopeEndedAt ? ['SCOPE_NOT_IN_PROFILE' as const] : []),
];

/** The effects of removing these reasons on these ways. At most 31 candidates. */
export async function readRemedyEffects(
  context: Context,
  { userGuid, applicationGuid }: Target,
  candidates: readonly { way: Way; reasons: readonly AccessReason[] }[],
): Promise<RemedyEffect[]> {
  if (candidates.length === 0) return [];
  const remedies = candidates.map(({ way, reasons }, index) => ({
    bits: 1 << index,
    profile_id: way.profileId,
    scope_id: way.accessScopeId,
    type_id: way.accessScopeTypeId,
    maps_type: way.typeMappingId !== null,
    reasons: reasons.flatMap((reason) => (reason === 'GRANT_ENDED' ? missingLinks(way) : reason)),
  }));
  return context.reads.rows<RemedyEffect>(statement, [
    context.config.mappingActiveStates,
    userGuid,
    applicationGuid,
    JSON.stringify(remedies),
    legacyScopes(context),
  ]);
}
