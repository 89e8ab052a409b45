import { Migration } from '@mikro-orm/migrations';

/** Whom somebody unblocks, by whichever door, is deleted by no connector any more. */
export class Migration20261129014500 extends Migration {

  override name = 'Migration20261129014500';

  override up(): void | Promise<void> {
    this.addSql(`create function forget_deprovisioning() returns trigger language plpgsql as $$
begin
  new.deprovisioned_at := null;
  return new;
end $$;`);
    this.addSql(`create trigger forget_deprovisioning before update of is_blocked on users for each row
  when (old.is_blocked and not new.is_blocked) execute function forget_deprovisioning();`);
    this.addSql(`update users set deprovisioned_at = null where not is_blocked and deprovisioned_at is not null;`);
  }

  override down(): void | Promise<void> {
    this.addSql(`drop trigger forget_deprovisioning on users;`);
    this.addSql(`drop function forget_deprovisioning();`);
  }

}
