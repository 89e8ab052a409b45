import { Migration } from '@mikro-orm/migrations';

/**
 * What SCIM finds users by: their names, which are unique in an identity provider, and their order in lists. What
 * services/provisioning/users.ts asks with, letter for letter. The table is in use.
 */
export class Migration20261123153100 extends Migration {
  override name = 'Migration20261123153100';

  override isTransactional(): boolean {
    return false;
  }

  override up(): void {
    for (const [name, unique, what] of indexes) {
      // one that an earlier attempt left half-built is of no use
      this.addSql(`drop index concurrently if exists ${name}`);
      this.addSql(`create ${unique} index concurrently ${name} on ${what}`);
    }
  }

  override down(): void {
    for (const [name] of indexes) this.addSql(`drop index concurrently ${name}`);
  }
}

const indexes: [name: string, unique: '' | 'unique', what: string][] = [
  ['users_idpname_user_name_unique', 'unique', 'users (idpname, lower(user_name)) where user_name is not null'],
  ['users_idpname_shown_name_index', '', 'users (idpname, lower(coalesce(user_name, email, idpid, user_guid::text)))'],
  ['users_idpname_email_index', '', 'users (idpname, lower(email)) where user_name is not null'],
  ['user_profiles_managed_by_index', '', 'user_profiles (profile_id, managed_by, user_id) where managed_by is not null'],
];
