/** The OpenAPI document: right by a linter, true of the answers, and shown at /docs without anything from elsewhere. */
import { createConfig, lintFromString } from '@redocly/openapi-core';
import { Ajv2020 } from 'ajv/dist/2020.js';
import addFormats from 'ajv-formats';
import { demonstrationFile } from '../../dev/demoData.js';
import { importFile } from '../../src/modules/transfer/importFile.js';
import { findUndeclared } from '../support/declaredAnswers.js';
import { newApplication, newApplicationBody, newMapping, newScopes, type RestApp, startRestApp } from './restApp.js';

// biome-ignore lint/suspicious/noExplicitAny: the document is looked into freely
let document: any;
let app: RestApp;
let ajv: Ajv2020;
beforeAll(async () => {
  app = await startRestApp();
  document = await (await fetch(`${app.url}/openapi.json`)).json();
  ajv = new Ajv2020({ strict: false, allErrors: true });
  addFormats.default(ajv);
  ajv.addSchema({ $id: 'openapi', ...document });
});
afterAll(() => app.close());

/** The faults of a value by the schema that the document has for an answer. */
const faultsOf = (method: string, path: string, status: number, mediaType: string, value: unknown) => {
  let answer = document.paths[path][method].responses[status];
  if (answer.$ref) answer = document.components.responses[answer.$ref.split('/').at(-1)];
  const { schema } = answer.content[mediaType];
  const absolute = JSON.parse(JSON.stringify(schema).replaceAll('"#/components', '"openapi#/components'));
  const validate = ajv.compile(absolute);
  return validate(value) ? [] : validate.errors;
};

it('passes an OpenAPI linter', async () => {
  const config = await createConfig({ extends: ['recommended'] });
  const faults = await lintFromString({ source: JSON.stringify(document), config });
  expect(faults.map(({ ruleId, message, location }) => [ruleId, message, location[0]?.pointer])).toEqual([]);
});

it('is of version 3.1 and served without token and version', async () => {
  const { status, headers } = await app.call('GET', '/openapi.json', { scopes: null, headers: { 'api-version': '' } });
  expect([status, headers.get('content-type'), document.openapi]).toEqual([
    200,
    'application/json; charset=utf-8',
    '3.1.0',
  ]);
});

it('has the eight operations, the token endpoints and the metadata, and they are there', async () => {
  const operations = Object.entries<object>(document.paths).flatMap(([path, methods]) =>
    Object.keys(methods).map((method) => `${method} ${path}`),
  );
  expect(operations.sort()).toMatchSnapshot();
  for (const operation of operations) {
    const [method = '', path = ''] = operation.split(' ');
    const { status } = await app.call(method.toUpperCase(), path.replaceAll(/\{.*?\}/g, 'x'), {
      body: method === 'post' || method === 'patch' ? '{}' : undefined,
    });
    expect([operation, status === 404 || status === 405]).toEqual([operation, false]);
  }
});

it('its requests have the constraints of the specification', () => {
  const names = Object.keys(document.components.schemas).filter((name) => /(Create|Update|Delete)DTO$/.test(name));
  const constraints = names.map((name) => {
    const { required, properties, additionalProperties } = document.components.schemas[name];
    const lengths = Object.entries<Record<string, unknown>>(properties).map(
      ([key, { type, minLength, maxLength }]) => `${key} ${type} ${minLength ?? ''}-${maxLength ?? ''}`,
    );
    return [name, { required, lengths, additionalProperties }];
  });
  expect(Object.fromEntries(constraints)).toMatchSnapshot();
});

it('its examples are right by its schemas', () => {
  let examples = 0;
  for (const [path, methods] of Object.entries<
    Record<string, { responses: object; requestBody?: { content: object } }>
  >(document.paths)) {
    for (const [method, { responses, requestBody }] of Object.entries(methods)) {
      const contents = [requestBody?.content ?? {}, ...Object.values(responses).map(({ content }) => content ?? {})];
      for (const content of contents) {
        for (const { schema, example } of Object.values<{ schema: object; example: unknown }>(content)) {
          if (example === undefined) continue;
          examples += 1;
          const validate = ajv.compile(
            JSON.parse(JSON.stringify(schema).replaceAll('"#/components', '"openapi#/components')),
          );
          validate(example);
          expect([method, path, validate.errors]).toEqual([method, path, null]);
        }
      }
    }
  }
  expect(examples).toBeGreaterThan(20);
});

