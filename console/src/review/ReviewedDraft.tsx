/** A draft in the review: what was, what will be, what is wrong with it, and how to be rid of it. */
import { type Draft, dropDrafts, putDrafts } from '../drafts';
import { Diff } from '../ui/Diff';
import { Icon, type IconName } from '../ui/icons';
import { fieldWords, valueWords } from '../words';
import type { Theirs } from './conflicts';

const signs: Record<Draft['sign'], [icon: IconName, words: string]> = {
  gain: ['plus', 'will be given: '],
  loss: ['minus', 'will be removed: '],
  change: ['pencil', 'will be changed: '],
};
const created: (typeof signs)['gain'] = ['plus', 'will be created: '];

/** Tells it from every other change, for those who hear it. */
export const nameOfDraft = ({ label, subject }: Draft): string =>
  [label, 'of', subject.name, subject.hint].filter(Boolean).join(' ');

export function Sign({ sign, isNew = false }: Pick<Draft, 'sign' | 'isNew'>) {
  const [icon, words] = isNew ? created : signs[sign];
  return (
    <span className={`sign ${isNew ? 'gain' : sign}`}>
      <Icon name={icon} size={14} />
      <span className="only-heard">{words}</span>
    </span>
  );
}

export const UndoButton = ({ draft }: { draft: Draft }) => (
  <button
    type="button"
    className="ghost small"
    aria-label={`Undo: ${nameOfDraft(draft)}`}
    onClick={() => dropDrafts([draft.key])}
  >
    <Icon name="undo" size={15} />
  </button>
);

export const Becomes = ({ from, to }: Pick<Draft, 'from' | 'to'>) => (
  <span className="from-to">
    {from}
    <Icon name="arrow" size={12} />
    <span className="only-heard">becomes</span>
    {to}
  </span>
);

interface ReviewedDraftProps {
  draft: Draft;
  /** Whether the record is named: it has no heading of its own. */
  isNamed: boolean;
  /** Faults that the service tells of it. */
  faults: readonly string[];
  /** What it does for people, where that is counted. */
  effect?: string | undefined;
  /** Whether somebody else changed the same since; undefined: nobody did. */
  conflict: { theirs: Theirs | undefined } | undefined;
}

export function ReviewedDraft({ draft, isNamed, faults, conflict, effect }: ReviewedDraftProps) {
  const { subject, label, from, to, sign, isNew, fields, words: differences } = draft;
  return (
    <li className={conflict ? 'conflict' : undefined}>
      <Sign sign={sign} isNew={isNew ?? false} />
      <b>{isNamed ? subject.name : label}</b>
      {isNamed && subject.hint && <small className="mute">{subject.hint}</small>}
      {(from || to) && <Becomes from={from} to={to} />}
      <span className="grow" />
      {effect && <span className="draft-effect">{effect}</span>}
      <UndoButton draft={draft} />
      {differences ? (
        <span className="choices mute">{differences.join(', ')}</span>
      ) : (
        // the only one may be said by its states already
        fields && fields.length > (from || to ? 1 : 0) && <Diff changes={fields} />
      )}
      {conflict ? (
        <Conflict draft={draft} theirs={conflict.theirs} />
      ) : (
        faults.map((fault) => (
          <span key={fault} className="choices fault" role="alert">
            {fault}
          </span>
        ))
      )}
    </li>
  );
}

function Conflict({ draft, theirs }: { draft: Draft; theirs: Theirs | undefined }) {
  if (!theirs) return <span className="choices mute">Somebody else changed it since you read it; looking…</span>;
  const { isSame } = theirs;
  return (
    <>
      <span className="choices">
        {theirs.by ?? 'Somebody else'} changed it since you read it. Theirs: {theirs.words}. Yours:{' '}
        {isSame ? 'the same, so nothing is left to do' : mineWords(draft)}.
      </span>
      <span className="choices">
        <button type="button" className="button small" onClick={() => dropDrafts([draft.key])}>
          Take theirs
        </button>
        {!isSame && (
          <button type="button" className="button small" onClick={() => putDrafts(theirs.mine)}>
            Keep mine
          </button>
        )}
      </span>
    </>
  );
}

const mineWords = ({ to, fields, words }: Draft): string =>
  words?.join(', ') ||
  to ||
  (fields ?? []).map(({ field, after }) => `${fieldWords(field)}: ${valueWords(after)}`).join(', ');
