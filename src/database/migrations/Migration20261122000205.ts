import { Migration } from '@mikro-orm/migrations';

/** The audit events of a change set; the table is large and in use. */
export class Migration20261122000205 extends Migration {
  override name = 'Migration20261122000205';

  override isTransactional(): boolean {
    return false;
  }

  override up(): void {
    this.addSql('create index concurrently if not exists audit_events_change_set_id_index on audit_events (change_set_id)');
  }

  override down(): void {
    this.addSql('drop index concurrently audit_events_change_set_id_index');
  }
}
