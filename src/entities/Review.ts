/** An access review: grants as they were when it started, which their owners keep or end. */
import type { Face } from './description.js';
import { Guid, Int, Json, Key, Record, Text, ToOne, When } from './fields.js';
import { User } from './User.js';

const visibleFaces: readonly Face[] = ['graph', 'filter'];
const graph: readonly Face[] = ['graph'];

@Record({
  table: 'reviews',
  doc: 'An access review: grants that their owners keep or end.',
  index: [['state', 'dueAt']],
})
export class Review {
  @Key('bigint', { doc: 'Number of the review.' }) reviewId!: string;
  @Guid({ doc: 'Guid of the review.', unique: true, default: 'gen_random_uuid()', faces: visibleFaces })
  reviewGuid!: string;
  @Text({ doc: 'Display name.', max: 200, faces: visibleFaces }) name!: string;
  @Text({ doc: 'The state of the review.', max: 20, default: "'OPEN'" }) state!: string;
  @Text({ doc: 'What happens to grants that nobody decided about.', max: 10 }) undecided!: string;
  @When({ doc: 'When the decisions are due.', faces: visibleFaces }) dueAt!: Date;
  @Text({ doc: 'The purpose of the review.', max: 1000, nullable: true, faces: graph }) note!: string | null;
  @Json({ doc: 'The grants that it was started for.' }) filter!: object;
  @Int({ doc: 'The number of its grants.', faces: visibleFaces }) total!: number;
  @Guid({ doc: 'Guid of the user who started it.', faces: visibleFaces }) startedBy!: string;
  @When({ doc: 'When it was started: its grants are those of that moment.', default: 'now()', faces: visibleFaces })
  startedAt!: Date;
  @Guid({ doc: 'Guid of the user who finished or cancelled it.', nullable: true, faces: graph }) finishedBy!:
    | string
    | null;
  @When({ doc: 'When it was finished or cancelled.', nullable: true, faces: visibleFaces }) finishedAt!: Date | null;
  @Guid({ doc: 'Guid of the change set of its ends; null if nothing ended.', nullable: true, unique: true })
  changeSetGuid!: string | null;

  @ToOne(() => User, 'startedBy', {
    doc: 'The user who started it; null if there is no such user.',
    to: 'userGuid',
    constrained: false,
    nullable: true,
    faces: graph,
  })
  startedByNavigation!: User | null;
  @ToOne(() => User, 'finishedBy', {
    doc: 'The user who finished or cancelled it; null if there is none.',
    to: 'userGuid',
    constrained: false,
    nullable: true,
    faces: graph,
  })
  finishedByNavigation!: User | null;
}
