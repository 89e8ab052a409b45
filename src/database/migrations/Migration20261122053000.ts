import { Migration } from '@mikro-orm/migrations';

/**
 * The words of names, keys, ids and e-mail addresses, for the search; what services/search/words.ts asks with, letter for
 * letter. Without a list of pending entries, which every search would read. And the trace ids of change sets. The tables
 * are in use.
 */
export class Migration20261122053000 extends Migration {
  override name = 'Migration20261122053000';

  override isTransactional(): boolean {
    return false;
  }

  override up(): void {
    for (const [table, columns] of words) this.build(`${table}_words_index`, `${table} using gin (${wordsOf(columns)}) with (fastupdate = off)`);
    this.build('change_sets_trace_id_index', 'change_sets (trace_id)');
  }

  override down(): void {
    for (const [table] of words) this.addSql(`drop index concurrently ${table}_words_index`);
    this.addSql('drop index concurrently change_sets_trace_id_index');
  }

  /** One that an earlier attempt left half-built is of no use. */
  private build(name: string, what: string): void {
    this.addSql(`drop index concurrently if exists ${name}`);
    this.addSql(`create index concurrently ${name} on ${what}`);
  }
}

const words: [table: string, columns: string[]][] = [
  ['applications', ['name']],
  ['users', ['first_name', 'last_name', 'email', 'idpid']],
  ['profiles', ['name', 'profile_id']],
  ['access_scopes', ['name', 'access_scope_key']],
  ['clients', ['name', 'client_id']],
];

const separators = String.raw`'[\s!-/:-@\[-\u0060{-~]+'`;

const wordsOf = (columns: string[]): string =>
  `array_to_tsvector(array_remove(regexp_split_to_array(lower(${columns.map((column) => `coalesce(${column}, '')`).join(" || ' ' || ")}), ${separators}), ''))`;
