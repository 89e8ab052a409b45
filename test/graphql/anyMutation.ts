/** Calls of any mutation with arguments out of pools, made from the schema: what is added to it is called as well. */
import fc from 'fast-check';
import {
  type GraphQLInputType,
  type GraphQLSchema,
  isEnumType,
  isInputObjectType,
  isListType,
  isNonNullType,
  isObjectType,
} from 'graphql';

export interface MutationCall {
  name: string;
  document: string;
  variables: Record<string, unknown>;
}

/** Values by the name of an argument or field, else by the name of its type. Throws at a call when there is neither. */
export type Pools = Record<string, readonly unknown[]>;

export const mutationNames = (schema: GraphQLSchema): string[] => Object.keys(schema.getMutationType()!.getFields());

export function callsOf(schema: GraphQLSchema, name: string, pools: Pools): fc.Arbitrary<MutationCall> {
  const field = schema.getMutationType()!.getFields()[name]!;
  const declared = field.args.map(({ name: argument, type }) => `$${argument}: ${type}`).join(', ');
  const passed = field.args.map(({ name: argument }) => `${argument}: $${argument}`).join(', ');
  let answered = field.type as never as { ofType?: unknown };
  while (answered.ofType) answered = answered.ofType as never;
  const document = `mutation ${declared && `(${declared})`} { ${name}${passed && `(${passed})`}${isObjectType(answered) ? ' { __typename }' : ''} }`;
  return membersOf(field.args, pools).map((variables) => ({ name, document, variables }));
}

/** Required members always; of the others a few, so that a call changes one thing or several. */
function membersOf(
  members: readonly { name: string; type: GraphQLInputType }[],
  pools: Pools,
): fc.Arbitrary<Record<string, unknown>> {
  const [required, optional] = [true, false].map((isRequired) =>
    members.filter(({ type }) => isNonNullType(type) === isRequired),
  );
  const valued = (chosen: readonly { name: string; type: GraphQLInputType }[]) =>
    fc.record(Object.fromEntries(chosen.map(({ name, type }) => [name, valuesOf(name, type, pools)])));
  return fc
    .subarray(optional!, { maxLength: Math.min(optional!.length, 3) })
    .chain((chosen) => valued([...required!, ...chosen]));
}

function valuesOf(name: string, type: GraphQLInputType, pools: Pools, isRequired = false): fc.Arbitrary<unknown> {
  if (isNonNullType(type)) return valuesOf(name, type.ofType, pools, true);
  if (isListType(type))
    return fc.uniqueArray(valuesOf(name.replace(/s$/, ''), type.ofType, pools), {
      maxLength: 3,
      comparator: 'IsStrictlyEqual',
    });
  if (isInputObjectType(type) && type.isOneOf)
    return fc
      .constantFrom(...Object.values(type.getFields()))
      .chain(({ name: member, type: inner }) => fc.record({ [member]: valuesOf(member, inner, pools, true) }));
  if (isInputObjectType(type)) return membersOf(Object.values(type.getFields()), pools);
  if (isEnumType(type)) return fc.constantFrom(...type.getValues().map(({ value }) => value));
  const pool = [pools[name], pools[type.name]]
    .map((values) => values?.filter((value) => !isRequired || value !== null))
    .find((values) => values && values.length > 0);
  if (!pool) throw new Error(`no values for ${name}: ${type.name}; name some, such that an escalation could come of`);
  return fc.constantFrom(...pool);
}
