/** The mutations `create…`, `update…`, `deactivate…` and `delete…` of administered records. */
import { Args, ID, Mutation, Resolver } from 'type-graphql';
import { describe } from '../../entities/description.js';
import type { RecordChanges } from '../../services/records/recordChanges.js';
import { Load, type Loader } from '../resolving/loaders.js';
import { ArgumentsOf, IfRevision } from '../schema/arguments.js';
import { FieldOf, inputType, Member, Requires } from '../schema/operations.js';

/**
 * Resolver classes with the mutations of a record.
 * @param does what `deactivate…` or `delete…` does
 */
export function resolversOf({ record, key, fields, by }: RecordChanges, does = '') {
  const { name } = describe(record);
  const CreateInput = inputType(`Create${name}Input`, `The fields of a new ${name}.`, fields('create'));
  const UpdateInput = inputType(
    `Update${name}Input`,
    'The fields to change. An absent field stays as it is; null removes the value.',
    fields('update'),
  );
  const keyOf = (of: object): string => (of as Record<string, string>)[key]!;

  @ArgumentsOf(`create${name}`)
  class Create {
    @Member(CreateInput, 'The fields of the record.') input!: object;
  }

  @ArgumentsOf(`update${name}`)
  class Update {
    @Member(UpdateInput, 'The fields to change.') input!: object;
    @IfRevision() ifRevision?: number | null;
  }
  FieldOf(record, key)(Update.prototype, key);

  @Resolver()
  class RecordMutations {
    @Mutation(() => record, { name: `create${name}`, description: `Creates one ${name}.` })
    @Requires('admin:write')
    async create(@Args(() => Create) change: Create, @Load() load: Loader): Promise<unknown> {
      return load.record(record, key, keyOf(await by.create(load.context, change)));
    }

    @Mutation(() => record, { name: `update${name}`, description: `Changes one ${name}.` })
    @Requires('admin:write')
    async update(@Args(() => Update) change: Update, @Load() load: Loader): Promise<unknown> {
      await by.update(load.context, change);
      return load.record(record, key, keyOf(change));
    }
  }

  /** A mutation whose arguments are the key and `ifRevision`. It answers the record, or the key of a deleted record. */
  function keyedMutation(verb: 'deactivate' | 'delete') {
    const service = by[verb];
    if (!service) return [];
    @ArgumentsOf(`${verb}${name}`)
    class Keyed {
      @IfRevision() ifRevision?: number | null;
    }
    FieldOf(record, key)(Keyed.prototype, key);
    const isGone = verb === 'delete';
    @Resolver()
    class KeyedResolver {
      @Mutation(() => (isGone ? ID : record), { name: `${verb}${name}`, description: does })
      @Requires('admin:write')
      async change(@Args(() => Keyed) change: Keyed, @Load() load: Loader): Promise<unknown> {
        await service!(load.context, change);
        return isGone ? keyOf(change) : load.record(record, key, keyOf(change));
      }
    }
    return [KeyedResolver];
  }
  return [RecordMutations, ...keyedMutation('deactivate'), ...keyedMutation('delete')];
}
