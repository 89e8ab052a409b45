/** An audit event leads to the record that it was done to. */
import { Field, ObjectType } from 'type-graphql';
import { AuditEvent } from '../../entities/AuditEvent.js';
import { allRecords } from '../../entities/all.js';
import { describe, fieldsFor, type RecordClass } from '../../entities/description.js';
import { readFieldValue } from '../../services/records/fieldInput.js';
import { loadRecord } from '../resolving/loaders.js';
import { needFields } from '../resolving/selection.js';
import { resolveBy } from '../schema/declare.js';

@ObjectType({
  description: 'The record that something was done to: the member of its kind, null when the record is gone.',
  simpleResolvers: true,
})
class AuditSubject {}

interface Subject {
  subjectType: string;
  subjectId: string;
}

const memberOf = (name: string): string => name.charAt(0).toLowerCase() + name.slice(1);

export function declareAuditEvent(): void {
  Field(() => AuditSubject, { description: 'The record that it was done to, as it is now.' })(
    AuditEvent.prototype,
    'subject',
  );
  needFields(AuditEvent, 'subject', ['subjectType', 'subjectId']);
  resolveBy('AuditEvent', 'subject', ({ subjectType, subjectId }: Subject) => ({ subjectType, subjectId }));
  for (const record of allRecords as RecordClass[])
    if (record !== AuditEvent && fieldsFor(record, 'graph').length > 0) declareSubject(record);
}

function declareSubject(record: RecordClass): void {
  const { name, doc, fields, primaryKey } = describe(record);
  const key =
    fields.find((field) => field.type === 'uuid' && field.unique && field.faces.includes('graph')) ?? primaryKey;
  Field(() => record, { nullable: true, description: doc })(AuditSubject.prototype, memberOf(name));
  resolveBy('AuditSubject', memberOf(name), ({ subjectType, subjectId }: Subject, _given, context, info) => {
    if (subjectType !== name) return null;
    const id = key.type === 'integer' || key.type === 'bigint' ? Number(subjectId) : subjectId;
    // of an event about several tokens it names none of them
    if ('problem' in readFieldValue(key, id)) return null;
    return loadRecord(context, info, record, key.name, key.type === 'integer' ? id : subjectId);
  });
}
