/** Reads the query options of a list: `$filter`, `$orderby`, `$expand`, `$select`, `$top`, `$skip`, `$count`. */
import { integerMax } from '../../entities/valueForms.js';
import { decodeForm } from '../../http/decodeForm.js';
import { note } from '../../observability/currentRequest.js';
import type { Expression, Path } from '../../services/read/expression.js';
import { FilterReader, readFilter, readScalarPath } from './filter.js';
import { followNavigation, type OdataModel, type Step } from './model.js';
import { expandLevelsMax, type FilterToken, OptionError, OptionErrors, orderKeysMax, quote, Tokens } from './tokens.js';

/** A key of `$orderby`. Its path begins at the listed record. */
interface OrderKey {
  path: Path;
  descending: boolean;
}

/**
 * Reads `name desc,accessScope/name`; ascending by default.
 * Throws OptionError for anything but paths, a key given twice, or more than 10.
 */
function readOrderBy(text: string, model: OdataModel): OrderKey[] {
  const reader = new FilterReader('$orderby', text, model);
  const keys = new Map<string, OrderKey>();
  do {
    const { node, at } = readScalarPath(reader);
    const name = [...node.navigations, node.property].join('/');
    if (keys.has(name)) throw reader.tokens.fault(`${quote(name)} is given more than once`, at);
    if (keys.size === orderKeysMax) throw reader.tokens.fault(`More than ${orderKeysMax} keys`, at);
    keys.set(name, { path: node, descending: reader.tokens.takeKeyword(['asc', 'desc']) === 'desc' });
  } while (reader.tokens.skip(','));
  if (reader.tokens.current.kind !== 'end') throw reader.tokens.unexpected("expected 'asc', 'desc', ',' or the end");
  return [...keys.values()];
}

/** The navigations to expand, each with those to expand below it. */
type ExpandTree = Map<string, ExpandTree>;

/** The selected keys, each with the keys below it; `all` for a scalar and for a whole record. */
type SelectTree = Map<string, SelectTree | 'all'>;

/**
 * Reads `a,b/c`; `*` stands for all direct navigations. Repeated names count once. Throws OptionError for a name that is not a
 * navigation, for options in parentheses, and beyond 4 levels.
 */
function readExpand(text: string, model: OdataModel): ExpandTree {
  const tree: ExpandTree = new Map();
  const tokens = new Tokens('$expand', text);
  readList(tokens, () => {
    if (tokens.skip('*')) for (const name of model.navigations.keys()) branch(tree, name);
    else readExpandPath(tokens, model, tree);
  });
  return tree;
}

function readExpandPath(tokens: Tokens, model: OdataModel, tree: ExpandTree): void {
  let [step, node]: [Step, ExpandTree] = [{ model, navigations: [], lists: 0 }, tree];
  do {
    const name = tokens.takeName();
    step = follow(tokens, step, name);
    node = branch(node, name.text);
  } while (tokens.skip('/'));
}

function branch(tree: ExpandTree, name: string): ExpandTree {
  const node = tree.get(name) ?? new Map();
  tree.set(name, node);
  return node;
}

/**
 * Reads `a,b/c`: key a, and only key c of b. A record that is named without a path is selected whole; `*` selects everything.
 * Throws OptionError for unknown names, for options in parentheses, and below 4 levels of navigations.
 */
function readSelect(text: string, model: OdataModel): SelectTree | 'all' {
  const tree: SelectTree = new Map();
  const tokens = new Tokens('$select', text);
  let all = false;
  readList(tokens, () => {
    if (tokens.skip('*')) all = true;
    else readSelectPath(tokens, model, tree);
  });
  return all ? 'all' : tree;
}

function readSelectPath(tokens: Tokens, model: OdataModel, tree: SelectTree): void {
  let step: Step = { model, navigations: [], lists: 0 };
  let node: SelectTree | 'all' = tree;
  for (;;) {
    const name = tokens.takeName();
    const property = step.model.properties.get(name.text);
    if (property === undefined) step = follow(tokens, step, name);
    const last: boolean = !tokens.skip('/');
    if (!last && property !== undefined) throw tokens.fault(`${quote(name.text)} has no properties`, name.at);
    if (node !== 'all') node = choose(node, name.text, last);
    if (last) return;
  }
}

