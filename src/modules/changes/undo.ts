/** Undoes a change set if no later change depends on it. */
import type { Context, EntityManager } from '../../context.js';
import { AccessScope } from '../../entities/AccessScope.js';
import { AccessScopeType } from '../../entities/AccessScopeType.js';
import { Application } from '../../entities/Application.js';
import { allRecords } from '../../entities/all.js';
import { Client } from '../../entities/Client.js';
import { describe, fieldOf, type RecordClass } from '../../entities/description.js';
import { columnName, columnTypes } from '../../entities/fieldTypes.js';
import { Profile } from '../../entities/Profile.js';
import { ProfileAccessScope } from '../../entities/ProfileAccessScope.js';
import { Role } from '../../entities/Role.js';
import { stamps } from '../../entities/Stamped.js';
import { Token } from '../../entities/Token.js';
import { User } from '../../entities/User.js';
import { UserProfile } from '../../entities/UserProfile.js';
import { badInput, conflict, GatehouseError, tooLarge } from '../../errors.js';
import { requirePower } from '../../services/adminScopes/guard.js';
import { execute } from '../../services/execute.js';
import { applyEnds, lockProfiles } from '../../services/people/profiles.js';
import { actorOf } from '../../services/permit.js';
import { mayRead } from '../../services/read/projection.js';
import { type Forget, freeValues } from '../../services/records/freeValues.js';
import { type Columns, deleteRows, insertRows, updateRows } from '../../services/records/writeRecords.js';
import { endSessionsOfProfile, endSessionsOfUsers } from '../../services/tokens/endSessions.js';
import { getChangeSetId } from './describeChangeSet.js';
import { historiesSince, isPersonal, partRecords, recordsWithHistory, subjectKey } from './history/state.js';
import { changeItemsMax } from './plannedChange.js';

/** A record that the set changed: before the set, after the set, and now. */
export interface Undone {
  record: RecordClass;
  key: string;
  before: Columns | null;
  after: Columns | null;
  now: Columns | null;
}

const stampColumns = new Set([...stamps].map(columnName));

/** Whether both have the same values, except stamps. `other` may have more columns. */
function isSame(one: Columns | null, other: Columns | null): boolean {
  if (!one || !other) return one === other;
  return Object.keys(one).every(
    (column) =>
      stampColumns.has(column) ||
      one[column] === other[column] ||
      (column === 'valid_until' && timeOf(one[column]) === timeOf(other[column])),
  );
}

/** A time is written in the time zone of the connection that changed the record. */
const timeOf = (value: unknown): number | undefined => (typeof value === 'string' ? Date.parse(value) : undefined);

export const nameOf = ({ record, key }: Undone): string => `${describe(record).name} ${key}`;

const namedRecordsMax = 20;

/** The error when records that are referred to are gone, or others have taken their places. */
function cannotReturn(all: readonly Undone[]): GatehouseError {
  const names = all.slice(0, namedRecordsMax).map(nameOf).join(', ');
  return conflict(`The records that these refer to were removed, or others have taken their keys: ${names}.`);
}

/** Records that others refer to, referenced records first. */
const parents: readonly RecordClass[] = [AccessScopeType, AccessScope, Profile, Role, User, Application];

/**
 * Restores records with their numbers and guids, a new revision and audit events.
 * @param inUse makes the error for records that others refer to
 */
export async function restore(
  em: EntityManager,
  context: Context,
  undone: readonly Undone[],
  inUse: (uses: readonly Use[]) => GatehouseError = ([use]) =>
    conflict(`${nameOf(use!.of)} is in use by later changes.`),
): Promise<void> {
  const removed = undone.filter(({ before }) => before === null);
  const back = undone.filter(({ before }) => before !== null);
  for (const { key } of recordsOf(Profile, removed)) await endSessionsOfProfile(em, context, key);
  for (const record of partRecords) await removeAll(em, record, removed);
  const freed = await freeExchanged(em, undone);
  for (const record of [...parents, ...partRecords]) {
    await update(em, record, back);
    await insert(em, record, context, back);
  }
  for (const record of parents.toReversed()) {
    const uses = await findUses(em, record, recordsOf(record, removed));
    if (uses.length > 0) throw inUse(uses);
    await removeAll(em, record, removed);
  }
  for (const forget of freed) await forget();
  await endSessions(em, context, undone);
}

