-- A database that 1.0.0-rc.1 migrated, as pg_dump wrote it. Only what depends on the server is as its migrations made it (the
-- collation, the index of texts), and conditions of indexes are, which PostgreSQL would read back in other words.
set check_function_bodies = false;
do $$ begin
  create collation unicode_case (provider = builtin, locale = 'PG_UNICODE_FAST');
exception when others then
  create collation unicode_case (provider = icu, locale = 'und');
end $$;
CREATE FUNCTION public.catalogue_version_nonce() RETURNS trigger
    LANGUAGE plpgsql
    AS $$
       begin
         new.nonce := gen_random_uuid();
         return new;
       end $$;
CREATE FUNCTION public.change_author() RETURNS uuid
    LANGUAGE sql STABLE
    AS $$
         select coalesce((nullif(current_setting('gatehouse.change', true), '')::jsonb->>'actor')::uuid, '00000000-0000-0000-0000-000000000001')
       $$;
CREATE FUNCTION public.change_past_service() RETURNS trigger
    LANGUAGE plpgsql
    AS $$
       begin
         perform current_change_set();
         return null;
       end $$;
CREATE FUNCTION public.change_set_commits() RETURNS trigger
    LANGUAGE plpgsql
    AS $$
   begin
     if new.face = 'sql' or exists (select from record_versions where change_set_id = new.change_set_id) or exists (
           select from audit_events where change_set_id = new.change_set_id and action in ('create', 'update', 'delete')) then
       update catalogue_version set version = version + 1 where xmin <> pg_current_xact_id()::xid;
     end if;
     update change_sets set occurred_at = clock_timestamp(),
       catalogue_version = (select version || '.' || nonce from catalogue_version)
     where change_set_id = new.change_set_id;
     return null;
   end $$;
CREATE FUNCTION public.changed_fields(columns text[], before jsonb, after jsonb) RETURNS jsonb
    LANGUAGE plpgsql IMMUTABLE
    AS $$
       begin
         return (select jsonb_agg(lower(left(name, 1)) || substr(name, 2) order by place) from (
           select place, replace(initcap(own), '_', '') as name from unnest(columns) with ordinality its(own, place)
           where before->own is distinct from after->own) changed);
       end $$;
CREATE FUNCTION public.current_change_set() RETURNS bigint
    LANGUAGE plpgsql
    AS $$
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
       end $$;
CREATE FUNCTION public.delete_tokens_of_users() RETURNS trigger
    LANGUAGE plpgsql
    AS $$
      begin
        delete from tokens using gone where tokens.user_id = gone.user_guid;
        return null;
      end $$;
CREATE FUNCTION public.index_user_texts() RETURNS void
    LANGUAGE plpgsql
    AS $_$
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
          execute format($sql$create index if not exists "users_folded_text_index" on "users" using gin ((case when octet_length(coalesce(first_name, '') || ' ' || coalesce(last_name, '') || ' ' || coalesce(email, '') || ' ' || coalesce(idpid, '') || ' ' || coalesce(department, '') || ' ' || coalesce(job_title, '')) = length(coalesce(first_name, '') || ' ' || coalesce(last_name, '') || ' ' || coalesce(email, '') || ' ' || coalesce(idpid, '') || ' ' || coalesce(department, '') || ' ' || coalesce(job_title, '')) then lower(coalesce(first_name, '') || ' ' || coalesce(last_name, '') || ' ' || coalesce(email, '') || ' ' || coalesce(idpid, '') || ' ' || coalesce(department, '') || ' ' || coalesce(job_title, '')) else translate(lower(regexp_replace(normalize(coalesce(first_name, '') || ' ' || coalesce(last_name, '') || ' ' || coalesce(email, '') || ' ' || coalesce(idpid, '') || ' ' || coalesce(department, '') || ' ' || coalesce(job_title, ''), NFD), '[\u0300-\u036f]', '', 'g')), 'øłđıħŧ', 'oldiht') end) %I.gin_trgm_ops) with (fastupdate = on, gin_pending_list_limit = 1024)$sql$, place);
        end if;
      end $_$;
COMMENT ON FUNCTION public.index_user_texts() IS 'Creates the index that text searches of users need, if the database has the extension pg_trgm or may create it.';
CREATE FUNCTION public.kept_columns(version jsonb, names text) RETURNS jsonb
    LANGUAGE sql IMMUTABLE
    AS $$
         select case when names is null then version else
           (select jsonb_object_agg(key, value) from jsonb_each(version) where key = any(string_to_array(names, ','))) end
       $$;
CREATE FUNCTION public.stamp_change() RETURNS trigger
    LANGUAGE plpgsql
    AS $$
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
       end $$;
CREATE FUNCTION public.write_audit_event_of_user() RETURNS trigger
    LANGUAGE plpgsql
    AS $$
     declare
       said jsonb := nullif(current_setting('gatehouse.change', true), '')::jsonb;
       fields text[];
     begin
       if said->'stamps' is null then return null; end if;
       fields := array_remove(array[case when old.user_id is distinct from new.user_id then 'userId' end, case when old.user_guid is distinct from new.user_guid then 'userGuid' end, case when old.salutation is distinct from new.salutation then 'salutation' end, case when old.title is distinct from new.title then 'title' end, case when old.first_name is distinct from new.first_name then 'firstName' end, case when old.last_name is distinct from new.last_name then 'lastName' end, case when old.idpname is distinct from new.idpname then 'idpname' end, case when old.idpid is distinct from new.idpid then 'idpid' end, case when old.telephone is distinct from new.telephone then 'telephone' end, case when old.email is distinct from new.email then 'email' end, case when old.status is distinct from new.status then 'status' end, case when old.status_id is distinct from new.status_id then 'statusId' end, case when old.job_title is distinct from new.job_title then 'jobTitle' end, case when old.job_title_additional is distinct from new.job_title_additional then 'jobTitleAdditional' end, case when old.job_title_id is distinct from new.job_title_id then 'jobTitleId' end, case when old.department is distinct from new.department then 'department' end, case when old.language_preference is distinct from new.language_preference then 'languagePreference' end, case when old.email_subscriptions is distinct from new.email_subscriptions then 'emailSubscriptions' end, case when old.notification_options is distinct from new.notification_options then 'notificationOptions' end, case when old.anbversion is distinct from new.anbversion then 'anbversion' end, case when old.anbacceptance_date is distinct from new.anbacceptance_date then 'anbacceptanceDate' end, case when old.assigned_customer_support_guid is distinct from new.assigned_customer_support_guid then 'assignedCustomerSupportGuid' end, case when old.invited_by is distinct from new.invited_by then 'invitedBy' end, case when old.invitation_date is distinct from new.invitation_date then 'invitationDate' end, case when old.uipreferences is distinct from new.uipreferences then 'uipreferences' end, case when old.is_blocked is distinct from new.is_blocked then 'isBlocked' end, case when old.created_date is distinct from new.created_date then 'createdDate' end, case when old.created_by is distinct from new.created_by then 'createdBy' end, case when old.user_name is distinct from new.user_name then 'userName' end, case when old.deprovisioned_at is distinct from new.deprovisioned_at then 'deprovisionedAt' end], null);
       if fields <> '{}' then
         insert into audit_events (actor, trace_id, change_set_id, action, subject_type, subject_id, detail)
         values (change_author(), said->>'traceId', current_change_set(), 'update', 'User', new.user_guid, jsonb_build_object('fields', fields));
       end if;
       return null;
     end $$;
CREATE FUNCTION public.write_audit_events() RETURNS trigger
    LANGUAGE plpgsql
    AS $$
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
       end $$;
CREATE FUNCTION public.write_version_of_user() RETURNS trigger
    LANGUAGE plpgsql
    AS $$
       begin
         insert into record_versions (change_set_id, record_table, record_key, before, after) values (
           current_change_set(), 'users', new.user_guid,
           kept_columns(to_jsonb(old), tg_argv[1]), kept_columns(to_jsonb(new), tg_argv[1]));
         return null;
       end $$;
CREATE FUNCTION public.write_versions_delete() RETURNS trigger
    LANGUAGE plpgsql
    AS $_$
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
         end $_$;
CREATE FUNCTION public.write_versions_insert() RETURNS trigger
    LANGUAGE plpgsql
    AS $_$
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
         end $_$;
