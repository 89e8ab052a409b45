/** What is asked below a change set: a dry run must read it before it is rolled back. */
import { type FieldNode, GraphQLInt, type GraphQLResolveInfo, valueFromAST } from 'graphql';
import { badInput } from '../../errors.js';
import type { EffectSize } from '../../services/changes/effectPeople.js';
import { collect } from './selection.js';

const itemsMax = 1_000;
const peopleMax = 200;

/** The fields at the end of a path of names. */
function nodesAt(info: GraphQLResolveInfo, path: readonly string[], from = info.fieldNodes): readonly FieldNode[] {
  return path.reduce<readonly FieldNode[]>((nodes, name) => collect(info, nodes).get(name) ?? [], from);
}

export const isAskedFor = (info: GraphQLResolveInfo, path: readonly string[]): boolean =>
  nodesAt(info, path).length > 0;

/** Without `first`. */
export const itemsDefault = 100;
export const peopleDefault = 50;

/** The longest lists that are asked of the effect at the path. Throws BAD_USER_INPUT for longer ones than there are. */
export function effectSizeOf(info: GraphQLResolveInfo, path: readonly string[]): EffectSize {
  const lists = ['gains', 'loses'].flatMap((side) => nodesAt(info, [...path, side, 'items']));
  const people = nodesAt(info, ['people'], lists);
  return {
    items: longest(info, 'items', lists, itemsDefault, itemsMax),
    people: longest(info, 'people', people, peopleDefault, peopleMax),
  };
}

/** From the query's own text: the schema of a compiled query knows no arguments. */
function longest(
  { variableValues }: GraphQLResolveInfo,
  name: string,
  nodes: readonly FieldNode[],
  absent: number,
  max: number,
): number {
  const sizes = nodes.map((node) => {
    const given = node.arguments?.find((argument) => argument.name.value === 'first');
    return Number((given && valueFromAST(given.value, GraphQLInt, variableValues)) ?? absent);
  });
  if (sizes.some((size) => size < 0 || size > max)) throw badInput({ first: [`A list has from 0 to ${max} ${name}.`] });
  return Math.max(0, ...sizes);
}
