import { Migration } from '@mikro-orm/migrations';

export class Migration20261123111323 extends Migration {

  override name = 'Migration20261123111323';

  override up(): void | Promise<void> {
    this.addSql(`alter table "clients" add "may_evaluate" boolean not null default false;`);
  }

  override down(): void | Promise<void> {
    this.addSql(`alter table "clients" drop column "may_evaluate";`);
  }

}
