import { Migration } from '@mikro-orm/migrations';

export class Migration20261122054113 extends Migration {

  override name = 'Migration20261122054113';

  override up(): void | Promise<void> {
    this.addSql(`create table "single_uses" ("use_hash" varchar(50) not null, "ends_at" timestamptz(3) not null, primary key ("use_hash"));`);
    this.addSql(`comment on table "single_uses" is 'A value that may be used once and was used; kept until it expires.';`);
    this.addSql(`create index "single_uses_ends_at_index" on "single_uses" ("ends_at");`);

    this.addSql(`alter table "clients" add "jwks" varchar(16384) null, add "jwks_uri" varchar(2000) null, add "dpop_required" boolean not null default false;`);

    this.addSql(`alter table "tokens" add "jkt" varchar(43) null;`);
  }

  override down(): void | Promise<void> {
    this.addSql(`drop table if exists "single_uses" cascade;`);

    this.addSql(`alter table "clients" drop column "jwks", drop column "jwks_uri", drop column "dpop_required";`);

    this.addSql(`alter table "tokens" drop column "jkt";`);
  }

}
