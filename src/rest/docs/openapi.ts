/** The OpenAPI document, and the page that shows it. */
import { Router } from 'express';
import { version } from '../../config/config.js';
import type { Dependencies } from '../../context.js';
import { AccessScopeApplicationsMapper } from '../../entities/AccessScopeApplicationsMapper.js';
import { Application } from '../../entities/Application.js';
import type { RecordClass } from '../../entities/description.js';
import type { Encodings } from '../../http/encoding/encodings.js';
import { findPackages, getRoute } from '../../http/routes.js';
import { documentedApplicationInput } from '../../services/catalogue/applications.js';
import { bulkItemsMax, mappingInput, scopeMappings } from '../../services/catalogue/mappings.js';
import { listedShape } from '../../services/read/listShape.js';
import { tokenResponses } from './openapiErrors.js';
import type { DescribeEndpoints } from './openapiOperations.js';
import {
  administrationSchemas,
  demonstrated,
  exampleAnswer,
  exampleInput,
  headerReferences,
  headers,
  jsonAnswer,
  listItem,
  problemContent,
  reference,
  type Schema,
} from './openapiRecords.js';
import { tokenPaths, tokenSchemas } from './openapiToken.js';

const applications = 'Applications';
const mappings = 'Mappings';
// `application/*+json` is accepted too, but generated clients would send the range itself
const bodyTypes = ['application/json', 'text/json', 'text/plain'];

/** The document of this deployment. @param further what the modules add */
export function openapiDocument(
  dependencies: Pick<Dependencies, 'config' | 'issuerUrl'>,
  further: readonly DescribeEndpoints[],
): Schema {
  const { config } = dependencies;
  const described = further.map((describe) => describe(dependencies));
  const of = (part: 'paths' | 'schemas'): Schema => Object.assign({}, ...described.map((each) => each[part]));
  return {
    openapi: '3.1.0',
    info: {
      title: 'Gatehouse',
      version,
      summary: 'Access tokens for one profile, and the catalogue of applications that access scopes open.',
      description:
        'Every operation below /api requires the header `api-version` (`1.0`) and an access token. With `Prefer: dry-run` an operation that changes something returns its usual answer with `Preference-Applied: dry-run`, and changes nothing. SCIM at /scim/v2 describes itself: see /scim/v2/Schemas and /scim/v2/ResourceTypes.',
      license: { name: 'Proprietary', identifier: 'LicenseRef-Proprietary' },
    },
    servers: [{ url: config.basePath || '/' }],
    tags: [
      { name: applications, description: 'The catalogue of applications.' },
      { name: mappings, description: 'Which access scopes open an application.' },
      { name: 'Tokens', description: 'Exchange, renewal, revocation, validation and introspection.' },
      { name: 'Metadata', description: 'What services need to verify tokens.' },
    ],
    paths: { ...administrationPaths(config.restStatus === 'standard'), ...tokenPaths(config), ...of('paths') },
    components: {
      securitySchemes: {
        accessToken: { type: 'http', scheme: 'bearer', bearerFormat: 'JWT' },
        clientSecret: { type: 'http', scheme: 'basic', description: 'Id and secret of a client, form-encoded.' },
      },
      parameters: { apiVersion, ...conditionParameters, ...optionParameters },
      headers: Object.fromEntries(Object.entries(headers).map(([name, text]) => [name, header(text)])),
      responses: { ...problems, ...tokenResponses },
      schemas: { ...administrationSchemas(), ...tokenSchemas(dependencies), ...of('schemas') },
    },
  };
}

