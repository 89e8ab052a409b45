/** Filters of provisioned users and groups: a tree, and its SQL. */
import { startOf } from '../../entities/valueForms.js';
import { GatehouseError } from '../../errors.js';
import { nameKey } from '../../services/nameKey.js';

export type Operator = 'eq' | 'ne' | 'co' | 'sw' | 'ew' | 'pr';

export type ScimCondition =
  | { kind: 'and'; parts: readonly ScimCondition[] }
  | { kind: 'or'; parts: readonly ScimCondition[] }
  | { kind: 'not'; part: ScimCondition }
  | { kind: 'comparison'; attribute: string; operator: Operator; value: string | boolean | null };

/** An attribute that a filter may name. `text` is compared ignoring case, `exact` with case, `name` as names of users are. */
export interface Filterable {
  sql: string;
  type: 'text' | 'name' | 'exact' | 'boolean';
  /** SQL of an equality that uses an index; `{value}` stands for the parameter. Absent: made from `sql`. */
  equal?: string;
}

/** The `scimType` of an error (RFC 7644 §3.12). */
type ScimType =
  | 'invalidFilter'
  | 'tooMany'
  | 'uniqueness'
  | 'mutability'
  | 'invalidSyntax'
  | 'invalidPath'
  | 'noTarget'
  | 'invalidValue';

export const scimFault = (scimType: ScimType, message: string): GatehouseError =>
  scimType === 'uniqueness'
    ? new GatehouseError('CONFLICT', message, { extra: { scimType } })
    : new GatehouseError('BAD_USER_INPUT', message, { extra: { scimType } });

/** SQL of the condition; adds its values to `values`. Throws `invalidFilter` for what the attribute can't be compared with. */
export function scimConditionSql(
  condition: ScimCondition,
  attributes: Readonly<Record<string, Filterable>>,
  values: unknown[],
): string {
  const write = (each: ScimCondition): string => {
    if (each.kind === 'not') return `(not coalesce(${write(each.part)}, false))`;
    if (each.kind !== 'comparison') return `(${each.parts.map(write).join(` ${each.kind} `)})`;
    const attribute = Object.hasOwn(attributes, each.attribute) ? attributes[each.attribute] : undefined;
    if (!attribute) throw scimFault('invalidFilter', `Lists cannot be filtered by ${startOf(each.attribute, 100)}.`);
    return comparisonSql(attribute, each, (value) => `$${values.push(value)}`);
  };
  return write(condition);
}

type Comparison = Extract<ScimCondition, { kind: 'comparison' }>;

function comparisonSql(
  { sql, type, equal }: Filterable,
  { attribute, operator, value }: Comparison,
  bind: (value: unknown) => string,
): string {
  if (operator === 'pr') return type === 'boolean' ? 'true' : `coalesce(${sql} <> '', false)`;
  if (value === null && (operator === 'eq' || operator === 'ne'))
    return `(${sql} is ${operator === 'eq' ? '' : 'not '}null)`;
  if (type === 'boolean') {
    if (typeof value !== 'boolean' || (operator !== 'eq' && operator !== 'ne'))
      throw scimFault('invalidFilter', `${attribute} can only be compared with true and false, by eq and ne.`);
    return `(${sql} = ${bind(operator === 'eq' ? value : !value)}::boolean)`;
  }
  if (typeof value !== 'string') throw scimFault('invalidFilter', `${attribute} can only be compared with a string.`);
  // PostgreSQL stores no NUL, and accepts none in a statement
  if (value.includes('\0')) return String(operator === 'ne');
  const operand = comparable[type](`${bind(value)}::text`);
  if (operator === 'eq' && equal) return `(${equal.replaceAll('{value}', () => operand)})`;
  return comparisons[operator](comparable[type](sql), operand);
}

// PostgreSQL lowers both sides: JavaScript lowers some letters, such as İ, to others
const comparable: Record<Exclude<Filterable['type'], 'boolean'>, (text: string) => string> = {
  text: (text) => `lower(${text})`,
  name: nameKey,
  exact: (text) => text,
};

const comparisons: Record<Exclude<Operator, 'pr'>, (sql: string, operand: string) => string> = {
  eq: (sql, operand) => `(${sql} = ${operand})`,
  ne: (sql, operand) => `(${sql} is distinct from ${operand})`,
  co: (sql, operand) => `(strpos(${sql}, ${operand}) > 0)`,
  sw: (sql, operand) => `starts_with(${sql}, ${operand})`,
  ew: (sql, operand) => `(right(${sql}, length(${operand})) = ${operand})`,
};