/** Adds a key and returns the tree below it; `all` if the key itself was selected. */
function choose(tree: SelectTree, name: string, whole: boolean): SelectTree | 'all' {
  const node = whole ? 'all' : (tree.get(name) ?? new Map());
  tree.set(name, node);
  return node;
}

const follow = (tokens: Tokens, step: Step, name: FilterToken): Step =>
  followNavigation(tokens, step, name, expandLevelsMax, `More than ${expandLevelsMax} levels`);

function readList(tokens: Tokens, readItem: () => void): void {
  do readItem();
  while (tokens.skip(','));
  if (tokens.current.kind !== 'end') throw unexpected(tokens);
}

function unexpected(tokens: Tokens): OptionError {
  const { text, at } = tokens.current;
  if (text === '(') return tokens.fault(`Options inside ${tokens.option} are not supported`, at);
  return tokens.unexpected("expected ',' or the end");
}

const optionNames = ['$filter', '$orderby', '$top', '$skip', '$select', '$expand', '$count'] as const;
type OptionName = (typeof optionNames)[number];

/** OData's options that this service doesn't support. Only with `$`: `search` may be a client's own parameter. */
const refusedOptions = ['$apply', '$compute', '$search', '$skiptoken'] as const;
type RefusedName = (typeof refusedOptions)[number];

/** The parameter that contains options. */
const optionsParameter = 'options';

/** An option of the query. */
interface QueryOption {
  name: OptionName | RefusedName | typeof optionsParameter;
  /** Decoded; an error when its percent-encoding is malformed. */
  value: string | OptionError;
}

/**
 * The options of a query string (without `?`), each percent-decoded once: separate parameters, and those inside `options`
 * parameters, each after an entry for its `options` parameter. Includes options that are refused; skips other parameters.
 */
function findOptions(query: string): QueryOption[] {
  return withoutMark(query)
    .split('&')
    .flatMap((part): QueryOption[] => {
      const { name, value } = splitPair(part);
      const decodedName = decodeForm(name)?.trim() ?? '';
      if (decodedName.toLowerCase() === optionsParameter) return readOptionsParameter(value);
      const option = canonicalName(decodedName);
      if (option !== undefined) return [{ name: option, value: decodeForm(value) ?? malformed(option) }];
      const canonical = canonicalName(decodeForm(decodedName)?.trim() ?? '');
      return canonical === undefined ? [] : [{ name: canonical, value: encodedTwice(canonical) }];
    });
}

/** Removes a second `?`, which some clients put before the options. */
const withoutMark = (text: string): string => (text.startsWith('?') ? text.slice(1) : text);

/** True for the options that {@link findOptions} returns but this service refuses. */
function isRefused(name: QueryOption['name']): name is RefusedName {
  return refusedOptions.some((refused) => refused === name);
}

/** The options inside the parameter; none for an empty or meaningless value, which old generated clients send. */
function readOptionsParameter(raw: string): QueryOption[] {
  const text = decodeForm(raw);
  const options = splitOptions(withoutMark((text ?? decodeAscii(raw)).trimStart()));
  if (options.length === 0) {
    const isTwice = text !== undefined && splitOptions(withoutMark(decodeForm(text) ?? '')).length > 0;
    return isTwice ? [{ name: optionsParameter, value: encodedTwice(optionsParameter) }] : [];
  }
  return text === undefined
    ? [{ name: optionsParameter, value: malformed(optionsParameter) }]
    : [{ name: optionsParameter, value: text }, ...options];
}

/** `$filter=…&$top=…`, decoded already; an `&` between the quotes of an option's string literal doesn't separate. */
function splitOptions(text: string): QueryOption[] {
  const options: QueryOption[] = [];
  for (let from = 0; from <= text.length; ) {
    const next = endOf(text, from, /&/g);
    const { name } = splitPair(text.slice(from, next));
    const option = canonicalName(name.trim());
    const isOption = option !== undefined && (name.length < next - from || name.includes('$'));
    const end = isOption ? endOf(text, from, /&|'[^']{0,16384}'?/g) : next;
    if (isOption) options.push({ name: option, value: splitPair(text.slice(from, end)).value });
    from = end + 1;
  }
  return options;
}

/** The index of the first `&` outside of anything longer that the pattern matches; the end of the text if there is none. */
function endOf(text: string, from: number, pattern: RegExp): number {
  pattern.lastIndex = from;
  for (let match = pattern.exec(text); match !== null; match = pattern.exec(text)) {
    if (match[0] === '&') return match.index;
  }
  return text.length;
}

