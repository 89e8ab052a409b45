import { Migration } from '@mikro-orm/migrations';

const stamped = [
  'access_scope_applications_mappers', 'access_scope_type_applications_mappers', 'access_scope_types', 'access_scopes', 'applications',
  'profile_access_scopes', 'profiles', 'roles', 'user_profiles', 'users',
];

/** Columns of users that neither a sign-in nor an import's memory writes. */
const personal = [
  'user_id', 'user_guid', 'salutation', 'title', 'first_name', 'last_name', 'idpname', 'idpid', 'telephone', 'email', 'status', 'status_id',
  'job_title', 'job_title_additional', 'job_title_id', 'department', 'language_preference', 'email_subscriptions', 'notification_options',
  'anbversion', 'anbacceptance_date', 'assigned_customer_support_guid', 'invited_by', 'invitation_date', 'uipreferences', 'is_blocked',
  'created_date', 'created_by', 'modified_date', 'modified_by', 'revision',
];

const fieldName = (column: string): string =>
  column.replace(/_([a-z])/g, (_, letter: string) => letter.toUpperCase());

/**
 * Triggers stamp the records with a history and write their audit events, from what the transaction announced in the setting
 * gatehouse.change. They do it when the announcement has `stamps`; the version before announces without it, and does both itself.
 */
export class Migration20261123120000 extends Migration {
  override name = 'Migration20261123120000';

  override up(): void {
    this.addSql(
      `create function change_author() returns uuid language sql stable as $$
         select coalesce((nullif(current_setting('gatehouse.change', true), '')::jsonb->>'actor')::uuid, '00000000-0000-0000-0000-000000000001')
       $$`,
    );
    for (const table of stamped) this.addSql(`alter table ${table} alter column created_by set default change_author()`);
    this.addStamps();
    this.addAuditEvents();
    // sets of other audit events are of tokens and keys; a row that this transaction wrote was raised by it
    this.addSql(commits(`or exists (
           select from audit_events where change_set_id = new.change_set_id and action in ('create', 'update', 'delete'))`));
  }

  private addStamps(): void {
    // a raised revision, a sign-in and an import's memory are no changes
    this.addSql(
      `create function stamp_change() returns trigger language plpgsql as $$
       declare
         said jsonb := nullif(current_setting('gatehouse.change', true), '')::jsonb;
         last integer := old.revision;
         brought_date timestamptz;
         brought_by uuid;
       begin
         if said->'stamps' is null then return new; end if;
         if said->>'stamps' = 'brought' then
           brought_date := new.modified_date;
           brought_by := new.modified_by;
           new.modified_date := coalesce(brought_date, old.modified_date);
           new.modified_by := coalesce(brought_by, old.modified_by);
         end if;
         old.revision := new.revision;
         if tg_table_name = 'users' then
           old.last_login_date := new.last_login_date;
           old.imported_is_blocked := new.imported_is_blocked;
         end if;
         if old is distinct from new then
           new.revision := last + 1;
           new.modified_date := coalesce(brought_date, now());
           new.modified_by := coalesce(brought_by, change_author());
         end if;
         return new;
       end $$`,
    );
    for (const table of stamped) {
      const columns = table === 'users' ? `of ${personal.join(', ')} ` : '';
      this.addSql(
        `create trigger stamp_change before update ${columns}on ${table} for each row when (old.* is distinct from new.*)
         execute function stamp_change()`,
      );
    }
  }

  private addAuditEvents(): void {
    // in the order of the columns; null where none of them changed
    this.addSql(
      `create function changed_fields(columns text[], before jsonb, after jsonb) returns jsonb language plpgsql immutable as $$
       begin
         return (select jsonb_agg(lower(left(name, 1)) || substr(name, 2) order by place) from (
           select place, replace(initcap(own), '_', '') as name from unnest(columns) with ordinality its(own, place)
           where before->own is distinct from after->own) changed);
       end $$`,
    );
    // a link that a foreign key removed with its owner has a version and no event
    this.addSql(
      `create function write_audit_events() returns trigger language plpgsql as $$
       declare
         said jsonb := nullif(current_setting('gatehouse.change', true), '')::jsonb;
         columns text[];
       begin
         if said->'stamps' is null then return null; end if;
         columns := array(
           select attname::text from pg_attribute
           where attrelid = (select record_table from new_versions limit 1)::regclass and attnum > 0 and not attisdropped
             and attname <> all('{revision,modified_date,modified_by}')
           order by attnum);
         insert into audit_events (actor, trace_id, change_set_id, action, subject_type, subject_id, detail)
         select change_author(), said->>'traceId', change_set_id, action, rtrim(replace(initcap(record_table), '_', ''), 's'), record_key,
           case when action = 'update' then jsonb_build_object('fields', fields) end
         from (
           select version.*, case when before is null then 'create' when after is null then 'delete' else 'update' end as action,
             case when before is not null and after is not null and record_table <> 'users'
               then changed_fields(columns, before, after) end as fields
           from new_versions version) changes
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
    this.addSql(
      `create trigger write_audit_events after insert on record_versions referencing new table as new_versions
       for each statement execute function write_audit_events()`,
    );
    // their personal data have no versions; by columns and by row: sign-ins must cost nothing
    const changed = personal
      .filter((column) => !/^(revision|modified_)/.test(column))
      .map((column) => `case when old.${column} is distinct from new.${column} then '${fieldName(column)}' end`);
    this.addSql(
      `create function write_audit_event_of_user() returns trigger language plpgsql as $$
       declare
         said jsonb := nullif(current_setting('gatehouse.change', true), '')::jsonb;
         fields text[];
       begin
         if said->'stamps' is null then return null; end if;
         fields := array_remove(array[${changed.join(', ')}], null);
         if fields <> '{}' then
           insert into audit_events (actor, trace_id, change_set_id, action, subject_type, subject_id, detail)
           values (change_author(), said->>'traceId', current_change_set(), 'update', 'User', new.user_guid, jsonb_build_object('fields', fields));
         end if;
         return null;
       end $$`,
    );
    this.addSql(
      `create trigger write_audit_event after update of ${personal.join(', ')} on users for each row
       when (old.* is distinct from new.*) execute function write_audit_event_of_user()`,
    );
  }

  override down(): void {
    this.addSql(commits(''));
    this.addSql('drop trigger write_audit_event on users');
    this.addSql('drop trigger write_audit_events on record_versions');
    for (const table of stamped) {
      this.addSql(`drop trigger stamp_change on ${table}`);
      this.addSql(`alter table ${table} alter column created_by drop default`);
    }
    for (const name of ['write_audit_event_of_user()', 'write_audit_events()', 'changed_fields(text[], jsonb, jsonb)', 'stamp_change()', 'change_author()'])
      this.addSql(`drop function ${name}`);
  }
}

const commits = (further: string): string =>
  `create or replace function change_set_commits() returns trigger language plpgsql as $$
   begin
     if new.face = 'sql' or exists (select from record_versions where change_set_id = new.change_set_id) ${further} then
       update catalogue_version set version = version + 1 where xmin <> pg_current_xact_id()::xid;
     end if;
     update change_sets set occurred_at = clock_timestamp(),
       catalogue_version = (select version || '.' || nonce from catalogue_version)
     where change_set_id = new.change_set_id;
     return null;
   end $$`;
