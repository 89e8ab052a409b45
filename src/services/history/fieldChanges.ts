/** A version of a record field by field, before and after. */
import { describe } from '../../entities/description.js';
import { parseGuid } from '../../entities/guid.js';
import { badInput } from '../../errors.js';
import { recordsWithHistory, subjectKey } from './state.js';

interface FieldChange {
  field: string;
  before: unknown;
  after: unknown;
}

type Columns = Record<string, unknown> | null;
const stamps = new Set(['revision', 'modifiedDate', 'modifiedBy', 'createdDate', 'createdBy']);

/**
 * The table and key of a record by what audit events call it: a guid in any case and in braces, an id or number as it is.
 * Throws BAD_USER_INPUT for a kind without a history.
 */
export function subjectOf(subjectType: string, subjectId: string): { table: string; key: string } {
  const found = recordsWithHistory.map(describe).find(({ name }) => name === subjectType);
  if (found) {
    const isGuid = subjectKey(found).type === 'uuid';
    return { table: found.table, key: (isGuid ? parseGuid(subjectId) : undefined) ?? subjectId };
  }
  const known = recordsWithHistory.map((record) => describe(record).name).join(', ');
  throw badInput({ subjectType: [`There are histories of ${known}.`] });
}

/** The fields that differ; of a record that was made or removed those with a value. Who and when is the change set's. */
export function fieldChanges(table: string, before: Columns, after: Columns): FieldChange[] {
  const record = recordsWithHistory.map(describe).find((each) => each.table === table)!;
  return record.fields
    .filter(({ name }) => !stamps.has(name))
    .map(({ name, column }) => ({ field: name, before: before?.[column] ?? null, after: after?.[column] ?? null }))
    .filter((change) => change.before !== change.after);
}
