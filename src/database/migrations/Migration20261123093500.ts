import { Migration } from '@mikro-orm/migrations';

const tables = {
  access_scope_applications_mappers: 'access_scope_applications_mapper_id',
  access_scope_type_applications_mappers: 'access_scope_type_applications_mapper_id',
  access_scope_types: 'access_scope_type_guid',
  access_scopes: 'access_scope_guid',
  applications: 'application_guid',
  profile_access_scopes: 'profile_access_scope_id',
  profiles: 'profile_id',
  roles: 'role_id',
  translations: 'translation_id',
  user_profiles: 'user_profile_id',
  users: "user_guid', 'user_id,user_guid,is_blocked",
};

/** TRUNCATE is a change of every row that it removes, and an update that changes no value is none. */
export class Migration20261123093500 extends Migration {
  override name = 'Migration20261123093500';

  override up(): void {
    this.addSql(
      `create or replace function write_versions_update() returns trigger language plpgsql as $$
       begin
         with changed as materialized (
           select coalesce(was.version->>tg_argv[0], is_now.version->>tg_argv[0]) as key, was.version as before, is_now.version as after
           from (select to_jsonb(old_row) as version from old_rows old_row) was
           full join (select to_jsonb(new_row) as version from new_rows new_row) is_now
             on was.version->>tg_argv[0] = is_now.version->>tg_argv[0]
           where was.version is distinct from is_now.version),
         change_set as materialized (select current_change_set() as id where exists (select from changed))
         insert into record_versions (change_set_id, record_table, record_key, before, after)
         select id, tg_table_name, key, before, after from change_set, changed;
         return null;
       end $$`,
    );
    this.addSql(
      `create function write_versions_truncate() returns trigger language plpgsql as $$
       begin
         execute format(
           'with change_set as materialized (select current_change_set() as id where exists (select from %1$s))
            insert into record_versions (change_set_id, record_table, record_key, before)
            select id, $1, version->>$2, version
            from change_set, (select kept_columns(to_jsonb(gone), $3) as version from %1$s gone) versions', tg_relid::regclass)
         using tg_table_name, tg_argv[0], tg_argv[1];
         return null;
       end $$`,
    );
    for (const [table, key] of Object.entries(tables)) {
      this.addSql(
        `create trigger write_versions_truncate before truncate on ${table} for each statement execute function write_versions_truncate('${key}')`,
      );
    }
  }

  override down(): void {
    for (const table of Object.keys(tables)) this.addSql(`drop trigger write_versions_truncate on ${table}`);
    this.addSql('drop function write_versions_truncate()');
    this.addSql(
      `create or replace function write_versions_update() returns trigger language plpgsql as $$
       declare id bigint;
       begin
         if not exists (select from new_rows) then return null; end if;
         id := current_change_set();
         insert into record_versions (change_set_id, record_table, record_key, before, after)
         select id, tg_table_name, coalesce(was.version->>tg_argv[0], is_now.version->>tg_argv[0]), was.version, is_now.version
         from (select to_jsonb(old_row) as version from old_rows old_row) was
         full join (select to_jsonb(new_row) as version from new_rows new_row) is_now
           on was.version->>tg_argv[0] = is_now.version->>tg_argv[0]
         where was.version is distinct from is_now.version;
         return null;
       end $$`,
    );
  }
}
