/** Makes records what they were: the same numbers and guids, a new revision, and audit events. */
import type { Context, EntityManager } from '../../context.js';
import { AccessScope } from '../../entities/AccessScope.js';
import { AccessScopeApplicationsMapper } from '../../entities/AccessScopeApplicationsMapper.js';
import { AccessScopeType } from '../../entities/AccessScopeType.js';
import { AccessScopeTypeApplicationsMapper } from '../../entities/AccessScopeTypeApplicationsMapper.js';
import { Application } from '../../entities/Application.js';
import { describe, type RecordClass } from '../../entities/description.js';
import { columnTypes } from '../../entities/fieldTypes.js';
import { Profile } from '../../entities/Profile.js';
import { ProfileAccessScope } from '../../entities/ProfileAccessScope.js';
import { Role } from '../../entities/Role.js';
import { Translation } from '../../entities/Translation.js';
import { User } from '../../entities/User.js';
import { UserProfile } from '../../entities/UserProfile.js';
import type { GatehouseError } from '../../errors.js';
import { raiseProfileRevisions } from '../people/profiles.js';
import { actorOf } from '../permit.js';
import { type AuditEntry, changedFields, type Run, writeAudit } from '../records/auditLog.js';
import { raiseCatalogueVersion } from '../records/transaction.js';
import { execute } from '../sql/execute.js';
import { endSessionsOfProfile, endSessionsOfUsers, endSessionsUnlessHeld } from '../tokens/endSessions.js';
import { type Columns, cannotReturn, stillNeeded, type Undone } from './undone.js';

/** Records that others refer to, in an order in which what is referred to comes first. */
const parents: readonly RecordClass[] = [AccessScopeType, AccessScope, Profile, Role, User, Application];
const links: readonly RecordClass[] = [
  ProfileAccessScope,
  UserProfile,
  AccessScopeApplicationsMapper,
  AccessScopeTypeApplicationsMapper,
  Translation,
];

/** @param inUse what is thrown of records that others need */
export async function restore(
  em: EntityManager,
  context: Context,
  undone: readonly Undone[],
  inUse: (uses: readonly Use[]) => GatehouseError = ([use]) => stillNeeded(use!.of),
): Promise<void> {
  const actor = actorOf(context);
  const gone = undone.filter(({ before }) => before === null);
  const back = undone.filter(({ before }) => before !== null);
  for (const { key } of ofRecord(Profile, gone)) await endSessionsOfProfile(em, context, key);
  for (const record of links) await removeAll(em, record, gone);
  await freeTypeNames(em, undone);
  for (const record of [...parents, ...links]) {
    await update(em, record, actor, back);
    await insert(em, record, actor, back);
  }
  for (const record of parents.toReversed()) {
    const uses = await findUses(em, record, ofRecord(record, gone));
    if (uses.length > 0) throw inUse(uses);
    await removeAll(em, record, gone);
  }
  await endSessions(em, context, undone);
  const run: Run = (text, values) => execute(em, text, values);
  await raiseProfileRevisions(run, linkedProfiles(undone));
  await writeAudit(run, { actor, traceId: context.traceId }, undone.map(eventOf));
  await raiseCatalogueVersion(em);
}

/**
 * A type whose name another of these is to have gets its guid for a name until then: PostgreSQL checks what is unique
 * row by row, so names that a change set exchanged or gave on are in each other's way.
 */
async function freeTypeNames(em: EntityManager, undone: readonly Undone[]): Promise<void> {
  const types = ofRecord(AccessScopeType, undone);
  const wanted = new Set(types.map(({ before }) => before?.name));
  const rows = types.filter(({ before, now }) => now !== null && now.name !== before?.name && wanted.has(now.name));
  if (rows.length === 0) return;
  await write(
    em,
    rows,
    `update access_scope_types set name = access_scope_type_guid::text where access_scope_type_guid = any($1::uuid[])`,
    [rows.map(({ key }) => key)],
  );
}

/** Those whose scopes or holders are others. */
const linkedProfiles = (undone: readonly Undone[]): string[] => {
  const linked = undone.filter(({ record }) => record === ProfileAccessScope || record === UserProfile);
  return [...new Set(linked.map(({ before, after }) => String((before ?? after)!.profile_id)))];
};

/** As blocking and unassigning do: sessions end with what they stood on. */
async function endSessions(em: EntityManager, context: Context, undone: readonly Undone[]): Promise<void> {
  const blocked = ofRecord(User, undone).filter(({ before }) => before?.is_blocked === true);
  const guids = blocked.map(({ key }) => key);
  if (guids.length > 0) await endSessionsOfUsers(em, context, guids);
  for (const { before, after } of ofRecord(UserProfile, undone)) {
    if (before !== null) continue;
    const statement = 'select user_guid as guid from users where user_id = $1';
    const [user] = await execute<{ guid: string }>(em, statement, [after!.user_id]);
    if (user) await endSessionsUnlessHeld(em, context, user.guid, String(after!.profile_id));
  }
}

const ofRecord = (record: RecordClass, undone: readonly Undone[]) => undone.filter((each) => each.record === record);

async function removeAll(em: EntityManager, record: RecordClass, gone: readonly Undone[]): Promise<void> {
  const keys = ofRecord(record, gone).map(({ after }) => after![describe(record).primaryKey.column]);
  if (keys.length === 0) return;
  const { table, primaryKey } = describe(record);
  await execute(em, `delete from ${table} where ${primaryKey.column}::text = any($1::text[])`, [keys.map(String)]);
}

