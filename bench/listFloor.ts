/**
 * The floor of the list of applications with everything nested: its SQL alone (seven batched prepared statements of plain
 * columns), stitched, one JSON.stringify, over bare http.
 */
import pg from 'pg';
import { serveAnswers } from './floorServer.js';

const pool = new pg.Pool({ connectionString: process.env.DATABASE_URL, max: 20 });
// times as JSON has them
const types = new pg.TypeOverrides();
types.setTypeParser(
  1184,
  (text: string) => `${text.slice(0, 10)}T${text.slice(11, 19)}.${(text.slice(20, -3) || '0').padEnd(3, '0')}Z`,
);

type Row = Record<string, unknown>;
async function ask(name: string, text: string, ...values: unknown[]): Promise<Row[]> {
  return (await pool.query({ name, text, values, types })).rows;
}
const byKey = (rows: Row[], key: string) => new Map(rows.map((row) => [row[key], row]));
const distinct = (rows: Row[], key: string): unknown[] => [...new Set(rows.map((row) => row[key]))];
function group(rows: Row[], key: string): Map<unknown, Row[]> {
  const groups = new Map<unknown, Row[]>();
  for (const row of rows) {
    const group = groups.get(row[key]);
    if (group) group.push(row);
    else groups.set(row[key], [row]);
  }
  return groups;
}

/** Columns under the names that JSON has. */
const columns = (names: string): string =>
  names
    .split(' ')
    .map((name) => `${name.replaceAll(/[A-Z]/g, (letter) => `_${letter.toLowerCase()}`)} as "${name}"`)
    .join(', ');
const stamps = 'createdDate createdBy modifiedDate modifiedBy';
const applicationColumns = columns(
  `applicationId applicationGuid name description iconDefault iconHover appType renderingMode linkType globalExternalLink translationGroup isTokenExchangeRequired isIframe isActive ${stamps}`,
);
const mapperColumns = columns(
  `accessScopeApplicationsMapperId accessScopeId applicationId state individualExternalLink ${stamps}`,
);
const typeMapperColumns = columns(
  `accessScopeTypeApplicationsMapperId accessScopeTypeId applicationId state ${stamps}`,
);
const scopeColumns = columns(
  `accessScopeId accessScopeGuid name accessScopeKey accessScopeTypeId concreteId description translationGroup isWildcard isActive ${stamps}`,
);
const typeColumns = columns(
  `accessScopeTypeId accessScopeTypeGuid name description translationGroup isActive ${stamps}`,
);
const userColumns = columns(
  `userId userGuid salutation title firstName lastName idpname idpid telephone email status statusId lastLoginDate jobTitle jobTitleAdditional jobTitleId department languagePreference emailSubscriptions notificationOptions anbversion anbacceptanceDate assignedCustomerSupportGuid invitedBy invitationDate uipreferences ${stamps}`,
);
const noUsers = { createdByNavigation: null, modifiedByNavigation: null };

async function answer(): Promise<string> {
  const applications = await ask(
    'applications',
    `select ${applicationColumns} from applications order by application_id`,
  );
  const ids = distinct(applications, 'applicationId');
  const [mappers, typeMappers, translations, users, kinds] = await Promise.all([
    ask(
      'mappers',
      `select ${mapperColumns} from access_scope_applications_mappers where application_id = any($1) order by access_scope_applications_mapper_id`,
      ids,
    ),
    ask(
      'type mappers',
      `select ${typeMapperColumns} from access_scope_type_applications_mappers where application_id = any($1) order by access_scope_type_applications_mapper_id`,
      ids,
    ),
    ask(
      'translations',
      `select translation_group, ${columns('fieldName languageCode translatedText')} from translations where translation_group = any($1)
       order by field_name collate "C", language_code collate "C"`,
      distinct(applications, 'translationGroup'),
    ),
    ask('users', `select ${userColumns} from users where user_guid = any($1)`, [
      ...new Set([...distinct(applications, 'createdBy'), ...distinct(applications, 'modifiedBy')]),
    ]),
    ask('types', `select ${typeColumns} from access_scope_types`),
  ]);
  const scopes = await ask(
    'scopes',
    `select ${scopeColumns} from access_scopes where access_scope_id = any($1)`,
    distinct(mappers, 'accessScopeId'),
  );
  for (const kind of kinds) Object.assign(kind, noUsers);
  const kindOf = byKey(kinds, 'accessScopeTypeId');
  for (const scope of scopes)
    Object.assign(scope, { accessScopeType: kindOf.get(scope.accessScopeTypeId), ...noUsers });
  const scopeOf = byKey(scopes, 'accessScopeId');
  for (const mapper of mappers)
    Object.assign(mapper, { accessScope: scopeOf.get(mapper.accessScopeId), application: null, ...noUsers });
  for (const mapper of typeMappers)
    Object.assign(mapper, { accessScopeType: kindOf.get(mapper.accessScopeTypeId), ...noUsers });
  const mappersOf = group(mappers, 'applicationId');
  const typeMappersOf = group(typeMappers, 'applicationId');
  const translationsOf = group(translations, 'translation_group');
  for (const rows of translationsOf.values()) for (const row of rows) delete row.translation_group;
  const userOf = byKey(users, 'userGuid');
  for (const application of applications)
    Object.assign(application, {
      accessScopeApplicationsMappers: mappersOf.get(application.applicationId) ?? [],
      accessScopeTypeApplicationsMappers: typeMappersOf.get(application.applicationId) ?? [],
      translations: translationsOf.get(application.translationGroup) ?? [],
      createdByNavigation: userOf.get(application.createdBy) ?? null,
      modifiedByNavigation: userOf.get(application.modifiedBy) ?? null,
    });
  return JSON.stringify(applications);
}

serveAnswers(answer);
