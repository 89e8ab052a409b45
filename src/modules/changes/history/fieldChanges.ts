/** Reads the versions of a record, field by field. */
import { describe, fieldOf, type RecordClass, type RelationDescription } from '../../../entities/description.js';
import { Role } from '../../../entities/Role.js';
import { stamps } from '../../../entities/Stamped.js';
import { parseGuid } from '../../../entities/valueForms.js';
import { badInput } from '../../../errors.js';
import { type Statement, sqlTypes } from '../../../services/read/select.js';
import { readFieldValue } from '../../../services/records/input.js';
import { partRecords, recordsWithHistory, subjectKey } from './state.js';

interface FieldChange {
  field: string;
  before: unknown;
  after: unknown;
}

type Columns = Record<string, unknown> | null;

/**
 * Returns the table and key of a record from its name in audit events: a guid in any case and in braces, or an id or number.
 * Throws BAD_USER_INPUT for a kind without a history.
 */
export function subjectOf(subjectType: string, subjectId: string): { table: string; key: string } {
  const record = recordsWithHistory.map(describe).find(({ name }) => name === subjectType);
  if (record) {
    const isGuid = subjectKey(record).type === 'uuid';
    return { table: record.table, key: (isGuid ? parseGuid(subjectId) : undefined) ?? subjectId };
  }
  const names = recordsWithHistory.map((record) => describe(record).name).join(', ');
  throw badInput({ subjectType: [`Only these records have a history: ${names}.`] });
}

/** The fields that differ; for a created or removed record, the fields with a value. Author and time are those of the change set. */
export function fieldChanges(table: string, before: Columns, after: Columns): FieldChange[] {
  const record = recordsWithHistory.map(describe).find((candidate) => candidate.table === table)!;
  return record.fields
    .filter(({ name }) => !stamps.has(name))
    .map(({ name, column }) => ({ field: name, before: before?.[column] ?? null, after: after?.[column] ?? null }))
    .filter((change) => change.before !== change.after);
}

/**
 * The relations of a record to its parts, whose versions its history can include. Each has an index (Migration20261125192500),
 * except that of a role to the assignments in it.
 */
const partsOf = (record: RecordClass): RelationDescription[] =>
  describe(record).relations.filter(
    ({ kind, target }) => kind === 'toMany' && partRecords.includes(target()) && record !== Role,
  );

/** Maximum number of versions that are searched for one kind of part, newest first. */
const versionsMax = 10_000;

/**
 * SQL: whether a version, in `alias`, is of the record or of one of its parts, by the record's current or last values.
 * @param subjectType one that has a history
 * @param subjectId guid in lower case, id or number; not validated
 */
export function ofRecordAndParts(statement: Statement, alias: string, subjectType: string, subjectId: string): string {
  const record = recordsWithHistory.find((candidate) => describe(candidate).name === subjectType)!;
  const { table } = describe(record);
  const key = subjectKey(describe(record));
  const bound = statement.bind(subjectId, 'text');
  const own = `select record_version_id from record_versions where record_table = '${table}' and record_key = ${bound}`;
  const isKey = !('problem' in readFieldValue(key, subjectId));
  const relations = Map.groupBy(isKey ? partsOf(record) : [], ({ from }) => from);
  const parts = [...relations].map(([field, alike]) => {
    const { column } = fieldOf(record, field);
    // a removed record is described by its last version
    const owner = `coalesce(
      (select ${column}::text from ${table} where ${key.column} = ${bound}::${sqlTypes[key.type]}),
      (select coalesce(after, before)->>'${column}' from record_versions
       where record_table = '${table}' and record_key = ${bound} order by record_version_id desc limit 1))`;
    const tables = alike.map(({ target }) => `'${describe(target()).table}'`).join(', ');
    return `(select record_version_id from record_versions
      where record_table in (${tables}) and coalesce(after, before)->>'${column}' = ${owner}
      order by record_version_id desc limit ${versionsMax})`;
  });
  return `${alias}.record_version_id = any(array(${[own, ...parts].join(' union all ')}))`;
}
