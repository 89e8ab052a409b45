import { Migration } from '@mikro-orm/migrations';

export class Migration20261122011023 extends Migration {

  override name = 'Migration20261122011023';

  override up(): void | Promise<void> {
    this.addSql(`alter table "tokens" add "revoked_by" varchar(120) null;`);
  }

  override down(): void | Promise<void> {
    this.addSql(`alter table "tokens" drop column "revoked_by";`);
  }

}
