/** The schemas and examples of the records that /api answers and accepts, made from their entities. */
import { AccessScope } from '../../entities/AccessScope.js';
import { AccessScopeApplicationsMapper } from '../../entities/AccessScopeApplicationsMapper.js';
import { AccessScopeType } from '../../entities/AccessScopeType.js';
import { AccessScopeTypeApplicationsMapper } from '../../entities/AccessScopeTypeApplicationsMapper.js';
import { Application } from '../../entities/Application.js';
import {
  describe,
  type FieldDescription,
  type FieldType,
  fieldsFor,
  type RecordClass,
} from '../../entities/description.js';
import { Translation } from '../../entities/Translation.js';
import { User } from '../../entities/User.js';
import { documentedApplicationInput } from '../../services/catalogue/applications.js';
import { mappingInput, scopeMappings } from '../../services/catalogue/mappings.js';
import { type ListShape, navigationsOf } from '../../services/read/listShape.js';
import type { InputField } from '../../services/records/input.js';

export type Schema = Record<string, unknown>;
export const reference = (name: string): Schema => ({ $ref: `#/components/schemas/${name}` });

/** An answer in JSON. */
export const jsonAnswer = (description: string, schema: Schema, example?: unknown): Schema => ({
  description,
  content: { 'application/json': { schema, ...(example !== undefined && { example }) } },
});

/** The records of the documented answers, with their names in the specification. */
const answers: [string, RecordClass][] = [
  ['ApplicationResponseDTO', Application],
  ['AccessScopeApplicationsMapperDTO', AccessScopeApplicationsMapper],
  ['AccessScopeDTO', AccessScope],
  ['AccessScopeTypeDTO', AccessScopeType],
  ['AccessScopeTypeApplicationsMapperDTO', AccessScopeTypeApplicationsMapper],
  ['TranslationDTO', Translation],
  ['UserDTO', User],
];
const nameOf = (record: RecordClass): string => answers.find(([, candidate]) => candidate === record)![0];

const types: { [type in FieldType]: Schema } = {
  integer: { type: 'integer', format: 'int32' },
  bigint: { type: 'string' },
  string: { type: 'string' },
  boolean: { type: 'boolean' },
  uuid: { type: 'string', format: 'uuid' },
  dateTime: { type: 'string', format: 'date-time' },
  bytes: { type: 'string' },
  json: { type: 'object' },
};
const orNull = (schema: Schema): Schema => ({ ...schema, type: [schema.type, 'null'] });

/** @param isSelected for answers to `$select`, which have only the properties that it names */
function answerSchema(record: RecordClass, isSelected = false): Schema {
  const properties: Record<string, Schema> = {};
  for (const field of fieldsFor(record, 'rest')) {
    const schema = field.nullable ? orNull(types[field.type]) : types[field.type];
    properties[field.name] = { ...schema, ...(field.max && { maxLength: field.max }), description: field.doc };
  }
  for (const { name, kind, target, doc: description } of navigationsOf(record)) {
    const inner = reference(nameOf(target()));
    properties[name] =
      kind === 'toMany'
        ? { type: ['array', 'null'], items: inner, description }
        : { oneOf: [inner, { type: 'null' }], description };
  }
  const required = isSelected ? [] : Object.keys(properties);
  const description = isSelected ? 'The properties that `$select` and `$expand` name.' : describe(record).doc;
  return { type: 'object', description, required, properties, additionalProperties: false };
}

/** The records of the lists, with what follows `Listed` and `Selected` in the names of their schemas. */
const lists: [string, RecordClass][] = [
  ['ApplicationDTO', Application],
  ['AccessScopeApplicationsMapperDTO', AccessScopeApplicationsMapper],
];

/** An item of a list. */
export const listItem = (record: RecordClass): Schema =>
  reference(`Listed${lists.find(([, candidate]) => candidate === record)![0]}`);

/** An item is the whole record, or what `$select` names of it. */
const listSchemas = ([name, record]: (typeof lists)[number]): [string, Schema][] => [
  [
    `Listed${name}`,
    {
      description: 'The record; with `$select` only the properties that it names.',
      anyOf: [reference(nameOf(record)), reference(`Selected${name}`)],
    },
  ],
  [`Selected${name}`, answerSchema(record, true)],
];

function inputSchema(fields: readonly InputField[], description: string): Schema {
  const properties = fields.map(({ name, field, nullable }) => {
    const schema = nullable ? orNull(types[field.type]) : types[field.type];
    const least = field.type === 'string' && !nullable && { minLength: 1 };
    return [name, { ...schema, ...least, ...(field.max && { maxLength: field.max }), description: field.doc }];
  });
  const required = fields.filter((field) => field.required).map(({ name }) => name);
  return {
    type: 'object',
    description,
    required,
    properties: Object.fromEntries(properties),
    additionalProperties: false,
  };
}

