/** A draft in the review: what was, what will be, what is wrong with it, and how to be rid of it. */
import { type Draft, dropDrafts, putDrafts } from '../drafts';
import { Diff } from '../ui/Diff';
import { Icon, type IconName } from '../ui/icons';
import { fieldWords, valueWords } from '../words';
import type { Theirs } from './conflicts';

const signs: Record<Draft['sign'], [icon: IconName, words: string]> = {
  gain: ['plus', 'will be given: '],
  loss: ['minus', 'will be taken: '],
  change: ['pencil', 'will be changed: '],
};

interface ReviewedDraftProps {
  draft: Draft;
  /** Faults that the service tells of it. */
  faults: readonly string[];
  /** Whether somebody else changed the same meanwhile; undefined: nobody did. */
  conflict: { theirs: Theirs | undefined } | undefined;
}

export function ReviewedDraft({ draft, faults, conflict }: ReviewedDraftProps) {
  const { key, label, from, to, sign, fields, words: differences } = draft;
  const [icon, words] = signs[sign];
  return (
    <li className={conflict ? 'conflict' : undefined}>
      <span className={`sign ${sign}`}>
        <Icon name={icon} size={14} />
        <span className="only-heard">{words}</span>
      </span>
      <b>{label}</b>
      {(from || to) && (
        <span className="from-to">
          {from}
          <Icon name="arrow" size={12} />
          <span className="only-heard">becomes</span>
          {to}
        </span>
      )}
      <span className="grow" />
      <button
        type="button"
        className="ghost small"
        aria-label={`Take back: ${label}`}
        onClick={() => dropDrafts([key])}
      >
        <Icon name="undo" size={15} />
      </button>
      {differences ? (
        <span className="choices mute">{differences.join(', ')}</span>
      ) : (
        fields && fields.length > 0 && <Diff changes={fields} />
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
  if (!theirs) return <span className="choices mute">Somebody else changed it meanwhile; looking…</span>;
  return (
    <>
      <span className="choices">
        {theirs.by ?? 'Somebody else'} changed it meanwhile. Theirs: {theirs.words}. Yours: {mineWords(draft)}.
      </span>
      <span className="choices">
        <button type="button" className="button small" onClick={() => dropDrafts([draft.key])}>
          Take theirs
        </button>
        <button type="button" className="button small" onClick={() => putDrafts(theirs.mine)}>
          Keep mine
        </button>
      </span>
    </>
  );
}

const mineWords = ({ to, fields }: Draft): string =>
  to || (fields ?? []).map(({ field, after }) => `${fieldWords(field)}: ${valueWords(after)}`).join(', ');
