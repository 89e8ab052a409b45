/** Applies, previews and undoes change sets, and reads their events. */
import type { GraphQLResolveInfo } from 'graphql';
import { Arg, Args, Field, FieldResolver, ID, Int, Mutation, Resolver, Root } from 'type-graphql';
import { AuditEvent } from '../../../entities/AuditEvent.js';
import { ChangeSet } from '../../../entities/ChangeSet.js';
import { fieldOf } from '../../../entities/description.js';
import { Profile } from '../../../entities/Profile.js';
import { RecordVersion } from '../../../entities/RecordVersion.js';
import { Load, type Loader, refuseField } from '../../../graphql/resolving/loaders.js';
import { isSelected } from '../../../graphql/resolving/selection.js';
import { pageArgumentsOf } from '../../../graphql/schema/connection.js';
import { ArgOf, Computed, ComputedOrNull, Guarded, Needs, Requires } from '../../../graphql/schema/operations.js';
import { mayRead } from '../../../services/read/projection.js';
import { type PageArguments, pageInMemory } from '../../../services/read/readPages.js';
import type { Row } from '../../../services/read/select.js';
import { type AppliedChangeSet, applyChanges, countRemovedUsers, undoChangeSet } from '../applyChanges.js';
import { readPastEffect } from '../effect.js';
import { summariesOf } from '../history/summary.js';
import { planChanges } from '../planChanges.js';
import { changeItemsMax, changesMax } from '../plannedChange.js';
import { findUndoable } from '../undo.js';
import { ChangeInput } from './changeInput.js';
import { Effect } from './effect.js';

// an ID, since callers send it back and do not read it
Field(() => ID, { description: fieldOf(ChangeSet, 'catalogueVersion').doc })(ChangeSet.prototype, 'catalogueVersion');

export const DryRun = () =>
  Arg('dryRun', () => Boolean, {
    defaultValue: false,
    description: 'Whether to return the result without changing anything.',
  });
export const Note = () =>
  Arg('note', () => String, { nullable: true, description: 'The reason for the change, which the history shows.' });

/** A change set that was read, or that this request made. */
type Parent = Row & { result?: AppliedChangeSet };

const asParent = (result: AppliedChangeSet): Parent => ({ ...result.row, result });

/** The change set that a proposal or a review made: null until then, and for callers without the permission, with an error. */
export function readMadeSet(load: Loader, changeSetGuid: unknown) {
  if (!changeSetGuid) return null;
  if (!mayRead(load.context, ChangeSet)) return refuseField(load.context, load.info, ChangeSet);
  return load.primary.record(ChangeSet, 'changeSetGuid', changeSetGuid);
}

const detailsOf = (info: GraphQLResolveInfo) => ({
  events: isSelected(info, ['events']),
  effect: isSelected(info, ['effect']),
  removedUsers: isSelected(info, ['removedUsers']),
});

@Resolver(() => ChangeSet)
export class ChangeSetResolver {
  @Mutation(() => ChangeSet, {
    description: `Applies several changes in order in one transaction: at most ${changesMax} changes with ${changeItemsMax} items in total. If nothing changes, no change set is stored and the answer is that of a dry run.`,
  })
  @Requires('admin:write')
  async applyChanges(
    @Arg('changes', () => [ChangeInput], { description: 'The changes to apply.' }) changes: ChangeInput[],
    @DryRun() dryRun: boolean,
    @Note() note: string | null | undefined,
    @Arg('ifCatalogueVersion', () => ID, {
      nullable: true,
      description:
        'The catalogue version that the caller has read. If any record has changed since, the request fails with CONFLICT.',
    })
    ifCatalogueVersion: string | null | undefined,
    @Load() load: Loader,
  ) {
    const options = { dryRun, note: note ?? null, ifCatalogueVersion: ifCatalogueVersion ?? null };
    const details = detailsOf(load.info);
    const result = await applyChanges(load.context, planChanges(changes), { ...options, details });
    if (result.isDryRun && result.effect) result.effect.changes = changes;
    return asParent(result);
  }

