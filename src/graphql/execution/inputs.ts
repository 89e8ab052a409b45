/** Faults of GraphQL inputs: where they are, and what is said about them. */
import {
  type ArgumentNode,
  type ASTNode,
  type DocumentNode,
  type FragmentDefinitionNode,
  type GraphQLInputType,
  getNullableType,
  isEnumType,
  isInputObjectType,
  isListType,
  Kind,
  type OperationDefinitionNode,
  type SelectionSetNode,
  type ValueNode,
} from 'graphql';
import { findUnstorable } from '../../entities/storableText.js';
import type { Problems } from '../../errors.js';
import { shorten } from '../../services/records/input.js';

/**
 * What is said of an input that isn't what the schema asks for: by its path and its type, never by its value, and in the
 * words of services/records/input. Whoever finds a fault says the same of it: a literal's validation, the reading of
 * variables, or a service.
 */

/** Names of an argument and of members, and places in lists. */
export type InputPath = readonly (string | number)[];

/** `items[2].state` */
export function pathText(path: InputPath): string {
  return path
    .map((step, index) => (typeof step === 'number' ? `[${step}]` : `${index > 0 ? '.' : ''}${shorten(step)}`))
    .join('');
}

const expectations: Record<string, string> = {
  String: 'must be a string',
  ID: 'must be a string or a whole number',
  Int: 'must be a whole number from -2147483648 to 2147483647',
  Boolean: 'must be true or false',
  UUID: 'must be a guid',
  DateTime: 'must be an ISO 8601 date-time with an offset, such as 2026-01-31T12:00:00Z',
};

export const isRequired = (path: InputPath): string => `${subject(path)} is required.`;
export const mustNotBeNull = (path: InputPath): string => `${subject(path)} must not be null.`;
export const isUnknown = (path: InputPath): string => `There is no field ${shorten(String(path.at(-1)))}.`;
export const isNotOne = (path: InputPath): string => `${subject(path)} must have exactly one member.`;
export const isOfWrongType = (path: InputPath, type: GraphQLInputType): string =>
  `${subject(path)} ${expectation(type)}.`;

/** Why PostgreSQL couldn't hold a text; undefined when it can. */
export function unstorable(path: InputPath, text: string): string | undefined {
  const found = findUnstorable(text);
  if (!found) return undefined;
  return `${subject(path)} must ${found === 'NUL' ? 'not hold a NUL character' : 'be well-formed Unicode, without lone surrogates'}.`;
}

function subject(path: InputPath): string {
  const name = shorten(String(path.findLast((step) => typeof step === 'string')));
  return typeof path.at(-1) === 'number' ? `An item of the ${name} field` : `The ${name} field`;
}

function expectation(given: GraphQLInputType): string {
  const type = getNullableType(given);
  if (isListType(type)) return expectation(type.ofType);
  if (isInputObjectType(type)) return 'must be an object';
  if (isEnumType(type)) return `must be a value of ${type.name}`;
  return expectations[type.name] ?? `must be a ${type.name}`;
}

/** Where an input stands in an operation. */
export interface InputPlace {
  /** Response key of the root field that it is for; undefined for a directive above all fields. */
  root: string | undefined;
  path: InputPath;
}

/** The faults found so far, as many as are reported. */
export class ProblemList {
  readonly #byRoot = new Map<string | undefined, Map<string, string[]>>();
  #count = 0;
  readonly #max: number;

  constructor(max: number) {
    this.#max = max;
  }

  /** Throws TooManyProblems instead of taking more than `max`. */
  add({ root, path }: InputPlace, text: string): void {
    if (this.#count >= this.#max) throw new TooManyProblems();
    this.#count += 1;
    const ofRoot = this.#byRoot.get(root) ?? new Map<string, string[]>();
    this.#byRoot.set(root, ofRoot);
    const key = pathText(path);
    ofRoot.set(key, [...(ofRoot.get(key) ?? []), text]);
  }

  /** Of each root field. */
  problems(): [root: string | undefined, problems: Problems][] {
    // fromEntries, since a member may be named __proto__
    return [...this.#byRoot].map(([root, problems]) => [root, Object.fromEntries(problems)]);
  }
}

export class TooManyProblems extends Error {}

/** Where values stand in an operation: paths of arguments, such as `input.name`, for variables and for literals. */

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
