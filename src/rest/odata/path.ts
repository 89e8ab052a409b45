/** Reads paths: `name`, `accessScope/name`, `m/accessScope/name`, `$it/name`, and those that lead to a collection. */
import type { Path } from './ast.js';
import { nestingMax } from './limits.js';
import { findProperty, findToMany, findToOne, type OdataModel } from './model.js';
import { quote } from './optionError.js';
import { itVariable, type Placed, type Reader } from './reader.js';
import type { Token } from './tokens.js';

/** A path to many records, as it stands before `any`. */
export interface CollectionPath {
  kind: 'collection';
  root: string;
  navigations: string[];
  collection: string;
  /** Of the members. */
  members: OdataModel;
}

/** Where a path has come to. */
interface Step {
  root: string;
  model: OdataModel;
  navigations: string[];
}

/**
 * Reads a path whose first word has just been taken. Names without a root are the listed record's, inside of `any` too
 * (OData 4.01 part 2 §5.1.1.13); a lambda variable goes before a property of the same name.
 * Throws OptionError naming the unknown or unfit name.
 */
export function readPath(reader: Reader, first: Token): Placed<Path | CollectionPath> {
  const model = reader.findRoot(first.text);
  if (model === undefined) {
    return {
      node: walk(reader, { root: itVariable, model: reader.findRoot(itVariable)!, navigations: [] }, first),
      at: first.at,
    };
  }
  if (!reader.tokens.skip('/')) throw reader.tokens.fault(`${quote(first.text)} is a record, not a value`, first.at);
  return { node: walk(reader, { root: first.text, model, navigations: [] }, takeName(reader)), at: first.at };
}

/** Reads a path that ends at a scalar. Throws OptionError also for a collection. */
export function readScalarPath(reader: Reader): Placed<Path> {
  const first = takeName(reader);
  const { node, at } = readPath(reader, first);
  if (node.kind === 'path') return { node, at };
  throw reader.tokens.fault(`${quote(node.collection)} leads to many records, not to one value`, at);
}

function walk(reader: Reader, from: Step, first: Token): Path | CollectionPath {
  let step = from;
  let name = first;
  for (;;) {
    const end = findScalar(step, name) ?? findCollection(step, name);
    if (end !== undefined) return end;
    step = enter(reader, step, name);
    name = takeName(reader);
  }
}

function findScalar({ root, model, navigations }: Step, { text }: Token): Path | undefined {
  const property = findProperty(model, text);
  if (property === undefined) return undefined;
  const nullable = property.nullable || navigations.length > 0;
  return { kind: 'path', root, navigations, property: text, type: property.type, nullable };
}

function findCollection({ root, model, navigations }: Step, { text }: Token): CollectionPath | undefined {
  const members = findToMany(model, text);
  return members && { kind: 'collection', root, navigations, collection: text, members };
}

/** Through a to-one navigation. */
function enter({ tokens }: Reader, step: Step, { text, at }: Token): Step {
  const model = findToOne(step.model, text);
  if (model === undefined) throw tokens.fault(`Unknown property ${quote(text)}`, at);
  if (step.navigations.length === nestingMax) throw tokens.fault(`A path of more than ${nestingMax} records`, at);
  if (!tokens.skip('/')) throw tokens.fault(`${quote(text)} is a record, name a property of it`, at);
  return { root: step.root, model, navigations: [...step.navigations, text] };
}

function takeName({ tokens }: Reader): Token {
  if (tokens.current.kind !== 'word') throw tokens.unexpected('expected a name');
  return tokens.take();
}
