/** Audit events, the one place that writes them: who did what to what, with the change set of their transaction. */

import { describe, type RecordClass } from '../../entities/description.js';

/** Runs a statement with bind parameters in the transaction of the change. */
export type Run = (text: string, values: readonly unknown[]) => Promise<unknown>;

/** Who signs the changes, and the request that they belong to. */
export interface Author {
  actor: string;
  traceId: string;
}

export interface AuditEntry {
  action: string;
  subjectType: string;
  subjectId: string;
  detail?: object | null;
}

const stamps = new Set(['modifiedBy', 'modifiedDate', 'revision', 'createdBy', 'createdDate']);

/**
 * What an event says was changed: the fields of these names and of the relations among them, without the key, which names
 * the record, and without what every change stamps.
 */
export function changedFields(record: RecordClass, names: readonly string[]): string[] {
  const { fields, relations, primaryKey } = describe(record);
  const fieldNames = names.map((name) => relations.find((relation) => relation.name === name)?.from ?? name);
  return [...new Set(fieldNames)].filter(
    (name) => name !== primaryKey.name && !stamps.has(name) && fields.some((field) => field.name === name),
  );
}

/**
 * SQL: audit events from rows of `action`, `subject_type`, `subject_id` and `detail`. `actor` and `traceId` are SQL; `by`
 * is the rest of the select, from `from` on. The change set is that of the transaction, made if there is none yet.
 */
export const insertAudit = (
  columns: { action: string; type: string; id: string; detail: string },
  author: { actor: string; traceId: string },
  by: string,
): string =>
  `insert into audit_events (actor, trace_id, change_set_id, action, subject_type, subject_id, detail)
   select ${author.actor}::uuid, ${author.traceId}, (select current_change_set()), ${columns.action}, ${columns.type}, ${columns.id}, ${columns.detail} ${by}`;

const insertEntries = insertAudit(
  { action: 'action', type: '"subjectType"', id: '"subjectId"', detail: 'detail' },
  { actor: '$1', traceId: '$2' },
  'from jsonb_to_recordset($3) as entry (action text, "subjectType" text, "subjectId" text, detail jsonb)',
);

/** Writes the events; none when there are none. */
export async function writeAudit(run: Run, { actor, traceId }: Author, entries: readonly AuditEntry[]): Promise<void> {
  if (entries.length > 0) await run(insertEntries, [actor, traceId, JSON.stringify(entries)]);
}

/** What is said of a transaction before anything is changed in it: its change set bears it. */
interface ChangeAuthor extends Author {
  face: string;
  note?: string | null | undefined;
  undoesId?: string | undefined;
}

/** Tells the database who changes; for this transaction alone. */
export async function announceChange(run: Run, author: ChangeAuthor): Promise<void> {
  await run("select set_config('gatehouse.change', $1, true)", [JSON.stringify(author)]);
}
