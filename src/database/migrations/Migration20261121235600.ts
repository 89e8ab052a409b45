import { Migration } from '@mikro-orm/migrations';

/** Translation groups, with a number that tells whether somebody else changed their texts. */
export class Migration20261121235600 extends Migration {
  override name = 'Migration20261121235600';

  override up(): void {
    this.addSql(
      `create view translation_groups as
       select translation_group, ('x' || left(md5(string_agg(
         jsonb_build_array(field_name, language_code, translated_text)::text, ',' order by field_name collate "C", language_code collate "C")), 8)
       )::bit(31)::int as revision
       from translations group by translation_group`,
    );
  }

  override down(): void {
    this.addSql('drop view translation_groups');
  }
}
