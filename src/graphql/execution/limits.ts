/** Limits the depth, aliases, root fields and complexity of operations. */
import {
  type DocumentNode,
  type FieldNode,
  type FragmentDefinitionNode,
  type GraphQLCompositeType,
  type GraphQLField,
  type GraphQLSchema,
  getNamedType,
  getNullableType,
  isAbstractType,
  isCompositeType,
  isListType,
  isObjectType,
  Kind,
  type NamedTypeNode,
  type OperationDefinitionNode,
  type SelectionSetNode,
} from 'graphql';
import type { Config } from '../../config/config.js';
import { GatehouseError } from '../../errors.js';
import { pageSizeDefault } from '../../services/read/readPages.js';

interface Cost {
  depth: number;
  /** Maximum number of records in the answer. A union counts once for each of its selected types. */
  records: number;
  /** Selected fields; an interface or a union counts once for each of its possible types. */
  selections: number;
}

type PageSize = (field: FieldNode, definition: GraphQLField<unknown, unknown>) => number;

/** The maximum depth of introspection queries, whose types nest deeply. */
const introspectionDepthMax = 20;
const structural = new Set(['nodes', 'edges', 'node', 'pageInfo']);
const nothing: Cost = { depth: 0, records: 0, selections: 0 };

class Meter {
  readonly #fragments = new Map<string, FragmentDefinitionNode>();
  readonly #measured = new Map<string, Cost | 'underWay'>();

  readonly #schema: GraphQLSchema;
  readonly #pageSize: PageSize;

  /** @param pageSize of a field that is a connection or a list */
  constructor(schema: GraphQLSchema, document: DocumentNode, pageSize: PageSize) {
    this.#schema = schema;
    this.#pageSize = pageSize;
    for (const definition of document.definitions)
      if (definition.kind === Kind.FRAGMENT_DEFINITION) this.#fragments.set(definition.name.value, definition);
  }

  measure({ selectionSet, operation }: OperationDefinitionNode): Cost {
    return this.#measureSet(selectionSet, this.#schema.getRootType(operation) ?? undefined, false);
  }

  countRootFields({ selectionSet }: OperationDefinitionNode): number {
    let fields = 0;
    const sets = [selectionSet];
    const seen = new Set<SelectionSetNode>();
    for (let set = sets.pop(); set; set = sets.pop()) {
      if (seen.has(set)) continue;
      seen.add(set);
      for (const selection of set.selections) {
        const nested = (selection.kind === Kind.FRAGMENT_SPREAD ? this.#fragments.get(selection.name.value) : selection)
          ?.selectionSet;
        if (selection.kind === Kind.FIELD) fields++;
        else if (nested) sets.push(nested);
      }
    }
    return fields;
  }

  #measureSet(set: SelectionSetNode, type: GraphQLCompositeType | undefined, isIntrospection: boolean): Cost {
    const cost: Cost = { ...nothing };
    const kinds = isAbstractType(type) ? this.#schema.getPossibleTypes(type).length : 1;
    for (const selection of set.selections) {
      const part =
        selection.kind === Kind.FIELD
          ? this.#measureField(selection, type, isIntrospection)
          : selection.kind === Kind.INLINE_FRAGMENT
            ? this.#measureSet(selection.selectionSet, this.#narrow(type, selection.typeCondition), isIntrospection)
            : this.#measureFragment(selection.name.value, type, isIntrospection);
      cost.depth = Math.max(cost.depth, part.depth);
      cost.records += part.records;
      cost.selections += (part.selections + 1) * (selection.kind === Kind.FIELD ? kinds : 1);
    }
    return cost;
  }

  /** The types of a fragment: some of the types of an interface or a union; an object type stays as it is. */
  #narrow(type: GraphQLCompositeType | undefined, condition: NamedTypeNode | undefined): typeof type {
    const named = condition && !isObjectType(type) ? this.#schema.getType(condition.name.value) : undefined;
    return isCompositeType(named) ? named : type;
  }

  /** Measures a fragment once for each type. A cycle counts as nothing: the validation refuses it. */
  #measureFragment(name: string, parent: GraphQLCompositeType | undefined, isIntrospection: boolean): Cost {
    const fragment = this.#fragments.get(name);
    const type = this.#narrow(parent, fragment?.typeCondition);
    const key = `${name} ${type?.name} ${isIntrospection}`;
    const measured = this.#measured.get(key);
    if (measured === 'underWay' || !fragment) return nothing;
    if (measured) return measured;
    this.#measured.set(key, 'underWay');
    const cost = this.#measureSet(fragment.selectionSet, type, isIntrospection);
    this.#measured.set(key, cost);
    return cost;
  }

  #measureField(field: FieldNode, parent: GraphQLCompositeType | undefined, isIntrospection: boolean): Cost {
    const name = field.name.value;
    const introspects = isIntrospection || name === '__schema' || name === '__type';
    if (!field.selectionSet) return { ...nothing, depth: structural.has(name) ? 0 : 1 };
    const definition = parent && 'getFields' in parent ? parent.getFields()[name] : undefined;
    const named = getNamedType(definition?.type);
    const type = isCompositeType(named) ? named : undefined;
    const inner = this.#measureSet(field.selectionSet, type, introspects);
    if (introspects) {
      const depth = inner.depth + 1;
      return { ...inner, depth: depth > introspectionDepthMax ? depth : 0, records: 0 };
    }
    const isConnection = type?.name.endsWith('Connection') ?? false;
    const isList = isListType(getNullableType(definition?.type)) && !structural.has(name);
    const times =
      definition && (isConnection || isList) ? this.#pageSize(field, definition) * timesFirst(definition) : 1;
    const isRecord = !isConnection && !structural.has(name);
    // the records of `nodes` and `edges` are counted at their connection
    const own = isRecord || isConnection ? 1 : 0;
    return {
      depth: inner.depth + (structural.has(name) ? 0 : 1),
      records: times * (inner.records + own),
      selections: inner.selections,
    };
  }
}

