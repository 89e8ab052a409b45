/** Before anything is saved: each change, who gains and who loses, and a note for those who read the history. */
import { keepPreviousData, useMutation, useQuery, useQueryClient } from '@tanstack/react-query';
import { useNavigate } from '@tanstack/react-router';
import { type KeyboardEvent, useEffect, useMemo } from 'react';
import { type Draft, dropDrafts, forgetApplied, putDrafts, useDrafts, useNote } from '../drafts';
import { faultsByDraft, keepFaults } from '../faults';
import { mutate, Refusal, sendOnce } from '../graph';
import { proposeChanges } from '../operations/generated/inbox';
import { applyChanges, tryChanges } from '../operations/generated/review';
import { ofReview, readAgain } from '../readAgain';
import { useViewer } from '../session';
import { useIsOnline } from '../shell/online';
import { Sheet } from '../ui/Dialog';
import { Loading } from '../ui/Empty';
import { Failure } from '../ui/Failure';
import { Icon } from '../ui/icons';
import { revertedBy } from '../ui/ManagedBy';
import { usePrinting } from '../ui/printing';
import { say } from '../ui/Toasts';
import { plural } from '../words';
import { Affected } from './Affected';
import { changesOf, inOrder } from './changesOf';
import { readTheirs, type Theirs } from './conflicts';
import { EffectOf, type Effects, EffectTotals, fewDrafts, OtherEffects } from './Effect';
import { GroupOutcome } from './Exceptions';
import { bySubject, groupsOf } from './groups';
import { readManagers } from './managers';
import { NoteField } from './NoteField';
import { type Counted, countedOf } from './outcomes';
import { itemsMax, ReviewGroup } from './ReviewGroup';
import { ReviewUndo } from './ReviewUndo';
import { type Reviewing, review } from './reviewing';
import { Sentences } from './Sentences';

export const Review = ({ reviewing }: { reviewing: Reviewing }) =>
  reviewing.kind === 'undo' ? <ReviewUndo {...reviewing} /> : <ReviewDrafts />;

const close = (): void => review(undefined);

