/** Writes a filter's tree as OData text, the way back from the parser; each operand in parentheses, or only where it must. */
import type { Any, Expression, Literal } from '../../../src/services/read/expression.js';

type Parentheses = 'all' | 'few';

const strengths = { or: 0, and: 1, eq: 2, ne: 2, gt: 3, ge: 3, lt: 3, le: 3, not: 4, in: 5, operand: 6 };

/** The text that reads as this tree. */
export function write(expression: Expression, parentheses: Parentheses): string {
  switch (expression.kind) {
    case 'and':
    case 'or':
      return infix(expression.kind, expression.left, expression.right, parentheses);
    case 'compare':
      return infix(expression.operator, expression.left, expression.right, parentheses);
    case 'not':
      return `not ${enclose(expression.operand, strengths.not, parentheses)}`;
    case 'isNotTrue':
      throw new Error('OData has no such operator');
    case 'in':
      return `${enclose(expression.value, strengths.in, parentheses)} in (${expression.items.map(writeLiteral).join(',')})`;
    case 'call':
      return `${expression.name}(${expression.arguments.map((argument) => write(argument, parentheses)).join(' , ')})`;
    case 'words':
    case 'memberOf':
      throw new Error('OData has no such condition');
    case 'any':
      return writeAny(expression, parentheses);
    case 'path':
      return writePath(expression.root, expression.navigations, expression.property);
    case 'literal':
      return writeLiteral(expression);
  }
}

function infix(
  operator: keyof typeof strengths,
  left: Expression,
  right: Expression,
  parentheses: Parentheses,
): string {
  const strength = strengths[operator];
  return `${enclose(left, strength, parentheses)} ${operator} ${enclose(right, strength + 1, parentheses)}`;
}

function enclose(expression: Expression, strength: number, parentheses: Parentheses): string {
  const text = write(expression, parentheses);
  const own = strengthOf(expression);
  const isNeeded = parentheses === 'all' ? own < strengths.operand : own < strength;
  return isNeeded ? `(${text})` : text;
}

function strengthOf(expression: Expression): number {
  if (expression.kind === 'compare') return strengths[expression.operator];
  return expression.kind in strengths ? strengths[expression.kind as 'or' | 'and' | 'not' | 'in'] : strengths.operand;
}

function writeAny({ root, navigations, collection, lambda }: Any, parentheses: Parentheses): string {
  const path = writePath(root, navigations, collection);
  return lambda ? `${path}/any(${lambda.variable}: ${write(lambda.condition, parentheses)})` : `${path}/any()`;
}

function writePath(root: string, navigations: readonly string[], last: string): string {
  return [...(root === '$it' ? [] : [root]), ...navigations, last].join('/');
}

function writeLiteral(literal: Literal): string {
  if (literal.type === 'string') return `'${literal.value.replaceAll("'", "''")}'`;
  if (literal.type === 'number') return literal.text;
  if (literal.type === 'dateTime') return literal.value.replace('Z', `${literal.finer}Z`);
  return String(literal.value);
}