function administrationPaths(isStandard: boolean): Schema {
  const application = exampleAnswer(listedShape(Application));
  const mapping = exampleAnswer(listedShape(AccessScopeApplicationsMapper));
  const bulk = (mode: 'create' | 'update' | 'delete', name: string, accessScopeGuid: string) =>
    body({ ...list(reference(name)), maxItems: bulkItemsMax }, [
      exampleInput(mappingInput(scopeMappings, mode), { accessScopeGuid }),
    ]);
  const mappingsChanged = {
    '200': {
      ...jsonAnswer('The mappings.', list(reference('AccessScopeApplicationsMapperDTO')), [mapping]),
      ...headerReferences('Preference-Applied'),
    },
  };
  const deleted = {
    [isStandard ? '204' : '200']: {
      description: 'Removed; the body is empty.',
      ...headerReferences('Preference-Applied'),
    },
  };
  return Object.fromEntries([
    operations('/api/applications', applications, {
      get: {
        operationId: 'listApplications',
        summary: 'Lists all applications',
        description:
          'Returns one array. Each application has its author, its last editor, its mappings and its translations. OData options filter, order and shape the list. If the list has not changed since the ETag in If-None-Match, the answer is 304.',
        options: applicationOptions,
        responses: listed(Application, application),
      },
      post: {
        operationId: 'createApplication',
        summary: 'Creates an application',
        description: 'The application is active at once. No access scope opens it until a mapping is created.',
        requestBody: body(reference('ApplicationCreateDTO'), exampleInput(documentedApplicationInput())),
        responses: {
          [isStandard ? '201' : '200']: {
            ...jsonAnswer('The new application.', reference('ApplicationResponseDTO'), application),
            ...headerReferences('Location', 'Preference-Applied'),
          },
        },
      },
    }),
    operations('/api/applications/{guid}', applications, {
      get: {
        operationId: 'getApplication',
        summary: 'Returns one application',
        description: 'With its author, its last editor, its mappings and its translations.',
        responses: { '200': jsonAnswer('The application.', reference('ApplicationResponseDTO'), application) },
      },
    }),
    operations('/api/applications/{applicationGuid}/accessScopes', mappings, {
      get: {
        operationId: 'listAccessScopes',
        summary: 'Lists the mappings of an application',
        description:
          'Returns the mappings to access scopes, each with its access scope. OData options filter, order and shape the list.',
        options: mappingOptions,
        responses: listed(AccessScopeApplicationsMapper, mapping),
      },
      post: {
        operationId: 'createAccessScopes',
        summary: 'Creates mappings, all or none',
        description:
          'Each access scope then opens the application, if the state of its mapping is an active one. If a mapping already exists, the answer is 409.',
        requestBody: bulk('create', 'AccessScopeApplicationsMapperCreateDTO', demonstrated.other),
        responses: mappingsChanged,
      },
      patch: {
        operationId: 'updateAccessScopes',
        summary: 'Changes mappings, all or none',
        description: 'Only the members that are present change.',
        requestBody: bulk('update', 'AccessScopeApplicationsMapperUpdateDTO', demonstrated.alsoOpening),
        responses: mappingsChanged,
      },
    }),
    operations('/api/applications/{applicationGuid}/accessScopes/{accessScopeGuid}', mappings, {
      delete: {
        operationId: 'deleteAccessScope',
        summary: 'Removes one mapping',
        description: 'The access scope no longer opens the application through this mapping.',
        responses: deleted,
      },
    }),
    // client generators would take a colon that is not encoded for the start of a parameter
    operations('/api/applications/{applicationGuid}/accessScopes%3Adelete', mappings, {
      post: {
        operationId: 'deleteAccessScopes',
        summary: 'Removes mappings, all or none',
        description: 'Removes the mappings to several access scopes at once.',
        requestBody: bulk('delete', 'AccessScopeApplicationsMapperDeleteDTO', demonstrated.alsoOpening),
        responses: deleted,
      },
    }),
  ]);
}

interface Operation {
  operationId: string;
  summary: string;
  description: string;
  requestBody?: Schema;
  /** The query options of a list. */
  options?: readonly Schema[];
  /** The answers of this operation only. */
  responses: Schema;
}

/** The operations of a path below /api, with the parameters, refusals and token that all of them have. */
function operations(path: string, tag: string, byMethod: Record<string, Operation>): [path: string, item: Schema] {
  const guids = [...path.matchAll(/\{(\w{1,99})\}/g)].map(([, name]) => pathParameter(name!));
  const complete = (method: string, { options, ...operation }: Operation): Schema => ({
    tags: [tag],
    ...operation,
    parameters: [
      { $ref: '#/components/parameters/apiVersion' },
      ...guids,
      ...(options ?? []),
      ...(method !== 'get' || options ? [{ $ref: '#/components/parameters/ifMatch' }] : []),
      ...(options ? [{ $ref: '#/components/parameters/ifNoneMatch' }] : []),
    ],
    responses: {
      ...operation.responses,
      ...refusals('400', '401', '403', '410', '412', '429', '500', '503'),
      ...(guids.length > 0 && refusals('404')),
      ...(method !== 'get' && refusals('409')),
      ...(operation.requestBody && refusals('413', '415')),
    },
    security: [{ accessToken: [] }],
  });
  const item = Object.entries(byMethod).map(([method, operation]) => [method, complete(method, operation)]);
  return [path, Object.fromEntries(item)];
}