function ReviewDrafts() {
  const pending = useDrafts();
  const queries = useQueryClient();
  const navigate = useNavigate();
  const [note, setNote] = useNote();
  const isOnline = useIsOnline();
  const apply = useMutation({
    mutationFn: (sent: readonly Draft[]) => mutate(applyChanges, { changes: changesOf(sent), note: note || null }),
    onSuccess: async ({ applyChanges: { changeSetGuid, isDryRun } }, sent) => {
      await readAgain(queries);
      const title = plural(sent.length, 'change');
      // a new record, its texts and what else it gets
      const isOne = bySubject(sent.filter(({ subject }) => subject.kind !== 'texts')).length === 1;
      const made = isOne ? sent.map(pathOfMade).find((path) => path !== undefined) : undefined;
      forgetApplied(sent);
      setNote(undefined);
      close();
      const undo = () => review({ kind: 'undo', changeSetGuid, title });
      if (isDryRun) say({ text: 'Nothing was changed: everything already has these values.' });
      else say({ text: `${title} applied.`, act: { label: 'Undo…', run: undo } });
      if (made) void navigate({ to: made as '/applications' });
    },
  });
  const approvals = useViewer().data?.viewer.approvals;
  const propose = useMutation({
    mutationFn: (sent: readonly Draft[]) => {
      const what = { changes: changesOf(sent), note };
      return sendOnce(what, (proposalGuid) => mutate(proposeChanges, { ...what, proposalGuid }));
    },
    onSuccess: async ({ proposeChanges: { proposalGuid } }, sent) => {
      await readAgain(queries);
      forgetApplied(sent);
      setNote(undefined);
      close();
      say({ text: `${plural(sent.length, 'change')} proposed: another person decides.` });
      void navigate({ to: '/inbox', search: { view: 'mine', proposal: proposalGuid } });
    },
  });
  const ordered = useMemo(() => inOrder(pending), [pending]);
  // what becomes pending while others are being applied waits for the next review
  const drafts = [apply, propose].find(({ isPending }) => isPending)?.variables ?? ordered;
  const changes = changesOf(drafts);
  const tried = useQuery({
    queryKey: [ofReview, 'try', changes],
    enabled: drafts.length > 0,
    staleTime: 0,
    gcTime: 0,
    // the numbers before stay, grey, until they are counted again
    placeholderData: keepPreviousData,
    queryFn: async ({ signal }) => {
      const { applyChanges } = await mutate(tryChanges, { changes, areFew: drafts.length <= fewDrafts }, signal);
      return { ...applyChanges, keys: drafts.map(({ key }) => key) };
    },
  });
  useEffect(() => {
    if (drafts.length === 0) close();
  }, [drafts.length]);
  // the places in a refusal are those of what was sent
  const refused = [propose, apply].find(({ error, variables }) => error && variables === drafts);
  const error = refused?.error ?? tried.error;
  // what was applied although its answer was lost is known by the next count only
  const tryAgain = () => {
    apply.reset();
    propose.reset();
    void tried.refetch();
  };
  const faults = faultsByDraft(error, drafts);
  const isJudged = error !== null || tried.isSuccess;
  // biome-ignore lint/correctness/useExhaustiveDependencies: the drafts are those that were tried
  useEffect(() => {
    if (isJudged) keepFaults(error, drafts);
  }, [isJudged, error]);
  const isConflict = error instanceof Refusal && error.code === 'CONFLICT' && faults.size > 0;
  const conflicting = isConflict ? drafts.filter(({ key }) => faults.has(key)) : [];
  const theirs = useQuery({
    queryKey: [ofReview, 'theirs', conflicting.map(({ key }) => key), error],
    enabled: conflicting.length > 0,
    gcTime: 0,
    queryFn: () => readTheirs(conflicting, drafts),
  });
  const managed = useQuery({
    queryKey: [ofReview, 'managers', drafts.map(({ key }) => key)],
    enabled: drafts.length > 0,
    gcTime: 0,
    queryFn: ({ signal }) => readManagers(drafts, signal),
  });
  const effect = tried.data?.effect ?? undefined;
  const counted = useMemo(() => effect && countedOf(effect, tried.data?.keys ?? []), [effect, tried.data]);
  const isCounting = tried.isFetching;
  const title = `Review ${plural(drafts.length, 'change')}`;
  const printing = usePrinting(async (noted) => {
    const { printedChanges } = await import('./printedChanges');
    return printedChanges({ title, note, effect: effect!, drafts, counted }, noted);
  });
  const isBusy = apply.isPending || propose.isPending;
  const mayApply = tried.isSuccess && !isCounting && !isBusy && isOnline && !drafts.some(({ lacks }) => lacks);
  const needsApproval =
    approvals === 'all' || (apply.error instanceof Refusal && apply.error.code === 'APPROVAL_REQUIRED');
  const mayPropose = mayApply && note.trim() !== '';
  const press = (event: KeyboardEvent) => {
    if (!(event.ctrlKey || event.metaKey) || event.key !== 'Enter' || event.repeat || !mayApply) return;
    event.preventDefault();
    if (!needsApproval) apply.mutate(drafts);
    else if (mayPropose) propose.mutate(drafts);
  };
  return (
    <Sheet
      title={title}
      sub={
        tried.data &&
        !tried.isPlaceholderData &&
        `Counted at ${new Date(tried.dataUpdatedAt).toLocaleTimeString('en-GB')}. Nothing is saved yet.`
      }
      isWide
      onKeyDown={press}
      isBusy={isBusy}
      onClose={close}
      foot={
        <>
          <NoteField value={note} onChange={setNote} isReadOnly={isBusy} />
          <button
            type="button"
            className="button icon-only hide-small"
            aria-label="Print…"
            title="Print…"
            disabled={!effect || isCounting || printing.count !== undefined}
            onClick={printing.print}
          >
            <Icon name="print" size={16} />
          </button>
          {printing.sheet}
          <button type="button" className="button" disabled={isBusy} onClick={close}>
            Back
          </button>
          <button
            type="button"
            className={`button${needsApproval ? ' primary' : ''}`}
            disabled={!mayPropose}
            title={note.trim() === '' ? 'A proposal needs a note.' : undefined}
            onClick={() => propose.mutate(drafts)}
          >
            {propose.isPending ? 'Proposing…' : 'Propose'}
          </button>
          {!needsApproval && (
            <button type="button" className="button primary" disabled={!mayApply} onClick={() => apply.mutate(drafts)}>
              {apply.isPending ? 'Applying…' : `Apply ${plural(drafts.length, 'change')}`}
            </button>
          )}
        </>
      }
    >
      {effect && error === null && <EffectTotals effect={effect} isCounting={isCounting} />}
      {effect?.sentences && error === null && !isCounting && <Sentences sentences={effect.sentences} />}
      {effect && error === null && <Affected effect={effect} again={() => void tried.refetch()} />}
      {tried.isPending && <Loading lines={2} />}
      {error !== null && faults.size === 0 && <Failure error={error} retry={tryAgain} />}
      {isConflict && <ConflictNotice drafts={conflicting} theirs={theirs.data} />}
      {theirs.error && <Failure error={theirs.error} retry={() => void theirs.refetch()} />}
      {managed.error && error === null && <Failure error={managed.error} retry={() => void managed.refetch()} />}
      {/* what is being applied is as it was when that was pressed */}
      <div inert={isBusy}>
        <Reviewed
          drafts={drafts}
          effect={effect}
          counted={counted}
          isCounting={isCounting}
          faults={faults}
          isConflict={isConflict}
          theirs={theirs.data}
          managers={managed.data}
        />
      </div>
    </Sheet>
  );
}

