import { Migration } from '@mikro-orm/migrations';

export class Migration20261122043436 extends Migration {

  override name = 'Migration20261122043436';

  override up(): void | Promise<void> {
    this.addSql(`alter table "tokens" add "renewal_key" bytea null;`);
  }

  override down(): void | Promise<void> {
    this.addSql(`alter table "tokens" drop column "renewal_key";`);
  }

}