const list = (items: Schema): Schema => ({ type: 'array', items });
const header = (description: string): Schema => ({ description, schema: { type: 'string' } });

const listed = (record: RecordClass, example: unknown): Schema => ({
  '200': {
    ...jsonAnswer(
      'The list, in one array. With `$select` records have only the properties that it names.',
      list(listItem(record)),
      [example],
    ),
    ...headerReferences('ETag', 'x-total-count'),
  },
  '304': { description: 'Not changed since the ETag in If-None-Match.', ...headerReferences('ETag') },
});

function body(schema: Schema, example: unknown): Schema {
  return { required: true, content: Object.fromEntries(bodyTypes.map((type) => [type, { schema, example }])) };
}

const pathParameter = (name: string): Schema => ({
  name,
  in: 'path',
  required: true,
  description: 'A guid in upper or lower case, with or without braces.',
  schema: { type: 'string', format: 'uuid', pattern: guidPattern },
  example: name === 'accessScopeGuid' ? demonstrated.opening : demonstrated.application,
});

const plainGuid = '[0-9a-fA-F]{8}(?:-[0-9a-fA-F]{4}){3}-[0-9a-fA-F]{12}';
const guidPattern = `^(?:${plainGuid}|\\{${plainGuid}\\})$`;

const apiVersion: Schema = {
  name: 'api-version',
  in: 'header',
  required: true,
  description: 'Version of the API.',
  schema: { type: 'string', enum: ['1.0', '1'] },
  example: '1.0',
};

const condition = (name: string, description: string): Schema => ({
  name,
  in: 'header',
  description,
  schema: { type: 'string' },
});
const conditionParameters: Record<string, Schema> = {
  ifMatch: condition(
    'If-Match',
    'ETags of the list, separated by commas, or `*`. If none is that of the list now, the answer is 412 and nothing is changed.',
  ),
  ifNoneMatch: condition('If-None-Match', 'ETags of the list. If one is that of the list now, the answer is 304.'),
};

const option = (name: string, schema: Schema, description: string, example: unknown): Schema => ({
  name,
  in: 'query',
  description,
  schema,
  example,
});
const text = { type: 'string' };
const rows = { type: 'integer', minimum: 0 };
/** The options of both lists; the examples of some differ, and those of one list work together. */
const optionParameters: Record<string, Schema> = {};
function optionsOf(
  list: string,
  { filter, orderby, select, expand }: Record<'filter' | 'orderby' | 'select' | 'expand', string>,
) {
  const own = {
    filter: option('$filter', text, 'Returns only the records that match the expression (OData v4).', filter),
    orderby: option(
      '$orderby',
      text,
      'Properties to order by, also those of single related records such as `accessScope/name`, each with asc or desc.',
      orderby,
    ),
    select: option('$select', text, 'Returns only these properties and the expanded ones.', select),
    expand: option(
      '$expand',
      text,
      'Returns only these related records. A path with `/` adds records of related records.',
      expand,
    ),
  };
  const common = {
    top: option('$top', rows, 'Maximum number of records.', 5),
    skip: option('$skip', rows, 'Number of records to skip.', 0),
    count: option('$count', { type: 'boolean' }, 'Adds the number of records as the header x-total-count.', true),
    // without an example: an option may not occur here and as its own parameter
    options: {
      name: 'options',
      in: 'query',
      description:
        'The same options in one URL-encoded parameter, instead of the others. Other parameters in it are ignored.',
      schema: text,
    },
  };
  const named = Object.entries(own).map(([name, parameter]) => [`${list}_${name}`, parameter] as const);
  Object.assign(optionParameters, Object.fromEntries(named), common);
  return [...named.map(([name]) => name), ...Object.keys(common)].map((name) => ({
    $ref: `#/components/parameters/${name}`,
  }));
}
const applicationOptions = optionsOf('applications', {
  filter: "appType eq 'web' and isActive",
  orderby: 'name desc',
  select: 'applicationGuid,name',
  expand: 'createdByNavigation',
});
const mappingOptions = optionsOf('mappings', {
  filter: "state eq 'active' and contains(accessScope/name,'e')",
  orderby: 'accessScope/name desc',
  select: 'state,individualExternalLink',
  expand: 'accessScope/accessScopeType',
});

