/** The names that query options may use: the documented fields of a record, its related records, and paths along them. */
import type { PropertyType } from '../../services/read/expression.js';
import { type FilterToken, quote, type Tokens } from './tokens.js';

export interface OdataProperty {
  type: PropertyType;
  nullable: boolean;
}

interface OdataNavigation {
  /** Whether it leads to many records. */
  isList: boolean;
  /** A function, because records refer to each other. */
  target(): OdataModel;
}

/** The fields of a record without related records, and its related records, by their documented camelCase names. */
export interface OdataModel {
  properties: ReadonlyMap<string, OdataProperty>;
  navigations: ReadonlyMap<string, OdataNavigation>;
}

/** The state of a path while it is read. */
export interface Step {
  /** The record that it has reached. */
  model: OdataModel;
  navigations: string[];
  /** How many of these navigations lead to many records. */
  lists: number;
}

/**
 * Follows a navigation. A second list on one path is refused: each record of the first list would have its own.
 * Throws OptionError; `tooLong` is its message for a path of more than `max` navigations.
 */
export function followNavigation(
  tokens: Tokens,
  step: Step,
  { text, at }: FilterToken,
  max: number,
  tooLong: string,
): Step {
  const { model, navigations, lists } = step;
  if (navigations.length === max) throw tokens.fault(tooLong, at);
  const navigation = model.navigations.get(text);
  if (navigation === undefined) {
    const isScalar = model.properties.has(text);
    throw tokens.fault(
      isScalar ? `${quote(text)} is not a navigation property` : `Unknown property ${quote(text)}`,
      at,
    );
  }
  const { isList, target } = navigation;
  if (isList && lists > 0) throw tokens.fault(`${quote(text)} is a second list on one path`, at);
  return { model: target(), navigations: [...navigations, text], lists: lists + Number(isList) };
}
