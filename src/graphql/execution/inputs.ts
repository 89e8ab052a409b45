/**
 * Reads the variables of an operation within limits. Describes each input that doesn't fit the schema by its path and type, never
 * by its value, in the words of services/records/input, which the validation of literals and services use too.
 */
import {
  type ArgumentNode,
  type ASTNode,
  type DocumentNode,
  type FragmentDefinitionNode,
  GraphQLError,
  type GraphQLInputField,
  type GraphQLInputObjectType,
  type GraphQLInputType,
  type GraphQLLeafType,
  type GraphQLList,
  type GraphQLSchema,
  getNullableType,
  isEnumType,
  isInputObjectType,
  isListType,
  isNonNullType,
  Kind,
  type OperationDefinitionNode,
  type ResponsePath,
  responsePathAsArray,
  type SelectionSetNode,
  typeFromAST,
  type ValueNode,
  valueFromAST,
} from 'graphql';
import { findUnstorable } from '../../entities/valueForms.js';
import { badInput, type Problems } from '../../errors.js';
import { shorten } from '../../services/records/input.js';
import { exceeded } from './limits.js';

/** The names of an argument and of its fields, and positions in lists. */
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

export const isMissing = (path: InputPath): string => `${subject(path)} is required.`;
export const mustNotBeNull = (path: InputPath): string => `${subject(path)} must not be null.`;
export const isUnknown = (path: InputPath): string => `There is no field ${shorten(String(path.at(-1)))}.`;
export const isNotOne = (path: InputPath): string => `${subject(path)} must have exactly one member.`;
export const isOfWrongType = (path: InputPath, type: GraphQLInputType): string =>
  `${subject(path)} ${expectation(type)}.`;

/** Why PostgreSQL can't store a text; undefined if it can. */
function unstorable(path: InputPath, text: string): string | undefined {
  const fault = findUnstorable(text);
  if (!fault) return undefined;
  return `${subject(path)} must ${fault === 'NUL' ? 'not contain a NUL character' : 'be well-formed Unicode, without lone surrogates'}.`;
}

function subject(path: InputPath): string {
  const name = shorten(String(path.findLast((step) => typeof step === 'string')));
  return typeof path.at(-1) === 'number' ? `An item of the ${name} field` : `The ${name} field`;
}

function expectation(declared: GraphQLInputType): string {
  const type = getNullableType(declared);
  if (isListType(type)) return expectation(type.ofType);
  if (isInputObjectType(type)) return 'must be an object';
  if (isEnumType(type)) return `must be a value of ${type.name}`;
  return expectations[type.name] ?? `must be a ${type.name}`;
}

/** The place of an input in an operation. */
interface InputPlace {
  /** Response key of the root field that has the input; undefined for a directive above all fields. */
  root: string | undefined;
  path: InputPath;
}

/** Collects the faults that are reported. */
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
    const rootProblems = this.#byRoot.get(root) ?? new Map<string, string[]>();
    this.#byRoot.set(root, rootProblems);
    const key = pathText(path);
    rootProblems.set(key, [...(rootProblems.get(key) ?? []), text]);
  }

  /** The problems of each root field. */
  problems(): [root: string | undefined, problems: Problems][] {
    // fromEntries, since a member may be named __proto__
    return [...this.#byRoot].map(([root, problems]) => [root, Object.fromEntries(problems)]);
  }
}

export class TooManyProblems extends Error {}

type Visit = (node: ValueNode, place: InputPlace) => void;

/** The first place of each variable of an operation that was validated. */
function variablePlaces(document: DocumentNode, operation: OperationDefinitionNode): Map<string, InputPlace> {
  const places = new Map<string, InputPlace>();
  visitValues(document, operation.selectionSet, (node, place) => {
    if (node.kind === Kind.VARIABLE && !places.has(node.name.value)) places.set(node.name.value, place);
  });
  return places;
}

