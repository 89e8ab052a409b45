/** An audit event, written in the transaction of the change. It contains only guids and field names. */
import type { ChangeSet } from './ChangeSet.js';
import { type Face, recordNamed } from './description.js';
import { Guid, Json, Key, Long, Record, Text, ToOne, When } from './fields.js';
import { User } from './User.js';

const visibleFaces: readonly Face[] = ['graph', 'filter'];

@Record({
  table: 'audit_events',
  doc: 'A change of a record: who made it, when, and to which fields.',
  index: [['subjectType', 'subjectId'], ['changeSetId']],
  readWith: 'admin:security',
})
export class AuditEvent {
  @Key('bigint', { doc: 'Number of the event.', faces: visibleFaces }) auditEventId!: string;
  @When({ doc: 'Time of the event.', default: 'now()', faces: visibleFaces }) occurredAt!: Date;
  @Guid({ doc: 'Guid of the user or connector that made the change.', faces: visibleFaces }) actor!: string;
  @Text({ doc: 'The action, such as `create`, `update` or `delete`.', max: 50, faces: visibleFaces }) action!: string;
  @Text({ doc: 'Type of the affected record.', max: 100, faces: visibleFaces }) subjectType!: string;
  @Text({ doc: 'Guid or id of the affected record.', max: 255, faces: visibleFaces }) subjectId!: string;
  @Json({ doc: 'Names of the changed fields and guids of the linked records.', nullable: true, faces: ['graph'] })
  detail!: object | null;
  @Text({ doc: 'Trace id of the request.', max: 64, nullable: true, faces: visibleFaces }) traceId!: string | null;
  @Long({ doc: 'Number of its change set.', nullable: true }) changeSetId!: string | null;

  @ToOne(() => User, 'actor', {
    doc: 'The user who made the change; null if there is no such user.',
    to: 'userGuid',
    constrained: false,
    nullable: true,
    faces: visibleFaces,
  })
  actorNavigation!: User | null;
  @ToOne(() => recordNamed('ChangeSet'), 'changeSetId', {
    doc: 'The change set of the event; null for events from before change sets were introduced.',
    constrained: false,
    nullable: true,
    faces: visibleFaces,
  })
  changeSet!: ChangeSet | null;
}
