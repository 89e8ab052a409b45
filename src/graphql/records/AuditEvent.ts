/** An audit event leads to the record that it was done to. */
import { AuditEvent } from '../../entities/AuditEvent.js';
import { declareChangedRecord } from './ChangedRecord.js';

interface Event {
  subjectType: string;
  subjectId: string;
}

export const declareAuditEvent = (): void =>
  declareChangedRecord(
    AuditEvent,
    'The record that it was done to, as it is now; null when it is gone, or when the event names none.',
    ({ subjectType, subjectId }: Event) => ({ kind: subjectType, id: subjectId }),
    ['subjectType', 'subjectId'],
  );
