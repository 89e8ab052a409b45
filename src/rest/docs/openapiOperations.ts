/** What describes an operation of the token service in OpenAPI, for its endpoints and those of modules. */
import type { Dependencies } from '../../context.js';
import { type ErrorForm, sharedErrors } from './openapiErrors.js';
import { headerReferences, jsonAnswer, reference, type Schema } from './openapiRecords.js';

/** What a module adds to the document. */
export type DescribeEndpoints = (dependencies: Pick<Dependencies, 'config' | 'issuerUrl'>) => {
  paths: Schema;
  schemas: Record<string, Schema>;
};

export const text: Schema = { type: 'string' };
export const object = (required: string[], properties: Record<string, Schema>): Schema => ({
  type: 'object',
  required,
  properties,
});

export const texts: Schema = { type: 'array', items: text };
/** The schema of a published document, made from the document. */
export function published(document: object, optional: readonly string[] = []): Schema {
  const entries = Object.entries(document).filter(([, value]) => value !== undefined);
  const properties = entries.map(([name, value]) => [name, Array.isArray(value) ? texts : text]);
  return object(
    entries.map(([name]) => name).filter((name) => !optional.includes(name)),
    Object.fromEntries(properties),
  );
}

export const schemaAnswer = (description: string, name: string, example?: unknown): Schema =>
  jsonAnswer(description, reference(name), example);
export const parameter = (where: 'header' | 'query', name: string, schema: Schema, more: Schema): Schema => ({
  name,
  in: where,
  required: false,
  schema,
  ...more,
});
/**
 * The bodies of an operation: a schema for JSON, for a form, or for both; an example only if it needs no value that the caller alone
 * has, such as a token.
 */
interface Bodies {
  json?: [schema: string, example?: object];
  form?: [schema: string, example?: object];
}

/** An operation of the token service. */
interface Operation extends Bodies {
  summary: string;
  description: string;
  parameters?: Schema[];
  security?: Schema[];
  responses: Schema;
  /** How the errors are written that every endpoint has; absent: as its bodies say. */
  errors?: ErrorForm;
}

const bodyOf = ([schema, example]: [schema: string, example?: object]): Schema => ({
  schema: reference(schema),
  ...(example && { example }),
});

export function operation(operationId: string, { json, form, responses, errors, ...more }: Operation): Schema {
  const content = {
    ...(json && { 'application/json': bodyOf(json) }),
    ...(form && { 'application/x-www-form-urlencoded': bodyOf(form) }),
  };
  const hasBody = json !== undefined || form !== undefined;
  const errorForm = errors ?? (json && form ? 'both' : form ? 'oauth' : 'problems');
  const own = Object.entries(responses as Record<string, Schema>).map(([status, response]) => [
    status,
    { ...response, headers: { ...headersFor(status).headers!, ...(response.headers as object) } },
  ]);
  return {
    operationId,
    tags: ['Tokens'],
    // forms may also have the client's credentials in the body
    security: form ? [{}, { clientSecret: [] }] : [],
    ...more,
    ...(hasBody && { requestBody: { required: true, content } }),
    responses: {
      ...Object.fromEntries(own),
      ...sharedErrors(errorForm, '410', '429', '500', '503'),
      ...(hasBody && sharedErrors(errorForm, '413')),
      ...(hasBody && errorForm !== 'text' && sharedErrors(errorForm, '415')),
    },
  };
}

const headersFor = (status: string): { headers?: object } =>
  headerReferences(
    'DPoP-Nonce',
    ...(Number(status) >= 400 ? (['trace-id'] as const) : []),
    ...(status === '401' || status === '403' ? (['WWW-Authenticate'] as const) : []),
  );

export function metadataOperation(operationId: string, summary: string, description: string, name: string): Schema {
  const responses = {
    '200': schemaAnswer('The metadata document.', name),
    '405': { description: 'Only GET and HEAD are allowed.' },
  };
  return { get: { operationId, tags: ['Metadata'], summary, description, security: [], responses } };
}

export const resourceMetadataOperation = (resource: string, operationId: string): Schema => ({
  [`/.well-known/oauth-protected-resource/${resource}`]: metadataOperation(
    operationId,
    `Metadata of the protected resource /${resource} (RFC 9728)`,
    'Says which authorization server issues tokens for this resource.',
    'ResourceMetadata',
  ),
});
