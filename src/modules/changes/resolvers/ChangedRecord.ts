/** Reads the record to which an audit event, a version or a search hit refers. */
import { createUnionType } from 'type-graphql';
import { AuditEvent } from '../../../entities/AuditEvent.js';
import { allRecords } from '../../../entities/all.js';
import { describe, fieldsFor, type RecordClass, referenceFieldOf } from '../../../entities/description.js';
import { Proposal } from '../../../entities/Proposal.js';
import { RecordVersion } from '../../../entities/RecordVersion.js';
import { type GraphContext, type Loader, refuseField } from '../../../graphql/resolving/loaders.js';
import { type FieldInfo, selectionOf } from '../../../graphql/resolving/selection.js';
import { mayRead } from '../../../services/read/projection.js';
import { readByKeys } from '../../../services/read/readPages.js';
import type { Row } from '../../../services/read/select.js';
import { readFieldValue } from '../../../services/records/input.js';

const records = (allRecords as RecordClass[]).filter(
  (record) => ![AuditEvent, RecordVersion, Proposal].includes(record as never) && fieldsFor(record, 'graph').length > 0,
);
const byKind = new Map(
  records.flatMap((record) => [
    [describe(record).name, record],
    [describe(record).table, record],
  ]),
);

export const ChangedRecord = createUnionType({
  name: 'ChangedRecord',
  description: 'The current state of the record to which an audit event, a version or a search hit refers.',
  types: () => records,
  resolveType: ({ __typename }: { __typename: string }) => __typename,
});

/**
 * The record, or null if it was removed.
 * @param kind name of the record's type, or of its table
 * @param id the record's guid, or its id or number where it has none, as audit events name it
 */
export function findChangedRecord(load: Loader, kind: string, id: string) {
  const { context, info } = load;
  const record = byKind.get(kind);
  if (!record) return null;
  if (!mayRead(context, record)) return refuseField(context, info, record);
  return load.batched(`${kind} ${id}`, (references) => readRecords(context, info, references));
}

/** One statement for each kind. @param references kind and id, with a space between */
async function readRecords(
  context: GraphContext,
  info: FieldInfo,
  references: readonly string[],
): Promise<(Row | null)[]> {
  const rowsByKey = new Map<string, Row>();
  const read = async ([kind, named]: [string, string[]]): Promise<void> => {
    const record = byKind.get(kind)!;
    const { name, read } = keyOf(record);
    const keys = new Map(named.map((reference) => [reference, read(reference.slice(kind.length + 1))]));
    const presentKeys = [...keys.values()].filter((key) => key !== undefined);
    if (presentKeys.length === 0) return;
    const rows = await readByKeys(context, selectionOf(info, record), name, presentKeys);
    for (const [reference, key] of keys) {
      const row = rows.get(key);
      if (row) rowsByKey.set(reference, { ...row, __typename: describe(record).name });
    }
  };
  await Promise.all([...Map.groupBy(references, (reference) => reference.split(' ', 1)[0]!)].map(read));
  return references.map((reference) => rowsByKey.get(reference) ?? null);
}

/** The field by which events name a record, and its reader: an event about several tokens names none of them. */
function keyOf(record: RecordClass): { name: string; read: (id: string) => string | number | undefined } {
  const key = referenceFieldOf(record);
  const isNumber = key.type === 'integer' || key.type === 'bigint';
  const read = (id: string) => {
    if ('problem' in readFieldValue(key, isNumber ? Number(id) : id)) return undefined;
    return key.type === 'integer' ? Number(id) : id;
  };
  return { name: key.name, read };
}
