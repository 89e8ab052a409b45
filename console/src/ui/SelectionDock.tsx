/** What may be done with the rows that are selected; all that match can be, not only those of a page. */
import { type ReactNode, useState } from 'react';
import { draftsMax } from '../drafts';
import type { Pages } from '../pages';
import { plural } from '../words';
import type { SelectingAll, Selection } from './Row';
import { refuse } from './Toasts';
import type { SettableSelection } from './useSelection';

/** Selects every row of the list, if one change can have so many. */
export function useSelectingAll(
  { total, question, isStale }: Pages<unknown>,
  readKeys: () => Promise<string[]>,
  selection: SettableSelection,
  max = draftsMax,
): SelectingAll {
  const [isPending, setPending] = useState(false);
  const [done, setDone] = useState<{ keys: ReadonlySet<string>; question: string }>();
  const select = async () => {
    if (total > max) return refuse(tooMany(total, max));
    setPending(true);
    try {
      const keys = new Set(await readKeys());
      if (keys.size > max) return refuse(tooMany(keys.size, max));
      selection.set(keys);
      setDone({ keys, question });
    } catch (error) {
      refuse((error as Error).message);
    } finally {
      setPending(false);
    }
  };
  const isDone = total > 0 && done?.keys === selection.keys && done.question === question;
  // the number is of the question before until there is an answer
  return { total, isPending: isPending || isStale, isDone, start: () => void select() };
}

export const tooMany = (count: number, max = draftsMax): string =>
  `${count.toLocaleString('en')} selected; ${max.toLocaleString('en')} fit in one change. Search for some of them.`;

interface SelectionDockProps {
  selection: Selection;
  total: number;
  one: string;
  many?: string;
  /** Until all are, nothing is done with those that are selected already. */
  selectingAll: SelectingAll;
  children: ReactNode;
}

export function SelectionDock({ selection, total, one, many, selectingAll, children }: SelectionDockProps) {
  const { size } = selection.keys;
  if (size === 0) return null;
  return (
    <section className="dock over" aria-label="Selection">
      <span className="pill" aria-hidden="true">
        {size.toLocaleString('en')}
      </span>
      <b role="status">
        {selectingAll.isDone && size > 1 ? (
          `All ${size.toLocaleString('en')} are selected`
        ) : (
          <>
            {plural(size, one, many)}
            <span className="hide-small"> selected</span>
          </>
        )}
      </b>
      {size < total && (
        <button
          type="button"
          className="button on-dark"
          disabled={selectingAll.isPending}
          onClick={() => selectingAll.start()}
        >
          Select all {total.toLocaleString('en')}
        </button>
      )}
      <span className="grow" />
      <button type="button" className="button on-dark" disabled={selectingAll.isPending} onClick={selection.clear}>
        Clear
      </button>
      <span className="dock-acts">{children}</span>
    </section>
  );
}
