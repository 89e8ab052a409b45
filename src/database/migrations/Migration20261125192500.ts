import { Migration } from '@mikro-orm/migrations';

/**
 * The schema of 1.0.0-rc.1, which is the first that anybody installed. It has the name of the last migration of that version, so a
 * database of it counts this one as done (docs/upgrading.md). test/database/firstMigration.test.ts compares both.
 */
export class Migration20261125192500 extends Migration {

  override name = 'Migration20261125192500';

  override up(): void {
    for (const statement of [...functions, ...tables, ...reserved, ...indexes, ...triggers]) this.addSql(statement);
  }

}

// ── functions ──

const joined = (columns: readonly string[]): string => columns.map((column) => `coalesce(${column}, '')`).join(" || ' ' || ");

const userTexts = joined(['first_name', 'last_name', 'email', 'idpid', 'department', 'job_title']);

const foldedUserTexts = `case when octet_length(${userTexts}) = length(${userTexts}) then lower(${userTexts}) else translate(lower(regexp_replace(normalize(${userTexts}, NFD), '[\\u0300-\\u036f]', '', 'g')), 'øłđıħŧ', 'oldiht') end`;

/** Columns of users that neither a sign-in nor an import's memory writes. */
const personal = [
  'user_id', 'user_guid', 'salutation', 'title', 'first_name', 'last_name', 'idpname', 'idpid', 'telephone', 'email', 'status',
  'status_id', 'job_title', 'job_title_additional', 'job_title_id', 'department', 'language_preference', 'email_subscriptions',
  'notification_options', 'anbversion', 'anbacceptance_date', 'assigned_customer_support_guid', 'invited_by', 'invitation_date',
  'uipreferences', 'is_blocked', 'created_date', 'created_by', 'modified_date', 'modified_by', 'revision', 'user_name', 'deprovisioned_at',
];

const fieldName = (column: string): string =>
  column.replace(/_([a-z])/g, (_, letter: string) => letter.toUpperCase());
const personalChanges = personal
  .filter((column) => !/^(revision|modified_)/.test(column))
  .map((column) => `case when old.${column} is distinct from new.${column} then '${fieldName(column)}' end`);

