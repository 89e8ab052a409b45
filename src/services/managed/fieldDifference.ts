/** A field of a planned change, as it was and as it will be. */
import type { Scalar } from '../transfer/parseRows.js';

export interface FieldDifference {
  /** The property of the import file. */
  field: string;
  before: Scalar | string[];
  after: Scalar | string[];
}
