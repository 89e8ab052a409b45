import { Migration } from '@mikro-orm/migrations';

/**
 * Users are searched by parts of words: an index of the trigrams of their texts, as services/read/foldedText.ts folds them,
 * letter for letter. The extension pg_trgm is a trusted one, which the owner of a database may create; where that is
 * refused, each search reads every user, as the version before does (docs/decisions/0048).
 */
export class Migration20261124030100 extends Migration {

  override name = 'Migration20261124030100';

  override up(): void | Promise<void> {
    this.addSql(`create function index_user_texts() returns void language plpgsql as $do$
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
          execute format($sql$create index if not exists "users_folded_text_index" on "users" using gin ((${folded}) %I.gin_trgm_ops) with (fastupdate = off)$sql$, place);
        end if;
      end $do$;`);
    this.addSql(`comment on function index_user_texts() is 'Creates the index that text searches of users need, if the database has the extension pg_trgm or may create it.';`);
    this.addSql(`select index_user_texts();`);
  }

  override down(): void | Promise<void> {
    this.addSql(`drop index if exists "users_folded_text_index";`);
    this.addSql(`drop function if exists index_user_texts();`);
  }

}

const text = ['first_name', 'last_name', 'email', 'idpid', 'department', 'job_title']
  .map((column) => `coalesce(${column}, '')`)
  .join(" || ' ' || ");

const folded = `case when octet_length(${text}) = length(${text}) then lower(${text}) else translate(lower(regexp_replace(normalize(${text}, NFD), '[\\u0300-\\u036f]', '', 'g')), 'øłđıħŧ', 'oldiht') end`;
