import { Migration } from '@mikro-orm/migrations';

/**
 * The triggers that write versions and audit events do the same work in less time for large sets: the kept columns are selected
 * before a row becomes JSON, and the changed fields of all rows are found by one query instead of a function call for each row.
 */
export class Migration20261123154000 extends Migration {
  override name = 'Migration20261123154000';

  override up(): void {
    for (const [event, rows, side] of [
      ['insert', 'new_rows', 'after'],
      ['delete', 'old_rows', 'before'],
    ])
      this.addSql(
        `create or replace function write_versions_${event}() returns trigger language plpgsql as $$
         declare id bigint;
         begin
           if not exists (select from ${rows}) then return null; end if;
           id := current_change_set();
           -- the arguments of a trigger are fixed: a list of columns, or none for all of them
           execute format(
             'insert into record_versions (change_set_id, record_table, record_key, ${side})
              select $1, $2, version->>$3, version from (select to_jsonb(kept) as version from (select %s from ${rows}) kept) versions',
             coalesce(tg_argv[1], '*'))
           using id, tg_table_name, tg_argv[0];
           return null;
         end $$`,
      );
    this.addSql(
      `create or replace function write_audit_events() returns trigger language plpgsql as $$
       declare
         said jsonb := nullif(current_setting('gatehouse.change', true), '')::jsonb;
         author uuid;
         columns text[];
         names text[];
       begin
         if said->'stamps' is null then return null; end if;
         author := change_author();
         select array_agg(attname::text order by attnum),
           array_agg(lower(left(name, 1)) || substr(name, 2) order by attnum) into columns, names
         from (select attname, attnum, replace(initcap(attname), '_', '') as name from pg_attribute
           where attrelid = (select record_table from new_versions limit 1)::regclass and attnum > 0 and not attisdropped
             and attname <> all('{revision,modified_date,modified_by}')) its;
         insert into audit_events (actor, trace_id, change_set_id, action, subject_type, subject_id, detail)
         select author, said->>'traceId', change_set_id, action, rtrim(replace(initcap(record_table), '_', ''), 's'), record_key,
           case when action = 'update' then jsonb_build_object('fields', fields) end
         from (
           select version.*, case when before is null then 'create' when after is null then 'delete' else 'update' end as action
           from new_versions version) changes
         left join (
           select record_version_id as changed_id, jsonb_agg(name order by place) as fields
           from new_versions cross join unnest(columns, names) with ordinality its(own, name, place)
           where before is not null and after is not null and record_table <> 'users' and before->own is distinct from after->own
           group by record_version_id) changed on changed_id = record_version_id
         where case action when 'update' then fields is not null when 'create' then true else
           record_table not in ('profile_access_scopes', 'user_profiles', 'access_scope_applications_mappers', 'access_scope_type_applications_mappers')
           or (before->'profile_id' is null or exists (select from profiles where profile_id = before->>'profile_id'))
           and (before->'user_id' is null or exists (select from users where user_id = (before->>'user_id')::int))
           and (before->'application_id' is null or exists (select from applications where application_id = (before->>'application_id')::int))
           and (before->'access_scope_id' is null or exists (select from access_scopes where access_scope_id = (before->>'access_scope_id')::int))
           and (before->'access_scope_type_id' is null or exists (select from access_scope_types where access_scope_type_id = (before->>'access_scope_type_id')::int))
         end
         order by record_version_id;
         return null;
       end $$`,
    );
  }

  override down(): void {
    // the functions of the migrations before do the same, more slowly
  }
}