const functions = [
  // by which `tolower` and `toupper` know all of Unicode: PostgreSQL 18's own, or ICU's on an older server
  `do $$ begin
     create collation unicode_case (provider = builtin, locale = 'PG_UNICODE_FAST');
   exception when others then
     create collation unicode_case (provider = icu, locale = 'und');
   end $$`,
  `create function change_author() returns uuid language sql stable as $$
         select coalesce((nullif(current_setting('gatehouse.change', true), '')::jsonb->>'actor')::uuid, '00000000-0000-0000-0000-000000000001')
       $$`,
  `create function current_change_set() returns bigint language plpgsql as $$
       declare
         id bigint := nullif(current_setting('gatehouse.change_set', true), '')::bigint;
         told jsonb := coalesce(nullif(current_setting('gatehouse.change', true), ''), '{}')::jsonb;
       begin
         if id is null then
           insert into change_sets (actor, face, note, trace_id, undoes_id) values (
             coalesce((told->>'actor')::uuid, '00000000-0000-0000-0000-000000000001'), coalesce(told->>'face', 'sql'),
             told->>'note', told->>'traceId', (told->>'undoesId')::bigint
           ) returning change_set_id into id;
           perform set_config('gatehouse.change_set', id::text, true);
         end if;
         return id;
       end $$`,
  `create function kept_columns(version jsonb, names text) returns jsonb language sql immutable as $$
         select case when names is null then version else
           (select jsonb_object_agg(key, value) from jsonb_each(version) where key = any(string_to_array(names, ','))) end
       $$`,
  `create function catalogue_version_nonce() returns trigger language plpgsql as $$
       begin
         new.nonce := gen_random_uuid();
         return new;
       end $$`,
  `create function change_past_service() returns trigger language plpgsql as $$
       begin
         perform current_change_set();
         return null;
       end $$`,
  `create function change_set_commits() returns trigger language plpgsql as $$
   begin
     if new.face = 'sql' or exists (select from record_versions where change_set_id = new.change_set_id) or exists (
           select from audit_events where change_set_id = new.change_set_id and action in ('create', 'update', 'delete')) then
       update catalogue_version set version = version + 1 where xmin <> pg_current_xact_id()::xid;
     end if;
     update change_sets set occurred_at = clock_timestamp(),
       catalogue_version = (select version || '.' || nonce from catalogue_version)
     where change_set_id = new.change_set_id;
     return null;
   end $$`,
  `create function changed_fields(columns text[], before jsonb, after jsonb) returns jsonb language plpgsql immutable as $$
       begin
         return (select jsonb_agg(lower(left(name, 1)) || substr(name, 2) order by place) from (
           select place, replace(initcap(own), '_', '') as name from unnest(columns) with ordinality its(own, place)
           where before->own is distinct from after->own) changed);
       end $$`,
  `create function delete_tokens_of_users() returns trigger language plpgsql as $$
      begin
        delete from tokens using gone where tokens.user_id = gone.user_guid;
        return null;
      end $$`,
  `create function stamp_change() returns trigger language plpgsql as $$
       declare
         said jsonb := nullif(current_setting('gatehouse.change', true), '')::jsonb;
         last integer := old.revision;
         brought_date timestamptz;
         brought_by uuid;
       begin
         if said->'stamps' is null then return new; end if;
         if said->>'stamps' = 'brought' then
           brought_date := new.modified_date;
           brought_by := new.modified_by;
           new.modified_date := coalesce(brought_date, old.modified_date);
           new.modified_by := coalesce(brought_by, old.modified_by);
         end if;
         old.revision := new.revision;
         if tg_table_name = 'users' then
           old.last_login_date := new.last_login_date;
           old.imported_is_blocked := new.imported_is_blocked;
         end if;
         if old is distinct from new then
           new.revision := last + 1;
           new.modified_date := coalesce(brought_date, now());
           new.modified_by := coalesce(brought_by, change_author());
         end if;
         return new;
       end $$`,
  `create function write_audit_events() returns trigger language plpgsql as $$
       declare
         said jsonb := nullif(current_setting('gatehouse.change', true), '')::jsonb;
         of_table text;
         subject text;
         author uuid;
         columns text[];
         names text[];
       begin
         if said->'stamps' is null then return null; end if;
         select record_table into of_table from new_versions limit 1;
         if of_table is null then return null; end if;
         subject := rtrim(replace(initcap(of_table), '_', ''), 's');
         author := change_author();
         if not exists (select from new_versions where before is not null) then
           insert into audit_events (actor, trace_id, change_set_id, action, subject_type, subject_id)
           select author, said->>'traceId', change_set_id, 'create', subject, record_key from new_versions order by record_version_id;
           return null;
         end if;
         select array_agg(attname::text order by attnum),
           array_agg(lower(left(name, 1)) || substr(name, 2) order by attnum) into columns, names
         from (select attname, attnum, replace(initcap(attname), '_', '') as name from pg_attribute
           where attrelid = of_table::regclass and attnum > 0 and not attisdropped
             and attname <> all('{revision,modified_date,modified_by}')) its;
         insert into audit_events (actor, trace_id, change_set_id, action, subject_type, subject_id, detail)
         select author, said->>'traceId', change_set_id, action, subject, record_key,
           case when action = 'update' then jsonb_build_object('fields', fields) end
         from (
           select version.*, case when before is null then 'create' when after is null then 'delete' else 'update' end as action,
             case when before is not null and after is not null and of_table <> 'users' then (
               select jsonb_agg(name order by place) from unnest(columns, names) with ordinality its(own, name, place)
               where before->own is distinct from after->own) end as fields
           from new_versions version offset 0) changes
         where case action when 'update' then fields is not null when 'create' then true else
           of_table not in ('profile_access_scopes', 'user_profiles', 'access_scope_applications_mappers', 'access_scope_type_applications_mappers')
           or (before->'profile_id' is null or exists (select from profiles where profile_id = before->>'profile_id'))
           and (before->'user_id' is null or exists (select from users where user_id = (before->>'user_id')::int))
           and (before->'application_id' is null or exists (select from applications where application_id = (before->>'application_id')::int))
           and (before->'access_scope_id' is null or exists (select from access_scopes where access_scope_id = (before->>'access_scope_id')::int))
           and (before->'access_scope_type_id' is null or exists (select from access_scope_types where access_scope_type_id = (before->>'access_scope_type_id')::int))
         end
         order by record_version_id;
         return null;
       end $$`,
  `create function write_version_of_user() returns trigger language plpgsql as $$
       begin
         insert into record_versions (change_set_id, record_table, record_key, before, after) values (
           current_change_set(), 'users', new.user_guid,
           kept_columns(to_jsonb(old), tg_argv[1]), kept_columns(to_jsonb(new), tg_argv[1]));
         return null;
       end $$`,
  `create function write_versions_delete() returns trigger language plpgsql as $_$
         declare id bigint;
         begin
           if not exists (select from old_rows) then return null; end if;
           id := current_change_set();
           if tg_argv[1] is null then
             insert into record_versions (change_set_id, record_table, record_key, before)
             select id, tg_table_name, version->>tg_argv[0], version
             from (select to_jsonb(whole) as version from old_rows whole offset 0) versions;
           else
             -- the arguments of a trigger are fixed: a list of columns
             execute format(
               'insert into record_versions (change_set_id, record_table, record_key, before)
                select $1, $2, version->>$3, version from (select to_jsonb(kept) as version from (select %s from old_rows) kept offset 0) versions',
               tg_argv[1])
             using id, tg_table_name, tg_argv[0];
           end if;
           return null;
         end $_$`,
  `create function write_versions_insert() returns trigger language plpgsql as $_$
         declare id bigint;
         begin
           if not exists (select from new_rows) then return null; end if;
           id := current_change_set();
           if tg_argv[1] is null then
             insert into record_versions (change_set_id, record_table, record_key, after)
             select id, tg_table_name, version->>tg_argv[0], version
             from (select to_jsonb(whole) as version from new_rows whole offset 0) versions;
           else
             -- the arguments of a trigger are fixed: a list of columns
             execute format(
               'insert into record_versions (change_set_id, record_table, record_key, after)
                select $1, $2, version->>$3, version from (select to_jsonb(kept) as version from (select %s from new_rows) kept offset 0) versions',
               tg_argv[1])
             using id, tg_table_name, tg_argv[0];
           end if;
           return null;
         end $_$`,
  `create function write_versions_truncate() returns trigger language plpgsql as $_$
       begin
         execute format(
           'with change_set as materialized (select current_change_set() as id where exists (select from %1$s))
            insert into record_versions (change_set_id, record_table, record_key, before)
            select id, $1, version->>$2, version
            from change_set, (select kept_columns(to_jsonb(gone), $3) as version from %1$s gone) versions', tg_relid::regclass)
         using tg_table_name, tg_argv[0], tg_argv[1];
         return null;
       end $_$`,
  `create function write_versions_update() returns trigger language plpgsql as $_$
       begin
         if tg_argv[1] is null then
           with changed as materialized (
             select coalesce(was.version->>tg_argv[0], is_now.version->>tg_argv[0]) as key, was.version as before, is_now.version as after
             from (select to_jsonb(old_row) as version from old_rows old_row offset 0) was
             full join (select to_jsonb(new_row) as version from new_rows new_row offset 0) is_now
               on was.version->>tg_argv[0] = is_now.version->>tg_argv[0]
             where was.version is distinct from is_now.version),
           change_set as materialized (select current_change_set() as id where exists (select from changed))
           insert into record_versions (change_set_id, record_table, record_key, before, after)
           select id, tg_table_name, key, before, after from change_set, changed;
         else
           -- the arguments of a trigger are fixed: a list of columns
           execute format(
             'with changed as materialized (
                select coalesce(was.version->>$2, is_now.version->>$2) as key, was.version as before, is_now.version as after
                from (select to_jsonb(kept) as version from (select %1$s from old_rows) kept offset 0) was
                full join (select to_jsonb(kept) as version from (select %1$s from new_rows) kept offset 0) is_now
                  on was.version->>$2 = is_now.version->>$2
                where was.version is distinct from is_now.version),
              change_set as materialized (select current_change_set() as id where exists (select from changed))
              insert into record_versions (change_set_id, record_table, record_key, before, after)
              select id, $1, key, before, after from change_set, changed',
             tg_argv[1])
           using tg_table_name, tg_argv[0];
         end if;
         return null;
       end $_$`,
  `create function write_audit_event_of_user() returns trigger language plpgsql as $$
     declare
       said jsonb := nullif(current_setting('gatehouse.change', true), '')::jsonb;
       fields text[];
     begin
       if said->'stamps' is null then return null; end if;
       fields := array_remove(array[${personalChanges.join(', ')}], null);
       if fields <> '{}' then
         insert into audit_events (actor, trace_id, change_set_id, action, subject_type, subject_id, detail)
         values (change_author(), said->>'traceId', current_change_set(), 'update', 'User', new.user_guid, jsonb_build_object('fields', fields));
       end if;
       return null;
     end $$`,
  `create function index_user_texts() returns void language plpgsql as $do$
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
          execute format($sql$create index if not exists "users_folded_text_index" on "users" using gin ((${foldedUserTexts}) %I.gin_trgm_ops) with (fastupdate = on, gin_pending_list_limit = 1024)$sql$, place);
        end if;
      end $do$`,
  `comment on function index_user_texts() is 'Creates the index that text searches of users need, if the database has the extension pg_trgm or may create it.'`,
];

