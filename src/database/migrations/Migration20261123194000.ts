import { Migration } from '@mikro-orm/migrations';

export class Migration20261123194000 extends Migration {

  override name = 'Migration20261123194000';

  override up(): void | Promise<void> {
    this.addSql(`alter table "applications" add "is_requestable" boolean not null default false;`);

    this.addSql(`alter table "proposals" add "requested_application_guid" uuid null, add "requested_until" timestamptz(3) null;`);
  }

  override down(): void | Promise<void> {
    this.addSql(`alter table "applications" drop column "is_requestable";`);

    this.addSql(`alter table "proposals" drop column "requested_application_guid", drop column "requested_until";`);
  }

}