CREATE FUNCTION public.write_versions_truncate() RETURNS trigger
    LANGUAGE plpgsql
    AS $_$
       begin
         execute format(
           'with change_set as materialized (select current_change_set() as id where exists (select from %1$s))
            insert into record_versions (change_set_id, record_table, record_key, before)
            select id, $1, version->>$2, version
            from change_set, (select kept_columns(to_jsonb(gone), $3) as version from %1$s gone) versions', tg_relid::regclass)
         using tg_table_name, tg_argv[0], tg_argv[1];
         return null;
       end $_$;
CREATE FUNCTION public.write_versions_update() RETURNS trigger
    LANGUAGE plpgsql
    AS $_$
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
       end $_$;
CREATE TABLE public.access_scope_applications_mappers (
    access_scope_applications_mapper_id integer NOT NULL,
    state character varying(50) DEFAULT 'active'::character varying NOT NULL,
    individual_external_link character varying(512),
    created_date timestamp(3) with time zone DEFAULT now() NOT NULL,
    created_by uuid DEFAULT public.change_author() NOT NULL,
    modified_date timestamp(3) with time zone,
    modified_by uuid,
    revision integer DEFAULT 1 NOT NULL,
    access_scope_id integer NOT NULL,
    application_id integer NOT NULL,
    managed_by character varying(100)
);
COMMENT ON TABLE public.access_scope_applications_mappers IS 'A mapping: the access scope opens the application.';
ALTER TABLE public.access_scope_applications_mappers ALTER COLUMN access_scope_applications_mapper_id ADD GENERATED BY DEFAULT AS IDENTITY (
    SEQUENCE NAME public.access_scope_applications_map_access_scope_applications_map_seq
    START WITH 1
    INCREMENT BY 1
    NO MINVALUE
    NO MAXVALUE
    CACHE 1
);
CREATE TABLE public.access_scope_type_applications_mappers (
    access_scope_type_applications_mapper_id integer NOT NULL,
    state character varying(50) DEFAULT 'active'::character varying NOT NULL,
    created_date timestamp(3) with time zone DEFAULT now() NOT NULL,
    created_by uuid DEFAULT public.change_author() NOT NULL,
    modified_date timestamp(3) with time zone,
    modified_by uuid,
    revision integer DEFAULT 1 NOT NULL,
    access_scope_type_id integer NOT NULL,
    application_id integer NOT NULL,
    managed_by character varying(100)
);
COMMENT ON TABLE public.access_scope_type_applications_mappers IS 'A mapping: every access scope of the type opens the application.';
ALTER TABLE public.access_scope_type_applications_mappers ALTER COLUMN access_scope_type_applications_mapper_id ADD GENERATED BY DEFAULT AS IDENTITY (
    SEQUENCE NAME public.access_scope_type_application_access_scope_type_application_seq
    START WITH 1
    INCREMENT BY 1
    NO MINVALUE
    NO MAXVALUE
    CACHE 1
);
CREATE TABLE public.access_scope_types (
    access_scope_type_id integer NOT NULL,
    access_scope_type_guid uuid DEFAULT gen_random_uuid() NOT NULL,
    name character varying(255) NOT NULL,
    description character varying(255),
    translation_group character varying(50),
    is_active boolean DEFAULT true NOT NULL,
    created_date timestamp(3) with time zone DEFAULT now() NOT NULL,
    created_by uuid DEFAULT public.change_author() NOT NULL,
    modified_date timestamp(3) with time zone,
    modified_by uuid,
    revision integer DEFAULT 1 NOT NULL,
    managed_by character varying(100)
);
COMMENT ON TABLE public.access_scope_types IS 'A kind of access scope: the part before the colon of an entry of the `scopes` claim.';
ALTER TABLE public.access_scope_types ALTER COLUMN access_scope_type_id ADD GENERATED BY DEFAULT AS IDENTITY (
    SEQUENCE NAME public.access_scope_types_access_scope_type_id_seq
    START WITH 1
    INCREMENT BY 1
    NO MINVALUE
    NO MAXVALUE
    CACHE 1
);
CREATE TABLE public.access_scopes (
    access_scope_id integer NOT NULL,
    access_scope_guid uuid DEFAULT gen_random_uuid() NOT NULL,
    name character varying(255) NOT NULL,
    access_scope_key character varying(255),
    concrete_id integer,
    description character varying(255),
    translation_group character varying(50),
    is_wildcard boolean DEFAULT false NOT NULL,
    is_active boolean DEFAULT true NOT NULL,
    created_date timestamp(3) with time zone DEFAULT now() NOT NULL,
    created_by uuid DEFAULT public.change_author() NOT NULL,
    modified_date timestamp(3) with time zone,
    modified_by uuid,
    revision integer DEFAULT 1 NOT NULL,
    access_scope_type_id integer NOT NULL,
    managed_by character varying(100)
);
COMMENT ON TABLE public.access_scopes IS 'Something a profile may reach: an entry of the `scopes` claim.';
ALTER TABLE public.access_scopes ALTER COLUMN access_scope_id ADD GENERATED BY DEFAULT AS IDENTITY (
    SEQUENCE NAME public.access_scopes_access_scope_id_seq
    START WITH 1
    INCREMENT BY 1
    NO MINVALUE
    NO MAXVALUE
    CACHE 1
);
CREATE TABLE public.applications (
    application_id integer NOT NULL,
    application_guid uuid DEFAULT gen_random_uuid() NOT NULL,
    name character varying(255) NOT NULL,
    description character varying(255),
    icon_default character varying(512) NOT NULL,
    icon_hover character varying(512) NOT NULL,
    app_type character varying(50) NOT NULL,
    rendering_mode character varying(50) NOT NULL,
    link_type character varying(50) NOT NULL,
    global_external_link character varying(512),
    translation_group character varying(50),
    is_token_exchange_required boolean,
    is_iframe boolean,
    is_active boolean DEFAULT true NOT NULL,
    created_date timestamp(3) with time zone DEFAULT now() NOT NULL,
    created_by uuid DEFAULT public.change_author() NOT NULL,
    modified_date timestamp(3) with time zone,
    modified_by uuid,
    revision integer DEFAULT 1 NOT NULL,
    managed_by character varying(100),
    owner_profile_id character varying(50),
    is_requestable boolean DEFAULT false NOT NULL
);
COMMENT ON TABLE public.applications IS 'An application of the catalogue.';
ALTER TABLE public.applications ALTER COLUMN application_id ADD GENERATED BY DEFAULT AS IDENTITY (
    SEQUENCE NAME public.applications_application_id_seq
    START WITH 1
    INCREMENT BY 1
    NO MINVALUE
    NO MAXVALUE
    CACHE 1
);
CREATE TABLE public.audit_events (
    audit_event_id bigint NOT NULL,
    occurred_at timestamp(3) with time zone DEFAULT now() NOT NULL,
    actor uuid NOT NULL,
    action character varying(50) NOT NULL,
    subject_type character varying(100) NOT NULL,
    subject_id character varying(255) NOT NULL,
    detail jsonb,
    trace_id character varying(64),
    change_set_id bigint
);
COMMENT ON TABLE public.audit_events IS 'A change of a record: who made it, when, and to which fields.';
ALTER TABLE public.audit_events ALTER COLUMN audit_event_id ADD GENERATED BY DEFAULT AS IDENTITY (
    SEQUENCE NAME public.audit_events_audit_event_id_seq
    START WITH 1
    INCREMENT BY 1
    NO MINVALUE
    NO MAXVALUE
    CACHE 1
);
CREATE TABLE public.catalogue_version (
    version bigint NOT NULL,
    is_only boolean DEFAULT true NOT NULL,
    nonce uuid DEFAULT gen_random_uuid() NOT NULL
);
COMMENT ON TABLE public.catalogue_version IS 'One row, raised by each administrative change.';
ALTER TABLE public.catalogue_version ALTER COLUMN version ADD GENERATED BY DEFAULT AS IDENTITY (
    SEQUENCE NAME public.catalogue_version_version_seq
    START WITH 1
    INCREMENT BY 1
    NO MINVALUE
    NO MAXVALUE
    CACHE 1
);
CREATE TABLE public.change_sets (
    change_set_id bigint NOT NULL,
    change_set_guid uuid DEFAULT gen_random_uuid() NOT NULL,
    occurred_at timestamp(3) with time zone DEFAULT now() NOT NULL,
    actor uuid NOT NULL,
    face character varying(20) NOT NULL,
    note character varying(1000),
    trace_id character varying(64),
    catalogue_version character varying(100) DEFAULT ''::character varying NOT NULL,
    undoes_id bigint,
    managed_by character varying(100),
    is_unapproved boolean DEFAULT false NOT NULL
);
COMMENT ON TABLE public.change_sets IS 'What one request changed, all or nothing.';
ALTER TABLE public.change_sets ALTER COLUMN change_set_id ADD GENERATED BY DEFAULT AS IDENTITY (
    SEQUENCE NAME public.change_sets_change_set_id_seq
    START WITH 1
    INCREMENT BY 1
    NO MINVALUE
    NO MAXVALUE
    CACHE 1
);
CREATE TABLE public.clients (
    client_id character varying(100) NOT NULL,
    client_secret character varying(512) NOT NULL,
    previous_secret character varying(512),
    previous_secret_ends_at timestamp(3) with time zone,
    name character varying(255) NOT NULL,
    description text,
    created_at timestamp(3) with time zone DEFAULT now() NOT NULL,
    is_active boolean DEFAULT true NOT NULL,
    secret_last_used_at timestamp(3) with time zone,
    previous_secret_last_used_at timestamp(3) with time zone,
    revision integer DEFAULT 1 NOT NULL,
    imported_secret character varying(64),
    imported_is_active boolean,
    allowed_audiences character varying(1000),
    jwks character varying(16384),
    jwks_uri character varying(2000),
    dpop_required boolean DEFAULT false NOT NULL,
    policy character varying(20),
    keys_last_used_at timestamp(3) with time zone,
    may_evaluate boolean DEFAULT false NOT NULL
);
COMMENT ON TABLE public.clients IS 'A client application that may ask for tokens.';
CREATE TABLE public.connectors (
    connector_id character varying(50) NOT NULL,
    connector_guid uuid DEFAULT gen_random_uuid() NOT NULL,
    idpname character varying(255) NOT NULL,
    client_id character varying(100),
    token_hash bytea NOT NULL,
    previous_token_hash bytea,
    previous_token_ends_at timestamp(3) with time zone,
    is_revoked boolean DEFAULT false NOT NULL,
    created_at timestamp(3) with time zone DEFAULT now() NOT NULL,
    last_used_at timestamp(3) with time zone,
    revision integer DEFAULT 1 NOT NULL,
    role_id character varying(50) NOT NULL
);
COMMENT ON TABLE public.connectors IS 'A connector: an identity provider that provisions its people and their groups by SCIM.';
CREATE TABLE public.console_sessions (
    session_hash bytea NOT NULL,
    user_guid uuid NOT NULL,
    profile_id character varying(50) NOT NULL,
    issuer text NOT NULL,
    created_at timestamp(3) with time zone DEFAULT now() NOT NULL,
    seen_at timestamp(3) with time zone DEFAULT now() NOT NULL,
    authenticated_at timestamp(3) with time zone,
    ends_at timestamp(3) with time zone NOT NULL,
    provider_session text
);
COMMENT ON TABLE public.console_sessions IS 'A session of a user who is signed in to the console.';
CREATE TABLE public.housekeeping_runs (
    task character varying(50) NOT NULL,
    finished_at timestamp(3) with time zone NOT NULL,
    removed bigint DEFAULT 0 NOT NULL
);
COMMENT ON TABLE public.housekeeping_runs IS 'When each task of the housekeeping was last done.';
CREATE TABLE public.id_token_uses (
    use_hash character varying(50) NOT NULL,
    ends_at timestamp(3) with time zone NOT NULL
);
COMMENT ON TABLE public.id_token_uses IS 'An exchange of an ID token for a profile; kept until the token expires.';
CREATE TABLE public.migrations (
    id integer NOT NULL,
    name character varying(255) NOT NULL,
    executed_at timestamp(6) with time zone DEFAULT CURRENT_TIMESTAMP(6) NOT NULL
);
CREATE SEQUENCE public.migrations_id_seq
    AS integer
    START WITH 1
    INCREMENT BY 1
    NO MINVALUE
    NO MAXVALUE
    CACHE 1;
ALTER SEQUENCE public.migrations_id_seq OWNED BY public.migrations.id;
CREATE TABLE public.policy_verdicts (
    policy_verdict_id bigint NOT NULL,
    client_id character varying(100) NOT NULL,
    operation character varying(50) NOT NULL,
    verdict character varying(50) NOT NULL,
    first_seen_at timestamp(3) with time zone NOT NULL,
    last_seen_at timestamp(3) with time zone NOT NULL,
    count bigint NOT NULL
);
COMMENT ON TABLE public.policy_verdicts IS 'Whether the hardened policy would have refused requests that the documented policy answered.';
ALTER TABLE public.policy_verdicts ALTER COLUMN policy_verdict_id ADD GENERATED BY DEFAULT AS IDENTITY (
    SEQUENCE NAME public.policy_verdicts_policy_verdict_id_seq
    START WITH 1
    INCREMENT BY 1
    NO MINVALUE
    NO MAXVALUE
    CACHE 1
);
CREATE TABLE public.profile_access_scopes (
    profile_access_scope_id integer NOT NULL,
    created_date timestamp(3) with time zone DEFAULT now() NOT NULL,
    created_by uuid DEFAULT public.change_author() NOT NULL,
    modified_date timestamp(3) with time zone,
    modified_by uuid,
    revision integer DEFAULT 1 NOT NULL,
    profile_id character varying(50) NOT NULL,
    access_scope_id integer NOT NULL,
    valid_until timestamp(3) with time zone
);
COMMENT ON TABLE public.profile_access_scopes IS 'A link: the profile has the access scope.';
ALTER TABLE public.profile_access_scopes ALTER COLUMN profile_access_scope_id ADD GENERATED BY DEFAULT AS IDENTITY (
    SEQUENCE NAME public.profile_access_scopes_profile_access_scope_id_seq
    START WITH 1
    INCREMENT BY 1
    NO MINVALUE
    NO MAXVALUE
    CACHE 1
);
CREATE TABLE public.profiles (
    profile_id character varying(50) NOT NULL,
    name character varying(255) NOT NULL,
    description character varying(255),
    created_date timestamp(3) with time zone DEFAULT now() NOT NULL,
    created_by uuid DEFAULT public.change_author() NOT NULL,
    modified_date timestamp(3) with time zone,
    modified_by uuid,
    revision integer DEFAULT 1 NOT NULL,
    managed_by character varying(100),
    owner_profile_id character varying(50),
    external_group character varying(255),
    external_group_administers boolean DEFAULT false NOT NULL
);
COMMENT ON TABLE public.profiles IS 'What a token is issued for: its access scopes are the `scopes` claim.';
CREATE TABLE public.proposals (
    proposal_id bigint NOT NULL,
    proposal_guid uuid DEFAULT gen_random_uuid() NOT NULL,
    revision integer DEFAULT 1 NOT NULL,
    state character varying(20) DEFAULT 'OPEN'::character varying NOT NULL,
    title character varying(300) NOT NULL,
    proposed_by uuid NOT NULL,
    proposed_at timestamp(3) with time zone DEFAULT now() NOT NULL,
    note character varying(1000) NOT NULL,
    changes jsonb NOT NULL,
    permission character varying(20) NOT NULL,
    apply_at timestamp(3) with time zone,
    expires_at timestamp(3) with time zone NOT NULL,
    decided_by uuid,
    decided_at timestamp(3) with time zone,
    decision_note character varying(1000),
    approved_with character varying(20),
    effect_hash bytea NOT NULL,
    proposed_counts jsonb NOT NULL,
    failure jsonb,
    change_set_guid uuid,
    subjects jsonb,
    requested_application_guid uuid,
    requested_until timestamp(3) with time zone
);
COMMENT ON TABLE public.proposals IS 'Changes that somebody proposed, with the decision of another person.';
ALTER TABLE public.proposals ALTER COLUMN proposal_id ADD GENERATED BY DEFAULT AS IDENTITY (
    SEQUENCE NAME public.proposals_proposal_id_seq
    START WITH 1
    INCREMENT BY 1
    NO MINVALUE
    NO MAXVALUE
    CACHE 1
);
CREATE TABLE public.provider_sessions (
    token_guid uuid NOT NULL,
    session_hash character varying(50) NOT NULL
);
COMMENT ON TABLE public.provider_sessions IS 'Which session of an identity provider a token record comes from. Renewals never write it.';
CREATE TABLE public.provider_sign_outs (
    name_hash character varying(50) NOT NULL,
    issued_until timestamp(3) with time zone NOT NULL,
    ends_at timestamp(3) with time zone NOT NULL
);
COMMENT ON TABLE public.provider_sign_outs IS 'A sign-out of a session or user by an identity provider; kept until earlier ID tokens are too old to be accepted.';
CREATE TABLE public.rate_limits (
    key character varying(255) NOT NULL,
    points integer DEFAULT 0 NOT NULL,
    expire bigint
);
COMMENT ON TABLE public.rate_limits IS 'Counts of failures that processes share.';
CREATE TABLE public.record_versions (
    record_version_id bigint NOT NULL,
    record_table character varying(63) NOT NULL,
    record_key character varying(255) NOT NULL,
    before jsonb,
    after jsonb,
    change_set_id bigint NOT NULL
);
COMMENT ON TABLE public.record_versions IS 'A change of the values of a record.';
ALTER TABLE public.record_versions ALTER COLUMN record_version_id ADD GENERATED BY DEFAULT AS IDENTITY (
    SEQUENCE NAME public.record_versions_record_version_id_seq
    START WITH 1
    INCREMENT BY 1
    NO MINVALUE
    NO MAXVALUE
    CACHE 1
);
CREATE TABLE public.refused_requests (
    refused_request_id bigint NOT NULL,
    trace_id character varying(32) NOT NULL,
    occurred_at timestamp(3) with time zone NOT NULL,
    endpoint character varying(50),
    "grant" character varying(50),
    client_id character varying(100),
    reason character varying(50) NOT NULL,
    detail character varying(500) NOT NULL,
    token_guid uuid
);
COMMENT ON TABLE public.refused_requests IS 'A token request that was refused, and why.';
ALTER TABLE public.refused_requests ALTER COLUMN refused_request_id ADD GENERATED BY DEFAULT AS IDENTITY (
    SEQUENCE NAME public.refused_requests_refused_request_id_seq
    START WITH 1
    INCREMENT BY 1
    NO MINVALUE
    NO MAXVALUE
    CACHE 1
);
CREATE TABLE public.review_items (
    review_item_id bigint NOT NULL,
    item_guid uuid DEFAULT gen_random_uuid() NOT NULL,
    kind character varying(20) NOT NULL,
    link_id integer NOT NULL,
    link_revision integer NOT NULL,
    user_guid uuid,
    user_name character varying(600),
    user_email character varying(320),
    department character varying(255),
    profile_id character varying(50) NOT NULL,
    profile_name character varying(255) NOT NULL,
    role_id character varying(50),
    access_scope_guid uuid,
    access_scope_name character varying(255),
    valid_until timestamp(3) with time zone,
    managed_by character varying(100),
    granted_by uuid NOT NULL,
    granted_at timestamp(3) with time zone NOT NULL,
    last_used_at timestamp(3) with time zone,
    opens integer NOT NULL,
    is_unusual boolean NOT NULL,
    owner_profile_id character varying(50),
    decision character varying(10),
    until timestamp(3) with time zone,
    decision_note character varying(1000),
    decided_by uuid,
    decided_at timestamp(3) with time zone,
    outcome character varying(20),
    review_id bigint NOT NULL
);
COMMENT ON TABLE public.review_items IS 'A grant of an access review as it was when the review started, with the decision about it.';
ALTER TABLE public.review_items ALTER COLUMN review_item_id ADD GENERATED BY DEFAULT AS IDENTITY (
    SEQUENCE NAME public.review_items_review_item_id_seq
    START WITH 1
    INCREMENT BY 1
    NO MINVALUE
    NO MAXVALUE
    CACHE 1
);
CREATE TABLE public.reviews (
    review_id bigint NOT NULL,
    review_guid uuid DEFAULT gen_random_uuid() NOT NULL,
    name character varying(200) NOT NULL,
    state character varying(20) DEFAULT 'OPEN'::character varying NOT NULL,
    undecided character varying(10) NOT NULL,
    due_at timestamp(3) with time zone NOT NULL,
    note character varying(1000),
    filter jsonb NOT NULL,
    total integer NOT NULL,
    started_by uuid NOT NULL,
    started_at timestamp(3) with time zone DEFAULT now() NOT NULL,
    finished_by uuid,
    finished_at timestamp(3) with time zone,
    change_set_guid uuid
);
COMMENT ON TABLE public.reviews IS 'An access review: grants that their owners keep or end.';
ALTER TABLE public.reviews ALTER COLUMN review_id ADD GENERATED BY DEFAULT AS IDENTITY (
    SEQUENCE NAME public.reviews_review_id_seq
    START WITH 1
    INCREMENT BY 1
    NO MINVALUE
    NO MAXVALUE
    CACHE 1
);
CREATE TABLE public.roles (
    role_id character varying(50) NOT NULL,
    name character varying(255) NOT NULL,
    description character varying(255),
    created_date timestamp(3) with time zone DEFAULT now() NOT NULL,
    created_by uuid DEFAULT public.change_author() NOT NULL,
    modified_date timestamp(3) with time zone,
    modified_by uuid,
    revision integer DEFAULT 1 NOT NULL,
    managed_by character varying(100)
);
COMMENT ON TABLE public.roles IS 'The role of a user in a profile: the `roleId` claim.';
CREATE TABLE public.signing_keys (
    kid character varying(100) NOT NULL,
    alg character varying(20) NOT NULL,
    state character varying(20) NOT NULL,
    public_jwk jsonb,
    private_ciphertext bytea NOT NULL,
    created_at timestamp(3) with time zone DEFAULT now() NOT NULL,
    activated_at timestamp(3) with time zone,
    retired_at timestamp(3) with time zone
);
COMMENT ON TABLE public.signing_keys IS 'A key that signs tokens.';
CREATE TABLE public.single_uses (
    use_hash character varying(50) NOT NULL,
    ends_at timestamp(3) with time zone NOT NULL
);
COMMENT ON TABLE public.single_uses IS 'A value that may be used once and was used; kept until it expires.';
CREATE TABLE public.tokens (
    id bigint NOT NULL,
    token_guid uuid DEFAULT gen_random_uuid() NOT NULL,
    generation integer DEFAULT 0 NOT NULL,
    profile_id character varying(50) NOT NULL,
    token bytea NOT NULL,
    token_type character varying(50) DEFAULT 'refresh'::character varying NOT NULL,
    created_at timestamp(3) with time zone NOT NULL,
    expires_at timestamp(3) with time zone NOT NULL,
    revoked_at timestamp(3) with time zone,
    is_revoked boolean DEFAULT false NOT NULL,
    client_id character varying(100),
    created_by_ip character varying(45),
    revoked_by_ip character varying(45),
    started_at timestamp(3) with time zone DEFAULT now() NOT NULL,
    user_id uuid NOT NULL,
    revoked_by character varying(120),
    renewal_key bytea,
    audience text,
    scope text,
    jkt character varying(43),
    issuer text
)
WITH (fillfactor='80', autovacuum_vacuum_scale_factor='0.02', autovacuum_vacuum_threshold='1000');
COMMENT ON TABLE public.tokens IS 'The record of a renewal token, or of an access token of `gatehouse admin-token`.';
ALTER TABLE public.tokens ALTER COLUMN id ADD GENERATED BY DEFAULT AS IDENTITY (
    SEQUENCE NAME public.tokens_id_seq
    START WITH 1
    INCREMENT BY 1
    NO MINVALUE
    NO MAXVALUE
    CACHE 1
);
CREATE TABLE public.translations (
    translation_id integer NOT NULL,
    translation_group character varying(50) NOT NULL,
    field_name character varying(50) NOT NULL,
    language_code character varying(35) NOT NULL,
    translated_text text NOT NULL,
    managed_by character varying(100)
);
COMMENT ON TABLE public.translations IS 'A text of a translation group in one language.';
CREATE VIEW public.translation_groups AS
 SELECT translations.translation_group,
    ((('x'::text || "left"(md5(string_agg((jsonb_build_array(translations.field_name, translations.language_code, translations.translated_text))::text, ','::text ORDER BY (translations.field_name COLLATE "C"), (translations.language_code COLLATE "C"))), 8)))::bit(31))::integer AS revision
   FROM public.translations
  GROUP BY translations.translation_group;
ALTER TABLE public.translations ALTER COLUMN translation_id ADD GENERATED BY DEFAULT AS IDENTITY (
    SEQUENCE NAME public.translations_translation_id_seq
    START WITH 1
    INCREMENT BY 1
    NO MINVALUE
    NO MAXVALUE
    CACHE 1
);
CREATE TABLE public.tried_changes (
    effect_id character varying(36) NOT NULL,
    actor uuid NOT NULL,
    changes jsonb NOT NULL,
    ends_at timestamp(3) with time zone NOT NULL
);
COMMENT ON TABLE public.tried_changes IS 'Changes of a dry run whose effect is being read.';
CREATE TABLE public.usages (
    usage_id bigint NOT NULL,
    client_id character varying(100) NOT NULL,
    caller character varying(50) NOT NULL,
    operation character varying(100) NOT NULL,
    option character varying(100) NOT NULL,
    media_type character varying(100) NOT NULL,
    product character varying(100) NOT NULL,
    first_seen_at timestamp(3) with time zone NOT NULL,
    last_seen_at timestamp(3) with time zone NOT NULL,
    count bigint NOT NULL,
    brownouts bigint NOT NULL
);
COMMENT ON TABLE public.usages IS 'Who uses which operation how, since when and how often.';
ALTER TABLE public.usages ALTER COLUMN usage_id ADD GENERATED BY DEFAULT AS IDENTITY (
    SEQUENCE NAME public.usages_usage_id_seq
    START WITH 1
    INCREMENT BY 1
    NO MINVALUE
    NO MAXVALUE
    CACHE 1
);
CREATE TABLE public.user_profiles (
    user_profile_id integer NOT NULL,
    created_date timestamp(3) with time zone DEFAULT now() NOT NULL,
    created_by uuid DEFAULT public.change_author() NOT NULL,
    modified_date timestamp(3) with time zone,
    modified_by uuid,
    revision integer DEFAULT 1 NOT NULL,
    user_id integer NOT NULL,
    profile_id character varying(50) NOT NULL,
    role_id character varying(50) NOT NULL,
    managed_by character varying(100),
    valid_until timestamp(3) with time zone,
    last_used_at timestamp(3) with time zone
);
COMMENT ON TABLE public.user_profiles IS 'A link: the user holds the profile in a role.';
ALTER TABLE public.user_profiles ALTER COLUMN user_profile_id ADD GENERATED BY DEFAULT AS IDENTITY (
    SEQUENCE NAME public.user_profiles_user_profile_id_seq
    START WITH 1
    INCREMENT BY 1
    NO MINVALUE
    NO MAXVALUE
    CACHE 1
);
CREATE TABLE public.users (
    user_id integer NOT NULL,
    user_guid uuid DEFAULT gen_random_uuid() NOT NULL,
    salutation character varying(50),
    title character varying(50),
    first_name character varying(255),
    last_name character varying(255),
    idpname character varying(255),
    idpid character varying(255),
    telephone character varying(50),
    email character varying(320),
    status character varying(50),
    status_id integer,
    last_login_date timestamp(3) with time zone,
    job_title character varying(255),
    job_title_additional character varying(255),
    job_title_id integer,
    department character varying(255),
    language_preference character varying(35),
    email_subscriptions text,
    notification_options text,
    anbversion character varying(50),
    anbacceptance_date timestamp(3) with time zone,
    assigned_customer_support_guid uuid,
    invited_by uuid,
    invitation_date timestamp(3) with time zone,
    uipreferences text,
    is_blocked boolean DEFAULT false NOT NULL,
    created_date timestamp(3) with time zone DEFAULT now() NOT NULL,
    created_by uuid DEFAULT public.change_author() NOT NULL,
    modified_date timestamp(3) with time zone,
    modified_by uuid,
    revision integer DEFAULT 1 NOT NULL,
    imported_is_blocked boolean,
    user_name character varying(320),
    deprovisioned_at timestamp(3) with time zone
);
COMMENT ON TABLE public.users IS 'A person who signs in at an identity provider.';
ALTER TABLE public.users ALTER COLUMN user_id ADD GENERATED BY DEFAULT AS IDENTITY (
    SEQUENCE NAME public.users_user_id_seq
    START WITH 1
    INCREMENT BY 1
    NO MINVALUE
    NO MAXVALUE
    CACHE 1
);
ALTER TABLE ONLY public.migrations ALTER COLUMN id SET DEFAULT nextval('public.migrations_id_seq'::regclass);
INSERT INTO public.access_scope_types VALUES (2147483601, 'ad300000-0000-4000-8000-000000000000', 'admin', 'Administration of Gatehouse; reserved.', NULL, true, '2026-11-27 15:26:24.724+00', '00000000-0000-0000-0000-000000000001', NULL, NULL, 1, NULL);
INSERT INTO public.access_scopes VALUES (2147483601, 'ad300000-0000-4000-8000-000000000001', 'Administration: read', 'read', NULL, NULL, NULL, false, true, '2026-11-27 15:26:24.724+00', '00000000-0000-0000-0000-000000000001', NULL, NULL, 1, 2147483601, NULL);
INSERT INTO public.access_scopes VALUES (2147483602, 'ad300000-0000-4000-8000-000000000002', 'Administration: write', 'write', NULL, NULL, NULL, false, true, '2026-11-27 15:26:24.724+00', '00000000-0000-0000-0000-000000000001', NULL, NULL, 1, 2147483601, NULL);
INSERT INTO public.access_scopes VALUES (2147483603, 'ad300000-0000-4000-8000-000000000003', 'Administration: security', 'security', NULL, NULL, NULL, false, true, '2026-11-27 15:26:24.724+00', '00000000-0000-0000-0000-000000000001', NULL, NULL, 1, 2147483601, NULL);
INSERT INTO public.catalogue_version VALUES (2, true, '0e7e255f-22f9-47d9-b866-e4e3c3743f34');
INSERT INTO public.migrations VALUES (1, 'Migration20261121090544', '2026-11-27 15:26:24.612605+00');
INSERT INTO public.migrations VALUES (2, 'Migration20261121090600', '2026-11-27 15:26:24.723818+00');
INSERT INTO public.migrations VALUES (3, 'Migration20261121094711', '2026-11-27 15:26:24.72746+00');
INSERT INTO public.migrations VALUES (4, 'Migration20261121101800', '2026-11-27 15:26:24.730054+00');
INSERT INTO public.migrations VALUES (5, 'Migration20261121103801', '2026-11-27 15:26:24.733297+00');
INSERT INTO public.migrations VALUES (6, 'Migration20261121233939', '2026-11-27 15:26:24.735329+00');
INSERT INTO public.migrations VALUES (7, 'Migration20261121235600', '2026-11-27 15:26:24.738185+00');
INSERT INTO public.migrations VALUES (8, 'Migration20261122000100', '2026-11-27 15:26:24.740298+00');
INSERT INTO public.migrations VALUES (9, 'Migration20261122000204', '2026-11-27 15:26:24.744465+00');
INSERT INTO public.migrations VALUES (10, 'Migration20261122000205', '2026-11-27 15:26:24.753982+00');
INSERT INTO public.migrations VALUES (11, 'Migration20261122000206', '2026-11-27 15:26:24.754526+00');
INSERT INTO public.migrations VALUES (12, 'Migration20261122000231', '2026-11-27 15:26:24.765239+00');
INSERT INTO public.migrations VALUES (13, 'Migration20261122002827', '2026-11-27 15:26:24.767597+00');
INSERT INTO public.migrations VALUES (14, 'Migration20261122011023', '2026-11-27 15:26:24.76928+00');
INSERT INTO public.migrations VALUES (15, 'Migration20261122011045', '2026-11-27 15:26:24.771161+00');
INSERT INTO public.migrations VALUES (16, 'Migration20261122043436', '2026-11-27 15:26:24.773869+00');
INSERT INTO public.migrations VALUES (17, 'Migration20261122050109', '2026-11-27 15:26:24.775754+00');
INSERT INTO public.migrations VALUES (18, 'Migration20261122051540', '2026-11-27 15:26:24.77911+00');
INSERT INTO public.migrations VALUES (19, 'Migration20261122051947', '2026-11-27 15:26:24.831652+00');
INSERT INTO public.migrations VALUES (20, 'Migration20261122053000', '2026-11-27 15:26:24.845501+00');
INSERT INTO public.migrations VALUES (21, 'Migration20261122054113', '2026-11-27 15:26:24.84587+00');
INSERT INTO public.migrations VALUES (22, 'Migration20261122055453', '2026-11-27 15:26:24.850801+00');
INSERT INTO public.migrations VALUES (23, 'Migration20261122060157', '2026-11-27 15:26:24.85456+00');
INSERT INTO public.migrations VALUES (24, 'Migration20261122062343', '2026-11-27 15:26:24.858603+00');
INSERT INTO public.migrations VALUES (25, 'Migration20261122063435', '2026-11-27 15:26:24.862098+00');
INSERT INTO public.migrations VALUES (26, 'Migration20261122075926', '2026-11-27 15:26:24.86387+00');
INSERT INTO public.migrations VALUES (27, 'Migration20261122083000', '2026-11-27 15:26:24.866966+00');
INSERT INTO public.migrations VALUES (28, 'Migration20261122084654', '2026-11-27 15:26:24.868462+00');
INSERT INTO public.migrations VALUES (29, 'Migration20261122111452', '2026-11-27 15:26:24.869783+00');
INSERT INTO public.migrations VALUES (30, 'Migration20261122112946', '2026-11-27 15:26:24.872095+00');
INSERT INTO public.migrations VALUES (31, 'Migration20261122114200', '2026-11-27 15:26:24.878402+00');
INSERT INTO public.migrations VALUES (32, 'Migration20261123082000', '2026-11-27 15:26:24.878804+00');
INSERT INTO public.migrations VALUES (33, 'Migration20261123093500', '2026-11-27 15:26:24.880774+00');
INSERT INTO public.migrations VALUES (34, 'Migration20261123111323', '2026-11-27 15:26:24.884079+00');
INSERT INTO public.migrations VALUES (35, 'Migration20261123120000', '2026-11-27 15:26:24.885366+00');
INSERT INTO public.migrations VALUES (36, 'Migration20261123151000', '2026-11-27 15:26:24.894508+00');
INSERT INTO public.migrations VALUES (37, 'Migration20261123151100', '2026-11-27 15:26:24.899427+00');
INSERT INTO public.migrations VALUES (38, 'Migration20261123153000', '2026-11-27 15:26:24.902296+00');
INSERT INTO public.migrations VALUES (39, 'Migration20261123153100', '2026-11-27 15:26:24.916043+00');
INSERT INTO public.migrations VALUES (40, 'Migration20261123154000', '2026-11-27 15:26:24.91642+00');
INSERT INTO public.migrations VALUES (41, 'Migration20261123154100', '2026-11-27 15:26:24.918718+00');
INSERT INTO public.migrations VALUES (42, 'Migration20261123162859', '2026-11-27 15:26:24.920862+00');
INSERT INTO public.migrations VALUES (43, 'Migration20261123190000', '2026-11-27 15:26:24.924109+00');
INSERT INTO public.migrations VALUES (44, 'Migration20261123190100', '2026-11-27 15:26:24.930086+00');
INSERT INTO public.migrations VALUES (45, 'Migration20261123194000', '2026-11-27 15:26:24.930395+00');
INSERT INTO public.migrations VALUES (46, 'Migration20261123194100', '2026-11-27 15:26:24.931869+00');
INSERT INTO public.migrations VALUES (47, 'Migration20261124030100', '2026-11-27 15:26:24.941638+00');
INSERT INTO public.migrations VALUES (48, 'Migration20261125191148', '2026-11-27 15:26:24.955041+00');
INSERT INTO public.migrations VALUES (49, 'Migration20261125192500', '2026-11-27 15:26:24.956768+00');
SELECT pg_catalog.setval('public.access_scope_applications_map_access_scope_applications_map_seq', 1, false);
SELECT pg_catalog.setval('public.access_scope_type_application_access_scope_type_application_seq', 1, false);
SELECT pg_catalog.setval('public.access_scope_types_access_scope_type_id_seq', 1, true);
SELECT pg_catalog.setval('public.access_scopes_access_scope_id_seq', 3, true);
SELECT pg_catalog.setval('public.applications_application_id_seq', 1, false);
SELECT pg_catalog.setval('public.audit_events_audit_event_id_seq', 1, false);
SELECT pg_catalog.setval('public.catalogue_version_version_seq', 1, false);
SELECT pg_catalog.setval('public.change_sets_change_set_id_seq', 1, false);
SELECT pg_catalog.setval('public.migrations_id_seq', 49, true);
SELECT pg_catalog.setval('public.policy_verdicts_policy_verdict_id_seq', 1, false);
SELECT pg_catalog.setval('public.profile_access_scopes_profile_access_scope_id_seq', 1, false);
SELECT pg_catalog.setval('public.proposals_proposal_id_seq', 1, false);
SELECT pg_catalog.setval('public.record_versions_record_version_id_seq', 1, false);
SELECT pg_catalog.setval('public.refused_requests_refused_request_id_seq', 1, false);
SELECT pg_catalog.setval('public.review_items_review_item_id_seq', 1, false);
SELECT pg_catalog.setval('public.reviews_review_id_seq', 1, false);
SELECT pg_catalog.setval('public.tokens_id_seq', 1, false);
SELECT pg_catalog.setval('public.translations_translation_id_seq', 1, false);
SELECT pg_catalog.setval('public.usages_usage_id_seq', 1, false);
SELECT pg_catalog.setval('public.user_profiles_user_profile_id_seq', 1, false);
SELECT pg_catalog.setval('public.users_user_id_seq', 1, false);
ALTER TABLE ONLY public.access_scope_applications_mappers
    ADD CONSTRAINT access_scope_applications_mappers_application_id__c6a4d_unique UNIQUE (application_id, access_scope_id);
ALTER TABLE ONLY public.access_scope_applications_mappers
    ADD CONSTRAINT access_scope_applications_mappers_pkey PRIMARY KEY (access_scope_applications_mapper_id);
ALTER TABLE ONLY public.access_scope_type_applications_mappers
    ADD CONSTRAINT access_scope_type_applications_mappers_applicatio_a6e34_unique UNIQUE (application_id, access_scope_type_id);
ALTER TABLE ONLY public.access_scope_type_applications_mappers
    ADD CONSTRAINT access_scope_type_applications_mappers_pkey PRIMARY KEY (access_scope_type_applications_mapper_id);
ALTER TABLE ONLY public.access_scope_types
    ADD CONSTRAINT access_scope_types_access_scope_type_guid_unique UNIQUE (access_scope_type_guid);
ALTER TABLE ONLY public.access_scope_types
    ADD CONSTRAINT access_scope_types_name_unique UNIQUE (name);
ALTER TABLE ONLY public.access_scope_types
    ADD CONSTRAINT access_scope_types_pkey PRIMARY KEY (access_scope_type_id);
ALTER TABLE ONLY public.access_scopes
    ADD CONSTRAINT access_scopes_access_scope_guid_unique UNIQUE (access_scope_guid);
ALTER TABLE ONLY public.access_scopes
    ADD CONSTRAINT access_scopes_pkey PRIMARY KEY (access_scope_id);
ALTER TABLE ONLY public.applications
    ADD CONSTRAINT applications_application_guid_unique UNIQUE (application_guid);
ALTER TABLE ONLY public.applications
    ADD CONSTRAINT applications_pkey PRIMARY KEY (application_id);
ALTER TABLE ONLY public.audit_events
    ADD CONSTRAINT audit_events_pkey PRIMARY KEY (audit_event_id);
ALTER TABLE ONLY public.catalogue_version
    ADD CONSTRAINT catalogue_version_is_only_unique UNIQUE (is_only);
ALTER TABLE ONLY public.catalogue_version
    ADD CONSTRAINT catalogue_version_pkey PRIMARY KEY (version);
ALTER TABLE ONLY public.change_sets
    ADD CONSTRAINT change_sets_change_set_guid_unique UNIQUE (change_set_guid);
ALTER TABLE ONLY public.change_sets
    ADD CONSTRAINT change_sets_pkey PRIMARY KEY (change_set_id);
ALTER TABLE ONLY public.clients
    ADD CONSTRAINT clients_pkey PRIMARY KEY (client_id);
ALTER TABLE ONLY public.connectors
    ADD CONSTRAINT connectors_connector_guid_unique UNIQUE (connector_guid);
ALTER TABLE ONLY public.connectors
    ADD CONSTRAINT connectors_pkey PRIMARY KEY (connector_id);
ALTER TABLE ONLY public.connectors
    ADD CONSTRAINT connectors_previous_token_hash_unique UNIQUE (previous_token_hash);
ALTER TABLE ONLY public.connectors
    ADD CONSTRAINT connectors_token_hash_unique UNIQUE (token_hash);
ALTER TABLE ONLY public.console_sessions
    ADD CONSTRAINT console_sessions_pkey PRIMARY KEY (session_hash);
ALTER TABLE ONLY public.housekeeping_runs
    ADD CONSTRAINT housekeeping_runs_pkey PRIMARY KEY (task);
ALTER TABLE ONLY public.id_token_uses
    ADD CONSTRAINT id_token_uses_pkey PRIMARY KEY (use_hash);
ALTER TABLE ONLY public.migrations
    ADD CONSTRAINT migrations_pkey PRIMARY KEY (id);
ALTER TABLE ONLY public.policy_verdicts
    ADD CONSTRAINT policy_verdicts_client_id_operation_verdict_unique UNIQUE (client_id, operation, verdict);
ALTER TABLE ONLY public.policy_verdicts
    ADD CONSTRAINT policy_verdicts_pkey PRIMARY KEY (policy_verdict_id);
ALTER TABLE ONLY public.profile_access_scopes
    ADD CONSTRAINT profile_access_scopes_pkey PRIMARY KEY (profile_access_scope_id);
ALTER TABLE ONLY public.profile_access_scopes
    ADD CONSTRAINT profile_access_scopes_profile_id_access_scope_id_unique UNIQUE (profile_id, access_scope_id);
ALTER TABLE ONLY public.profiles
    ADD CONSTRAINT profiles_external_group_unique UNIQUE (external_group);
ALTER TABLE ONLY public.profiles
    ADD CONSTRAINT profiles_pkey PRIMARY KEY (profile_id);
ALTER TABLE ONLY public.proposals
    ADD CONSTRAINT proposals_change_set_guid_unique UNIQUE (change_set_guid);
ALTER TABLE ONLY public.proposals
    ADD CONSTRAINT proposals_pkey PRIMARY KEY (proposal_id);
ALTER TABLE ONLY public.proposals
    ADD CONSTRAINT proposals_proposal_guid_unique UNIQUE (proposal_guid);
ALTER TABLE ONLY public.provider_sessions
    ADD CONSTRAINT provider_sessions_pkey PRIMARY KEY (token_guid);
ALTER TABLE ONLY public.provider_sign_outs
    ADD CONSTRAINT provider_sign_outs_pkey PRIMARY KEY (name_hash);
ALTER TABLE ONLY public.rate_limits
    ADD CONSTRAINT rate_limits_pkey PRIMARY KEY (key);
ALTER TABLE ONLY public.record_versions
    ADD CONSTRAINT record_versions_pkey PRIMARY KEY (record_version_id);
ALTER TABLE ONLY public.refused_requests
    ADD CONSTRAINT refused_requests_pkey PRIMARY KEY (refused_request_id);
ALTER TABLE ONLY public.review_items
    ADD CONSTRAINT review_items_item_guid_unique UNIQUE (item_guid);
ALTER TABLE ONLY public.review_items
    ADD CONSTRAINT review_items_pkey PRIMARY KEY (review_item_id);
ALTER TABLE ONLY public.reviews
    ADD CONSTRAINT reviews_change_set_guid_unique UNIQUE (change_set_guid);
ALTER TABLE ONLY public.reviews
    ADD CONSTRAINT reviews_pkey PRIMARY KEY (review_id);
ALTER TABLE ONLY public.reviews
    ADD CONSTRAINT reviews_review_guid_unique UNIQUE (review_guid);
ALTER TABLE ONLY public.roles
    ADD CONSTRAINT roles_pkey PRIMARY KEY (role_id);
ALTER TABLE ONLY public.signing_keys
    ADD CONSTRAINT signing_keys_pkey PRIMARY KEY (kid);
ALTER TABLE ONLY public.single_uses
    ADD CONSTRAINT single_uses_pkey PRIMARY KEY (use_hash);
ALTER TABLE ONLY public.tokens
    ADD CONSTRAINT tokens_pkey PRIMARY KEY (id);
ALTER TABLE ONLY public.tokens
    ADD CONSTRAINT tokens_token_guid_unique UNIQUE (token_guid);
ALTER TABLE ONLY public.translations
    ADD CONSTRAINT translations_pkey PRIMARY KEY (translation_id);
ALTER TABLE ONLY public.translations
    ADD CONSTRAINT translations_translation_group_field_name_language_code_unique UNIQUE (translation_group, field_name, language_code);
ALTER TABLE ONLY public.tried_changes
    ADD CONSTRAINT tried_changes_pkey PRIMARY KEY (effect_id);
ALTER TABLE ONLY public.usages
    ADD CONSTRAINT usages_client_id_caller_operation_option_media_ty_112b5_unique UNIQUE (client_id, caller, operation, option, media_type, product);
ALTER TABLE ONLY public.usages
    ADD CONSTRAINT usages_pkey PRIMARY KEY (usage_id);
ALTER TABLE ONLY public.user_profiles
    ADD CONSTRAINT user_profiles_pkey PRIMARY KEY (user_profile_id);
ALTER TABLE ONLY public.user_profiles
    ADD CONSTRAINT user_profiles_user_id_profile_id_role_id_unique UNIQUE (user_id, profile_id, role_id);
ALTER TABLE ONLY public.users
    ADD CONSTRAINT users_idpname_idpid_unique UNIQUE (idpname, idpid);
ALTER TABLE ONLY public.users
    ADD CONSTRAINT users_pkey PRIMARY KEY (user_id);
ALTER TABLE ONLY public.users
    ADD CONSTRAINT users_user_guid_unique UNIQUE (user_guid);
CREATE INDEX access_scope_applications_mappers_access_scope_id_index ON public.access_scope_applications_mappers USING btree (access_scope_id);
CREATE INDEX access_scope_type_applications_mappers_access_scop_fa05e_index ON public.access_scope_type_applications_mappers USING btree (access_scope_type_id);
CREATE INDEX access_scopes_access_scope_type_id_index ON public.access_scopes USING btree (access_scope_type_id);
CREATE INDEX access_scopes_words_index ON public.access_scopes USING gin (array_to_tsvector(array_remove(regexp_split_to_array(lower((((COALESCE(name, ''::character varying))::text || ' '::text) || (COALESCE(access_scope_key, ''::character varying))::text)), '[\s!-/:-@\[-\u0060{-~]+'::text), ''::text))) WITH (fastupdate=off);
CREATE INDEX applications_words_index ON public.applications USING gin (array_to_tsvector(array_remove(regexp_split_to_array(lower((COALESCE(name, ''::character varying))::text), '[\s!-/:-@\[-\u0060{-~]+'::text), ''::text))) WITH (fastupdate=off);
CREATE INDEX audit_events_change_set_id_index ON public.audit_events USING btree (change_set_id);
CREATE INDEX audit_events_subject_type_subject_id_index ON public.audit_events USING btree (subject_type, subject_id);
CREATE INDEX change_sets_occurred_at_index ON public.change_sets USING btree (occurred_at);
CREATE INDEX change_sets_trace_id_index ON public.change_sets USING btree (trace_id);
CREATE INDEX change_sets_undoes_id_index ON public.change_sets USING btree (undoes_id);
CREATE INDEX clients_words_index ON public.clients USING gin (array_to_tsvector(array_remove(regexp_split_to_array(lower((((COALESCE(name, ''::character varying))::text || ' '::text) || (COALESCE(client_id, ''::character varying))::text)), '[\s!-/:-@\[-\u0060{-~]+'::text), ''::text))) WITH (fastupdate=off);
CREATE INDEX connectors_role_id_index ON public.connectors USING btree (role_id);
CREATE INDEX console_sessions_ends_at_index ON public.console_sessions USING btree (ends_at);
CREATE INDEX console_sessions_provider_session_index ON public.console_sessions USING btree (provider_session);
CREATE INDEX console_sessions_user_guid_index ON public.console_sessions USING btree (user_guid);
CREATE INDEX id_token_uses_ends_at_index ON public.id_token_uses USING btree (ends_at);
CREATE INDEX profile_access_scopes_access_scope_id_index ON public.profile_access_scopes USING btree (access_scope_id);
CREATE INDEX profile_access_scopes_valid_until_index ON public.profile_access_scopes USING btree (valid_until) WHERE (valid_until IS NOT NULL);
CREATE INDEX profiles_words_index ON public.profiles USING gin (array_to_tsvector(array_remove(regexp_split_to_array(lower((((COALESCE(name, ''::character varying))::text || ' '::text) || (COALESCE(profile_id, ''::character varying))::text)), '[\s!-/:-@\[-\u0060{-~]+'::text), ''::text))) WITH (fastupdate=off);
CREATE INDEX proposals_proposed_by_index ON public.proposals USING btree (proposed_by);
CREATE INDEX proposals_state_apply_at_index ON public.proposals USING btree (state, apply_at);
CREATE INDEX provider_sessions_session_hash_index ON public.provider_sessions USING btree (session_hash);
CREATE INDEX provider_sign_outs_ends_at_index ON public.provider_sign_outs USING btree (ends_at);
CREATE INDEX record_versions_change_set_id_index ON public.record_versions USING btree (change_set_id);
CREATE INDEX record_versions_of_access_scope_id_index ON public.record_versions USING btree (((COALESCE(after, before) ->> 'access_scope_id'::text)), record_version_id) WHERE (record_table in ('access_scope_applications_mappers', 'profile_access_scopes'));
CREATE INDEX record_versions_of_access_scope_type_id_index ON public.record_versions USING btree (((COALESCE(after, before) ->> 'access_scope_type_id'::text)), record_version_id) WHERE ((record_table)::text = 'access_scope_type_applications_mappers'::text);
CREATE INDEX record_versions_of_application_id_index ON public.record_versions USING btree (((COALESCE(after, before) ->> 'application_id'::text)), record_version_id) WHERE (record_table in ('access_scope_applications_mappers', 'access_scope_type_applications_mappers'));
CREATE INDEX record_versions_of_profile_id_index ON public.record_versions USING btree (((COALESCE(after, before) ->> 'profile_id'::text)), record_version_id) WHERE (record_table in ('profile_access_scopes', 'user_profiles'));
CREATE INDEX record_versions_of_translation_group_index ON public.record_versions USING btree (((COALESCE(after, before) ->> 'translation_group'::text)), record_version_id) WHERE ((record_table)::text = 'translations'::text);
CREATE INDEX record_versions_of_user_id_index ON public.record_versions USING btree (((COALESCE(after, before) ->> 'user_id'::text)), record_version_id) WHERE ((record_table)::text = 'user_profiles'::text);
CREATE INDEX record_versions_record_table_record_key_index ON public.record_versions USING btree (record_table, record_key);
CREATE INDEX refused_requests_trace_id_index ON public.refused_requests USING btree (trace_id);
CREATE INDEX review_items_review_id_index ON public.review_items USING btree (review_id);
CREATE INDEX review_items_review_id_review_item_id_index ON public.review_items USING btree (review_id, review_item_id);
CREATE INDEX reviews_state_due_at_index ON public.reviews USING btree (state, due_at);
CREATE INDEX single_uses_ends_at_index ON public.single_uses USING btree (ends_at);
CREATE INDEX tokens_user_id_index ON public.tokens USING btree (user_id);
CREATE INDEX tried_changes_actor_ends_at_index ON public.tried_changes USING btree (actor, ends_at);
CREATE INDEX tried_changes_ends_at_index ON public.tried_changes USING btree (ends_at);
CREATE INDEX user_profiles_managed_by_index ON public.user_profiles USING btree (profile_id, managed_by, user_id) WHERE (managed_by IS NOT NULL);
CREATE INDEX user_profiles_profile_id_index ON public.user_profiles USING btree (profile_id);
CREATE INDEX user_profiles_role_id_index ON public.user_profiles USING btree (role_id);
CREATE INDEX user_profiles_valid_until_index ON public.user_profiles USING btree (valid_until) WHERE (valid_until IS NOT NULL);
CREATE INDEX users_idpname_email_index ON public.users USING btree (idpname, lower((email)::text)) WHERE (user_name IS NOT NULL);
CREATE INDEX users_idpname_shown_name_index ON public.users USING btree (idpname, lower((COALESCE(user_name, email, idpid, ((user_guid)::text)::character varying))::text));
CREATE UNIQUE INDEX users_idpname_user_name_unique ON public.users USING btree (idpname, lower((user_name)::text)) WHERE (user_name IS NOT NULL);
CREATE INDEX users_words_index ON public.users USING gin (array_to_tsvector(array_remove(regexp_split_to_array(lower((((((((COALESCE(first_name, ''::character varying))::text || ' '::text) || (COALESCE(last_name, ''::character varying))::text) || ' '::text) || (COALESCE(email, ''::character varying))::text) || ' '::text) || (COALESCE(idpid, ''::character varying))::text)), '[\s!-/:-@\[-\u0060{-~]+'::text), ''::text))) WITH (fastupdate='on', gin_pending_list_limit='1024');
CREATE TRIGGER catalogue_version_nonce BEFORE UPDATE ON public.catalogue_version FOR EACH ROW EXECUTE FUNCTION public.catalogue_version_nonce();
CREATE TRIGGER change_past_service AFTER UPDATE OF user_id, salutation, title, first_name, last_name, idpname, idpid, telephone, email, status, status_id, job_title, job_title_additional, job_title_id, department, language_preference, email_subscriptions, notification_options, anbversion, anbacceptance_date, assigned_customer_support_guid, invited_by, invitation_date, uipreferences, created_date, created_by, modified_date, modified_by, revision, user_name, deprovisioned_at ON public.users FOR EACH ROW WHEN (((COALESCE(current_setting('gatehouse.change'::text, true), ''::text) = ''::text) AND (old.* IS DISTINCT FROM new.*))) EXECUTE FUNCTION public.change_past_service();
CREATE CONSTRAINT TRIGGER change_set_commits AFTER INSERT ON public.change_sets DEFERRABLE INITIALLY DEFERRED FOR EACH ROW EXECUTE FUNCTION public.change_set_commits();
CREATE TRIGGER delete_tokens_of_users AFTER DELETE ON public.users REFERENCING OLD TABLE AS gone FOR EACH STATEMENT EXECUTE FUNCTION public.delete_tokens_of_users();
CREATE TRIGGER stamp_change BEFORE UPDATE ON public.access_scope_applications_mappers FOR EACH ROW WHEN ((old.* IS DISTINCT FROM new.*)) EXECUTE FUNCTION public.stamp_change();
CREATE TRIGGER stamp_change BEFORE UPDATE ON public.access_scope_type_applications_mappers FOR EACH ROW WHEN ((old.* IS DISTINCT FROM new.*)) EXECUTE FUNCTION public.stamp_change();
CREATE TRIGGER stamp_change BEFORE UPDATE ON public.access_scope_types FOR EACH ROW WHEN ((old.* IS DISTINCT FROM new.*)) EXECUTE FUNCTION public.stamp_change();
CREATE TRIGGER stamp_change BEFORE UPDATE ON public.access_scopes FOR EACH ROW WHEN ((old.* IS DISTINCT FROM new.*)) EXECUTE FUNCTION public.stamp_change();
CREATE TRIGGER stamp_change BEFORE UPDATE ON public.applications FOR EACH ROW WHEN ((old.* IS DISTINCT FROM new.*)) EXECUTE FUNCTION public.stamp_change();
CREATE TRIGGER stamp_change BEFORE UPDATE ON public.profile_access_scopes FOR EACH ROW WHEN ((old.* IS DISTINCT FROM new.*)) EXECUTE FUNCTION public.stamp_change();
CREATE TRIGGER stamp_change BEFORE UPDATE ON public.profiles FOR EACH ROW WHEN ((old.* IS DISTINCT FROM new.*)) EXECUTE FUNCTION public.stamp_change();
CREATE TRIGGER stamp_change BEFORE UPDATE ON public.roles FOR EACH ROW WHEN ((old.* IS DISTINCT FROM new.*)) EXECUTE FUNCTION public.stamp_change();
CREATE TRIGGER stamp_change BEFORE UPDATE ON public.user_profiles FOR EACH ROW WHEN ((old.* IS DISTINCT FROM new.*)) EXECUTE FUNCTION public.stamp_change();
CREATE TRIGGER stamp_change BEFORE UPDATE OF user_id, user_guid, salutation, title, first_name, last_name, idpname, idpid, telephone, email, status, status_id, job_title, job_title_additional, job_title_id, department, language_preference, email_subscriptions, notification_options, anbversion, anbacceptance_date, assigned_customer_support_guid, invited_by, invitation_date, uipreferences, is_blocked, created_date, created_by, modified_date, modified_by, revision, user_name, deprovisioned_at ON public.users FOR EACH ROW WHEN ((old.* IS DISTINCT FROM new.*)) EXECUTE FUNCTION public.stamp_change();
CREATE TRIGGER write_audit_event AFTER UPDATE OF user_id, user_guid, salutation, title, first_name, last_name, idpname, idpid, telephone, email, status, status_id, job_title, job_title_additional, job_title_id, department, language_preference, email_subscriptions, notification_options, anbversion, anbacceptance_date, assigned_customer_support_guid, invited_by, invitation_date, uipreferences, is_blocked, created_date, created_by, modified_date, modified_by, revision, user_name, deprovisioned_at ON public.users FOR EACH ROW WHEN ((old.* IS DISTINCT FROM new.*)) EXECUTE FUNCTION public.write_audit_event_of_user();
CREATE TRIGGER write_audit_events AFTER INSERT ON public.record_versions REFERENCING NEW TABLE AS new_versions FOR EACH STATEMENT EXECUTE FUNCTION public.write_audit_events();
CREATE TRIGGER write_versions_delete AFTER DELETE ON public.access_scope_applications_mappers REFERENCING OLD TABLE AS old_rows FOR EACH STATEMENT EXECUTE FUNCTION public.write_versions_delete('access_scope_applications_mapper_id');
CREATE TRIGGER write_versions_delete AFTER DELETE ON public.access_scope_type_applications_mappers REFERENCING OLD TABLE AS old_rows FOR EACH STATEMENT EXECUTE FUNCTION public.write_versions_delete('access_scope_type_applications_mapper_id');
CREATE TRIGGER write_versions_delete AFTER DELETE ON public.access_scope_types REFERENCING OLD TABLE AS old_rows FOR EACH STATEMENT EXECUTE FUNCTION public.write_versions_delete('access_scope_type_guid');
CREATE TRIGGER write_versions_delete AFTER DELETE ON public.access_scopes REFERENCING OLD TABLE AS old_rows FOR EACH STATEMENT EXECUTE FUNCTION public.write_versions_delete('access_scope_guid');
CREATE TRIGGER write_versions_delete AFTER DELETE ON public.applications REFERENCING OLD TABLE AS old_rows FOR EACH STATEMENT EXECUTE FUNCTION public.write_versions_delete('application_guid');
CREATE TRIGGER write_versions_delete AFTER DELETE ON public.profile_access_scopes REFERENCING OLD TABLE AS old_rows FOR EACH STATEMENT EXECUTE FUNCTION public.write_versions_delete('profile_access_scope_id');
CREATE TRIGGER write_versions_delete AFTER DELETE ON public.profiles REFERENCING OLD TABLE AS old_rows FOR EACH STATEMENT EXECUTE FUNCTION public.write_versions_delete('profile_id');
CREATE TRIGGER write_versions_delete AFTER DELETE ON public.roles REFERENCING OLD TABLE AS old_rows FOR EACH STATEMENT EXECUTE FUNCTION public.write_versions_delete('role_id');
CREATE TRIGGER write_versions_delete AFTER DELETE ON public.translations REFERENCING OLD TABLE AS old_rows FOR EACH STATEMENT EXECUTE FUNCTION public.write_versions_delete('translation_id');
CREATE TRIGGER write_versions_delete AFTER DELETE ON public.user_profiles REFERENCING OLD TABLE AS old_rows FOR EACH STATEMENT EXECUTE FUNCTION public.write_versions_delete('user_profile_id', 'user_profile_id,user_id,profile_id,role_id,valid_until,managed_by,created_date,created_by,modified_date,modified_by,revision');
CREATE TRIGGER write_versions_delete AFTER DELETE ON public.users REFERENCING OLD TABLE AS old_rows FOR EACH STATEMENT EXECUTE FUNCTION public.write_versions_delete('user_guid', 'user_id,user_guid,is_blocked');
CREATE TRIGGER write_versions_insert AFTER INSERT ON public.access_scope_applications_mappers REFERENCING NEW TABLE AS new_rows FOR EACH STATEMENT EXECUTE FUNCTION public.write_versions_insert('access_scope_applications_mapper_id');
CREATE TRIGGER write_versions_insert AFTER INSERT ON public.access_scope_type_applications_mappers REFERENCING NEW TABLE AS new_rows FOR EACH STATEMENT EXECUTE FUNCTION public.write_versions_insert('access_scope_type_applications_mapper_id');
CREATE TRIGGER write_versions_insert AFTER INSERT ON public.access_scope_types REFERENCING NEW TABLE AS new_rows FOR EACH STATEMENT EXECUTE FUNCTION public.write_versions_insert('access_scope_type_guid');
CREATE TRIGGER write_versions_insert AFTER INSERT ON public.access_scopes REFERENCING NEW TABLE AS new_rows FOR EACH STATEMENT EXECUTE FUNCTION public.write_versions_insert('access_scope_guid');
CREATE TRIGGER write_versions_insert AFTER INSERT ON public.applications REFERENCING NEW TABLE AS new_rows FOR EACH STATEMENT EXECUTE FUNCTION public.write_versions_insert('application_guid');
CREATE TRIGGER write_versions_insert AFTER INSERT ON public.profile_access_scopes REFERENCING NEW TABLE AS new_rows FOR EACH STATEMENT EXECUTE FUNCTION public.write_versions_insert('profile_access_scope_id');
CREATE TRIGGER write_versions_insert AFTER INSERT ON public.profiles REFERENCING NEW TABLE AS new_rows FOR EACH STATEMENT EXECUTE FUNCTION public.write_versions_insert('profile_id');
CREATE TRIGGER write_versions_insert AFTER INSERT ON public.roles REFERENCING NEW TABLE AS new_rows FOR EACH STATEMENT EXECUTE FUNCTION public.write_versions_insert('role_id');
CREATE TRIGGER write_versions_insert AFTER INSERT ON public.translations REFERENCING NEW TABLE AS new_rows FOR EACH STATEMENT EXECUTE FUNCTION public.write_versions_insert('translation_id');
CREATE TRIGGER write_versions_insert AFTER INSERT ON public.user_profiles REFERENCING NEW TABLE AS new_rows FOR EACH STATEMENT EXECUTE FUNCTION public.write_versions_insert('user_profile_id', 'user_profile_id,user_id,profile_id,role_id,valid_until,managed_by,created_date,created_by,modified_date,modified_by,revision');
CREATE TRIGGER write_versions_insert AFTER INSERT ON public.users REFERENCING NEW TABLE AS new_rows FOR EACH STATEMENT EXECUTE FUNCTION public.write_versions_insert('user_guid', 'user_id,user_guid,is_blocked');
CREATE TRIGGER write_versions_truncate BEFORE TRUNCATE ON public.access_scope_applications_mappers FOR EACH STATEMENT EXECUTE FUNCTION public.write_versions_truncate('access_scope_applications_mapper_id');
CREATE TRIGGER write_versions_truncate BEFORE TRUNCATE ON public.access_scope_type_applications_mappers FOR EACH STATEMENT EXECUTE FUNCTION public.write_versions_truncate('access_scope_type_applications_mapper_id');
CREATE TRIGGER write_versions_truncate BEFORE TRUNCATE ON public.access_scope_types FOR EACH STATEMENT EXECUTE FUNCTION public.write_versions_truncate('access_scope_type_guid');
CREATE TRIGGER write_versions_truncate BEFORE TRUNCATE ON public.access_scopes FOR EACH STATEMENT EXECUTE FUNCTION public.write_versions_truncate('access_scope_guid');
CREATE TRIGGER write_versions_truncate BEFORE TRUNCATE ON public.applications FOR EACH STATEMENT EXECUTE FUNCTION public.write_versions_truncate('application_guid');
CREATE TRIGGER write_versions_truncate BEFORE TRUNCATE ON public.profile_access_scopes FOR EACH STATEMENT EXECUTE FUNCTION public.write_versions_truncate('profile_access_scope_id');
CREATE TRIGGER write_versions_truncate BEFORE TRUNCATE ON public.profiles FOR EACH STATEMENT EXECUTE FUNCTION public.write_versions_truncate('profile_id');
CREATE TRIGGER write_versions_truncate BEFORE TRUNCATE ON public.roles FOR EACH STATEMENT EXECUTE FUNCTION public.write_versions_truncate('role_id');
CREATE TRIGGER write_versions_truncate BEFORE TRUNCATE ON public.translations FOR EACH STATEMENT EXECUTE FUNCTION public.write_versions_truncate('translation_id');
CREATE TRIGGER write_versions_truncate BEFORE TRUNCATE ON public.user_profiles FOR EACH STATEMENT EXECUTE FUNCTION public.write_versions_truncate('user_profile_id');
CREATE TRIGGER write_versions_truncate BEFORE TRUNCATE ON public.users FOR EACH STATEMENT EXECUTE FUNCTION public.write_versions_truncate('user_guid', 'user_id,user_guid,is_blocked');
CREATE TRIGGER write_versions_update AFTER UPDATE ON public.access_scope_applications_mappers REFERENCING OLD TABLE AS old_rows NEW TABLE AS new_rows FOR EACH STATEMENT EXECUTE FUNCTION public.write_versions_update('access_scope_applications_mapper_id');
CREATE TRIGGER write_versions_update AFTER UPDATE ON public.access_scope_type_applications_mappers REFERENCING OLD TABLE AS old_rows NEW TABLE AS new_rows FOR EACH STATEMENT EXECUTE FUNCTION public.write_versions_update('access_scope_type_applications_mapper_id');
CREATE TRIGGER write_versions_update AFTER UPDATE ON public.access_scope_types REFERENCING OLD TABLE AS old_rows NEW TABLE AS new_rows FOR EACH STATEMENT EXECUTE FUNCTION public.write_versions_update('access_scope_type_guid');
CREATE TRIGGER write_versions_update AFTER UPDATE ON public.access_scopes REFERENCING OLD TABLE AS old_rows NEW TABLE AS new_rows FOR EACH STATEMENT EXECUTE FUNCTION public.write_versions_update('access_scope_guid');
CREATE TRIGGER write_versions_update AFTER UPDATE ON public.applications REFERENCING OLD TABLE AS old_rows NEW TABLE AS new_rows FOR EACH STATEMENT EXECUTE FUNCTION public.write_versions_update('application_guid');
CREATE TRIGGER write_versions_update AFTER UPDATE ON public.profile_access_scopes REFERENCING OLD TABLE AS old_rows NEW TABLE AS new_rows FOR EACH STATEMENT EXECUTE FUNCTION public.write_versions_update('profile_access_scope_id');
CREATE TRIGGER write_versions_update AFTER UPDATE ON public.profiles REFERENCING OLD TABLE AS old_rows NEW TABLE AS new_rows FOR EACH STATEMENT EXECUTE FUNCTION public.write_versions_update('profile_id');
CREATE TRIGGER write_versions_update AFTER UPDATE ON public.roles REFERENCING OLD TABLE AS old_rows NEW TABLE AS new_rows FOR EACH STATEMENT EXECUTE FUNCTION public.write_versions_update('role_id');
CREATE TRIGGER write_versions_update AFTER UPDATE ON public.translations REFERENCING OLD TABLE AS old_rows NEW TABLE AS new_rows FOR EACH STATEMENT EXECUTE FUNCTION public.write_versions_update('translation_id');
CREATE TRIGGER write_versions_update AFTER UPDATE ON public.user_profiles REFERENCING OLD TABLE AS old_rows NEW TABLE AS new_rows FOR EACH STATEMENT EXECUTE FUNCTION public.write_versions_update('user_profile_id', 'user_profile_id,user_id,profile_id,role_id,valid_until,managed_by,created_date,created_by,modified_date,modified_by,revision');
CREATE TRIGGER write_versions_update AFTER UPDATE ON public.users FOR EACH ROW WHEN (((old.is_blocked IS DISTINCT FROM new.is_blocked) OR (old.user_guid IS DISTINCT FROM new.user_guid))) EXECUTE FUNCTION public.write_version_of_user('user_guid', 'user_id,user_guid,is_blocked');
ALTER TABLE ONLY public.access_scope_applications_mappers
    ADD CONSTRAINT access_scope_applications_mappers_access_scope_id_foreign FOREIGN KEY (access_scope_id) REFERENCES public.access_scopes(access_scope_id) ON UPDATE CASCADE ON DELETE CASCADE;
ALTER TABLE ONLY public.access_scope_applications_mappers
    ADD CONSTRAINT access_scope_applications_mappers_application_id_foreign FOREIGN KEY (application_id) REFERENCES public.applications(application_id) ON UPDATE CASCADE ON DELETE CASCADE;
ALTER TABLE ONLY public.access_scope_type_applications_mappers
    ADD CONSTRAINT access_scope_type_applications_mappers_access_sc_122ec_foreign FOREIGN KEY (access_scope_type_id) REFERENCES public.access_scope_types(access_scope_type_id) ON UPDATE CASCADE ON DELETE CASCADE;
ALTER TABLE ONLY public.access_scope_type_applications_mappers
    ADD CONSTRAINT access_scope_type_applications_mappers_application_id_foreign FOREIGN KEY (application_id) REFERENCES public.applications(application_id) ON UPDATE CASCADE ON DELETE CASCADE;
ALTER TABLE ONLY public.access_scopes
    ADD CONSTRAINT access_scopes_access_scope_type_id_foreign FOREIGN KEY (access_scope_type_id) REFERENCES public.access_scope_types(access_scope_type_id) ON UPDATE CASCADE ON DELETE RESTRICT;
ALTER TABLE ONLY public.connectors
    ADD CONSTRAINT connectors_role_id_foreign FOREIGN KEY (role_id) REFERENCES public.roles(role_id) ON UPDATE CASCADE ON DELETE RESTRICT;
ALTER TABLE ONLY public.profile_access_scopes
    ADD CONSTRAINT profile_access_scopes_access_scope_id_foreign FOREIGN KEY (access_scope_id) REFERENCES public.access_scopes(access_scope_id) ON UPDATE CASCADE ON DELETE CASCADE;
ALTER TABLE ONLY public.profile_access_scopes
    ADD CONSTRAINT profile_access_scopes_profile_id_foreign FOREIGN KEY (profile_id) REFERENCES public.profiles(profile_id) ON UPDATE CASCADE ON DELETE CASCADE;
ALTER TABLE ONLY public.record_versions
    ADD CONSTRAINT record_versions_change_set_id_foreign FOREIGN KEY (change_set_id) REFERENCES public.change_sets(change_set_id) ON UPDATE CASCADE ON DELETE CASCADE;
ALTER TABLE ONLY public.review_items
    ADD CONSTRAINT review_items_review_id_foreign FOREIGN KEY (review_id) REFERENCES public.reviews(review_id) ON UPDATE CASCADE ON DELETE CASCADE;
ALTER TABLE ONLY public.user_profiles
    ADD CONSTRAINT user_profiles_profile_id_foreign FOREIGN KEY (profile_id) REFERENCES public.profiles(profile_id) ON UPDATE CASCADE ON DELETE CASCADE;
ALTER TABLE ONLY public.user_profiles
    ADD CONSTRAINT user_profiles_role_id_foreign FOREIGN KEY (role_id) REFERENCES public.roles(role_id) ON UPDATE CASCADE ON DELETE RESTRICT;
ALTER TABLE ONLY public.user_profiles
    ADD CONSTRAINT user_profiles_user_id_foreign FOREIGN KEY (user_id) REFERENCES public.users(user_id) ON UPDATE CASCADE ON DELETE CASCADE;
select public.index_user_texts();
