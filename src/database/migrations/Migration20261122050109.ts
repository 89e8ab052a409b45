import { Migration } from '@mikro-orm/migrations';

export class Migration20261122050109 extends Migration {

  override name = 'Migration20261122050109';

  override up(): void | Promise<void> {
    this.addSql(`create table "console_sessions" ("session_hash" bytea not null, "user_guid" uuid not null, "profile_id" varchar(50) not null, "issuer" text not null, "created_at" timestamptz(3) not null default now(), "seen_at" timestamptz(3) not null default now(), "authenticated_at" timestamptz(3) null, "ends_at" timestamptz(3) not null, primary key ("session_hash"));`);
    this.addSql(`comment on table "console_sessions" is 'A session of a user who is signed in to the console.';`);
    this.addSql(`create index "console_sessions_user_guid_index" on "console_sessions" ("user_guid");`);
    this.addSql(`create index "console_sessions_ends_at_index" on "console_sessions" ("ends_at");`);
  }

  override down(): void | Promise<void> {
    this.addSql(`drop table if exists "console_sessions" cascade;`);
  }

}
