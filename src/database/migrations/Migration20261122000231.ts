import { Migration } from '@mikro-orm/migrations';

/**
 * Tokens of the operator have records, and may be for a guid that no user has: so `user_id` has no constraint any more.
 * What the constraint did for records of users who are deleted, a trigger does.
 */
export class Migration20261122000231 extends Migration {

  override name = 'Migration20261122000231';

  override up(): void | Promise<void> {
    this.addSql(`create function delete_tokens_of_users() returns trigger language plpgsql as $$
      begin
        delete from tokens using gone where tokens.user_id = gone.user_guid;
        return null;
      end $$;`);
    this.addSql(`create trigger delete_tokens_of_users after delete on "users"
      referencing old table as gone for each statement execute function delete_tokens_of_users();`);
    this.addSql(`alter table "tokens" drop constraint "tokens_user_id_foreign";`);
    this.addSql(`comment on table "tokens" is 'The record of a renewal token, or of an access token of \`gatehouse admin-token\`.';`);
  }

  override down(): void | Promise<void> {
    this.addSql(`delete from "tokens" where not exists (select from "users" where "user_guid" = "tokens"."user_id");`);
    this.addSql(`alter table "tokens" add constraint "tokens_user_id_foreign" foreign key ("user_id") references "users" ("user_guid") on update cascade on delete cascade;`);
    this.addSql(`drop trigger delete_tokens_of_users on "users";`);
    this.addSql(`drop function delete_tokens_of_users();`);
    this.addSql(`comment on table "tokens" is 'The record of a renewal token.';`);
  }

}