// ── tables ──

const tables = [
  `create table access_scope_types (
     access_scope_type_id integer generated by default as identity,
     access_scope_type_guid uuid not null default gen_random_uuid(),
     name varchar(255) not null,
     description varchar(255),
     translation_group varchar(50),
     is_active boolean not null default true,
     created_date timestamptz(3) not null default now(),
     created_by uuid not null default change_author(),
     modified_date timestamptz(3),
     modified_by uuid,
     revision integer not null default 1,
     managed_by varchar(100),
     primary key (access_scope_type_id),
     constraint access_scope_types_access_scope_type_guid_unique unique (access_scope_type_guid),
     constraint access_scope_types_name_unique unique (name)
   )`,
  `comment on table access_scope_types is 'A kind of access scope: the part before the colon of an entry of the \`scopes\` claim.'`,
  `create table access_scopes (
     access_scope_id integer generated by default as identity,
     access_scope_guid uuid not null default gen_random_uuid(),
     name varchar(255) not null,
     access_scope_key varchar(255),
     concrete_id integer,
     description varchar(255),
     translation_group varchar(50),
     is_wildcard boolean not null default false,
     is_active boolean not null default true,
     created_date timestamptz(3) not null default now(),
     created_by uuid not null default change_author(),
     modified_date timestamptz(3),
     modified_by uuid,
     revision integer not null default 1,
     access_scope_type_id integer not null,
     managed_by varchar(100),
     primary key (access_scope_id),
     constraint access_scopes_access_scope_guid_unique unique (access_scope_guid),
     constraint access_scopes_access_scope_type_id_foreign foreign key (access_scope_type_id) references access_scope_types(access_scope_type_id) on update cascade on delete restrict
   )`,
  `comment on table access_scopes is 'Something a profile may reach: an entry of the \`scopes\` claim.'`,
  `create table applications (
     application_id integer generated by default as identity,
     application_guid uuid not null default gen_random_uuid(),
     name varchar(255) not null,
     description varchar(255),
     icon_default varchar(512) not null,
     icon_hover varchar(512) not null,
     app_type varchar(50) not null,
     rendering_mode varchar(50) not null,
     link_type varchar(50) not null,
     global_external_link varchar(512),
     translation_group varchar(50),
     is_token_exchange_required boolean,
     is_iframe boolean,
     is_active boolean not null default true,
     created_date timestamptz(3) not null default now(),
     created_by uuid not null default change_author(),
     modified_date timestamptz(3),
     modified_by uuid,
     revision integer not null default 1,
     managed_by varchar(100),
     owner_profile_id varchar(50),
     is_requestable boolean not null default false,
     primary key (application_id),
     constraint applications_application_guid_unique unique (application_guid)
   )`,
  `comment on table applications is 'An application of the catalogue.'`,
  `create table access_scope_applications_mappers (
     access_scope_applications_mapper_id integer generated by default as identity,
     state varchar(50) not null default 'active',
     individual_external_link varchar(512),
     created_date timestamptz(3) not null default now(),
     created_by uuid not null default change_author(),
     modified_date timestamptz(3),
     modified_by uuid,
     revision integer not null default 1,
     access_scope_id integer not null,
     application_id integer not null,
     managed_by varchar(100),
     primary key (access_scope_applications_mapper_id),
     constraint access_scope_applications_mappers_application_id__c6a4d_unique unique (application_id, access_scope_id),
     constraint access_scope_applications_mappers_access_scope_id_foreign foreign key (access_scope_id) references access_scopes(access_scope_id) on update cascade on delete cascade,
     constraint access_scope_applications_mappers_application_id_foreign foreign key (application_id) references applications(application_id) on update cascade on delete cascade
   )`,
  `comment on table access_scope_applications_mappers is 'A mapping: the access scope opens the application.'`,
  `create table access_scope_type_applications_mappers (
     access_scope_type_applications_mapper_id integer generated by default as identity,
     state varchar(50) not null default 'active',
     created_date timestamptz(3) not null default now(),
     created_by uuid not null default change_author(),
     modified_date timestamptz(3),
     modified_by uuid,
     revision integer not null default 1,
     access_scope_type_id integer not null,
     application_id integer not null,
     managed_by varchar(100),
     primary key (access_scope_type_applications_mapper_id),
     constraint access_scope_type_applications_mappers_applicatio_a6e34_unique unique (application_id, access_scope_type_id),
     constraint access_scope_type_applications_mappers_access_sc_122ec_foreign foreign key (access_scope_type_id) references access_scope_types(access_scope_type_id) on update cascade on delete cascade,
     constraint access_scope_type_applications_mappers_application_id_foreign foreign key (application_id) references applications(application_id) on update cascade on delete cascade
   )`,
  `comment on table access_scope_type_applications_mappers is 'A mapping: every access scope of the type opens the application.'`,
  `create table audit_events (
     audit_event_id bigint generated by default as identity,
     occurred_at timestamptz(3) not null default now(),
     actor uuid not null,
     action varchar(50) not null,
     subject_type varchar(100) not null,
     subject_id varchar(255) not null,
     detail jsonb,
     trace_id varchar(64),
     change_set_id bigint,
     primary key (audit_event_id)
   )`,
  `comment on table audit_events is 'A change of a record: who made it, when, and to which fields.'`,
  `create table catalogue_version (
     version bigint generated by default as identity,
     is_only boolean not null default true,
     nonce uuid not null default gen_random_uuid(),
     primary key (version),
     constraint catalogue_version_is_only_unique unique (is_only)
   )`,
  `comment on table catalogue_version is 'One row, raised by each administrative change.'`,
  `create table change_sets (
     change_set_id bigint generated by default as identity,
     change_set_guid uuid not null default gen_random_uuid(),
     occurred_at timestamptz(3) not null default now(),
     actor uuid not null,
     face varchar(20) not null,
     note varchar(1000),
     trace_id varchar(64),
     catalogue_version varchar(100) not null default '',
     undoes_id bigint,
     managed_by varchar(100),
     is_unapproved boolean not null default false,
     primary key (change_set_id),
     constraint change_sets_change_set_guid_unique unique (change_set_guid)
   )`,
  `comment on table change_sets is 'What one request changed, all or nothing.'`,
  `create table clients (
     client_id varchar(100) not null,
     client_secret varchar(512) not null,
     previous_secret varchar(512),
     previous_secret_ends_at timestamptz(3),
     name varchar(255) not null,
     description text,
     created_at timestamptz(3) not null default now(),
     is_active boolean not null default true,
     secret_last_used_at timestamptz(3),
     previous_secret_last_used_at timestamptz(3),
     revision integer not null default 1,
     imported_secret varchar(64),
     imported_is_active boolean,
     allowed_audiences varchar(1000),
     jwks varchar(16384),
     jwks_uri varchar(2000),
     dpop_required boolean not null default false,
     policy varchar(20),
     keys_last_used_at timestamptz(3),
     may_evaluate boolean not null default false,
     primary key (client_id)
   )`,
  `comment on table clients is 'A client application that may ask for tokens.'`,
  `create table console_sessions (
     session_hash bytea not null,
     user_guid uuid not null,
     profile_id varchar(50) not null,
     issuer text not null,
     created_at timestamptz(3) not null default now(),
     seen_at timestamptz(3) not null default now(),
     authenticated_at timestamptz(3),
     ends_at timestamptz(3) not null,
     provider_session text,
     primary key (session_hash)
   )`,
  `comment on table console_sessions is 'A session of a user who is signed in to the console.'`,
  `create table housekeeping_runs (
     task varchar(50) not null,
     finished_at timestamptz(3) not null,
     removed bigint not null default 0,
     primary key (task)
   )`,
  `comment on table housekeeping_runs is 'When each task of the housekeeping was last done.'`,
  `create table id_token_uses (
     use_hash varchar(50) not null,
     ends_at timestamptz(3) not null,
     primary key (use_hash)
   )`,
  `comment on table id_token_uses is 'An exchange of an ID token for a profile; kept until the token expires.'`,
  `create table policy_verdicts (
     policy_verdict_id bigint generated by default as identity,
     client_id varchar(100) not null,
     operation varchar(50) not null,
     verdict varchar(50) not null,
     first_seen_at timestamptz(3) not null,
     last_seen_at timestamptz(3) not null,
     count bigint not null,
     primary key (policy_verdict_id),
     constraint policy_verdicts_client_id_operation_verdict_unique unique (client_id, operation, verdict)
   )`,
  `comment on table policy_verdicts is 'Whether the hardened policy would have refused requests that the documented policy answered.'`,
  `create table profiles (
     profile_id varchar(50) not null,
     name varchar(255) not null,
     description varchar(255),
     created_date timestamptz(3) not null default now(),
     created_by uuid not null default change_author(),
     modified_date timestamptz(3),
     modified_by uuid,
     revision integer not null default 1,
     managed_by varchar(100),
     owner_profile_id varchar(50),
     external_group varchar(255),
     external_group_administers boolean not null default false,
     primary key (profile_id),
     constraint profiles_external_group_unique unique (external_group)
   )`,
  `comment on table profiles is 'What a token is issued for: its access scopes are the \`scopes\` claim.'`,
  `create table profile_access_scopes (
     profile_access_scope_id integer generated by default as identity,
     created_date timestamptz(3) not null default now(),
     created_by uuid not null default change_author(),
     modified_date timestamptz(3),
     modified_by uuid,
     revision integer not null default 1,
     profile_id varchar(50) not null,
     access_scope_id integer not null,
     valid_until timestamptz(3),
     primary key (profile_access_scope_id),
     constraint profile_access_scopes_profile_id_access_scope_id_unique unique (profile_id, access_scope_id),
     constraint profile_access_scopes_access_scope_id_foreign foreign key (access_scope_id) references access_scopes(access_scope_id) on update cascade on delete cascade,
     constraint profile_access_scopes_profile_id_foreign foreign key (profile_id) references profiles(profile_id) on update cascade on delete cascade
   )`,
  `comment on table profile_access_scopes is 'A link: the profile has the access scope.'`,
  `create table proposals (
     proposal_id bigint generated by default as identity,
     proposal_guid uuid not null default gen_random_uuid(),
     revision integer not null default 1,
     state varchar(20) not null default 'OPEN',
     title varchar(300) not null,
     proposed_by uuid not null,
     proposed_at timestamptz(3) not null default now(),
     note varchar(1000) not null,
     changes jsonb not null,
     permission varchar(20) not null,
     apply_at timestamptz(3),
     expires_at timestamptz(3) not null,
     decided_by uuid,
     decided_at timestamptz(3),
     decision_note varchar(1000),
     approved_with varchar(20),
     effect_hash bytea not null,
     proposed_counts jsonb not null,
     failure jsonb,
     change_set_guid uuid,
     subjects jsonb,
     requested_application_guid uuid,
     requested_until timestamptz(3),
     primary key (proposal_id),
     constraint proposals_change_set_guid_unique unique (change_set_guid),
     constraint proposals_proposal_guid_unique unique (proposal_guid)
   )`,
  `comment on table proposals is 'Changes that somebody proposed, with the decision of another person.'`,
  `create table provider_sessions (
     token_guid uuid not null,
     session_hash varchar(50) not null,
     primary key (token_guid)
   )`,
  `comment on table provider_sessions is 'Which session of an identity provider a token record comes from. Renewals never write it.'`,
  `create table provider_sign_outs (
     name_hash varchar(50) not null,
     issued_until timestamptz(3) not null,
     ends_at timestamptz(3) not null,
     primary key (name_hash)
   )`,
  `comment on table provider_sign_outs is 'A sign-out of a session or user by an identity provider; kept until earlier ID tokens are too old to be accepted.'`,
  `create table rate_limits (
     key varchar(255) not null,
     points integer not null default 0,
     expire bigint,
     primary key (key)
   )`,
  `comment on table rate_limits is 'Counts of failures that processes share.'`,
  `create table record_versions (
     record_version_id bigint generated by default as identity,
     record_table varchar(63) not null,
     record_key varchar(255) not null,
     before jsonb,
     after jsonb,
     change_set_id bigint not null,
     primary key (record_version_id),
     constraint record_versions_change_set_id_foreign foreign key (change_set_id) references change_sets(change_set_id) on update cascade on delete cascade
   )`,
  `comment on table record_versions is 'A change of the values of a record.'`,
  `create table refused_requests (
     refused_request_id bigint generated by default as identity,
     trace_id varchar(32) not null,
     occurred_at timestamptz(3) not null,
     endpoint varchar(50),
     "grant" varchar(50),
     client_id varchar(100),
     reason varchar(50) not null,
     detail varchar(500) not null,
     token_guid uuid,
     primary key (refused_request_id)
   )`,
  `comment on table refused_requests is 'A token request that was refused, and why.'`,
  `create table reviews (
     review_id bigint generated by default as identity,
     review_guid uuid not null default gen_random_uuid(),
     name varchar(200) not null,
     state varchar(20) not null default 'OPEN',
     undecided varchar(10) not null,
     due_at timestamptz(3) not null,
     note varchar(1000),
     filter jsonb not null,
     total integer not null,
     started_by uuid not null,
     started_at timestamptz(3) not null default now(),
     finished_by uuid,
     finished_at timestamptz(3),
     change_set_guid uuid,
     primary key (review_id),
     constraint reviews_change_set_guid_unique unique (change_set_guid),
     constraint reviews_review_guid_unique unique (review_guid)
   )`,
  `comment on table reviews is 'An access review: grants that their owners keep or end.'`,
  `create table review_items (
     review_item_id bigint generated by default as identity,
     item_guid uuid not null default gen_random_uuid(),
     kind varchar(20) not null,
     link_id integer not null,
     link_revision integer not null,
     user_guid uuid,
     user_name varchar(600),
     user_email varchar(320),
     department varchar(255),
     profile_id varchar(50) not null,
     profile_name varchar(255) not null,
     role_id varchar(50),
     access_scope_guid uuid,
     access_scope_name varchar(255),
     valid_until timestamptz(3),
     managed_by varchar(100),
     granted_by uuid not null,
     granted_at timestamptz(3) not null,
     last_used_at timestamptz(3),
     opens integer not null,
     is_unusual boolean not null,
     owner_profile_id varchar(50),
     decision varchar(10),
     until timestamptz(3),
     decision_note varchar(1000),
     decided_by uuid,
     decided_at timestamptz(3),
     outcome varchar(20),
     review_id bigint not null,
     primary key (review_item_id),
     constraint review_items_item_guid_unique unique (item_guid),
     constraint review_items_review_id_foreign foreign key (review_id) references reviews(review_id) on update cascade on delete cascade
   )`,
  `comment on table review_items is 'A grant of an access review as it was when the review started, with the decision about it.'`,
  `create table roles (
     role_id varchar(50) not null,
     name varchar(255) not null,
     description varchar(255),
     created_date timestamptz(3) not null default now(),
     created_by uuid not null default change_author(),
     modified_date timestamptz(3),
     modified_by uuid,
     revision integer not null default 1,
     managed_by varchar(100),
     primary key (role_id)
   )`,
  `comment on table roles is 'The role of a user in a profile: the \`roleId\` claim.'`,
  `create table connectors (
     connector_id varchar(50) not null,
     connector_guid uuid not null default gen_random_uuid(),
     idpname varchar(255) not null,
     client_id varchar(100),
     token_hash bytea not null,
     previous_token_hash bytea,
     previous_token_ends_at timestamptz(3),
     is_revoked boolean not null default false,
     created_at timestamptz(3) not null default now(),
     last_used_at timestamptz(3),
     revision integer not null default 1,
     role_id varchar(50) not null,
     primary key (connector_id),
     constraint connectors_connector_guid_unique unique (connector_guid),
     constraint connectors_previous_token_hash_unique unique (previous_token_hash),
     constraint connectors_token_hash_unique unique (token_hash),
     constraint connectors_role_id_foreign foreign key (role_id) references roles(role_id) on update cascade on delete restrict
   )`,
  `comment on table connectors is 'A connector: an identity provider that provisions its people and their groups by SCIM.'`,
  `create table signing_keys (
     kid varchar(100) not null,
     alg varchar(20) not null,
     state varchar(20) not null,
     public_jwk jsonb,
     private_ciphertext bytea not null,
     created_at timestamptz(3) not null default now(),
     activated_at timestamptz(3),
     retired_at timestamptz(3),
     primary key (kid)
   )`,
  `comment on table signing_keys is 'A key that signs tokens.'`,
  `create table single_uses (
     use_hash varchar(50) not null,
     ends_at timestamptz(3) not null,
     primary key (use_hash)
   )`,
  `comment on table single_uses is 'A value that may be used once and was used; kept until it expires.'`,
  `create table tokens (
     id bigint generated by default as identity,
     token_guid uuid not null default gen_random_uuid(),
     generation integer not null default 0,
     profile_id varchar(50) not null,
     token bytea not null,
     token_type varchar(50) not null default 'refresh',
     created_at timestamptz(3) not null,
     expires_at timestamptz(3) not null,
     revoked_at timestamptz(3),
     is_revoked boolean not null default false,
     client_id varchar(100),
     created_by_ip varchar(45),
     revoked_by_ip varchar(45),
     started_at timestamptz(3) not null default now(),
     user_id uuid not null,
     revoked_by varchar(120),
     renewal_key bytea,
     audience text,
     scope text,
     jkt varchar(43),
     issuer text,
     primary key (id),
     constraint tokens_token_guid_unique unique (token_guid)
   ) with (fillfactor=80, autovacuum_vacuum_scale_factor=0.02, autovacuum_vacuum_threshold=1000)`,
  `comment on table tokens is 'The record of a renewal token, or of an access token of \`gatehouse admin-token\`.'`,
  `create table translations (
     translation_id integer generated by default as identity,
     translation_group varchar(50) not null,
     field_name varchar(50) not null,
     language_code varchar(35) not null,
     translated_text text not null,
     managed_by varchar(100),
     primary key (translation_id),
     constraint translations_translation_group_field_name_language_code_unique unique (translation_group, field_name, language_code)
   )`,
  `comment on table translations is 'A text of a translation group in one language.'`,
  `create table tried_changes (
     effect_id varchar(36) not null,
     actor uuid not null,
     changes jsonb not null,
     ends_at timestamptz(3) not null,
     primary key (effect_id)
   )`,
  `comment on table tried_changes is 'Changes of a dry run whose effect is being read.'`,
  `create table usages (
     usage_id bigint generated by default as identity,
     client_id varchar(100) not null,
     caller varchar(50) not null,
     operation varchar(100) not null,
     option varchar(100) not null,
     media_type varchar(100) not null,
     product varchar(100) not null,
     first_seen_at timestamptz(3) not null,
     last_seen_at timestamptz(3) not null,
     count bigint not null,
     brownouts bigint not null,
     primary key (usage_id),
     constraint usages_client_id_caller_operation_option_media_ty_112b5_unique unique (client_id, caller, operation, option, media_type, product)
   )`,
  `comment on table usages is 'Who uses which operation how, since when and how often.'`,
  `create table users (
     user_id integer generated by default as identity,
     user_guid uuid not null default gen_random_uuid(),
     salutation varchar(50),
     title varchar(50),
     first_name varchar(255),
     last_name varchar(255),
     idpname varchar(255),
     idpid varchar(255),
     telephone varchar(50),
     email varchar(320),
     status varchar(50),
     status_id integer,
     last_login_date timestamptz(3),
     job_title varchar(255),
     job_title_additional varchar(255),
     job_title_id integer,
     department varchar(255),
     language_preference varchar(35),
     email_subscriptions text,
     notification_options text,
     anbversion varchar(50),
     anbacceptance_date timestamptz(3),
     assigned_customer_support_guid uuid,
     invited_by uuid,
     invitation_date timestamptz(3),
     uipreferences text,
     is_blocked boolean not null default false,
     created_date timestamptz(3) not null default now(),
     created_by uuid not null default change_author(),
     modified_date timestamptz(3),
     modified_by uuid,
     revision integer not null default 1,
     imported_is_blocked boolean,
     user_name varchar(320),
     deprovisioned_at timestamptz(3),
     primary key (user_id),
     constraint users_idpname_idpid_unique unique (idpname, idpid),
     constraint users_user_guid_unique unique (user_guid)
   )`,
  `comment on table users is 'A person who signs in at an identity provider.'`,
  `create table user_profiles (
     user_profile_id integer generated by default as identity,
     created_date timestamptz(3) not null default now(),
     created_by uuid not null default change_author(),
     modified_date timestamptz(3),
     modified_by uuid,
     revision integer not null default 1,
     user_id integer not null,
     profile_id varchar(50) not null,
     role_id varchar(50) not null,
     managed_by varchar(100),
     valid_until timestamptz(3),
     last_used_at timestamptz(3),
     primary key (user_profile_id),
     constraint user_profiles_user_id_profile_id_role_id_unique unique (user_id, profile_id, role_id),
     constraint user_profiles_profile_id_foreign foreign key (profile_id) references profiles(profile_id) on update cascade on delete cascade,
     constraint user_profiles_role_id_foreign foreign key (role_id) references roles(role_id) on update cascade on delete restrict,
     constraint user_profiles_user_id_foreign foreign key (user_id) references users(user_id) on update cascade on delete cascade
   )`,
  `comment on table user_profiles is 'A link: the user holds the profile in a role.'`,
  `create view translation_groups as
   select translation_group, ('x' || left(md5(string_agg(
     jsonb_build_array(field_name, language_code, translated_text)::text, ',' order by field_name collate "C", language_code collate "C")), 8)
   )::bit(31)::int as revision
   from translations group by translation_group`,
];

