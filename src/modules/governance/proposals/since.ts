/** Reads what others changed since a proposal was made, in the records that its changes concern. */
import type { Context } from '../../../context.js';
import { ownChangeSet } from '../../../services/execute.js';
import { calledName, fullName } from '../../../services/fullName.js';
import { timeText } from '../../../sql.js';
import { isPersonal } from '../../changes/history/state.js';
import { fieldsChanged, identifyingFields, namingFields } from './subject.js';

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
const personIn = `(select coalesce(${fullName()} || coalesce(' (' || email || ')', ''), ${calledName()})
    from users where user_id = (record->>'user_id')::int)`;
/** SQL: the current name of a person or an application; for other records the name in the version. */
const nameOf = `coalesce(${personIn}, ${nameIn('applications', 'application_id')}, record->>'name',
    ${nameIn('access_scopes', 'access_scope_id')})`;

/** SQL: a version without the fields that differ after every change of a profile's grants. */
const content = (version: string): string => `${version} - '{revision,modified_by,modified_date}'::text[]`;

/** SQL: the numbers of the records that $2 names by guid, because links refer to records by number. */
const namedRecord = (table: string, id: string, guid: string): string =>
  `select jsonb_build_object('${id}', ${id}) from ${table} where ${guid}::text in (select name from named)`;

/** SQL: the access scopes of profiles, and their types. @param condition on the link `has` */
const scopesOf = (condition: string): string => `select scope.access_scope_id, scope.access_scope_type_id
    from profile_access_scopes has join access_scopes scope using (access_scope_id) where ${condition}`;

const record = (column: string): string => `(coalesce(after, before)->>'${column}')::int`;

/** SQL: what decides what the access scopes put into tokens and open. @param scopes table of access scopes with their types */
const decides = (scopes: string): string => `
    record_table = 'access_scopes' and ${record('access_scope_id')} in (select access_scope_id from ${scopes})
    or record_table = 'access_scope_types' and ${record('access_scope_type_id')} in (select access_scope_type_id from ${scopes})`;

/** SQL: whether a grant has ended since; the schedule removes it in a minute, which is a change set. */
const hasEnded = 'valid_until > $1::timestamptz and valid_until <= now()';

