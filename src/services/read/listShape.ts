/** The members of a record in a REST list, and the SQL that writes it as JSON. */
import type { ListShape, ListSql } from '../../engine/listStatement.js';
import { Application } from '../../entities/Application.js';
import {
  describe,
  type FieldDescription,
  fieldsFor,
  type RecordClass,
  type RelationDescription,
  relationsFor,
} from '../../entities/description.js';
import { Translation } from '../../entities/Translation.js';
import { User } from '../../entities/User.js';
import { timeText } from '../../sql.js';
import { related, type Statement } from './select.js';

export type { ListShape } from '../../engine/listStatement.js';

/** Navigations of a record's documented answer. A user has none (`UserDTO`). */
export const navigationsOf = (record: RecordClass): RelationDescription[] =>
  record === User ? [] : relationsFor(record, 'rest');

/** The keys of the answer, each with the keys below it. */
interface KeyTree extends ReadonlyMap<string, KeyTree | 'all'> {}
/** The expanded navigations, each with those below it. */
interface NavigationTree extends ReadonlyMap<string, NavigationTree> {}

/** The caller's selection of a record; absent: the default one. */
interface SelectExpand {
  select?: KeyTree | undefined;
  expand?: NavigationTree | undefined;
}

/** The shape of a listed record. */
export const listedShape = (record: RecordClass, selectExpand: SelectExpand = {}): ListShape =>
  shapeOf(record, selectExpand, true);

function shapeOf(record: RecordClass, { select, expand }: SelectExpand, isListed: boolean): ListShape {
  const expanded = expand && expand.size > 0 ? expand : undefined;
  const fields = fieldsFor(record, 'rest').filter(({ name }) => !select || select.has(name));
  const relations = navigationsOf(record)
    .filter(({ name }) => !select || select.has(name) || expanded?.has(name))
    .map((relation) => {
      const { name } = relation;
      const below = select?.get(name);
      const isFilled =
        expanded?.has(name) || below !== undefined || (!expanded && isFilledByDefault(relation, isListed));
      const selectExpand = { select: below === 'all' ? undefined : below, expand: expanded?.get(name) };
      return { relation, shape: isFilled ? shapeOf(relation.target(), selectExpand, false) : null };
    });
  return { record, fields, relations };
}

/** Everything for the listed record itself; for related scopes and types, neither users nor an application again. */
function isFilledByDefault({ kind, constrained, target }: RelationDescription, isListed: boolean): boolean {
  return isListed || (kind === 'toOne' && constrained && target() !== Application);
}

/**
 * SQL of type json: the record in the row `alias` with all its related records, so that the number of statements is constant.
 * Keys are in the order of the entity.
 */
export function jsonOf(shape: ListShape, alias: string, statement: Statement): string {
  const keys = shape.fields.map((field) => `${jsonValue(field, alias)} as "${field.name}"`);
  for (const { relation, shape: inner } of shape.relations) {
    const value = inner ? jsonOfRelated(relation, inner, { owner: shape.record, alias, statement }) : 'null::json';
    keys.push(`${value} as "${relation.name}"`);
  }
  return `(select row_to_json(r) from (select ${keys.join(', ')}) r)`;
}

/** The columns of a record's own row that its JSON is made of. */
export function columnsOf({ record, fields, relations }: ListShape): string[] {
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

/** SQL of type json: the related records of the row `alias`; null for a to-one relation without a record. */
function jsonOfRelated(relation: RelationDescription, inner: ListShape, { owner, alias, statement }: From): string {
  const own = statement.alias();
  const rows = `from ${describe(inner.record).table} ${own} where ${related(relation, owner, alias, own)}`;
  const json = jsonOf(inner, own, statement);
  if (relation.kind === 'toOne') return `(select ${json} ${rows})`;
  return `(select coalesce(json_agg(${json} order by ${listOrder(inner.record, own)}), '[]'::json) ${rows})`;
}

/** The order of lists inside a record: mappings by number, translations by field and language. */
function listOrder(record: RecordClass, alias: string): string {
  if (record === Translation) return `${alias}.field_name collate "C", ${alias}.language_code collate "C"`;
  return `${alias}.${describe(record).primaryKey.column}`;
}

/** What the statement of a list asks for. */
export const listSql = (statement: Statement): ListSql => ({
  alias: () => statement.alias(),
  jsonOf: (shape, alias) => jsonOf(shape, alias, statement),
  jsonOfRelated: (relation, inner, from) => jsonOfRelated(relation, inner, { ...from, statement }),
  orderOf: listOrder,
});

function jsonValue({ type, column }: FieldDescription, alias: string): string {
  const value = `${alias}.${column}`;
  return type === 'dateTime' ? timeText(value) : value;
}
