/** Finds the columns, relations and parts of a connection that a query selects. */
import {
  type FieldNode,
  GraphQLIncludeDirective,
  type GraphQLResolveInfo,
  GraphQLSkipDirective,
  getDirectiveValues,
  isAbstractType,
  isObjectType,
  Kind,
  type NamedTypeNode,
  type OperationDefinitionNode,
  type SelectionNode,
  type SelectionSetNode,
} from 'graphql';
import type { Template } from '../../engine/answerBytes.js';
import { asBytes } from '../../engine/plainNodes.js';
import { describe, type RecordClass } from '../../entities/description.js';
import type { ConnectionSelection } from '../../services/read/readPages.js';
import type { Selection } from '../../services/read/select.js';

export type FieldInfo = Pick<
  GraphQLResolveInfo,
  'fieldNodes' | 'fragments' | 'operation' | 'schema' | 'variableValues'
>;
type Fields = Map<string, FieldNode[]>;

/** Operations without directives: what their fields select does not depend on variables. */
export const unconditional = new WeakSet<OperationDefinitionNode>();

/** Reads a selection once for all parents of a request, and in an operation without directives once for all requests. */
function once<T extends object>(read: (info: FieldInfo, record: RecordClass, nodes: readonly FieldNode[]) => T) {
  // a field of a union leads to several kinds of records
  const selections = new Map<RecordClass, WeakMap<object, T>>();
  return (info: FieldInfo, record: RecordClass): T => {
    const { fieldNodes, operation } = info;
    // graphql-js makes the array for each request, from nodes of the document
    const key = fieldNodes.length === 1 && unconditional.has(operation) ? fieldNodes[0]! : fieldNodes;
    const selectionsOfRecord = selections.get(record) ?? new WeakMap<object, T>();
    selections.set(record, selectionsOfRecord);
    let selection = selectionsOfRecord.get(key);
    if (!selection) {
      selection = read(info, record, fieldNodes);
      selectionsOfRecord.set(key, selection);
    }
    return selection;
  };
}

/** The selection of the record that the field resolves to (or of the records of its list). */
export const selectionOf = once(select);

/** The selection of the connection that the field resolves to. */
export const connectionSelectionOf = once(readConnectionSelection);

function readConnectionSelection(info: FieldInfo, record: RecordClass): ConnectionSelection {
  const { name } = describe(record);
  const fields = collect(info, info.fieldNodes, `${name}Connection`);
  const fieldsAt = (...names: string[]) => names.flatMap((name) => fields.get(name) ?? []);
  const edgeNodes = fieldsAt('edges', asBytes.edges);
  const edges = collect(info, edgeNodes, `${name}Edge`);
  const pageInfo = collect(info, fieldsAt('pageInfo'), 'PageInfo');
  const nodes = [...fieldsAt('nodes', asBytes.nodes), ...(edges.get('node') ?? [])];
  return {
    nodes: nodes.length > 0 || edgeNodes.length > 0 ? select(info, record, nodes) : undefined,
    cursors: edges.has('cursor') || pageInfo.has('startCursor') || pageInfo.has('endCursor'),
    totalCount: fields.has('totalCount'),
    hasNextPage: pageInfo.has('hasNextPage'),
    hasPreviousPage: pageInfo.has('hasPreviousPage'),
  };
}

const needs = new Map<RecordClass, Map<string, readonly string[]>>();

/** Declares the fields of the record that the resolver of another field needs. */
export function needFields(record: RecordClass, field: string, names: readonly string[]): void {
  const fields = needs.get(record) ?? new Map<string, readonly string[]>();
  needs.set(record, fields.set(field, names));
}

function select(info: FieldInfo, record: RecordClass, nodes: readonly FieldNode[]): Selection {
  const { name: typeName, fields, relations } = describe(record);
  const selection: Selection = { record, fields: new Set(), toOne: new Map() };
  for (const [name, nested] of collect(info, nodes, typeName)) {
    const relation = relations.find((candidate) => candidate.name === name);
    if (relation?.kind === 'toOne') selection.toOne.set(name, select(info, relation.target(), nested));
    else if (relation) selection.fields.add(relation.from);
    else if (fields.some((field) => field.name === name)) selection.fields.add(name);
    for (const needed of needs.get(record)?.get(name) ?? []) selection.fields.add(needed);
  }
  return selection;
}

