import { Migration } from '@mikro-orm/migrations';

/**
 * The triggers of histories compute each JSON document once: PostgreSQL merges a subquery into the outer select and calls
 * to_jsonb for each column that uses its result, which `offset 0` prevents. Statements of whole rows keep their plans.
 */
export class Migration20261123154100 extends Migration {
  override name = 'Migration20261123154100';

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
           if tg_argv[1] is null then
             insert into record_versions (change_set_id, record_table, record_key, ${side})
             select id, tg_table_name, version->>tg_argv[0], version
             from (select to_jsonb(whole) as version from ${rows} whole offset 0) versions;
           else
             -- the arguments of a trigger are fixed: a list of columns
             execute format(
               'insert into record_versions (change_set_id, record_table, record_key, ${side})
                select $1, $2, version->>$3, version from (select to_jsonb(kept) as version from (select %s from ${rows}) kept offset 0) versions',
               tg_argv[1])
             using id, tg_table_name, tg_argv[0];
           end if;
           return null;
         end $$`,
      );
    this.addSql(
      `create or replace function write_versions_update() returns trigger language plpgsql as $$
       begin
         with changed as materialized (
           select coalesce(was.version->>tg_argv[0], is_now.version->>tg_argv[0]) as key, was.version as before, is_now.version as after
           from (select to_jsonb(old_row) as version from old_rows old_row offset 0) was
           full join (select to_jsonb(new_row) as version from new_rows new_row offset 0) is_now
             on was.version->>tg_argv[0] = is_now.version->>tg_argv[0]
           where was.version is distinct from is_now.version),
         change_set as materialized (select current_change_set() as id where exists (select from changed))
         insert into record_versions (change_set_id, record_table, record_key, before, after)
         select id, tg_table_name, key, before, after from change_set, changed;
         return null;
       end $$`,
    );
    // all versions of a statement are of one table, and most statements only create
    this.addSql(
      `create or replace function write_audit_events() returns trigger language plpgsql as $$
       declare
         said jsonb := nullif(current_setting('gatehouse.change', true), '')::jsonb;
         of_table text;
         subject text;
         author uuid;
         columns text[];
         names text[];
       begin
         if said->'stamps' is null then return null; end if;
         select record_table into of_table from new_versions limit 1;
         if of_table is null then return null; end if;
         subject := rtrim(replace(initcap(of_table), '_', ''), 's');
         author := change_author();
         if not exists (select from new_versions where before is not null) then
           insert into audit_events (actor, trace_id, change_set_id, action, subject_type, subject_id)
           select author, said->>'traceId', change_set_id, 'create', subject, record_key from new_versions order by record_version_id;
           return null;
         end if;
         select array_agg(attname::text order by attnum),
           array_agg(lower(left(name, 1)) || substr(name, 2) order by attnum) into columns, names
         from (select attname, attnum, replace(initcap(attname), '_', '') as name from pg_attribute
           where attrelid = of_table::regclass and attnum > 0 and not attisdropped
             and attname <> all('{revision,modified_date,modified_by}')) its;
         insert into audit_events (actor, trace_id, change_set_id, action, subject_type, subject_id, detail)
         select author, said->>'traceId', change_set_id, action, subject, record_key,
           case when action = 'update' then jsonb_build_object('fields', fields) end
         from (
           select version.*, case when before is null then 'create' when after is null then 'delete' else 'update' end as action,
             case when before is not null and after is not null and of_table <> 'users' then (
               select jsonb_agg(name order by place) from unnest(columns, names) with ordinality its(own, name, place)
               where before->own is distinct from after->own) end as fields
           from new_versions version offset 0) changes
         where case action when 'update' then fields is not null when 'create' then true else
           of_table not in ('profile_access_scopes', 'user_profiles', 'access_scope_applications_mappers', 'access_scope_type_applications_mappers')
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
