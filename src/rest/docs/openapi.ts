/** The OpenAPI document, and the page that shows it. */
import { Router } from 'express';
import { version } from '../../config/config.js';
import type { Dependencies } from '../../context.js';
import { AccessScopeApplicationsMapper } from '../../entities/AccessScopeApplicationsMapper.js';
import { Application } from '../../entities/Application.js';
import type { Encodings } from '../../http/encoding/encodings.js';
import { findPackages, getRoute } from '../../http/routes.js';
import { documentedApplicationInput } from '../../services/catalogue/applications.js';
import { bulkItemsMax, mappingInput, scopeMappings } from '../../services/catalogue/mappings.js';
import { listedShape } from '../../services/read/listShape.js';
import {
  administrationSchemas,
  exampleAnswer,
  exampleInput,
  reference,
  type Schema,
  tokenPaths,
  tokenSchemas,
} from './openapiToken.js';

const applications = 'Applications';
const mappings = 'Mappings';
const bodyTypes = ['application/json', 'application/*+json', 'text/json', 'text/plain'];

/** The document of this deployment. */
function openapiDocument({ config }: Dependencies): Schema {
  return {
    openapi: '3.1.0',
    info: {
      title: 'Gatehouse',
      version,
      summary: 'Access tokens for one profile, and the catalogue of applications that access scopes open.',
      description:
        'Every operation below /api takes the header `api-version` (`1.0`) and an access token. With `Prefer: dry-run` a changing one answers as it would, with `Preference-Applied: dry-run`, and changes nothing.',
      license: { name: 'Proprietary', identifier: 'LicenseRef-Proprietary' },
    },
    servers: [{ url: config.basePath || '/' }],
    tags: [
      { name: applications, description: 'The catalogue of applications.' },
      { name: mappings, description: 'Which access scopes open an application.' },
      { name: 'Tokens', description: 'Exchange, renewal, revocation, validation and introspection.' },
      { name: 'Metadata', description: 'What consumers need to verify tokens.' },
    ],
    paths: { ...administrationPaths(config.restStatus === 'standard'), ...tokenPaths(config) },
    components: {
      securitySchemes: {
        accessToken: { type: 'http', scheme: 'bearer', bearerFormat: 'JWT' },
        client: { type: 'http', scheme: 'basic', description: 'Id and secret of a client, form-encoded.' },
      },
      parameters: { apiVersion, ...optionParameters },
      responses: { ...problems },
      schemas: { ...administrationSchemas(), ...tokenSchemas },
    },
  };
}