// personal data have no versions, and the audit events say which fields changed: all count for a person whose data the changes set
// a profile is given or taken with all that it opens
// people gain what none of their profiles had, so all that they hold is concerned
// the versions that the current transaction wrote say which records the tried changes concern; holders of profiles are concerned too
const statement = `with own as materialized (
    select coalesce(after, before) as record from record_versions
    where change_set_id = ${ownChangeSet} and ${content('before')} is distinct from ${content('after')}
  ), named as materialized (
    select unnest($2::text[]) as name
  ), moved as materialized (
    select record->>'profile_id' as profile_id from own where not record ? 'user_id'
    union select has.profile_id from profile_access_scopes has join access_scopes using (access_scope_id)
    where access_scope_id in (select (record->>'access_scope_id')::int from own)
      or access_scope_type_id in (select (record->>'access_scope_type_id')::int from own)
  ), people as materialized (
    select (record->>'user_id')::int as user_id from own
    union select user_id from user_profiles where profile_id in (select profile_id from moved)
  ), held as materialized (
    select distinct profile_id from user_profiles where user_id in (select user_id from people)
  ), concerned as materialized (
    select record from own
    union all select jsonb_build_object(${['profile_id', ...guids].map((key) => `'${key}', name`).join(', ')}) from named
    union all ${namedRecord('applications', 'application_id', 'application_guid')}
    union all ${namedRecord('access_scopes', 'access_scope_id', 'access_scope_guid')}
    union all select jsonb_build_object('profile_id', profile_id) from moved
  ), given as materialized (${scopesOf(`has.profile_id in (
      select record->>'profile_id' from own union select name from named union select profile_id from held)`)}
    union select access_scope_id, access_scope_type_id from access_scopes
    where access_scope_id in (select (record->>'access_scope_id')::int from own where not record ? 'application_id')
      or access_scope_type_id in (
        select (record->>'access_scope_type_id')::int from own where not record ?| '{access_scope_id,application_id}')
  ), reached as materialized (${scopesOf("has.profile_id in (select record->>'profile_id' from concerned)")}
    union select access_scope_id, access_scope_type_id from given
    union select access_scope_id, access_scope_type_id from access_scopes
    where access_scope_guid::text in (select name from named)
  ), opened as materialized (
    select application_id from access_scope_applications_mappers where access_scope_id in (select access_scope_id from given)
    union select application_id from access_scope_type_applications_mappers
      where access_scope_type_id in (select access_scope_type_id from given)
  ), holders as materialized (
    select user_id from user_profiles where profile_id in (select record->>'profile_id' from concerned)
  ), sets as materialized (
    select change_set_id, actor, occurred_at from change_sets
    where occurred_at > $1::timestamptz and change_set_id is distinct from ${ownChangeSet}
    order by occurred_at desc limit ${setsMax + 1}
  ), versions as (
    select sets.*, record_table, record_key, coalesce(after, before) as record,
      case when before is null then 'ADDED' when after is null then 'REMOVED'
        when record_table = 'users' and after->>'is_blocked' = 'true' and before->>'is_blocked' = 'false' then 'BLOCKED'
        when record_table = 'users' and after->>'is_blocked' = 'false' and before->>'is_blocked' = 'true' then 'UNBLOCKED'
        else 'UPDATED' end as action, null::jsonb as fields
    from sets join record_versions using (change_set_id)
    where ${content('before')} is distinct from ${content('after')} and (${concerned}
      or record_table = 'users' and ${record('user_id')} in (select user_id from holders)
      or record_table = 'user_profiles' and ${record('user_id')} in (select user_id from people)
      or record_table = 'profile_access_scopes' and coalesce(after, before)->>'profile_id' in (select profile_id from held)
      or record_table = 'applications' and ${record('application_id')} in (select application_id from opened)
      or record_table = 'access_scope_applications_mappers' and ${record('access_scope_id')} in (select access_scope_id from given)
      or record_table = 'access_scope_type_applications_mappers'
        and ${record('access_scope_type_id')} in (select access_scope_type_id from given)
      or record_table = 'translations' and coalesce(after, before)->>'translation_group' in (
        select name from named union select record->>'translation_group' from own where record ? 'translated_text')
      or record_table = 'roles' and record_key in (select name from named union select record->>'role_id' from own)
      or ${decides('reached')})
    union all
    select sets.*, 'users', subject_id, jsonb_build_object('user_id', user_id), 'UPDATED', detail->'fields'
    from sets join audit_events using (change_set_id) join users on user_guid = case when subject_type = 'User' then subject_id::uuid end
    where subject_type = 'User' and audit_events.action = 'update' and (
      ${fieldsChanged(identifyingFields)} and user_id in (select user_id from holders)
      or ${fieldsChanged(namingFields)} and (subject_id in (select name from named)
        or user_id in (select (record->>'user_id')::int from own))
      or ${isPersonal} and subject_id in (select subject_id from audit_events where change_set_id = ${ownChangeSet} and ${isPersonal}))
    union all
    select null, $3::uuid, valid_until, 'user_profiles', 'ended ' || user_profile_id, jsonb_build_object('user_id', user_id), 'ENDED', null
    from user_profiles where ${hasEnded} and (user_id in (select user_id from people)
      or profile_id in (select record->>'profile_id' from concerned))
    union all
    select null, $3::uuid, valid_until, 'profile_access_scopes', 'ended ' || profile_access_scope_id,
      jsonb_build_object('access_scope_id', access_scope_id), 'ENDED', null
    from profile_access_scopes where ${hasEnded} and (profile_id in (select profile_id from held)
      or profile_id in (select record->>'profile_id' from concerned))
  ), placed as (
    select *, row_number() over (partition by record_table, action, actor order by occurred_at desc) as place from versions
  )
  (select record_table as "table", action, actor::text as by, count(distinct record_key)::int as count,
    ${timeText('max(occurred_at)')} as at,
    coalesce(array_agg(distinct case when place <= ${namesMax} then ${nameOf} end) filter (where place <= ${namesMax}), '{}') as names,
    coalesce(jsonb_agg(fields) filter (where fields is not null), '[]') as fields
  from placed group by record_table, action, actor order by max(occurred_at) desc limit ${entriesMax + 1})
  union all
  (select null, null, actor::text, 0, ${timeText('occurred_at')}, '{}', '[]' from sets order by occurred_at desc offset ${setsMax})`;

interface Entry extends Omit<ChangeSince, 'kind' | 'text' | 'names'> {
  /** Null: the newest change set that was not read. */
  table: string | null;
  action: keyof typeof verbs;
  names: (string | null)[];
  /** Names of the fields of users that changed. */
  fields: string[][];
}

const verbs = {
  ADDED: 'added',
  REMOVED: 'removed',
  BLOCKED: 'blocked',
  UNBLOCKED: 'unblocked',
  ENDED: 'ended',
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
 * Newest first. If older changes are left out, the last entry says so. In the transaction of the tried changes, their versions
 * say which records are concerned, too.
 * @param texts all texts in the changes, which name the records concerned
 */
export async function readSince(
  { sql, config }: Context,
  proposedAt: string,
  texts: readonly string[],
): Promise<ChangeSince[]> {
  const rows = await sql.rows<Entry>(statement, [proposedAt, texts, config.systemUserGuid]);
  const entries = rows.flatMap(({ table, ...entry }) => (table === null ? [] : { table, ...entry }));
  const listed = entries.slice(0, entriesMax).map(({ table, action, by, count, at, names, fields }) => {
    const [one, many] = nouns[table] ?? ['record was', 'records were'];
    const kind = `${table.toUpperCase()}_${action}`;
    const changed = [...new Set(fields.flat())].sort();
    const what = changed.length > 0 ? `: ${changed.join(', ')}` : '';
    const text = `${count} ${count === 1 ? one : many} ${verbs[action]} since${what}.`;
    return { kind, text, at, by, count, names: names.filter((name) => name !== null) };
  });
  const more = rows.find(({ table }) => table === null) ?? entries[entriesMax];
  if (more) {
    const text = 'Older changes are not listed here: see History.';
    listed.push({ kind: 'MORE', text, at: more.at, by: more.by, count: 0, names: [] });
  }
  return listed;
}
