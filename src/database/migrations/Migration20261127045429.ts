import { Migration } from '@mikro-orm/migrations';

export class Migration20261127045429 extends Migration {

  override name = 'Migration20261127045429';

  override up(): void | Promise<void> {
    this.addSql(`alter table "users" add "telephone_type" varchar(50) null, add "email_type" varchar(50) null;`);
  }

  override down(): void | Promise<void> {
    this.addSql(`alter table "users" drop column "telephone_type", drop column "email_type";`);
  }

}
