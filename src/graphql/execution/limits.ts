/** What a document may hold, and what an operation may ask for: linear in the document, however its fragments explode. */
import {
  type DocumentNode,
  type FieldNode,
  type GraphQLField,
  type GraphQLSchema,
  getNullableType,
  isListType,
  Kind,
  type OperationDefinitionNode,
  type SelectionSetNode,
} from 'graphql';
import type { Config } from '../../config/config.js';
import { GatehouseError } from '../../errors.js';
import { pageSizeDefault } from '../../services/graphReads/readPages.js';
import { Meter } from './meter.js';

type Limit = 'depth' | 'complexity' | 'aliases' | 'root fields' | 'selections' | 'characters' | 'tokens' | 'values';

/** Of the text; tokens are counted by the parser. */
export const documentCharactersMax = 200_000;
/** Of all selections, each fragment counted wherever it is spread. */
const selectionsMax = 10_000;
const selectionsTogetherMax = 200;

export function exceeded(limit: Limit, max: number, what: string, hint = '', more: object = {}): GatehouseError {
  return new GatehouseError('TOO_LARGE', `The query ${what}; the limit is ${max}.${hint}`, {
    extra: { limit, max, ...more },
  });
}

/**
 * Judges what doesn't depend on variables, before anything else reads the document. Throws TOO_LARGE. Unknown names are
 * left to the validation.
 * @returns the selections of all operations, each fragment counted wherever it is spread
 */
export function requireSmallDocument(schema: GraphQLSchema, config: Config, document: DocumentNode): number {
  let all = 0;
  requireSmallSets(document, config.graphqlAliasesMax);
  for (const operation of document.definitions) {
    if (operation.kind !== Kind.OPERATION_DEFINITION) continue;
    const meter = new Meter(schema, document, () => 1);
    const { depth, selections } = meter.measure(operation);
    const roots = meter.countRootFields(operation);
    if (selections > selectionsMax) throw exceeded('selections', selectionsMax, 'has too many selections');
    if (roots > config.graphqlRootFieldsMax)
      throw exceeded('root fields', config.graphqlRootFieldsMax, `has ${roots} root fields`);
    if (depth > config.graphqlDepthMax)
      throw exceeded('depth', config.graphqlDepthMax, `is ${shown(depth)} levels deep`);
    all += selections;
  }
  return all;
}

function requireSmallSets(document: DocumentNode, aliasesMax: number): void {
  let aliases = 0;
  const sets: SelectionSetNode[] = document.definitions.flatMap((definition) =>
    'selectionSet' in definition && definition.selectionSet ? [definition.selectionSet] : [],
  );
  for (let set = sets.pop(); set; set = sets.pop()) {
    // the validation compares all pairs of them
    if (set.selections.length > selectionsTogetherMax)
      throw exceeded('selections', selectionsTogetherMax, 'has too many selections in one place');
    for (const selection of set.selections) {
      if (selection.kind === Kind.FIELD && selection.alias) aliases++;
      if ('selectionSet' in selection && selection.selectionSet) sets.push(selection.selectionSet);
    }
  }
  if (aliases > aliasesMax) throw exceeded('aliases', aliasesMax, `has ${aliases} aliases`);
}

/** Throws TOO_LARGE for an operation that may answer with too many records, by the page sizes that it asks for. */
export function requireFewRecords(
  schema: GraphQLSchema,
  { graphqlComplexityMax: max }: Config,
  document: DocumentNode,
  operation: OperationDefinitionNode,
  variables: Readonly<Record<string, unknown>>,
): void {
  const withoutSize = new Set<string>();
  const recordsWith = (size: number): number => {
    const sizeOf = (field: FieldNode, definition: GraphQLField<unknown, unknown>) => {
      const asked = namedSize(field, definition, variables);
      if (asked === undefined) withoutSize.add(field.name.value);
      return asked ?? size;
    };
    return new Meter(schema, document, sizeOf).measure(operation).records;
  };
  const records = recordsWith(pageSizeDefault);
  if (records <= max) return;
  const fitting = greatest(pageSizeDefault, (size) => recordsWith(size) <= max);
  // the inner ones were measured first
  const names = [...withoutSize].reverse().slice(0, namesMax);
  const [hint, more] =
    fitting > 0
      ? [` It fits with first: ${fitting} at ${names.join(', ')}.`, { first: fitting, at: names }]
      : [' It fits with smaller pages.', {}];
  throw exceeded('complexity', max, `may answer with ${shown(records)} records`, hint, more);
}

/** What an operation may cost, as the limits judge it. */
export function costOf(
  schema: GraphQLSchema,
  { graphqlComplexityMax, graphqlDepthMax }: Config,
  document: DocumentNode,
  operation: OperationDefinitionNode,
  variables: Readonly<Record<string, unknown>>,
): object {
  const meter = new Meter(
    schema,
    document,
    (field, definition) => namedSize(field, definition, variables) ?? pageSizeDefault,
  );
  const { records, depth } = meter.measure(operation);
  return { complexity: { cost: records, max: graphqlComplexityMax }, depth: { cost: depth, max: graphqlDepthMax } };
}

const namesMax = 20;

/** The greatest number below `from` for which it holds, or 0; it holds for all numbers below one for which it holds. */
function greatest(from: number, holds: (number: number) => boolean): number {
  let [low, high] = [0, from - 1];
  while (low < high) {
    const middle = Math.ceil((low + high) / 2);
    if (holds(middle)) low = middle;
    else high = middle - 1;
  }
  return low;
}

const shown = (count: number): string => (count < 1e9 ? String(count) : 'far too many');

/** How many a field may have, where it says so or its arguments do; undefined for a connection that names no size. */
const namedSize = (
  field: FieldNode,
  definition: GraphQLField<unknown, unknown>,
  variables: Readonly<Record<string, unknown>>,
): number | undefined => askedSize(field, variables) ?? listSize(field, definition, variables);

/** How many a list has without being asked: as many as it is given, where that can be known; undefined for a connection. */
function listSize(
  { arguments: given = [] }: FieldNode,
  { type, args }: GraphQLField<unknown, unknown>,
  variables: Readonly<Record<string, unknown>>,
): number | undefined {
  if (!isListType(getNullableType(type))) return undefined;
  const first = args.find(({ name }) => name === 'first');
  if (first) return Number(first.defaultValue ?? pageSizeDefault);
  const lengths = given.map(({ value }) => {
    const items = value.kind === Kind.VARIABLE ? variables[value.name.value] : 'values' in value && value.values;
    return Array.isArray(items) ? items.length : 1;
  });
  return Math.max(1, ...lengths);
}

/** The page size that a field names, by itself or by a variable. */
function askedSize({ arguments: given }: FieldNode, variables: Readonly<Record<string, unknown>>): number | undefined {
  for (const name of ['first', 'last']) {
    const value = given?.find((argument) => argument.name.value === name)?.value;
    const size =
      value?.kind === Kind.INT
        ? Number(value.value)
        : value?.kind === Kind.VARIABLE
          ? variables[value.name.value]
          : undefined;
    if (typeof size === 'number' && size >= 0) return size;
  }
  return undefined;
}
