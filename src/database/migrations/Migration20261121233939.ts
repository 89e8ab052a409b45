import { Migration } from '@mikro-orm/migrations';

/** A random value beside the catalogue version, by a trigger: also for changes that the version before makes meanwhile. */
export class Migration20261121233939 extends Migration {
  override name = 'Migration20261121233939';

  override up(): void {
    // allow rewrite: the table has one row
    this.addSql('alter table "catalogue_version" add "nonce" uuid not null default gen_random_uuid();');
    this.addSql(
      `create function catalogue_version_nonce() returns trigger language plpgsql as $$
       begin
         new.nonce := gen_random_uuid();
         return new;
       end $$`,
    );
    this.addSql(
      `create trigger catalogue_version_nonce before update on catalogue_version
       for each row execute function catalogue_version_nonce()`,
    );
  }

  override down(): void {
    this.addSql('drop trigger catalogue_version_nonce on catalogue_version');
    this.addSql('drop function catalogue_version_nonce()');
    this.addSql('alter table "catalogue_version" drop column "nonce"');
  }
}