/** The scopes of the administration; their numbers are after all others. They once had the first ones, which stay free. */
const reserved = [
  'insert into catalogue_version (version) values (2)',
  `insert into access_scope_types (access_scope_type_id, access_scope_type_guid, name, description)
   values (2147483601, 'ad300000-0000-4000-8000-000000000000', 'admin', 'Administration of Gatehouse; reserved.')`,
  `insert into access_scopes (access_scope_id, access_scope_guid, name, access_scope_key, access_scope_type_id)
   values (2147483601, 'ad300000-0000-4000-8000-000000000001', 'Administration: read', 'read', 2147483601),
     (2147483602, 'ad300000-0000-4000-8000-000000000002', 'Administration: write', 'write', 2147483601),
     (2147483603, 'ad300000-0000-4000-8000-000000000003', 'Administration: security', 'security', 2147483601)`,
  `select setval(pg_get_serial_sequence('access_scope_types', 'access_scope_type_id'), 1)`,
  `select setval(pg_get_serial_sequence('access_scopes', 'access_scope_id'), 3)`,
];

// ── indexes ──

/** Words of a search (docs/decisions/0048). */
const words: [table: string, columns: string[]][] = [
  ['applications', ['name']],
  ['users', ['first_name', 'last_name', 'email', 'idpid']],
  ['profiles', ['name', 'profile_id']],
  ['access_scopes', ['name', 'access_scope_key']],
  ['clients', ['name', 'client_id']],
];
const separators = String.raw`'[\s!-/:-@\[-\u0060{-~]+'`;
const wordsOf = (columns: string[]): string =>
  `array_to_tsvector(array_remove(regexp_split_to_array(lower(${joined(columns)}), ${separators}), ''))`;
