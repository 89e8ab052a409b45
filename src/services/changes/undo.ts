/** Taking a change set back: each of its records becomes what it was before, as a change set of its own. */
import type { Context, EntityManager } from '../../context.js';
import { describe, type RecordClass } from '../../entities/description.js';
import { badInput, GatehouseError, notFound, tooLarge } from '../../errors.js';
import { recordsWithHistory, subjectKey } from '../history/state.js';
import { permit } from '../permit.js';
import { execute } from '../sql/execute.js';
import { type ApplyOptions, applyChanges, changeItemsMax, type MadeChangeSet } from './applyChanges.js';
import { permitRestoring } from './permitRestoring.js';
import { restore } from './restore.js';
import { type Columns, isSame, nameOf, type Undone } from './undone.js';

const namedMax = 100;

/**
 * Throws NOT_FOUND, TOO_LARGE, FORBIDDEN as the inverse changes would, and CONFLICT naming the records that somebody
 * changed since, that others need now, or whose values are not kept: personal data, clients and keys.
 */
export async function undoChangeSet(
  context: Context,
  changeSetGuid: string,
  options: Pick<ApplyOptions, 'dryRun' | 'note' | 'wanted'>,
): Promise<MadeChangeSet> {
  permit(context, 'admin:write');
  const [set] = await context.sql.rows<{ id: string }>(
    'select change_set_id::text as id from change_sets where change_set_guid = $1::uuid',
    [changeSetGuid],
  );
  if (!set) throw notFound('The change set');
  const undo = {
    changes: 1,
    items: 1,
    place: () => 'changeSetGuid',
    apply: async (inside: Context) => {
      const em = inside.changing!;
      const undone = await readUndone(em, set.id);
      await requireRestorable(em, set.id, undone);
      await permitRestoring(em, inside, undone);
      await restore(em, inside, undone);
      // whatever an administration scope came of, or went
      await permitRestoring(em, inside, undone);
    },
  };
  return applyChanges(context, [undo], { ...options, undoesId: set.id });
}

interface Version {
  record_table: string;
  record_key: string;
  before: Columns | null;
  after: Columns | null;
}

/** One for each record, however many times the set changed it; without those that it left as they were. */
async function readUndone(em: EntityManager, changeSetId: string): Promise<Undone[]> {
  const versions = await execute<Version>(
    em,
    `select record_table, record_key, before, after from record_versions where change_set_id = $1::bigint
     order by record_version_id limit ${changeItemsMax + 1}`,
    [changeSetId],
  );
  if (versions.length > changeItemsMax)
    throw tooLarge(`A change set of more than ${changeItemsMax} versions is not undone.`);
  const byRecord = new Map<string, Undone>();
  for (const { record_table, record_key, before, after } of versions) {
    const record = recordsWithHistory.find((each) => describe(each).table === record_table)!;
    const known = byRecord.get(`${record_table} ${record_key}`);
    if (known) known.after = after;
    else byRecord.set(`${record_table} ${record_key}`, { record, key: record_key, before, after, now: null });
  }
  const undone = [...byRecord.values()].filter(({ before, after }) => !isSame(before, after));
  for (const record of recordsWithHistory) await readPresent(em, record, undone);
  return undone;
}

/** Locks the records, and reads what they are now. */
async function readPresent(em: EntityManager, record: RecordClass, all: readonly Undone[]): Promise<void> {
  const undone = all.filter((each) => each.record === record);
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

async function requireRestorable(em: EntityManager, changeSetId: string, undone: readonly Undone[]): Promise<void> {
  const problems = undone
    .filter(({ after, now }) => !isSame(after, now))
    .map((each) => `${nameOf(each)} was changed since.`);
  problems.push(
    ...(await findForgotten(em, changeSetId)).map((name) => `${name} was changed in what no history keeps.`),
  );
  problems.push(
    ...undone
      .filter(({ record, before, now }) => describe(record).table === 'users' && before !== null && now === null)
      .map((each) => `${nameOf(each)} is gone, and its personal data with it.`),
  );
  if (problems.length > 0)
    throw new GatehouseError('CONFLICT', 'The change set can not be undone.', {
      problems: { '': problems.slice(0, namedMax) },
    });
  if (undone.length === 0) throw badInput({ '': ['The change set left every record as it was.'] });
}

/** What was done to records without a history, and to fields of users that have none; sessions that ended stay ended. */
async function findForgotten(em: EntityManager, changeSetId: string): Promise<string[]> {
  const events = await execute<{ name: string }>(
    em,
    `select distinct subject_type || ' ' || subject_id as name from audit_events event
     where change_set_id = $1::bigint and (subject_type in ('Client', 'SigningKey')
       or subject_type = 'User' and action = 'update' and detail->'fields' <> '["isBlocked"]'::jsonb)
     limit ${namedMax}`,
    [changeSetId],
  );
  return events.map(({ name }) => name);
}
