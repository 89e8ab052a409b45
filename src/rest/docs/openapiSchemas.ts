/** JSON schemas and examples of OpenAPI, made from the descriptions that check inputs and shape answers. */
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
import type { InputField } from '../../services/records/input.js';
import { navigationsOf, type Shape } from '../../services/restLists/answerShape.js';

export type Schema = Record<string, unknown>;
export const reference = (name: string): Schema => ({ $ref: `#/components/schemas/${name}` });

/** Records of the documented answers by the names that the specification gives them. */
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

const problem: Schema = {
  type: 'object',
  description: 'What went wrong (RFC 9457).',
  required: ['type', 'title', 'status', 'traceId'],
  properties: {
    type: { type: 'string', description: 'What kind of problem it is.' },
    title: { type: 'string', description: 'The kind, in words.' },
    status: { type: 'integer', description: 'The status code.' },
    detail: { type: 'string', description: 'This occurrence, in words.' },
    code: { type: 'string', description: 'Of a problem with the api-version: which.' },
    errors: {
      type: 'object',
      description: 'Faults of the input by JSON path, parameter or option.',
      additionalProperties: { type: 'array', items: { type: 'string' } },
    },
    traceId: { type: 'string', description: 'Names the request in the log.' },
  },
};

/** The schemas of the administration service. */
export function administrationSchemas(): Record<string, Schema> {
  return {
    ...Object.fromEntries(answers.map(([name, record]) => [name, answerSchema(record)])),
    ApplicationCreateDTO: inputSchema(documentedApplicationInput(), 'An application to make.'),
    AccessScopeApplicationsMapperCreateDTO: inputSchema(mappingInput(scopeMappings, 'create'), 'A mapping to make.'),
    AccessScopeApplicationsMapperUpdateDTO: inputSchema(
      mappingInput(scopeMappings, 'update'),
      'A mapping to change: what is absent stays, null clears.',
    ),
    AccessScopeApplicationsMapperDeleteDTO: inputSchema(mappingInput(scopeMappings, 'delete'), 'A mapping to remove.'),
    ProblemDetails: problem,
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

/** An answer of this shape. */
export function exampleAnswer({ fields, relations }: Shape): Record<string, unknown> {
  const inner = relations.map(({ relation, shape }) => {
    if (!shape || relation.name === 'modifiedByNavigation') return [relation.name, null];
    return [relation.name, relation.kind === 'toMany' ? [exampleAnswer(shape)] : exampleAnswer(shape)];
  });
  return Object.fromEntries([...fields.map((field) => [field.name, sample(field)]), ...inner]);
}

/** A request with these fields. */
export const exampleInput = (fields: readonly InputField[]): Record<string, unknown> =>
  Object.fromEntries(fields.map(({ name, field }) => [name, sample(field)]));