const optionsOf = (table: string): string =>
  table === 'users' ? 'fastupdate = on, gin_pending_list_limit = 1024' : 'fastupdate = off';

/** Versions of the parts of a record, by their owner: what services/history/parts.ts asks with, letter for letter. */
const owners: [column: string, tables: string[]][] = [
  ['application_id', ['access_scope_applications_mappers', 'access_scope_type_applications_mappers']],
  ['access_scope_id', ['access_scope_applications_mappers', 'profile_access_scopes']],
  ['access_scope_type_id', ['access_scope_type_applications_mappers']],
  ['profile_id', ['profile_access_scopes', 'user_profiles']],
  ['user_id', ['user_profiles']],
  ['translation_group', ['translations']],
];

const indexes = [
  `create index access_scopes_access_scope_type_id_index on access_scopes (access_scope_type_id)`,
  `create index access_scope_applications_mappers_access_scope_id_index on access_scope_applications_mappers (access_scope_id)`,
  `create index access_scope_type_applications_mappers_access_scop_fa05e_index on access_scope_type_applications_mappers (access_scope_type_id)`,
  `create index audit_events_change_set_id_index on audit_events (change_set_id)`,
  `create index audit_events_subject_type_subject_id_index on audit_events (subject_type, subject_id)`,
  `create index change_sets_occurred_at_index on change_sets (occurred_at)`,
  `create index change_sets_trace_id_index on change_sets (trace_id)`,
  `create index change_sets_undoes_id_index on change_sets (undoes_id)`,
  `create index console_sessions_ends_at_index on console_sessions (ends_at)`,
  `create index console_sessions_provider_session_index on console_sessions (provider_session)`,
  `create index console_sessions_user_guid_index on console_sessions (user_guid)`,
  `create index id_token_uses_ends_at_index on id_token_uses (ends_at)`,
  `create index profile_access_scopes_access_scope_id_index on profile_access_scopes (access_scope_id)`,
  `create index profile_access_scopes_valid_until_index on profile_access_scopes (valid_until) where (valid_until is not null)`,
  `create index proposals_proposed_by_index on proposals (proposed_by)`,
  `create index proposals_state_apply_at_index on proposals (state, apply_at)`,
  `create index provider_sessions_session_hash_index on provider_sessions (session_hash)`,
  `create index provider_sign_outs_ends_at_index on provider_sign_outs (ends_at)`,
  `create index record_versions_change_set_id_index on record_versions (change_set_id)`,
  `create index record_versions_record_table_record_key_index on record_versions (record_table, record_key)`,
  `create index refused_requests_trace_id_index on refused_requests (trace_id)`,
  `create index reviews_state_due_at_index on reviews (state, due_at)`,
  `create index review_items_review_id_index on review_items (review_id)`,
  `create index review_items_review_id_review_item_id_index on review_items (review_id, review_item_id)`,
  `create index connectors_role_id_index on connectors (role_id)`,
  `create index single_uses_ends_at_index on single_uses (ends_at)`,
  `create index tokens_user_id_index on tokens (user_id)`,
  `create index tried_changes_actor_ends_at_index on tried_changes (actor, ends_at)`,
  `create index tried_changes_ends_at_index on tried_changes (ends_at)`,
  `create index user_profiles_managed_by_index on user_profiles (profile_id, managed_by, user_id) where (managed_by is not null)`,
  `create index user_profiles_profile_id_index on user_profiles (profile_id)`,
  `create index user_profiles_role_id_index on user_profiles (role_id)`,
  `create index user_profiles_valid_until_index on user_profiles (valid_until) where (valid_until is not null)`,
  `create unique index users_idpname_user_name_unique on users (idpname, lower(user_name)) where user_name is not null`,
  `create index users_idpname_shown_name_index on users (idpname, lower(coalesce(user_name, email, idpid, user_guid::text)))`,
  `create index users_idpname_email_index on users (idpname, lower(email)) where user_name is not null`,
  ...words.map(
    ([table, columns]) =>
      `create index ${table}_words_index on ${table} using gin (${wordsOf(columns)}) with (${optionsOf(table)})`,
  ),
  ...owners.map(
    ([column, tables]) =>
      `create index record_versions_of_${column}_index on record_versions ((coalesce(after, before)->>'${column}'), record_version_id)
       where record_table in ('${tables.join("', '")}')`,
  ),
  'select index_user_texts()',
];

