/** The names that query options may use: the documented fields of a record and its related records; and paths along them. */
import type { PropertyType } from '../../services/read/expression.js';
import { quote, type Token, type Tokens } from './tokens.js';

export interface OdataProperty {
  type: PropertyType;
  nullable: boolean;
}

/** One per record. Navigations are thunks because records lead back to each other. */
export interface OdataModel {
  /** Scalars by their documented camelCase names. */
  properties: Record<string, OdataProperty>;
  toOne: Record<string, () => OdataModel>;
  toMany: Record<string, () => OdataModel>;
}

/** Undefined when the record has no such scalar: names that every JavaScript object inherits count as unknown. */
export function findProperty(model: OdataModel, name: string): OdataProperty | undefined {
  return Object.hasOwn(model.properties, name) ? model.properties[name] : undefined;
}

/** The record behind a to-one navigation; undefined when there is none of this name. */
export function findToOne(model: OdataModel, name: string): OdataModel | undefined {
  return Object.hasOwn(model.toOne, name) ? model.toOne[name]?.() : undefined;
}

/** The records behind a to-many navigation; undefined when there is none of this name. */
export function findToMany(model: OdataModel, name: string): OdataModel | undefined {
  return Object.hasOwn(model.toMany, name) ? model.toMany[name]?.() : undefined;
}

/** The record behind a navigation of either kind; undefined when there is none of this name. */
function findNavigation(model: OdataModel, name: string): OdataModel | undefined {
  return findToOne(model, name) ?? findToMany(model, name);
}

/** The names of all navigations of a record. */
export function navigationNames(model: OdataModel): string[] {
  return [...Object.keys(model.toOne), ...Object.keys(model.toMany)];
}

/** The state of a path while it is read. */
export interface Step {
  /** The record that it has reached. */
  model: OdataModel;
  navigations: string[];
  /** How many of these lead to many records. */
  lists: number;
}

/**
 * Follows a navigation. A second list on one path is refused: it would be a list for each member of the first.
 * Throws OptionError; `tooLong` is its message for a path of more than `max` navigations.
 */
export function enter(tokens: Tokens, step: Step, { text, at }: Token, max: number, tooLong: string): Step {
  const { model, navigations, lists } = step;
  if (navigations.length === max) throw tokens.fault(tooLong, at);
  const target = findNavigation(model, text);
  if (target === undefined) {
    const isScalar = findProperty(model, text) !== undefined;
    throw tokens.fault(
      isScalar ? `${quote(text)} is not a navigation property` : `Unknown property ${quote(text)}`,
      at,
    );
  }
  const isList = findToMany(model, text) !== undefined;
  if (isList && lists > 0) throw tokens.fault(`${quote(text)} is a second list on one path`, at);
  return { model: target, navigations: [...navigations, text], lists: lists + Number(isList) };
}