  @Mutation(() => ChangeSet, {
    description:
      'Undoes a change set by a new change set. Fails with CONFLICT, which names the records, if records have changed since.',
  })
  @Requires('admin:write')
  async undoChangeSet(
    @ArgOf(ChangeSet, 'changeSetGuid') changeSetGuid: string,
    @DryRun() dryRun: boolean,
    @Note() note: string | null | undefined,
    @Load() load: Loader,
  ) {
    const options = { dryRun, note: note ?? null, details: detailsOf(load.info) };
    const result = await undoChangeSet(load.context, changeSetGuid, options);
    if (result.isDryRun && result.effect) result.effect.origin = { undo: changeSetGuid };
    return asParent(result);
  }

  @Computed(Boolean, 'Whether this is the result of a dry run, which changed nothing.')
  isDryRun(@Root() { result }: Parent) {
    return result?.isDryRun ?? false;
  }

  @Computed(
    Int,
    'Users whom this change set removes for good, for example the undo of an import of new people. Their personal data and guids are not kept: an undo of it is refused, and the same people have other guids if they are imported again.',
  )
  @Needs(ChangeSet, 'changeSetId')
  removedUsers(@Root() { result, changeSetId }: Parent, @Load() load: Loader) {
    if (result) return result.removedUsers ?? 0;
    return load.batched(String(changeSetId), (ids) => countRemovedUsers({ sql: load.context.reads }, ids));
  }

  @ComputedOrNull(ChangeSet, 'The latest change set that undoes this one.')
  @Needs(ChangeSet, 'changeSetId')
  @Guarded(ChangeSet)
  undoneBy(@Root() { result, changeSetId }: Parent, @Load() load: Loader) {
    return result ? null : load.record(ChangeSet, 'undoesId', changeSetId);
  }

  @FieldResolver()
  @Guarded(ChangeSet)
  undoes(@Root() { undoes }: Parent) {
    return undoes;
  }

  // the author of a change set sees it, but not the audit log
  @FieldResolver()
  @Guarded(AuditEvent)
  events(
    @Root() { result, changeSetId }: Parent,
    @Args(() => pageArgumentsOf(AuditEvent)) page: PageArguments,
    @Load() load: Loader,
  ) {
    if (result?.events) return pageInMemory(load.context, result.events, page);
    return load.page(AuditEvent, 'changeSetId', changeSetId, page);
  }

  @FieldResolver()
  @Guarded(RecordVersion)
  versions(
    @Root() { result, changeSetId }: Parent,
    @Args(() => pageArgumentsOf(RecordVersion)) page: PageArguments,
    @Load() load: Loader,
  ) {
    return result?.isDryRun ? null : load.page(RecordVersion, 'changeSetId', changeSetId, page);
  }

  // the summary names records of the audit events
  @ComputedOrNull(
    String,
    'What the change set did, in one line, such as “Plant 010 given to 381 applications”; null for a dry run.',
  )
  @Needs(ChangeSet, 'changeSetGuid')
  @Guarded(AuditEvent)
  summary(@Root() { result, changeSetGuid }: Parent, @Load() load: Loader) {
    if (result?.isDryRun) return null;
    return load.batched(String(changeSetGuid), (guids) => summariesOf(load.context, guids));
  }

  @ComputedOrNull(
    Boolean,
    'Whether all that the change set changed has a history that is kept, so that it can be undone unless others changed it since; null for a dry run.',
  )
  @Needs(ChangeSet, 'changeSetGuid')
  isUndoable(@Root() { result, changeSetGuid }: Parent, @Load() load: Loader) {
    if (result?.isDryRun) return null;
    return load.batched(String(changeSetGuid), (guids) => findUndoable(load.context, guids));
  }

  // the effect names profiles, applications and people
  @ComputedOrNull(
    Effect,
    'The access that users and profiles gain and lose by this change set; null if it is older than the histories that are kept.',
  )
  @Needs(ChangeSet, 'changeSetId')
  @Guarded(Profile)
  effect(@Root() { result, changeSetId }: Parent, @Load() load: Loader) {
    return result ? (result.effect ?? null) : readPastEffect(load.context, String(changeSetId));
  }
}
