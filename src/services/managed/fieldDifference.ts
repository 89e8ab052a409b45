import type { Scalar } from '../transfer/parseRows.js';

export interface FieldDifference {
  /** The property of the import file. */
  field: string;
  before: Scalar | string[];
  after: Scalar | string[];
}
