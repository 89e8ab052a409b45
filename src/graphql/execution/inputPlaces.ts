/** Where values stand in an operation: paths of arguments, such as `input.name`, for variables and for literals. */
import {
  type ArgumentNode,
  type ASTNode,
  type DocumentNode,
  type FragmentDefinitionNode,
  Kind,
  type OperationDefinitionNode,
  type SelectionSetNode,
  type ValueNode,
} from 'graphql';
import type { InputPath, InputPlace } from './inputFaults.js';

type Visit = (node: ValueNode, place: InputPlace) => void;

/** The first place of each variable of an operation that was validated. */
export function variablePlaces(document: DocumentNode, operation: OperationDefinitionNode): Map<string, InputPlace> {
  const places = new Map<string, InputPlace>();
  visitValues(document, operation.selectionSet, (node, place) => {
    if (node.kind === Kind.VARIABLE && !places.has(node.name.value)) places.set(node.name.value, place);
  });
  return places;
}

/** Where a value, or a member of an input object, stands that is in the document itself. */
export function findLiteral(document: DocumentNode, wanted: ASTNode): InputPlace | undefined {
  let found: InputPlace | undefined;
  for (const definition of document.definitions) {
    if (!('selectionSet' in definition) || !definition.selectionSet) continue;
    visitValues(document, definition.selectionSet, (node, { root, path }) => {
      if (node === wanted) found ??= { root, path };
      const member = node.kind === Kind.OBJECT ? node.fields.find((field) => field === wanted) : undefined;
      if (member) found ??= { root, path: [...path, member.name.value] };
    });
    if (found) return found;
  }
  return undefined;
}

/** Goes through all values of arguments, each fragment's once, in the order of the document. */
function visitValues(document: DocumentNode, set: SelectionSetNode, visit: Visit): void {
  const fragments = new Map(
    document.definitions
      .filter((definition): definition is FragmentDefinitionNode => definition.kind === Kind.FRAGMENT_DEFINITION)
      .map((fragment) => [fragment.name.value, fragment]),
  );
  const visitSet = ({ selections }: SelectionSetNode, root?: string): void => {
    for (const selection of selections) {
      const ownRoot = root ?? (selection.kind === Kind.FIELD ? (selection.alias ?? selection.name).value : undefined);
      const given = selection.kind === Kind.FIELD ? (selection.arguments ?? []) : [];
      const ofDirectives = (selection.directives ?? []).flatMap((directive) => directive.arguments ?? []);
      for (const argument of [...given, ...ofDirectives]) visitArgument(argument, ownRoot, visit);
      if (selection.kind === Kind.FRAGMENT_SPREAD) {
        const fragment = fragments.get(selection.name.value);
        fragments.delete(selection.name.value);
        if (fragment) visitSet(fragment.selectionSet, ownRoot);
      } else if (selection.selectionSet) visitSet(selection.selectionSet, ownRoot);
    }
  };
  visitSet(set);
}

function visitArgument({ name, value }: ArgumentNode, root: string | undefined, visit: Visit): void {
  const visitValue = (node: ValueNode, path: InputPath): void => {
    visit(node, { root, path });
    if (node.kind === Kind.LIST) for (const [index, item] of node.values.entries()) visitValue(item, [...path, index]);
    if (node.kind === Kind.OBJECT)
      for (const field of node.fields) visitValue(field.value, [...path, field.name.value]);
  };
  visitValue(value, [name.value]);
}
