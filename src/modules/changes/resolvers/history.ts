/** Reads audit events and the versions of records. */
import { Args, ArgsType, Field, Query, Resolver, Root } from 'type-graphql';
import { AccessScope } from '../../../entities/AccessScope.js';
import { AccessScopeType } from '../../../entities/AccessScopeType.js';
import { Application } from '../../../entities/Application.js';
import { AuditEvent } from '../../../entities/AuditEvent.js';
import { describe, fieldOf, type RecordClass } from '../../../entities/description.js';
import { Profile } from '../../../entities/Profile.js';
import { RecordVersion } from '../../../entities/RecordVersion.js';
import { Role } from '../../../entities/Role.js';
import { Json } from '../../../entities/scalars.js';
import { Translation } from '../../../entities/Translation.js';
import { User } from '../../../entities/User.js';
import { Load, type Loader } from '../../../graphql/resolving/loaders.js';
import { connectionOf, pageArgumentsOf } from '../../../graphql/schema/connection.js';
import {
  Computed,
  ComputedOrNull,
  Member,
  MemberOrNull,
  Needs,
  RecordAt,
  Requires,
  Result,
} from '../../../graphql/schema/operations.js';
import { permit } from '../../../services/permit.js';
import type { Condition, PageArguments } from '../../../services/read/readPages.js';
import { fieldChanges, ofRecordAndParts, subjectOf } from '../history/fieldChanges.js';
import { ChangedRecord, findChangedRecord } from './ChangedRecord.js';

@Resolver(() => AuditEvent)
export class AuditEventResolver {
  @ComputedOrNull(
    ChangedRecord,
    'The current state of the affected record; null if the record was deleted, or if the event names no record.',
  )
  @Needs(AuditEvent, 'subjectType', 'subjectId')
  record(@Root() { subjectType, subjectId }: { subjectType: string; subjectId: string }, @Load() load: Loader) {
    return findChangedRecord(load, subjectType, subjectId);
  }
}

@Result('A field of a record with its values before and after a change.')
class FieldChange {
  @Member(String, 'Name of the field.') field!: string;
  @MemberOrNull(Json, 'The value before the change; null if the record is new.') before!: unknown;
  @MemberOrNull(Json, 'The value after the change; null if the record was deleted.') after!: unknown;
}

@Result('The current state of the records to which a version refers; null if they were deleted.')
class NamedRecords {}
for (const record of [AccessScope, AccessScopeType, Application, Profile, Role, User] as RecordClass[]) {
  const { name, doc, primaryKey } = describe(record);
  const relation = `${name.charAt(0).toLowerCase()}${name.slice(1)}`;
  RecordAt(record, primaryKey.name, doc, { from: primaryKey.column, nullable: true })(NamedRecords.prototype, relation);
}

type Columns = Record<string, unknown>;
interface Version {
  recordTable: string;
  recordKey: string;
  before: Columns | null;
  after: Columns | null;
}

@ArgsType()
class HistoryArguments extends pageArgumentsOf(RecordVersion) {
  @Member(String, 'Type of the record, as in audit events, such as `Application`.') subjectType!: string;
  @Member(String, 'Guid, id or number of the record, as in audit events.') subjectId!: string;
  @Field(() => Boolean, {
    defaultValue: false,
    description:
      'Whether to include the versions of dependent records (mappings, links of profiles, translations): the newest 10,000 of each type.',
  })
  withParts!: boolean;
}

@Resolver(() => RecordVersion)
export class HistoryResolver {
  @Query(() => connectionOf(RecordVersion), {
    description:
      'The versions of a record, newest first: who changed which fields, when and why. Versions of users contain only isBlocked.',
  })
  @Requires('admin:security')
  history(
    @Args(() => HistoryArguments) { subjectType, subjectId, withParts, ...page }: HistoryArguments,
    @Load() load: Loader,
  ) {
    permit(load.context, 'admin:security');
    const { table, key } = subjectOf(subjectType, subjectId);
    const condition: Condition = (statement, alias) => ofRecordAndParts(statement, alias, subjectType, key);
    return withParts
      ? load.list(RecordVersion, newestFirst(page), condition)
      : load.list(RecordVersion, pageOfRecord(table, key, newestFirst(page)));
  }

  @Computed(String, '`create`, `update` or `delete`.')
  @Needs(RecordVersion, 'before', 'after')
  action(@Root() { before, after }: Version) {
    return before === null ? 'create' : after === null ? 'delete' : 'update';
  }

  @Computed([FieldChange], 'The changed fields.')
  @Needs(RecordVersion, 'recordTable', 'before', 'after')
  changes(@Root() { recordTable, before, after }: Version) {
    return fieldChanges(recordTable, before, after);
  }

  @ComputedOrNull(ChangedRecord, 'The current state of the record; null if it was deleted.')
  @Needs(RecordVersion, 'recordTable', 'recordKey')
  record(@Root() { recordTable, recordKey }: Version, @Load() load: Loader) {
    return findChangedRecord(load, recordTable, recordKey);
  }

  @ComputedOrNull(
    NamedRecords,
    'The records to which the changed record referred before the change; null for a new record.',
  )
  @Needs(RecordVersion, 'before')
  namesBefore(@Root() { before }: Version) {
    return before;
  }

  @ComputedOrNull(
    NamedRecords,
    'The records to which the changed record refers after the change; null for a deleted record.',
  )
  @Needs(RecordVersion, 'after')
  namesAfter(@Root() { after }: Version) {
    return after;
  }
}

/** The fields that identify a translation; the records at the ends of a link are declared above. */
@Resolver(() => NamedRecords)
export class NamedRecordsResolver {
  @ComputedOrNull(String, 'For a translation: the translated field.')
  fieldName(@Root() columns: Columns) {
    return columns[fieldOf(Translation, 'fieldName').column] ?? null;
  }

  @ComputedOrNull(String, 'For a translation: the language, such as `en` or `pt-BR`.')
  languageCode(@Root() columns: Columns) {
    return columns[fieldOf(Translation, 'languageCode').column] ?? null;
  }
}

const newestFirst = (pageArguments: PageArguments): PageArguments => ({
  ...pageArguments,
  orderBy: pageArguments.orderBy ?? [{ recordVersionId: 'DESC' }],
});

function pageOfRecord(table: string, key: string, pageArguments: PageArguments): PageArguments {
  const own = { recordTable: { eq: table }, recordKey: { eq: key } };
  return { ...pageArguments, filter: pageArguments.filter ? { and: [own, pageArguments.filter] } : own };
}
