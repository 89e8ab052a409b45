import { Migration } from '@mikro-orm/migrations';

/** What a connector says about a user is kept whichever version it says it to. */
export class Migration20261129154500 extends Migration {

  override name = 'Migration20261129154500';

  override up(): void | Promise<void> {
    this.addSql(`create function keep_provisioned_active() returns trigger language plpgsql as $$
begin
  new.provisioned_active := not new.is_blocked;
  return new;
end $$;`);
    this.addSql(`create trigger keep_provisioned_active before insert or update of is_blocked on users for each row
  when (nullif(current_setting('gatehouse.change', true), '')::jsonb->>'face' = 'scim') execute function keep_provisioned_active();`);
  }

  override down(): void | Promise<void> {
    this.addSql(`drop trigger keep_provisioned_active on users;`);
    this.addSql(`drop function keep_provisioned_active();`);
  }

}
