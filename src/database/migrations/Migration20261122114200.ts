import { Migration } from '@mikro-orm/migrations';

/**
 * Histories of a record with what belongs to it: versions by their owner, those of removed records too. What
 * services/history/parts.ts asks with, letter for letter. The table is in use.
 */
export class Migration20261122114200 extends Migration {
  override name = 'Migration20261122114200';

  override isTransactional(): boolean {
    return false;
  }

  override up(): void {
    for (const [column, tables] of owners) {
      const names = tables.map((table) => `'${table}'`).join(', ');
      // one that an earlier attempt left half-built is of no use
      this.addSql(`drop index concurrently if exists ${indexOf(column)}`);
      this.addSql(
        `create index concurrently ${indexOf(column)} on record_versions ((coalesce(after, before)->>'${column}'), record_version_id)
         where record_table in (${names})`,
      );
    }
  }

  override down(): void {
    for (const [column] of owners) this.addSql(`drop index concurrently ${indexOf(column)}`);
  }
}

const indexOf = (column: string): string => `record_versions_of_${column}_index`;

const owners: [column: string, tables: string[]][] = [
  ['application_id', ['access_scope_applications_mappers', 'access_scope_type_applications_mappers']],
  ['access_scope_id', ['access_scope_applications_mappers', 'profile_access_scopes']],
  ['access_scope_type_id', ['access_scope_type_applications_mappers']],
  ['profile_id', ['profile_access_scopes', 'user_profiles']],
  ['user_id', ['user_profiles']],
  ['translation_group', ['translations']],
];
