/** One proposal: why, who gains and loses now, what changed since, and the decision. */
import { type UseMutationResult, useMutation, useQuery, useQueryClient } from '@tanstack/react-query';
import { useNavigate } from '@tanstack/react-router';
import { type KeyboardEvent, useId, useState } from 'react';
import { untilWords } from '../../grantEnd';
import { ask, mutate, Refusal, sendOnce } from '../../graph';
import { useKept } from '../../kept';
import type { ChangeInput, ProposalDetailQuery } from '../../operations/generated/graph';
import {
  approveProposal,
  chooseRemedy,
  proposalDetail,
  proposeChanges,
  rejectProposal,
  withdrawProposal,
} from '../../operations/generated/inbox';
import { readAgain } from '../../readAgain';
import { Affected } from '../../review/Affected';
import { EffectTotals, SumLine } from '../../review/Effect';
import { Sentences } from '../../review/Sentences';
import { subjectIcons } from '../../review/SubjectHeading';
import { useViewer } from '../../session';
import { Badge } from '../../ui/Badge';
import { Loading } from '../../ui/Empty';
import { Failure } from '../../ui/Failure';
import { Icon, type IconName } from '../../ui/icons';
import { IconTile } from '../../ui/Tile';
import { exactTime, Time } from '../../ui/Time';
import { say } from '../../ui/Toasts';
import { fullName, nameAndMail, namesOf, plural } from '../../words';

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
  // what was read when the service answered that the effect is another
  const [refused, setRefused] = useState<Detail>();
  if (read.isPending) return <Loading lines={6} />;
  if (read.error) return <Failure error={read.error} retry={() => void read.refetch()} />;
  const reread = () => read.refetch();
  const conflicted = () => {
    setRefused(read.data);
    void reread();
  };
  return <Shown proposal={read.data} refused={refused} onBack={onBack} reread={reread} conflicted={conflicted} />;
}

interface ShownProps {
  proposal: Detail;
  refused: Detail | undefined;
  onBack: () => void;
  reread: () => Promise<unknown>;
  conflicted: () => void;
}

function Shown({ proposal, refused, onBack, reread, conflicted }: ShownProps) {
  const { title, note, state, proposedAt, expiresAt, applyAt, effect, problems, since } = proposal;
  const [areChangesShown, showChanges] = useState(false);
  // until another remedy is read, the effect of the one before is shown
  const choosing = useMutation({
    mutationFn: (remedyId: string) =>
      mutate(chooseRemedy, { proposalGuid: proposal.proposalGuid, ifRevision: proposal.revision, remedyId }),
    onSettled: reread,
  });
  return (
    <article className="inbox-detail" aria-label={title}>
      <div className="inbox-body">
        <button type="button" className="button small inbox-back" onClick={onBack}>
          All proposals
        </button>
        <h2>{title}</h2>
        <p className="sub">
          by <b>{fullName(proposal.proposedByNavigation)}</b>
          {[proposal.proposedByNavigation?.email, proposal.proposedByNavigation?.department]
            .filter(Boolean)
            .map((each) => `, ${each}`)}{' '}
          · <Time iso={proposedAt} />
          {state === 'OPEN' && ` · expires ${exactTime(expiresAt)}`}
          {applyAt && ` · wanted on ${exactTime(applyAt)}`}
        </p>
        <blockquote className="quote">{note}</blockquote>
        <Sentences sentences={proposal.sentences} title={title} />
        {proposal.remedies.length > 0 && <Remedies proposal={proposal} choosing={choosing} />}
        {state !== 'OPEN' && <Decided proposal={proposal} />}
        {effect && <EffectTotals effect={effect} proposed={proposal.proposedEffect} />}
        {effect && refused && <Compared now={countsNow(proposal)} then={countsNow(refused)} when="when you decided" />}
        {problems !== null && <Problems problems={problems as Record<string, string[]>} state={state} />}
        {since.length > 0 && (
          <div className="moved">
            {since.map(({ kind, text, at, by, byNavigation, count, names }) => (
              <p key={`${kind} ${by}`}>
                <Icon name="alert" size={16} />
                <span>
                  <b>{text}</b> {names.length > 0 && `${namesOf(names, Math.max(count, names.length))}, `}
                  {byNavigation && `by ${fullName(byNavigation)} `}
                  <Time iso={at} />
                </span>
              </p>
            ))}
          </div>
        )}
        {effect && <Groups effect={effect} title={title} />}
        {effect && <Affected effect={effect} again={() => void reread()} isAlways />}
        <button
          type="button"
          className="disclosure"
          aria-expanded={areChangesShown}
          onClick={() => showChanges(!areChangesShown)}
        >
          {areChangesShown ? 'Hide' : 'Show'} the {plural(proposal.changes.length, 'change')} as proposed
        </button>
        {areChangesShown && <pre>{JSON.stringify(proposal.changes, null, 2)}</pre>}
      </div>
      <Decision proposal={proposal} isChoosing={choosing.isPending} conflicted={conflicted} />
    </article>
  );
}

