/** The floor of the graph view: a bare server that sends six batched prepared statements and stitches their rows. */
import { createServer } from 'node:http';
import pg from 'pg';

const pool = new pg.Pool({ connectionString: process.env.DATABASE_URL, max: 20 });
// times and numbers as JSON has them
const types = new pg.TypeOverrides();
types.setTypeParser(
  1184,
  (text: string) => `${text.slice(0, 10)}T${text.slice(11, 19)}.${(text.slice(20, -3) || '0').padEnd(3, '0')}Z`,
);

type Row = Record<string, never>;
async function ask(name: string, text: string, values: unknown[]): Promise<Row[]> {
  return (await pool.query({ name, text, values, types })).rows;
}
const byKey = (rows: Row[], key: string) => new Map(rows.map((row) => [row[key], row]));
function group(rows: Row[], key: string): Map<unknown, Row[]> {
  const groups = new Map<unknown, Row[]>();
  for (const row of rows) {
    const group = groups.get(row[key]);
    if (group) group.push(row);
    else groups.set(row[key], [row]);
  }
  return groups;
}
const distinct = (rows: Row[], key: string): unknown[] => [...new Set(rows.map((row) => row[key]))];

async function answer(): Promise<string> {
  const applications = await ask(
    'applications',
    `select application_id as "applicationId", application_guid as "applicationGuid", name, description, app_type as "appType",
       global_external_link as "globalExternalLink", is_active as "isActive", created_date as "createdDate",
       created_by, translation_group from applications order by application_id limit $1`,
    [50],
  );
  const [mappers, users, translations] = await Promise.all([
    ask(
      'mappers',
      `select application_id, access_scope_applications_mapper_id as "accessScopeApplicationsMapperId", state,
         individual_external_link as "individualExternalLink", created_date as "createdDate", created_by as "createdBy",
         access_scope_id from access_scope_applications_mappers where application_id = any($1) order by access_scope_applications_mapper_id`,
      [applications.map(({ applicationId }) => applicationId)],
    ),
    ask(
      'users',
      `select user_guid as "userGuid", first_name as "firstName", last_name as "lastName", email from users where user_guid = any($1)`,
      [distinct(applications, 'created_by')],
    ),
    ask(
      'translations',
      `select translation_group, field_name as "fieldName", language_code as "languageCode", translated_text as "translatedText"
       from translations where translation_group = any($1) order by translation_id`,
      [distinct(applications, 'translation_group')],
    ),
  ]);
  const scopes = await ask(
    'scopes',
    `select access_scope_id as "accessScopeId", access_scope_guid as "accessScopeGuid", name, access_scope_key as "accessScopeKey",
       description, is_active as "isActive", access_scope_type_id from access_scopes where access_scope_id = any($1)`,
    [distinct(mappers, 'access_scope_id')],
  );
  const kinds = await ask(
    'types',
    `select access_scope_type_id as "accessScopeTypeId", access_scope_type_guid as "accessScopeTypeGuid", name, is_active as "isActive"
     from access_scope_types where access_scope_type_id = any($1)`,
    [distinct(scopes, 'access_scope_type_id')],
  );
  const kindOf = byKey(kinds, 'accessScopeTypeId');
  const scopeOf = new Map(
    scopes.map(({ access_scope_type_id, ...scope }) => [
      (scope as Row).accessScopeId,
      { ...scope, accessScopeType: kindOf.get(access_scope_type_id!) },
    ]),
  );
  const userOf = byKey(users, 'userGuid');
  const mappersOf = group(mappers, 'application_id');
  const translationsOf = group(translations, 'translation_group');
  const nodes = applications.map(({ created_by, translation_group, ...application }) => ({
    ...application,
    createdByNavigation: userOf.get(created_by!) ?? null,
    translations: {
      nodes: (translationsOf.get(translation_group) ?? []).map(({ translation_group: _, ...text }) => text),
    },
    accessScopeApplicationsMappers: {
      nodes: (mappersOf.get((application as Row).applicationId) ?? []).map(
        ({ application_id: _, access_scope_id, ...mapper }) => ({
          ...mapper,
          accessScope: scopeOf.get(access_scope_id!),
        }),
      ),
    },
  }));
  return JSON.stringify({ data: { applications: { nodes } } });
}

const server = createServer((request, response) => {
  request.resume();
  request.once('end', () => {
    answer().then(
      (text) => response.setHeader('content-type', 'application/json').end(text),
      (error: unknown) => response.writeHead(500).end(String(error)),
    );
  });
});
server.listen(0, '127.0.0.1', () => {
  process.stdout.write(`listens on ${(server.address() as { port: number }).port}\n`);
});
