import { Migration } from '@mikro-orm/migrations';

export class Migration20261125191148 extends Migration {

  override name = 'Migration20261125191148';

  override up(): void | Promise<void> {
    this.addSql(`comment on table "audit_events" is 'A change of a record: who made it, when, and to which fields.';`);

    this.addSql(`comment on table "console_sessions" is 'A session of a user who is signed in to the console.';`);
  }

  override down(): void | Promise<void> {
    this.addSql(`comment on table "audit_events" is 'A change of a record: who made it, when, and to which fields.';`);

    this.addSql(`comment on table "console_sessions" is 'A session of a user who is signed in to the console.';`);
  }

}
