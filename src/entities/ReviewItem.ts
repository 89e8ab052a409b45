/** A grant of an access review as it was when the review started, with the decision about it. */
import type { Face } from './description.js';
import { Flag, Guid, Int, Key, Long, Record, Text, ToOne, When } from './fields.js';
import { Profile } from './Profile.js';
import { Review } from './Review.js';
import { User } from './User.js';

const visibleFaces: readonly Face[] = ['graph', 'filter'];
const graph: readonly Face[] = ['graph'];

@Record({
  table: 'review_items',
  doc: 'A grant of an access review as it was when the review started, with the decision about it.',
  index: [['reviewId', 'reviewItemId']],
})
export class ReviewItem {
  @Key('bigint', { doc: 'Number of the item.' }) reviewItemId!: string;
  @Guid({ doc: 'Guid of the item.', unique: true, default: 'gen_random_uuid()', faces: visibleFaces })
  itemGuid!: string;
  @Long({ doc: 'Number of the review.' }) reviewId!: string;
  @Text({ doc: 'What is granted to whom.', max: 20 }) kind!: string;
  @Int({ doc: 'Number of the link.' }) linkId!: number;
  @Int({ doc: 'Revision of the link at the start.' }) linkRevision!: number;
  @Guid({
    doc: 'Guid of the user who holds the profile; null for an access scope of a profile.',
    nullable: true,
    faces: visibleFaces,
  })
  userGuid!: string | null;
  @Text({ doc: 'Name of the user.', max: 600, nullable: true, faces: visibleFaces }) userName!: string | null;
  @Text({ doc: 'E-mail address of the user.', max: 320, nullable: true, faces: visibleFaces }) userEmail!:
    | string
    | null;
  @Text({ doc: 'Department of the user.', max: 255, nullable: true, faces: visibleFaces }) department!: string | null;
  @Text({ doc: 'Id of the profile.', max: 50, faces: visibleFaces }) profileId!: string;
  @Text({ doc: 'Name of the profile.', max: 255, faces: visibleFaces }) profileName!: string;
  @Text({ doc: 'Id of the role of the user in the profile.', max: 50, nullable: true, faces: visibleFaces }) roleId!:
    | string
    | null;
  @Guid({ doc: 'Guid of the access scope that the profile has; null for a user.', nullable: true, faces: visibleFaces })
  accessScopeGuid!: string | null;
  @Text({ doc: 'Name of the access scope.', max: 255, nullable: true, faces: visibleFaces }) accessScopeName!:
    | string
    | null;
  @When({ doc: 'When the grant ends without a decision; null: never.', nullable: true, faces: visibleFaces })
  validUntil!: Date | null;
  @Text({
    doc: 'Name of the file in git that manages the grant; null if there is none.',
    max: 100,
    nullable: true,
    faces: visibleFaces,
  })
  managedBy!: string | null;
  @Guid({ doc: 'Guid of the user who granted it, or last changed it.', faces: visibleFaces }) grantedBy!: string;
  @When({ doc: 'When it was granted, or last changed.', faces: visibleFaces }) grantedAt!: Date;
  @When({ doc: 'The day when it was last used; null: no use is known.', nullable: true, faces: visibleFaces })
  lastUsedAt!: Date | null;
  @Int({ doc: 'The number of applications that it opens.', faces: visibleFaces }) opens!: number;
  @Flag({
    doc: 'Whether fewer than 5 % of the user’s department hold the profile; only departments of at least 20 users.',
    faces: visibleFaces,
  })
  isUnusual!: boolean;
  @Text({
    doc: 'Id of the profile that owns the profile of the grant; null if it has no owner.',
    max: 50,
    nullable: true,
    faces: visibleFaces,
  })
  ownerProfileId!: string | null;
  @Text({ doc: 'The decision.', max: 10, nullable: true }) decision!: string | null;
  @When({ doc: 'When the grant is to end, with the decision END_AT.', nullable: true, faces: visibleFaces })
  until!: Date | null;
  @Text({ doc: 'The note of the decision.', max: 1000, nullable: true, faces: graph }) decisionNote!: string | null;
  @Guid({ doc: 'Guid of the user who decided.', nullable: true, faces: visibleFaces }) decidedBy!: string | null;
  @When({ doc: 'When it was decided.', nullable: true, faces: visibleFaces }) decidedAt!: Date | null;
  @Text({ doc: 'What finishing the review did with the grant.', max: 20, nullable: true }) outcome!: string | null;

  @ToOne(() => Review, 'reviewId', { doc: 'The review.', onDelete: 'cascade' }) review!: Review;
  @ToOne(() => User, 'userGuid', {
    doc: 'The current record of the user; null if there is none.',
    to: 'userGuid',
    constrained: false,
    nullable: true,
    faces: graph,
  })
  user!: User | null;
  @ToOne(() => Profile, 'profileId', {
    doc: 'The current record of the profile; null if it was removed.',
    constrained: false,
    nullable: true,
    faces: graph,
  })
  profile!: Profile | null;
  @ToOne(() => User, 'grantedBy', {
    doc: 'The user who granted it; null if there is no such user.',
    to: 'userGuid',
    constrained: false,
    nullable: true,
    faces: graph,
  })
  grantedByNavigation!: User | null;
  @ToOne(() => User, 'decidedBy', {
    doc: 'The user who decided; null if there is none.',
    to: 'userGuid',
    constrained: false,
    nullable: true,
    faces: graph,
  })
  decidedByNavigation!: User | null;
}
