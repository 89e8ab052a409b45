/** What migrations make of a database, as one text. */

/** SQL: all that migrations make, in the order of its lines. */
export const fingerprint = `select string_agg(line, E'\\n' order by line) as text from (
  select concat_ws(' ', 'column', attrelid::regclass, row_number() over (partition by attrelid order by attnum), attname,
      format_type(atttypid, atttypmod), case when attnotnull then 'not null' end, pg_get_expr(adbin, adrelid), attidentity, attgenerated,
      nullif(attcollation, 0)::regcollation, col_description(attrelid, attnum)) as line
    from pg_attribute join pg_class on pg_class.oid = attrelid left join pg_attrdef on adrelid = attrelid and adnum = attnum
    where relnamespace = 'public'::regnamespace and relkind in ('r', 'v', 'S') and attnum > 0 and not attisdropped
  union all select concat_ws(' ', 'index', indexrelid::regclass, indisvalid, pg_get_indexdef(indexrelid))
    from pg_index where indrelid in (select oid from pg_class where relnamespace = 'public'::regnamespace)
  union all select concat_ws(' ', 'constraint', conrelid::regclass, conname, convalidated, pg_get_constraintdef(oid))
    from pg_constraint where connamespace = 'public'::regnamespace and contype <> 'n'
  union all select concat_ws(' ', 'function', oid::regprocedure, md5(pg_get_functiondef(oid)), obj_description(oid, 'pg_proc'))
    from pg_proc where pronamespace = 'public'::regnamespace and prokind = 'f'
  union all select concat_ws(' ', 'trigger', tgrelid::regclass, tgenabled, pg_get_triggerdef(oid)) from pg_trigger where not tgisinternal
  union all select concat_ws(' ', 'relation', relkind, relname, reloptions, relreplident, obj_description(oid, 'pg_class'))
    from pg_class where relnamespace = 'public'::regnamespace and relkind in ('r', 'v', 'S')
  union all select concat_ws(' ', 'view', viewname, definition) from pg_views where schemaname = 'public'
  union all select concat_ws(' ', 'collation', collname, collprovider) from pg_collation where collnamespace = 'public'::regnamespace
  union all select concat_ws(' ', 'number', sequencename, last_value) from pg_sequences where sequencename <> 'migrations_id_seq'
  union all select concat_ws(' ', 'version', version) from catalogue_version
  union all select concat_ws(' ', 'extension', extname) from pg_extension
  union all select concat_ws(' ', 'migration', name, count(*)) from migrations group by name
  union all select concat_ws(' ', 'scope', to_jsonb(access_scopes) - 'created_date') from access_scopes
  union all select concat_ws(' ', 'type', to_jsonb(access_scope_types) - 'created_date') from access_scope_types
  union all select concat_ws(' ', 'rows', (select count(*) from catalogue_version), (select count(*) from audit_events), (select count(*) from record_versions))
) made`;