interface RemediesProps {
  proposal: Detail;
  choosing: UseMutationResult<unknown, Error, string>;
}

/** The ways to open what a person requests; another one is another effect, which is read before it is approved. */
function Remedies({ proposal, choosing }: RemediesProps) {
  const { proposalGuid, remedies, requestedUntil, approvers } = proposal;
  return (
    <fieldset className="card remedies" disabled={choosing.isPending || !approvers.includesViewer}>
      <legend>What would open it{requestedUntil && `; requested ${untilWords(requestedUntil)}`}</legend>
      <ul className="items">
        {remedies.map(({ remedyId, title, text, othersGaining, isChosen, changes }) => (
          <li key={remedyId}>
            <label className={isChosen ? 'chosen-remedy' : undefined}>
              <input
                type="radio"
                className="only-heard"
                name={`remedy of ${proposalGuid}`}
                checked={isChosen}
                onChange={() => choosing.mutate(remedyId)}
              />
              <IconTile icon={iconOf(changes)} />
              <span className="two-lines">
                <b>{title}</b>
                <small>
                  {text}{' '}
                  {othersGaining === 0
                    ? 'Nobody else gains by it.'
                    : `${plural(othersGaining, 'other')} would gain by it.`}
                </small>
              </span>
              <span className="grow" />
              {isChosen ? <Badge tone="accent">chosen</Badge> : <span className="button small">Choose</span>}
            </label>
          </li>
        ))}
      </ul>
      {choosing.error && <Failure error={choosing.error} />}
    </fieldset>
  );
}

/** That of what the first change is about. */
function iconOf(changes: readonly unknown[]): IconName {
  const [member = ''] = Object.keys((changes[0] as object | undefined) ?? {});
  if (/^assignProfile/.test(member)) return subjectIcons.user;
  return /Profile/.test(member) ? subjectIcons.profile : subjectIcons.application;
}

const nothingBecause: Record<string, string> = {
  ALREADY_OPEN: ': the same people have the access in another way, too',
  OPENS_NOTHING: ': the profile opens nothing today',
  END_CHANGED: ': only an end changes',
  OUT_OF_USE: ': what they name is out of use',
  NOT_HELD: ': nobody holds a profile that is concerned',
  STATE_DOES_NOT_OPEN: ': the state opens nothing',
  BLOCKED: ': all people concerned are blocked',
};

/** What the changes do, by kind, who gains and loses by it, and how many do nothing for anybody. */
function Groups({ effect: { groups, outcomes }, title }: { effect: NonNullable<Detail['effect']>; title: string }) {
  const rest = groups.totalCount - groups.nodes.length;
  const counts = outcomes?.counts ?? [];
  const nobody = Map.groupBy(
    counts.filter(({ outcome }) => outcome === 'NOBODY'),
    ({ reason }) => reason ?? '',
  );
  const managed = Map.groupBy(
    counts.filter(({ managedBy }) => managedBy !== null),
    ({ managedBy }) => managedBy!,
  );
  const sum = (all: typeof counts) => all.reduce((total, { count }) => total + count, 0);
  return (
    <>
      {groups.nodes.map(({ key, label, gains, loses }) => (
        <section key={key} className="reviewed" aria-label={label}>
          {label !== title && (
            <header>
              <h3>{label}</h3>
            </header>
          )}
          <div className="people">
            <SumLine sums={gains} verb="gain" />
            <SumLine sums={loses} verb="lose" />
          </div>
        </section>
      ))}
      {rest > 0 && <p className="mute">{plural(rest, 'other kind')} of changes: counted in the total above.</p>}
      {[...nobody].map(([reason, own]) => (
        <p key={reason} className="mute">
          {plural(sum(own), 'change does', 'changes do')} nothing for anybody{nothingBecause[reason]}.
        </p>
      ))}
      {[...managed].map(([name, own]) => (
        <p key={name} className="near">
          {plural(sum(own), 'change is', 'changes are')} of records that “{name}” manages: its next apply reverts them.
        </p>
      ))}
    </>
  );
}

type Counts = readonly [gain: number, lose: number, opened: number, closed: number];

const countsNow = ({ effect }: Detail): Counts => [
  effect?.gains.users ?? 0,
  effect?.loses.users ?? 0,
  effect?.gains.applications ?? 0,
  effect?.loses.applications ?? 0,
];
const countWords = [
  ['gain access', 'person', 'people'],
  ['lose access', 'person', 'people'],
  ['newly opened', 'application', 'applications'],
  ['no longer open', 'application', 'applications'],
] as const;

/** Where the counts are others than they were. */
const Compared = ({ now, then, when }: { now: Counts; then: Counts; when: string }) =>
  countWords.map(
    ([words, one, many], index) =>
      now[index] !== then[index] && (
        <p key={words} className="near">
          {plural(now[index]!, one, many)} {words} now; it was {then[index]!.toLocaleString('en')} {when}.
        </p>
      ),
  );

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

