/** What the JSON of a record says: read from the selection of a field once for all requests. */
import type { FieldNode } from 'graphql';
import { describe, type RecordClass } from '../../entities/description.js';
import { collect, type FieldInfo, once, responseKey } from '../resolving/selection.js';

/** The members in their order. */
export type Template = readonly TemplateMember[];

interface TemplateMember {
  key: string;
  /**
   * JSON that each record says; or a field; or a relation to one and what is said of the record it leads to; or, of an
   * edge, its cursor or its record.
   */
  says:
    | { json: string }
    | { field: string }
    | { relation: string; template: Template }
    | { cursor: true }
    | { node: Template };
}

/** What is said of the records that the field resolves to. */
export const templateOf = once(buildTemplate);

function buildTemplate(info: FieldInfo, record: RecordClass, nodes: readonly FieldNode[]): Template {
  const { name: typename, relations } = describe(record);
  return [...collect(info, nodes, typename, responseKey)].map(([key, same]) => {
    const name = same[0]!.name.value;
    const relation = relations.find((candidate) => candidate.name === name);
    if (relation) {
      const template = buildTemplate(info, relation.target(), same);
      return { key, says: { relation: name, template } };
    }
    return { key, says: name === '__typename' ? { json: JSON.stringify(typename) } : { field: name } };
  });
}

/** What is said of the edges that the field resolves to. */
export const edgeTemplateOf = once(
  (info, record, nodes): Template =>
    [...collect(info, nodes, `${describe(record).name}Edge`, responseKey)].map(([key, same]) => {
      const name = same[0]!.name.value;
      if (name === 'node') return { key, says: { node: buildTemplate(info, record, same) } };
      return {
        key,
        says: name === 'cursor' ? { cursor: true } : { json: JSON.stringify(`${describe(record).name}Edge`) },
      };
    }),
);