function administrationPaths(isStandard: boolean): Schema {
  const application = exampleAnswer(listedShape(Application));
  const mapping = exampleAnswer(listedShape(AccessScopeApplicationsMapper));
  const applicationJson = json(reference('ApplicationResponseDTO'), application);
  const mappingList = ok('The mappings.', json(list('AccessScopeApplicationsMapperDTO'), [mapping]));
  const made = isStandard ? '201' : '200';
  const deleted = { [isStandard ? '204' : '200']: { description: 'Removed; the body is empty.' } };
  const bulk = (mode: 'create' | 'update' | 'delete', name: string) =>
    body({ ...list(name), maxItems: bulkItemsMax }, [exampleInput(mappingInput(scopeMappings, mode))]);
  const path = pathParameter;
  return {
    '/api/applications': {
      get: operation(
        'listApplications',
        applications,
        'Lists all applications',
        'In one array, each with who made and changed it, its mappings and its texts. OData options narrow, order and shape it; an unchanged list is answered with 304.',
        {
          parameters: optionReferences,
          responses: { ...listed('ApplicationResponseDTO', application), ...refusals('400') },
        },
      ),
      post: operation(
        'createApplication',
        applications,
        'Makes an application',
        'It is in use at once; nothing opens it until a mapping does.',
        {
          requestBody: body(reference('ApplicationCreateDTO'), exampleInput(documentedApplicationInput())),
          responses: {
            [made]: {
              description: 'The new application.',
              headers: { Location: header('Its path.') },
              ...applicationJson,
            },
            ...refusals('400', '413', '415'),
          },
        },
      ),
    },
    '/api/applications/{guid}': {
      get: operation(
        'getApplication',
        applications,
        'Reads one application',
        'With who made and changed it, its mappings and its texts.',
        {
          parameters: [path('guid')],
          responses: { ...ok('The application.', applicationJson), ...refusals('400', '404') },
        },
      ),
    },
    '/api/applications/{applicationGuid}/accessScopes': {
      get: operation(
        'listAccessScopes',
        mappings,
        'Lists the mappings of an application',
        'Those to access scopes, each with its access scope. OData options narrow, order and shape the list.',
        {
          parameters: [path('applicationGuid'), ...optionReferences],
          responses: { ...listed('AccessScopeApplicationsMapperDTO', mapping), ...refusals('400', '404') },
        },
      ),
      post: operation(
        'createAccessScopes',
        mappings,
        'Makes mappings, all or none',
        'Each access scope opens the application from then on, if the state of its mapping is an active one. A mapping that exists already is a conflict.',
        {
          parameters: [path('applicationGuid')],
          requestBody: bulk('create', 'AccessScopeApplicationsMapperCreateDTO'),
          responses: { ...mappingList, ...refusals('400', '404', '409', '413', '415') },
        },
      ),
      patch: operation(
        'updateAccessScopes',
        mappings,
        'Changes mappings, all or none',
        'Of each mapping only what is given changes.',
        {
          parameters: [path('applicationGuid')],
          requestBody: bulk('update', 'AccessScopeApplicationsMapperUpdateDTO'),
          responses: { ...mappingList, ...refusals('400', '404', '409', '413', '415') },
        },
      ),
    },
    '/api/applications/{applicationGuid}/accessScopes/{accessScopeGuid}': {
      delete: operation(
        'deleteAccessScope',
        mappings,
        'Removes one mapping',
        'The access scope no longer opens the application by this mapping.',
        {
          parameters: [path('applicationGuid'), path('accessScopeGuid')],
          responses: { ...deleted, ...refusals('400', '404') },
        },
      ),
    },
    // the colon as generators of clients read it: a bare one would begin a parameter
    '/api/applications/{applicationGuid}/accessScopes%3Adelete': {
      post: operation(
        'deleteAccessScopes',
        mappings,
        'Removes mappings, all or none',
        'As the removal of one, for several access scopes at once.',
        {
          parameters: [path('applicationGuid')],
          requestBody: bulk('delete', 'AccessScopeApplicationsMapperDeleteDTO'),
          responses: { ...deleted, ...refusals('400', '404', '413', '415') },
        },
      ),
    },
  };
}

/** An operation of the administration service: its version header, its token, and the problems that all have. */
function operation(
  operationId: string,
  tag: string,
  summary: string,
  description: string,
  rest: { parameters?: Schema[]; responses: Schema; requestBody?: Schema },
): Schema {
  return {
    operationId,
    tags: [tag],
    summary,
    description,
    ...rest,
    parameters: [{ $ref: '#/components/parameters/apiVersion' }, ...(rest.parameters ?? [])],
    responses: { ...rest.responses, ...refusals('401', '403', '429', '503') },
    security: [{ accessToken: [] }],
  };
}

const json = (schema: Schema, example: unknown): Schema => ({ content: { 'application/json': { schema, example } } });
const ok = (description: string, content: Schema): Schema => ({ '200': { description, ...content } });
const list = (name: string): Schema => ({ type: 'array', items: reference(name) });
const header = (description: string): Schema => ({ description, schema: { type: 'string' } });

const listed = (name: string, example: unknown): Schema => ({
  '200': {
    description: 'The list, in one array.',
    headers: { ETag: header('Changes with anything administered.'), 'x-total-count': header('With `$count=true`.') },
    ...json(list(name), [example]),
  },
  '304': { description: 'Not changed since the ETag in If-None-Match.' },
});