/** Unique values that records may exchange. */
const exchanged = [
  { record: AccessScopeType, column: 'name' },
  { record: Profile, column: 'external_group' },
] as const;

async function freeExchanged(em: EntityManager, undone: readonly Undone[]): Promise<Forget[]> {
  const freed: Forget[] = [];
  for (const { record, column } of exchanged) {
    const rows = recordsOf(record, undone).filter(({ before, now }) => now?.[column] !== before?.[column]);
    if (rows.length < 2) continue;
    const { table } = describe(record);
    const key = subjectKey(describe(record)).column;
    const wanted = rows.map(({ before }) => before?.[column]);
    const keys = rows.map((row) => row.key);
    freed.push(
      await returning(
        rows,
        freeValues((text, values) => execute(em, text, values), { table, column, key }, keys, wanted),
      ),
    );
  }
  return freed;
}

/** Ids of the profiles whose scopes or holders change. */
const linkedProfiles = (undone: readonly Undone[]) => {
  const linked = undone.filter(({ record }) => record === ProfileAccessScope || record === UserProfile);
  return linked.map(({ before, after }) => ({ profile_id: String((before ?? after)!.profile_id) }));
};

/** Ends sessions as blocking a user and unassigning a profile do, and raises the revisions of the profiles. */
async function endSessions(em: EntityManager, context: Context, undone: readonly Undone[]): Promise<void> {
  const blocked = recordsOf(User, undone).filter(({ before }) => before?.is_blocked === true);
  const guids = blocked.map(({ key }) => key);
  if (guids.length > 0) await endSessionsOfUsers(em, context, guids);
  const gone = recordsOf(UserProfile, undone).flatMap(({ before, after }) => (before === null ? after! : []));
  const links = await execute<{ profile_id: string; guid: string }>(
    em,
    `select profile_id, user_guid::text as guid from jsonb_to_recordset($1::jsonb) as gone (user_id int, profile_id text)
     join users using (user_id) order by profile_id`,
    [JSON.stringify(gone)],
  );
  await applyEnds(em, context, links, linkedProfiles(undone));
}

const recordsOf = (record: RecordClass, undone: readonly Undone[]) => undone.filter((each) => each.record === record);

function removeAll(em: EntityManager, record: RecordClass, removed: readonly Undone[]): Promise<void> {
  const key = describe(record).primaryKey.column;
  const keys = recordsOf(record, removed).map(({ after }) => after![key]);
  return deleteRows(em, record, keys);
}

/** A record that is to be removed although others refer to it, and their table. */
export interface Use {
  of: Undone;
  child: string;
}

const usesMax = 100;

/** Finds records that would be removed with these, or would refer to a removed record. */
async function findUses(em: EntityManager, record: RecordClass, removed: readonly Undone[]): Promise<Use[]> {
  if (removed.length === 0) return [];
  const uses: Use[] = [];
  for (const { child, column, parent } of referencesTo(record)) {
    const byValue = new Map(removed.map((each) => [String(each.after![parent.column]), each]));
    const rows = await execute<{ value: string }>(
      em,
      `select distinct ${column}::text as value from ${child}
       where ${column} = any($1::${columnTypes[parent.type]}[]) limit ${usesMax}`,
      [[...byValue.keys()]],
    );
    uses.push(...rows.map(({ value }) => ({ of: byValue.get(value)!, child })));
  }
  return uses;
}

/** The references of records to this one: those with a constraint, and those of sessions to their user. */
const referencesTo = (record: RecordClass) =>
  allRecords.flatMap((child) =>
    describe(child)
      .relations.filter(
        ({ kind, target, constrained }) =>
          kind === 'toOne' && target() === record && (constrained || (child === Token && record === User)),
      )
      .map(({ from, to }) => ({
        child: describe(child).table,
        column: fieldOf(child, from).column,
        parent: fieldOf(record, to),
      })),
  );

/** The columns that an undo writes; for users only the column with a history. */
function rowOf(record: RecordClass, before: Columns): Columns {
  const { fields } = describe(record);
  const unwritten = ['revision', 'modifiedDate', 'modifiedBy'];
  const written = fields.filter(({ name, primary, isUnversioned }) =>
    record === User ? primary || name === 'isBlocked' : !isUnversioned && !unwritten.includes(name),
  );
  return Object.fromEntries(written.map(({ column }) => [column, before[column] ?? null]));
}

