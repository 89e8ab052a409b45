/**
 * The type policies for Apollo's cache: the key of each record, the fields that read one record by its key, and the types of
 * interfaces and unions.
 */
import { isAbstractType, isObjectType } from 'graphql';
import { graphRecords } from '../entities/all.js';
import { referenceFieldOf } from '../entities/description.js';
import { openSchema } from './schema.js';

const keys = (): [type: string, key: string][] =>
  graphRecords.flatMap((record): [string, string][] => {
    const type = openSchema().getType(record.name);
    const key = referenceFieldOf(record).name;
    return isObjectType(type) && key in type.getFields() ? [[record.name, key]] : [];
  });

/** Reads of `Query` whose one argument is the key of the record that they answer. */
function singles(): [field: string, type: string, key: string][] {
  const keyFields = new Map(keys());
  return Object.values(openSchema().getQueryType()!.getFields()).flatMap(({ name, type, args }) => {
    const key = isObjectType(type) ? keyFields.get(type.name) : undefined;
    return key && args.length === 1 && args[0]!.name === key
      ? [[name, String(type), key] as [string, string, string]]
      : [];
  });
}

/** The object types of each interface and union. */
const possibleTypes = (): [type: string, of: string[]][] =>
  Object.values(openSchema().getTypeMap())
    .filter(isAbstractType)
    .map((type): [string, string[]] => [
      type.name,
      openSchema()
        .getPossibleTypes(type)
        .map(({ name }) => name)
        .sort(),
    ])
    .sort();

/** The module docs/clients/javascript/typePolicies.mjs. */
export const typePoliciesText = (): string =>
  [
    '// new InMemoryCache({ typePolicies, possibleTypes })',
    'const one = (__typename, key) => ({',
    '  read: (known, { args, toReference }) => (known !== undefined ? known : toReference({ __typename, [key]: args[key] })),',
    '});',
    '',
    'export const typePolicies = {',
    ...keys().map(([type, key]) => `  ${type}: { keyFields: ['${key}'] },`),
    '  Query: {',
    '    fields: {',
    ...singles().map(([field, type, key]) => `      ${field}: one('${type}', '${key}'),`),
    '    },',
    '  },',
    '};',
    '',
    'export const possibleTypes = {',
    ...possibleTypes().flatMap(([type, of]) => [`  ${type}: [`, ...of.map((name) => `    '${name}',`), '  ],']),
    '};',
    '',
  ].join('\n');
