/** Access reviews: started, decided by owners, and finished as one change set. */
import { Arg, Args, Ctx, Extensions, Field, ID, InputType, Int, Mutation, Query, Resolver, Root } from 'type-graphql';
import { ChangeSet } from '../../../entities/ChangeSet.js';
import { Profile } from '../../../entities/Profile.js';
import { Review } from '../../../entities/Review.js';
import { ReviewItem } from '../../../entities/ReviewItem.js';
import { DateTime, Json, Uuid } from '../../../entities/scalars.js';
import { type GraphContext, Load, type Loader, onPrimary } from '../../../graphql/resolving/loaders.js';
import { connectionOf, type SliceArguments, SliceOfList, sliceOf } from '../../../graphql/schema/connection.js';
import { declareEnum } from '../../../graphql/schema/inputs.js';
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
} from '../../../graphql/schema/operations.js';
import { pageOfSlice, requireSlice } from '../../../services/read/readPages.js';
import type { Row } from '../../../services/read/select.js';
import { findUsesCountedSince } from '../../../services/tokens/grantUses.js';
import { DryRun, readMadeSet } from '../../changes/resolvers/changeSets.js';
import { Effect } from '../../changes/resolvers/effect.js';
import { type Decision, decideItems, decisionsMax, type ItemDecision } from '../reviews/decideItems.js';
import { cancelReview, finishReview, readReviewEffect } from '../reviews/finishReview.js';
import {
  type ReviewCounts as Counts,
  countItems,
  type ItemCriteria,
  itemCondition,
  listOwnerProgress,
  reviewCondition,
  unusedDaysDefault,
} from '../reviews/listItems.js';
import {
  type ReviewDefault as Fallback,
  type GrantKind,
  openReviewsMax,
  type ReviewCriteria,
  reviewItemsMax,
  sizeOfReview,
  startReview,
} from '../reviews/startReview.js';

const ReviewState = declareEnum('ReviewState', 'The state of an access review.', {
  OPEN: 'The reviewers decide about the grants.',
  FINISHED: 'The grants with the decision to end were ended.',
  CANCELLED: 'The review was cancelled: no grant was ended.',
});
const ReviewDefault = declareEnum<Fallback>('ReviewDefault', 'What happens to grants that nobody decided about.', {
  KEEP: 'The grants stay.',
  END: 'The grants end.',
});
const ReviewGrantKind = declareEnum<GrantKind>('ReviewGrantKind', 'What is granted to whom.', {
  USER_PROFILE: 'A user holds a profile in a role.',
  PROFILE_ACCESS_SCOPE: 'A profile has an access scope.',
});
const ReviewDecision = declareEnum<Decision>('ReviewDecision', 'The decision about a grant.', {
  KEEP: 'The grant stays.',
  END: 'The grant ends when the review is finished.',
  END_AT: 'The grant ends at the date `until`.',
});
const ReviewItemState = declareEnum<Decision | 'UNDECIDED'>('ReviewItemState', 'The decision about a grant, or none.', {
  KEEP: 'The grant stays.',
  END: 'The grant ends when the review is finished.',
  END_AT: 'The grant ends at the date `until`.',
  UNDECIDED: 'Nobody has decided yet.',
});
const ReviewOutcome = declareEnum('ReviewOutcome', 'What finishing a review did with a grant.', {
  KEPT: 'The grant stays.',
  ENDED: 'The grant was removed.',
  END_SET: 'The grant ends at the date of the decision, or earlier.',
  CHANGED: 'The grant was changed or removed after the start of the review, so finishing left it as it was.',
});

/** Declares a field of the record that the graph shows as an enumeration or as JSON. */
const shownAs = (type: () => unknown, description: string, nullable = false) =>
  Field(type as never, { description, nullable });
shownAs(() => ReviewState, 'The state of the review.')(Review.prototype, 'state');
shownAs(() => ReviewDefault, 'What happens to grants that nobody decided about.')(Review.prototype, 'undecided');
shownAs(() => Json, 'The filter of the grants that are reviewed.')(Review.prototype, 'filter');
shownAs(() => ReviewGrantKind, 'What is granted to whom.')(ReviewItem.prototype, 'kind');
shownAs(() => ReviewDecision, 'The decision; null if there is none yet.', true)(ReviewItem.prototype, 'decision');
shownAs(
  () => ReviewOutcome,
  'What finishing the review did with the grant; null until then.',
  true,
)(ReviewItem.prototype, 'outcome');

@InputType({
  description: 'The grants to review. Conditions are combined with AND; without conditions, all grants are reviewed.',
})
class ReviewFilter implements ReviewCriteria {
  @MemberOrNull([ReviewGrantKind], 'Grants of these kinds; absent: all kinds to which the other conditions can apply.')
  kinds?: GrantKind[] | null;
  @MemberOrNull([ID], 'Grants of these profiles.') profileIds?: string[] | null;
  @MemberOrNull([ID], 'Grants of profiles that these profiles own.') ownerProfileIds?: string[] | null;
  @MemberOrNull([String], 'Only users of these departments.') departments?: string[] | null;
  @MemberOrNull(Boolean, 'True: only profiles with administration scopes; false: only profiles without them.')
  administration?: boolean | null;
  @MemberOrNull(
    Int,
    'Only profiles that users were given at least this number of days ago and have not used since. Blocked users are left out.',
  )
  unusedDays?: number | null;
}