/** The place of a value, or of a member of an input object, that is written in the document. */
export function findLiteral(document: DocumentNode, target: ASTNode): InputPlace | undefined {
  let place: InputPlace | undefined;
  for (const definition of document.definitions) {
    if (!('selectionSet' in definition) || !definition.selectionSet) continue;
    visitValues(document, definition.selectionSet, (node, { root, path }) => {
      if (node === target) place ??= { root, path };
      const member = node.kind === Kind.OBJECT ? node.fields.find((field) => field === target) : undefined;
      if (member) place ??= { root, path: [...path, member.name.value] };
    });
    if (place) return place;
  }
  return undefined;
}

/** Visits all values of arguments in the order of the document, each fragment once. */
function visitValues(document: DocumentNode, set: SelectionSetNode, visit: Visit): void {
  const fragments = new Map(
    document.definitions
      .filter((definition): definition is FragmentDefinitionNode => definition.kind === Kind.FRAGMENT_DEFINITION)
      .map((fragment) => [fragment.name.value, fragment]),
  );
  const visitSet = ({ selections }: SelectionSetNode, root?: string): void => {
    for (const selection of selections) {
      const ownRoot = root ?? (selection.kind === Kind.FIELD ? (selection.alias ?? selection.name).value : undefined);
      const args = selection.kind === Kind.FIELD ? (selection.arguments ?? []) : [];
      const directiveArguments = (selection.directives ?? []).flatMap((directive) => directive.arguments ?? []);
      for (const argument of [...args, ...directiveArguments]) visitArgument(argument, ownRoot, visit);
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

const depthMax = 40;

type PathNode = ResponsePath & { depth: number };

/**
 * Reads a value by its type (https://spec.graphql.org/October2021/#sec-Coercing-Variable-Values), as graphql-js's
 * coerceInputValue does, but it stops at a number of faults and values, never puts a value into a text, and reports a missing
 * member at the member's own path.
 */
export class Coercion {
  #values = 0;
  #root: string | undefined;
  readonly #problems: ProblemList;
  readonly #valuesMax: number;

  /** @param valuesMax the greatest number of values, counting objects, lists, members and items */
  constructor(problems: ProblemList, valuesMax: number) {
    this.#problems = problems;
    this.#valuesMax = valuesMax;
  }

  /** Returns the value as resolvers get it; after a problem, the result must not be used. Throws TOO_LARGE, BAD_USER_INPUT and TooManyProblems. */
  read(value: unknown, type: GraphQLInputType, { root, path }: InputPlace): unknown {
    this.#root = root;
    let node: PathNode | undefined;
    for (const key of path) node = inside(node, key);
    return this.#read(value, type, node!);
  }

  #read(value: unknown, type: GraphQLInputType, node: PathNode): unknown {
    if (++this.#values > this.#valuesMax)
      throw exceeded('values', this.#valuesMax, 'has too many values in its variables');
    if (node.depth > depthMax)
      throw badInput({
        [pathText(responsePathAsArray(node).slice(0, 1))]: [`At most ${depthMax} levels are accepted.`],
      });
    if (isNonNullType(type)) {
      if (value === null || value === undefined) return this.#add(node, mustNotBeNull);
      return this.#readPresent(value, type.ofType, node);
    }
    return value === null || value === undefined ? null : this.#readPresent(value, type, node);
  }

  #readPresent(value: NonNullable<unknown>, type: GraphQLInputType, node: PathNode): unknown {
    if (isListType(type)) return this.#readList(value, type, node);
    if (isInputObjectType(type)) return this.#readObject(value, type, node);
    return this.#readLeaf(value, type as GraphQLLeafType, node);
  }

  #readList(value: NonNullable<unknown>, { ofType }: GraphQLList<GraphQLInputType>, node: PathNode): unknown[] {
    if (Array.isArray(value)) return value.map((item, index) => this.#read(item, ofType, inside(node, index)));
    // a single value stands for a list of it
    return [this.#read(value, ofType, node)];
  }

  #readObject(value: NonNullable<unknown>, type: GraphQLInputObjectType, node: PathNode): unknown {
    if (typeof value !== 'object' || Array.isArray(value)) return this.#add(node, (path) => isOfWrongType(path, type));
    const input = value as Record<string, unknown>;
    const fields = type.getFields();
    const read: Record<string, unknown> = {};
    for (const name of Object.keys(input)) {
      if (!Object.hasOwn(fields, name)) this.#add(inside(node, name), isUnknown);
      else if (input[name] !== undefined) read[name] = this.#read(input[name], fields[name]!.type, inside(node, name));
    }
    for (const { name, defaultValue } of expectedFields(type)) {
      if (Object.hasOwn(input, name) && input[name] !== undefined) continue;
      if (defaultValue !== undefined) read[name] = defaultValue;
      else this.#add(inside(node, name), isMissing);
    }
    if (type.isOneOf) this.#requireOne(input, node);
    return read;
  }

  #requireOne(input: Record<string, unknown>, node: PathNode): void {
    const members = Object.keys(input).filter((name) => input[name] !== undefined);
    if (members.length !== 1) this.#add(node, isNotOne);
    else if (input[members[0]!] === null) this.#add(inside(node, members[0]!), mustNotBeNull);
  }

  #readLeaf(value: NonNullable<unknown>, type: GraphQLLeafType, node: PathNode): unknown {
    const fault = typeof value === 'string' ? unstorable(responsePathAsArray(node), value) : undefined;
    if (fault) return this.#add(node, () => fault);
    try {
      const read = type.parseValue(value);
      if (read !== undefined) return read;
    } catch {
      // its message may repeat the value
    }
    return this.#add(node, (path) => isOfWrongType(path, type));
  }

  #add(node: PathNode, text: (path: InputPath) => string): undefined {
    const path = responsePathAsArray(node);
    this.#problems.add({ root: this.#root, path }, text(path));
  }
}

