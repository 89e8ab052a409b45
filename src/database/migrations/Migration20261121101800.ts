import { Migration } from '@mikro-orm/migrations';

/** The collation by which `tolower` and `toupper` know all of Unicode: PostgreSQL 18's own, or ICU's on an older server. */
export class Migration20261121101800 extends Migration {
  override name = 'Migration20261121101800';

  override up(): void {
    this.addSql(
      `do $$ begin
         create collation unicode_case (provider = builtin, locale = 'PG_UNICODE_FAST');
       exception when others then
         create collation unicode_case (provider = icu, locale = 'und');
       end $$`,
    );
  }

  override down(): void {
    this.addSql('drop collation unicode_case');
  }
}
