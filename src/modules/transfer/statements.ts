/** The statements of an import, written from the entities' descriptions: rows go in as one JSON array per batch. */

import type { EntityManager } from '../../context.js';
import type { FieldDescription, RecordDescription } from '../../entities/description.js';
import { columnTypes } from '../../entities/fieldTypes.js';
import { lasts } from '../../services/access/grants.js';
import { execute } from '../../services/execute.js';
import { insertStatement, type RowSource, updateStatement } from '../../services/records/writeRecords.js';
import { timeText } from '../../sql.js';
import { type ImportList, namingField, type Reference } from './importLists.js';
import type { Scalar } from './readRows.js';

/** Runs a statement with bind parameters in the import's transaction. */
export type Query = <Row extends object>(text: string, values: readonly unknown[]) => Promise<Row[]>;
export const queryIn =
  (em: EntityManager): Query =>
  (text, values) =>
    execute(em, text, values);

export type Values = Record<string, Scalar | undefined>;
/** The record's primary key among selected values, for the records that can't be given theirs. */
const primary = '#';
const batchRowsMax = 5_000;
/** PostgreSQL accepts a quarter of a gigabyte in one value. */
const batchLengthMax = 4_000_000;

/** @param lengthOf number of characters in a row's texts, if they are unbounded */
export function* batchesOf<Row>(rows: readonly Row[], lengthOf: (row: Row) => number = () => 0): Generator<Row[]> {
  let start = 0;
  let length = 0;
  for (const [index, row] of rows.entries()) {
    length += lengthOf(row);
    if (index + 1 - start < batchRowsMax && length < batchLengthMax && index + 1 < rows.length) continue;
    yield rows.slice(start, index + 1);
    start = index + 1;
    length = 0;
  }
}

/** `x ("userGuid" uuid, …)` from the JSON array in $1. */
function recordset(alias: string, fields: readonly FieldDescription[]): string {
  const columns = fields.map(({ name, type }) => `"${name}" ${columnTypes[type]}`);
  return `jsonb_to_recordset($1::jsonb) as ${alias} (${columns.join(', ')})`;
}

/** The scalars and references of a list by property name. */
export function propertiesOf({ fields, references }: ImportList): FieldDescription[] {
  return [...fields, ...references.map(({ field }) => field)];
}

const joinName = (index: number): string => `r${index}`;

/** The column of a property in `from` below. */
function expression({ fields, insertOnly, references }: ImportList, name: string): string {
  const own = [...fields, ...insertOnly].find((field) => field.name === name);
  if (own) return `t.${own.column}`;
  const index = references.findIndex(({ field }) => field.name === name);
  const { byNumber, field, own: column } = references[index]!;
  return byNumber ? `${joinName(index)}.${field.column}` : `t.${column.column}`;
}

function from({ description, references }: ImportList): string {
  const joins = references.map(({ byNumber, target, own }, index) =>
    byNumber
      ? `join ${target.table} ${joinName(index)} on ${joinName(index)}.${target.primaryKey.column} = t.${own.column}`
      : '',
  );
  return `from ${description.table} t ${joins.join(' ')}`;
}

/** SQL of a value in the file's form: numbers, ISO 8601, bytes as `\x…`. */
function selected(field: FieldDescription, column: string): string {
  if (field.type === 'dateTime') return timeText(column);
  if (field.type === 'bigint') return `${column}::float8`;
  return field.type === 'bytes' ? `${column}::text` : column;
}

/** The records whose `by` properties equal those of a row in $1; `locked` until the transaction ends. */
export function selectBy(list: ImportList, by: readonly string[], lock: boolean): string {
  const properties = propertiesOf(list);
  const keyFields = by.map((name) => [...properties, ...list.insertOnly].find((field) => field.name === name)!);
  const { primaryKey } = list.description;
  const columns = [
    ...[...new Set([...properties, ...keyFields])].map(
      (field) => `${selected(field, expression(list, field.name))} "${field.name}"`,
    ),
    ...list.memory.map((field) => `t.${field.column} "${field.name}"`),
  ];
  const conditions = by.map((name) => `${expression(list, name)} = k."${name}"`);
  return `select ${selected(primaryKey, `t.${primaryKey.column}`)} "${primary}", ${columns.join(', ')}
    ${from(list)} join ${recordset('k', keyFields)} on ${conditions.join(' and ')} ${lock ? 'for no key update of t' : ''}`;
}

