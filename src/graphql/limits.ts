/** What a document may cost, judged before anything else reads it: linear in its size, however fragments explode. */
import {
  type DocumentNode,
  type FieldNode,
  type GraphQLObjectType,
  type GraphQLSchema,
  getNamedType,
  isObjectType,
  Kind,
  type OperationDefinitionNode,
  type SelectionSetNode,
} from 'graphql';
import type { Config } from '../config.js';
import { GatehouseError } from '../errors.js';
import { pageSizeDefault } from '../services/reading.js';

type Limit = 'depth' | 'complexity' | 'aliases' | 'root fields' | 'selections' | 'characters' | 'tokens';
type Variables = Readonly<Record<string, unknown>> | undefined;

/** Of the text; tokens are counted by the parser. */
export const documentCharactersMax = 200_000;
/** Of all selections, each fragment counted wherever it is spread. */
const selectionsMax = 10_000;
const selectionsTogetherMax = 200;
/** Of introspection, whose types nest by their own rules. */
const introspectionDepthMax = 20;
const structural = new Set(['nodes', 'edges', 'node', 'pageInfo']);

export function exceeded(limit: Limit, max: number, told: string): GatehouseError {
  return new GatehouseError('TOO_LARGE', `The query ${told}; the limit is ${max}.`, { extra: { limit, max } });
}

interface Cost {
  depth: number;
  /** Records that may be answered. */
  records: number;
  selections: number;
}

/**
 * Throws TOO_LARGE for a document or operation past a limit. Unknown names are left to the validation.
 * @returns the selections of what was judged, each fragment counted wherever it is spread
 */
export function requireWithinLimits(
  schema: GraphQLSchema,
  config: Config,
  document: DocumentNode,
  operationName: string | undefined,
  variables: Variables,
): number {
  let all = 0;
  requireSmallSets(document, config.graphqlAliasesMax);
  const operations = document.definitions.filter((definition) => definition.kind === Kind.OPERATION_DEFINITION);
  const judged = operationName ? operations.filter(({ name }) => name?.value === operationName) : operations;
  for (const operation of judged) {
    const meter = new Meter(schema, document, variables);
    const { depth, records, selections } = meter.measureOperation(operation);
    const roots = meter.countRootFields(operation);
    if (selections > selectionsMax) throw exceeded('selections', selectionsMax, 'has too many selections');
    if (roots > config.graphqlRootFieldsMax)
      throw exceeded('root fields', config.graphqlRootFieldsMax, `has ${roots} root fields`);
    if (depth > config.graphqlDepthMax)
      throw exceeded('depth', config.graphqlDepthMax, `is ${shown(depth)} levels deep`);
    if (records > config.graphqlComplexityMax)
      throw exceeded('complexity', config.graphqlComplexityMax, `may answer with ${shown(records)} records`);
    all += selections;
  }
  return all;
}

const shown = (count: number): string => (count < 1e9 ? String(count) : 'far too many');

function requireSmallSets(document: DocumentNode, max: number): void {
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
  if (aliases > max) throw exceeded('aliases', max, `has ${aliases} aliases`);
}

class Meter {
  private readonly fragments = new Map<string, SelectionSetNode>();
  private readonly measured = new Map<string, Cost | 'underWay'>();

  constructor(
    readonly schema: GraphQLSchema,
    document: DocumentNode,
    readonly variables: Variables,
  ) {
    for (const definition of document.definitions)
      if (definition.kind === Kind.FRAGMENT_DEFINITION)
        this.fragments.set(definition.name.value, definition.selectionSet);
  }

  measureOperation(operation: OperationDefinitionNode): Cost {
    return this.measure(operation.selectionSet, this.schema.getRootType(operation.operation) ?? undefined, false);
  }

  countRootFields({ selectionSet }: OperationDefinitionNode): number {
    let fields = 0;
    const sets = [selectionSet];
    const seen = new Set<SelectionSetNode>();
    for (let set = sets.pop(); set; set = sets.pop()) {
      if (seen.has(set)) continue;
      seen.add(set);
      for (const selection of set.selections) {
        const nested =
          selection.kind === Kind.FRAGMENT_SPREAD ? this.fragments.get(selection.name.value) : selection.selectionSet;
        if (selection.kind === Kind.FIELD) fields++;
        else if (nested) sets.push(nested);
      }
    }
    return fields;
  }

  private measure(set: SelectionSetNode, type: GraphQLObjectType | undefined, isIntrospection: boolean): Cost {
    const cost: Cost = { depth: 0, records: 0, selections: 0 };
    for (const selection of set.selections) {
      const part =
        selection.kind === Kind.FIELD
          ? this.measureField(selection, type, isIntrospection)
          : selection.kind === Kind.INLINE_FRAGMENT
            ? this.measure(selection.selectionSet, type, isIntrospection)
            : this.measureFragment(selection.name.value, type, isIntrospection);
      cost.depth = Math.max(cost.depth, part.depth);
      cost.records += part.records;
      cost.selections += part.selections + 1;
    }
    return cost;
  }

  /** Once per fragment and type. A cycle counts as nothing: the validation refuses it. */
  private measureFragment(name: string, type: GraphQLObjectType | undefined, isIntrospection: boolean): Cost {
    const key = `${name} ${type?.name} ${isIntrospection}`;
    const known = this.measured.get(key);
    const set = this.fragments.get(name);
    if (known === 'underWay' || !set) return { depth: 0, records: 0, selections: 0 };
    if (known) return known;
    this.measured.set(key, 'underWay');
    const cost = this.measure(set, type, isIntrospection);
    this.measured.set(key, cost);
    return cost;
  }

  private measureField(field: FieldNode, parent: GraphQLObjectType | undefined, isIntrospection: boolean): Cost {
    const name = field.name.value;
    const introspects = isIntrospection || name === '__schema' || name === '__type';
    if (!field.selectionSet) return { depth: structural.has(name) ? 0 : 1, records: 0, selections: 0 };
    const named = getNamedType(parent?.getFields()[name]?.type);
    const type = isObjectType(named) ? named : undefined;
    const inner = this.measure(field.selectionSet, type, introspects);
    if (introspects) {
      const depth = inner.depth + 1;
      return { ...inner, depth: depth > introspectionDepthMax ? depth : 0, records: 0 };
    }
    const isConnection = type?.name.endsWith('Connection') ?? false;
    const times = isConnection ? this.pageSize(field) : 1;
    const isRecord = !isConnection && !structural.has(name);
    // the records of `nodes` and `edges` are counted where the page is
    const own = isRecord || isConnection ? 1 : 0;
    return {
      depth: inner.depth + (structural.has(name) ? 0 : 1),
      records: times * (inner.records + own),
      selections: inner.selections,
    };
  }

  private pageSize({ arguments: given }: FieldNode): number {
    for (const name of ['first', 'last']) {
      const value = given?.find((argument) => argument.name.value === name)?.value;
      const size =
        value?.kind === Kind.INT
          ? Number(value.value)
          : value?.kind === Kind.VARIABLE
            ? this.variables?.[value.name.value]
            : undefined;
      if (typeof size === 'number' && size >= 0) return size;
    }
    return pageSizeDefault;
  }
}
