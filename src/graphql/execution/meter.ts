/** Measures operations: how deep they are, how many selections they hold, how many records they may answer with. */
import {
  type DocumentNode,
  type FieldNode,
  type GraphQLField,
  type GraphQLObjectType,
  type GraphQLSchema,
  getNamedType,
  getNullableType,
  isListType,
  isObjectType,
  Kind,
  type OperationDefinitionNode,
  type SelectionSetNode,
} from 'graphql';

interface Cost {
  depth: number;
  /** Records that may be answered. */
  records: number;
  selections: number;
}

type PageSize = (field: FieldNode, definition: GraphQLField<unknown, unknown>) => number;

/** Of introspection, whose types nest by their own rules. */
const introspectionDepthMax = 20;
const structural = new Set(['nodes', 'edges', 'node', 'pageInfo']);
const nothing: Cost = { depth: 0, records: 0, selections: 0 };

export class Meter {
  readonly #fragments = new Map<string, SelectionSetNode>();
  readonly #measured = new Map<string, Cost | 'underWay'>();

  readonly #schema: GraphQLSchema;
  readonly #pageSize: PageSize;

  /** @param pageSize of a field that is a connection or a list */
  constructor(schema: GraphQLSchema, document: DocumentNode, pageSize: PageSize) {
    this.#schema = schema;
    this.#pageSize = pageSize;
    for (const definition of document.definitions)
      if (definition.kind === Kind.FRAGMENT_DEFINITION)
        this.#fragments.set(definition.name.value, definition.selectionSet);
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
        const nested =
          selection.kind === Kind.FRAGMENT_SPREAD ? this.#fragments.get(selection.name.value) : selection.selectionSet;
        if (selection.kind === Kind.FIELD) fields++;
        else if (nested) sets.push(nested);
      }
    }
    return fields;
  }

  #measureSet(set: SelectionSetNode, type: GraphQLObjectType | undefined, isIntrospection: boolean): Cost {
    const cost: Cost = { ...nothing };
    for (const selection of set.selections) {
      const part =
        selection.kind === Kind.FIELD
          ? this.#measureField(selection, type, isIntrospection)
          : selection.kind === Kind.INLINE_FRAGMENT
            ? this.#measureSet(selection.selectionSet, type, isIntrospection)
            : this.#measureFragment(selection.name.value, type, isIntrospection);
      cost.depth = Math.max(cost.depth, part.depth);
      cost.records += part.records;
      cost.selections += part.selections + 1;
    }
    return cost;
  }

  /** Once per fragment and type. A cycle counts as nothing: the validation refuses it. */
  #measureFragment(name: string, type: GraphQLObjectType | undefined, isIntrospection: boolean): Cost {
    const key = `${name} ${type?.name} ${isIntrospection}`;
    const known = this.#measured.get(key);
    const set = this.#fragments.get(name);
    if (known === 'underWay' || !set) return nothing;
    if (known) return known;
    this.#measured.set(key, 'underWay');
    const cost = this.#measureSet(set, type, isIntrospection);
    this.#measured.set(key, cost);
    return cost;
  }

  #measureField(field: FieldNode, parent: GraphQLObjectType | undefined, isIntrospection: boolean): Cost {
    const name = field.name.value;
    const introspects = isIntrospection || name === '__schema' || name === '__type';
    if (!field.selectionSet) return { ...nothing, depth: structural.has(name) ? 0 : 1 };
    const definition = parent?.getFields()[name];
    const named = getNamedType(definition?.type);
    const type = isObjectType(named) ? named : undefined;
    const inner = this.#measureSet(field.selectionSet, type, introspects);
    if (introspects) {
      const depth = inner.depth + 1;
      return { ...inner, depth: depth > introspectionDepthMax ? depth : 0, records: 0 };
    }
    const isConnection = type?.name.endsWith('Connection') ?? false;
    const isList = isListType(getNullableType(definition?.type)) && !structural.has(name);
    const times = definition && (isConnection || isList) ? this.#pageSize(field, definition) : 1;
    const isRecord = !isConnection && !structural.has(name);
    // the records of `nodes` and `edges` are counted where the page is
    const own = isRecord || isConnection ? 1 : 0;
    return {
      depth: inner.depth + (structural.has(name) ? 0 : 1),
      records: times * (inner.records + own),
      selections: inner.selections,
    };
  }
}
