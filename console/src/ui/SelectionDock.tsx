/** What may be done with the rows that are selected; all that match can be, not only those of a page. */
import { type ReactNode, useState } from 'react';
import { draftsMax } from '../drafts';
import { plural } from '../words';
import type { Selection } from './Row';
import { refuse } from './Toasts';

interface SelectingAll {
  isPending: boolean;
  start: () => void;
}

/** Selects every row of the list, if one change can have so many. */
export function useSelectingAll(
  total: number,
  readKeys: () => Promise<string[]>,
  selection: Selection & { set: (keys: Iterable<string>) => void },
): SelectingAll {
  const [isPending, setPending] = useState(false);
  const select = async () => {
    if (total > draftsMax) return refuse(tooMany(total));
    setPending(true);
    try {
      selection.set(await readKeys());
    } catch (error) {
      refuse((error as Error).message);
    } finally {
      setPending(false);
    }
  };
  return { isPending, start: () => void select() };
}

const tooMany = (count: number): string =>
  `${count.toLocaleString('en')} selected; ${draftsMax.toLocaleString('en')} fit in one change. Search for some of them.`;

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
        {size}
      </span>
      <b role="status">
        {plural(size, one, many)}
        <span className="hide-small"> selected</span>
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