/** The selection of a connection's records, in the order of the answer. */
export const templateOf = once(buildTemplate);

function buildTemplate(info: FieldInfo, record: RecordClass, nodes: readonly FieldNode[]): Template {
  const { name: typename, relations } = describe(record);
  return [...collect(info, nodes, typename, responseKey)].map(([key, sameKeyNodes]) => {
    const name = sameKeyNodes[0]!.name.value;
    const relation = relations.find((candidate) => candidate.name === name);
    if (relation) {
      const template = buildTemplate(info, relation.target(), sameKeyNodes);
      return { key, says: { relation: name, template } };
    }
    return { key, says: name === '__typename' ? { json: JSON.stringify(typename) } : { field: name } };
  });
}

/** The selection of a connection's edges, in the order of the answer. */
export const edgeTemplateOf = once(
  (info, record, nodes): Template =>
    [...collect(info, nodes, `${describe(record).name}Edge`, responseKey)].map(([key, sameKeyNodes]) => {
      const name = sameKeyNodes[0]!.name.value;
      if (name === 'node') return { key, says: { node: buildTemplate(info, record, sameKeyNodes) } };
      return {
        key,
        says: name === 'cursor' ? { cursor: true } : { json: JSON.stringify(`${describe(record).name}Edge`) },
      };
    }),
);

const responseKey = ({ alias, name }: FieldNode): string => (alias ?? name).value;
const fieldName = ({ name }: FieldNode): string => name.value;

/**
 * The selected fields below these nodes, by name: all aliases of a field need the same columns.
 * @param typeName the type that has the fields; undefined if no interface or union leads to it
 */
function collect(info: FieldInfo, nodes: readonly FieldNode[], typeName?: string, keyOf = fieldName): Fields {
  const fields: Fields = new Map();
  const visited = new Set<SelectionSetNode>();
  const walk = (set: SelectionSetNode | undefined, condition?: NamedTypeNode): void => {
    if (!set || visited.has(set) || !isOf(info, typeName, condition)) return;
    visited.add(set);
    for (const node of set.selections) {
      if (!isIncluded(info, node)) continue;
      if (node.kind === Kind.FIELD) fields.set(keyOf(node), [...(fields.get(keyOf(node)) ?? []), node]);
      else {
        const fragment = node.kind === Kind.INLINE_FRAGMENT ? node : info.fragments[node.name.value];
        walk(fragment?.selectionSet, fragment?.typeCondition);
      }
    }
  };
  for (const node of nodes) walk(node.selectionSet);
  return fields;
}

/** Whether a fragment with that type condition applies to the type. */
function isOf({ schema }: FieldInfo, typeName: string | undefined, condition: NamedTypeNode | undefined): boolean {
  if (!condition || typeName === undefined || condition.name.value === typeName) return true;
  const [abstract, type] = [schema.getType(condition.name.value), schema.getType(typeName)];
  return isAbstractType(abstract) && isObjectType(type) && schema.isSubType(abstract, type);
}

function isIncluded({ variableValues }: FieldInfo, node: SelectionNode): boolean {
  if (!node.directives?.length) return true;
  if (getDirectiveValues(GraphQLSkipDirective, node, variableValues)?.if === true) return false;
  return getDirectiveValues(GraphQLIncludeDirective, node, variableValues)?.if !== false;
}

/** The selected fields at the end of a path of names. */
function nodesAt(info: GraphQLResolveInfo, path: readonly string[]): readonly FieldNode[] {
  return path.reduce<readonly FieldNode[]>((nodes, name) => collect(info, nodes).get(name) ?? [], info.fieldNodes);
}

export const isSelected = (info: GraphQLResolveInfo, path: readonly string[]): boolean =>
  nodesAt(info, path).length > 0;
