import { Migration } from '@mikro-orm/migrations';

/** Tables with a history, and the column by which audit events name their records. */
const keys: Record<string, string> = {
  access_scope_types: 'access_scope_type_guid',
  access_scopes: 'access_scope_guid',
  access_scope_applications_mappers: 'access_scope_applications_mapper_id',
  access_scope_type_applications_mappers: 'access_scope_type_applications_mapper_id',
  applications: 'application_guid',
  profiles: 'profile_id',
  profile_access_scopes: 'profile_access_scope_id',
  roles: 'role_id',
  translations: 'translation_id',
  user_profiles: 'user_profile_id',
};
/** What of a user is no personal data. */
const userColumns = 'user_id,user_guid,is_blocked';

/** Histories: whatever changes a record writes its version, and the first version of a transaction makes its change set. */
export class Migration20261122000206 extends Migration {
  override name = 'Migration20261122000206';

  override up(): void {
    // who changes is told by the service in the setting gatehouse.change; a statement of somebody else's has no such
    this.addSql(
      `create function current_change_set() returns bigint language plpgsql as $$
       declare
         id bigint := nullif(current_setting('gatehouse.change_set', true), '')::bigint;
         told jsonb := coalesce(nullif(current_setting('gatehouse.change', true), ''), '{}')::jsonb;
       begin
         if id is null then
           insert into change_sets (actor, face, note, trace_id, undoes_id) values (
             coalesce((told->>'actor')::uuid, '00000000-0000-0000-0000-000000000001'), coalesce(told->>'face', 'sql'),
             told->>'note', told->>'traceId', (told->>'undoesId')::bigint
           ) returning change_set_id into id;
           perform set_config('gatehouse.change_set', id::text, true);
         end if;
         return id;
       end $$`,
    );
    // at the commit: until then nobody sees it, and changes of the service come one after the other there
    this.addSql(
      `create function change_set_commits() returns trigger language plpgsql as $$
       begin
         update change_sets set occurred_at = clock_timestamp(),
           catalogue_version = (select version || '.' || nonce from catalogue_version)
         where change_set_id = new.change_set_id;
         return null;
       end $$`,
    );
    this.addSql(
      `create constraint trigger change_set_commits after insert on change_sets deferrable initially deferred
       for each row execute function change_set_commits()`,
    );
    this.addSql(
      `create function kept_columns(version jsonb, names text) returns jsonb language sql immutable as $$
         select case when names is null then version else
           (select jsonb_object_agg(key, value) from jsonb_each(version) where key = any(string_to_array(names, ','))) end
       $$`,
    );
    this.addSql(
      `create function write_versions_insert() returns trigger language plpgsql as $$
       declare id bigint;
       begin
         if not exists (select from new_rows) then return null; end if;
         id := current_change_set();
         insert into record_versions (change_set_id, record_table, record_key, after)
         select id, tg_table_name, version->>tg_argv[0], version
         from (select kept_columns(to_jsonb(made), tg_argv[1]) as version from new_rows made) versions;
         return null;
       end $$`,
    );
    this.addSql(
      `create function write_versions_delete() returns trigger language plpgsql as $$
       declare id bigint;
       begin
         if not exists (select from old_rows) then return null; end if;
         id := current_change_set();
         insert into record_versions (change_set_id, record_table, record_key, before)
         select id, tg_table_name, version->>tg_argv[0], version
         from (select kept_columns(to_jsonb(gone), tg_argv[1]) as version from old_rows gone) versions;
         return null;
       end $$`,
    );
    // a key that changed is a record that went and another that came
    this.addSql(
      `create function write_versions_update() returns trigger language plpgsql as $$
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
    this.addSql(
      `create function write_version_of_user() returns trigger language plpgsql as $$
       begin
         insert into record_versions (change_set_id, record_table, record_key, before, after) values (
           current_change_set(), 'users', new.user_guid,
           kept_columns(to_jsonb(old), tg_argv[1]), kept_columns(to_jsonb(new), tg_argv[1]));
         return null;
       end $$`,
    );
    for (const [table, key] of Object.entries(keys)) {
      this.addSql(versions(table, 'insert', 'new table as new_rows', `'${key}'`));
      this.addSql(versions(table, 'update', 'old table as old_rows new table as new_rows', `'${key}'`));
      this.addSql(versions(table, 'delete', 'old table as old_rows', `'${key}'`));
    }
    const user = `'user_guid', '${userColumns}'`;
    this.addSql(versions('users', 'insert', 'new table as new_rows', user));
    this.addSql(versions('users', 'delete', 'old table as old_rows', user));
    // by row: sign-ins change users too, and must cost no more than this condition
    this.addSql(
      `create trigger write_versions_update after update on users for each row
       when (old.is_blocked is distinct from new.is_blocked or old.user_guid is distinct from new.user_guid)
       execute function write_version_of_user(${user})`,
    );
  }

  override down(): void {
    for (const table of [...Object.keys(keys), 'users'])
      for (const event of ['insert', 'update', 'delete']) this.addSql(`drop trigger write_versions_${event} on ${table}`);
    this.addSql('drop trigger change_set_commits on change_sets');
    for (const name of ['change_set_commits', 'write_version_of_user', 'write_versions_update', 'write_versions_delete', 'write_versions_insert', 'current_change_set'])
      this.addSql(`drop function ${name}()`);
    this.addSql('drop function kept_columns(jsonb, text)');
  }
}

const versions = (table: string, event: string, referencing: string, given: string): string =>
  `create trigger write_versions_${event} after ${event} on ${table} referencing ${referencing}
   for each statement execute function write_versions_${event}(${given})`;
