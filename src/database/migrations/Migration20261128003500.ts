import { Migration } from '@mikro-orm/migrations';

/** A plan for any change set reads the whole history when most of it belongs to few sets, as after a large import. */
export class Migration20261128003500 extends Migration {

  override name = 'Migration20261128003500';

  override up(): void | Promise<void> {
    this.addSql(`alter function change_set_commits() set plan_cache_mode = force_custom_plan;`);
  }

  override down(): void | Promise<void> {
    this.addSql(`alter function change_set_commits() reset plan_cache_mode;`);
  }

}
