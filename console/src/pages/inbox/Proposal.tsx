/** One proposal: why, who gains and loses now, what changed since, and the decision. */
import { useMutation, useQuery, useQueryClient } from '@tanstack/react-query';
import { useId, useState } from 'react';
import { ask, mutate, Refusal } from '../../graph';
import type { ProposalDetailQuery } from '../../operations/generated/graph';
import {
  approveProposal,
  chooseRemedy,
  proposalDetail,
  rejectProposal,
  withdrawProposal,
} from '../../operations/generated/inbox';
import { readAgain } from '../../readAgain';
import { Affected } from '../../review/Affected';
import { EffectTotals, OtherEffects } from '../../review/Effect';
import { useMay, useViewer } from '../../session';
import { Loading } from '../../ui/Empty';
import { Failure } from '../../ui/Failure';
import { exactTime, Time } from '../../ui/Time';
import { say } from '../../ui/Toasts';
import { nameAndMail, plural } from '../../words';

/** Where the keys of the list lead to. */
export const [noteId, approveId] = ['inbox-note', 'inbox-approve'];

type Detail = NonNullable<ProposalDetailQuery['proposal']>;

export function Proposal({ guid, onBack }: { guid: string; onBack: () => void }) {
  const read = useQuery({
    queryKey: ['proposals', 'detail', guid],
    gcTime: 0,
    queryFn: async ({ signal }) => {
      const { proposal } = await ask(proposalDetail, { proposalGuid: guid }, signal);
      if (!proposal) throw new Refusal('NOT_FOUND', 'The proposal was not found.');
      return proposal;
    },
  });
  if (read.isPending) return <Loading lines={6} />;
  if (read.error) return <Failure error={read.error} retry={() => void read.refetch()} />;
  return <Shown proposal={read.data} onBack={onBack} reread={() => void read.refetch()} />;
}

function Shown({ proposal, onBack, reread }: { proposal: Detail; onBack: () => void; reread: () => void }) {
  const { title, note, state, proposedAt, expiresAt, applyAt, effect, problems, since } = proposal;
  const [areChangesShown, showChanges] = useState(false);
  return (
    <article className="inbox-detail" aria-label={title}>
      <button type="button" className="button small inbox-back" onClick={onBack}>
        All proposals
      </button>
      <h2>{title}</h2>
      <p className="sub">
        by {nameAndMail(proposal.proposedByNavigation)} · <Time iso={proposedAt} />
        {state === 'OPEN' && ` · expires ${exactTime(expiresAt)}`}
        {applyAt && ` · wanted on ${exactTime(applyAt)}`}
      </p>
      <blockquote>{note}</blockquote>
      {proposal.remedies.length > 0 && <Remedies proposal={proposal} reread={reread} />}
      {state !== 'OPEN' && <Decided proposal={proposal} />}
      {effect && <EffectTotals effect={effect} />}
      {effect && <Compared proposal={proposal} />}
      {problems !== null && <Problems problems={problems as Record<string, string[]>} state={state} />}
      {since.length > 0 && (
        <div className="notice near">
          {since.map(({ kind, text, at, by }) => (
            <p key={`${kind} ${by}`}>
              {text} <Time iso={at} />
            </p>
          ))}
        </div>
      )}
      {effect && <Affected effect={effect} again={reread} />}
      {effect && <OtherEffects effect={effect} subjects={[]} />}
      <button
        type="button"
        className="disclosure"
        aria-expanded={areChangesShown}
        onClick={() => showChanges(!areChangesShown)}
      >
        {areChangesShown ? 'Hide' : 'Show'} the {plural(proposal.changes.length, 'change')} as proposed
      </button>
      {areChangesShown && <pre>{JSON.stringify(proposal.changes, null, 2)}</pre>}
      <Decision proposal={proposal} reread={reread} />
    </article>
  );
}

/** The ways to open what a person requests; another one is another effect, which is read before it is approved. */
function Remedies({ proposal, reread }: { proposal: Detail; reread: () => void }) {
  const { proposalGuid, revision, remedies, requestedUntil, approvers } = proposal;
  const choosing = useMutation({
    mutationFn: (remedyId: string) => mutate(chooseRemedy, { proposalGuid, ifRevision: revision, remedyId }),
    onSettled: reread,
  });
  return (
    <fieldset disabled={choosing.isPending || !approvers.includesViewer}>
      <legend>How access is given{requestedUntil && `, until ${exactTime(requestedUntil)}`}</legend>
      {remedies.map(({ remedyId, text, othersGaining, isChosen }) => (
        <p key={remedyId}>
          <label>
            <input
              type="radio"
              name={`remedy of ${proposalGuid}`}
              checked={isChosen}
              onChange={() => choosing.mutate(remedyId)}
            />{' '}
            {text}{' '}
            <span className="mute">
              {othersGaining === 0
                ? 'Nobody else gains.'
                : `${plural(othersGaining, 'other person', 'others')} gain, too.`}
            </span>
          </label>
        </p>
      ))}
      {choosing.error && <Failure error={choosing.error} />}
    </fieldset>
  );
}

