/** The bulk changes of mappings by their arguments, as mutations and change sets have them. Problems are keyed by the arguments. */
import type { Context } from '../../context.js';
import { type InputField, revisionField } from '../records/input.js';
import { under } from '../records/problemPaths.js';
import {
  createMappings,
  deleteMappings,
  type MappingKind,
  mappingInput,
  scopeMappings,
  typeMappings,
  updateMappings,
} from './mappings.js';

export interface MappingArguments {
  applicationGuid: string;
  items: object[];
}

/** The guids of the targets are beside these, by the name of the kind. */
export interface RemovalArguments {
  applicationGuid: string;
  ifRevisions?: number[] | null;
}

export type MappingChanges = ReturnType<typeof mappingChanges>;

function mappingChanges(kind: MappingKind) {
  /** Of an item, with `ifRevision` of an existing mapping; the documented REST operations do not accept it. */
  const fields = (mode: 'create' | 'update' | 'delete'): InputField[] => [
    ...mappingInput(kind, mode),
    ...(mode === 'create' ? [] : [revisionField(kind.mapper)]),
  ];
  const bulk =
    (mode: 'create' | 'update', carryOut: typeof createMappings) =>
    (context: Context, { applicationGuid, items }: MappingArguments) =>
      under('items', carryOut(context, kind, applicationGuid, items, fields(mode)));
  const guids = `${kind.guid}s`;
  const guidsOf = (change: object) => (change as Record<string, string[]>)[guids]!;
  return {
    kind,
    fields,
    /** The argument of a removal with the guids of the targets. */
    guids,
    guidsOf,
    create: bulk('create', createMappings),
    update: bulk('update', updateMappings),
    delete(context: Context, change: RemovalArguments) {
      const items = guidsOf(change).map((guid, at) => ({ [kind.guid]: guid, ifRevision: change.ifRevisions?.[at] }));
      return under(guids, deleteMappings(context, kind, change.applicationGuid, items, fields('delete')), kind.guid);
    },
  };
}

export const scopeMappingChanges = mappingChanges(scopeMappings);
export const typeMappingChanges = mappingChanges(typeMappings);