async function update(em: EntityManager, record: RecordClass, back: readonly Undone[]): Promise<void> {
  const changed = recordsOf(record, back).filter(({ now }) => now !== null);
  const rows = changed.map(({ before }) => rowOf(record, before!));
  await returning(changed, updateRows(em, record, rows));
}

/** A removed record is restored. */
async function insert(
  em: EntityManager,
  record: RecordClass,
  context: Context,
  back: readonly Undone[],
): Promise<void> {
  const removed = recordsOf(record, back).filter(({ now }) => now === null);
  const isStamped = describe(record).fields.some(({ name }) => name === 'modifiedBy');
  const stamped = (before: Columns) =>
    isStamped && {
      modified_date: context.clock.now(),
      modified_by: actorOf(context),
      revision: Number(before.revision) + 1,
    };
  const rows = removed.map(({ before }) => ({ ...rowOf(record, before!), ...stamped(before!) }));
  await returning(removed, insertRows(em, record, rows));
}

/** https://www.postgresql.org/docs/18/errcodes-appendix.html: a reference to nothing, and a value that must be unique. */
const violations = new Set(['23503', '23505']);

/** Throws CONFLICT if rows can't be restored in the current catalogue. */
const returning = <Written>(rows: readonly Undone[], writing: Promise<Written>): Promise<Written> =>
  writing.catch((error: { code?: unknown }) => {
    throw violations.has(String(error.code)) ? cannotReturn(rows) : error;
  });

const namedMax = 100;

/**
 * In the transaction of the change. Throws NOT_FOUND, TOO_LARGE, FORBIDDEN as the inverse changes would, and CONFLICT naming
 * the records that somebody changed since, that others refer to, or whose values have no history: personal data, clients and
 * keys; and for a set that is older than the histories.
 */
export async function restoreChangeSet(inside: Context, changeSetGuid: string): Promise<void> {
  const em = inside.changing!;
  const changeSetId = await getChangeSetId(inside, changeSetGuid);
  const undone = await readUndone(em, changeSetId);
  await requireRestorable(inside, changeSetId, undone);
  await restore(em, inside, undone);
  await requirePower(em, inside);
}

/** What a trigger wrote about a change of a record. */
export interface Version {
  table: string;
  key: string;
  before: Columns | null;
  after: Columns | null;
}

export const versionColumns = 'record_table as table, record_key as key, before, after';

/** One version for each record, even if it was changed several times. @param versions in the order of the changes */
export function mergeVersions(versions: readonly Version[]): Version[] {
  const byRecord = Map.groupBy(versions, ({ table, key }) => `${table} ${key}`);
  return [...byRecord.values()].map((own) => ({ ...own[0]!, after: own.at(-1)!.after }));
}

/** The records that differ. */
async function readUndone(em: EntityManager, changeSetId: string): Promise<Undone[]> {
  const versions = await execute<Version>(
    em,
    `select ${versionColumns} from record_versions where change_set_id = $1::bigint
     order by record_version_id limit ${changeItemsMax + 1}`,
    [changeSetId],
  );
  if (versions.length > changeItemsMax)
    throw tooLarge(`A change set of more than ${changeItemsMax} versions is not undone.`);
  const undone = mergeVersions(versions)
    .filter(({ before, after }) => !isSame(before, after))
    .map(({ table, ...version }): Undone => {
      const record = recordsWithHistory.find((each) => describe(each).table === table)!;
      return { record, ...version, now: null };
    });
  await lockProfiles(
    em,
    linkedProfiles(undone).map(({ profile_id }) => profile_id),
  );
  for (const record of recordsWithHistory) await readPresent(em, record, undone);
  return undone;
}

/** Locks the records and reads their current values. */
async function readPresent(em: EntityManager, record: RecordClass, all: readonly Undone[]): Promise<void> {
  const undone = recordsOf(record, all);
  if (undone.length === 0) return;
  const description = describe(record);
  const key = subjectKey(description).column;
  const rows = await execute<{ key: string; now: Columns }>(
    em,
    `select ${key}::text as key, to_jsonb(t) as now from ${description.table} t where ${key}::text = any($1::text[])
     order by ${description.primaryKey.column} for update`,
    [undone.map((each) => each.key)],
  );
  const byKey = new Map(rows.map(({ key, now }) => [key, now]));
  for (const each of undone) each.now = byKey.get(each.key) ?? null;
}

