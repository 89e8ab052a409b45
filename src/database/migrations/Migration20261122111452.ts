import { Migration } from '@mikro-orm/migrations';

export class Migration20261122111452 extends Migration {

  override name = 'Migration20261122111452';

  override up(): void | Promise<void> {
    this.addSql(`create table "provider_sign_outs" ("name_hash" varchar(50) not null, "issued_until" timestamptz(3) not null, "ends_at" timestamptz(3) not null, primary key ("name_hash"));`);
    this.addSql(`comment on table "provider_sign_outs" is 'A sign-out of a session or user by an identity provider; kept until earlier ID tokens are too old to be accepted.';`);
    this.addSql(`create index "provider_sign_outs_ends_at_index" on "provider_sign_outs" ("ends_at");`);
  }

  override down(): void | Promise<void> {
    this.addSql(`drop table if exists "provider_sign_outs" cascade;`);
  }

}
