/**
 * The one ordering of rows, for lists and pages, and the cursors made from it: a cursor has the values of its row that decide
 * the order, and the primary key, so it stays valid while rows are added and removed. Nulls sort first (OData 4.01 part 2
 * §5.1.1.1.12); texts compare by code point.
 */

import { describe, type FieldDescription, fieldOf } from '../../entities/description.js';
import { integerMax, isBigint, isGuid, isStorable, isWrittenInFourDigits } from '../../entities/valueForms.js';
import { badInput } from '../../errors.js';
import { type Rows, relationOf, type Statement, sqlTypes } from './select.js';

export interface OrderTerm {
  /** To-one relations from the ordered record. */
  navigations: readonly string[];
  property: string;
  descending: boolean;
}

interface Term {
  field: FieldDescription;
  /** The field with its path, such as `accessScope.name`; with `-` in front if descending. */
  name: string;
  expression: string;
  descending: boolean;
  nullable: boolean;
  /** The ordered record's own primary key. */
  isKey: boolean;
}

export class Ordering {
  readonly terms: Term[] = [];

  /** The primary key comes last. A repeated field counts at its first place. */
  constructor(rows: Rows, terms: readonly OrderTerm[]) {
    const key = { navigations: [], property: describe(rows.record).primaryKey.name, descending: false };
    for (const orderTerm of [...terms, key]) {
      const term = readTerm(rows, orderTerm);
      if (!this.terms.some(({ expression }) => expression === term.expression)) this.terms.push(term);
    }
  }

  /** For `order by`. @param expressionOf the SQL of a term; absent: the compared value */
  text({ backwards = false, expressionOf = (term: Term, _index: number): string => term.expression } = {}): string {
    return this.terms
      .map((term, index) => {
        const down = term.descending !== backwards;
        const nulls = term.nullable ? (down ? ' nulls last' : ' nulls first') : '';
        return `${expressionOf(term, index)}${down ? ' desc' : ''}${nulls}`;
      })
      .join(', ');
  }

  /** The values of a cursor, as columns `o0`, `o1`, …. */
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
    let equalBefore = '';
    const alternatives: string[] = [];
    this.terms.forEach((term, index) => {
      const { expression, descending, field, nullable } = term;
      const value = values[index];
      const bound = value === null ? 'null' : statement.bind(value, sqlTypes[field.type]);
      // null is less than every value
      const wantsGreater = (side === 'after') !== descending;
      const isPast = pastValue(expression, bound, value === null, wantsGreater, nullable);
      if (isPast) alternatives.push(`${equalBefore}${isPast}`);
      equalBefore += value === null ? `${expression} is null and ` : `${expression} = ${bound} and `;
    });
    return alternatives.length > 0 ? `(${alternatives.map((way) => `(${way})`).join(' or ')})` : 'false';
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

function readTerm(rows: Rows, { navigations, property, descending }: OrderTerm): Term {
  let { record } = rows;
  let isOptional = false;
  for (const name of navigations) {
    const relation = relationOf(record, name);
    isOptional ||= relation.nullable;
    record = relation.target();
  }
  const field = fieldOf(record, property);
  const column = rows.column(navigations, property);
  return {
    field,
    name: `${descending ? '-' : ''}${[...navigations, property].join('.')}`,
    expression: field.type === 'string' ? `${column} collate "C"` : column,
    descending,
    nullable: isOptional || field.nullable,
    isKey: navigations.length === 0 && field.primary,
  };
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

const isInteger = (value: unknown): boolean =>
  Number.isInteger(value) && (value as number) <= integerMax && (value as number) >= -integerMax - 1;

function isOfType({ field, nullable }: Term, value: unknown): boolean {
  if (value === null) return nullable;
  if (field.type === 'integer') return isInteger(value);
  if (field.type === 'boolean') return typeof value === 'boolean';
  if (typeof value !== 'string' || !isStorable(value)) return false;
  if (field.type === 'bigint') return isBigint(value);
  if (field.type === 'uuid') return isGuid(value);
  return field.type !== 'dateTime' || isTime(value);
}

/** Whether the text is a time in the format of cursors, on a day that exists. */
function isTime(text: string): boolean {
  const time = new Date(text);
  return !Number.isNaN(time.getTime()) && time.toISOString() === text && isWrittenInFourDigits(time);
}
