import { Migration } from '@mikro-orm/migrations';

export class Migration20261122084654 extends Migration {

  override name = 'Migration20261122084654';

  override up(): void | Promise<void> {
    this.addSql(`alter table "console_sessions" add "provider_session" text null;`);
    // allow index: there are as many sessions as administrators who are signed in
    this.addSql(`create index "console_sessions_provider_session_index" on "console_sessions" ("provider_session");`);
  }

  override down(): void | Promise<void> {
    this.addSql(`drop index "console_sessions_provider_session_index";`);
    this.addSql(`alter table "console_sessions" drop column "provider_session";`);
  }

}
