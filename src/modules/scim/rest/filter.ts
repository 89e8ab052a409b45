/** Parses SCIM filters and paths (RFC 7644 §3.4.2.2 and §3.5.2). */
import { startOf } from '../../../entities/valueForms.js';
import { type Operator, type ScimCondition, scimFault } from '../conditions.js';
import { attributeName } from './names.js';

const lengthMax = 8_000;
const comparisonsMax = 100;
const depthMax = 20;
const operators: ReadonlySet<string> = new Set<Operator>(['eq', 'ne', 'co', 'sw', 'ew', 'pr']);
const unsupported = new Set(['gt', 'ge', 'lt', 'le']);
const form = /\s{0,8000}(?:([()[\]])|("(?:[^"\\]|\\.){0,8000}")|([^\s()[\]"]{1,8000}))/y;

/** A path such as `emails[type eq "work"].value`, `name.givenName` or `title`. */
export interface AttributePath {
  attribute: string;
  /** The filter that selects values of the attribute. */
  selects?: ScimCondition | undefined;
  /** The sub-attribute behind the brackets. */
  sub?: string | undefined;
}

interface Token {
  text: string;
  isString: boolean;
}

function tokensOf(text: string, fail: (message: string) => Error): Token[] {
  if (text.length > lengthMax) throw fail(`is longer than ${lengthMax} characters`);
  const tokens: Token[] = [];
  form.lastIndex = 0;
  for (let at = 0; at < text.trimEnd().length; at = form.lastIndex) {
    form.lastIndex = at;
    const match = form.exec(text);
    if (!match) throw fail('contains a string without a closing quote');
    tokens.push({ text: match[1] ?? match[2] ?? match[3]!, isString: match[2] !== undefined });
  }
  return tokens;
}

const inFilter = (message: string) => scimFault('invalidFilter', `The filter ${message}.`);
const inPath = (message: string) => scimFault('invalidPath', `The path ${message}.`);

/** Throws `invalidFilter`. Names of attributes are not checked. */
export function parseFilter(text: string): ScimCondition {
  const parser = openParser(tokensOf(text, inFilter), inFilter);
  const condition = parser.condition('');
  if (!parser.isAtEnd()) throw inFilter('has text after its end');
  return condition;
}

/** Throws `invalidPath`, and `invalidFilter` for the filter in it. */
export function parsePath(text: string): AttributePath {
  const [name, open, ...rest] = tokensOf(text, inPath);
  if (!name || name.isString) throw inPath('is empty');
  const attribute = attributeName(name.text);
  if (!open) return { attribute };
  const last = rest.at(-1)!;
  const hasSub = last?.text.startsWith('.');
  const end = rest.length - (hasSub ? 2 : 1);
  if (open.text !== '[' || rest[end]?.text !== ']') throw inPath('is not a SCIM path');
  const parser = openParser(rest.slice(0, end), inFilter);
  const selects = parser.condition('');
  if (!parser.isAtEnd()) throw inFilter('has text after its end');
  return { attribute, selects, ...(hasSub && { sub: last.text.slice(1).toLowerCase() }) };
}

function openParser(tokens: Token[], fail: (message: string) => Error) {
  let at = 0;
  let comparisons = 0;
  let depth = 0;
  const isNext = (text: string) => tokens[at]?.isString === false && tokens[at]!.text.toLowerCase() === text;
  const take = (text: string): boolean => {
    if (!isNext(text)) return false;
    at += 1;
    return true;
  };
  const require = (text: string): void => {
    if (!take(text)) throw fail(`lacks ${text}`);
  };
  const listOf = (kind: 'and' | 'or', part: () => ScimCondition): ScimCondition => {
    const parts = [part()];
    while (take(kind)) parts.push(part());
    return parts.length === 1 ? parts[0]! : { kind, parts };
  };
  /** @param prefix of names inside brackets, such as `emails.` */
  const condition = (prefix: string): ScimCondition => {
    depth += 1;
    if (depth > depthMax) throw fail(`is nested deeper than ${depthMax} levels`);
    const read = listOf('or', () => listOf('and', () => term(prefix)));
    depth -= 1;
    return read;
  };
  const term = (prefix: string): ScimCondition => {
    if (take('not')) {
      require('(');
      const part = condition(prefix);
      require(')');
      return { kind: 'not', part };
    }
    if (take('(')) {
      const read = condition(prefix);
      require(')');
      return read;
    }
    return comparison(prefix);
  };
  const comparison = (prefix: string): ScimCondition => {
    comparisons += 1;
    if (comparisons > comparisonsMax) throw fail(`has more than ${comparisonsMax} comparisons`);
    const name = tokens[at++];
    if (!name || name.isString || /[()[\]]/.test(name.text)) throw fail('lacks the name of an attribute');
    const attribute = prefix + attributeName(name.text);
    if (prefix === '' && take('[')) {
      const inside = condition(`${attribute}.`);
      require(']');
      // as Entra writes it: emails[type eq "work"].value eq "…"
      const sub = tokens[at]?.text;
      if (!sub?.startsWith('.')) return inside;
      at += 1;
      return { kind: 'and', parts: [inside, compared(attribute + sub.toLowerCase())] };
    }
    return compared(attribute);
  };
  const compared = (attribute: string): ScimCondition => {
    const operator = tokens[at++]?.text.toLowerCase() ?? '';
    if (unsupported.has(operator)) throw fail(`has the operator ${operator}, which is not supported`);
    if (!operators.has(operator)) throw fail(`lacks an operator after ${startOf(attribute, 100)}`);
    if (operator === 'pr') return { kind: 'comparison', attribute, operator, value: null };
    return { kind: 'comparison', attribute, operator: operator as Operator, value: readValue(tokens[at++]) };
  };
  const readValue = (token: Token | undefined): string | boolean | null => {
    if (!token) throw fail('lacks a value');
    let value: unknown;
    try {
      value = JSON.parse(token.isString ? token.text : token.text.toLowerCase());
    } catch {
      throw fail('has a value that is not a string in quotes, true, false or null');
    }
    if (value !== null && typeof value !== 'string' && typeof value !== 'boolean')
      throw fail('has a value that is not a string in quotes, true, false or null');
    return value;
  };
  return { condition, isAtEnd: () => at === tokens.length };
}

/** Whether a value with these sub-attributes meets the condition. Texts and booleans are compared as texts, ignoring case and Unicode form. */
export function isMet(condition: ScimCondition, value: Readonly<Record<string, unknown>>): boolean {
  if (condition.kind === 'and') return condition.parts.every((part) => isMet(part, value));
  if (condition.kind === 'or') return condition.parts.some((part) => isMet(part, value));
  if (condition.kind === 'not') return !isMet(condition.part, value);
  const own = textForm(value[condition.attribute]) ?? null;
  const expected = textForm(condition.value);
  if (condition.operator === 'pr') return own !== null && own !== '';
  if (condition.operator === 'eq') return own === expected;
  if (condition.operator === 'ne') return own !== expected;
  if (typeof own !== 'string' || typeof expected !== 'string') return false;
  if (condition.operator === 'co') return own.includes(expected);
  return condition.operator === 'sw' ? own.startsWith(expected) : own.endsWith(expected);
}

/** Entra sends booleans as texts. */
export const textForm = (value: unknown): unknown =>
  typeof value === 'string' || typeof value === 'boolean' ? String(value).toLowerCase().normalize('NFC') : value;
