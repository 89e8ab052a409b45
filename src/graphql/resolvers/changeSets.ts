/** Change sets: several changes as one, tried or made; who gains and loses what by them; their events, and their undoing. */
import type { GraphQLResolveInfo } from 'graphql';
import { Arg, Args, Field, FieldResolver, ID, Int, Mutation, ObjectType, Resolver, Root } from 'type-graphql';
import { Application } from '../../entities/Application.js';
import { AuditEvent } from '../../entities/AuditEvent.js';
import { ChangeSet } from '../../entities/ChangeSet.js';
import { fieldOf } from '../../entities/description.js';
import { Profile } from '../../entities/Profile.js';
import { RecordVersion } from '../../entities/RecordVersion.js';
import { User } from '../../entities/User.js';
import { applyChanges, changeItemsMax, changesMax, type MadeChangeSet } from '../../services/changes/applyChanges.js';
import { type AccessDelta as Delta, type AccessItem as Item, readPastEffect } from '../../services/changes/effect.js';
import { undoChangeSet } from '../../services/changes/undo.js';
import { type PageArguments, pageInMemory } from '../../services/read/readPages.js';
import type { Row } from '../../services/read/select.js';
import { Load, type Loader } from '../resolving/loaders.js';
import { effectSizeOf, isAskedFor, itemsDefault, peopleDefault } from '../resolving/selection.js';
import { ChangeInput, plannedChanges } from '../schema/changes.js';
import { pageArgumentsOf } from '../schema/connection.js';
import { ArgOf, Guarded, Needs, Requires } from '../schema/operations.js';

@ObjectType({
  description: 'A profile gains or loses an application or an entry of its scopes claim, or a user a profile.',
  simpleResolvers: true,
})
class AccessItem {
  @Field(() => Profile, { description: 'The profile.' }) profile!: Profile;
  @Field(() => Application, { nullable: true, description: 'The application that it opens, or no longer.' })
  application!: Application | null;
  @Field(() => String, { nullable: true, description: 'The entry of its scopes claim.' }) scope!: string | null;
  @Field(() => User, { nullable: true, description: 'The user who holds it, or no longer.' }) user!: User | null;
  @Field(() => Int, {
    description: 'How many users gain or lose it: those who hold the profile; 1 where `user` is named.',
  })
  users!: number;
}

@ObjectType({
  description: 'What is gained, or lost: exact counts, of users and sessions that hold a profile concerned, each once.',
  simpleResolvers: true,
})
class AccessDelta {
  @Field(() => Int, { description: 'Applications that some profile gains or loses.' }) applications!: number;
  @Field(() => Int, { description: 'Entries of the scopes claim that some profile gains or loses.' }) scopes!: number;
  @Field(() => Int, { description: 'Profiles that gain or lose, or are gained or lost.' }) profiles!: number;
  @Field(() => Int, { description: 'Users concerned.' }) users!: number;
  @Field(() => Int, { description: 'Active renewal tokens concerned.' }) sessions!: number;
}

@ObjectType({ description: 'Who gains and who loses what.', simpleResolvers: true })
class Effect {
  @Field(() => AccessDelta, { description: 'What is there after and was not before.' }) gains!: AccessDelta;
  @Field(() => AccessDelta, { description: 'What was there before and is no more.' }) loses!: AccessDelta;
}

// an ID, since callers send it back and do not read it
Field(() => ID, { description: fieldOf(ChangeSet, 'catalogueVersion').doc })(ChangeSet.prototype, 'catalogueVersion');

/** The first items of a list; only as many are read as the query names. */
const First = (defaultValue: number) =>
  Arg('first', () => Int, { nullable: true, defaultValue, description: 'The first so many.' });

@Resolver(() => AccessDelta)
export class AccessDeltaResolver {
  @FieldResolver(() => [AccessItem], {
    description: 'Users who gain or lose a profile first, then applications, then scopes.',
  })
  items(@Root() { items }: Delta, @First(itemsDefault) first: number | null) {
    return items.slice(0, first ?? itemsDefault);
  }
}

@Resolver(() => AccessItem)
export class AccessItemResolver {
  @FieldResolver(() => [User], { description: 'Who they are, by name.' })
  people(@Root() { people }: Item, @First(peopleDefault) first: number | null) {
    return people.slice(0, first ?? peopleDefault);
  }
}