const problemTitles = {
  '400': ['Invalid', 'The api-version, a parameter, an option or the body is invalid.'],
  '401': ['Unauthenticated', 'The access token is missing, invalid or expired.'],
  '403': ['Forbidden', 'The access token lacks the required scope.'],
  '404': ['NotFound', 'The application, access scope or mapping does not exist.'],
  '409': ['Conflict', 'The mapping already exists, or somebody else has changed it.'],
  '410': ['Gone', 'The operation is about to end, and is switched off for some minutes (brown-out).'],
  '412': ['PreconditionFailed', 'If-Match or If-None-Match is false. Nothing was changed.'],
  '413': ['TooLarge', 'The body or its array is too large.'],
  '415': ['UnsupportedMediaType', 'The media type of the body is not supported, or the body is not UTF-8.'],
  '429': [
    'TooManyRequests',
    'The address has sent too many requests or too many that failed. `Retry-After` has the seconds to wait.',
  ],
  '500': ['Internal', 'A fault of the service. The log has the cause under the trace id.'],
  '503': ['Unavailable', 'The database cannot be reached, or the read took too long.'],
} as const;
type Refusal = keyof typeof problemTitles;

const headersByStatus: Record<string, readonly (keyof typeof headers)[]> = {
  '401': ['WWW-Authenticate', 'DPoP-Nonce'],
  '403': ['WWW-Authenticate'],
  '429': ['Retry-After'],
  '503': ['Retry-After'],
};
const problems: Schema = Object.fromEntries(
  Object.entries(problemTitles).map(([status, [name, description]]) => [
    name,
    {
      description,
      content: problemContent,
      ...headerReferences(...(headersByStatus[status] ?? []), 'Preference-Applied', 'trace-id'),
    },
  ]),
);
const refusals = (...statuses: Refusal[]): Schema =>
  Object.fromEntries(
    statuses.map((status) => [status, { $ref: `#/components/responses/${problemTitles[status][0]}` }]),
  );

const assetNames = ['swagger-ui.css', 'swagger-ui-bundle.js', 'favicon-32x32.png'];
// Swagger UI sets styles by script, and draws with images inside them
const policy =
  "default-src 'none'; script-src 'self'; style-src 'self' 'unsafe-inline'; img-src 'self' data:; connect-src 'self'; base-uri 'none'; form-action 'none'; frame-ancestors 'none'";

/** Links are relative, so that the page works behind any prefix. `/docs/` is one level deeper than `/docs`. */
const page = (baseUrl: string): string => `<!DOCTYPE html>
<html lang="en">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<title>Gatehouse</title>
<link rel="stylesheet" href="${baseUrl}swagger-ui.css">
<link rel="icon" href="${baseUrl}favicon-32x32.png">
</head>
<body>
<div id="swagger-ui"></div>
<script src="${baseUrl}swagger-ui-bundle.js"></script>
<script src="${baseUrl}start.js"></script>
</body>
</html>
`;

const start = `SwaggerUIBundle({
  url: new URL('../openapi.json', document.currentScript.src).href,
  dom_id: '#swagger-ui',
  deepLinking: true,
  validatorUrl: null,
});
`;

export function docsRoutes(
  dependencies: Dependencies,
  encodings: Encodings,
  further: readonly DescribeEndpoints[],
): Router {
  const router = Router({ caseSensitive: true });
  const document = JSON.stringify(openapiDocument(dependencies, further));
  getRoute(router, '/openapi.json', (request, response) => {
    response.set('cache-control', 'public, max-age=300').type('application/json');
    return encodings.send(request, response, document);
  });
  const [assets] = findPackages(['swagger-ui-dist'], '/docs', dependencies.log) ?? [];
  if (!assets) return router;
  getRoute(router, '/docs', (request, response) => {
    response.set('content-security-policy', policy).type('text/html');
    response.send(page(request.path.endsWith('/') ? '' : 'docs/'));
  });
  getRoute(router, '/docs/start.js', (_request, response) => {
    response.type('text/javascript').send(start);
  });
  for (const name of assetNames) {
    getRoute(router, `/docs/${name}`, (_request, response) => {
      response.sendFile(name, { root: assets, maxAge: '1h', acceptRanges: false });
    });
  }
  return router;
}
