/** Reads the variables of an operation, within bounds. */
import {
  type DocumentNode,
  GraphQLError,
  type GraphQLInputField,
  type GraphQLInputObjectType,
  type GraphQLInputType,
  type GraphQLLeafType,
  type GraphQLList,
  type GraphQLSchema,
  isInputObjectType,
  isListType,
  isNonNullType,
  type OperationDefinitionNode,
  typeFromAST,
  valueFromAST,
} from 'graphql';
import { badInput, type Problems } from '../../errors.js';
import {
  type InputPath,
  type InputPlace,
  isNotOne,
  isOfWrongType,
  isRequired,
  isUnknown,
  mustNotBeNull,
  ProblemList,
  pathText,
  TooManyProblems,
  unstorable,
  variablePlaces,
} from './inputs.js';
import { exceeded } from './limits.js';

/**
 * The reading of one value by its type (https://spec.graphql.org/October2021/#sec-Coercing-Variable-Values), as
 * graphql-js's coerceInputValue does it, but bounded: it ends at so many faults and values, makes no text of a value, and
 * tells a missing member at the member's own path.
 */
const depthMax = 40;

interface PathNode {
  key: string | number;
  within: PathNode | undefined;
  depth: number;
}

export class Coercion {
  #values = 0;
  #root: string | undefined;
  readonly #found: ProblemList;
  readonly #valuesMax: number;

  /** @param valuesMax of all values read: members, items and what holds them */
  constructor(found: ProblemList, valuesMax: number) {
    this.#found = found;
    this.#valuesMax = valuesMax;
  }

  /** The value as resolvers get it; anything at all where problems were found. Throws TOO_LARGE, BAD_USER_INPUT and TooManyProblems. */
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
      throw badInput({ [pathText(pathOf(node).slice(0, 1))]: [`At most ${depthMax} levels are taken.`] });
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
    const given = value as Record<string, unknown>;
    const fields = type.getFields();
    const read: Record<string, unknown> = {};
    for (const name of Object.keys(given)) {
      if (!Object.hasOwn(fields, name)) this.#add(inside(node, name), isUnknown);
      else if (given[name] !== undefined) read[name] = this.#read(given[name], fields[name]!.type, inside(node, name));
    }
    for (const { name, defaultValue } of expectedFields(type)) {
      if (Object.hasOwn(given, name) && given[name] !== undefined) continue;
      if (defaultValue !== undefined) read[name] = defaultValue;
      else this.#add(inside(node, name), isRequired);
    }
    if (type.isOneOf) this.#requireOne(given, node);
    return read;
  }

  #requireOne(given: Record<string, unknown>, node: PathNode): void {
    const members = Object.keys(given).filter((name) => given[name] !== undefined);
    if (members.length !== 1) this.#add(node, isNotOne);
    else if (given[members[0]!] === null) this.#add(inside(node, members[0]!), mustNotBeNull);
  }

  #readLeaf(value: NonNullable<unknown>, type: GraphQLLeafType, node: PathNode): unknown {
    const fault = typeof value === 'string' ? unstorable(pathOf(node), value) : undefined;
    if (fault) return this.#add(node, () => fault);
    try {
      const read = type.parseValue(value);
      if (read !== undefined) return read;
    } catch {
      // what it says may repeat the value
    }
    return this.#add(node, (path) => isOfWrongType(path, type));
  }

  #add(node: PathNode, text: (path: InputPath) => string): undefined {
    const path = pathOf(node);
    this.#found.add({ root: this.#root, path }, text(path));
  }
}

/** The fields of an input object that say something when they are absent; filters have dozens that don't. */
const expected = new WeakMap<GraphQLInputObjectType, readonly GraphQLInputField[]>();
function expectedFields(type: GraphQLInputObjectType): readonly GraphQLInputField[] {
  const known = expected.get(type);
  if (known) return known;
  const fields = Object.values(type.getFields()).filter(
    (field) => field.defaultValue !== undefined || isNonNullType(field.type),
  );
  expected.set(type, fields);
  return fields;
}

const inside = (within: PathNode | undefined, key: string | number): PathNode => ({
  key,
  within,
  depth: (within?.depth ?? 0) + 1,
});

function pathOf(node: PathNode): InputPath {
  const path: (string | number)[] = [];
  for (let next: PathNode | undefined = node; next; next = next.within) path.push(next.key);
  return path.reverse();
}

const problemsMax = 50;

export type ReadVariables = { values: Record<string, unknown> } | { errors: GraphQLError[] };

/**
 * The given variables as resolvers get them, or what is wrong with them: an error for each root field that they are for,
 * with problems by input path. Throws TOO_LARGE for more values than `valuesMax`.
 */
export function readVariables(
  schema: GraphQLSchema,
  document: DocumentNode,
  operation: OperationDefinitionNode,
  given: Readonly<Record<string, unknown>>,
  valuesMax: number,
): ReadVariables {
  const definitions = operation.variableDefinitions ?? [];
  if (definitions.length === 0) return { values: {} };
  const places = variablePlaces(document, operation);
  const found = new ProblemList(problemsMax);
  const coercion = new Coercion(found, valuesMax);
  const values: [string, unknown][] = [];
  let isWhole = true;
  try {
    for (const { variable, type: node, defaultValue } of definitions) {
      const name = variable.name.value;
      const type = typeFromAST(schema, node as never) as GraphQLInputType;
      const place = places.get(name)!;
      const value = Object.hasOwn(given, name) ? given[name] : undefined;
      if (value !== undefined) values.push([name, coercion.read(value, type, place)]);
      else if (defaultValue) values.push([name, valueFromAST(defaultValue, type)]);
      else if (isNonNullType(type)) found.add(place, isRequired(place.path));
    }
  } catch (error) {
    if (!(error instanceof TooManyProblems)) throw error;
    isWhole = false;
  }
  const errors = found.problems().map(([root, problems]) => invalid(root, problems, isWhole));
  return errors.length > 0 ? { errors } : { values: Object.fromEntries(values) };
}

/** As a service's refusal of the same input would be: at the field, by input path. */
function invalid(root: string | undefined, problems: Problems, isWhole: boolean): GraphQLError {
  const cause = badInput(problems, isWhole);
  return new GraphQLError(cause.message, { path: root === undefined ? null : [root], originalError: cause });
}
