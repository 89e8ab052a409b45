import { Migration } from '@mikro-orm/migrations';

/**
 * The hash of a renewal token has no index any more (docs/decisions/0030). Where there are records, the version before may be
 * at work and finds them by it: there `gatehouse migrate --finish` removes it, and later a migration of the next version.
 */
export class Migration20261122083000 extends Migration {

  override name = 'Migration20261122083000';

  override up(): void | Promise<void> {
    this.addSql(`do $$ begin
      if not exists (select from "tokens") then
        alter table "tokens" drop constraint if exists "tokens_token_unique";
      end if;
    end $$;`);
  }

  override down(): void | Promise<void> {
    this.addSql(`alter table "tokens" drop constraint if exists "tokens_token_unique";`);
    this.addSql(`alter table "tokens" add constraint "tokens_token_unique" unique ("token");`);
  }

}
