import { Migration } from '@mikro-orm/migrations';

export class Migration20261122060157 extends Migration {

  override name = 'Migration20261122060157';

  override up(): void | Promise<void> {
    this.addSql(`create table "provider_sessions" ("token_guid" uuid not null, "session_hash" varchar(50) not null, primary key ("token_guid"));`);
    this.addSql(`comment on table "provider_sessions" is 'Which session of an identity provider a token record comes from. Renewals never write it.';`);
    this.addSql(`create index "provider_sessions_session_hash_index" on "provider_sessions" ("session_hash");`);

    this.addSql(`alter table "tokens" add "issuer" text null;`);
  }

  override down(): void | Promise<void> {
    this.addSql(`drop table if exists "provider_sessions" cascade;`);

    this.addSql(`alter table "tokens" drop column "issuer";`);
  }

}
