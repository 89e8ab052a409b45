/** One row, raised by each administrative change: feeds ETags and lets a cache be kept without being stale. */
import { Flag, Key, Record } from './fields.js';

@Record({ table: 'catalogue_version', doc: 'One row, raised by each administrative change.', hidden: true })
export class CatalogueVersion {
  @Key('bigint', { doc: 'The version.' }) version!: string;
  @Flag({ doc: 'Always true: there is one row.', unique: true, default: 'true' }) isOnly!: boolean;
}
