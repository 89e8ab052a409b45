/** Reads a query string's OData options, checked against a record's model (docs/contract/administration.md, `options`). */
import { noteOptions } from '../../observability/currentRequest.js';
import type { Expression } from './ast.js';
import { readFilter } from './filter.js';
import { rowsMax } from './limits.js';
import type { OdataModel } from './model.js';
import { OptionError, OptionErrors } from './optionError.js';
import { type OrderKey, readOrderBy } from './orderBy.js';
import { findOptions, type GivenOption, isRefused, type OptionName } from './query.js';
import { type ExpandTree, readExpand, readSelect, type SelectTree } from './trees.js';

/** What a list is asked for. An option that isn't given is absent. */
export interface Options {
  filter?: Expression;
  /** Empty when not given. */
  orderBy: OrderKey[];
  /** Rows, 0 to 2147483647. */
  top?: number;
  /** Rows, 0 to 2147483647. */
  skip?: number;
  select?: SelectTree | 'all';
  expand?: ExpandTree;
  /** False when not given. */
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
  const given = groupByName(findOptions(query));
  noteOptions([...given.keys()]);
  for (const [name, values] of given) {
    try {
      Object.assign(options, readOption(name, values, model));
    } catch (error) {
      if (!(error instanceof OptionError)) throw error;
      errors.push(error);
    }
  }
  if (errors.length > 0) throw new OptionErrors(errors);
  return options;
}

function groupByName(given: GivenOption[]): Map<GivenOption['name'], GivenOption['value'][]> {
  const groups = new Map<GivenOption['name'], GivenOption['value'][]>();
  for (const { name, value } of given) {
    const values = groups.get(name) ?? [];
    groups.set(name, values);
    values.push(value);
  }
  return groups;
}

function readOption(name: GivenOption['name'], values: GivenOption['value'][], model: OdataModel): Partial<Options> {
  const [value = ''] = values;
  if (isRefused(name)) throw new OptionError(name, 'This option is not supported');
  if (values.length > 1) throw new OptionError(name, 'Given more than once');
  if (value instanceof OptionError) throw value;
  if (name === 'options') return {}; // what it holds is given besides
  if (value.trim() === '') throw new OptionError(name, 'Empty');
  return readers[name](value, model);
}

/** Digits alone: no sign, no exponent, no fraction. Space around them is no fault: `$skip=5 & $top=5`. */
function readRows(option: '$top' | '$skip', given: string): number {
  const text = given.trim();
  const bad = text.search(/[^0-9]/);
  if (bad >= 0)
    throw new OptionError(option, 'Expected a whole number in digits, 0 or more', given.indexOf(text) + bad);
  const rows = Number(text);
  if (rows > rowsMax) throw new OptionError(option, `More than ${rowsMax}`, 0);
  return rows;
}

function readCount(given: string): boolean {
  const text = given.trim();
  if (text !== 'true' && text !== 'false') throw new OptionError('$count', "Expected 'true' or 'false'", 0);
  return text === 'true';
}
