import { Migration } from '@mikro-orm/migrations';

/**
 * Searches fold more letters, such as ß and æ, and the words of the palette too: what services/read/foldedText.ts and
 * services/search/search.ts ask with, letter for letter (docs/decisions/0048). The indexes of the version before stay until
 * `migrate --finish`; an empty database needs none of them.
 */
export class Migration20261127060000 extends Migration {

  override name = 'Migration20261127060000';

  override isTransactional(): boolean {
    return false;
  }

  override up(): void {
    this.addSql(`create or replace function fold_text(source text) returns text language plpgsql immutable strict parallel safe as $do$
      declare
        folded text;
      begin
        if octet_length(source) = length(source) then
          return lower(source);
        end if;
        folded := lower(regexp_replace(normalize(source, NFKD), '[\\u0300-\\u036f]', '', 'g'));
        if octet_length(folded) = length(folded) then
          return folded;
        end if;
        folded := translate(folded, 'ẞÆŒÞøØłŁđĐðÐıħĦŧŦŋŊĸəƏςΣƀɃɓƁƈƇȼȻɖƉɗƊɇɆǥǤɠƓɨƗɉɈƙƘƚȽɲƝɵƟɍɌⱦȾʉɄɏɎƴƳƶƵȥȤⱥȺ', 'ßæœþoollddddihhttnnkeeσσbbbbccccddddeeggggiijjkkllnnoorrttuuyyyyzzzzaa');
        return replace(replace(replace(replace(folded, 'ß', 'ss'), 'æ', 'ae'), 'œ', 'oe'), 'þ', 'th');
      end $do$;`);
    this.addSql(`comment on function fold_text(text) is 'The text as searches compare it: without accents, in lower case, letters such as ß as two.';`);
    for (const [table, columns] of words) {
      // one that an earlier attempt left half-built is of no use
      this.addSql(`drop index concurrently if exists "${table}_folded_words_index";`);
      this.addSql(`create index concurrently "${table}_folded_words_index" on "${table}" using gin (${wordsOf(columns)}) with (${optionsOf(table)});`);
    }
    this.addSql(indexUserTexts('users_texts_index', `fold_text(${joined(userTexts)})`));
    this.addSql(`do $do$ begin
      perform set_config('lock_timeout', '500', true);
      perform index_user_texts();
      if not exists (select from "users") then
        drop index if exists ${['users_folded_text', ...words.map(([table]) => `${table}_words`)].map((name) => `"${name}_index"`).join(', ')};
      end if;
    end $do$;`);
  }

  override down(): void {
    for (const [table, columns] of words)
      this.addSql(`create index concurrently if not exists "${table}_words_index" on "${table}" using gin (${wordsBefore(columns)}) with (${optionsOf(table)});`);
    this.addSql(indexUserTexts('users_folded_text_index', foldedBefore(joined(userTexts))));
    this.addSql(`select index_user_texts();`);
    for (const [table] of words) this.addSql(`drop index concurrently if exists "${table}_folded_words_index";`);
    this.addSql(`drop index concurrently if exists "users_texts_index";`);
    this.addSql(`drop function if exists fold_text(text);`);
  }

}

const words: [table: string, columns: string[]][] = [
  ['applications', ['name']],
  ['users', ['first_name', 'last_name', 'email', 'idpid']],
  ['profiles', ['name', 'profile_id']],
  ['access_scopes', ['name', 'access_scope_key']],
  ['clients', ['name', 'client_id']],
];
const userTexts = ['first_name', 'last_name', 'email', 'idpid', 'department', 'job_title'];

const optionsOf = (table: string): string =>
  table === 'users' ? 'fastupdate = on, gin_pending_list_limit = 1024' : 'fastupdate = off';

const joined = (columns: string[]): string => columns.map((column) => `coalesce(${column}, '')`).join(" || ' ' || ");

/** The function that creates the index later, where the extension is refused now. */
const indexUserTexts = (index: string, expression: string): string => `create or replace function index_user_texts() returns void language plpgsql as $do$
      declare
        place text;
      begin
        begin
          create extension if not exists pg_trgm;
        exception when others then
          raise notice 'pg_trgm is not available, so a text search reads every user: %', sqlerrm;
        end;
        select n.nspname into place from pg_extension e join pg_namespace n on n.oid = e.extnamespace where e.extname = 'pg_trgm';
        if place is not null then
          execute format($sql$create index if not exists "${index}" on "users" using gin ((${expression}) %I.gin_trgm_ops) with (${optionsOf('users')})$sql$, place);
        end if;
      end $do$;`;

/** As the version before folds. */
const foldedBefore = (text: string): string =>
  `case when octet_length(${text}) = length(${text}) then lower(${text}) else translate(lower(regexp_replace(normalize(${text}, NFD), '[\\u0300-\\u036f]', '', 'g')), 'øłđıħŧ', 'oldiht') end`;

const separators = String.raw`'[\s!-/:-@\[-\u0060{-~]+'`;

const wordsOf = (columns: string[]): string =>
  `array_to_tsvector(array_remove(regexp_split_to_array(fold_text(${joined(columns)}), ${separators}), ''))`;

const wordsBefore = (columns: string[]): string =>
  `array_to_tsvector(array_remove(regexp_split_to_array(lower(${joined(columns)}), ${separators}), ''))`;
