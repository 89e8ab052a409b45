/** Histories: what a record was, and what became of it. */
import { Field, ObjectType } from 'type-graphql';
import { RecordVersion } from '../../entities/RecordVersion.js';
import { Json } from '../../entities/scalars.js';
import { type PageArguments, readPages } from '../../services/graphReads/readPages.js';
import { fieldChanges, tableOfSubject } from '../../services/history/fieldChanges.js';
import { permit } from '../../services/permit.js';
import { Connection } from '../resolving/connection.js';
import { connectionSelectionOf, needFields } from '../resolving/selection.js';
import { connectionOf, declarePageArguments } from '../schema/connection.js';
import { declareQuery, operationsPrototype, resolveBy } from '../schema/declare.js';

@ObjectType({ description: 'A field of a record, before and after.', simpleResolvers: true })
class FieldChange {
  @Field(() => String, { description: 'The field.' }) field!: string;
  @Field(() => Json, { nullable: true, description: 'Its value before; null also for a new record.' }) before!: unknown;
  @Field(() => Json, { nullable: true, description: 'Its value after; null also for one that was removed.' })
  after!: unknown;
}

interface Version {
  recordTable: string;
  before: Record<string, unknown> | null;
  after: Record<string, unknown> | null;
}

export function declareRecordVersion(): void {
  Field(() => String, { description: '`create`, `update` or `delete`.' })(RecordVersion.prototype, 'action');
  needFields(RecordVersion, 'action', ['before', 'after']);
  resolveBy('RecordVersion', 'action', ({ before, after }: Version) =>
    before === null ? 'create' : after === null ? 'delete' : 'update',
  );
  Field(() => [FieldChange], { description: 'What changed, field by field.' })(RecordVersion.prototype, 'changes');
  needFields(RecordVersion, 'changes', ['recordTable', 'before', 'after']);
  resolveBy('RecordVersion', 'changes', ({ recordTable, before, after }: Version) =>
    fieldChanges(recordTable, before, after),
  );
  declareQuery('history', {
    doc: 'The versions of a record, the newest first: who changed what, when and why. Of users only whether they are blocked.',
    type: () => connectionOf(RecordVersion),
    arguments: {
      subjectType: { type: () => String, doc: 'Kind of record, as in audit events: `Application`.' },
      subjectId: { type: () => String, doc: 'Guid, id or number of the record, as in audit events.' },
    },
    resolve: async (_root, { subjectType, subjectId, ...given }, context, info) => {
      permit(context, 'admin:security');
      const [page] = await readPages(
        context,
        RecordVersion,
        ofSubject(subjectType, subjectId, given),
        connectionSelectionOf(info, RecordVersion),
      );
      return new Connection(page!);
    },
  });
  declarePageArguments(operationsPrototype, 'history', RecordVersion, 2);
}

function ofSubject(subjectType: string, subjectId: string, given: PageArguments): PageArguments {
  const own = { recordTable: { eq: tableOfSubject(subjectType) }, recordKey: { eq: subjectId } };
  return {
    ...given,
    filter: given.filter ? { and: [own, given.filter] } : own,
    orderBy: given.orderBy ?? [{ recordVersionId: 'DESC' }],
  };
}
