import { Migration } from '@mikro-orm/migrations';

export class Migration20261123162859 extends Migration {

  override name = 'Migration20261123162859';

  override up(): void | Promise<void> {
    this.addSql(`create table "tried_changes" ("effect_id" varchar(36) not null, "actor" uuid not null, "changes" jsonb not null, "ends_at" timestamptz(3) not null, primary key ("effect_id"));`);
    this.addSql(`comment on table "tried_changes" is 'Changes of a dry run whose effect is being read.';`);
    this.addSql(`create index "tried_changes_actor_ends_at_index" on "tried_changes" ("actor", "ends_at");`);
    this.addSql(`create index "tried_changes_ends_at_index" on "tried_changes" ("ends_at");`);
  }

  override down(): void | Promise<void> {
    this.addSql(`drop table if exists "tried_changes" cascade;`);
  }

}