/** A record that is to go and that others refer to, and where those are. */
export interface Use {
  of: Undone;
  child: string;
}

const usesMax = 100;

/** What would go with the records, or be left without them. */
async function findUses(em: EntityManager, record: RecordClass, gone: readonly Undone[]): Promise<Use[]> {
  if (gone.length === 0) return [];
  const { table, primaryKey } = describe(record);
  const uses: Use[] = [];
  for (const { child, column, parent } of references.filter((each) => each.table === table)) {
    const byValue = new Map(gone.map((each) => [String(each.after![parent]), each]));
    const type = parent === primaryKey.column ? columnTypes[primaryKey.type] : 'uuid';
    const found = await execute<{ value: string }>(
      em,
      `select distinct ${column}::text as value from ${child} where ${column} = any($1::${type}[]) limit ${usesMax}`,
      [[...byValue.keys()]],
    );
    uses.push(...found.map(({ value }) => ({ of: byValue.get(value)!, child })));
  }
  return uses;
}

const reference = (table: string, child: string, column: string, parent = column) => ({ table, child, column, parent });
const references = [
  reference('access_scope_types', 'access_scopes', 'access_scope_type_id'),
  reference('access_scope_types', 'access_scope_type_applications_mappers', 'access_scope_type_id'),
  reference('access_scopes', 'profile_access_scopes', 'access_scope_id'),
  reference('access_scopes', 'access_scope_applications_mappers', 'access_scope_id'),
  reference('applications', 'access_scope_applications_mappers', 'application_id'),
  reference('applications', 'access_scope_type_applications_mappers', 'application_id'),
  reference('profiles', 'profile_access_scopes', 'profile_id'),
  reference('profiles', 'user_profiles', 'profile_id'),
  reference('roles', 'user_profiles', 'role_id'),
  reference('users', 'user_profiles', 'user_id'),
  reference('users', 'tokens', 'user_id', 'user_guid'),
];

/** The columns that an undo writes, as the record's description has them; of users the only one with a history. */
function columnsOf(record: RecordClass): string[] {
  if (record === User) return ['is_blocked'];
  const { fields } = describe(record);
  return fields
    .map(({ column }) => column)
    .filter((column) => !['revision', 'modified_date', 'modified_by'].includes(column));
}

const isStamped = (record: RecordClass): boolean => describe(record).fields.some(({ name }) => name === 'modifiedBy');

async function update(em: EntityManager, record: RecordClass, actor: string, back: readonly Undone[]): Promise<void> {
  const rows = ofRecord(record, back).filter(({ now }) => now !== null);
  if (rows.length === 0) return;
  const { table, primaryKey } = describe(record);
  const sets = columnsOf(record)
    .filter((column) => column !== primaryKey.column)
    .map((column) => `${column} = was.${column}`);
  if (isStamped(record)) sets.push('revision = t.revision + 1', 'modified_date = now()', 'modified_by = $2::uuid');
  await write(
    em,
    rows,
    `update ${table} t set ${sets.join(', ')} from jsonb_populate_recordset(null::${table}, $1::jsonb) was
     where t.${primaryKey.column} = was.${primaryKey.column}${isStamped(record) ? '' : ' and $2::text is not null'}`,
    [JSON.stringify(rows.map(({ before }) => before)), actor],
  );
}

async function insert(em: EntityManager, record: RecordClass, actor: string, back: readonly Undone[]): Promise<void> {
  const rows = ofRecord(record, back).filter(({ now }) => now === null);
  if (rows.length === 0) return;
  const { table } = describe(record);
  const columns = columnsOf(record);
  const [into, from] = isStamped(record)
    ? [
        [...columns, 'revision', 'modified_date', 'modified_by'],
        [...columns.map((column) => `was.${column}`), 'was.revision + 1', 'now()', '$2::uuid'],
      ]
    : [columns, columns.map((column) => `was.${column}`)];
  await write(
    em,
    rows,
    `insert into ${table} (${into.join(', ')}) select ${from.join(', ')}
     from jsonb_populate_recordset(null::${table}, $1::jsonb) was where $2::text is not null`,
    [JSON.stringify(rows.map(({ before }) => before)), actor],
  );
}

/** https://www.postgresql.org/docs/18/errcodes-appendix.html: a reference to nothing, and a value that must be unique. */
const violations = new Set(['23503', '23505']);

/** Throws CONFLICT where the catalogue of today has no room for the rows. */
async function write(em: EntityManager, rows: readonly Undone[], text: string, values: unknown[]): Promise<void> {
  await execute(em, text, values).catch((error: { code?: unknown }) => {
    throw violations.has(String(error.code)) ? cannotReturn(rows) : error;
  });
}

function eventOf({ record, key, before, after, now }: Undone): AuditEntry {
  const { name, fields } = describe(record);
  const action = before === null ? 'delete' : now === null ? 'create' : 'update';
  const differing = (columns: Columns) =>
    fields
      .filter(({ column }) => column in columns && columns[column] !== after![column])
      .map(({ name: field }) => field);
  const detail = action === 'update' ? { fields: changedFields(record, differing(before!)) } : null;
  return { action, subjectType: name, subjectId: key, detail };
}
