/** Changes that somebody proposed and that are applied when another person approves them. */
import { Application } from './Application.js';
import { graphOnly, nowhere, visible } from './description.js';
import { Bytes, Flag, Guid, Int, JsonValue, Key, Record, Text, ToOne, ToUser, When } from './fields.js';
import type { User } from './User.js';

@Record({
  table: 'proposals',
  doc: 'Changes that somebody proposed, with the decision of another person.',
  index: [['state', 'applyAt'], ['proposedBy']],
  faces: visible,
})
export class Proposal {
  @Key('bigint', 'Number of the proposal.', { faces: nowhere }) proposalId!: string;
  @Guid('Guid of the proposal.', { unique: true, default: 'gen_random_uuid()' }) proposalGuid!: string;
  @Int(
    'Increases when the effect of the proposal changes, or who or what it is about. Send it as ifRevision to approve only what you have read.',
    {
      default: '1',
      faces: graphOnly,
    },
  )
  revision!: number;
  @Text('The state of the proposal.', { max: 20, default: "'OPEN'", faces: nowhere }) state!: string;
  @Text('What the changes do, in one line.', { max: 300 }) title!: string;
  @Guid('Guid of the user who made the proposal.') proposedBy!: string;
  @When('When the proposal was made.', { default: 'now()' }) proposedAt!: Date;
  @Text('The reason for the changes.', { max: 1000, faces: graphOnly }) note!: string;
  @JsonValue('The changes, as `applyChanges` takes them.', { faces: nowhere }) changes!: object;
  @Text('The permission that the changes require.', { max: 20, faces: nowhere }) permission!: string;
  @JsonValue('What its owners may approve: applications and profiles; null if it touches anything else.', {
    nullable: true,
    faces: nowhere,
  })
  subjects!: object | null;
  @When('When the changes are to be applied; null: at the approval.', { nullable: true }) applyAt!: Date | null;
  @When('When the proposal expires if nobody decides.') expiresAt!: Date;
  @Guid('Guid of the user who approved, rejected or withdrew the proposal.', { nullable: true, faces: graphOnly })
  decidedBy!: string | null;
  @When('When the proposal was approved, rejected or withdrawn.', { nullable: true }) decidedAt!: Date | null;
  @Text('The note of the decision.', { max: 1000, nullable: true, faces: graphOnly }) decisionNote!: string | null;
  @Text('The permission with which it was approved.', { max: 20, nullable: true, faces: nowhere })
  approvedWith!: string | null;
  @Flag(
    'Whether the approver had the right by a profile or as an owner, and must still have it when the changes are applied.',
    {
      nullable: true,
      faces: nowhere,
    },
  )
  approverHasRight!: boolean | null;
  @Bytes('Hash of the effect that its revision stands for.', { faces: nowhere }) effectHash!: Buffer;
  @JsonValue('Hashes of who and what it is about, which its revision stands for, too; null before its first trial.', {
    nullable: true,
    faces: nowhere,
  })
  subject!: object | null;
  @JsonValue('Counts of the effect when it was proposed.', { faces: nowhere }) proposedCounts!: object;
  @JsonValue('Why it failed, by path.', { nullable: true, faces: nowhere }) failure!: object | null;
  @Guid('Guid of the change set that applied it.', { nullable: true, unique: true, faces: nowhere })
  changeSetGuid!: string | null;

  @Guid('Guid of the application that a person requests access to; null for other proposals.', { nullable: true })
  requestedApplicationGuid!: string | null;
  @When('When the requested access ends; null: it has no end.', { nullable: true, isEnd: true })
  requestedUntil!: Date | null;

  @ToOne(
    () => Application,
    'requestedApplicationGuid',
    'The application that a person requests access to; null for other proposals, and if the application was removed.',
    { to: 'applicationGuid', constrained: false, faces: graphOnly },
  )
  requestedApplication!: Application | null;
  @ToUser('proposedBy', 'The user who made the proposal; null if there is no such user.', { faces: graphOnly })
  proposedByNavigation!: User | null;
  @ToUser('decidedBy', 'The user who decided; null if there is none.', { faces: graphOnly })
  decidedByNavigation!: User | null;
}