interface ConflictNoticeProps {
  drafts: readonly Draft[];
  theirs: ReadonlyMap<string, Theirs> | undefined;
}

function ConflictNotice({ drafts, theirs }: ConflictNoticeProps) {
  const count = drafts.length;
  const isMade = drafts.every(({ key }) => theirs?.get(key)?.isSame);
  // until it is read what is there, it may have been one's own
  const ask = theirs ? ' Choose for each which value to keep. Nothing was saved.' : '';
  return (
    <div className="notice near" role="alert">
      <p>
        {isMade
          ? `${plural(count, 'change')} ${count === 1 ? 'was' : 'were'} made already. Take what is there.`
          : `${plural(count, 'change')} ${count === 1 ? 'starts' : 'start'} from a value that was changed after you read it.${ask}`}
      </p>
      {count > 1 && (
        <p className="chips">
          <button type="button" className="button small" onClick={() => dropDrafts(drafts.map(({ key }) => key))}>
            Take theirs for all
          </button>
          <button
            type="button"
            className="button small"
            disabled={!theirs}
            onClick={() => putDrafts(drafts.flatMap(({ key }) => theirs?.get(key)?.mine ?? []))}
          >
            Keep mine for all
          </button>
        </p>
      )}
    </div>
  );
}

interface ReviewedProps {
  drafts: readonly Draft[];
  effect: Effects | undefined;
  counted: Counted | undefined;
  /** What was counted is of the drafts before. */
  isCounting: boolean;
  faults: ReadonlyMap<string, string[]>;
  isConflict: boolean;
  theirs: ReadonlyMap<string, Theirs> | undefined;
  managers: ReadonlyMap<string, string> | undefined;
}

function Reviewed({ drafts, effect, counted, isCounting, faults, isConflict, theirs, managers }: ReviewedProps) {
  // what stands in the way of all comes first
  const stuck = drafts.filter(({ key }) => faults.has(key));
  const groups = [
    ...bySubject(stuck).map(({ subject, drafts }) => ({
      key: `stuck ${subject.id}`,
      subject,
      title: subject.name,
      drafts,
    })),
    ...groupsOf(drafts.filter(({ key }) => !faults.has(key))),
  ];
  const subjectsOf = (own: readonly Draft[]) => own.map(({ subject }) => subject);
  return (
    <>
      {groups.map((group) => (
        <ReviewGroup
          key={group.key}
          group={group}
          faults={faults}
          conflictOf={({ key }) => (isConflict && faults.has(key) ? { theirs: theirs?.get(key) } : undefined)}
          counted={isCounting ? undefined : counted}
        >
          {warningsOf(group.drafts, group.drafts.length > itemsMax ? undefined : managers).map((warning) => (
            <p key={warning} className="near">
              {warning}
            </p>
          ))}
          {isCounting && group.drafts.length > itemsMax && <p className="none">Counting…</p>}
          {counted && !isCounting && group.drafts.length > itemsMax && (
            <GroupOutcome drafts={group.drafts} counted={counted} managers={managers} />
          )}
          {effect && group.drafts.length <= itemsMax && <EffectOf effect={effect} drafts={group.drafts} />}
        </ReviewGroup>
      ))}
      {effect && <OtherEffects effect={effect} subjects={subjectsOf(drafts)} />}
    </>
  );
}

/** Each once: what drafts warn of by themselves, and that a file in git manages what they change. */
function warningsOf(drafts: readonly Draft[], managers: ReadonlyMap<string, string> = new Map()): string[] {
  const names = new Set(drafts.flatMap(({ key }) => managers.get(key) ?? []));
  const own = drafts.flatMap(({ warning }) => warning ?? []);
  return [...new Set([...own, ...[...names].map(revertedBy)])];
}

/** The page of a record that a draft makes; undefined for any other draft. */
function pathOfMade({ change, subject }: Draft): string | undefined {
  const { createProfile, createRole, createUser } = change;
  if (createUser) return `/users/${createUser.input.userGuid ?? subject.id}`;
  if (createProfile) return `/profiles/${encodeURIComponent(createProfile.input.profileId)}`;
  if (createRole) return `/roles/${encodeURIComponent(createRole.input.roleId)}`;
  if (change.createApplication) return `/applications/${subject.id}`;
  if (change.createAccessScope) return `/scopes/${subject.id}`;
  return change.createAccessScopeType ? `/types/${subject.id}` : undefined;
}
