/**
 * Records as JSON text, written by PostgreSQL: one expression for a whole record with everything that it holds, so that
 * the number of statements depends on nothing and no row is held twice. Keys stand in the entity's order.
 */
import {
  describe,
  type FieldDescription,
  type RecordClass,
  type RelationDescription,
} from '../../entities/description.js';
import { Translation } from '../../entities/Translation.js';
import { related, type Statement } from '../sql/select.js';
import type { Shape } from './answerShape.js';

/** SQL of type json: the record in the row `alias`. */
export function jsonOf(shape: Shape, alias: string, statement: Statement): string {
  const keys = shape.fields.map((field) => `${jsonValue(field, alias)} as "${field.name}"`);
  for (const { relation, shape: inner } of shape.relations) {
    const value = inner ? jsonOfRelated(relation, inner, { owner: shape.record, alias, statement }) : 'null::json';
    keys.push(`${value} as "${relation.name}"`);
  }
  return `(select row_to_json(r) from (select ${keys.join(', ')}) r)`;
}

/** The columns of a record's own row that its JSON is made of. */
export function columnsOf({ record, fields, relations }: Shape): string[] {
  const own = describe(record).fields;
  const froms = relations.flatMap(({ relation, shape }) => (shape ? [relation.from] : []));
  const names = new Set([...fields.map(({ name }) => name), ...froms]);
  return own.filter(({ name }) => names.has(name)).map(({ column }) => column);
}

interface From {
  owner: RecordClass;
  alias: string;
  statement: Statement;
}

/** SQL of type json: what a relation leads to from the row `alias`. Null: a relation to one leads nowhere. */
export function jsonOfRelated(relation: RelationDescription, inner: Shape, { owner, alias, statement }: From): string {
  const own = statement.alias();
  const rows = `from ${describe(inner.record).table} ${own} where ${related(relation, owner, alias, own)}`;
  const json = jsonOf(inner, own, statement);
  if (relation.kind === 'toOne') return `(select ${json} ${rows})`;
  return `(select coalesce(json_agg(${json} order by ${listOrder(inner.record, own)}), '[]'::json) ${rows})`;
}

/** Lists inside a record: mappings by their number, translations by field and language. */
export function listOrder(record: RecordClass, alias: string): string {
  if (record === Translation) return `${alias}.field_name collate "C", ${alias}.language_code collate "C"`;
  return `${alias}.${describe(record).primaryKey.column}`;
}

function jsonValue({ type, column }: FieldDescription, alias: string): string {
  const value = `${alias}.${column}`;
  return type === 'dateTime' ? `to_char(${value} at time zone 'UTC', 'YYYY-MM-DD"T"HH24:MI:SS.MS"Z"')` : value;
}
