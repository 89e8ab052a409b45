import { Migration } from '@mikro-orm/migrations';

export class Migration20261122063435 extends Migration {

  override name = 'Migration20261122063435';

  override up(): void | Promise<void> {
    this.addSql(`alter table "clients" add "policy" varchar(20) null;`);
  }

  override down(): void | Promise<void> {
    this.addSql(`alter table "clients" drop column "policy";`);
  }

}
