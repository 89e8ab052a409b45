import { Migration } from '@mikro-orm/migrations';

/** What the entities can't say: storage of the token records, the one catalogue version, the reserved administration scopes. */
export class Migration20261121090600 extends Migration {
  override name = 'Migration20261121090600';

  override up(): void {
    // each renewal rewrites its row: leave room, and clean up early
    this.addSql('alter table tokens set (fillfactor = 80, autovacuum_vacuum_scale_factor = 0.02, autovacuum_vacuum_threshold = 1000)');
    this.addSql('insert into catalogue_version (version) values (1)');
    const system = "'00000000-0000-0000-0000-000000000001'";
    this.addSql(
      `insert into access_scope_types (access_scope_type_guid, name, description, created_by) values ('ad300000-0000-4000-8000-000000000000', 'admin', 'Administration of Gatehouse; reserved.', ${system})`,
    );
    this.addSql(
      `insert into access_scopes (access_scope_guid, name, access_scope_key, access_scope_type_id, created_by)
       select scope.guid::uuid, scope.name, scope.key, access_scope_type_id, ${system} from access_scope_types,
         (values ('ad300000-0000-4000-8000-000000000001', 'Administration: read', 'read'),
                 ('ad300000-0000-4000-8000-000000000002', 'Administration: write', 'write'),
                 ('ad300000-0000-4000-8000-000000000003', 'Administration: security', 'security')) as scope (guid, name, key)
       where access_scope_types.name = 'admin'`,
    );
  }
}
