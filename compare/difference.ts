/** The kinds of differences between two answers, their places, and the rules by which an operator ignores some. */
import { OperatorError } from '../src/errors.js';

export type IsIgnored = (operation: string, pattern: string) => boolean;

interface Rule {
  operation?: string;
  path?: string;
}

/** @param text rules, separated by commas. Throws OperatorError for a malformed one. */
export function readIgnored(text = ''): IsIgnored {
  const rules = text
    .split(',')
    .map((rule) => rule.trim())
    .filter(Boolean)
    .map(readRule);
  return (operation, pattern) =>
    rules.some(
      (rule) =>
        (rule.operation === undefined || rule.operation === operation.toLowerCase()) &&
        (rule.path === undefined || covers(rule.path, pattern)),
    );
}

function readRule(text: string): Rule {
  const match = /^(?:([A-Z]{3,7} \/[^ ]{0,200}))? ?((?:\$|status|header)[^ ]{0,200})?$/.exec(text);
  if (!match?.[0])
    throw new OperatorError(
      '--ignore takes paths, separated by commas: $[*].modifiedDate, $..traceId, header.etag, status; or with an operation before it: GET /api/applications $[*].name.',
    );
  const [, operation, path] = match;
  return { ...(operation && { operation: operation.toLowerCase() }), ...(path && { path }) };
}

/** Whether the path of a rule is the pattern, or above it. */
export function covers(path: string, pattern: string): boolean {
  const isAt = (end: number) => end === pattern.length || '.['.includes(pattern[end]!);
  if (!path.startsWith('$..')) return pattern.startsWith(path) && isAt(path.length);
  const name = `.${path.slice('$..'.length)}`;
  for (let at = pattern.indexOf(name); at >= 0; at = pattern.indexOf(name, at + 1))
    if (isAt(at + name.length)) return true;
  return false;
}

/** Each kind of difference, and its family. Noise covers one family only: a value that varies does not explain a missing property. */
const families = {
  'no answer': 'answer',
  status: 'answer',
  'header missing': 'presence',
  'header added': 'presence',
  'header value': 'value',
  'media type': 'form',
  charset: 'form',
  'media type parameter': 'form',
  'body missing': 'presence',
  'body added': 'presence',
  'malformed JSON': 'form',
  'byte order mark': 'form',
  'JSON or text': 'form',
  'property missing': 'presence',
  'property added': 'presence',
  'property name in another case': 'presence',
  'null left out': 'presence',
  'null written': 'presence',
  'null for a value': 'null',
  'a value for null': 'null',
  'null for an empty list': 'null',
  'an empty list for null': 'null',
  'null for an empty text': 'null',
  'an empty text for null': 'null',
  'number as text': 'type',
  'text as number': 'type',
  'boolean as text': 'type',
  'text as boolean': 'type',
  'object for a list': 'type',
  'list for an object': 'type',
  'another type': 'type',
  'list shorter': 'length',
  'list longer': 'length',
  'list order': 'order',
  text: 'value',
  'text in another case': 'value',
  'text with other white space': 'value',
  'text in another Unicode form': 'value',
  number: 'value',
  boolean: 'value',
  guid: 'value',
  'guid in another case': 'spelling',
  'guid in another spelling': 'spelling',
  'another moment': 'value',
  'date-time with another zone': 'spelling',
  'date-time with another precision': 'spelling',
  'date-time with another separator': 'spelling',
  lifetime: 'value',
  'token of another form': 'type',
  'nested too deep': 'form',
} as const;

export type DifferenceKind = keyof typeof families;

export const isDifferenceKind = (text: string): text is DifferenceKind => Object.hasOwn(families, text);

export interface Difference {
  kind: DifferenceKind;
  /** Begins with `status`, `header`, or `$` for the body, followed by names and indexes. */
  path: readonly (string | number)[];
  old?: unknown;
  new?: unknown;
  /** For lists of different lengths: the property that identifies the rows, and its values that are in only one list. */
  rows?: { id: string; names: readonly unknown[] };
}

export const familyOf = (kind: DifferenceKind): string => families[kind];

/** The path with `*` for every index: `$[*].name`. @param shown redacts a name */
export const patternOf = (path: Difference['path'], shown: (name: string) => string = (name) => name): string =>
  path
    .map((part, index) => pathPart(typeof part === 'number' ? '*' : part, typeof part === 'number', index, shown))
    .join('');

/** The end of a pattern, which is the same in all operations: `$..name` for `$[*].application.name`. */
export function causeOf(pattern: string): string {
  if (!pattern.startsWith('$')) return pattern;
  const name = pattern.replaceAll('[*]', '').split('.').at(-1)!;
  return name === '$' ? pattern : `$..${name}`;
}

/** The path with its indexes: `$[3].name`. */
export const placeOf = (path: Difference['path'], shown: (name: string) => string): string =>
  path.map((part, index) => pathPart(String(part), typeof part === 'number', index, shown)).join('');

const pathPart = (part: string, isPlace: boolean, index: number, shown: (name: string) => string): string => {
  if (isPlace) return `[${part}]`;
  return index === 0 ? part : `.${shown(part)}`;
};
