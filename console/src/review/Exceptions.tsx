/** Under a large group of a review: who gains and loses by all of it, and the changes that do nothing for anybody, with the reasons. */
import { useState } from 'react';
import type { Draft } from '../drafts';
import { DraftRows } from './DraftRows';
import { SumLine } from './Effect';
import { type Counted, type Exception, exceptionsOf, sumsOf } from './outcomes';

interface GroupOutcomeProps {
  drafts: readonly Draft[];
  counted: Counted;
  managers: ReadonlyMap<string, string> | undefined;
}

export function GroupOutcome({ drafts, counted, managers }: GroupOutcomeProps) {
  const sums = sumsOf(drafts, counted);
  return (
    <>
      {sums && <SumLine sums={sums.gains} verb="gain" />}
      {sums && <SumLine sums={sums.loses} verb="lose" />}
      {exceptionsOf(drafts, counted, managers).map((exception) => (
        <ExceptionLine key={exception.key} exception={exception} />
      ))}
    </>
  );
}

function ExceptionLine({ exception: { count, words, isWarning, drafts } }: { exception: Exception }) {
  const [isShown, setShown] = useState(false);
  const label = `${count.toLocaleString('en')} ${words}`;
  return (
    <>
      <p className={isWarning ? 'exception near' : 'exception'}>
        <b>{count.toLocaleString('en')}</b>
        <span className="grow">{words}</span>
        <button
          type="button"
          className="button small"
          aria-expanded={isShown}
          aria-label={`${isShown ? 'Hide' : 'Show'}: ${label}`}
          onClick={() => setShown(!isShown)}
        >
          {isShown ? 'Hide' : 'Show'}
        </button>
      </p>
      {isShown && <DraftRows label={label} drafts={drafts} />}
    </>
  );
}
