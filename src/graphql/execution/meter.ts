/** Measures operations: how deep they are, how many selections they hold, how many records they may answer with. */
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

interface Cost {
  depth: number;
  /** Records that may be answered; of a union, as many as if they were of each kind asked for. */
  records: number;
  /** Of each kind that an interface or a union stands for. */
  selections: number;
}

type PageSize = (field: FieldNode, definition: GraphQLField<unknown, unknown>) => number;

/** Of introspection, whose types nest by their own rules. */
const introspectionDepthMax = 20;
const structural = new Set(['nodes', 'edges', 'node', 'pageInfo']);
const nothing: Cost = { depth: 0, records: 0, selections: 0 };

export class Meter {
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

  /** What a fragment is about: a part of what an interface or a union stands for; an object stays what it is. */
  #narrow(type: GraphQLCompositeType | undefined, condition: NamedTypeNode | undefined): typeof type {
    const named = condition && !isObjectType(type) ? this.#schema.getType(condition.name.value) : undefined;
    return isCompositeType(named) ? named : type;
  }

  /** Once per fragment and type. A cycle counts as nothing: the validation refuses it. */
  #measureFragment(name: string, parent: GraphQLCompositeType | undefined, isIntrospection: boolean): Cost {
    const fragment = this.#fragments.get(name);
    const type = this.#narrow(parent, fragment?.typeCondition);
    const key = `${name} ${type?.name} ${isIntrospection}`;
    const known = this.#measured.get(key);
    if (known === 'underWay' || !fragment) return nothing;
    if (known) return known;
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
    // the records of `nodes` and `edges` are counted where the page is
    const own = isRecord || isConnection ? 1 : 0;
    return {
      depth: inner.depth + (structural.has(name) ? 0 : 1),
      records: times * (inner.records + own),
      selections: inner.selections,
    };
  }
}

/** How many times its `first` a list may have. */
const timesFirst = ({ extensions }: GraphQLField<unknown, unknown>): number => Number(extensions.complexity ?? 1);