/** All records in the order of their keys, independent of the database's collation, with the columns that rules read. */
export function selectAll(list: ImportList): string {
  const properties = propertiesOf(list);
  const columns = properties.map((field) => `${selected(field, expression(list, field.name))} "${field.name}"`);
  if (list.name === 'profiles')
    columns.push(
      `array(select s.access_scope_guid::text from profile_access_scopes p
        join access_scopes s using (access_scope_id) where p.profile_id = t.profile_id and ${lasts('p')} order by 1) "accessScopeGuids"`,
      `(select jsonb_object_agg(s.access_scope_guid, ${timeText('p.valid_until')} order by s.access_scope_guid)
        from profile_access_scopes p join access_scopes s using (access_scope_id)
        where p.profile_id = t.profile_id and p.valid_until > now()) "accessScopeEnds"`,
    );
  const order = list.key.map((name) => `${expression(list, name)}::text collate "C"`);
  // ended grants could not be imported again
  const condition = list.name === 'userProfiles' ? `where ${lasts('t')}` : '';
  return `select ${columns.join(', ')} ${from(list)} ${condition} order by ${order.join(', ')}`;
}

/** The complete records that $2 manages and that no row of the keys in $1 names. They are locked until the transaction ends. */
export function selectUnlisted(list: ImportList): string {
  const properties = propertiesOf(list);
  const keys = list.key.map((name) => properties.find((field) => field.name === name)!);
  const isNamed = keys.map(({ name }) => `${expression(list, name)} = k."${name}"`).join(' and ');
  return `select to_jsonb(t) as record ${from(list)} where t.managed_by = $2
    and not exists (select from ${recordset('k', keys)} where ${isNamed})
    order by t.${list.description.primaryKey.column} for update of t`;
}

/** SQL of the value in the column of a reference. */
function referred({ byNumber, field, target }: Reference): string {
  return byNumber
    ? `(select target.${target.primaryKey.column} from ${target.table} target where target.${field.column} = x."${field.name}")`
    : `x."${field.name}"`;
}

/** The rows of a list by the columns of its table. */
function sourceOf(fields: readonly FieldDescription[], references: readonly Reference[]): RowSource {
  const values = [
    ...fields.map(({ name, column }) => [column, `x."${name}"`]),
    ...references.map((reference) => [reference.own.column, referred(reference)]),
  ];
  const rows = recordset('x', [...fields, ...references.map(({ field }) => field)]);
  return {
    columns: values.map(([column]) => column!),
    from: `(select ${values.map(([column, value]) => `${value} as ${column}`).join(', ')} from ${rows}) x`,
  };
}

/**
 * Returns `subject` of each new record. A record that was created at the same time is left unchanged. Fields that no row has
 * get the defaults of the table: most files have few of the fields, and reading each from JSON takes a tenth of an import.
 */
export function insertRecords(list: ImportList, rows: readonly Values[]): string {
  const { description, fields, references, memory, insertOnly, isInUse } = list;
  const subject = namingField(description) ?? description.primaryKey;
  const isSet = ({ name }: FieldDescription) => rows.some((values) => values[name] !== undefined);
  const insert = insertStatement(
    description,
    sourceOf([...fields, ...memory, ...insertOnly].filter(isSet), references),
    isInUse ? `on conflict (${subject.column}) do nothing` : '',
  );
  return `${insert} returning t.${subject.column}::text as subject`;
}

/** The records are locked, and the rows have all their values. */
export function updateRecords({ description, fields, references, memory }: ImportList): string {
  const source = sourceOf([...keyed(description), ...fields.filter(({ primary }) => !primary), ...memory], references);
  const names = description.fields.map(({ name }) => name);
  // a trigger raises the revision of a record with stamps
  const isRaised = names.includes('revision') && !names.includes('modifiedBy');
  return updateStatement(description, source, isRaised ? ', revision = t.revision + 1' : '');
}

/** Stores the values that later imports compare with; this is not a visible change. */
export const rememberRecords = ({ description, memory }: ImportList): string =>
  updateStatement(description, sourceOf([...keyed(description), ...memory], []));

/**
 * Otherwise the planner would use old statistics until the next autovacuum. Columns are named, because without names
 * PostgreSQL also computes the expressions of the search indexes.
 */
export const renewStatistics = ({ description: { table, fields } }: ImportList): string =>
  `analyze ${table} (${fields.map(({ column }) => column).join(', ')})`;

const keyed = ({ primaryKey }: RecordDescription): FieldDescription[] => [{ ...primaryKey, name: primary }];
