/** A change of a record's values. Triggers write it for every way to change a record (docs/decisions/0017). */
import { ChangeSet } from './ChangeSet.js';
import { visible } from './description.js';
import { JsonValue, Key, Long, Record, Text, ToOne } from './fields.js';

@Record({
  table: 'record_versions',
  doc: 'A change of the values of a record.',
  index: [['recordTable', 'recordKey'], ['changeSetId']],
  readWith: 'admin:security',
})
export class RecordVersion {
  @Key('bigint', 'Number of the version, ascending for each record.', { faces: visible }) recordVersionId!: string;
  @Long('Number of the change set.') changeSetId!: string;
  @Text('Table of the record.', { max: 63, faces: visible }) recordTable!: string;
  @Text('Guid, id or number of the record, as audit events name it.', { max: 255, faces: visible }) recordKey!: string;
  @JsonValue('The columns before the change; null for a new record.', { nullable: true }) before!: object | null;
  @JsonValue('The columns after the change; null for a deleted record.', { nullable: true }) after!: object | null;

  // a trigger makes both in one transaction; checking each version would take a tenth of an import
  @ToOne(() => ChangeSet, 'changeSetId', 'The change set.', { constrained: false, nullable: false, faces: visible })
  changeSet!: ChangeSet;
}
