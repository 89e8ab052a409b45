import { Migration } from '@mikro-orm/migrations';

/** Columns of users that neither a sign-in nor an import's memory writes; the last two are new. */
const personal = [
  'user_id', 'user_guid', 'salutation', 'title', 'first_name', 'last_name', 'idpname', 'idpid', 'telephone', 'email', 'status', 'status_id',
  'job_title', 'job_title_additional', 'job_title_id', 'department', 'language_preference', 'email_subscriptions', 'notification_options',
  'anbversion', 'anbacceptance_date', 'assigned_customer_support_guid', 'invited_by', 'invitation_date', 'uipreferences', 'is_blocked',
  'created_date', 'created_by', 'modified_date', 'modified_by', 'revision', 'user_name', 'deprovisioned_at', 'telephone_type', 'email_type',
];

const fieldName = (column: string): string =>
  column.replace(/_([a-z])/g, (_, letter: string) => letter.toUpperCase());

/** The triggers of users see a change of the type of an address too: it has a revision, an author and an audit event. */
export class Migration20261127055800 extends Migration {

  override name = 'Migration20261127055800';

  override up(): void | Promise<void> {
    for (const statement of triggers(personal)) this.addSql(statement);
  }

  override down(): void | Promise<void> {
    for (const statement of triggers(personal.slice(0, -2))) this.addSql(statement);
  }

}

/** The triggers of users that name their columns: see Migration20261123153000. */
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