// ── triggers ──

/** Records with a history: the column that names one in its versions, and the columns that are kept if not all are. */
const versioned: [table: string, key: string, kept?: string][] = [
  ['access_scope_applications_mappers', 'access_scope_applications_mapper_id'],
  ['access_scope_type_applications_mappers', 'access_scope_type_applications_mapper_id'],
  ['access_scope_types', 'access_scope_type_guid'],
  ['access_scopes', 'access_scope_guid'],
  ['applications', 'application_guid'],
  ['profile_access_scopes', 'profile_access_scope_id'],
  ['profiles', 'profile_id'],
  ['roles', 'role_id'],
  ['translations', 'translation_id'],
  ['user_profiles', 'user_profile_id', 'user_profile_id,user_id,profile_id,role_id,valid_until,managed_by,created_date,created_by,modified_date,modified_by,revision'],
  ['users', 'user_guid', 'user_id,user_guid,is_blocked'],
];
const stamped = ['access_scope_applications_mappers', 'access_scope_type_applications_mappers', 'access_scope_types', 'access_scopes', 'applications', 'profile_access_scopes', 'profiles', 'roles', 'user_profiles'];
const argumentsOf = (key: string, kept?: string): string => (kept ? `'${key}', '${kept}'` : `'${key}'`);

const triggers = [
  `create trigger catalogue_version_nonce before update on catalogue_version for each row execute function catalogue_version_nonce()`,
  `create constraint trigger change_set_commits after insert on change_sets deferrable initially deferred
   for each row execute function change_set_commits()`,
  `create trigger delete_tokens_of_users after delete on users referencing old table as gone
   for each statement execute function delete_tokens_of_users()`,
  `create trigger write_audit_events after insert on record_versions referencing new table as new_versions
   for each statement execute function write_audit_events()`,
  ...versioned.flatMap(([table, key, kept]) => [
    `create trigger write_versions_insert after insert on ${table} referencing new table as new_rows
     for each statement execute function write_versions_insert(${argumentsOf(key, kept)})`,
    `create trigger write_versions_delete after delete on ${table} referencing old table as old_rows
     for each statement execute function write_versions_delete(${argumentsOf(key, kept)})`,
    // user_profiles names no columns here, as in 1.0.0-rc.1
    `create trigger write_versions_truncate before truncate on ${table}
     for each statement execute function write_versions_truncate(${argumentsOf(key, table === 'user_profiles' ? undefined : kept)})`,
    table === 'users'
      ? `create trigger write_versions_update after update on users for each row
         when (old.is_blocked is distinct from new.is_blocked or old.user_guid is distinct from new.user_guid)
         execute function write_version_of_user(${argumentsOf(key, kept)})`
      : `create trigger write_versions_update after update on ${table} referencing old table as old_rows new table as new_rows
         for each statement execute function write_versions_update(${argumentsOf(key, kept)})`,
  ]),
  ...stamped.map(
    (table) =>
      `create trigger stamp_change before update on ${table} for each row when (old.* is distinct from new.*) execute function stamp_change()`,
  ),
  `create trigger stamp_change before update of ${personal.join(', ')} on users for each row
   when (old.* is distinct from new.*) execute function stamp_change()`,
  `create trigger write_audit_event after update of ${personal.join(', ')} on users for each row
   when (old.* is distinct from new.*) execute function write_audit_event_of_user()`,
  `create trigger change_past_service after update of ${personal.filter((column) => !['user_guid', 'is_blocked'].includes(column)).join(', ')} on users for each row
   when (coalesce(current_setting('gatehouse.change', true), '') = '' and old.* is distinct from new.*)
   execute function change_past_service()`,
];