interface Typed {
  note?: string;
  /** Absent: as proposed. */
  time?: string;
}

const nothing: Typed = {};

interface DecisionProps {
  proposal: Detail;
  isChoosing: boolean;
  conflicted: () => void;
}

function Decision({ proposal, isChoosing, conflicted }: DecisionProps) {
  const { proposalGuid, revision, state, applyAt, approvers, proposedBy } = proposal;
  // a time that has passed is the same as none
  const proposedTime = applyAt && Date.parse(applyAt) > Date.now() ? applyAt : null;
  const isOwn = useViewer().data?.viewer.userGuid === proposedBy;
  const queries = useQueryClient();
  const navigate = useNavigate();
  const id = useId();
  // of this proposal alone: it is the same when the reader comes back to it, and gone when it is decided
  const [typed, keep] = useKept(`decision of ${proposalGuid}`, nothing);
  const { note = '', time = proposedTime ? minuteOf(proposedTime) : '' } = typed;
  const acting = useMutation({
    mutationFn: (act: () => Promise<string>) => act(),
    onSuccess: async (text) => {
      keep(undefined);
      await readAgain(queries);
      say({ text });
    },
    onError: (error) => {
      if (error instanceof Refusal && error.code === 'CONFLICT') conflicted();
    },
  });
  const approve = async () => {
    // to the minute as it is shown, or to the second as it was proposed
    const isAsProposed = proposedTime !== null && time === minuteOf(proposedTime);
    const wanted = time && !isAsProposed ? new Date(time).toISOString() : null;
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
  const proposeAgain = async () => {
    const { changes, note: before } = proposal;
    const variables = { changes: changes as ChangeInput[], note: before };
    const { proposeChanges: made } = await sendOnce({ again: proposalGuid, ...variables }, (guid) =>
      mutate(proposeChanges, { ...variables, proposalGuid: guid }),
    );
    void navigate({ to: '/inbox', search: { view: 'mine', proposal: made.proposalGuid } as never });
    return 'Proposed again: another person decides.';
  };
  const owners = approvers.owners.map(({ name }) => name).join(' and ');
  const mayDecide = state === 'OPEN' && approvers.includesViewer;
  const mayReject = mayDecide && !acting.isPending && note.trim() !== '';
  const mayApprove = mayDecide && !acting.isPending && !isChoosing && proposal.problems === null;
  const onCtrlEnter = (mayAct: boolean, act: () => Promise<string>) => (event: KeyboardEvent) => {
    if (!(event.ctrlKey || event.metaKey) || event.key !== 'Enter' || event.repeat) return;
    event.preventDefault();
    if (mayAct) acting.mutate(act);
  };
  const mayWithdraw = (isOwn && state === 'OPEN') || (state === 'SCHEDULED' && (isOwn || approvers.includesViewer));
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
                onChange={({ target }) => keep({ ...typed, note: target.value })}
                onKeyDown={onCtrlEnter(mayReject, reject)}
              />
            </label>
            <label htmlFor={`${id}-time`}>
              {/* with its zone, and as clocks that are changed then have it */}
              Apply at (empty: {proposedTime ? 'as proposed' : 'now'}){time && `: ${exactTime(time)}`}
              <input
                id={`${id}-time`}
                className="input"
                type="datetime-local"
                value={time}
                onChange={({ target }) => keep({ ...typed, time: target.value })}
                onKeyDown={onCtrlEnter(mayApprove, approve)}
              />
            </label>
            <span className="inbox-acts">
              <button
                type="button"
                className="button danger"
                title="Ctrl ↵ in the reason"
                disabled={!mayReject}
                onClick={() => acting.mutate(reject)}
              >
                Reject
              </button>
              <button
                type="button"
                id={approveId}
                className="button primary"
                title="Ctrl ↵"
                onKeyDown={onCtrlEnter(mayApprove, approve)}
                disabled={!mayApprove}
                onClick={() => acting.mutate(approve)}
              >
                {time || proposedTime ? 'Approve for this time' : 'Approve and apply'}
              </button>
            </span>
          </>
        )}
        {mayWithdraw && (
          <button type="button" className="button" disabled={acting.isPending} onClick={() => acting.mutate(withdraw)}>
            Withdraw
          </button>
        )}
        {(state === 'FAILED' || state === 'EXPIRED') && (
          <button
            type="button"
            className="button"
            disabled={acting.isPending}
            onClick={() => acting.mutate(proposeAgain)}
          >
            Propose again
          </button>
        )}
        {state === 'OPEN' && !mayDecide && (
          <p className="mute">
            {isOwn
              ? 'Another person decides: nobody approves their own.'
              : `A person with ${approvers.permission}${owners && `, or who holds ${owners}`} decides.`}
          </p>
        )}
      </footer>
    </>
  );
}
