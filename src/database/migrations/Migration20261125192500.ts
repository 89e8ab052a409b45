import { Migration } from '@mikro-orm/migrations';

/**
 * The search indexes of users collect new entries in a list of at most 1 MB before they sort them in (docs/decisions/0048). One by
 * one, the trigrams of 100,000 new users took most of the time of their import.
 */
export class Migration20261125192500 extends Migration {

  override name = 'Migration20261125192500';

  override up(): void | Promise<void> {
    this.addSql(`alter index "users_words_index" set (fastupdate = on, gin_pending_list_limit = 1024);`);
    this.addSql(`alter index if exists "users_folded_text_index" set (fastupdate = on, gin_pending_list_limit = 1024);`);
    this.addSql(replaced('fastupdate = off', 'fastupdate = on, gin_pending_list_limit = 1024'));
  }

  override down(): void | Promise<void> {
    this.addSql(replaced('fastupdate = on, gin_pending_list_limit = 1024', 'fastupdate = off'));
    this.addSql(`alter index if exists "users_folded_text_index" set (fastupdate = off), reset (gin_pending_list_limit);`);
    this.addSql(`alter index "users_words_index" set (fastupdate = off), reset (gin_pending_list_limit);`);
  }

}

/** The function that creates the index later, where the extension is refused now. */
const replaced = (before: string, after: string) =>
  `do $do$ begin execute replace(pg_get_functiondef('index_user_texts()'::regprocedure), '${before}', '${after}'); end $do$;`;
