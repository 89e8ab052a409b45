/**
 * The reading of one value by its type (https://spec.graphql.org/October2021/#sec-Coercing-Variable-Values), as
 * graphql-js's coerceInputValue does it, but bounded: it ends at so many faults and values, makes no text of a value, and
 * tells a missing member at the member's own path.
 */
import {
  type GraphQLInputField,
  type GraphQLInputObjectType,
  type GraphQLInputType,
  type GraphQLLeafType,
  type GraphQLList,
  isInputObjectType,
  isListType,
  isNonNullType,
} from 'graphql';
import { badInput } from '../../errors.js';
import {
  type FoundProblems,
  type InputPath,
  type InputPlace,
  isNotOne,
  isOfWrongType,
  isRequired,
  isUnknown,
  mustNotBeNull,
  pathText,
  unstorable,
} from './inputFaults.js';
import { exceeded } from './limits.js';

const depthMax = 40;

interface Place {
  key: string | number;
  within: Place | undefined;
  depth: number;
}

export class Coercion {
  #values = 0;
  #root: string | undefined;

  /** @param valuesMax of all values read: members, items and what holds them */
  constructor(
    private readonly found: FoundProblems,
    private readonly valuesMax: number,
  ) {}

  /** The value as resolvers get it; anything at all where problems were found. Throws TOO_LARGE, BAD_USER_INPUT and TooManyProblems. */
  read(value: unknown, type: GraphQLInputType, { root, path }: InputPlace): unknown {
    this.#root = root;
    let place: Place | undefined;
    for (const key of path) place = inside(place, key);
    return this.#read(value, type, place!);
  }

  #read(value: unknown, type: GraphQLInputType, place: Place): unknown {
    if (++this.#values > this.valuesMax)
      throw exceeded('values', this.valuesMax, 'has too many values in its variables');
    if (place.depth > depthMax)
      throw badInput({ [pathText(pathOf(place).slice(0, 1))]: [`At most ${depthMax} levels are taken.`] });
    if (isNonNullType(type)) {
      if (value === null || value === undefined) return this.#add(place, mustNotBeNull);
      return this.#readPresent(value, type.ofType, place);
    }
    return value === null || value === undefined ? null : this.#readPresent(value, type, place);
  }

  #readPresent(value: NonNullable<unknown>, type: GraphQLInputType, place: Place): unknown {
    if (isListType(type)) return this.#readList(value, type, place);
    if (isInputObjectType(type)) return this.#readObject(value, type, place);
    return this.#readLeaf(value, type as GraphQLLeafType, place);
  }

  #readList(value: NonNullable<unknown>, { ofType }: GraphQLList<GraphQLInputType>, place: Place): unknown[] {
    if (Array.isArray(value)) return value.map((item, index) => this.#read(item, ofType, inside(place, index)));
    // a single value stands for a list of it
    return [this.#read(value, ofType, place)];
  }

  #readObject(value: NonNullable<unknown>, type: GraphQLInputObjectType, place: Place): unknown {
    if (typeof value !== 'object' || Array.isArray(value)) return this.#add(place, (path) => isOfWrongType(path, type));
    const given = value as Record<string, unknown>;
    const fields = type.getFields();
    const read: Record<string, unknown> = {};
    for (const name of Object.keys(given)) {
      if (!Object.hasOwn(fields, name)) this.#add(inside(place, name), isUnknown);
      else if (given[name] !== undefined) read[name] = this.#read(given[name], fields[name]!.type, inside(place, name));
    }
    for (const { name, defaultValue } of expectedFields(type)) {
      if (Object.hasOwn(given, name) && given[name] !== undefined) continue;
      if (defaultValue !== undefined) read[name] = defaultValue;
      else this.#add(inside(place, name), isRequired);
    }
    if (type.isOneOf) this.#requireOne(given, place);
    return read;
  }

  #requireOne(given: Record<string, unknown>, place: Place): void {
    const members = Object.keys(given).filter((name) => given[name] !== undefined);
    if (members.length !== 1) this.#add(place, isNotOne);
    else if (given[members[0]!] === null) this.#add(inside(place, members[0]!), mustNotBeNull);
  }

  #readLeaf(value: NonNullable<unknown>, type: GraphQLLeafType, place: Place): unknown {
    const fault = typeof value === 'string' ? unstorable(pathOf(place), value) : undefined;
    if (fault) return this.#add(place, () => fault);
    try {
      const read = type.parseValue(value);
      if (read !== undefined) return read;
    } catch {
      // what it says may repeat the value
    }
    return this.#add(place, (path) => isOfWrongType(path, type));
  }

  #add(place: Place, text: (path: InputPath) => string): undefined {
    const path = pathOf(place);
    this.found.add({ root: this.#root, path }, text(path));
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

const inside = (within: Place | undefined, key: string | number): Place => ({
  key,
  within,
  depth: (within?.depth ?? 0) + 1,
});

function pathOf(place: Place): InputPath {
  const path: (string | number)[] = [];
  for (let next: Place | undefined = place; next; next = next.within) path.push(next.key);
  return path.reverse();
}