const DryRun = () =>
  Arg('dryRun', () => Boolean, {
    defaultValue: false,
    description: 'Only tell what would be: nothing is changed.',
  });
const Note = () => Arg('note', () => String, { nullable: true, description: 'Why, for the history.' });

/** A change set that was read, or that this request made. */
type Parent = Row & { made?: MadeChangeSet };

const asParent = (made: MadeChangeSet): Parent => ({ ...made.row, made });

const wantedOf = (info: GraphQLResolveInfo) => ({
  events: isAskedFor(info, ['events']),
  effect: isAskedFor(info, ['effect']) ? effectSizeOf(info, ['effect']) : undefined,
});

@Resolver(() => ChangeSet)
export class ChangeSetResolver {
  @Mutation(() => ChangeSet, {
    description: `Makes several changes as one, all or nothing and in their order: at most ${changesMax}, with ${changeItemsMax} items in all. Where they change nothing no set is kept: the answer is that of a dry run.`,
  })
  @Requires('admin:write')
  async applyChanges(
    @Arg('changes', () => [ChangeInput], { description: 'The changes.' }) changes: ChangeInput[],
    @DryRun() dryRun: boolean,
    @Note() note: string | null | undefined,
    @Arg('ifCatalogueVersion', () => ID, {
      nullable: true,
      description: 'The version that was read: CONFLICT when anything administered changed since.',
    })
    ifCatalogueVersion: string | null | undefined,
    @Load() load: Loader,
  ) {
    const options = { dryRun, note: note ?? null, ifCatalogueVersion: ifCatalogueVersion ?? null };
    return asParent(
      await applyChanges(load.context, plannedChanges(changes), { ...options, wanted: wantedOf(load.info) }),
    );
  }

  @Mutation(() => ChangeSet, {
    description:
      'Takes a change set back, as a change set of its own; CONFLICT names the records that somebody changed since.',
  })
  @Requires('admin:write')
  async undoChangeSet(
    @ArgOf(ChangeSet, 'changeSetGuid') changeSetGuid: string,
    @DryRun() dryRun: boolean,
    @Note() note: string | null | undefined,
    @Load() load: Loader,
  ) {
    const options = { dryRun, note: note ?? null, wanted: wantedOf(load.info) };
    return asParent(await undoChangeSet(load.context, changeSetGuid, options));
  }

  @FieldResolver(() => Boolean, { description: 'Whether nothing was changed, and this is what would be.' })
  isDryRun(@Root() { made }: Parent) {
    return made?.isDryRun ?? false;
  }

  @FieldResolver(() => ChangeSet, { nullable: true, description: 'The last change set that undoes it.' })
  @Needs(ChangeSet, 'changeSetId')
  @Guarded(ChangeSet)
  undoneBy(@Root() { made, changeSetId }: Parent, @Load() load: Loader) {
    return made ? null : load.record(ChangeSet, 'undoesId', changeSetId);
  }

  @FieldResolver()
  @Guarded(ChangeSet)
  undoes(@Root() { undoes }: Parent) {
    return undoes;
  }

  // who makes a set sees it, and not the audit log
  @FieldResolver()
  @Guarded(AuditEvent)
  events(
    @Root() { made, changeSetId }: Parent,
    @Args(() => pageArgumentsOf(AuditEvent)) page: PageArguments,
    @Load() load: Loader,
  ) {
    if (made?.events) return pageInMemory(made.events, page);
    return load.page(AuditEvent, 'changeSetId', changeSetId, page);
  }

  @FieldResolver()
  @Guarded(RecordVersion)
  versions(
    @Root() { made, changeSetId }: Parent,
    @Args(() => pageArgumentsOf(RecordVersion)) page: PageArguments,
    @Load() load: Loader,
  ) {
    return made?.isDryRun ? null : load.page(RecordVersion, 'changeSetId', changeSetId, page);
  }

  // it names profiles, applications and people
  @FieldResolver(() => Effect, { nullable: true, description: 'Who gains and who loses what by it.' })
  @Needs(ChangeSet, 'changeSetId')
  @Guarded(Profile)
  effect(@Root() { made, changeSetId }: Parent, @Load() load: Loader) {
    return made
      ? (made.effect ?? null)
      : readPastEffect(load.context, String(changeSetId), effectSizeOf(load.info, []));
  }
}
