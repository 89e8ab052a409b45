import { Migration } from '@mikro-orm/migrations';

/**
 * A trigger makes a version and its change set in one transaction, and only change sets without versions are removed. So the
 * constraint refused nothing, and checking it for each version took a tenth of an import.
 */
export class Migration20261126081930 extends Migration {

  override name = 'Migration20261126081930';

  override up(): void | Promise<void> {
    this.addSql(`alter table "record_versions" drop constraint "record_versions_change_set_id_foreign";`);
  }

  override down(): void | Promise<void> {
    this.addSql(`alter table "record_versions" add constraint "record_versions_change_set_id_foreign" foreign key ("change_set_id") references "change_sets" ("change_set_id") on update cascade on delete cascade;`);
  }

}
