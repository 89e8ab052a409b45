/** The changes of one request, all or nothing: by whom, when, how and why. The first changed record creates it. */
import type { Collection } from '@mikro-orm/core';
import { AuditEvent } from './AuditEvent.js';
import { graphOnly, nowhere, visible } from './description.js';
import { Flag, Guid, Key, Long, Record, Text, ToMany, ToOne, ToUser, When } from './fields.js';
import { RecordVersion } from './RecordVersion.js';
import type { User } from './User.js';

@Record({
  table: 'change_sets',
  doc: 'What one request changed, all or nothing.',
  index: [['occurredAt'], ['undoesId']],
  readWith: 'admin:security',
  faces: visible,
})
export class ChangeSet {
  @Key('bigint', 'Number of the change set.', { faces: nowhere }) changeSetId!: string;
  @Guid('Guid of the change set.', { unique: true, default: 'gen_random_uuid()' }) changeSetGuid!: string;
  @When('Time of the change.', { default: 'now()' }) occurredAt!: Date;
  @Guid('Guid of the user or connector that made the change set.') actor!: string;
  @Text(
    'The interface: `graphql`, `rest`, `scim`, `cli`, `schedule` for changes at a planned time, or `sql` for statements outside the service.',
    { max: 20 },
  )
  face!: string;
  @Text('The reason that the user gave.', { max: 1000, nullable: true }) note!: string | null;
  @Text('Trace id of the request.', { max: 64, nullable: true }) traceId!: string | null;
  @Text('The version of the catalogue after the change set.', { max: 100, default: "''", faces: graphOnly })
  catalogueVersion!: string;
  @Text('Name of the applied file in git; null if there is none.', { max: 100, nullable: true })
  managedBy!: string | null;
  @Flag(
    'Whether a command on the server made the change set without the approval that the setting APPROVALS requires.',
    { default: 'false' },
  )
  isUnapproved!: boolean;
  @Long('Number of the change set that this one undoes.', { nullable: true, faces: nowhere }) undoesId!: string | null;

  @ToUser('actor', 'The user who made the change set; null if there is no such user.') actorNavigation!: User | null;
  @ToOne(() => ChangeSet, 'undoesId', 'The change set that this one undoes.', {
    to: 'changeSetId',
    constrained: false,
  })
  undoes!: ChangeSet | null;
  @ToMany(() => AuditEvent, 'changeSetId', 'The audit events of the change set; null without admin:security.', {
    nullable: true,
  })
  events!: AuditEvent[];
  @ToMany(
    () => RecordVersion,
    'changeSetId',
    'The versions of the changed records, with their fields; null for a dry run.',
    { nullable: true },
  )
  versions!: Collection<RecordVersion>;
}
