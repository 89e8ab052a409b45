import { Migration } from '@mikro-orm/migrations';

/**
 * Causes of events are read by the number of their transaction. A restored database has those of another cluster, which may be higher:
 * the first cause in a cluster, or the start of the delivery, adds the highest of them to all that follow.
 */
export class Migration20261129151014 extends Migration {

  override name = 'Migration20261129151014';

  override up(): void | Promise<void> {
    this.addSql(`alter table "event_readings" add "cluster_id" bigint null, add "added" bigint not null default 0;`);
    for (const statement of functions) this.addSql(statement);
    this.addSql(`update "event_readings" set "cluster_id" = event_cluster_id();`);
    this.addSql(`alter table "event_causes" alter column "transaction_id" set default event_transaction_id();`);
  }

  override down(): void | Promise<void> {
    this.addSql(`alter table "event_causes" alter column "transaction_id" set default (pg_current_xact_id()::text)::bigint;`);
    this.addSql(`drop function event_transaction_id, event_cluster_id;`);
    this.addSql(`alter table "event_readings" drop column "cluster_id", drop column "added";`);
  }

}

const functions = [
  // a standby that takes over keeps the identifier and the numbers; everybody may ask for it, unless the server does not let them
  `create function event_cluster_id() returns bigint language plpgsql as $$
   begin
     return (select system_identifier from pg_catalog.pg_control_system());
   exception when others then
     return null;
   end $$`,
  `create function event_transaction_id() returns bigint language plpgsql as $$
   declare
     here bigint := event_cluster_id();
     beyond bigint;
   begin
     select added into beyond from event_readings where here is null or cluster_id = here;
     if beyond is null then
       update event_readings set cluster_id = here,
         added = greatest(transaction_id, (select max(cause.transaction_id) from event_causes cause))
       where cluster_id is distinct from here;
       select added into beyond from event_readings;
     end if;
     return pg_current_xact_id()::text::bigint + beyond;
   end $$`,
];
