/** The mutations `create…` and `update…`, which all administered records have. */
import { Args, Mutation, Resolver } from 'type-graphql';
import type { Context } from '../../context.js';
import { describe, type RecordClass } from '../../entities/description.js';
import type { InputField } from '../../services/records/input.js';
import { Load, type Loader } from '../resolving/loaders.js';
import { type Change, ChangeOf, IfRevision } from '../schema/changes.js';
import { FieldOf, inputType, Member, Requires, under } from '../schema/operations.js';

interface RecordServices {
  /** The fields of the inputs. */
  fields(mode: 'create' | 'update'): InputField[];
  create(context: Context, input: unknown): Promise<object>;
  update(context: Context, key: string, input: unknown, ifRevision?: number | null): Promise<object>;
}

/** A resolver class with `create…` and `update…` of the record; `key` is the field that names one. */
export function changesOf(record: RecordClass, key: string, { fields, create, update }: RecordServices) {
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
  abstract class RecordChanges {
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
  return RecordChanges;
}
