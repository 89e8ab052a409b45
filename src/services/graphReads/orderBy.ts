/**
 * Orderings and the cursors made from them: a cursor is the ordering's values of its row with the primary key, so it
 * stays right while rows come and go. Nulls come first when ascending, last when descending, as in REST.
 */
import { isWrittenInFourDigits } from '../../entities/calendar.js';
import {
  describe,
  type FieldDescription,
  fieldsFor,
  type RecordClass,
  relationsFor,
} from '../../entities/description.js';
import { isGuid } from '../../entities/guid.js';
import { integerMax } from '../../entities/postgresTypes.js';
import { isStorable } from '../../entities/storableText.js';
import { badInput } from '../../errors.js';
import { type Rows, type Statement, sqlTypes } from '../sql/select.js';

/** As GraphQL's input has it: one member, a field with its direction or a to-one relation with the same again. */
export type RecordOrder = { [member: string]: unknown };

interface Term {
  field: FieldDescription;
  /** The field and the way to it, such as `accessScope.name`; with `-` in front when descending. */
  name: string;
  /** Text compares by code point. */
  expression: string;
  descending: boolean;
  nullable: boolean;
}

const termsMax = 10;

export class RowOrder {
  readonly terms: Term[] = [];

  constructor(rows: Rows, orders: readonly RecordOrder[] | null | undefined) {
    for (const [index, order] of (orders ?? []).entries()) {
      const term = readTerm(rows, order, `orderBy[${index}]`);
      if (!this.terms.some(({ expression }) => expression === term.expression)) this.terms.push(term);
    }
    if (this.terms.length > termsMax) throw badInput({ orderBy: [`At most ${termsMax} orderings are taken.`] });
    const { primaryKey } = describe(rows.record);
    const last = readField(rows, primaryKey, 'ASC', primaryKey.name, false);
    if (!this.terms.some(({ expression }) => expression === last.expression)) this.terms.push(last);
  }

  /** For `order by`. */
  text(backwards: boolean): string {
    return this.terms
      .map(({ expression, descending, nullable }) => {
        const down = descending !== backwards;
        return `${expression}${down ? ' desc' : ''}${nullable ? (down ? ' nulls last' : ' nulls first') : ''}`;
      })
      .join(', ');
  }

  /** What a cursor is made of, as columns `o0`, `o1`, …. */
  columns(): string[] {
    return this.terms.map(({ expression }, index) => `${expression} as "o${index}"`);
  }

  /** The cursors of records, from those columns of them. */
  cursorsOf(column: (name: string) => unknown[]): string[] {
    const signature = this.#signature();
    const columns = this.terms.map((_, index) => column(`o${index}`));
    return columns[0]!.map((_, record) => {
      const values = columns.map((values) => values[record]);
      return Buffer.from(JSON.stringify([signature, ...values])).toString('base64url');
    });
  }

  /** SQL that is true for the rows after (or before) the cursor's. Throws BAD_USER_INPUT for a cursor of another ordering. */
  beyond(statement: Statement, cursor: string, side: 'after' | 'before'): string {
    const values = this.#readCursor(cursor, side);
    let same = '';
    const ways: string[] = [];
    this.terms.forEach((term, index) => {
      const { expression, descending, field, nullable } = term;
      const value = values[index];
      const bound = value === null ? 'null' : statement.bind(value, sqlTypes[field.type]);
      // null is less than every value
      const wantsGreater = (side === 'after') !== descending;
      const past = pastValue(expression, bound, value === null, wantsGreater, nullable);
      if (past) ways.push(`${same}${past}`);
      same += value === null ? `${expression} is null and ` : `${expression} = ${bound} and `;
    });
    return ways.length > 0 ? `(${ways.map((way) => `(${way})`).join(' or ')})` : 'false';
  }

  #signature(): string {
    return this.terms.map(({ name }) => name).join();
  }

  #readCursor(cursor: string, side: string): unknown[] {
    let read: unknown;
    try {
      read = JSON.parse(Buffer.from(cursor, 'base64url').toString());
    } catch {
      read = undefined;
    }
    const [signature, ...values] = Array.isArray(read) ? read : [];
    const fits =
      signature === this.#signature() &&
      values.length === this.terms.length &&
      values.every((value, index) => isOfType(this.terms[index]!, value));
    if (!fits) throw badInput({ [side]: ['The cursor is not one of this connection and ordering.'] });
    return values;
  }
}

function pastValue(
  expression: string,
  bound: string,
  isNull: boolean,
  wantsGreater: boolean,
  nullable: boolean,
): string | undefined {
  if (isNull) return wantsGreater ? `${expression} is not null` : undefined;
  if (wantsGreater) return `${expression} > ${bound}`;
  return nullable ? `(${expression} < ${bound} or ${expression} is null)` : `${expression} < ${bound}`;
}

const bigintMax = 2n ** 63n - 1n;
const isWithin = (value: number | bigint, max: number | bigint): boolean => value <= max && -value <= BigInt(max) + 1n;

/** Whether a text is a whole number that PostgreSQL's bigint holds. */
export const isBigint = (text: string): boolean => /^-?\d{1,19}$/.test(text) && isWithin(BigInt(text), bigintMax);

function isOfType({ field, nullable }: Term, value: unknown): boolean {
  if (value === null) return nullable;
  if (field.type === 'integer') return Number.isInteger(value) && isWithin(value as number, integerMax);
  if (field.type === 'boolean') return typeof value === 'boolean';
  if (typeof value !== 'string' || !isStorable(value)) return false;
  if (field.type === 'bigint') return isBigint(value);
  if (field.type === 'uuid') return isGuid(value);
  return field.type !== 'dateTime' || isTime(value);
}

/** Whether the text is how a time is written in cursors, of a day that there is. */
function isTime(text: string): boolean {
  const time = new Date(text);
  return !Number.isNaN(time.getTime()) && time.toISOString() === text && isWrittenInFourDigits(time);
}

function readTerm(rows: Rows, order: RecordOrder, at: string, way = '', optional = false): Term {
  const members = Object.entries(order).filter(([, value]) => value !== null && value !== undefined);
  const [member] = members;
  if (!member || members.length > 1) throw badInput({ [at]: ['Exactly one member is expected.'] });
  const [name, value] = member;
  const relation = orderable(rows.record).toOne.find((candidate) => candidate.name === name);
  if (relation) {
    const nullable = optional || relation.nullable;
    return readTerm(rows.follow(name), value as RecordOrder, `${at}.${name}`, `${way}${name}.`, nullable);
  }
  const field = orderable(rows.record).fields.find((candidate) => candidate.name === name);
  if (!field) throw badInput({ [`${at}.${name}`]: ['There is no such field to order by.'] });
  return readField(rows, field, value, `${way}${name}`, optional);
}

function readField(rows: Rows, field: FieldDescription, direction: unknown, way: string, optional: boolean): Term {
  const descending = direction === 'DESC';
  const column = rows.column([], field.name);
  return {
    field,
    name: descending ? `-${way}` : way,
    expression: field.type === 'string' ? `${column} collate "C"` : column,
    descending,
    nullable: optional || field.nullable,
  };
}

/** What an ordering of the record may name. */
export const orderable = (record: RecordClass) => ({
  fields: fieldsFor(record, 'filter'),
  toOne: relationsFor(record, 'filter').filter(({ kind }) => kind === 'toOne'),
});
