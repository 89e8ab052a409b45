import { Migration } from '@mikro-orm/migrations';

export class Migration20261123151100 extends Migration {

  override name = 'Migration20261123151100';

  override up(): void | Promise<void> {
    this.addSql(`alter table "applications" add "owner_profile_id" varchar(50) null;`);

    this.addSql(`alter table "profiles" add "owner_profile_id" varchar(50) null;`);

    this.addSql(`alter table "proposals" add "subjects" jsonb null;`);
  }

  override down(): void | Promise<void> {
    this.addSql(`alter table "applications" drop column "owner_profile_id";`);

    this.addSql(`alter table "profiles" drop column "owner_profile_id";`);

    this.addSql(`alter table "proposals" drop column "subjects";`);
  }

}