function splitPair(part: string): { name: string; value: string } {
  const equals = part.indexOf('=');
  return equals < 0 ? { name: part, value: '' } : { name: part.slice(0, equals), value: part.slice(equals + 1) };
}

/** The name in lower case with `$`; undefined for any other name, also for a refused one without `$`. */
function canonicalName(name: string): OptionName | RefusedName | undefined {
  const lower = /^\$?[a-z]{1,20}$/i.test(name) ? name.toLowerCase() : '';
  return (
    optionNames.find((option) => option === lower || option.slice(1) === lower) ??
    refusedOptions.find((option) => option === lower)
  );
}

/** Decodes the valid part of a malformed text, to distinguish broken options from other parameters. */
function decodeAscii(text: string): string {
  return text.replace(/%[2-7][0-9a-f]/gi, (code) => String.fromCharCode(Number.parseInt(code.slice(1), 16)));
}

function encodedTwice(option: string): OptionError {
  return new OptionError(option, 'The percent-encoding is applied twice');
}

function malformed(option: string): OptionError {
  return new OptionError(option, 'The percent-encoding is malformed');
}

/** The options of a list; absent options have no value. */
export interface Options {
  filter?: Expression;
  /** Empty without the option. */
  orderBy: OrderKey[];
  /** Rows, 0 to 2147483647. */
  top?: number;
  /** Rows, 0 to 2147483647. */
  skip?: number;
  select?: SelectTree | 'all';
  expand?: ExpandTree;
  /** False without the option. */
  count: boolean;
}

const readers: Record<OptionName, (text: string, model: OdataModel) => Partial<Options>> = {
  $filter: (text, model) => ({ filter: readFilter(text, model) }),
  $orderby: (text, model) => ({ orderBy: readOrderBy(text, model) }),
  $top: (text) => ({ top: readRows('$top', text) }),
  $skip: (text) => ({ skip: readRows('$skip', text) }),
  $select: (text, model) => ({ select: readSelect(text, model) }),
  $expand: (text, model) => ({ expand: readExpand(text, model) }),
  $count: (text) => ({ count: readCount(text) }),
};

/**
 * Reads the options of a raw query string (without `?`), as separate parameters and inside `options`. Everything else
 * in the query is ignored.
 * Throws OptionErrors with all faults of all options, one for each option that has any.
 */
export function readOptions(query: string, model: OdataModel): Options {
  const options: Options = { orderBy: [], count: false };
  const errors: OptionError[] = [];
  const byName = Map.groupBy(findOptions(query), ({ name }) => name);
  if (byName.size > 0) note('options', [...byName.keys()].sort().join(' '));
  for (const [name, occurrences] of byName) {
    try {
      Object.assign(options, readOption(name, occurrences, model));
    } catch (error) {
      if (!(error instanceof OptionError)) throw error;
      errors.push(error);
    }
  }
  if (errors.length > 0) throw new OptionErrors(errors);
  return options;
}

function readOption(name: QueryOption['name'], occurrences: QueryOption[], model: OdataModel): Partial<Options> {
  const { value } = occurrences[0]!;
  if (isRefused(name)) throw new OptionError(name, 'This option is not supported');
  if (occurrences.length > 1) throw new OptionError(name, 'Given more than once');
  if (value instanceof OptionError) throw value;
  if (name === 'options') return {}; // its options have entries of their own
  if (value.trim() === '') throw new OptionError(name, 'Empty');
  return readers[name](value, model);
}

/** Only digits: no sign, exponent or fraction. Surrounding spaces are allowed: `$skip=5 & $top=5`. */
function readRows(option: '$top' | '$skip', value: string): number {
  const text = value.trim();
  const bad = text.search(/[^0-9]/);
  if (bad >= 0)
    throw new OptionError(option, 'Expected a whole number in digits, 0 or more', value.indexOf(text) + bad);
  const rows = Number(text);
  // OData's Int32
  if (rows > integerMax) throw new OptionError(option, `More than ${integerMax}`, 0);
  return rows;
}

function readCount(value: string): boolean {
  const text = value.trim();
  if (text !== 'true' && text !== 'false') throw new OptionError('$count', "Expected 'true' or 'false'", 0);
  return text === 'true';
}
