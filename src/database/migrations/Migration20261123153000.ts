import { Migration } from '@mikro-orm/migrations';

/** Columns of users that neither a sign-in nor an import's memory writes; the last two are new. */
const personal = [
  'user_id', 'user_guid', 'salutation', 'title', 'first_name', 'last_name', 'idpname', 'idpid', 'telephone', 'email', 'status', 'status_id',
  'job_title', 'job_title_additional', 'job_title_id', 'department', 'language_preference', 'email_subscriptions', 'notification_options',
  'anbversion', 'anbacceptance_date', 'assigned_customer_support_guid', 'invited_by', 'invitation_date', 'uipreferences', 'is_blocked',
  'created_date', 'created_by', 'modified_date', 'modified_by', 'revision', 'user_name', 'deprovisioned_at',
];

const fieldName = (column: string): string =>
  column.replace(/_([a-z])/g, (_, letter: string) => letter.toUpperCase());

/** Connectors (SCIM), the groups that profiles stand for, and what SCIM keeps of users. */
export class Migration20261123153000 extends Migration {
  override name = 'Migration20261123153000';

  override up(): void {
    // allow index: profiles are few
    this.addSql(`create table "connectors" ("connector_id" varchar(50) not null, "connector_guid" uuid not null default gen_random_uuid(), "idpname" varchar(255) not null, "client_id" varchar(100) null, "token_hash" bytea not null, "previous_token_hash" bytea null, "previous_token_ends_at" timestamptz(3) null, "is_revoked" boolean not null default false, "created_at" timestamptz(3) not null default now(), "last_used_at" timestamptz(3) null, "revision" integer not null default 1, "role_id" varchar(50) not null, primary key ("connector_id"));`);
    this.addSql(`comment on table "connectors" is 'A connector: an identity provider that provisions its people and their groups by SCIM.';`);
    this.addSql(`alter table "connectors" add constraint "connectors_connector_guid_unique" unique ("connector_guid");`);
    this.addSql(`alter table "connectors" add constraint "connectors_token_hash_unique" unique ("token_hash");`);
    this.addSql(`alter table "connectors" add constraint "connectors_previous_token_hash_unique" unique ("previous_token_hash");`);
    this.addSql(`create index "connectors_role_id_index" on "connectors" ("role_id");`);
    this.addSql(`alter table "connectors" add constraint "connectors_role_id_foreign" foreign key ("role_id") references "roles" ("role_id") on update cascade on delete restrict;`);
    this.addSql(`alter table "profiles" add "external_group" varchar(255) null, add "external_group_administers" boolean not null default false;`);
    this.addSql(`alter table "profiles" add constraint "profiles_external_group_unique" unique ("external_group");`);
    this.addSql(`alter table "users" add "user_name" varchar(320) null, add "deprovisioned_at" timestamptz(3) null;`);
    for (const statement of triggers(personal)) this.addSql(statement);
  }

  override down(): void {
    for (const statement of triggers(personal.slice(0, -2))) this.addSql(statement);
    this.addSql(`drop table if exists "connectors" cascade;`);
    this.addSql(`alter table "profiles" drop constraint "profiles_external_group_unique";`);
    this.addSql(`alter table "profiles" drop column "external_group", drop column "external_group_administers";`);
    this.addSql(`alter table "users" drop column "user_name", drop column "deprovisioned_at";`);
  }
}

/** The triggers of users that name their columns: see Migration20261123082000 and Migration20261123120000. */
function triggers(columns: readonly string[]): string[] {
  const changed = columns
    .filter((column) => !/^(revision|modified_)/.test(column))
    .map((column) => `case when old.${column} is distinct from new.${column} then '${fieldName(column)}' end`);
  const unblocked = columns.filter((column) => !['user_guid', 'is_blocked'].includes(column));
  return [
    `create or replace trigger change_past_service after update of ${unblocked.join(', ')} on users for each row
     when (coalesce(current_setting('gatehouse.change', true), '') = '' and old.* is distinct from new.*)
     execute function change_past_service()`,
    `create or replace trigger stamp_change before update of ${columns.join(', ')} on users for each row
     when (old.* is distinct from new.*) execute function stamp_change()`,
    `create or replace function write_audit_event_of_user() returns trigger language plpgsql as $$
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
    `create or replace trigger write_audit_event after update of ${columns.join(', ')} on users for each row
     when (old.* is distinct from new.*) execute function write_audit_event_of_user()`,
  ];
}
