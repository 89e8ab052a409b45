/**
 * Decides which queries' answers may be cached by the catalogue version: those that only read records of the catalogue with
 * plain reads. Anything unknown (a new type, a field with its own resolver) is not cached.
 */
import {
  type DocumentNode,
  type GraphQLCompositeType,
  type GraphQLSchema,
  isAbstractType,
  isObjectType,
  TypeInfo,
  visit,
  visitWithTypeInfo,
} from 'graphql';
import { catalogueRecords } from '../entities/all.js';
import { unversionedNames } from '../entities/catalogueVersion.js';
import { describe, type RecordClass } from '../entities/description.js';

/** Maximum length of the variables; longer ones are rarely repeated. */
const variablesCharactersMax = 16_384;

const recordByName = new Map(catalogueRecords.map((record) => [describe(record).name, record]));
/** Names of fields outside the catalogue. A selection, a filter or an ordering with one of them prevents caching. */
const movingNames = new Set([
  ...unversionedNames(),
  ...catalogueRecords.flatMap((record) =>
    describe(record)
      .relations.filter(({ target }) => !catalogueRecords.includes(target()))
      .map(({ name }) => name),
  ),
]);

/** Texts that identify the answer of a cacheable query; undefined for any other query. */
type IdentifyQuery = (
  document: DocumentNode,
  request: { operationName?: string | undefined; variables?: Readonly<Record<string, unknown>> | undefined },
) => string[] | undefined;

export function openQueryIdentifier(schema: GraphQLSchema): IdentifyQuery {
  const verdicts = new WeakMap<DocumentNode, boolean>();
  return (document, { operationName = '', variables = {} }) => {
    const isCacheable = verdicts.get(document) ?? readsOnlyCatalogue(schema, document);
    verdicts.set(document, isCacheable);
    const text = document.loc?.source.body;
    if (!isCacheable || text === undefined) return undefined;
    const values = textOf(variables);
    if (values === undefined || values.length > variablesCharactersMax || namesMoving(values)) return undefined;
    return [text, operationName, values];
  };
}

/** JSON of the variables; undefined if they are nested too deeply, which is refused later. */
function textOf(variables: Readonly<Record<string, unknown>>): string | undefined {
  try {
    return JSON.stringify(variables);
  } catch {
    return undefined;
  }
}

/** Matches a name in the JSON of variables, as a key or a value. */
function namesMoving(json: string): boolean {
  for (const name of movingNames) if (json.includes(`"${name}"`)) return true;
  return false;
}

/** @param document that is valid */
function readsOnlyCatalogue(schema: GraphQLSchema, document: DocumentNode): boolean {
  const types = new TypeInfo(schema);
  let isCacheable = true;
  const refuse = () => {
    isCacheable = false;
  };
  const visitor = {
    OperationDefinition: ({ operation }: { operation: string }) => {
      if (operation !== 'query') refuse();
    },
    Name: ({ value }: { value: string }) => {
      if (movingNames.has(value)) refuse();
    },
    EnumValue: ({ value }: { value: string }) => {
      if (movingNames.has(value)) refuse();
    },
    Field: ({ name }: { name: { value: string } }) => {
      const parent = types.getParentType();
      const kinds = isAbstractType(parent) ? schema.getPossibleTypes(parent) : [parent];
      if (name.value !== '__typename' && !kinds.every((kind) => isPlain(kind, name.value))) refuse();
    },
  };
  visit(document, visitWithTypeInfo(types, visitor));
  return isCacheable;
}

/** Whether the field is a plain read of the catalogue, or a part of a page of one. */
function isPlain(type: GraphQLCompositeType | null | undefined, name: string): boolean {
  if (!isObjectType(type)) return false;
  const parent = type.name;
  if (parent === 'Query') return isOfCatalogue(type.getFields()[name]?.extensions.reads);
  if (parent === 'PageInfo') return true;
  const page = /^(\w{1,100}?)(?:Connection|Edge)$/.exec(parent)?.[1];
  if (page !== undefined && recordByName.has(page)) return true;
  const record = recordByName.get(parent);
  if (!record) return false;
  const { fields, relations } = describe(record);
  const relation = relations.find((candidate) => candidate.name === name);
  if (relation) return isOfCatalogue(relation.target());
  return fields.some((field) => field.name === name) && !type.getFields()[name]?.resolve;
}

const isOfCatalogue = (record: RecordClass | undefined): boolean =>
  record !== undefined && catalogueRecords.includes(record);
