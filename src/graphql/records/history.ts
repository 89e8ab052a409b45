/** Audit events, versions and change sets in the graph. */
import type { GraphQLResolveInfo } from 'graphql';
import { Arg, Field, ID, Int, ObjectType } from 'type-graphql';
import { AccessScope } from '../../entities/AccessScope.js';
import { AccessScopeType } from '../../entities/AccessScopeType.js';
import { Application } from '../../entities/Application.js';
import { AuditEvent } from '../../entities/AuditEvent.js';
import { ChangeSet } from '../../entities/ChangeSet.js';
import { describe, fieldOf, type RecordClass } from '../../entities/description.js';
import { Profile } from '../../entities/Profile.js';
import { RecordVersion } from '../../entities/RecordVersion.js';
import { Role } from '../../entities/Role.js';
import { Json } from '../../entities/scalars.js';
import { Translation } from '../../entities/Translation.js';
import { User } from '../../entities/User.js';
import { applyChanges, changeItemsMax, changesMax, type MadeChangeSet } from '../../services/changes/applyChanges.js';
import { type AccessDelta as Delta, type AccessItem as Item, readPastEffect } from '../../services/changes/effect.js';
import { undoChangeSet } from '../../services/changes/undo.js';
import { fieldChanges, ofRecordAndParts, subjectOf } from '../../services/history/fieldChanges.js';
import { permit } from '../../services/permit.js';
import { type Condition, type PageArguments, readPages } from '../../services/read/readPages.js';
import type { Row } from '../../services/read/select.js';
import { Connection, pageInMemory } from '../resolving/connection.js';
import { loadPage, loadRecord } from '../resolving/loaders.js';
import { guarded } from '../resolving/refusals.js';
import {
  connectionSelectionOf,
  effectSizeOf,
  isAskedFor,
  itemsDefault,
  needFields,
  peopleDefault,
} from '../resolving/selection.js';
import { declareChangeInput, plannedChanges } from '../schema/changeInput.js';
import { connectionOf, declarePageArguments } from '../schema/connection.js';
import {
  type Argument,
  declareMutation,
  declareQuery,
  type Mutating,
  operationsPrototype,
  type Resolver,
  resolveBy,
} from '../schema/declare.js';
import { keyArgument } from '../schema/recordMutations.js';
import { declareChangedRecord } from './ChangedRecord.js';

/** An audit event leads to the record that it was done to. */

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

/** Histories: what a record was, and what became of it. */

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

/** Change sets: several changes as one, tried or made; what they do to whom; their events, and taking them back. */

@ObjectType({
  description: 'A profile gains or loses an application or an entry of its scopes claim, or a user a profile.',
  simpleResolvers: true,
})
class AccessItem {
  @Field(() => Profile, { description: 'The profile.' }) profile!: Profile;
  @Field(() => Application, { nullable: true, description: 'The application that it opens, or no longer.' })
  application!: Application | null;
  @Field(() => String, { nullable: true, description: 'The entry of its scopes claim.' }) scope!: string | null;
  @Field(() => User, { nullable: true, description: 'The user who holds it, or no longer.' }) user!: User | null;
  @Field(() => Int, {
    description: 'How many users gain or lose it: those who hold the profile; 1 where `user` is named.',
  })
  users!: number;
  people!: User[];
}

@ObjectType({
  description: 'What is gained, or lost: exact counts, of users and sessions that hold a profile concerned, each once.',
  simpleResolvers: true,
})
class AccessDelta {
  @Field(() => Int, { description: 'Applications that some profile gains or loses.' }) applications!: number;
  @Field(() => Int, { description: 'Entries of the scopes claim that some profile gains or loses.' }) scopes!: number;
  @Field(() => Int, { description: 'Profiles that gain or lose, or are gained or lost.' }) profiles!: number;
  @Field(() => Int, { description: 'Users concerned.' }) users!: number;
  @Field(() => Int, { description: 'Active renewal tokens concerned.' }) sessions!: number;
  items!: AccessItem[];
}

@ObjectType({ description: 'Who gains and who loses what.', simpleResolvers: true })
class Effect {
  @Field(() => AccessDelta, { description: 'What is there after and was not before.' }) gains!: AccessDelta;
  @Field(() => AccessDelta, { description: 'What was there before and is no more.' }) loses!: AccessDelta;
}

/** What a set's fields are answered from: a row that was read, or what has just been made. */
type Parent = Row & { made?: MadeChangeSet };

const asParent = (made: MadeChangeSet): Parent => ({ ...made.row, made });

