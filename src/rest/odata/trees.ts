/** Reads `$select` and `$expand`: lists of names and paths, put together to one tree each. */
import { expandLevelsMax } from './limits.js';
import { findNavigation, findProperty, findToMany, navigationNames, type OdataModel } from './model.js';
import { type OptionError, quote } from './optionError.js';
import { type Token, Tokens } from './tokens.js';

/** The navigations to fill, each with those to fill below it. */
export type ExpandTree = Map<string, ExpandTree>;

/** The keys to give; `all` for a scalar and for a record that is given whole. */
export type SelectTree = Map<string, SelectTree | 'all'>;

/**
 * Reads `a,b/c`; `*` stands for all direct navigations. Naming one twice is naming it once.
 * Throws OptionError for what is no navigation, for options in parentheses, and below 4 levels.
 */
export function readExpand(text: string, model: OdataModel): ExpandTree {
  const tree: ExpandTree = new Map();
  const tokens = new Tokens('$expand', text);
  readList(tokens, () => {
    if (tokens.skip('*')) for (const name of navigationNames(model)) branch(tree, name);
    else readExpandPath(tokens, model, tree);
  });
  return tree;
}

function readExpandPath(tokens: Tokens, model: OdataModel, tree: ExpandTree): void {
  let [step, node]: [Step, ExpandTree] = [{ record: model, level: 0, lists: 0 }, tree];
  do {
    const name = takeName(tokens);
    step = enter(tokens, step, name);
    node = branch(node, name.text);
  } while (tokens.skip('/'));
}

function branch(tree: ExpandTree, name: string): ExpandTree {
  const node = tree.get(name) ?? new Map();
  tree.set(name, node);
  return node;
}

/**
 * Reads `a,b/c`: key a, and of b the key c alone. A record named whole is whole, whatever else is said of it; `*` is all.
 * Throws OptionError for unknown names, for options in parentheses, and below 4 levels of navigations.
 */
export function readSelect(text: string, model: OdataModel): SelectTree | 'all' {
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
  let step: Step = { record: model, level: 0, lists: 0 };
  let node: SelectTree | 'all' = tree;
  for (;;) {
    const name = takeName(tokens);
    const property = findProperty(step.record, name.text);
    if (property === undefined) step = enter(tokens, step, name);
    const last: boolean = !tokens.skip('/');
    if (!last && property !== undefined) throw tokens.fault(`${quote(name.text)} has no properties`, name.at);
    if (node !== 'all') node = choose(node, name.text, last);
    if (last) return;
  }
}

/** The tree below a key; whole once it has been named without anything below it. */
function choose(tree: SelectTree, name: string, whole: boolean): SelectTree | 'all' {
  const node = whole ? 'all' : (tree.get(name) ?? new Map());
  tree.set(name, node);
  return node;
}

/** Where a path has come to. */
interface Step {
  record: OdataModel;
  level: number;
  /** Lists that the path has led through. */
  lists: number;
}

/** Through a navigation. A second list on one path would be a list per member of the first: a cycle, and a square. */
function enter(tokens: Tokens, { record, level, lists }: Step, { text, at }: Token): Step {
  if (level === expandLevelsMax) throw tokens.fault(`More than ${expandLevelsMax} levels`, at);
  const target = findNavigation(record, text);
  if (target === undefined) {
    const isScalar = findProperty(record, text) !== undefined;
    throw tokens.fault(isScalar ? `${quote(text)} is no navigation` : `Unknown property ${quote(text)}`, at);
  }
  const isList = findToMany(record, text) !== undefined;
  if (isList && lists > 0) throw tokens.fault(`${quote(text)} is a second list on one path`, at);
  return { record: target, level: level + 1, lists: lists + Number(isList) };
}

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

function takeName(tokens: Tokens): Token {
  if (tokens.current.kind !== 'word') throw tokens.unexpected('expected a name');
  return tokens.take();
}
