/** Changes that are decided together: what they do, who gains and loses, each of them, and all of them undone at once. */
import { type ReactNode, useState } from 'react';
import { type Draft, dropDrafts } from '../drafts';
import { wholeList } from '../pages';
import { Icon } from '../ui/icons';
import type { Column } from '../ui/Row';
import { Rows } from '../ui/Rows';
import type { Theirs } from './conflicts';
import type { Group } from './groups';
import { nameOfDraft, ReviewedDraft, Sign, UndoButton } from './ReviewedDraft';
import { SubjectHeading } from './SubjectHeading';

interface ReviewGroupProps {
  group: Group;
  faults: ReadonlyMap<string, string[]>;
  conflictOf: (draft: Draft) => { theirs: Theirs | undefined } | undefined;
  /** What it means for people. */
  children: ReactNode;
}

/** More are a list of their own, of which only those in sight are in the document. */
const itemsMax = 12;

export function ReviewGroup({ group, faults, conflictOf, children }: ReviewGroupProps) {
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
            aria-label={`Undo all ${drafts.length}: ${title}`}
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
            />
          ))}
        </ul>
      )}
      {isLong && isShown && (
        <Rows
          label={title}
          pages={wholeList(drafts, group.key)}
          columns={columns}
          keyOf={({ key }) => key}
          nameOf={nameOfDraft}
        />
      )}
    </section>
  );
}

const columns: Column<Draft>[] = [
  {
    key: 'name',
    label: 'Change',
    width: 'minmax(200px, 1fr)',
    keepSmall: true,
    cell: ({ subject, label }) => (
      <span className="two-lines">
        <b>{subject.name}</b>
        <small>{subject.hint ?? label}</small>
      </span>
    ),
  },
  { key: 'from', label: 'From', width: '110px', cell: ({ from }) => from },
  { key: 'to', label: 'To', width: '110px', cell: ({ to }) => to },
  { key: 'undo', label: 'Undo', width: '48px', keepSmall: true, cell: (draft) => <UndoButton draft={draft} /> },
];
