/** Values for all fields of all kinds of changes, drawn from the schema. */
import { randomUUID } from 'node:crypto';
import {
  type GraphQLInputField,
  type GraphQLInputObjectType,
  type GraphQLInputType,
  getNamedType,
  getNullableType,
  isInputObjectType,
  isListType,
} from 'graphql';
import { openSchema } from '../../../src/graphql/schema.js';

/** Records that a field may refer to: their id or guid, and the name by which a person knows them. */
export const known: Record<string, { id: string; name: string }> = {};

// what the author had read, so that nobody's change is overwritten; nothing is changed by it
export const preconditions = new Set(['ifRevision', 'ifRevisions']);

interface Filled {
  value: unknown;
  /** What a person must find. */
  read: string[];
}

/** The name of the field with the id of a new record. */
export const ownIdOf = (name: string): RegExp | undefined =>
  name.startsWith('create') ? new RegExp(`^${name.slice(6)}(Guid|Id)$`, 'i') : undefined;

/** As the forms of the console say it. */
const flags: Record<string, string> = {
  isActive: 'in use',
  isBlocked: 'blocked',
  isIframe: 'in an iframe',
  isRequestable: 'may be requested',
  isTokenExchangeRequired: 'needs a token exchange',
  isWildcard: 'for all of its type',
};

/** A value of a field by which it is recognized. */
export function fill(name: string, declared: GraphQLInputType, isNew: RegExp | undefined): Filled {
  const type = getNullableType(declared);
  if (isListType(type)) {
    const { value, read } = fill(name.replace(/s$/, ''), type.ofType, isNew);
    return { value: [value], read };
  }
  if (isInputObjectType(type)) return fillObject(Object.values(type.getFields()), isNew);
  const record = known[name];
  // the id that a new record gets names no other record
  if (record && !isNew?.test(name)) return { value: record.id, read: [record.name] };
  const { name: of } = type as { name: string };
  if (of === 'Int') return { value: 70_421, read: ['70421'] };
  if (of === 'Boolean')
    return { value: true, read: [`${flags[name] ?? name.replace(/(?=[A-Z])/g, ' ').toLowerCase()}: yes`] };
  if (of === 'DateTime') return { value: '2037-02-24T12:34:00.000Z', read: ['24 February 2037', '07:34'] };
  const text = of === 'UUID' ? randomUUID() : `${name}-${randomUUID().slice(0, 8)}`;
  return { value: text, read: [text] };
}

export function fillObject(fields: readonly GraphQLInputField[], isNew: RegExp | undefined): Filled {
  const filled = fields
    .filter(({ name }) => !preconditions.has(name))
    .map(({ name, type }) => ({ name, ...fill(name, type, isNew) }));
  return {
    value: Object.fromEntries(filled.map(({ name, value }) => [name, value])),
    read: filled.flatMap(({ read }) => read),
  };
}

const changeInput = () => openSchema().getType('ChangeInput') as GraphQLInputObjectType;
export const membersOf = () =>
  Object.values(changeInput().getFields()).map((member) => {
    const type = getNamedType(member.type) as GraphQLInputObjectType;
    return {
      name: member.name,
      fields: Object.values(type.getFields()).filter(({ name }) => !preconditions.has(name)),
    };
  });
