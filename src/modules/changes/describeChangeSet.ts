/** A change set: its number, and of that of the current transaction its row, its author, its events. */
import { hasPermission } from '../../auth/caller.js';
import type { Context } from '../../context.js';
import { AuditEvent } from '../../entities/AuditEvent.js';
import { ChangeSet } from '../../entities/ChangeSet.js';
import { describe, fieldsFor, type RecordClass, relationsFor } from '../../entities/description.js';
import { User } from '../../entities/User.js';
import { notFound } from '../../errors.js';
import { asService } from '../../services/permit.js';
import { readByKeys } from '../../services/read/readPages.js';
import type { Row, Selection } from '../../services/read/select.js';

/** The fields of a record that the graph shows. */
const whole = (record: RecordClass): Selection => ({
  record,
  fields: new Set([describe(record).primaryKey, ...fieldsFor(record, 'graph')].map(({ name }) => name)),
  toOne: new Map(),
});

/** The same, with its users. Other transactions can't read the record yet. */
export function wholeWithUsers(record: RecordClass): Selection {
  const users = relationsFor(record, 'graph').filter(({ kind, target }) => kind === 'toOne' && target() === User);
  return { ...whole(record), toOne: new Map(users.map(({ name }) => [name, whole(User)])) };
}

/** The number of a change set; undefined if there is none, or no more. */
export async function findChangeSetId({ sql }: Context, guid: string): Promise<string | undefined> {
  const statement = 'select change_set_id::text as id from change_sets where change_set_guid = $1::uuid';
  const [set] = await sql.rows<{ id: string }>(statement, [guid]);
  return set?.id;
}

/** Throws NOT_FOUND. */
export async function getChangeSetId(context: Context, guid: string): Promise<string> {
  const id = await findChangeSetId(context, guid);
  if (id === undefined) throw notFound('The change set');
  return id;
}

/** Creates the set even if nothing was changed, so that it can be described. */
export async function describeChangeSet(
  inside: Context,
  withEvents: boolean,
): Promise<{ row: Row; events: Row[] | undefined }> {
  const [changeSet] = await inside.sql.rows<{ id: string }>('select current_change_set()::text as id');
  const id = changeSet!.id;
  const selection = wholeWithUsers(ChangeSet);
  selection.toOne.set('undoes', whole(ChangeSet));
  // the author may read it without access to the audit log
  const row = (await readByKeys(asService(inside), selection, 'changeSetId', [id])).get(id)!;
  const readsEvents = withEvents && hasPermission(inside.caller, 'admin:security');
  return { row, events: readsEvents ? await readEvents(inside, id) : undefined };
}

async function readEvents(inside: Context, id: string): Promise<Row[]> {
  const rows = await inside.sql.rows<{ id: string }>(
    'select audit_event_id::text as id from audit_events where change_set_id = $1::bigint order by audit_event_id',
    [id],
  );
  const ids = rows.map((row) => row.id);
  const events = await readByKeys(inside, wholeWithUsers(AuditEvent), 'auditEventId', ids);
  return ids.map((id) => events.get(id)!);
}
