/** Changes of the mappings of an application, to access scopes and to access scope types: in bulk, all or nothing. */
import { Int } from 'type-graphql';
import { Application } from '../../entities/Application.js';
import { describe } from '../../entities/description.js';
import {
  createMappings,
  deleteMappings,
  lockedMappingInput,
  type MappingKind,
  scopeMappings,
  typeMappings,
  updateMappings,
} from '../../services/catalogue/mappings.js';
import { loadRecords } from '../resolving/loaders.js';
import { type Argument, declareChange, inputType, under } from '../schema/declare.js';
import { keyArgument } from '../schema/recordMutations.js';

export function declareMappers(): void {
  declareKind(scopeMappings);
  declareKind(typeMappings);
}

const ifRevisions: Argument = {
  type: () => [Int],
  doc: 'The revisions that were read, in the order of the guids: what somebody else changed since is answered with CONFLICT.',
  nullable: true,
};

function declareKind(kind: MappingKind): void {
  const { name, primaryKey } = describe(kind.mapper);
  const applicationGuid = keyArgument(Application, 'applicationGuid');
  const declareBulk = (verb: 'Create' | 'Update', changeMappings: typeof updateMappings, doc: string) => {
    const mode = verb === 'Create' ? 'create' : 'update';
    const item = inputType(`${name}${verb}Input`, `A mapping to an ${kind.what}.`, lockedMappingInput(kind, mode));
    declareChange(`${mode}${name}s`, {
      doc,
      type: () => [kind.mapper],
      arguments: { applicationGuid, items: { type: () => [item()], doc: 'The mappings.' } },
      items: ({ items }) => items.length,
      apply: (context, given) => {
        const fields = lockedMappingInput(kind, mode);
        return under('items', changeMappings(context, kind, given.applicationGuid, given.items, fields));
      },
      answer: (keys, _given, context, info) => loadRecords(context, info, kind.mapper, primaryKey.name, keys),
    });
  };
  declareBulk('Create', createMappings, `Maps an application to several ${kind.what}s, all or none.`);
  declareBulk('Update', updateMappings, 'Changes several mappings of an application, all or none.');
  const { type, doc } = keyArgument(kind.target, kind.guid);
  const guids = `${kind.guid}s`;
  declareChange(`delete${name}s`, {
    doc: 'Removes several mappings of an application, all or none, and answers their numbers.',
    type: () => [Int],
    arguments: { applicationGuid, [guids]: { type: () => [type()], doc }, ifRevisions },
    items: (given) => given[guids].length,
    apply: (context, given) => {
      const items = (given[guids] as string[]).map((guid, index) => ({
        [kind.guid]: guid,
        ifRevision: given.ifRevisions?.[index],
      }));
      const fields = lockedMappingInput(kind, 'delete');
      return under(guids, deleteMappings(context, kind, given.applicationGuid, items, fields), kind.guid);
    },
  });
}
