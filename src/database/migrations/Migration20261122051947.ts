import { Migration } from '@mikro-orm/migrations';

export class Migration20261122051947 extends Migration {

  override name = 'Migration20261122051947';

  override up(): void | Promise<void> {
    this.addSql(`alter table "clients" add "allowed_audiences" varchar(1000) null;`);

    this.addSql(`alter table "tokens" add "audience" text null, add "scope" text null;`);
  }

  override down(): void | Promise<void> {
    this.addSql(`alter table "clients" drop column "allowed_audiences";`);

    this.addSql(`alter table "tokens" drop column "audience", drop column "scope";`);
  }

}
