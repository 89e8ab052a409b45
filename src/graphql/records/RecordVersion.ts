/** Histories: what a record was, and what became of it. */
import { Field, ObjectType } from 'type-graphql';
import { AccessScope } from '../../entities/AccessScope.js';
import { AccessScopeType } from '../../entities/AccessScopeType.js';
import { Application } from '../../entities/Application.js';
import { describe, fieldOf, type RecordClass } from '../../entities/description.js';
import { Profile } from '../../entities/Profile.js';
import { RecordVersion } from '../../entities/RecordVersion.js';
import { Role } from '../../entities/Role.js';
import { Json } from '../../entities/scalars.js';
import { Translation } from '../../entities/Translation.js';
import { User } from '../../entities/User.js';
import { type Condition, type PageArguments, readPages } from '../../services/graphReads/readPages.js';
import { fieldChanges, subjectOf } from '../../services/history/fieldChanges.js';
import { ofRecordAndParts } from '../../services/history/parts.js';
import { permit } from '../../services/permit.js';
import { Connection } from '../resolving/connection.js';
import { loadRecord } from '../resolving/loaders.js';
import { connectionSelectionOf, needFields } from '../resolving/selection.js';
import { connectionOf, declarePageArguments } from '../schema/connection.js';
import { declareQuery, operationsPrototype, resolveBy } from '../schema/declare.js';
import { declareChangedRecord } from './ChangedRecord.js';

@ObjectType({ description: 'A field of a record, before and after.', simpleResolvers: true })
class FieldChange {
  @Field(() => String, { description: 'The field.' }) field!: string;
  @Field(() => Json, { nullable: true, description: 'Its value before; null also for a new record.' }) before!: unknown;
  @Field(() => Json, { nullable: true, description: 'Its value after; null also for one that was removed.' })
  after!: unknown;
}

@ObjectType({
  description:
    'The records that a version names by their numbers and ids, as they are now; null for those that are gone.',
  simpleResolvers: true,
})
class NamedRecords {}

type Columns = Record<string, unknown> | null;
interface Version {
  recordTable: string;
  before: Columns;
  after: Columns;
}

/** Records that others name by their key. */
const nameable: readonly RecordClass[] = [AccessScope, AccessScopeType, Application, Profile, Role, User];

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
  declareChangedRecord(
    RecordVersion,
    'The record that it is of, as it is now; null when it is gone.',
    ({ recordTable, recordKey }: Version & { recordKey: string }) => ({ kind: recordTable, id: recordKey }),
    ['recordTable', 'recordKey'],
  );
  declareNames();
  declareQuery('history', {
    doc: 'The versions of a record, the newest first: who changed what, when and why. Of users only whether they are blocked.',
    type: () => connectionOf(RecordVersion),
    arguments: {
      subjectType: { type: () => String, doc: 'Kind of record, as in audit events: `Application`.' },
      subjectId: { type: () => String, doc: 'Guid, id or number of the record, as in audit events.' },
      withParts: {
        type: () => Boolean,
        doc: 'Those too of what belongs to it, the newest 10,000 of each kind: mappings, links of profiles, texts of its group.',
        default: false,
      },
    },
    resolve: async (_root, { subjectType, subjectId, withParts, ...given }, context, info) => {
      permit(context, 'admin:security');
      const { table, key } = subjectOf(subjectType, subjectId);
      const condition: Condition = (statement, alias) => ofRecordAndParts(statement, alias, subjectType, key);
      const [page] = await readPages(
        context,
        RecordVersion,
        withParts ? newestFirst(given) : ofRecord(table, key, newestFirst(given)),
        connectionSelectionOf(info, RecordVersion),
        withParts ? { condition } : {},
      );
      return new Connection(page!);
    },
  });
  declarePageArguments(operationsPrototype, 'history', RecordVersion, 3);
}

/** What people can read of a link: the records at its ends, those of a link that was removed too. */
function declareNames(): void {
  const sides = { namesBefore: 'before', namesAfter: 'after' } as const;
  for (const [name, side] of Object.entries(sides)) {
    const doc = `The records that it named ${side} the change; null where there was none.`;
    Field(() => NamedRecords, { nullable: true, description: doc })(RecordVersion.prototype, name);
    needFields(RecordVersion, name, [side]);
    resolveBy('RecordVersion', name, (version: Version) => version[side]);
  }
  for (const record of nameable) {
    const { name, doc, primaryKey } = describe(record);
    const member = name.charAt(0).toLowerCase() + name.slice(1);
    Field(() => record, { nullable: true, description: doc })(NamedRecords.prototype, member);
    resolveBy('NamedRecords', member, (columns: NonNullable<Columns>, _given, context, info) => {
      const key = columns[primaryKey.column] ?? null;
      return key === null ? null : loadRecord(context, info, record, primaryKey.name, key);
    });
  }
  // a text has no record that names it: its place does
  for (const place of ['fieldName', 'languageCode']) {
    const { doc, column } = fieldOf(Translation, place);
    Field(() => String, { nullable: true, description: `Of a text: ${doc}` })(NamedRecords.prototype, place);
    resolveBy('NamedRecords', place, (columns: NonNullable<Columns>) => columns[column] ?? null);
  }
}

const newestFirst = (given: PageArguments): PageArguments => ({
  ...given,
  orderBy: given.orderBy ?? [{ recordVersionId: 'DESC' }],
});

function ofRecord(table: string, key: string, given: PageArguments): PageArguments {
  const own = { recordTable: { eq: table }, recordKey: { eq: key } };
  return { ...given, filter: given.filter ? { and: [own, given.filter] } : own };
}
