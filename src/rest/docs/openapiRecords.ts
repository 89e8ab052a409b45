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
import { navigationsOf, type Shape } from '../../services/read/listShape.js';
import type { InputField } from '../../services/records/input.js';

export type Schema = Record<string, unknown>;
export const reference = (name: string): Schema => ({ $ref: `#/components/schemas/${name}` });

/** An answer in JSON. */
export const answer = (description: string, schema: Schema, example?: unknown): Schema => ({
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

function answerSchema(record: RecordClass): Schema {
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
        : { anyOf: [inner, { type: 'null' }], description };
  }
  const required = Object.keys(properties);
  return { type: 'object', description: describe(record).doc, required, properties, additionalProperties: false };
}

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
    code: { type: 'string', description: 'Names the fault of the api-version header. Other problems have no code.' },
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
export function exampleAnswer({ fields, relations }: Shape): Record<string, unknown> {
  const inner = relations.map(({ relation, shape }) => {
    if (!shape || relation.name === 'modifiedByNavigation') return [relation.name, null];
    return [relation.name, relation.kind === 'toMany' ? [exampleAnswer(shape)] : exampleAnswer(shape)];
  });
  return Object.fromEntries([...fields.map((field) => [field.name, sample(field)]), ...inner]);
}

/** An example of a request with these fields. */
export const exampleInput = (fields: readonly InputField[]): Record<string, unknown> =>
  Object.fromEntries(fields.map(({ name, field }) => [name, sample(field)]));
