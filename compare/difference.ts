/** A difference between two answers, and those that an operator ignores. */
import { OperatorError } from '../src/errors.js';

export type IsIgnored = (operation: string, pattern: string) => boolean;

interface Rule {
  operation?: string;
  path?: string;
}

/** @param text rules, separated by commas. Throws OperatorError for one that can't be meant. */
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

/** A path covers what is below it. */
export function covers(path: string, pattern: string): boolean {
  const isAt = (end: number) => end === pattern.length || '.['.includes(pattern[end]!);
  if (!path.startsWith('$..')) return pattern.startsWith(path) && isAt(path.length);
  const name = `.${path.slice('$..'.length)}`;
  for (let at = pattern.indexOf(name); at >= 0; at = pattern.indexOf(name, at + 1))
    if (isAt(at + name.length)) return true;
  return false;
}

/** Each kind with what it is about: noise of a value says nothing of whether the property is there. */
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
  /** From the answer's top: `status`, `header`, or `$` and then names and numbers of the JSON. */
  path: readonly (string | number)[];
  old?: unknown;
  new?: unknown;
  /** For lists of another length: the property that names the rows, and the names that only one list has. */
  rows?: { id: string; names: readonly unknown[] };
}

export const familyOf = (kind: DifferenceKind): string => families[kind];

/** Every place of a list is one: `$[*].name`. @param shown what may be shown of a name */
export const patternOf = (path: Difference['path'], shown: (name: string) => string = (name) => name): string =>
  path
    .map((part, index) => pathPart(typeof part === 'number' ? '*' : part, typeof part === 'number', index, shown))
    .join('');

/** The end of a pattern, which one cause has in all operations: `$..name` of `$[*].application.name`. */
export function causeOf(pattern: string): string {
  if (!pattern.startsWith('$')) return pattern;
  const name = pattern.replaceAll('[*]', '').split('.').at(-1)!;
  return name === '$' ? pattern : `$..${name}`;
}

/** With the places in lists: `$[3].name`. */
export const placeOf = (path: Difference['path'], shown: (name: string) => string): string =>
  path.map((part, index) => pathPart(String(part), typeof part === 'number', index, shown)).join('');

const pathPart = (part: string, isPlace: boolean, index: number, shown: (name: string) => string): string => {
  if (isPlace) return `[${part}]`;
  return index === 0 ? part : `.${shown(part)}`;
};
