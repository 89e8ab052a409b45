/** Mappings of one application to many access scopes, or to many of their types, at once. */
import type { Context } from '../../../context.js';
import { describe } from '../../../entities/description.js';
import {
  type MappingArguments,
  type MappingChanges,
  type RemovalArguments,
  scopeMappingChanges,
  typeMappingChanges,
} from '../../../services/catalogue/mappingChanges.js';
import type { Said } from '../words.js';
import { type Kind, onAccess, plainTitle } from './kind.js';

function bulkKinds({ kind: { mapper, what }, ...changes }: MappingChanges): Kind[] {
  const bulkKind = <Value extends { applicationGuid: string }>(
    verb: 'create' | 'update' | 'delete',
    apply: (context: Context, value: Value) => Promise<unknown>,
    size: (value: Value) => number,
  ): Kind<Value> => {
    const name = `${verb}${describe(mapper).name}s`;
    const said: Said = { verb, noun: `mappings of ${what}s for the application`, subject: 'applicationGuid' };
    return {
      name,
      family: name,
      input: null,
      does: { apply, size },
      title: plainTitle(said),
      effect: { ...onAccess, subject: ({ applicationGuid }) => applicationGuid },
      ownedBy: ({ applicationGuid }) => ({ application: applicationGuid }),
      endingAt: null,
    };
  };
  const sizeOf = ({ items }: MappingArguments) => items.length;
  return [
    bulkKind<MappingArguments>('create', changes.create, sizeOf),
    bulkKind<MappingArguments>('update', changes.update, sizeOf),
    bulkKind<RemovalArguments>('delete', changes.delete, (value) => changes.guidsOf(value).length),
  ];
}

export const bulkMappings: Kind[] = [scopeMappingChanges, typeMappingChanges].flatMap(bulkKinds);