@InputType({ description: 'A decision about an item of a review.' })
class ReviewDecisionInput implements ItemDecision {
  @Member(Uuid, 'Guid of the item.') itemGuid!: string;
  @MemberOrNull(ReviewDecision, 'The decision; null takes it back.') decision?: Decision | null;
  @MemberOrNull(DateTime, 'When the grant ends; required with END_AT.') until?: string | null;
  @MemberOrNull(String, 'The reason.') note?: string | null;
  @MemberOrNull(
    Int,
    'The revision of the item that was read; required to replace a decision of another reviewer. If somebody has decided since, the request fails with CONFLICT.',
  )
  ifRevision?: number | null;
}

@InputType({ description: 'Conditions on items of a review, combined with AND.' })
class ReviewItemFilter implements ItemCriteria {
  @MemberOrNull(Boolean, 'Whether the caller decides about the item.') mine?: boolean | null;
  @MemberOrNull([ReviewItemState], 'The decision is one of these.') decision?: (Decision | 'UNDECIDED')[] | null;
  @MemberOrNull(Boolean, 'Whether no use by the user is known.') neverUsed?: boolean | null;
  @MemberOrNull(
    Int,
    'The user was given the profile at least this number of days ago and has not used it since, and is not blocked.',
  )
  unusedDays?: number | null;
  @MemberOrNull(Boolean, 'Whether few of the user’s colleagues hold the profile.') unusual?: boolean | null;
  @MemberOrNull(Boolean, 'Whether the grant was changed or removed after the start.') changed?: boolean | null;
  @MemberOrNull(ID, 'Id of the profile that owns the item; an empty text: items without an owner.') owner?:
    | string
    | null;
  @MemberOrNull(
    String,
    'Every word is contained in the name, e-mail address or department of the user, or in the name of the profile or access scope.',
  )
  text?: string | null;
}

@InputType({ description: 'Conditions on access reviews, combined with AND.' })
class ReviewListFilter {
  @MemberOrNull([ReviewState], 'The state is one of these.') state?: string[] | null;
  @MemberOrNull(String, 'Only reviews whose name contains every word, ignoring accents and case.') text?: string | null;
}

const ReviewPage = sliceOf(Review, ReviewListFilter);
const ReviewItemPage = sliceOf(ReviewItem, ReviewItemFilter);

@Result('The numbers of items of a review that the caller decides about.')
class ReviewerCounts {
  @Member(Int, 'The number of all items.') total!: number;
  @Member(Int, 'The number of items with a decision.') decided!: number;
  @Member(Int, 'The number of items without a decision.') undecided!: number;
  @Member(Int, 'The number of items whose grant has no known use.') neverUsed!: number;
  @Member(
    Int,
    `The number of items whose grant is at least ${unusedDaysDefault} days old and was not used since. Blocked users do not count.`,
  )
  unused!: number;
  @Member(Int, 'The number of items whose profile few colleagues hold.') unusual!: number;
}

@Result('The numbers of items of a review.')
class ReviewCounts {
  @Member(Int, 'The number of all items.') total!: number;
  @Member(Int, 'The number of items with a decision.') decided!: number;
  @Member(Int, 'The number of items without a decision.') undecided!: number;
  @Member(Int, 'The number of items with the decision KEEP.') keep!: number;
  @Member(Int, 'The number of items with the decision END.') end!: number;
  @Member(Int, 'The number of items with the decision END_AT.') endAt!: number;
  @Member(Int, 'The number of items whose grant was changed or removed after the start.') changed!: number;
  @Member(
    Int,
    'Increases with each decision. Send it as ifRevision to finish the review with the decisions that you have read.',
  )
  revision!: number;
  @Member(ReviewerCounts, 'The numbers of items that the caller decides about.') mine!: Counts['mine'];
}

@Resolver(() => ReviewCounts)
export class ReviewCountsResolver {
  @Computed(DateTime, 'Since when uses of grants are stored: of an earlier use nothing is known.')
  usesCountedSince(@Ctx() context: GraphContext) {
    return findUsesCountedSince(context);
  }
}

@Result('The size that an access review would have if it started now.')
class ReviewSize {
  @Member(Int, 'The number of grants.') grants!: number;
  @Member(Int, 'The number of people whose grants would be reviewed.') people!: number;
  @Member(Int, 'The number of profiles whose grants would be reviewed.') profiles!: number;
  @Member(Boolean, `Whether there are more than ${reviewItemsMax} grants, so that no review of them can be started.`)
  isTooLarge!: boolean;
}