interface Parameter {
  $ref?: string;
  name: string;
  in: string;
  required?: boolean;
  example?: unknown;
}
interface DescribedOperation {
  operationId: string;
  parameters?: Parameter[];
  requestBody?: { content: Record<string, { example?: unknown }> };
}

/** The requests that the examples of an operation make: each option alone, all together, each body. */
function* exampleRequests(path: string, { parameters = [], requestBody }: DescribedOperation) {
  const resolved = parameters.map((each) =>
    each.$ref ? (document.components.parameters[each.$ref.split('/').at(-1)!] as Parameter) : each,
  );
  const given = resolved.filter(({ example }) => example !== undefined);
  const within = (place: string) => given.filter((parameter) => parameter.in === place);
  const target = within('path').reduce((left, { name, example }) => left.replace(`{${name}}`, String(example)), path);
  const query = within('query').map(({ name, example }) => `${name}=${encodeURIComponent(String(example))}`);
  const headers = Object.fromEntries(within('header').map(({ name, example }) => [name, String(example)]));
  const bodies = Object.entries(requestBody?.content ?? {}).filter(([, { example }]) => example !== undefined);
  if (requestBody) {
    for (const [type, { example }] of bodies)
      yield { target, headers: { ...headers, 'content-type': type }, body: JSON.stringify(example) };
  } else if (given.length > 0)
    for (const text of new Set(['', ...query, query.join('&')]))
      yield { target: text ? `${target}?${text}` : target, headers, body: undefined };
}

it('every example of a request works on the demonstration data, as a rehearsal and for real', async () => {
  const file = await startRestApp();
  await importFile({ ...file.context, face: 'cli' }, demonstrationFile);
  let requests = 0;
  for (const more of [{ prefer: 'dry-run' }, {}])
    for (const [path, methods] of Object.entries<Record<string, DescribedOperation>>(document.paths))
      for (const [method, operation] of Object.entries(methods)) {
        const examples = [...exampleRequests(path, operation)];
        // one change is made for real once
        for (const { target, headers, body } of 'prefer' in more || method === 'get'
          ? examples
          : examples.slice(0, 1)) {
          const answer = await file.call(method.toUpperCase(), target, { body, headers: { ...headers, ...more } });
          expect([operation.operationId, target, answer.status, answer.text.slice(0, 300)]).toEqual([
            operation.operationId,
            target,
            200,
            expect.any(String),
          ]);
          requests += 1;
        }
      }
  expect(requests).toBeGreaterThan(40);
});

it('has no example for what only the caller has, and none with an ellipsis', () => {
  const text = JSON.stringify(
    Object.values<Record<string, object>>(document.paths).flatMap((methods) =>
      Object.values(methods).map((operation) => {
        const { parameters, requestBody } = operation as DescribedOperation;
        return [parameters, requestBody];
      }),
    ),
  );
  expect(text).not.toContain('…');
});

it('an answer to $select is right by the schema of the list, and a whole one by that of the record', async () => {
  const { application_id, application_guid } = await newApplication(app.sql, { created_by: app.caller });
  const [scope] = await newScopes(app.sql, 1);
  await newMapping(app.sql, application_id, scope!);
  for (const [path, target, name] of [
    ['/api/applications', '/api/applications', 'ApplicationResponseDTO'],
    [
      '/api/applications/{applicationGuid}/accessScopes',
      `/api/applications/${application_guid}/accessScopes`,
      'AccessScopeApplicationsMapperDTO',
    ],
  ] as const) {
    const { required, properties } = document.components.schemas[name];
    expect(required).toEqual(Object.keys(properties));
    const isWhole = ajv.compile({ $ref: `openapi#/components/schemas/${name}` });
    const fields = Object.keys(properties).filter((field) => !JSON.stringify(properties[field]).includes('$ref'));
    for (const select of [...fields, fields.join(','), '*']) {
      const { json, status } = await app.call('GET', `${target}?$select=${select}&$top=3`);
      expect([select, status, faultsOf('get', path, 200, 'application/json', json)]).toEqual([select, 200, []]);
      expect(isWhole(json[0])).toBe(select === '*');
    }
    const { json } = await app.call('GET', target);
    expect([isWhole(json[0]), isWhole.errors]).toEqual([true, null]);
  }
});

