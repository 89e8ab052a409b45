/** The mutations `create…`, `update…`, `deactivate…` and `delete…` of administered records. */
import { Args, ID, Mutation, Resolver } from 'type-graphql';
import type { Context } from '../../context.js';
import { describe, type RecordClass } from '../../entities/description.js';
import type { InputField } from '../../services/records/input.js';
import { Load, type Loader } from '../resolving/loaders.js';
import { type Change, ChangeOf, IfRevision } from '../schema/changes.js';
import { FieldOf, inputType, Member, Requires, under } from '../schema/operations.js';

type KeyedService = (context: Context, key: string, ifRevision?: number | null) => Promise<unknown>;

interface RecordServices {
  /** The fields of the inputs. */
  fields(mode: 'create' | 'update'): InputField[];
  create(context: Context, input: unknown): Promise<object>;
  update(context: Context, key: string, input: unknown, ifRevision?: number | null): Promise<object>;
  deactivate?: KeyedService;
  delete?: KeyedService;
}

/**
 * Resolver classes with the mutations of a record.
 * @param key the field that names a record
 * @param does what `deactivate…` or `delete…` does
 */
export function changesOf(record: RecordClass, key: string, services: RecordServices, does = '') {
  const { fields, create, update } = services;
  const { name } = describe(record);
  const CreateInput = inputType(`Create${name}Input`, `The fields of a new ${name}.`, fields('create'));
  const UpdateInput = inputType(
    `Update${name}Input`,
    'The fields to change. An absent field stays as it is; null removes the value.',
    fields('update'),
  );
  const keyOf = (fields: object): string => (fields as Record<string, string>)[key]!;

  @ChangeOf(`create${name}`)
  class Create implements Change {
    @Member(CreateInput, 'The fields of the record.') input!: object;
    apply(context: Context) {
      return under('input', create(context, this.input));
    }
  }

  @ChangeOf(`update${name}`)
  class Update implements Change {
    @Member(UpdateInput, 'The fields to change.') input!: object;
    @IfRevision() ifRevision?: number | null;
    apply(context: Context) {
      return under('input', update(context, keyOf(this), this.input, this.ifRevision));
    }
  }
  FieldOf(record, key)(Update.prototype, key);

  @Resolver()
  class RecordChanges {
    @Mutation(() => record, { name: `create${name}`, description: `Creates one ${name}.` })
    @Requires('admin:write')
    async create(@Args(() => Create) change: Create, @Load() load: Loader): Promise<unknown> {
      return load.record(record, key, keyOf(await change.apply(load.context)));
    }

    @Mutation(() => record, { name: `update${name}`, description: `Changes one ${name}.` })
    @Requires('admin:write')
    async update(@Args(() => Update) change: Update, @Load() load: Loader): Promise<unknown> {
      await change.apply(load.context);
      return load.record(record, key, keyOf(change));
    }
  }

  /** A mutation whose arguments are the key and `ifRevision`. It answers the record, or the key of a deleted record. */
  function keyedChange(verb: 'deactivate' | 'delete', service: KeyedService) {
    @ChangeOf(`${verb}${name}`)
    class KeyedChange implements Change {
      @IfRevision() ifRevision?: number | null;
      apply(context: Context) {
        return service(context, keyOf(this), this.ifRevision);
      }
    }
    FieldOf(record, key)(KeyedChange.prototype, key);
    const isGone = verb === 'delete';
    @Resolver()
    class KeyedResolver {
      @Mutation(() => (isGone ? ID : record), { name: `${verb}${name}`, description: does })
      @Requires('admin:write')
      async change(@Args(() => KeyedChange) change: KeyedChange, @Load() load: Loader): Promise<unknown> {
        await change.apply(load.context);
        return isGone ? keyOf(change) : load.record(record, key, keyOf(change));
      }
    }
    return [KeyedResolver];
  }
  return [
    RecordChanges,
    ...(services.deactivate ? keyedChange('deactivate', services.deactivate) : []),
    ...(services.delete ? keyedChange('delete', services.delete) : []),
  ];
}
