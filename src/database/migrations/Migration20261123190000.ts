import { Migration } from '@mikro-orm/migrations';

/** What a version of an assignment holds; its last use is written by exchanges and renewals, and is no change. */
const kept =
  'user_profile_id,user_id,profile_id,role_id,valid_until,managed_by,created_date,created_by,modified_date,modified_by,revision';

/** When assignments of profiles and links of access scopes end, and when an assignment was last used. */
export class Migration20261123190000 extends Migration {
  override name = 'Migration20261123190000';

  override up(): void {
    this.addSql('alter table profile_access_scopes add valid_until timestamptz(3) null');
    this.addSql('alter table user_profiles add valid_until timestamptz(3) null, add last_used_at timestamptz(3) null');
    this.addSql(
      `create or replace function write_versions_update() returns trigger language plpgsql as $$
       begin
         if tg_argv[1] is null then
           with changed as materialized (
             select coalesce(was.version->>tg_argv[0], is_now.version->>tg_argv[0]) as key, was.version as before, is_now.version as after
             from (select to_jsonb(old_row) as version from old_rows old_row offset 0) was
             full join (select to_jsonb(new_row) as version from new_rows new_row offset 0) is_now
               on was.version->>tg_argv[0] = is_now.version->>tg_argv[0]
             where was.version is distinct from is_now.version),
           change_set as materialized (select current_change_set() as id where exists (select from changed))
           insert into record_versions (change_set_id, record_table, record_key, before, after)
           select id, tg_table_name, key, before, after from change_set, changed;
         else
           -- the arguments of a trigger are fixed: a list of columns
           execute format(
             'with changed as materialized (
                select coalesce(was.version->>$2, is_now.version->>$2) as key, was.version as before, is_now.version as after
                from (select to_jsonb(kept) as version from (select %1$s from old_rows) kept offset 0) was
                full join (select to_jsonb(kept) as version from (select %1$s from new_rows) kept offset 0) is_now
                  on was.version->>$2 = is_now.version->>$2
                where was.version is distinct from is_now.version),
              change_set as materialized (select current_change_set() as id where exists (select from changed))
              insert into record_versions (change_set_id, record_table, record_key, before, after)
              select id, $1, key, before, after from change_set, changed',
             tg_argv[1])
           using tg_table_name, tg_argv[0];
         end if;
         return null;
       end $$`,
    );
    for (const [event, rows] of Object.entries(events))
      this.addSql(versions(event, rows, `'user_profile_id', '${kept}'`));
  }

  override down(): void {
    // the function of the migration before does the same without a list of columns
    for (const [event, rows] of Object.entries(events)) this.addSql(versions(event, rows, `'user_profile_id'`));
    this.addSql('alter table profile_access_scopes drop column valid_until');
    this.addSql('alter table user_profiles drop column valid_until, drop column last_used_at');
  }
}

const events = {
  insert: 'new table as new_rows',
  update: 'old table as old_rows new table as new_rows',
  delete: 'old table as old_rows',
};

const versions = (event: string, rows: string, columns: string): string =>
  `create or replace trigger write_versions_${event} after ${event} on user_profiles referencing ${rows}
   for each statement execute function write_versions_${event}(${columns})`;
