import { Migration } from '@mikro-orm/migrations';

export class Migration20261122112946 extends Migration {

  override name = 'Migration20261122112946';

  override up(): void | Promise<void> {
    this.addSql(`alter table "clients" add "keys_last_used_at" timestamptz(3) null;`);
  }

  override down(): void | Promise<void> {
    this.addSql(`alter table "clients" drop column "keys_last_used_at";`);
  }

}
