/**
 * What a remedy does beside opening the application: by the SQL that decides what is opened and issued, asked of the
 * tables as they are and as the remedy leaves them.
 */
import type { Context } from '../../context.js';
import { AccessScope } from '../../entities/AccessScope.js';
import { AccessScopeType } from '../../entities/AccessScopeType.js';
import { Application } from '../../entities/Application.js';
import { describe, type RecordClass } from '../../entities/description.js';
import { administers, legacyScopes } from '../adminScopes/guard.js';
import { openings } from '../portal/viewer.js';
import { scopesAndTypes } from '../scopeEntry.js';
import { heldEntries } from '../tokens/claims.js';
import type { AccessReason } from './links.js';
import type { Way } from './ways.js';

export interface RemedyEffect {
  /** Whether it links an administration scope to a profile, or the user to a profile that has one, or takes one into use. */
  grantsAdministration: boolean;
  /** Others who hold a profile that gains an application or an entry of its scopes. */
  othersGaining: number;
  /** Applications and entries that the user gains, without the application that is asked about. */
  gainedBeside: number;
}

/** Whose access to what is asked about. */
export interface Target {
  userGuid: string;
  applicationGuid: string;
}

// $1 active states, $2 user, $3 application, $4 profile, $5 access scope and $6 type of the way, $7 administration entries
const application = '(select application_id from applications where application_guid = $3::uuid)';

/** SQL: the table under its own name, with the record that `condition` names in use. */
function withInUse(record: RecordClass, condition: string): string {
  const { table, fields } = describe(record);
  const columns = fields.map(({ column }) =>
    column === 'is_active' ? `t.is_active or ${condition} as is_active` : `t.${column}`,
  );
  return `${table} as not materialized (select ${columns.join(', ')} from ${table} t)`;
}

/** SQL: the columns of a table that a way is read from, under its own name, with one more row of the same types. */
const withRow = (table: string, row: Record<string, string>): string =>
  `${table} as not materialized (select ${Object.keys(row).join(', ')} from ${table} union all select ${Object.values(row).join(', ')})`;

const scopeMapped = withRow('access_scope_applications_mappers', {
  access_scope_applications_mapper_id: 'null::int',
  application_id: application,
  access_scope_id: '$5::int',
  individual_external_link: 'null::varchar',
  state: '($1::text[])[1]::varchar',
});
const typeMapped = withRow('access_scope_type_applications_mappers', {
  access_scope_type_applications_mapper_id: 'null::int',
  application_id: application,
  access_scope_type_id: '$6::int',
  state: '($1::text[])[1]::varchar',
});

/** What a part of a remedy changes: a table, and which links `has` of profiles to access scopes may say more by it. */
interface Part {
  table?: string;
  links?: string;
  /** Whether ways to the application alone may come by it. */
  opens?: true;
}

const parts = ({ typeMappingId }: Way): Record<AccessReason, Part> => {
  const mapping: Part = { table: typeMappingId === null ? scopeMapped : typeMapped, opens: true };
  return {
    USER_BLOCKED: {},
    PROFILE_NOT_HELD: {},
    SCOPE_NOT_IN_PROFILE: {
      table: withRow('profile_access_scopes', { profile_id: '$4::text::varchar', access_scope_id: '$5::int' }),
      links: '(has.profile_id = $4::text and has.access_scope_id = $5::int)',
    },
    SCOPE_INACTIVE: {
      table: withInUse(AccessScope, 't.access_scope_id = $5::int'),
      links: 'has.access_scope_id = $5::int',
    },
    TYPE_INACTIVE: {
      table: withInUse(AccessScopeType, 't.access_scope_type_id = $6::int'),
      links:
        'has.access_scope_id = any(array(select access_scope_id from access_scopes where access_scope_type_id = $6::int))',
    },
    MAPPING_STATE: mapping,
    NO_MAPPING: mapping,
    APPLICATION_INACTIVE: { table: withInUse(Application, 't.application_guid = $3::uuid'), opens: true },
  };
};

const openedBy = (condition: string): string => `
  select opening.profile_id, opening.application_id from (${openings(condition)}) opening
  join applications a on a.application_id = opening.application_id and a.is_active`;

/** SQL: the effect, one row. Profiles that gain an entry are not looked at for applications. */
function statement(way: Way, reasons: readonly AccessReason[]): string {
  const own = reasons.map((reason) => parts(way)[reason]);
  const tables = own.flatMap(({ table }) => table ?? []);
  const after = (of: string): string => (tables.length > 0 ? `with ${tables.join(', ')} ${of}` : of);
  const links = `(${own.flatMap((part) => part.links ?? []).join(' or ') || 'false'})`;
  const isAssigned = reasons.includes('PROFILE_NOT_HELD');
  const gained = isAssigned ? `(${links} or has.profile_id = $4::text)` : links;
  const ways = [
    openedBy(links),
    ...(own.some(({ opens }) => opens) ? [openedBy(`m.application_id = ${application}`)] : []),
  ];
  const heldBy = (state: string): string => `has.profile_id = any(array(select profile_id from ${state}))`;
  return `with asked as (select $1::text[], $2::uuid, $3::uuid, $4::text, $5::int, $6::int, $7::text[]),
  entries_after as materialized (${after(heldEntries(links))}),
  by_entry as materialized (
    select distinct profile_id from (
      select profile_id, value from entries_after
      except select profile_id, value from (${heldEntries(heldBy('entries_after'))}) before) gained),
  openings_after as materialized (
    select profile_id, application_id from (${after(ways.join(' union '))}) opening
    where profile_id not in (select profile_id from by_entry)),
  by_opening as materialized (
    select distinct profile_id from (
      select profile_id, application_id from openings_after
      except ${openedBy(`${heldBy('openings_after')} and m.application_id = any(array(select application_id from openings_after))`)}) gained),
  held as materialized (select link.profile_id from user_profiles link join users u using (user_id) where u.user_guid = $2::uuid),
  held_after as materialized (select profile_id from held ${isAssigned ? 'union select $4::text' : ''}),
  own_after as materialized (${after(openedBy(`${heldBy('held_after')} and ${gained}`))})
  select exists (${after(`select from profile_access_scopes has join (${scopesAndTypes}) using (access_scope_id)
      where ${administers('$7')} and ${gained}`)}) as "grantsAdministration",
    (select count(distinct u.user_id)::int from user_profiles link join users u using (user_id)
     where not u.is_blocked and u.user_guid <> $2::uuid
       and link.profile_id = any(array(select profile_id from by_entry union select profile_id from by_opening))) as "othersGaining",
    (select count(*)::int from (
       select value from (${after(heldEntries(`${heldBy('held_after')} and ${gained}`))}) entry
       except select value from (${heldEntries(heldBy('held'))}) entry) gained)
    + (select count(*)::int from (
       select application_id from own_after
       except select application_id from (${openedBy(heldBy('held'))}) opening
       except select ${application}) gained) as "gainedBeside"`;
}

/** Of the remedy that makes hold what does not, of the way and for these reasons. */
export async function readRemedyEffect(
  context: Context,
  { userGuid, applicationGuid }: Target,
  way: Way,
  reasons: readonly AccessReason[],
): Promise<RemedyEffect> {
  const { profileId, accessScopeId, accessScopeTypeId } = way;
  const [effect] = await context.reads.rows<RemedyEffect>(statement(way, reasons), [
    context.config.mappingActiveStates,
    userGuid,
    applicationGuid,
    profileId,
    accessScopeId,
    accessScopeTypeId,
    legacyScopes(context),
  ]);
  return effect!;
}
