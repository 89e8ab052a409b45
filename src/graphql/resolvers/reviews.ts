/** Access reviews: started, decided by owners, and finished as one change set. */
import { Arg, Args, Ctx, Extensions, Field, ID, InputType, Int, Mutation, Query, Resolver, Root } from 'type-graphql';
import { ChangeSet } from '../../entities/ChangeSet.js';
import { Profile } from '../../entities/Profile.js';
import { Review } from '../../entities/Review.js';
import { ReviewItem } from '../../entities/ReviewItem.js';
import { DateTime, Json, Uuid } from '../../entities/scalars.js';
import { pageOfSlice, requireSlice } from '../../services/read/readPages.js';
import type { Row } from '../../services/read/select.js';
import { type Decision, decideItems, decisionsMax, type ItemDecision } from '../../services/reviews/decideItems.js';
import { cancelReview, finishReview, readReviewEffect } from '../../services/reviews/finishReview.js';
import {
  type ReviewCounts as Counts,
  countItems,
  type ItemCriteria,
  itemCondition,
  listOwnerProgress,
  reviewCondition,
  unusedDaysDefault,
} from '../../services/reviews/listItems.js';
import {
  type ReviewDefault as Fallback,
  type GrantKind,
  openReviewsMax,
  type ReviewCriteria,
  reviewItemsMax,
  startReview,
} from '../../services/reviews/startReview.js';
import { type GraphContext, Load, type Loader, onPrimary } from '../resolving/loaders.js';
import { connectionOf, type Slice, SliceOfList, sliceOf } from '../schema/connection.js';
import { declareEnum } from '../schema/inputs.js';
import {
  ArgOf,
  Computed,
  ComputedOrNull,
  Guarded,
  Member,
  MemberOrNull,
  Needs,
  RecordAt,
  Requires,
  Result,
} from '../schema/operations.js';
import { DryRun, readMadeSet } from './changeSets.js';
import { Effect } from './effect.js';

const ReviewState = declareEnum('ReviewState', 'The state of an access review.', {
  OPEN: 'Its reviewers decide.',
  FINISHED: 'Its ends were applied.',
  CANCELLED: 'It was cancelled: nothing was ended.',
});
const ReviewDefault = declareEnum<Fallback>('ReviewDefault', 'What happens to grants that nobody decided about.', {
  KEEP: 'They stay.',
  END: 'They end.',
});
const ReviewGrantKind = declareEnum<GrantKind>('ReviewGrantKind', 'What is granted to whom.', {
  USER_PROFILE: 'A user holds a profile in a role.',
  PROFILE_ACCESS_SCOPE: 'A profile has an access scope.',
});
const ReviewDecision = declareEnum<Decision>('ReviewDecision', 'The decision about a grant.', {
  KEEP: 'It stays.',
  END: 'It ends when the review is finished.',
  END_AT: 'It ends at a date.',
});
const ReviewItemState = declareEnum<Decision | 'UNDECIDED'>('ReviewItemState', 'The decision about a grant, or none.', {
  KEEP: 'It stays.',
  END: 'It ends when the review is finished.',
  END_AT: 'It ends at a date.',
  UNDECIDED: 'Nobody has decided yet.',
});
const ReviewOutcome = declareEnum('ReviewOutcome', 'What finishing a review did with a grant.', {
  KEPT: 'It stays.',
  ENDED: 'It was removed.',
  END_SET: 'It ends at the date of the decision, or earlier.',
  CHANGED: 'It was changed or removed after the start of the review, and was not touched.',
});

/** Declares a field of the record that the graph shows as an enumeration or as JSON. */
const shownAs = (type: () => unknown, description: string, nullable = false) =>
  Field(type as never, { description, nullable });
shownAs(() => ReviewState, 'The state of the review.')(Review.prototype, 'state');
shownAs(() => ReviewDefault, 'What happens to grants that nobody decided about.')(Review.prototype, 'undecided');
shownAs(() => Json, 'The filter of the grants that are reviewed.')(Review.prototype, 'filter');
shownAs(() => ReviewGrantKind, 'What is granted to whom.')(ReviewItem.prototype, 'kind');
shownAs(() => ReviewDecision, 'The decision; null before.', true)(ReviewItem.prototype, 'decision');
shownAs(
  () => ReviewOutcome,
  'What finishing the review did with it; null before.',
  true,
)(ReviewItem.prototype, 'outcome');

@InputType({
  description: 'The grants that are reviewed. Conditions are combined with AND; without any, all grants are.',
})
class ReviewFilter implements ReviewCriteria {
  @MemberOrNull([ReviewGrantKind], 'Grants of these kinds; absent: all that the conditions allow.')
  kinds?: GrantKind[] | null;
  @MemberOrNull([ID], 'Grants of these profiles.') profileIds?: string[] | null;
  @MemberOrNull([ID], 'Grants of profiles that these profiles own.') ownerProfileIds?: string[] | null;
  @MemberOrNull([String], 'Only users of these departments.') departments?: string[] | null;
  @MemberOrNull(Boolean, 'True: only profiles with administration scopes; false: only others.')
  administration?: boolean | null;
  @MemberOrNull(Int, 'Only users who did not use the profile in this many days, or never.') unusedDays?: number | null;
}

