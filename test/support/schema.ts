/** What migrations make of a database, as one text. */

/** SQL: all that migrations make, in the order of its lines. */
export const fingerprint = `select string_agg(line, E'\\n' order by line) as text from (
  select concat_ws(' ', 'column', table_name, column_name, data_type, is_nullable, column_default, character_maximum_length) as line
    from information_schema.columns where table_schema = 'public'
  union all select concat_ws(' ', 'index', indexrelid::regclass, indisvalid, pg_get_indexdef(indexrelid))
    from pg_index where indrelid in (select oid from pg_class where relnamespace = 'public'::regnamespace)
  union all select concat_ws(' ', 'constraint', conrelid::regclass, conname, convalidated, pg_get_constraintdef(oid))
    from pg_constraint where connamespace = 'public'::regnamespace and contype <> 'n'
  union all select concat_ws(' ', 'function', proname, md5(prosrc)) from pg_proc where pronamespace = 'public'::regnamespace
  union all select concat_ws(' ', 'trigger', tgrelid::regclass, pg_get_triggerdef(oid)) from pg_trigger where not tgisinternal
  union all select concat_ws(' ', 'storage', relname, reloptions) from pg_class where relnamespace = 'public'::regnamespace and relkind = 'r'
  union all select concat_ws(' ', 'migration', name, count(*)) from migrations group by name
  union all select concat_ws(' ', 'rows', (select count(*) from catalogue_version), (select count(*) from access_scopes), (select count(*) from access_scope_types))
) made`;