const problemSchema: Schema = {
  type: 'object',
  description: 'What went wrong (RFC 9457).',
  required: ['type', 'title', 'status', 'traceId'],
  properties: {
    type: { type: 'string', description: 'Identifies the kind of problem.' },
    title: { type: 'string', description: 'A short summary of the kind of problem.' },
    status: { type: 'integer', description: 'The HTTP status code.' },
    detail: { type: 'string', description: 'An explanation of this occurrence.' },
    code: { type: 'string', description: 'Names the fault of the api-version header, or `APPROVAL_REQUIRED`.' },
    limit: { type: 'string', description: 'The limit that the request exceeded.' },
    max: { type: 'number', description: 'Its value.' },
    moreProblems: { type: 'boolean', description: 'Whether `errors` is not complete.' },
    errors: {
      type: 'object',
      description: 'Faults of the input, by JSON path, parameter or option.',
      additionalProperties: { type: 'array', items: { type: 'string' } },
    },
    traceId: { type: 'string', description: 'Identifies the request in the log.' },
  },
};

/** The schemas of the administration service. */
export function administrationSchemas(): Record<string, Schema> {
  return {
    ...Object.fromEntries(answers.map(([name, record]) => [name, answerSchema(record)])),
    ...Object.fromEntries(lists.flatMap(listSchemas)),
    ApplicationCreateDTO: inputSchema(documentedApplicationInput(), 'An application to create.'),
    AccessScopeApplicationsMapperCreateDTO: inputSchema(mappingInput(scopeMappings, 'create'), 'A mapping to create.'),
    AccessScopeApplicationsMapperUpdateDTO: inputSchema(
      mappingInput(scopeMappings, 'update'),
      'A mapping to change. Members that are absent keep their value; null clears it.',
    ),
    AccessScopeApplicationsMapperDeleteDTO: inputSchema(mappingInput(scopeMappings, 'delete'), 'A mapping to remove.'),
    ProblemDetails: problemSchema,
  };
}

const samples: Record<string, unknown> = {
  name: 'Time sheets',
  iconDefault: 'clock.svg',
  iconHover: 'clock-hover.svg',
  appType: 'web',
  renderingMode: 'tile',
  linkType: 'internal',
  globalExternalLink: 'https://timesheets.example.org',
  translationGroup: 'timesheets',
  state: 'active',
  accessScopeKey: 'timesheets.read',
  fieldName: 'name',
  languageCode: 'de',
  translatedText: 'Zeiterfassung',
  firstName: 'Ada',
  lastName: 'Lovelace',
  isWildcard: false,
};
const sampleOfType: { [type in FieldType]?: unknown } = {
  integer: 1,
  boolean: true,
  uuid: '3f2504e0-4f89-41d3-9a0c-0305e82c3301',
  dateTime: '2026-01-31T12:00:00.000Z',
};
const sample = ({ name, type, nullable }: FieldDescription): unknown =>
  samples[name] ?? (nullable ? null : sampleOfType[type]);

/** An example of an answer with this shape. */
export function exampleAnswer({ fields, relations }: ListShape): Record<string, unknown> {
  const inner = relations.map(({ relation, shape }) => {
    if (!shape || relation.name === 'modifiedByNavigation') return [relation.name, null];
    return [relation.name, relation.kind === 'toMany' ? [exampleAnswer(shape)] : exampleAnswer(shape)];
  });
  return Object.fromEntries([...fields.map((field) => [field.name, sample(field)]), ...inner]);
}

/** An example of a request with these fields. */
export const exampleInput = (
  fields: readonly InputField[],
  own: Record<string, unknown> = {},
): Record<string, unknown> => Object.fromEntries(fields.map(({ name, field }) => [name, own[name] ?? sample(field)]));

/** Records of the demonstration: with them the examples of requests work on a service that `npm start` runs. */
export const demonstrated = {
  application: 'de330000-0000-4000-8000-000000000001',
  user: 'de300000-0000-4000-8000-000000000001',
  /** Two access scopes that open the application, and one that does not. */
  opening: 'de320000-0000-4000-8000-000000000001',
  alsoOpening: 'de320000-0000-4000-8000-000000000002',
  other: 'de320000-0000-4000-8000-000000000003',
} as const;

/** A response header that answers share. */
export const headers = {
  'Retry-After': 'The seconds to wait before the next try.',
  'WWW-Authenticate': 'How to authenticate, and what is missing.',
  'trace-id': 'Identifies the refused request in the log.',
  'DPoP-Nonce': 'With DPOP_NONCE: the nonce of the next proof.',
  'Preference-Applied': '`dry-run` if nothing was changed because the request preferred so.',
  ETag: 'Changes with every administrative change.',
  'x-total-count': 'The number of records; only with `$count=true`.',
  Location: 'The path of the new application.',
} as const;
export const headerReferences = (...names: readonly (keyof typeof headers)[]): Schema => ({
  headers: Object.fromEntries(names.map((name) => [name, { $ref: `#/components/headers/${name}` }])),
});

export const problemContent: Schema = { 'application/problem+json': { schema: reference('ProblemDetails') } };
