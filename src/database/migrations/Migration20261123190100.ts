import { Migration } from '@mikro-orm/migrations';

/** Finds what ends: the few assignments and links with an end, by their times. The tables are in use. */
export class Migration20261123190100 extends Migration {
  override name = 'Migration20261123190100';

  override isTransactional(): boolean {
    return false;
  }

  override up(): void {
    for (const [name, what] of indexes) {
      // one that an earlier attempt left half-built is of no use
      this.addSql(`drop index concurrently if exists ${name}`);
      this.addSql(`create index concurrently ${name} on ${what}`);
    }
  }

  override down(): void {
    for (const [name] of indexes) this.addSql(`drop index concurrently ${name}`);
  }
}

const indexes: [name: string, what: string][] = [
  ['user_profiles_valid_until_index', 'user_profiles (valid_until) where valid_until is not null'],
  ['profile_access_scopes_valid_until_index', 'profile_access_scopes (valid_until) where valid_until is not null'],
];
