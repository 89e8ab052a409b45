/** A change of a record's values. Triggers write it for every way to change a record (docs/decisions/0017). */
import { ChangeSet } from './ChangeSet.js';
import type { Face } from './description.js';
import { Json, Key, Long, Record, Text, ToOne } from './fields.js';

const visibleFaces: readonly Face[] = ['graph', 'filter'];

@Record({
  table: 'record_versions',
  doc: 'A change of the values of a record.',
  index: [['recordTable', 'recordKey']],
  readWith: 'admin:security',
})
export class RecordVersion {
  @Key('bigint', { doc: 'Number of the version, ascending for each record.', faces: visibleFaces })
  recordVersionId!: string;
  @Long({ doc: 'Number of the change set.' }) changeSetId!: string;
  @Text({ doc: 'Table of the record.', max: 63, faces: visibleFaces }) recordTable!: string;
  @Text({ doc: 'Guid, id or number of the record, as audit events name it.', max: 255, faces: visibleFaces })
  recordKey!: string;
  @Json({ doc: 'The columns before the change; null for a new record.', nullable: true }) before!: object | null;
  @Json({ doc: 'The columns after the change; null for a deleted record.', nullable: true }) after!: object | null;

  @ToOne(() => ChangeSet, 'changeSetId', { doc: 'The change set.', onDelete: 'cascade', faces: visibleFaces })
  changeSet!: ChangeSet;
}
