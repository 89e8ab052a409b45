/** Changes of the mappings of an application to access scopes and to access scope types: in bulk, all or nothing. */
import { Args, Ctx, Int, Mutation, Resolver } from 'type-graphql';
import type { Context } from '../../context.js';
import { Application } from '../../entities/Application.js';
import { describe, fieldOf } from '../../entities/description.js';
import { graphqlType } from '../../entities/fieldTypes.js';
import {
  createMappings,
  deleteMappings,
  lockedMappingInput,
  type MappingKind,
  scopeMappings,
  typeMappings,
  updateMappings,
} from '../../services/catalogue/mappings.js';
import { type GraphContext, Load, type Loader } from '../resolving/loaders.js';
import { type Change, ChangeOf } from '../schema/changes.js';
import { FieldOf, inputType, Member, MemberOrNull, Requires, under } from '../schema/operations.js';

/** A resolver class with the bulk mutations of one kind of mapping. */
function mappingsOf(kind: MappingKind) {
  const { mapper, what } = kind;
  const { name, primaryKey } = describe(mapper);
  const guids = `${kind.guid}s`;

  /** The change that creates or updates mappings. */
  function bulkChange(mode: 'create' | 'update', carryOut: typeof updateMappings) {
    const inputName = `${name}${mode === 'create' ? 'Create' : 'Update'}Input`;
    const fields = lockedMappingInput(kind, mode);
    const Item = inputType(inputName, `A mapping to an ${what}.`, fields);
    @ChangeOf(`${mode}${name}s`)
    class BulkChange implements Change {
      @FieldOf(Application, 'applicationGuid') applicationGuid!: string;
      @Member([Item], 'The mappings.') items!: object[];
      get size() {
        return this.items.length;
      }
      apply(context: Context) {
        return under('items', carryOut(context, kind, this.applicationGuid, this.items, fields));
      }
    }
    return BulkChange;
  }
  const CreateMappings = bulkChange('create', createMappings);
  const UpdateMappings = bulkChange('update', updateMappings);
  type BulkChange = InstanceType<typeof UpdateMappings>;

  @ChangeOf(`delete${name}s`)
  class DeleteMappings implements Change {
    @FieldOf(Application, 'applicationGuid') applicationGuid!: string;
    @MemberOrNull(
      [Int],
      'The revisions that the caller has read, in the order of the guids. If a mapping has changed since, the request fails with CONFLICT.',
    )
    ifRevisions?: number[] | null;
    get guids(): string[] {
      return (this as unknown as Record<string, string[]>)[guids]!;
    }
    get size() {
      return this.guids.length;
    }
    apply(context: Context) {
      const items = this.guids.map((guid, index) => ({ [kind.guid]: guid, ifRevision: this.ifRevisions?.[index] }));
      const fields = lockedMappingInput(kind, 'delete');
      return under(guids, deleteMappings(context, kind, this.applicationGuid, items, fields), kind.guid);
    }
  }
  const target = fieldOf(kind.target, kind.guid);
  Member([graphqlType(target)], `Guids of the ${what}s.`)(DeleteMappings.prototype, guids as never);

  @Resolver()
  class MappingResolver {
    @Mutation(() => [mapper], {
      name: `create${name}s`,
      description: `Maps an application to several ${what}s in one transaction.`,
    })
    @Requires('admin:write')
    async create(@Args(() => CreateMappings) change: BulkChange, @Load() load: Loader) {
      return load.records(mapper, primaryKey.name, await change.apply(load.context));
    }

    @Mutation(() => [mapper], {
      name: `update${name}s`,
      description: 'Changes several mappings of an application in one transaction.',
    })
    @Requires('admin:write')
    async update(@Args(() => UpdateMappings) change: BulkChange, @Load() load: Loader) {
      return load.records(mapper, primaryKey.name, await change.apply(load.context));
    }

    @Mutation(() => [Int], {
      name: `delete${name}s`,
      description: 'Deletes several mappings of an application in one transaction and returns their numbers.',
    })
    @Requires('admin:write')
    delete(@Args(() => DeleteMappings) change: DeleteMappings, @Ctx() context: GraphContext) {
      return change.apply(context);
    }
  }
  return MappingResolver;
}

export const mappingResolvers = [mappingsOf(scopeMappings), mappingsOf(typeMappings)];
