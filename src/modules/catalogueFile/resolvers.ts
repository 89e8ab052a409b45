/** Plans and applies a catalogue file: the service that the commands plan and apply call. */
import { Arg, Args, ArgsType, Field, Int, Mutation, Resolver, Root } from 'type-graphql';
import { ChangeSet } from '../../entities/ChangeSet.js';
import { fieldOf } from '../../entities/description.js';
import { Profile } from '../../entities/Profile.js';
import { DateTime, Json } from '../../entities/scalars.js';
import { Load, type Loader } from '../../graphql/resolving/loaders.js';
import { ComputedOrNull, Guarded, Member, MemberOrNull, Requires, Result } from '../../graphql/schema/operations.js';
import { under } from '../../services/records/problemPaths.js';
import { type ComputedEffect, readPastEffectOf } from '../changes/effect.js';
import { Note } from '../changes/resolvers/changeSets.js';
import { Effect } from '../changes/resolvers/effect.js';
import { applyFile, type FilePlan, planFile, requireHash } from './applyFile.js';

@Result('How many records a catalogue file changes.')
class CataloguePlanSummary {
  @Member(Int, 'The number of records to create.') created!: number;
  @Member(Int, 'The number of records to change.') updated!: number;
  @Member(Int, 'The number of records to remove.') removed!: number;
  @Member(Int, 'The number of records that the file manages but no longer contains. Without `prune` they stay.')
  unlisted!: number;
}

@Result('Who changed a value since the file was applied, when, and by which interface.')
class ManualChange {
  @Member(String, 'Guid of the author.') actor!: string;
  @MemberOrNull(String, 'Name of the author; null if unknown.') actorName!: string | null;
  @Member(DateTime, 'When the value was changed.') occurredAt!: string;
  @Member(String, 'The interface that was used, such as `console`.') face!: string;
  @MemberOrNull(String, 'The note of the change set; null without `admin:security`.') note!: string | null;
  @MemberOrNull(String, 'Guid of the change set; null without `admin:security`.') changeSetGuid!: string | null;
}

@Result('A field that a catalogue file changes.')
class CatalogueFieldChange {
  @Member(String, 'Name of the field.') field!: string;
  @MemberOrNull(Json, 'The current value.') before!: unknown;
  @MemberOrNull(Json, 'The value in the file.') after!: unknown;
  @MemberOrNull(ManualChange, 'Who changed the current value by hand; null if the file itself has changed.')
  changedByHand!: ManualChange | null;
}

@Result('A record that a catalogue file creates, changes or removes.')
class CatalogueChange {
  @Member(String, 'Name of the list in the file, such as `applications`.') list!: string;
  @Member(String, '`create`, `update` or `remove`.') action!: string;
  @Member(Json, 'The fields that identify the record.') key!: unknown;
  @MemberOrNull(String, 'Name of the record; null if it has none.') name!: string | null;
  @Member([CatalogueFieldChange], 'The fields that change.') fields!: CatalogueFieldChange[];
  @MemberOrNull(ManualChange, 'Who removed the record by hand, although the file manages it.')
  removedByHand!: ManualChange | null;
}

@Result('What a catalogue file changes.')
class CataloguePlan {
  @MemberOrNull(String, 'The name under which the file manages its records.') managedBy!: string | null;
  @Member(String, 'The hash that applyCatalogue requires: 64 hexadecimal digits.') hash!: string;
  @Member(CataloguePlanSummary, 'How many records change.') summary!: CataloguePlanSummary;
  @Member([CatalogueChange], 'All records that change, in the order of the lists.') changes!: CatalogueChange[];
  @MemberOrNull(String, 'Guid of the new change set; null for a plan, and if nothing changes.')
  changeSetGuid!: string | null;
}

@ArgsType()
class CatalogueFile {
  @Member(
    Json,
    'The catalogue file: a JSON object with lists such as `applications`, as `gatehouse import` reads them.',
  )
  file!: unknown;
  @MemberOrNull(String, fieldOf(ChangeSet, 'managedBy').doc) managedBy?: string | null;
  @Field(() => Boolean, {
    defaultValue: false,
    description: 'Whether to remove records that the file manages but no longer contains.',
  })
  prune!: boolean;
  @Field(() => Boolean, { defaultValue: false, description: 'Whether to take over records that another file manages.' })
  takeOver!: boolean;
}

const optionsOf = ({ managedBy, prune, takeOver }: CatalogueFile) => ({
  managedBy: managedBy ?? undefined,
  prune,
  takeOver,
  effectItems: 0,
});

type Planned = FilePlan & Pick<ComputedEffect, 'requestLength' | 'countAgain'>;

@Resolver(() => CataloguePlan)
export class CataloguePlanResolver {
  @Mutation(() => CataloguePlan, {
    description:
      'Returns what applyCatalogue would change, and a hash of it. Nothing is changed. The request body may have at most 8 MiB from a pipeline or with `admin:write`, otherwise 256 KiB.',
  })
  @Requires('admin:read')
  async planCatalogue(@Args(() => CatalogueFile) args: CatalogueFile, @Load() { context }: Loader): Promise<Planned> {
    const plan = await under('file', planFile(context, args.file, optionsOf(args)));
    const requestLength = JSON.stringify(args.file).length;
    const countAgain: Planned['countAgain'] = async (later) => {
      const again = await planFile(later, args.file, optionsOf(args));
      return again.countedEffect ? effectOf({ ...again, requestLength, countAgain }) : undefined;
    };
    return { ...plan, requestLength, countAgain };
  }

  @Mutation(() => CataloguePlan, {
    description:
      'Makes exactly the changes of a plan as one change set. Fails with CONFLICT if the catalogue, the file or the options have changed since the plan.',
  })
  @Requires('admin:write')
  async applyCatalogue(
    @Args(() => CatalogueFile) args: CatalogueFile,
    @Arg('hash', () => String, { description: 'The hash of the plan.' }) hash: string,
    @Note() note: string | null | undefined,
    @Load() { context }: Loader,
  ): Promise<Planned> {
    requireHash(context, hash);
    const options = { ...optionsOf(args), ...(typeof note === 'string' && { note }) };
    const applied = await under('file', applyFile(context, args.file, hash, options));
    const { changeSetGuid } = applied;
    return { ...applied, countAgain: (later) => readPastEffectOf(later, changeSetGuid) };
  }

  @ComputedOrNull(Effect, 'The access that users and profiles gain and lose; null if nothing changes.')
  @Guarded(Profile)
  effect(@Root() plan: Planned) {
    return plan.countedEffect && effectOf(plan);
  }
}

const effectOf = ({ countedEffect, catalogueVersion, requestLength, countAgain }: Planned): ComputedEffect => ({
  ...countedEffect!,
  version: catalogueVersion,
  requestLength,
  countAgain,
});
