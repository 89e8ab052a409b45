/** Looks ahead in a query: which columns, joined relations and parts of a connection are asked for. */
import {
  type FieldNode,
  GraphQLIncludeDirective,
  type GraphQLResolveInfo,
  GraphQLSkipDirective,
  getDirectiveValues,
  Kind,
  type SelectionNode,
  type SelectionSetNode,
} from 'graphql';
import { describe, type RecordClass } from '../../entities/description.js';
import type { ConnectionSelection } from '../../services/graphReads/readPages.js';
import type { Selection } from '../../services/sql/select.js';

export type FieldInfo = Pick<GraphQLResolveInfo, 'fieldNodes' | 'fragments' | 'variableValues'>;
type Fields = Map<string, FieldNode[]>;

/** Read once: field nodes are one array for all parents of a request, and with compiled queries for all requests. */
export function once<T extends object>(read: (info: FieldInfo, record: RecordClass, nodes: readonly FieldNode[]) => T) {
  const known = new WeakMap<readonly FieldNode[], T>();
  return (info: FieldInfo, record: RecordClass): T => {
    let found = known.get(info.fieldNodes);
    if (!found) {
      found = read(info, record, info.fieldNodes);
      known.set(info.fieldNodes, found);
    }
    return found;
  };
}

/** What is asked of the record that the field resolves to (or of the records of its list). */
export const selectionOf = once(select);

/** Names of the nodes and the edges of a connection where a compiled query answers them as bytes. */
export const asBytes = { nodes: 'nodesAsBytes', edges: 'edgesAsBytes' } as const;

/** What is asked of the connection that the field resolves to. */
export const connectionSelectionOf = once(readConnectionSelection);

function readConnectionSelection(info: FieldInfo, record: RecordClass): ConnectionSelection {
  const asked = collect(info, info.fieldNodes);
  const fieldsAt = (...names: string[]) => names.flatMap((name) => asked.get(name) ?? []);
  const edgeNodes = fieldsAt('edges', asBytes.edges);
  const edges = collect(info, edgeNodes);
  const pageInfo = collect(info, fieldsAt('pageInfo'));
  const nodes = [...fieldsAt('nodes', asBytes.nodes), ...(edges.get('node') ?? [])];
  return {
    nodes: nodes.length > 0 || edgeNodes.length > 0 ? select(info, record, nodes) : undefined,
    cursors: edges.has('cursor') || pageInfo.has('startCursor') || pageInfo.has('endCursor'),
    totalCount: asked.has('totalCount'),
    hasNextPage: pageInfo.has('hasNextPage'),
    hasPreviousPage: pageInfo.has('hasPreviousPage'),
  };
}

const needs = new Map<RecordClass, Map<string, readonly string[]>>();

/** Has a field that is none of the record's own read these fields of it, for its resolver. */
export function needFields(record: RecordClass, field: string, names: readonly string[]): void {
  const fields = needs.get(record) ?? new Map<string, readonly string[]>();
  needs.set(record, fields.set(field, names));
}

function select(info: FieldInfo, record: RecordClass, nodes: readonly FieldNode[]): Selection {
  const { fields, relations } = describe(record);
  const selection: Selection = { record, fields: new Set(), toOne: new Map() };
  for (const [name, nested] of collect(info, nodes)) {
    const relation = relations.find((candidate) => candidate.name === name);
    if (relation?.kind === 'toOne') selection.toOne.set(name, select(info, relation.target(), nested));
    else if (relation) selection.fields.add(relation.from);
    else if (fields.some((field) => field.name === name)) selection.fields.add(name);
    for (const needed of needs.get(record)?.get(name) ?? []) selection.fields.add(needed);
  }
  return selection;
}

export const responseKey = ({ alias, name }: FieldNode): string => (alias ?? name).value;
const fieldName = ({ name }: FieldNode): string => name.value;

/** The fields asked for below these nodes, by name: aliases of one field ask for the same columns. */
export function collect(info: FieldInfo, nodes: readonly FieldNode[], keyOf = fieldName): Fields {
  const fields: Fields = new Map();
  const visited = new Set<SelectionSetNode>();
  const walk = (set: SelectionSetNode | undefined): void => {
    if (!set || visited.has(set)) return;
    visited.add(set);
    for (const node of set.selections) {
      if (!isIncluded(info, node)) continue;
      if (node.kind === Kind.FIELD) fields.set(keyOf(node), [...(fields.get(keyOf(node)) ?? []), node]);
      else if (node.kind === Kind.INLINE_FRAGMENT) walk(node.selectionSet);
      else walk(info.fragments[node.name.value]?.selectionSet);
    }
  };
  for (const node of nodes) walk(node.selectionSet);
  return fields;
}

function isIncluded({ variableValues }: FieldInfo, node: SelectionNode): boolean {
  if (!node.directives?.length) return true;
  if (getDirectiveValues(GraphQLSkipDirective, node, variableValues)?.if === true) return false;
  return getDirectiveValues(GraphQLIncludeDirective, node, variableValues)?.if !== false;
}
