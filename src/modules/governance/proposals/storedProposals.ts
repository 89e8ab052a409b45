/** A proposal as it is stored, its state now, and what its words and times may be. */
import type { Permission } from '../../../auth/caller.js';
import type { Context } from '../../../context.js';
import { Proposal } from '../../../entities/Proposal.js';
import { badInput, notFound, type Problems } from '../../../errors.js';
import { findProblem } from '../../../services/records/input.js';
import { timeText } from '../../../sql.js';
import type { StoredSubject } from './subject.js';

export type ProposalState = 'OPEN' | 'SCHEDULED' | 'APPLIED' | 'REJECTED' | 'WITHDRAWN' | 'EXPIRED' | 'FAILED';

/** SQL: the state of a proposal now. The schedule writes EXPIRED a little later. */
export const stateColumn = (alias: string): string =>
  `case when ${alias}.state = 'OPEN' and ${alias}.expires_at <= now() then 'EXPIRED' else ${alias}.state end`;

/** SQL: whether nobody has decided yet about the proposal `p`, or it waits for its time. */
export const isPending = `${stateColumn('p')} in ('OPEN', 'SCHEDULED')`;

export interface StoredProposal {
  proposalGuid: string;
  requestedApplicationGuid: string | null;
  requestedUntil: string | null;
  revision: number;
  state: ProposalState;
  proposedBy: string;
  proposedAt: string;
  note: string;
  changes: object[];
  permission: Permission;
  applyAt: string | null;
  isDue: boolean;
  approvedWith: Permission | null;
  decidedBy: string | null;
  decidedAt: string | null;
  effectHash: Buffer;
  /** Null for a proposal of the version before. */
  subject: StoredSubject | null;
  approverHasRight: boolean | null;
}

const storedStatement = `select proposal_guid::text as "proposalGuid", revision, ${stateColumn('p')} as state,
    proposed_by::text as "proposedBy", ${timeText('proposed_at')} as "proposedAt", note, changes, permission,
    ${timeText('apply_at')} as "applyAt", coalesce(apply_at <= now(), true) as "isDue",
    requested_application_guid::text as "requestedApplicationGuid", ${timeText('requested_until')} as "requestedUntil",
    approved_with as "approvedWith", decided_by::text as "decidedBy", ${timeText('decided_at')} as "decidedAt", effect_hash as "effectHash",
    subject, approver_has_right as "approverHasRight"
  from proposals p where proposal_guid = $1::uuid`;

/** Throws NOT_FOUND. @param lock until the transaction ends, nobody else decides */
export async function getProposal({ sql }: Pick<Context, 'sql'>, guid: string, lock = false): Promise<StoredProposal> {
  const [row] = await sql.rows<StoredProposal>(`${storedStatement}${lock ? ' for update' : ''}`, [guid]);
  if (!row) throw notFound('The proposal');
  return row;
}

const applyDaysMax = 366;

export function noteProblems(note: string | null | undefined, isRequired: boolean, name = 'note'): Problems {
  if (isRequired && !note?.trim()) return { [name]: [`The ${name} must say why.`] };
  const problem = note ? findProblem(Proposal, 'note', note) : undefined;
  return problem ? { [name]: [`The ${name} ${problem}.`] } : {};
}

export function requireProposalNote(note: string | null | undefined, isRequired: boolean, name = 'note'): void {
  const problems = noteProblems(note, isRequired, name);
  if (Object.keys(problems).length > 0) throw badInput(problems);
}

/** Throws BAD_USER_INPUT for a time that has passed, by the database's clock, or that is too far away. */
export async function requireTime({ sql }: Context, time: string | null | undefined, name = 'applyAt'): Promise<void> {
  if (!time) return;
  const [row] = await sql.rows<{ isOver: boolean; isFar: boolean }>(
    `select $1::timestamptz <= now() as "isOver", $1::timestamptz > now() + interval '${applyDaysMax} days' as "isFar"`,
    [time],
  );
  if (row!.isOver) throw badInput({ [name]: ['The time has passed.'] });
  if (row!.isFar) throw badInput({ [name]: [`The time is more than ${applyDaysMax} days away.`] });
}
