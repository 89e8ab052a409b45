/** Changes that somebody proposed and that are applied when another person approves them. */
import { Application } from './Application.js';
import type { Face } from './description.js';
import { Bytes, Guid, Int, Json, Key, Record, Text, ToOne, When } from './fields.js';
import { User } from './User.js';

const visibleFaces: readonly Face[] = ['graph', 'filter'];
const graph: readonly Face[] = ['graph'];

@Record({
  table: 'proposals',
  doc: 'Changes that somebody proposed, with the decision of another person.',
  index: [['state', 'applyAt'], ['proposedBy']],
})
export class Proposal {
  @Key('bigint', { doc: 'Number of the proposal.' }) proposalId!: string;
  @Guid({ doc: 'Guid of the proposal.', unique: true, default: 'gen_random_uuid()', faces: visibleFaces })
  proposalGuid!: string;
  @Int({
    doc: 'Increases when the effect of the proposal changes. Approve with it what you have read.',
    default: '1',
    faces: graph,
  })
  revision!: number;
  @Text({ doc: 'The state of the proposal.', max: 20, default: "'OPEN'" }) state!: string;
  @Text({ doc: 'What the changes do, in one line.', max: 300, faces: visibleFaces }) title!: string;
  @Guid({ doc: 'Guid of the user who made the proposal.', faces: visibleFaces }) proposedBy!: string;
  @When({ doc: 'When it was proposed.', default: 'now()', faces: visibleFaces }) proposedAt!: Date;
  @Text({ doc: 'The reason for the changes.', max: 1000, faces: graph }) note!: string;
  @Json({ doc: 'The changes, as `applyChanges` takes them.' }) changes!: object;
  @Text({ doc: 'The permission that the changes require.', max: 20 }) permission!: string;
  @Json({
    doc: 'What its owners may approve: applications and profiles; null if it touches anything else.',
    nullable: true,
  })
  subjects!: object | null;
  @When({ doc: 'When the changes are to be applied; null: at the approval.', nullable: true, faces: visibleFaces })
  applyAt!: Date | null;
  @When({ doc: 'When the proposal expires if nobody decides.', faces: visibleFaces }) expiresAt!: Date;
  @Guid({ doc: 'Guid of the user who approved, rejected or withdrew it.', nullable: true, faces: graph }) decidedBy!:
    | string
    | null;
  @When({ doc: 'When it was approved, rejected or withdrawn.', nullable: true, faces: visibleFaces })
  decidedAt!: Date | null;
  @Text({ doc: 'The note of the decision.', max: 1000, nullable: true, faces: graph }) decisionNote!: string | null;
  @Text({ doc: 'The permission with which it was approved.', max: 20, nullable: true }) approvedWith!: string | null;
  @Bytes({ doc: 'Hash of the effect that its revision stands for.' }) effectHash!: Buffer;
  @Json({ doc: 'Counts of the effect when it was proposed.' }) proposedCounts!: object;
  @Json({ doc: 'Why it failed, by path.', nullable: true }) failure!: object | null;
  @Guid({ doc: 'Guid of the change set that applied it.', nullable: true, unique: true }) changeSetGuid!: string | null;

  @Guid({
    doc: 'Guid of the application that a person requests access to; null for other proposals.',
    nullable: true,
    faces: visibleFaces,
  })
  requestedApplicationGuid!: string | null;
  @When({ doc: 'When the requested access ends; null: it has no end.', nullable: true, faces: visibleFaces })
  requestedUntil!: Date | null;

  @ToOne(() => Application, 'requestedApplicationGuid', {
    doc: 'The application that a person requests access to; null for other proposals, and if it was removed.',
    to: 'applicationGuid',
    constrained: false,
    nullable: true,
    faces: graph,
  })
  requestedApplication!: Application | null;
  @ToOne(() => User, 'proposedBy', {
    doc: 'The user who made the proposal; null if there is no such user.',
    to: 'userGuid',
    constrained: false,
    nullable: true,
    faces: graph,
  })
  proposedByNavigation!: User | null;
  @ToOne(() => User, 'decidedBy', {
    doc: 'The user who decided; null if there is none.',
    to: 'userGuid',
    constrained: false,
    nullable: true,
    faces: graph,
  })
  decidedByNavigation!: User | null;
}
