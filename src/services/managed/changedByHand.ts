/** Who made a managed record differ from its file, when, and how: the last change of that value that was no `apply` of the file. */
import type { Context } from '../../context.js';
import { type ImportList, listNamed } from '../transfer/fileLists.js';
import { columnOf, type ReadChange } from './recordChanges.js';

export interface ByHand {
  actor: string;
  /** Null for somebody who is not known here. */
  actorName: string | null;
  occurredAt: string;
  face: string;
  note: string | null;
  changeSetGuid: string;
}

/** What is asked: the last change of a value of a record. */
interface Asked {
  index: number;
  field: string;
  table: string;
  key: string;
  column: string;
}

interface Answer extends ByHand {
  index: number;
  field: string;
}

const madeBy = `made.change_set_guid as "changeSetGuid", made.actor, made.face, made.note,
  to_char(made.occurred_at at time zone 'UTC', 'YYYY-MM-DD"T"HH24:MI:SS.MS"Z"') as "occurredAt",
  (select nullif(concat_ws(' ', u.first_name, u.last_name), '') from users u where u.user_guid = made.actor) as "actorName"`;
/** Not of the transaction under way, which is to undo it. */
const isEarlier = `v.change_set_id is distinct from nullif(current_setting('gatehouse.change_set', true), '')::bigint`;

/** Of fields: index of the change and its field; of a record that was removed, the field is empty. */
export async function findChangedByHand(
  inside: Context,
  managedBy: string | null,
  changes: readonly ReadChange[],
): Promise<Answer[]> {
  if (managedBy === null) return [];
  const answers = await findValues(inside, managedBy, changes);
  for (const name of new Set(changes.filter(({ action }) => action === 'create').map(({ list }) => list)))
    answers.push(...(await findRemovals(inside, managedBy, listNamed(name), changes)));
  answers.push(...(await findLinks(inside, managedBy, changes)));
  return answers;
}

const isManaged = ({ action, before }: ReadChange, managedBy: string): boolean =>
  action === 'update' && before?.managed_by === managedBy;

function findValues({ sql }: Context, managedBy: string, changes: readonly ReadChange[]): Promise<Answer[]> {
  const asked: Asked[] = changes.flatMap((change, index) =>
    isManaged(change, managedBy)
      ? change.fields
          .filter(({ field }) => field !== 'accessScopeGuids')
          .map(({ field }) => ({
            index,
            field,
            table: listNamed(change.list).description.table,
            key: change.recordKey,
            column: columnOf(listNamed(change.list), field),
          }))
      : [],
  );
  if (asked.length === 0) return Promise.resolve([]);
  return sql.rows<Answer>(
    `select asked.index, asked.field, ${madeBy}
     from jsonb_to_recordset($1::jsonb) as asked (index int, field text, "table" text, key text, "column" text)
     cross join lateral (
       select v.change_set_id from record_versions v
       where v.record_table = asked."table" and v.record_key = asked.key and v.before is not null and v.after is not null
         and v.before->>asked."column" is distinct from v.after->>asked."column" and ${isEarlier}
       order by v.record_version_id desc limit 1) last
     join change_sets made using (change_set_id) where made.managed_by is distinct from $2`,
    [JSON.stringify(asked), managedBy],
  );
}

/** Records that the file managed, and somebody removed. Numbers that others name them by may be new ones: the key tells. */
function findRemovals(
  { sql }: Context,
  managedBy: string,
  list: ImportList,
  changes: readonly ReadChange[],
): Promise<Answer[]> {
  const columns = list.key.map((name) => columnOf(list, name));
  const asked = changes.flatMap((change, index) =>
    change.action === 'create' && change.list === list.name
      ? [{ index, ...Object.fromEntries(columns.map((column) => [column, String(change.after![column])])) }]
      : [],
  );
  const isSame = columns.map((column) => `v.before->>'${column}' = asked."${column}"`).join(' and ');
  return sql.rows<Answer>(
    `select distinct on (asked.index) asked.index, '' as field, ${madeBy}
     from record_versions v join jsonb_to_recordset($1::jsonb) as asked (index int, ${columns.map((column) => `"${column}" text`).join(', ')})
       on ${isSame} join change_sets made using (change_set_id)
     where v.record_table = '${list.description.table}' and v.after is null and v.before->>'managed_by' = $2 and ${isEarlier}
       and made.managed_by is distinct from $2
     order by asked.index, v.record_version_id desc`,
    [JSON.stringify(asked), managedBy],
  );
}

/** The scopes of a managed profile: whoever linked what the file doesn't have, or unlinked what it has. */
function findLinks({ sql }: Context, managedBy: string, changes: readonly ReadChange[]): Promise<Answer[]> {
  const asked = changes.flatMap((change, index) =>
    isManaged(change, managedBy)
      ? change.links.map(({ profileId, accessScopeId, isAdded }) => ({ index, profileId, accessScopeId, isAdded }))
      : [],
  );
  if (asked.length === 0) return Promise.resolve([]);
  return sql.rows<Answer>(
    `select distinct on (asked.index) asked.index, 'accessScopeGuids' as field, ${madeBy}
     from jsonb_to_recordset($1::jsonb) as asked (index int, "profileId" text, "accessScopeId" text, "isAdded" boolean)
     join record_versions v on v.record_table = 'profile_access_scopes'
       and coalesce(v.after, v.before)->>'profile_id' = asked."profileId"
       and coalesce(v.after, v.before)->>'access_scope_id' = asked."accessScopeId"
       and (v.after is null) = asked."isAdded" and ${isEarlier}
     join change_sets made using (change_set_id) where made.managed_by is distinct from $2
     order by asked.index, v.record_version_id desc`,
    [JSON.stringify(asked), managedBy],
  );
}
