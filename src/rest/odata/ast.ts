/**
 * A filter as a checked tree: every name is one of the model's, and the types of all operands fit each other.
 * Its meaning is OData's (OData 4.01 part 2, §5.1.1): null is unknown to `and`, `or`, `not` and the functions, so that these
 * may yield null; comparisons, `in` and `any` never do. A filter keeps the records for which it is true.
 */
import type { PropertyType } from './model.js';

/** `number` is the type of number literals, comparable with integers; `null` that of the literal null. */
export type ValueType = PropertyType | 'number' | 'null';

export type Comparison = 'eq' | 'ne' | 'gt' | 'ge' | 'lt' | 'le';
export type FunctionName = 'contains' | 'startswith' | 'endswith' | 'tolower' | 'toupper' | 'length' | 'trim';

export type Expression = Logical | Not | Compare | In | Any | Call | Path | Literal;

/** Left-associative, as written. */
interface Logical {
  kind: 'and' | 'or';
  left: Expression;
  right: Expression;
}

interface Not {
  kind: 'not';
  operand: Expression;
}

/** Null equals null and nothing else; `ge` and `le` hold for two nulls, `gt` and `lt` for none. */
export interface Compare {
  kind: 'compare';
  operator: Comparison;
  left: Expression;
  right: Expression;
}

/** True when `value` equals one of the items, null an item null. No items: false. */
export interface In {
  kind: 'in';
  value: Expression;
  items: Literal[];
}

/** True when the lambda's condition is true for some member; without a lambda, when there is any member. */
export interface Any {
  kind: 'any';
  /** `$it`, the listed record, or the variable of an enclosing `any`. */
  root: string;
  /** To-one navigations from the root to the record that has the collection. */
  navigations: string[];
  /** The to-many navigation. */
  collection: string;
  lambda?: { variable: string; condition: Expression };
}

/** `length` counts Unicode code points; `trim` removes what `String.prototype.trim` does. */
export interface Call {
  kind: 'call';
  name: FunctionName;
  arguments: Expression[];
  type: 'string' | 'integer' | 'boolean';
}

/** A scalar of the root or of a record that to-one navigations lead to; null when one of these leads nowhere. */
export interface Path {
  kind: 'path';
  root: string;
  navigations: string[];
  property: string;
  type: PropertyType;
  /** True when the property may be null or a navigation stands before it. */
  nullable: boolean;
}

export type Literal =
  | { kind: 'literal'; type: 'null'; value: null }
  | { kind: 'literal'; type: 'boolean'; value: boolean }
  /** Well-formed Unicode without NUL. */
  | { kind: 'literal'; type: 'string'; value: string }
  /** `value` is finite and an IEEE double, as which numbers compare; `text` is what was written. */
  | { kind: 'literal'; type: 'number'; value: number; text: string }
  /** Lower case. */
  | { kind: 'literal'; type: 'guid'; value: string }
  /** `value` is UTC, cut to milliseconds (`2024-01-31T23:59:59.123Z`); `finer` are the digits cut off, without trailing zeros. */
  | { kind: 'literal'; type: 'dateTime'; value: string; finer: string };

/** The type of an expression's value. */
export function typeOf(expression: Expression): ValueType {
  return 'type' in expression ? expression.type : 'boolean';
}
