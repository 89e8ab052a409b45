/** An access review: grants as they were when it started, which their owners keep or end. */
import { graphOnly, nowhere, visible } from './description.js';
import { Guid, Int, JsonValue, Key, Record, Text, ToUser, When } from './fields.js';
import type { User } from './User.js';

@Record({
  table: 'reviews',
  doc: 'An access review: grants that their owners keep or end.',
  index: [['state', 'dueAt']],
  faces: visible,
})
export class Review {
  @Key('bigint', 'Number of the review.', { faces: nowhere }) reviewId!: string;
  @Guid('Guid of the review.', { unique: true, default: 'gen_random_uuid()' }) reviewGuid!: string;
  @Text('Display name.', { max: 200 }) name!: string;
  @Text('The state of the review.', { max: 20, default: "'OPEN'", faces: nowhere }) state!: string;
  @Text('What happens to grants that nobody decided about.', { max: 10, faces: nowhere }) undecided!: string;
  @When('When the decisions are due.', { isEnd: true }) dueAt!: Date;
  @Text('The purpose of the review.', { max: 1000, nullable: true, faces: graphOnly }) note!: string | null;
  @JsonValue('The grants that it was started for.', { faces: nowhere }) filter!: object;
  @Int('The number of grants in the review.') total!: number;
  @Guid('Guid of the user who started the review.') startedBy!: string;
  @When('When the review was started. It contains the grants of that moment.', { default: 'now()' }) startedAt!: Date;
  @Guid('Guid of the user who finished or cancelled the review.', { nullable: true, faces: graphOnly })
  finishedBy!: string | null;
  @When('When the review was finished or cancelled.', { nullable: true }) finishedAt!: Date | null;
  @Guid('Guid of the change set of its ends; null if nothing ended.', { nullable: true, unique: true, faces: nowhere })
  changeSetGuid!: string | null;

  @ToUser('startedBy', 'The user who started the review; null if there is no such user.', { faces: graphOnly })
  startedByNavigation!: User | null;
  @ToUser('finishedBy', 'The user who finished or cancelled the review; null if there is none.', { faces: graphOnly })
  finishedByNavigation!: User | null;
}
