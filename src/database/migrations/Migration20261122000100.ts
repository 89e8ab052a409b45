import { Migration } from '@mikro-orm/migrations';

/**
 * The reserved access scope type and access scopes leave the numbers 1 to 3 to those of an old catalogue. What refers to
 * them follows by the foreign keys. They take numbers past 2,000,000,000, which no import gives away; those below 0 would
 * be plainer, but the lists of the version before can't write them. A change that this one makes of a reserved record in the
 * very moment is refused by the revision or a foreign key, and works when it is made again.
 */
export class Migration20261122000100 extends Migration {
  override name = 'Migration20261122000100';

  override up(): void {
    this.addSql(
      `update access_scope_types set access_scope_type_id = 2147483601
       where access_scope_type_guid = 'ad300000-0000-4000-8000-000000000000'`,
    );
    this.addSql(
      `update access_scopes set access_scope_id = reserved.id
       from (values ('ad300000-0000-4000-8000-000000000001'::uuid, 2147483601),
                    ('ad300000-0000-4000-8000-000000000002'::uuid, 2147483602),
                    ('ad300000-0000-4000-8000-000000000003'::uuid, 2147483603)) as reserved (guid, id)
       where access_scope_guid = reserved.guid`,
    );
    // lists show the numbers
    this.addSql('update catalogue_version set version = version + 1');
  }

  override down(): void {
    // the numbers stay: the version before takes any
  }
}
