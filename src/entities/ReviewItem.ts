/** A grant of an access review as it was when the review started, with the decision about it. */
import { graphOnly, nowhere, visible } from './description.js';
import { Flag, Guid, Int, Key, Long, Record, Text, ToOne, ToUser, When } from './fields.js';
import { Profile } from './Profile.js';
import { Review } from './Review.js';
import { Role } from './Role.js';
import type { User } from './User.js';

@Record({
  table: 'review_items',
  doc: 'A grant of an access review as it was when the review started, with the decision about it.',
  index: [['reviewId', 'reviewItemId']],
  faces: visible,
})
export class ReviewItem {
  @Key('bigint', 'Number of the item.', { faces: nowhere }) reviewItemId!: string;
  @Guid('Guid of the item.', { unique: true, default: 'gen_random_uuid()' }) itemGuid!: string;
  @Long('Number of the review.', { faces: nowhere }) reviewId!: string;
  @Text('What is granted to whom.', { max: 20, faces: nowhere }) kind!: string;
  @Int('Number of the link.', { faces: nowhere }) linkId!: number;
  @Int('Revision of the link at the start.', { faces: nowhere }) linkRevision!: number;
  @Guid('Guid of the user who holds the profile; null for an access scope of a profile.', { nullable: true })
  userGuid!: string | null;
  @Text('Name of the user.', { max: 600, nullable: true }) userName!: string | null;
  @Text('E-mail address of the user.', { max: 320, nullable: true }) userEmail!: string | null;
  @Text('Department of the user.', { max: 255, nullable: true }) department!: string | null;
  @Text('Id of the profile.', { max: 50 }) profileId!: string;
  @Text('Name of the profile.', { max: 255 }) profileName!: string;
  @Text('Id of the role of the user in the profile.', { max: 50, nullable: true }) roleId!: string | null;
  @Guid('Guid of the access scope that the profile has; null for a user.', { nullable: true })
  accessScopeGuid!: string | null;
  @Text('Name of the access scope.', { max: 255, nullable: true }) accessScopeName!: string | null;
  @When('When the grant ends without a decision; null: never.', { nullable: true, isEnd: true })
  validUntil!: Date | null;
  @Text('Name of the file in git that manages the grant; null if there is none.', { max: 100, nullable: true })
  managedBy!: string | null;
  @Guid('Guid of the user who made or last changed the grant.') grantedBy!: string;
  @When('When the grant was made or last changed.') grantedAt!: Date;
  @When('When the grant was made; null in reviews that began without it.', { nullable: true, faces: nowhere })
  givenAt!: Date | null;
  @When('The day on which the user last used the profile; null: no use is known.', { nullable: true })
  lastUsedAt!: Date | null;
  @Int('The number of applications that the grant opens.') opens!: number;
  @Flag(
    'Whether fewer than 5 % of the users of the department hold the profile; only in departments of at least 20 users.',
  )
  isUnusual!: boolean;
  @Text('Id of the profile that owns the profile of the grant; null if it has no owner.', { max: 50, nullable: true })
  ownerProfileId!: string | null;
  @Int(
    'Increases with each decision. Send it as ifRevision to replace a decision of another reviewer that you have read.',
    {
      default: '1',
      faces: graphOnly,
    },
  )
  revision!: number;
  @Text('The decision.', { max: 10, nullable: true, faces: nowhere }) decision!: string | null;
  @When('When the grant is to end, with the decision END_AT.', { nullable: true, isEnd: true }) until!: Date | null;
  @Text('The note of the decision.', { max: 1000, nullable: true, faces: graphOnly }) decisionNote!: string | null;
  @Guid('Guid of the user who decided.', { nullable: true }) decidedBy!: string | null;
  @When('When the decision was made.', { nullable: true }) decidedAt!: Date | null;
  @Text('What finishing the review did with the grant.', { max: 20, nullable: true, faces: nowhere })
  outcome!: string | null;

  @ToOne(() => Review, 'reviewId', 'The review.', { onDelete: 'cascade', faces: nowhere }) review!: Review;
  @ToUser('userGuid', 'The current record of the user; null if there is none.', { faces: graphOnly })
  user!: User | null;
  @ToOne(() => Profile, 'profileId', 'The current record of the profile; null if it was removed.', {
    constrained: false,
    faces: graphOnly,
  })
  profile!: Profile | null;
  @ToOne(() => Role, 'roleId', 'The current record of the role; null if it was removed.', {
    constrained: false,
    faces: graphOnly,
  })
  role!: Role | null;
  @ToUser('grantedBy', 'The user who made or last changed the grant; null if there is no such user.', {
    faces: graphOnly,
  })
  grantedByNavigation!: User | null;
  @ToUser('decidedBy', 'The user who decided; null if there is none.', { faces: graphOnly })
  decidedByNavigation!: User | null;
}
