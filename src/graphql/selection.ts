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
import { describe, type RecordClass } from '../entities/fields.js';
import type { PageWish } from '../services/reading.js';
import type { Template } from '../services/recordText.js';
import type { Selection } from '../services/rowQuery.js';

export type Look = Pick<GraphQLResolveInfo, 'fieldNodes' | 'fragments' | 'variableValues'>;
type Fields = Map<string, FieldNode[]>;

/** Looked for once: field nodes are one array for all parents of a request, and with compiled queries for all requests. */
function once<T extends object>(look: (info: Look, record: RecordClass, nodes: readonly FieldNode[]) => T) {
  const known = new WeakMap<readonly FieldNode[], T>();
  return (info: Look, record: RecordClass): T => {
    let found = known.get(info.fieldNodes);
    if (!found) {
      found = look(info, record, info.fieldNodes);
      known.set(info.fieldNodes, found);
    }
    return found;
  };
}

/** What is asked of the record that the field resolves to (or of the records of its list). */
export const selectionOf = once(select);

/** Name of the nodes of a connection where they are answered as text. */
export const nodesAsText = 'nodesAsText';

/** What the text of a record says that the field resolves to. */
export const templateOf = once(lookForText);

function lookForText(info: Look, record: RecordClass, nodes: readonly FieldNode[]): Template {
  const { name: typename, relations } = describe(record);
  return [...collect(info, nodes, responseKey)].map(([key, same]) => {
    const name = same[0]!.name.value;
    const relation = relations.find((candidate) => candidate.name === name);
    if (relation) {
      const template = lookForText(info, relation.target(), same);
      return { key, says: { relation: name, template } };
    }
    return { key, says: name === '__typename' ? { json: JSON.stringify(typename) } : { field: name } };
  });
}

/** What is asked of the connection that the field resolves to. */
export const wishOf = once(lookIntoConnection);

function lookIntoConnection(info: Look, record: RecordClass): PageWish {
  const asked = collect(info, info.fieldNodes);
  const edges = collect(info, asked.get('edges') ?? []);
  const pageInfo = collect(info, asked.get('pageInfo') ?? []);
  const nodes = [...(asked.get('nodes') ?? []), ...(asked.get(nodesAsText) ?? []), ...(edges.get('node') ?? [])];
  return {
    nodes: nodes.length > 0 || asked.has('edges') ? select(info, record, nodes) : undefined,
    cursors: edges.has('cursor') || pageInfo.has('startCursor') || pageInfo.has('endCursor'),
    totalCount: asked.has('totalCount'),
    hasNextPage: pageInfo.has('hasNextPage'),
    hasPreviousPage: pageInfo.has('hasPreviousPage'),
  };
}

function select(info: Look, record: RecordClass, nodes: readonly FieldNode[]): Selection {
  const { fields, relations } = describe(record);
  const selection: Selection = { record, fields: new Set(), toOne: new Map() };
  for (const [name, nested] of collect(info, nodes)) {
    const relation = relations.find((candidate) => candidate.name === name);
    if (relation?.kind === 'toOne') selection.toOne.set(name, select(info, relation.target(), nested));
    else if (relation) selection.fields.add(relation.from);
    else if (fields.some((field) => field.name === name)) selection.fields.add(name);
  }
  return selection;
}

const responseKey = ({ alias, name }: FieldNode): string => (alias ?? name).value;
const fieldName = ({ name }: FieldNode): string => name.value;

/** The fields asked for below these nodes, by name: aliases of one field ask for the same columns. */
function collect(info: Look, nodes: readonly FieldNode[], keyOf = fieldName): Fields {
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

function isIncluded({ variableValues }: Look, node: SelectionNode): boolean {
  if (!node.directives?.length) return true;
  if (getDirectiveValues(GraphQLSkipDirective, node, variableValues)?.if === true) return false;
  return getDirectiveValues(GraphQLIncludeDirective, node, variableValues)?.if !== false;
}
