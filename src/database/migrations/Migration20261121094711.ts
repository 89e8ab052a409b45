import { Migration } from '@mikro-orm/migrations';

export class Migration20261121094711 extends Migration {

  override name = 'Migration20261121094711';

  override up(): void | Promise<void> {
    this.addSql(`create table "rate_limits" ("key" varchar(255) not null, "points" integer not null default 0, "expire" bigint null, primary key ("key"));`);
    this.addSql(`comment on table "rate_limits" is 'Counts of failures that processes share.';`);
  }

  override down(): void | Promise<void> {
    this.addSql(`drop table if exists "rate_limits" cascade;`);
  }

}
