import { Migration } from '@mikro-orm/migrations';

export class Migration20261122055453 extends Migration {

  override name = 'Migration20261122055453';

  override up(): void | Promise<void> {
    this.addSql(`alter table "access_scope_types" add "managed_by" varchar(100) null;`);

    this.addSql(`alter table "access_scopes" add "managed_by" varchar(100) null;`);

    this.addSql(`alter table "applications" add "managed_by" varchar(100) null;`);

    this.addSql(`alter table "access_scope_type_applications_mappers" add "managed_by" varchar(100) null;`);

    this.addSql(`alter table "access_scope_applications_mappers" add "managed_by" varchar(100) null;`);

    this.addSql(`alter table "change_sets" add "managed_by" varchar(100) null;`);

    this.addSql(`alter table "profiles" add "managed_by" varchar(100) null;`);

    this.addSql(`alter table "roles" add "managed_by" varchar(100) null;`);

    this.addSql(`alter table "translations" add "managed_by" varchar(100) null;`);

    this.addSql(`alter table "user_profiles" add "managed_by" varchar(100) null;`);
  }

  override down(): void | Promise<void> {
    this.addSql(`alter table "access_scope_applications_mappers" drop column "managed_by";`);

    this.addSql(`alter table "access_scope_type_applications_mappers" drop column "managed_by";`);

    this.addSql(`alter table "access_scope_types" drop column "managed_by";`);

    this.addSql(`alter table "access_scopes" drop column "managed_by";`);

    this.addSql(`alter table "applications" drop column "managed_by";`);

    this.addSql(`alter table "change_sets" drop column "managed_by";`);

    this.addSql(`alter table "profiles" drop column "managed_by";`);

    this.addSql(`alter table "roles" drop column "managed_by";`);

    this.addSql(`alter table "translations" drop column "managed_by";`);

    this.addSql(`alter table "user_profiles" drop column "managed_by";`);
  }

}