function body(schema: Schema, example: unknown): Schema {
  return { required: true, content: Object.fromEntries(bodyTypes.map((type) => [type, { schema, example }])) };
}

const pathParameter = (name: string): Schema => ({
  name,
  in: 'path',
  required: true,
  description: 'In any case, also in braces.',
  schema: { type: 'string' },
  example: '3f2504e0-4f89-41d3-9a0c-0305e82c3301',
});

const apiVersion: Schema = {
  name: 'api-version',
  in: 'header',
  required: true,
  description: 'Version of the interface.',
  schema: { type: 'string', enum: ['1.0', '1'] },
  example: '1.0',
};

const options: [string, Schema, string, string][] = [
  ['filter', { type: 'string' }, 'Keeps the records for which it is true (OData v4).', "appType eq 'web' and isActive"],
  ['orderby', { type: 'string' }, 'Properties and to-one paths, each with asc or desc.', 'name desc'],
  ['top', { type: 'integer', minimum: 0 }, 'At most so many records.', '5'],
  ['skip', { type: 'integer', minimum: 0 }, 'Without the first so many.', '0'],
  ['select', { type: 'string' }, 'Gives these keys and the expanded ones alone.', 'applicationGuid,name'],
  ['expand', { type: 'string' }, 'Fills these navigations alone; paths go down.', 'createdByNavigation'],
  ['count', { type: 'boolean' }, 'Puts the number of records into x-total-count.', 'true'],
];
const optionParameters: Record<string, Schema> = Object.fromEntries([
  ...options.map(([name, schema, description]) => [name, { name: `$${name}`, in: 'query', description, schema }]),
  [
    'options',
    {
      name: 'options',
      in: 'query',
      description: 'The same options in one parameter, URL-encoded. Anything else is ignored.',
      schema: { type: 'string' },
      example: "$filter=appType eq 'web'&$top=5",
    },
  ],
]);
for (const [name, { type }, , example] of options)
  optionParameters[name]!.example = type === 'string' ? example : JSON.parse(example);
const optionReferences = Object.keys(optionParameters).map((name) => ({ $ref: `#/components/parameters/${name}` }));

const problemTitles = {
  '400': ['Invalid', 'The api-version, a parameter, an option or the body is not right.'],
  '401': ['Unauthenticated', 'There is no valid access token.'],
  '403': ['Forbidden', 'The access token lacks the scope.'],
  '404': ['NotFound', 'There is no such application, access scope or mapping.'],
  '409': ['Conflict', 'The mapping exists already, or somebody else changed it meanwhile.'],
  '413': ['TooLarge', 'The body or the array is too large.'],
  '415': ['UnsupportedMediaType', 'The body is of another media type, or not in UTF-8.'],
  '429': [
    'TooManyRequests',
    'Too many requests of the address, or failures; `Retry-After` says in how many seconds again.',
  ],
  '503': ['Unavailable', 'The database is away; try again.'],
} as const;
type Refusal = keyof typeof problemTitles;

const problems: Schema = Object.fromEntries(
  Object.values(problemTitles).map(([name, description]) => [
    name,
    { description, content: { 'application/problem+json': { schema: reference('ProblemDetails') } } },
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

/** Relative to the page, so that it works behind any prefix; `/docs/` stands one level deeper than `/docs`. */
const page = (here: string): string => `<!DOCTYPE html>
<html lang="en">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<title>Gatehouse</title>
<link rel="stylesheet" href="${here}swagger-ui.css">
<link rel="icon" href="${here}favicon-32x32.png">
</head>
<body>
<div id="swagger-ui"></div>
<script src="${here}swagger-ui-bundle.js"></script>
<script src="${here}start.js"></script>
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

export function docsRoutes(dependencies: Dependencies, encodings: Encodings): Router {
  const router = Router({ caseSensitive: true });
  const document = JSON.stringify(openapiDocument(dependencies));
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
      response.sendFile(name, { root: assets, maxAge: '1h' });
    });
  }
  return router;
}
