import { Migration } from '@mikro-orm/migrations';

export class Migration20261127055320 extends Migration {

  override name = 'Migration20261127055320';

  override up(): void | Promise<void> {
    this.addSql(`alter table "review_items" add "given_at" timestamptz(3) null;`);
  }

  override down(): void | Promise<void> {
    this.addSql(`alter table "review_items" drop column "given_at";`);
  }

}
