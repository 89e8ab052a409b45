import { Migration } from '@mikro-orm/migrations';

export class Migration20261122002827 extends Migration {

  override name = 'Migration20261122002827';

  override up(): void | Promise<void> {
    this.addSql(`alter table "clients" add "imported_secret" varchar(64) null, add "imported_is_active" boolean null;`);

    this.addSql(`alter table "users" add "imported_is_blocked" boolean null;`);
  }

  override down(): void | Promise<void> {
    this.addSql(`alter table "clients" drop column "imported_secret", drop column "imported_is_active";`);

    this.addSql(`alter table "users" drop column "imported_is_blocked";`);
  }

}
