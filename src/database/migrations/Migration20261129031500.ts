import { Migration } from '@mikro-orm/migrations';

/**
 * SCIM compares names of groups in one Unicode form and case, so those of two profiles differ in it, too. Such profiles may exist
 * already: then they stay, and only what changes a single profile keeps a third one from the name.
 */
export class Migration20261129031500 extends Migration {

  override name = 'Migration20261129031500';

  override up(): void {
    this.addSql(`do $do$ begin
      create unique index "profiles_external_group_key_unique" on "profiles" (lower(normalize(external_group, NFKC)))
        where external_group is not null;
    exception when unique_violation then
      raise notice 'Some profiles have an external_group that differs only in case or Unicode form.';
    end $do$;`);
  }

  override down(): void {
    this.addSql(`drop index if exists "profiles_external_group_key_unique";`);
  }

}