/** The fields of an input object that are required or have a default; filters have dozens of others. */
const expected = new WeakMap<GraphQLInputObjectType, readonly GraphQLInputField[]>();
function expectedFields(type: GraphQLInputObjectType): readonly GraphQLInputField[] {
  const cached = expected.get(type);
  if (cached) return cached;
  const fields = Object.values(type.getFields()).filter(
    (field) => field.defaultValue !== undefined || isNonNullType(field.type),
  );
  expected.set(type, fields);
  return fields;
}

const inside = (prev: PathNode | undefined, key: string | number): PathNode => ({
  key,
  prev,
  typename: undefined,
  depth: (prev?.depth ?? 0) + 1,
});

const problemsMax = 50;

export type ReadVariables = { values: Record<string, unknown> } | { errors: GraphQLError[] };

/**
 * Returns the declared variables as resolvers get them, or an error with problems by input path for each root field with an
 * invalid variable. Variables that the operation doesn't declare are ignored. Throws TOO_LARGE for more values than `valuesMax`.
 */
export function readVariables(
  schema: GraphQLSchema,
  document: DocumentNode,
  operation: OperationDefinitionNode,
  variables: Readonly<Record<string, unknown>>,
  valuesMax: number,
): ReadVariables {
  const definitions = operation.variableDefinitions ?? [];
  if (definitions.length === 0) return { values: {} };
  const places = variablePlaces(document, operation);
  const problems = new ProblemList(problemsMax);
  const coercion = new Coercion(problems, valuesMax);
  const values: [string, unknown][] = [];
  let isWhole = true;
  try {
    for (const { variable, type: node, defaultValue } of definitions) {
      const name = variable.name.value;
      const type = typeFromAST(schema, node as never) as GraphQLInputType;
      const place = places.get(name)!;
      const value = Object.hasOwn(variables, name) ? variables[name] : undefined;
      if (value !== undefined) values.push([name, coercion.read(value, type, place)]);
      else if (defaultValue) values.push([name, valueFromAST(defaultValue, type)]);
      else if (isNonNullType(type)) problems.add(place, isMissing(place.path));
    }
  } catch (error) {
    if (!(error instanceof TooManyProblems)) throw error;
    isWhole = false;
  }
  const errors = problems.problems().map(([root, problems]) => invalid(root, problems, isWhole));
  return errors.length > 0 ? { errors } : { values: Object.fromEntries(values) };
}

/** Returns the error that a service would throw for the same input: at the field, by input path. */
function invalid(root: string | undefined, problems: Problems, isWhole: boolean): GraphQLError {
  const cause = badInput(problems, isWhole);
  return new GraphQLError(cause.message, { path: root === undefined ? null : [root], originalError: cause });
}
