/** The changes of one request, all or nothing: by whom, when, how and why. The first changed record creates it. */
import type { Collection } from '@mikro-orm/core';
import { AuditEvent } from './AuditEvent.js';
import type { Face } from './description.js';
import { Flag, Guid, Key, Long, Record, Text, ToMany, ToOne, When } from './fields.js';
import { RecordVersion } from './RecordVersion.js';
import { User } from './User.js';

const visibleFaces: readonly Face[] = ['graph', 'filter'];

@Record({
  table: 'change_sets',
  doc: 'What one request changed, all or nothing.',
  index: [['occurredAt'], ['undoesId']],
  readWith: 'admin:security',
})
export class ChangeSet {
  @Key('bigint', { doc: 'Number of the change set.' }) changeSetId!: string;
  @Guid({ doc: 'Guid of the change set.', unique: true, default: 'gen_random_uuid()', faces: visibleFaces })
  changeSetGuid!: string;
  @When({ doc: 'Time of the change.', default: 'now()', faces: visibleFaces }) occurredAt!: Date;
  @Guid({ doc: 'Guid of the user or connector that made the change set.', faces: visibleFaces }) actor!: string;
  @Text({
    doc: 'The interface: `graphql`, `rest`, `scim`, `cli`, `schedule` for changes at a planned time, or `sql` for statements outside the service.',
    max: 20,
    faces: visibleFaces,
  })
  face!: string;
  @Text({ doc: 'The reason that the user gave.', max: 1000, nullable: true, faces: visibleFaces }) note!: string | null;
  @Text({ doc: 'Trace id of the request.', max: 64, nullable: true, faces: visibleFaces }) traceId!: string | null;
  @Text({ doc: 'The version of the catalogue after the change set.', max: 100, default: "''", faces: ['graph'] })
  catalogueVersion!: string;
  @Text({
    doc: 'Name of the applied file in git; null if there is none.',
    max: 100,
    nullable: true,
    faces: visibleFaces,
  })
  managedBy!: string | null;
  @Flag({
    doc: 'Whether a command on the server made it without the approval that APPROVALS requires.',
    default: 'false',
    faces: visibleFaces,
  })
  isUnapproved!: boolean;
  @Long({ doc: 'Number of the change set that this one undoes.', nullable: true }) undoesId!: string | null;

  @ToOne(() => User, 'actor', {
    doc: 'The user who made the change set; null if there is no such user.',
    to: 'userGuid',
    constrained: false,
    nullable: true,
    faces: visibleFaces,
  })
  actorNavigation!: User | null;
  @ToOne(() => ChangeSet, 'undoesId', {
    doc: 'The change set that this one undoes.',
    to: 'changeSetId',
    constrained: false,
    nullable: true,
    faces: visibleFaces,
  })
  undoes!: ChangeSet | null;
  @ToMany(() => AuditEvent, 'changeSetId', {
    doc: 'The audit events of the change set; null without admin:security.',
    nullable: true,
    faces: visibleFaces,
  })
  events!: AuditEvent[];
  @ToMany(() => RecordVersion, 'changeSetId', {
    doc: 'The versions of the changed records, with their fields; null for a dry run.',
    nullable: true,
    faces: visibleFaces,
  })
  versions!: Collection<RecordVersion>;
}
