/** Reads what others changed since a proposal was made, in the records that its changes concern. */
import type { Context } from '../../context.js';
import { timeText } from '../../sql.js';
import { fullName } from '../fullName.js';

export interface ChangeSince {
  /** Such as `USERS_BLOCKED` or `APPLICATIONS_UPDATED`. */
  kind: string;
  text: string;
  at: string;
  /** Guid of the user who changed it. */
  by: string;
  count: number;
  /** Names of some of the records. */
  names: string[];
}

/** Maximum number of change sets that are read, newest first. */
const setsMax = 500;
const entriesMax = 50;
const namesMax = 3;

/** Columns that link records to each other. */
const ids = ['profile_id', 'user_id', 'application_id', 'access_scope_id', 'access_scope_type_id'] as const;
const guids = ['user_guid', 'application_guid', 'access_scope_guid', 'access_scope_type_guid'] as const;
const keys = [...ids, ...guids] as const;

const concerned = keys
  .map((key) => `coalesce(after, before)->>'${key}' in (select record->>'${key}' from concerned)`)
  .join(' or ');

const nameIn = (table: string, key: string): string =>
  `(select name from ${table} where ${key} = (record->>'${key}')::int)`;
const personIn = `(select coalesce(${fullName()} || coalesce(' (' || email || ')', ''), email)
    from users where user_id = (record->>'user_id')::int)`;
/** SQL: the current name of a person or an application; for other records the name in the version. */
const nameOf = `coalesce(${personIn}, ${nameIn('applications', 'application_id')}, record->>'name',
    ${nameIn('access_scopes', 'access_scope_id')})`;

/** SQL: a version without the fields that differ after every change of a profile's grants. */
const content = (version: string): string => `${version} - '{revision,modified_by,modified_date}'::text[]`;

const ownSet = `(select nullif(current_setting('gatehouse.change_set', true), '')::bigint)`;

/** SQL: the numbers of the records that $2 names by guid, because links refer to records by number. */
const namedRecord = (table: string, id: string, guid: string): string =>
  `select jsonb_build_object('${id}', ${id}) from ${table} where ${guid}::text in (select name from named)`;

// the versions that the current transaction wrote say which records the tried changes concern; holders of profiles are concerned too
const statement = `with own as materialized (
    select coalesce(after, before) as record from record_versions where change_set_id = ${ownSet}
  ), named as materialized (
    select distinct value #>> '{}' as name from jsonb_path_query($2::jsonb, 'strict $.**') value where jsonb_typeof(value) = 'string'
  ), concerned as materialized (
    select record from own
    union all select jsonb_build_object(${['profile_id', ...guids].map((key) => `'${key}', name`).join(', ')}) from named
    union all ${namedRecord('applications', 'application_id', 'application_guid')}
    union all ${namedRecord('access_scopes', 'access_scope_id', 'access_scope_guid')}
    union all select jsonb_build_object('profile_id', has.profile_id) from profile_access_scopes has
    where has.access_scope_id in (select (record->>'access_scope_id')::int from own)
  ), sets as materialized (
    select change_set_id, actor, occurred_at from change_sets
    where occurred_at > $1::timestamptz and change_set_id is distinct from ${ownSet}
    order by occurred_at desc limit ${setsMax + 1}
  ), versions as (
    select sets.*, record_table, record_key, coalesce(after, before) as record,
      case when before is null then 'ADDED' when after is null then 'REMOVED'
        when record_table = 'users' and after->>'is_blocked' = 'true' and before->>'is_blocked' = 'false' then 'BLOCKED'
        when record_table = 'users' and after->>'is_blocked' = 'false' and before->>'is_blocked' = 'true' then 'UNBLOCKED'
        else 'UPDATED' end as action
    from sets join record_versions using (change_set_id)
    where ${content('before')} is distinct from ${content('after')} and (${concerned} or record_table = 'users' and exists (
      select from user_profiles link where link.user_id = (coalesce(after, before)->>'user_id')::int
        and link.profile_id in (select record->>'profile_id' from concerned)))
  ), placed as (
    select *, row_number() over (partition by record_table, action, actor order by occurred_at desc) as place from versions
  )
  select record_table as "table", action, actor::text as by, count(distinct record_key)::int as count,
    ${timeText('max(occurred_at)')} as at,
    coalesce(array_agg(distinct case when place <= ${namesMax} then ${nameOf} end) filter (where place <= ${namesMax}), '{}') as names,
    (select count(*) > ${setsMax} from sets) as "isCut"
  from placed group by record_table, action, actor order by max(occurred_at) desc limit ${entriesMax + 1}`;

interface Entry extends Omit<ChangeSince, 'kind' | 'text' | 'names'> {
  table: string;
  action: keyof typeof verbs;
  names: (string | null)[];
  isCut: boolean;
}

const verbs = {
  ADDED: 'added',
  REMOVED: 'removed',
  BLOCKED: 'blocked',
  UNBLOCKED: 'unblocked',
  UPDATED: 'changed',
} as const;

const nouns: Readonly<Record<string, readonly [one: string, many: string]>> = {
  users: ['person was', 'people were'],
  profiles: ['profile was', 'profiles were'],
  applications: ['application was', 'applications were'],
  access_scopes: ['access scope was', 'access scopes were'],
  access_scope_types: ['access scope type was', 'access scope types were'],
  user_profiles: ['grant of a profile was', 'grants of profiles were'],
  profile_access_scopes: ['access scope of a profile was', 'access scopes of profiles were'],
  access_scope_applications_mappers: ['mapping was', 'mappings were'],
  access_scope_type_applications_mappers: ['mapping was', 'mappings were'],
  translations: ['text was', 'texts were'],
  roles: ['role was', 'roles were'],
};

/**
 * Newest first. If older changes are left out, the last entry says so.
 * @param changes name the records concerned; absent: the versions of this transaction do
 */
export async function readSince(
  { sql }: Context,
  proposedAt: string,
  changes: readonly object[] = [],
): Promise<ChangeSince[]> {
  const entries = await sql.rows<Entry>(statement, [proposedAt, JSON.stringify(changes)]);
  const listed = entries.slice(0, entriesMax).map(({ table, action, by, count, at, names }) => {
    const [one, many] = nouns[table] ?? ['record was', 'records were'];
    const kind = `${table.toUpperCase()}_${action}`;
    const text = `${count} ${count === 1 ? one : many} ${verbs[action]} since.`;
    return { kind, text, at, by, count, names: names.filter((name) => name !== null) };
  });
  if (entries.length > entriesMax || entries[0]?.isCut)
    listed.push({
      ...listed.at(-1)!,
      kind: 'MORE',
      text: 'Older changes are not listed here: see History.',
      count: 0,
      names: [],
    });
  return listed;
}
