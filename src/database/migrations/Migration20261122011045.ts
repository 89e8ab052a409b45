import { Migration } from '@mikro-orm/migrations';

export class Migration20261122011045 extends Migration {

  override name = 'Migration20261122011045';

  override up(): void | Promise<void> {
    this.addSql(`create table "id_token_uses" ("use_hash" varchar(50) not null, "ends_at" timestamptz(3) not null, primary key ("use_hash"));`);
    this.addSql(`comment on table "id_token_uses" is 'An exchange of an ID token for a profile; kept until the token expires.';`);
    this.addSql(`create index "id_token_uses_ends_at_index" on "id_token_uses" ("ends_at");`);
  }

  override down(): void | Promise<void> {
    this.addSql(`drop table if exists "id_token_uses" cascade;`);
  }

}
