import { Migration } from '@mikro-orm/migrations';

/** Fields of a user that answers show and no history keeps: all that sign-ins and imports' memory don't write. */
const personal = [
  'user_id', 'salutation', 'title', 'first_name', 'last_name', 'idpname', 'idpid', 'telephone', 'email', 'status', 'status_id', 'job_title',
  'job_title_additional', 'job_title_id', 'department', 'language_preference', 'email_subscriptions', 'notification_options',
  'anbversion', 'anbacceptance_date', 'assigned_customer_support_guid', 'invited_by', 'invitation_date', 'uipreferences',
  'created_date', 'created_by', 'modified_date', 'modified_by', 'revision',
];

/**
 * Whatever changes the catalogue raises its version, statements past the service too: at the commit, so that nobody waits
 * for an open transaction, and the times of change sets have the order in which they are seen. The version before raises it
 * itself, as this one does, and is not raised twice.
 */
export class Migration20261123082000 extends Migration {
  override name = 'Migration20261123082000';

  override up(): void {
    // sets of audit events alone are of tokens and keys; a row that this transaction wrote was raised by it
    this.addSql(
      `create or replace function change_set_commits() returns trigger language plpgsql as $$
       begin
         if new.face = 'sql' or exists (select from record_versions where change_set_id = new.change_set_id) then
           update catalogue_version set version = version + 1 where xmin <> pg_current_xact_id()::xid;
         end if;
         update change_sets set occurred_at = clock_timestamp(),
           catalogue_version = (select version || '.' || nonce from catalogue_version)
         where change_set_id = new.change_set_id;
         return null;
       end $$`,
    );
    this.addSql(
      `create function change_past_service() returns trigger language plpgsql as $$
       begin
         perform current_change_set();
         return null;
       end $$`,
    );
    // by columns: sign-ins write none of them; the service says who changes, and has its change set by its audit events
    this.addSql(
      `create trigger change_past_service after update of ${personal.join(', ')} on users for each row
       when (coalesce(current_setting('gatehouse.change', true), '') = '' and old.* is distinct from new.*)
       execute function change_past_service()`,
    );
  }

  override down(): void {
    this.addSql('drop trigger change_past_service on users');
    this.addSql('drop function change_past_service()');
    this.addSql(
      `create or replace function change_set_commits() returns trigger language plpgsql as $$
       begin
         update change_sets set occurred_at = clock_timestamp(),
           catalogue_version = (select version || '.' || nonce from catalogue_version)
         where change_set_id = new.change_set_id;
         return null;
       end $$`,
    );
  }
}
