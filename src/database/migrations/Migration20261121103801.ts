import { Migration } from '@mikro-orm/migrations';

export class Migration20261121103801 extends Migration {

  override name = 'Migration20261121103801';

  override up(): void | Promise<void> {
    this.addSql(`create table "housekeeping_runs" ("task" varchar(50) not null, "finished_at" timestamptz(3) not null, "removed" bigint not null default 0, primary key ("task"));`);
    this.addSql(`comment on table "housekeeping_runs" is 'When each task of the housekeeping was last done.';`);
  }

  override down(): void | Promise<void> {
    this.addSql(`drop table if exists "housekeeping_runs" cascade;`);
  }

}
