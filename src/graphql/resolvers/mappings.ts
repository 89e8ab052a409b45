/** Changes of the mappings of an application to access scopes and to access scope types: in bulk, all or nothing. */
import { Args, Ctx, Int, Mutation, Resolver } from 'type-graphql';
import { Application } from '../../entities/Application.js';
import { describe, fieldOf } from '../../entities/description.js';
import { graphqlType } from '../../entities/fieldTypes.js';
import {
  type MappingChanges,
  scopeMappingChanges,
  typeMappingChanges,
} from '../../services/catalogue/mappingChanges.js';
import { type GraphContext, Load, type Loader } from '../resolving/loaders.js';
import { ArgumentsOf } from '../schema/arguments.js';
import { FieldOf, inputType, Member, MemberOrNull, Requires } from '../schema/operations.js';

/** A resolver class with the bulk mutations of one kind of mapping. */
function mappingsOf(changes: MappingChanges) {
  const { mapper, target, guid, what } = changes.kind;
  const { name, primaryKey } = describe(mapper);

  /** The arguments that create or update mappings. */
  function bulkArguments(mode: 'create' | 'update') {
    const inputName = `${name}${mode === 'create' ? 'Create' : 'Update'}Input`;
    const Item = inputType(inputName, `A mapping to an ${what}.`, changes.fields(mode));
    @ArgumentsOf(`${mode}${name}s`)
    class BulkArguments {
      @FieldOf(Application, 'applicationGuid') applicationGuid!: string;
      @Member([Item], 'The mappings.') items!: object[];
    }
    return BulkArguments;
  }
  const CreateMappings = bulkArguments('create');
  const UpdateMappings = bulkArguments('update');
  type BulkArguments = InstanceType<typeof UpdateMappings>;

  @ArgumentsOf(`delete${name}s`)
  class DeleteMappings {
    @FieldOf(Application, 'applicationGuid') applicationGuid!: string;
    @MemberOrNull(
      [Int],
      'The revisions that the caller has read, in the order of the guids. If a mapping has changed since, the request fails with CONFLICT.',
    )
    ifRevisions?: number[] | null;
  }
  Member([graphqlType(fieldOf(target, guid))], `Guids of the ${what}s.`)(
    DeleteMappings.prototype,
    changes.guids as never,
  );

  @Resolver()
  class MappingResolver {
    @Mutation(() => [mapper], {
      name: `create${name}s`,
      description: `Maps an application to several ${what}s in one transaction.`,
    })
    @Requires('admin:write')
    async create(@Args(() => CreateMappings) change: BulkArguments, @Load() load: Loader) {
      return load.records(mapper, primaryKey.name, await changes.create(load.context, change));
    }

    @Mutation(() => [mapper], {
      name: `update${name}s`,
      description: 'Changes several mappings of an application in one transaction.',
    })
    @Requires('admin:write')
    async update(@Args(() => UpdateMappings) change: BulkArguments, @Load() load: Loader) {
      return load.records(mapper, primaryKey.name, await changes.update(load.context, change));
    }

    @Mutation(() => [Int], {
      name: `delete${name}s`,
      description: 'Deletes several mappings of an application in one transaction and returns their numbers.',
    })
    @Requires('admin:write')
    delete(@Args(() => DeleteMappings) change: DeleteMappings, @Ctx() context: GraphContext) {
      return changes.delete(context, change);
    }
  }
  return MappingResolver;
}

export const mappingResolvers = [scopeMappingChanges, typeMappingChanges].map(mappingsOf);
