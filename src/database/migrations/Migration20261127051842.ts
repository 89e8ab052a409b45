import { Migration } from '@mikro-orm/migrations';

export class Migration20261127051842 extends Migration {

  override name = 'Migration20261127051842';

  override up(): void | Promise<void> {
    this.addSql(`alter table "proposals" add "approver_has_right" boolean null, add "subject" jsonb null;`);
  }

  override down(): void | Promise<void> {
    this.addSql(`alter table "proposals" drop column "approver_has_right", drop column "subject";`);
  }

}
