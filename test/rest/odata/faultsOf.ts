/** What a query string is refused with, as `option: message`, for tables of faults. */
import type { OdataModel } from '../../../src/rest/odata/model.js';
import { type Options, readOptions } from '../../../src/rest/odata/options.js';
import { OptionErrors } from '../../../src/rest/odata/tokens.js';

/** The faults in their order; fails when the query is accepted. Any other error passes through. */
export function faultsOf(query: string, model: OdataModel): string[] {
  let options: Options;
  try {
    options = readOptions(query, model);
  } catch (error) {
    if (!(error instanceof OptionErrors)) throw error;
    return error.errors.map(({ option, message }) => `${option}: ${message}`);
  }
  throw new Error(`accepted: ${JSON.stringify(options)}`);
}
