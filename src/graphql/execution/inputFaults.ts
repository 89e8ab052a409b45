/**
 * What is said of an input that isn't what the schema asks for: by its path and its type, never by its value, and in the
 * words of services/records/input. Whoever finds a fault says the same of it: a literal's validation, the reading of
 * variables, or a service.
 */
import { type GraphQLInputType, getNullableType, isEnumType, isInputObjectType, isListType } from 'graphql';
import { findUnstorable } from '../../entities/storableText.js';
import type { Problems } from '../../errors.js';
import { shorten } from '../../services/records/input.js';

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