/** The factor by which a list may exceed its `first`. */
const timesFirst = ({ extensions }: GraphQLField<unknown, unknown>): number => extensions.complexity ?? 1;

type Limit = 'depth' | 'complexity' | 'aliases' | 'root fields' | 'selections' | 'characters' | 'tokens' | 'values';

/** The maximum length of the text; the parser counts tokens. */
export const documentCharactersMax = 200_000;
/** The maximum number of selections; a fragment counts wherever it is spread. */
const selectionsMax = 10_000;
const selectionsTogetherMax = 200;

export function exceeded(limit: Limit, max: number, what: string, hint = '', more: object = {}): GatehouseError {
  return new GatehouseError('TOO_LARGE', `The query ${what}; the limit is ${max}.${hint}`, {
    extra: { limit, max, ...more },
  });
}

/**
 * Checks the limits that don't depend on variables, before the document is used otherwise. Throws TOO_LARGE. Unknown names are
 * left to the validation.
 */
export function requireSmallDocument(schema: GraphQLSchema, config: Config, document: DocumentNode): void {
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
      throw exceeded('depth', config.graphqlDepthMax, `is ${countText(depth)} levels deep`);
  }
}

function requireSmallSets(document: DocumentNode, aliasesMax: number): void {
  let aliases = 0;
  const sets: SelectionSetNode[] = document.definitions.flatMap((definition) =>
    'selectionSet' in definition && definition.selectionSet ? [definition.selectionSet] : [],
  );
  for (let set = sets.pop(); set; set = sets.pop()) {
    // the validation compares all pairs of selections
    if (set.selections.length > selectionsTogetherMax)
      throw exceeded('selections', selectionsTogetherMax, 'has too many selections in one place');
    for (const selection of set.selections) {
      if (selection.kind === Kind.FIELD && selection.alias) aliases++;
      if ('selectionSet' in selection && selection.selectionSet) sets.push(selection.selectionSet);
    }
  }
  if (aliases > aliasesMax) throw exceeded('aliases', aliasesMax, `has ${aliases} aliases`);
}

/** Throws TOO_LARGE for an operation that may return too many records, according to its page sizes. */
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
      const pageSize = namedSize(field, definition, variables);
      if (pageSize === undefined) withoutSize.add(field.name.value);
      return pageSize ?? size;
    };
    return new Meter(schema, document, sizeOf).measure(operation).records;
  };
  const records = recordsWith(pageSizeDefault);
  if (records <= max) return;
  const fitting = greatest(pageSizeDefault, (size) => recordsWith(size) <= max);
  // inner connections were measured first
  const names = [...withoutSize].reverse().slice(0, namesMax);
  const [hint, more] =
    fitting > 0
      ? [` Use first: ${fitting} for ${names.join(', ')}.`, { first: fitting, at: names }]
      : [' Use smaller pages.', {}];
  throw exceeded('complexity', max, `may answer with ${countText(records)} records`, hint, more);
}

/** The cost of an operation, as the limits count it. */
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

/** The greatest number below `from` that meets the condition, or 0. If a number meets it, all smaller numbers do. */
function greatest(from: number, holds: (number: number) => boolean): number {
  let [low, high] = [0, from - 1];
  while (low < high) {
    const middle = Math.ceil((low + high) / 2);
    if (holds(middle)) low = middle;
    else high = middle - 1;
  }
  return low;
}

const countText = (count: number): string => (count < 1e9 ? String(count) : 'far too many');

/** How many items a field may have, by its declaration or its arguments; undefined for a connection without a page size. */
const namedSize = (
  field: FieldNode,
  definition: GraphQLField<unknown, unknown>,
  variables: Readonly<Record<string, unknown>>,
): number | undefined => requestedSize(field, variables) ?? listSize(field, definition, variables);

/** How many items a list has without a page size; undefined for a connection. */
function listSize(
  { arguments: argumentNodes = [] }: FieldNode,
  { type, args }: GraphQLField<unknown, unknown>,
  variables: Readonly<Record<string, unknown>>,
): number | undefined {
  if (!isListType(getNullableType(type))) return undefined;
  const first = args.find(({ name }) => name === 'first');
  if (first) return Number(first.defaultValue ?? pageSizeDefault);
  const lengths = argumentNodes.map(({ value }) => {
    const items = value.kind === Kind.VARIABLE ? variables[value.name.value] : 'values' in value && value.values;
    return Array.isArray(items) ? items.length : 1;
  });
  return Math.max(1, ...lengths);
}

/** The page size that a field names, by itself or by a variable. */
function requestedSize(
  { arguments: argumentNodes }: FieldNode,
  variables: Readonly<Record<string, unknown>>,
): number | undefined {
  for (const name of ['first', 'last']) {
    const value = argumentNodes?.find((argument) => argument.name.value === name)?.value;
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