@InputType({ description: 'A decision about an item of a review.' })
class ReviewDecisionInput implements ItemDecision {
  @Member(Uuid, 'Guid of the item.') itemGuid!: string;
  @MemberOrNull(ReviewDecision, 'The decision; null takes it back.') decision?: Decision | null;
  @MemberOrNull(DateTime, 'When the grant ends; required with END_AT.') until?: string | null;
  @MemberOrNull(String, 'The reason.') note?: string | null;
}

@InputType({ description: 'Conditions on items of a review, combined with AND.' })
class ReviewItemFilter implements ItemCriteria {
  @MemberOrNull(Boolean, 'Whether the caller decides about it.') mine?: boolean | null;
  @MemberOrNull([ReviewItemState], 'With one of these decisions.') decision?: (Decision | 'UNDECIDED')[] | null;
  @MemberOrNull(Boolean, 'Whether no use by the user is known.') neverUsed?: boolean | null;
  @MemberOrNull(Int, 'Not used in this many days, or never.') unusedDays?: number | null;
  @MemberOrNull(Boolean, 'Whether few of the user’s colleagues hold the profile.') unusual?: boolean | null;
  @MemberOrNull(Boolean, 'Whether the grant was changed or removed after the start.') changed?: boolean | null;
  @MemberOrNull(ID, 'Id of the profile that owns it; empty: without an owner.') owner?: string | null;
  @MemberOrNull(
    String,
    'Every word is contained in the name, e-mail address or department of the user, or in the name of the profile or access scope.',
  )
  text?: string | null;
}

@InputType({ description: 'Conditions on access reviews, combined with AND.' })
class ReviewListFilter {
  @MemberOrNull([ReviewState], 'In one of these states.') state?: string[] | null;
  @MemberOrNull(String, 'Only reviews whose name contains every word, ignoring accents and case.') text?: string | null;
}

const ReviewPage = sliceOf(Review, ReviewListFilter);
const ReviewItemPage = sliceOf(ReviewItem, ReviewItemFilter);

@Result('Numbers of items that the caller decides about.')
class ReviewerCounts {
  @Member(Int, 'All.') total!: number;
  @Member(Int, 'Those decided.') decided!: number;
  @Member(Int, 'Those without a decision.') undecided!: number;
  @Member(Int, 'Those of which no use is known.') neverUsed!: number;
  @Member(Int, `Those not used in ${unusedDaysDefault} days, or never.`) unused!: number;
  @Member(Int, 'Those that few colleagues hold.') unusual!: number;
}

@Result('Numbers of items of a review.')
class ReviewCounts {
  @Member(Int, 'All.') total!: number;
  @Member(Int, 'Those decided.') decided!: number;
  @Member(Int, 'Those without a decision.') undecided!: number;
  @Member(Int, 'Those with the decision KEEP.') keep!: number;
  @Member(Int, 'Those with the decision END.') end!: number;
  @Member(Int, 'Those with the decision END_AT.') endAt!: number;
  @Member(Int, 'Those changed or removed after the start.') changed!: number;
  @Member(ReviewerCounts, 'Those that the caller decides about.') mine!: Counts['mine'];
}

@Result('The progress of the items of an owner.')
class ReviewOwner {
  @Member(Int, 'The number of items decided.') decided!: number;
  @Member(Int, 'The number of items.') total!: number;
  @RecordAt(
    Profile,
    'profileId',
    'The profile whose holders own the items; null for items without an owner, which are decided with admin:security.',
    { nullable: true },
  )
  owner!: Profile | null;
}
const ownerConnection = connectionOf(ReviewOwner);

const readReview = ({ primary }: Loader, guid: string) => primary.record(Review, 'reviewGuid', guid);

@Resolver(() => Review)
export class ReviewResolver {
  @Query(() => Review, {
    nullable: true,
    description: 'Returns the Review with this reviewGuid, or null if there is none.',
  })
  @Requires('admin:read')
  review(@ArgOf(Review, 'reviewGuid') guid: string, @Load() load: Loader) {
    return readReview(load, guid);
  }

  @Query(() => connectionOf(Review), { description: 'Returns a page of access reviews.' })
  @Requires('admin:read')
  reviews(@Args(() => ReviewPage) { filter, ...page }: Slice<ReviewListFilter>, @Load() { primary }: Loader) {
    return primary.list(Review, page, reviewCondition(filter?.state, filter?.text));
  }

