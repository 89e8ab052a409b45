import { Migration } from '@mikro-orm/migrations';

/**
 * SCIM compares names of users in one Unicode form and case. What services/provisioning/users.ts asks with, letter for letter. Names
 * that differ only in their form may exist already: then the index is not unique, and both users are found. The unique index is
 * built in a transaction, because one that is built concurrently cannot be replaced by another if it fails; users are written again
 * a moment later.
 */
export class Migration20261127053000 extends Migration {

  override name = 'Migration20261127053000';

  override isTransactional(): boolean {
    return false;
  }

  override up(): void {
    this.addSql(`do $do$ begin
      perform set_config('lock_timeout', '500', true);
      create unique index if not exists "users_idpname_user_name_key_unique" ${named};
    exception when unique_violation then
      raise notice 'Some users of an identity provider have names that differ only in their Unicode form.';
      create index if not exists "users_idpname_user_name_key_index" ${named};
    end $do$;`);
    // one that an earlier attempt left half-built is of no use
    this.addSql(`drop index concurrently if exists "users_idpname_shown_name_key_index";`);
    this.addSql(`create index concurrently "users_idpname_shown_name_key_index" ${unnamed};`);
  }

  override down(): void {
    for (const name of ['user_name_key_unique', 'user_name_key_index', 'shown_name_key_index'])
      this.addSql(`drop index concurrently if exists "users_idpname_${name}";`);
  }

}

const named = 'on "users" (idpname, lower(normalize(user_name, NFKC))) where user_name is not null';
const unnamed =
  'on "users" (idpname, lower(normalize(coalesce(email, idpid, user_guid::text), NFKC))) where user_name is null';