async function requireRestorable(inside: Context, changeSetId: string, undone: readonly Undone[]): Promise<void> {
  const em = inside.changing!;
  const old = await execute(
    em,
    `select from change_sets where change_set_id = $1::bigint and occurred_at < ${historiesSince}`,
    [changeSetId, inside.config.auditRetentionDays],
  );
  const edited = await findEdited(em, changeSetId, undone);
  const changed = new Set([...undone.filter(({ after, now }) => !isSame(after, now)), ...edited]);
  const forgotten = await findForgotten(em, changeSetId, mayRead(inside, Client));
  const removed = recordsOf(User, undone).filter(({ before, now }) => before !== null && now === null);
  const ended = await findEnded(em, undone);
  const endOf = ({ before }: Undone) => new Date(String(before!.valid_until)).toISOString();
  const problems = [
    ...old.map(() => 'It is older than the histories that are kept.'),
    ...[...changed].map((each) => `${nameOf(each)} was changed since.`),
    ...forgotten.map((name) => `${name} was changed in fields without history.`),
    ...removed.map((each) => `${nameOf(each)} was removed, and its personal data with it.`),
    ...ended.map((each) => `${nameOf(each)} ended at ${endOf(each)}: give it again with a new end.`),
  ];
  if (problems.length > 0)
    throw new GatehouseError('CONFLICT', 'The change set cannot be undone.', {
      problems: { '': problems.slice(0, namedMax) },
    });
  if (undone.length === 0) throw badInput({ '': ['The change set changed no record.'] });
}

/** Grants that would come back although their end has passed. */
async function findEnded(em: EntityManager, undone: readonly Undone[]): Promise<Undone[]> {
  const ending = undone.filter(
    ({ record, before }) => (record === UserProfile || record === ProfileAccessScope) && before?.valid_until,
  );
  if (ending.length === 0) return [];
  const rows = await execute<{ place: number }>(
    em,
    'select place::int - 1 as place from unnest($1::timestamptz[]) with ordinality ends (ends_at, place) where ends_at <= now()',
    [ending.map(({ before }) => before!.valid_until)],
  );
  return rows.map(({ place }) => ending[place]!);
}

/** Users that the set created, and whose personal data somebody has changed since. */
async function findEdited(em: EntityManager, changeSetId: string, undone: readonly Undone[]): Promise<Undone[]> {
  const created = recordsOf(User, undone).filter(({ before }) => before === null);
  if (created.length === 0) return [];
  const rows = await execute<{ key: string }>(
    em,
    `select distinct subject_id as key from audit_events
     where ${isPersonal} and subject_id = any($1::text[]) and change_set_id <> $2::bigint`,
    [created.map(({ key }) => key), changeSetId],
  );
  const edited = new Set(rows.map(({ key }) => key));
  return created.filter(({ key }) => edited.has(key));
}

/** SQL: whether the event is of a change without a history. */
const isForgotten = `(subject_type in ('Client', 'EventStream', 'SigningKey') or ${isPersonal})`;

/** Whether all that the change sets changed has a history, in their order. What others changed since is found by trying. */
export async function findUndoable(
  { reads, config }: Pick<Context, 'reads' | 'config'>,
  changeSetGuids: readonly string[],
): Promise<boolean[]> {
  const rows = await reads.rows<{ guid: string }>(
    `select change_set_guid::text as guid from change_sets made where change_set_guid = any($1::uuid[])
       and occurred_at >= ${historiesSince}
       and exists (select from record_versions version where version.change_set_id = made.change_set_id)
       and not exists (select from audit_events event where event.change_set_id = made.change_set_id and ${isForgotten})`,
    [[...changeSetGuids], config.auditRetentionDays],
  );
  const undoable = new Set(rows.map(({ guid }) => guid));
  return changeSetGuids.map((guid) => undoable.has(guid));
}

/**
 * Changes that an undo does not revert: those of records and fields without a history. Ended sessions stay ended.
 * @param mayName whether the caller may read clients and their kin; otherwise only users are named
 */
async function findForgotten(em: EntityManager, changeSetId: string, mayName: boolean): Promise<string[]> {
  const events = await execute<{ name: string }>(
    em,
    `select distinct subject_type || case when $2 or subject_type = 'User' then ' ' || subject_id else '' end as name from audit_events event
     where change_set_id = $1::bigint and ${isForgotten} limit ${namedMax}`,
    [changeSetId, mayName],
  );
  return events.map(({ name }) => name);
}
