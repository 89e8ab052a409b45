/** Changes that are decided together: what they do, who gains and loses, each of them, and all of them undone at once. */
import { type ReactNode, useState } from 'react';
import { type Draft, dropDrafts } from '../drafts';
import { Icon } from '../ui/icons';
import type { Theirs } from './conflicts';
import { DraftRows } from './DraftRows';
import type { Group } from './groups';
import { type Counted, outcomeWords } from './outcomes';
import { Becomes, ReviewedDraft, Sign } from './ReviewedDraft';
import { SubjectHeading } from './SubjectHeading';
import '../theme/reviewed.css';

interface ReviewGroupProps {
  group: Group;
  faults: ReadonlyMap<string, string[]>;
  conflictOf: (draft: Draft) => { theirs: Theirs | undefined } | undefined;
  counted: Counted | undefined;
  /** What it means for people. */
  children: ReactNode;
}

/** More are a list of their own. */
export const itemsMax = 12;

export function ReviewGroup({ group, faults, conflictOf, counted, children }: ReviewGroupProps) {
  const { subject, title, drafts } = group;
  const [isShown, setShown] = useState(false);
  const isLong = drafts.length > itemsMax;
  return (
    <section className="reviewed" aria-label={title}>
      <header>
        {subject ? (
          <SubjectHeading subject={subject} />
        ) : (
          <h3>
            <Sign sign={drafts[0]!.sign} />
            {title}
          </h3>
        )}
        <FromTo drafts={drafts} />
        <span className="grow" />
        {isLong && (
          <button type="button" className="button small" aria-expanded={isShown} onClick={() => setShown(!isShown)}>
            {isShown ? 'Hide' : `Show all ${drafts.length.toLocaleString('en')}`}
          </button>
        )}
        {drafts.length > 1 && (
          <button
            type="button"
            className="ghost small"
            aria-label={`Undo all ${drafts.length.toLocaleString('en')}: ${title}`}
            onClick={() => dropDrafts(drafts.map(({ key }) => key))}
          >
            <Icon name="undo" size={15} />
          </button>
        )}
      </header>
      <div className="people">{children}</div>
      {!isLong && (
        <ul>
          {drafts.map((draft) => (
            <ReviewedDraft
              key={draft.key}
              draft={draft}
              isNamed={subject === undefined}
              faults={faults.get(draft.key) ?? []}
              conflict={conflictOf(draft)}
              effect={counted && outcomeWords(draft, counted.outcomes.get(draft.key))}
            />
          ))}
        </ul>
      )}
      {isLong && isShown && <DraftRows label={title} drafts={drafts} counted={counted} />}
    </section>
  );
}

/** What all of them were and will be. */
function FromTo({ drafts }: { drafts: readonly Draft[] }) {
  const [{ from, to }] = drafts as [Draft];
  if (drafts.length === 1 || !(from || to) || drafts.some((draft) => draft.from !== from || draft.to !== to))
    return null;
  return <Becomes from={from} to={to} />;
}