/** Where the counts are others than when it was proposed. */
function Compared({ proposal: { effect, opened, proposedEffect } }: { proposal: Detail }) {
  const lines = [
    [effect!.gains.users, proposedEffect.gains.users, 'gain access', 'person', 'people'],
    [effect!.loses.users, proposedEffect.loses.users, 'lose access', 'person', 'people'],
    [opened ?? proposedEffect.opened, proposedEffect.opened, 'are open to them', 'application', 'applications'],
  ] as const;
  return lines
    .filter(([now, then]) => now !== then)
    .map(([now, then, words, one, many]) => (
      <p key={words} className="near">
        {plural(now, one, many)} {words} now; it was {then.toLocaleString('en')} when it was proposed.
      </p>
    ));
}

function Problems({ problems, state }: { problems: Record<string, string[]>; state: string }) {
  return (
    <div className="notice near" role="alert">
      <p>{state === 'FAILED' ? 'It could not be applied:' : 'It cannot be applied as it is:'}</p>
      <ul>
        {Object.entries(problems).map(([path, texts]) => (
          <li key={path}>
            {path !== '$' && <code>{path}</code>} {texts.join(' ')}
          </li>
        ))}
      </ul>
    </div>
  );
}

const decidedWords: Record<string, string> = {
  SCHEDULED: 'Approved',
  APPLIED: 'Approved and applied',
  REJECTED: 'Rejected',
  WITHDRAWN: 'Withdrawn',
  FAILED: 'Approved, and failed at its time',
};

function Decided({ proposal: { state, decidedAt, decidedByNavigation, decisionNote } }: { proposal: Detail }) {
  if (state === 'EXPIRED') return <p>Nobody decided in time.</p>;
  return (
    <p>
      {decidedWords[state]} by {nameAndMail(decidedByNavigation)} <Time iso={decidedAt} />
      {decisionNote && `: ${decisionNote}`}
    </p>
  );
}

const minuteOf = (iso: string): string => {
  const date = new Date(iso);
  return new Date(date.getTime() - date.getTimezoneOffset() * 60_000).toISOString().slice(0, 16);
};

function Decision({ proposal, reread }: { proposal: Detail; reread: () => void }) {
  const { proposalGuid, revision, state, applyAt, approvers, proposedBy } = proposal;
  const isOwn = useViewer().data?.viewer.userGuid === proposedBy;
  const mayWrite = useMay('admin:write');
  const queries = useQueryClient();
  const id = useId();
  const [note, setNote] = useState('');
  const [time, setTime] = useState(applyAt ? minuteOf(applyAt) : '');
  const acting = useMutation({
    mutationFn: (act: () => Promise<string>) => act(),
    onSuccess: async (text) => {
      await readAgain(queries);
      say({ text });
    },
    onError: (error) => {
      if (error instanceof Refusal && error.code === 'CONFLICT') reread();
    },
  });
  const approve = async () => {
    const wanted = time ? new Date(time).toISOString() : null;
    const variables = { proposalGuid, ifRevision: revision, note: note || null, applyAt: wanted };
    const { approveProposal: done } = await mutate(approveProposal, variables);
    return done.state === 'SCHEDULED' ? `Approved for ${exactTime(done.applyAt!)}.` : 'Approved and applied.';
  };
  const reject = async () => {
    await mutate(rejectProposal, { proposalGuid, ifRevision: revision, note });
    return 'Rejected.';
  };
  const withdraw = async () => {
    await mutate(withdrawProposal, { proposalGuid });
    return 'Withdrawn.';
  };
  const mayDecide = state === 'OPEN' && approvers.includesViewer;
  const mayWithdraw = (isOwn && (state === 'OPEN' || state === 'SCHEDULED')) || (state === 'SCHEDULED' && mayWrite);
  return (
    <>
      {acting.error && <Failure error={acting.error} />}
      <footer className="inbox-foot">
        {mayDecide && (
          <>
            <label htmlFor={noteId}>
              Reason, needed to reject
              <input
                id={noteId}
                className="input"
                maxLength={1_000}
                placeholder="Read by the author and in the history"
                value={note}
                onChange={({ target }) => setNote(target.value)}
              />
            </label>
            <label htmlFor={`${id}-time`}>
              Apply at (empty: now)
              <input
                id={`${id}-time`}
                className="input"
                type="datetime-local"
                value={time}
                onChange={({ target }) => setTime(target.value)}
              />
            </label>
            <button
              type="button"
              className="button danger"
              disabled={acting.isPending || note.trim() === ''}
              onClick={() => acting.mutate(reject)}
            >
              Reject
            </button>
            <button
              type="button"
              id={approveId}
              className="button primary"
              disabled={acting.isPending || proposal.problems !== null}
              onClick={() => acting.mutate(approve)}
            >
              {time ? 'Approve for this time' : 'Approve and apply'}
            </button>
          </>
        )}
        {mayWithdraw && (
          <button type="button" className="button" disabled={acting.isPending} onClick={() => acting.mutate(withdraw)}>
            Withdraw
          </button>
        )}
        {state === 'OPEN' && !mayDecide && (
          <p className="mute">
            {isOwn
              ? 'Another person decides: nobody approves their own.'
              : `A person with ${approvers.permission} decides.`}
          </p>
        )}
      </footer>
    </>
  );
}
