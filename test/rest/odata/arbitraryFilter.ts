/** Random filters over the catalogue model, well typed and within the caps, as the parser would give them. */
import fc from 'fast-check';
import { findGuid, findNumber } from '../../../src/rest/odata/filter.js';
import type { OdataModel } from '../../../src/rest/odata/model.js';
import { lambdasMax } from '../../../src/rest/odata/tokens.js';
import type { Call, Expression, Literal, Path, PropertyType } from '../../../src/services/read/expression.js';
import { application, mapping } from './catalogueModel.js';

/** Roots in sight with their records. */
type Roots = readonly (readonly [string, OdataModel])[];

const text = fc.string({ unit: 'binary', maxLength: 6 }).filter((value) => !value.includes('\0'));

const literals: Record<Exclude<PropertyType, 'bigint'>, fc.Arbitrary<Literal>> = {
  string: text.map((value) => ({ kind: 'literal', type: 'string', value })),
  boolean: fc.boolean().map((value) => ({ kind: 'literal', type: 'boolean', value })),
  uuid: fc.uuid().map((value) => findGuid(value)!),
  integer: fc.double({ noNaN: true, noDefaultInfinity: true }).map((value) => findNumber(String(value))!),
  dateTime: fc
    .tuple(
      fc.date({ min: new Date('0001-01-01T00:00:00Z'), max: new Date('9999-12-31T00:00:00Z'), noInvalidDate: true }),
      fc.nat(999),
    )
    .map(([date, finer]) => ({
      kind: 'literal',
      type: 'dateTime',
      value: date.toISOString(),
      finer: String(finer).replace(/0+$/, ''),
    })),
};

const nullLiteral: fc.Arbitrary<Literal> = fc.constant({ kind: 'literal', type: 'null', value: null });

/** A condition of at most `depth` levels; random variables are named after their level, so that none hides another. */
export function arbitraryFilter(depth = 3, roots: Roots = [['$it', application]]): fc.Arbitrary<Expression> {
  const leaves = [
    arbitraryComparison(roots),
    arbitraryMatch(roots),
    arbitraryIn(roots),
    arbitraryPath(roots, 'boolean'),
  ];
  if (depth === 0) return fc.oneof(...leaves);
  const inner = fc.constant(null).chain(() => arbitraryFilter(depth - 1, roots));
  const mayNest = roots.length <= lambdasMax;
  return fc.oneof(
    ...leaves,
    fc.record({ kind: fc.constantFrom('and' as const, 'or' as const), left: inner, right: inner }),
    fc.record({ kind: fc.constant('not' as const), operand: inner }),
    fc.record({ kind: fc.constant('compare' as const), operator: arbitraryOperator(), left: inner, right: inner }),
    ...(mayNest ? [arbitraryAny(depth, roots)] : []),
  );
}

function arbitraryAny(depth: number, roots: Roots): fc.Arbitrary<Expression> {
  const variable = `v${depth}`;
  const condition = fc
    .constant(null)
    .chain(() => arbitraryFilter(depth - 1, [...roots.filter(([name]) => name !== variable), [variable, mapping]]));
  const origin = roots.findLast(([, model]) => model === mapping);
  const [root, navigations] = origin ? [origin[0], ['application']] : ['$it', []];
  const base = { kind: 'any' as const, root, navigations, collection: 'accessScopeApplicationsMappers' };
  return fc.oneof(
    fc.constant(base),
    condition.map((given) => ({ ...base, lambda: { variable, condition: given } })),
  );
}

function arbitraryOperator() {
  return fc.constantFrom('eq' as const, 'ne' as const, 'gt' as const, 'ge' as const, 'lt' as const, 'le' as const);
}

function arbitraryComparison(roots: Roots): fc.Arbitrary<Expression> {
  return fc.constantFrom<keyof typeof literals>('string', 'integer', 'boolean', 'uuid', 'dateTime').chain((type) => {
    const value = arbitraryValue(roots, type);
    return fc.record({
      kind: fc.constant('compare' as const),
      operator: arbitraryOperator(),
      left: value,
      right: value,
    });
  });
}

function arbitraryValue(roots: Roots, type: keyof typeof literals): fc.Arbitrary<Expression> {
  const simple = [arbitraryPath(roots, type), literals[type], nullLiteral];
  if (type === 'string') return fc.oneof(...simple, arbitraryCall(roots, ['tolower', 'toupper', 'trim'], 'string'));
  if (type === 'integer') return fc.oneof(...simple, arbitraryCall(roots, ['length'], 'integer'));
  return fc.oneof(...simple);
}

function arbitraryCall(roots: Roots, names: Call['name'][], type: Call['type']): fc.Arbitrary<Expression> {
  const argument = fc.oneof(arbitraryPath(roots, 'string'), literals.string);
  return fc.record({
    kind: fc.constant('call' as const),
    name: fc.constantFrom(...names),
    arguments: fc.tuple(argument),
    type: fc.constant(type),
  });
}

function arbitraryMatch(roots: Roots): fc.Arbitrary<Expression> {
  return fc.record({
    kind: fc.constant('call' as const),
    name: fc.constantFrom('contains' as const, 'startswith' as const, 'endswith' as const),
    arguments: fc.tuple(arbitraryValue(roots, 'string'), arbitraryValue(roots, 'string')),
    type: fc.constant('boolean' as const),
  });
}

function arbitraryIn(roots: Roots): fc.Arbitrary<Expression> {
  return fc.constantFrom<keyof typeof literals>('string', 'integer', 'uuid', 'dateTime').chain((type) =>
    fc.record({
      kind: fc.constant('in' as const),
      value: arbitraryPath(roots, type),
      items: fc.array(fc.oneof(literals[type], nullLiteral), { maxLength: 4 }),
    }),
  );
}

function arbitraryPath(roots: Roots, type: PropertyType): fc.Arbitrary<Path> {
  return fc.constantFrom(...roots.flatMap(([root, model]) => pathsOf(root, model, type, [])));
}

/** Up to two navigations deep. */
function pathsOf(root: string, model: OdataModel, type: PropertyType, navigations: string[]): Path[] {
  const here = [...model.properties].flatMap(([property, found]): Path[] => {
    const nullable = found.nullable || navigations.length > 0;
    return found.type === type ? [{ kind: 'path', root, navigations, property, type, nullable }] : [];
  });
  if (navigations.length === 2) return here;
  const deeper = [...model.navigations].flatMap(([name, { isList, target }]) =>
    isList ? [] : pathsOf(root, target(), type, [...navigations, name]),
  );
  return [...here, ...deeper];
}

/** Nodes as the parser counts them. */
export function nodesOf(expression: Expression): number {
  switch (expression.kind) {
    case 'and':
    case 'or':
    case 'compare':
      return 1 + nodesOf(expression.left) + nodesOf(expression.right);
    case 'not':
      return 1 + nodesOf(expression.operand);
    case 'in':
      return 1 + nodesOf(expression.value) + expression.items.length;
    case 'any':
      return 1 + (expression.lambda ? nodesOf(expression.lambda.condition) : 0);
    case 'call':
      return 1 + expression.arguments.reduce((sum, argument) => sum + nodesOf(argument), 0);
    default:
      return 1;
  }
}
