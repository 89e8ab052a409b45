/** An audit event, written in the transaction of the change. It contains only guids and field names. */
import type { ChangeSet } from './ChangeSet.js';
import { graphOnly, nowhere, recordNamed, visible } from './description.js';
import { Guid, JsonValue, Key, Long, Record, Text, ToOne, ToUser, When } from './fields.js';
import type { User } from './User.js';

@Record({
  table: 'audit_events',
  doc: 'A change of a record: who made it, when, and to which fields.',
  index: [['subjectType', 'subjectId'], ['changeSetId']],
  readWith: 'admin:security',
  faces: visible,
})
export class AuditEvent {
  @Key('bigint', 'Number of the event.') auditEventId!: string;
  @When('Time of the event.', { default: 'now()' }) occurredAt!: Date;
  @Guid('Guid of the user or connector that made the change.') actor!: string;
  @Text('The action, such as `create`, `update` or `delete`.', { max: 50 }) action!: string;
  @Text('Type of the affected record.', { max: 100 }) subjectType!: string;
  @Text('Guid or id of the affected record.', { max: 255 }) subjectId!: string;
  @JsonValue('Names of the changed fields and guids of the linked records.', { nullable: true, faces: graphOnly })
  detail!: object | null;
  @Text('Trace id of the request.', { max: 64, nullable: true }) traceId!: string | null;
  @Long('Number of its change set.', { nullable: true, faces: nowhere }) changeSetId!: string | null;

  @ToUser('actor', 'The user who made the change; null if there is no such user.') actorNavigation!: User | null;
  @ToOne(
    () => recordNamed('ChangeSet'),
    'changeSetId',
    'The change set of the event; null for tokens that were issued and decisions of access reviews, which change no administered record, and for events from before change sets were introduced.',
    { constrained: false },
  )
  changeSet!: ChangeSet | null;
}
