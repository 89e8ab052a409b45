/**
 * The data of the graph view and of the list: applications × 20 mappings × 2,000 access scopes of 40 types, users,
 * translations, and 3 mappings of types each.
 */
import type { Sql } from '../src/sql.js';

export async function fillGraph(sql: Sql, applications: number): Promise<void> {
  const by = `('00000000-0000-4000-8000-' || lpad((1 + n % 50)::text, 12, '0'))::uuid`;
  const insert = (text: string, count: number) => sql.rows(`${text} from generate_series(1, ${count}) n`);
  await insert(
    `insert into users (user_guid, first_name, last_name, email, created_by)
     select ('00000000-0000-4000-8000-' || lpad(n::text, 12, '0'))::uuid, 'Given ' || n, 'Family ' || n, 'user' || n || '@example.com', ${by}`,
    50,
  );
  await insert(`insert into access_scope_types (name, created_by) select 'type-' || n, ${by}`, 40);
  await insert(
    `insert into access_scopes (name, access_scope_key, description, access_scope_type_id, created_by)
     select 'Access scope ' || n, 'key-' || n, 'What scope ' || n || ' is for', (select min(access_scope_type_id) from access_scope_types where name like 'type-%') + n % 40, ${by}`,
    2_000,
  );
  await insert(
    `insert into applications (name, description, icon_default, icon_hover, app_type, rendering_mode, link_type, global_external_link, translation_group, created_by)
     select 'Application ' || n, 'What application ' || n || ' is for', 'icon.svg', 'hover.svg', 'web', 'tab', 'external', 'https://apps.example.com/' || n, 'application ' || n, ${by}`,
    applications,
  );
  await sql.rows(
    `insert into access_scope_applications_mappers (application_id, access_scope_id, individual_external_link, created_by)
     select a.application_id, first.id + (a.application_id * 37 + m * 101) % 2000, 'https://scopes.example.com/' || a.application_id || '/' || m, a.created_by
     from applications a, generate_series(1, 20) m,
       (select min(access_scope_id) id from access_scopes where name like 'Access scope %') first
     order by a.application_id, m`,
  );
  await sql.rows(
    `insert into access_scope_type_applications_mappers (application_id, access_scope_type_id, created_by)
     select a.application_id, first.id + (a.application_id + m * 7) % 40, a.created_by
     from applications a, generate_series(1, 3) m,
       (select min(access_scope_type_id) id from access_scope_types where name like 'type-%') first
     order by a.application_id, m`,
  );
  await sql.rows(
    `insert into translations (translation_group, field_name, language_code, translated_text)
     select translation_group, 'name', language, name || ' in ' || language
     from applications, unnest(array['de', 'en', 'fr', 'pt']) language order by application_id, language`,
  );
  await sql.rows('vacuum analyze');
}

export const view = `query View($first: Int!, $mappings: Int!) {
  applications(first: $first) {
    nodes {
      applicationId applicationGuid name description appType globalExternalLink isActive createdDate
      createdByNavigation { userGuid firstName lastName email }
      translations { nodes { fieldName languageCode translatedText } }
      accessScopeApplicationsMappers(first: $mappings) {
        nodes {
          accessScopeApplicationsMapperId state individualExternalLink createdDate createdBy
          accessScope {
            accessScopeId accessScopeGuid name accessScopeKey description isActive
            accessScopeType { accessScopeTypeId accessScopeTypeGuid name isActive }
          }
        }
      }
    }
  }
}`;