@Result('The progress of the items of an owner.')
class ReviewOwner {
  @Member(Int, 'The number of items decided.') decided!: number;
  @Member(Int, 'The number of items.') total!: number;
  @RecordAt(
    Profile,
    'profileId',
    'The profile whose holders own the items; null for items without an owner, about which callers with admin:security decide.',
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
  reviews(@Args(() => ReviewPage) { filter, ...page }: SliceArguments<ReviewListFilter>, @Load() { primary }: Loader) {
    return primary.list(Review, page, reviewCondition(filter?.state, filter?.text));
  }

  @Query(() => ReviewSize, {
    description:
      'Returns how many grants startReview would review with this filter. Without a grant, it starts no review.',
  })
  @Requires(['admin:read', 'admin:security'])
  reviewSize(
    @Arg('filter', () => ReviewFilter, { description: 'The grants to review.' }) filter: ReviewFilter,
    @Ctx() context: GraphContext,
  ) {
    return sizeOfReview(context, filter);
  }

  @Mutation(() => Review, {
    description: `Starts an access review of the grants that match the filter now, at most ${reviewItemsMax}. Owners decide about grants of what they own; callers with admin:security decide about grants without an owner. At most ${openReviewsMax} reviews can be open.`,
  })
  @Requires(['admin:read', 'admin:security'])
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
    @Arg('reviewGuid', () => Uuid, {
      nullable: true,
      description:
        'Guid of the review, chosen by the caller: if the same is sent again with it, because an answer was lost, the answer has the first review.',
    })
    reviewGuid: string | null | undefined,
    @Load() load: Loader,
  ) {
    return readReview(load, await startReview(load.context, { name, filter, dueAt, undecided, note, reviewGuid }));
  }

  @Mutation(() => Review, {
    description: `Saves decisions about items that the caller decides about: all or none, at most ${decisionsMax}. Callers cannot decide about their own grants, nor about access scopes of profiles that they hold. Fails with CONFLICT after the review was finished or cancelled, and for items about which somebody else has decided, unless ifRevision names that decision.`,
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
      'Finishes a review: all grants with the decision to end are ended in one change set. Grants that were changed or removed after the start stay as they are. With dryRun nothing is changed, and `effect` says what finishing would do.',
  })
  @Requires(['admin:read', 'admin:security'])
  async finishReview(
    @ArgOf(Review, 'reviewGuid') guid: string,
    @Arg('ifRevision', () => Int, {
      nullable: true,
      description:
        'The revision in `counts` that the caller has read. If somebody has decided since, the request fails with CONFLICT.',
    })
    ifRevision: number | null | undefined,
    @DryRun() dryRun: boolean,
    @Load() load: Loader,
  ) {
    await finishReview(load.primary.context, guid, { dryRun, ifRevision });
    return readReview(load, guid);
  }

  @Mutation(() => Review, {
    description:
      'Cancels a review that was started by mistake: no grant is ended, and the decisions are kept as evidence. Fails with CONFLICT unless the review is open.',
  })
  @Requires(['admin:read', 'admin:security'])
  async cancelReview(@ArgOf(Review, 'reviewGuid') guid: string, @Load() load: Loader) {
    await cancelReview(load.primary.context, guid);
    return readReview(load, guid);
  }

  @Computed(ReviewCounts, 'The numbers of items of the review.')
  @Needs(Review, 'reviewId')
  counts(@Root() { reviewId }: Row, @Ctx() context: GraphContext) {
    return countItems(context, String(reviewId));
  }

  @Computed(ownerConnection, 'The progress by owner, most undecided items first.')
  @Needs(Review, 'reviewId')
  async owners(@Root() { reviewId }: Row, @Args(() => SliceOfList) slice: SliceOfList, @Ctx() context: GraphContext) {
    return pageOfSlice(await listOwnerProgress(context, String(reviewId), requireSlice(context, slice)));
  }

  @Computed(connectionOf(ReviewItem), 'The grants of the review, as they were when the review was started.')
  @Needs(Review, 'reviewId')
  items(
    @Root() { reviewId }: Row,
    @Args(() => ReviewItemPage) { filter, ...page }: SliceArguments<ReviewItemFilter>,
    @Load() { context, primary }: Loader,
  ) {
    return primary.list(ReviewItem, page, itemCondition(context, String(reviewId), filter ?? {}));
  }

  @ComputedOrNull(
    Effect,
    'What finishing the review with the current decisions would do, computed at most once a minute; for a finished review, what finishing it did. Null if no grant ends.',
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
    'The change set that ended grants when the review was finished; null until then, if no grant ended, and for callers without the permission.',
  )
  @Needs(Review, 'changeSetGuid')
  @Extensions({ guardedBy: ChangeSet })
  changeSet(@Root() { changeSetGuid }: Row, @Load() load: Loader) {
    return readMadeSet(load, changeSetGuid);
  }
}