it('the guids of a path are described in all forms that are accepted, and as the same type as those of records', async () => {
  const operation = document.paths['/api/applications/{guid}'].get;
  const [{ schema }] = operation.parameters.filter((parameter: Parameter) => parameter.in === 'path');
  expect(schema).toMatchObject({ type: 'string', format: 'uuid' });
  const { application_guid: guid } = await newApplication(app.sql);
  const pattern = new RegExp(schema.pattern);
  for (const [written, isRight] of [
    [guid, true],
    [guid.toUpperCase(), true],
    [`{${guid}}`, true],
    [`{${guid}`, false],
    [`${guid}}`, false],
    [guid.replaceAll('-', ''), false],
    [`${guid}0`, false],
  ] as const) {
    const { status } = await app.call('GET', `/api/applications/${encodeURIComponent(written)}`);
    expect([written, pattern.test(written), status]).toEqual([written, isRight, isRight ? 200 : 400]);
  }
});

it('no request body is of a range of media types, which no client can send', () => {
  expect(JSON.stringify(document.paths)).not.toMatch(/"[a-z]+\/\*/);
});

it('a record that may be null is one of two, which generators that read no anyOf give a type (NSwag, ogen)', () => {
  const schemas = Object.entries<{ properties?: Record<string, object> }>(document.components.schemas);
  const unions = schemas.flatMap(([name, { properties = {} }]) =>
    Object.entries(properties).flatMap(([property, schema]) => ('anyOf' in schema ? `${name}.${property}` : [])),
  );
  expect(unions).toEqual([]);
  const { accessScope } = document.components.schemas.AccessScopeApplicationsMapperDTO.properties;
  expect(accessScope.oneOf).toEqual([{ $ref: '#/components/schemas/AccessScopeDTO' }, { type: 'null' }]);
});

it('no security scheme has the name of the class that generators make (ogen: Client)', () => {
  expect(Object.keys(document.components.securitySchemes).map((name) => name.toLowerCase())).not.toContain('client');
});

it('an answer that is not declared is found: its status, its media type, a missing body, a header', () => {
  const answer = { method: 'GET', path: '/api/Applications/', status: 200, type: 'application/json', headers: [] };
  expect(findUndeclared(document, answer)).toBeUndefined();
  expect(findUndeclared(document, { ...answer, status: 418 })).toMatch('418 is not declared');
  expect(findUndeclared(document, { ...answer, type: 'text/html' })).toMatch('has no content text/html');
  expect(findUndeclared(document, { ...answer, type: '' })).toMatch('without a body');
  expect(findUndeclared(document, { ...answer, headers: ['location'] })).toMatch('has no header location');
  expect(findUndeclared(document, { ...answer, method: 'PUT', status: 405 })).toBeUndefined();
  expect(
    findUndeclared(document, { ...answer, path: '/token', method: 'POST', status: 401, type: '' }),
  ).toBeUndefined();
});

it('is true of the answers', async () => {
  const base = '/api/applications';
  const made = await app.call('POST', base, { body: newApplicationBody({ isIFrame: true }) });
  expect(faultsOf('post', base, 200, 'application/json', made.json)).toEqual([]);
  const application = await newApplication(app.sql, { translation_group: 'g', created_by: app.caller });
  const scopes = await newScopes(app.sql, 3);
  await newMapping(app.sql, application.application_id, scopes[0]!);
  await app.sql.rows(
    "insert into translations (translation_group, field_name, language_code, translated_text) values ('g', 'name', 'de', 'x')",
  );
  await app.sql.rows(
    'insert into access_scope_type_applications_mappers (application_id, access_scope_type_id, created_by) select $1, access_scope_type_id, $2 from access_scope_types limit 1',
    [application.application_id, app.caller],
  );
  const list = await app.call('GET', base);
  expect(faultsOf('get', base, 200, 'application/json', list.json)).toEqual([]);
  const one = `${base}/${application.application_guid}`;
  expect(faultsOf('get', `${base}/{guid}`, 200, 'application/json', (await app.call('GET', one)).json)).toEqual([]);
  const mappings = `${base}/{applicationGuid}/accessScopes`;
  const expanded = await app.call(
    'GET',
    `${one}/accessScopes?$expand=accessScope/accessScopeType/createdByNavigation,application/translations,createdByNavigation`,
  );
  for (const answer of [await app.call('GET', `${one}/accessScopes`), expanded]) {
    expect(answer.json).toHaveLength(1);
    expect(faultsOf('get', mappings, 200, 'application/json', answer.json)).toEqual([]);
  }
  const body = [{ accessScopeGuid: scopes[1], individualExternalLink: 'x' }];
  expect(
    faultsOf('post', mappings, 200, 'application/json', (await app.call('POST', `${one}/accessScopes`, { body })).json),
  ).toEqual([]);
  expect(
    faultsOf(
      'patch',
      mappings,
      200,
      'application/json',
      (await app.call('PATCH', `${one}/accessScopes`, { body: [{ ...body[0], state: 'x' }] })).json,
    ),
  ).toEqual([]);
  const conflict = await app.call('POST', `${one}/accessScopes`, { body });
  const problems: [string, string, Awaited<ReturnType<typeof app.call>>][] = [
    ['post', mappings, conflict],
    ['post', base, await app.call('POST', base, { body: {} })],
    ['post', base, await app.call('POST', base, { body: '{', headers: { 'content-type': 'image/png' } })],
    ['get', base, await app.call('GET', base, { scopes: null })],
    ['get', base, await app.call('GET', base, { scopes: [] })],
    ['get', base, await app.call('GET', base, { headers: { 'api-version': '3' } })],
    ['get', `${base}/{guid}`, await app.call('GET', `${base}/00000000-0000-4000-8000-000000000000`)],
  ];
  for (const [method, path, { status, json }] of problems)
    expect([status, faultsOf(method, path, status, 'application/problem+json', json)]).toEqual([status, []]);
  expect(faultsOf('post', base, 400, 'application/problem+json', {})).not.toEqual([]);
});

it('/docs is a page that asks this service alone', async () => {
  for (const path of ['/docs', '/docs/']) {
    const response = await fetch(app.url + path);
    const html = await response.text();
    expect([response.status, response.headers.get('content-type')]).toEqual([200, 'text/html; charset=utf-8']);
    expect(response.headers.get('content-security-policy')).toContain("default-src 'none'");
    const links = [...html.matchAll(/(?:src|href)="([^"]*)"/g)].map(([, link]) => new URL(link!, app.url + path));
    expect(links).toHaveLength(4);
    for (const link of links) {
      const asset = await fetch(link);
      expect([link.host, asset.status, (await asset.arrayBuffer()).byteLength > 100]).toEqual([
        new URL(app.url).host,
        200,
        true,
      ]);
    }
  }
  expect((await fetch(`${app.url}/docs/../package.json`)).status).toBe(404);
  expect((await fetch(`${app.url}/docs/%2e%2e%2fpackage.json`)).status).toBe(404);
  expect((await fetch(`${app.url}/docs`, { method: 'POST' })).status).toBe(405);
});

it('every operation says in a description more than its summary', () => {
  const { paths } = document;
  const operations = Object.values(paths as Record<string, Record<string, Record<string, string>>>).flatMap(
    Object.values,
  );
  expect(operations.length).toBeGreaterThan(17);
  for (const { operationId, summary, description } of operations)
    expect([operationId, (description ?? '').length > 30 && description !== summary]).toEqual([operationId, true]);
});