  @Mutation(() => Review, {
    description: `Starts an access review of the grants that match the filter, as they are now: at most ${reviewItemsMax}. Their owners decide; what has no owner is decided with admin:security. At most ${openReviewsMax} reviews are open. Also needs admin:security.`,
  })
  @Requires('admin:read')
  async startReview(
    @Arg('name', () => String, { description: 'Display name.' }) name: string,
    @Arg('filter', () => ReviewFilter, { description: 'The grants to review.' }) filter: ReviewFilter,
    @Arg('dueAt', () => DateTime, { description: 'When the decisions are due.' }) dueAt: string,
    @Arg('undecided', () => ReviewDefault as never, {
      description: 'What happens to grants that nobody decided about.',
    })
    undecided: Fallback,
    @Arg('note', () => String, { nullable: true, description: 'The purpose of the review.' }) note:
      | string
      | null
      | undefined,
    @Load() load: Loader,
  ) {
    return readReview(load, await startReview(load.context, { name, filter, dueAt, undecided, note }));
  }

  @Mutation(() => Review, {
    description: `Saves decisions about items that the caller decides about: all or none, at most ${decisionsMax}. Nobody decides about a grant of their own. Fails with CONFLICT after the review was finished or cancelled.`,
  })
  @Requires('admin:read')
  async decideReviewItems(
    @ArgOf(Review, 'reviewGuid') guid: string,
    @Arg('items', () => [ReviewDecisionInput], { description: 'The decisions.' }) items: ReviewDecisionInput[],
    @Load() load: Loader,
  ) {
    await decideItems(load.context, guid, items);
    return readReview(load, guid);
  }

  @Mutation(() => Review, {
    description:
      'Finishes a review: all grants that are to end are ended in one change set. Grants that were changed or removed after the start are not touched. With dryRun nothing is changed, and `effect` says what the ends would do. Also needs admin:security.',
  })
  @Requires('admin:read')
  async finishReview(@ArgOf(Review, 'reviewGuid') guid: string, @DryRun() dryRun: boolean, @Load() load: Loader) {
    await finishReview(load.primary.context, guid, dryRun);
    return readReview(load, guid);
  }

  @Mutation(() => Review, {
    description:
      'Cancels a review that was started by mistake: nothing is ended, and its decisions stay as evidence. Fails with CONFLICT unless it is open. Also needs admin:security.',
  })
  @Requires('admin:read')
  async cancelReview(@ArgOf(Review, 'reviewGuid') guid: string, @Load() load: Loader) {
    await cancelReview(load.primary.context, guid);
    return readReview(load, guid);
  }

  @Computed(ReviewCounts, 'Numbers of its items.')
  @Needs(Review, 'reviewId')
  counts(@Root() { reviewId }: Row, @Ctx() context: GraphContext) {
    return countItems(context, String(reviewId));
  }

  @Computed(ownerConnection, 'The progress by owner, most undecided items first.')
  @Needs(Review, 'reviewId')
  async owners(@Root() { reviewId }: Row, @Args(() => SliceOfList) slice: SliceOfList, @Ctx() context: GraphContext) {
    return pageOfSlice(await listOwnerProgress(context, String(reviewId), requireSlice(context, slice)));
  }

  @Computed(connectionOf(ReviewItem), 'Its grants, as they were when it was started.')
  @Needs(Review, 'reviewId')
  items(
    @Root() { reviewId }: Row,
    @Args(() => ReviewItemPage) { filter, ...page }: Slice<ReviewItemFilter>,
    @Load() { context, primary }: Loader,
  ) {
    return primary.list(ReviewItem, page, itemCondition(context, String(reviewId), filter ?? {}));
  }

  @ComputedOrNull(
    Effect,
    'What the ends so far would do, computed at most once a minute; for a finished review, what they did. Null if nothing ended.',
  )
  @Needs(Review, 'reviewGuid')
  @Guarded(Profile)
  async effect(@Root() { reviewGuid }: Row, @Ctx() context: GraphContext) {
    return (await readReviewEffect(onPrimary(context), String(reviewGuid)))?.effect ?? null;
  }

  @ComputedOrNull(DateTime, 'When `effect` was computed.')
  @Needs(Review, 'reviewGuid')
  @Guarded(Profile)
  async effectAt(@Root() { reviewGuid }: Row, @Ctx() context: GraphContext) {
    return (await readReviewEffect(onPrimary(context), String(reviewGuid)))?.at ?? null;
  }

  @ComputedOrNull(
    ChangeSet,
    'The change set of its ends; null before, if nothing ended, and for callers without the permission.',
  )
  @Needs(Review, 'changeSetGuid')
  @Extensions({ guardedBy: ChangeSet })
  changeSet(@Root() { changeSetGuid }: Row, @Load() load: Loader) {
    return readMadeSet(load, changeSetGuid);
  }
}