export function declareChangeSet(): void {
  declareEffectLists();
  // to be given back, not to be read
  Field(() => ID, { description: fieldOf(ChangeSet, 'catalogueVersion').doc })(ChangeSet.prototype, 'catalogueVersion');
  Field(() => Boolean, { description: 'Whether nothing was changed, and this is what would be.' })(
    ChangeSet.prototype,
    'isDryRun',
  );
  resolveBy('ChangeSet', 'isDryRun', ({ made }: Parent) => made?.isDryRun ?? false);
  Field(() => ChangeSet, { nullable: true, description: 'The last change set that undoes it.' })(
    ChangeSet.prototype,
    'undoneBy',
  );
  needFields(ChangeSet, 'undoneBy', ['changeSetId']);
  const undoneBy: Resolver = ({ made, changeSetId }: Parent, _given, context, info) =>
    made ? null : loadRecord(context, info, ChangeSet, 'undoesId', changeSetId);
  resolveBy('ChangeSet', 'undoneBy', guarded(ChangeSet, undoneBy));
  // who makes a set sees it, and not the audit log
  const events: Resolver = ({ made, changeSetId }: Parent, given: PageArguments, context, info) =>
    made?.events
      ? pageInMemory(made.events, given)
      : loadPage(context, info, AuditEvent, 'changeSetId', changeSetId, given);
  resolveBy('ChangeSet', 'events', guarded(AuditEvent, events));
  const versions: Resolver = ({ made, changeSetId }: Parent, given: PageArguments, context, info) =>
    made?.isDryRun ? null : loadPage(context, info, RecordVersion, 'changeSetId', changeSetId, given);
  resolveBy('ChangeSet', 'versions', guarded(RecordVersion, versions));
  resolveBy(
    'ChangeSet',
    'undoes',
    guarded(ChangeSet, ({ undoes }: Parent) => undoes),
  );
  Field(() => Effect, { nullable: true, description: 'Who gains and who loses what by it.' })(
    ChangeSet.prototype,
    'effect',
  );
  needFields(ChangeSet, 'effect', ['changeSetId']);
  const effect: Resolver = ({ made, changeSetId }: Parent, _given, context, info) =>
    made ? (made.effect ?? null) : readPastEffect(context, String(changeSetId), effectSizeOf(info, []));
  // it names profiles, applications and people
  resolveBy('ChangeSet', 'effect', guarded(Profile, effect));
  declareMutation('applyChanges', applyDeclaration(declareChangeInput()));
  declareMutation('undoChangeSet', {
    doc: 'Takes a change set back, as a change set of its own; CONFLICT names the records that somebody changed since.',
    type: () => ChangeSet,
    arguments: { changeSetGuid: keyArgument(ChangeSet, 'changeSetGuid'), dryRun, note },
    resolve: async (_root, { changeSetGuid, dryRun, note }, context, info) =>
      asParent(await undoChangeSet(context, changeSetGuid, { dryRun, note, wanted: wantedOf(info) })),
  });
}

/** Lists, of which only as many are read as are asked for. */
function declareEffectLists(): void {
  const list = (type: { prototype: object }, name: string, of: () => unknown, size: number, doc: string) => {
    Field(() => [of()] as never, { description: doc })(type.prototype, name);
    Arg('first', () => Int, { nullable: true, defaultValue: size, description: 'The first so many.' })(
      type.prototype,
      name,
      0,
    );
  };
  list(
    AccessDelta,
    'items',
    () => AccessItem,
    itemsDefault,
    'Users who gain or lose a profile first, then applications, then scopes.',
  );
  list(AccessItem, 'people', () => User, peopleDefault, 'Who they are, by name.');
  resolveBy('AccessDelta', 'items', ({ items }: Delta, { first }) => items.slice(0, first ?? itemsDefault));
  resolveBy('AccessItem', 'people', ({ people }: Item, { first }) => people.slice(0, first ?? peopleDefault));
}

const dryRun: Argument = {
  type: () => Boolean,
  doc: 'Only tell what would be: nothing is changed.',
  default: false,
};
const note: Argument = { type: () => String, doc: 'Why, for the history.', nullable: true };

const wantedOf = (info: GraphQLResolveInfo) => ({
  events: isAskedFor(info, ['events']),
  effect: isAskedFor(info, ['effect']) ? effectSizeOf(info, ['effect']) : undefined,
});

function applyDeclaration(changeInput: () => unknown): Mutating {
  return {
    doc: `Makes several changes as one, all or nothing and in their order: at most ${changesMax}, with ${changeItemsMax} items in all. Where they change nothing no set is kept: the answer is that of a dry run.`,
    type: () => ChangeSet,
    arguments: {
      changes: { type: () => [changeInput()], doc: 'The changes.' },
      dryRun,
      note,
      ifCatalogueVersion: {
        type: () => ID,
        doc: 'The version that was read: CONFLICT when anything administered changed since.',
        nullable: true,
      },
    },
    resolve: async (_root, { changes, dryRun, note, ifCatalogueVersion }, context, info) =>
      asParent(
        await applyChanges(context, plannedChanges(changes), {
          dryRun,
          note,
          ifCatalogueVersion,
          wanted: wantedOf(info),
        }),
      ),
  };
}
