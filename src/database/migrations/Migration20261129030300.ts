import { Migration } from '@mikro-orm/migrations';

export class Migration20261129030300 extends Migration {

  override name = 'Migration20261129030300';

  override up(): void | Promise<void> {
    this.addSql(`alter table "users" add "provisioned_active" boolean null;`);
  }

  override down(): void | Promise<void> {
    this.addSql(`alter table "users" drop column "provisioned_active";`);
  }

}
