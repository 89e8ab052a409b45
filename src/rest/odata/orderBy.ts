/** Reads `$orderby`: properties and to-one paths, each ascending or descending. */
import type { Path } from './ast.js';
import { orderKeysMax } from './limits.js';
import type { OdataModel } from './model.js';
import { quote } from './optionError.js';
import { readScalarPath } from './path.js';
import { Reader } from './reader.js';

/** Its path begins at `$it`. */
export interface OrderKey {
  path: Path;
  descending: boolean;
}

/**
 * Reads `name desc,accessScope/name`; ascending where nothing is said.
 * Throws OptionError for anything but paths, a key given twice, or more than 10.
 */
export function readOrderBy(text: string, model: OdataModel): OrderKey[] {
  const reader = new Reader('$orderby', text, model);
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
