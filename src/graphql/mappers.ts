/** Changes of the mappings of an application, to access scopes and to access scope types: in bulk, all or nothing. */
import { Int } from 'type-graphql';
import { Application } from '../entities/Application.js';
import { describe } from '../entities/fields.js';
import {
  createMappings,
  deleteMappings,
  type MappingKind,
  mappingInput,
  scopeMappings,
  typeMappings,
  updateMappings,
} from '../services/mappings.js';
import { loadRecords } from './loaders.js';
import { declareMutation, inputType, under } from './operations.js';
import { keyArgument } from './recordOperations.js';

export function declareMappers(): void {
  declareKind(scopeMappings);
  declareKind(typeMappings);
}

function declareKind(kind: MappingKind): void {
  const { name, primaryKey } = describe(kind.mapper);
  const applicationGuid = keyArgument(Application, 'applicationGuid');
  const declareBulk = (verb: 'Create' | 'Update', changeMappings: typeof createMappings, doc: string) => {
    const mode = verb === 'Create' ? 'create' : 'update';
    const item = inputType(`${name}${verb}Input`, `A mapping to an ${kind.what}.`, mappingInput(kind, mode));
    declareMutation(`${mode}${name}s`, {
      doc,
      type: () => [kind.mapper],
      arguments: { applicationGuid, items: { type: () => [item()], doc: 'The mappings.' } },
      resolve: async (_root, given, context, info) => {
        const keys = await under('items', changeMappings(context, kind, given.applicationGuid, given.items));
        return loadRecords(context, info, kind.mapper, primaryKey.name, keys);
      },
    });
  };
  declareBulk('Create', createMappings, `Maps an application to several ${kind.what}s, all or none.`);
  declareBulk('Update', updateMappings, 'Changes several mappings of an application, all or none.');
  const { type, doc } = keyArgument(kind.target, kind.guid);
  const guids = `${kind.guid}s`;
  declareMutation(`delete${name}s`, {
    doc: 'Removes several mappings of an application, all or none, and says how many.',
    type: () => Int,
    arguments: { applicationGuid, [guids]: { type: () => [type()], doc } },
    resolve: (_root, given, context) => {
      const items = (given[guids] as string[]).map((guid) => ({ [kind.guid]: guid }));
      return under(guids, deleteMappings(context, kind, given.applicationGuid, items), kind.guid);
    },
  });
}
