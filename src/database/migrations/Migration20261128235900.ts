import { Migration } from '@mikro-orm/migrations';

/** What becomes of a scheduled proposal is an event too. */
export class Migration20261128235900 extends Migration {

  override name = 'Migration20261128235900';

  override up(): void | Promise<void> {
    this.addSql(trigger("old.state in ('OPEN', 'SCHEDULED') and new.state <> old.state"));
  }

  override down(): void | Promise<void> {
    this.addSql(trigger("old.state = 'OPEN' and new.state <> 'OPEN'"));
  }

}

const trigger = (condition: string): string =>
  `create or replace trigger note_decision after update of state on proposals for each row when (${condition}) execute function note_proposal()`;
