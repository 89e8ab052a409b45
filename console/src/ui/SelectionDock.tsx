/** What may be done with the rows that are selected; all that match can be, not only those of a page. */
import { type UseMutationResult, useMutation } from '@tanstack/react-query';
import type { ReactNode } from 'react';
import { draftsMax } from '../drafts';
import { plural } from '../words';
import type { Selection } from './Row';
import { refuse } from './Toasts';

type SelectingAll = UseMutationResult<string[], Error, void>;

/** Selects every row of the list, if one change can have so many. */
export function useSelectingAll(
  total: number,
  readKeys: () => Promise<string[]>,
  selection: Selection & { set: (keys: Iterable<string>) => void },
): SelectingAll {
  return useMutation({
    mutationFn: async () => {
      if (total > draftsMax) throw new Error(tooMany(total));
      return readKeys();
    },
    onSuccess: (keys) => selection.set(keys),
    onError: ({ message }) => refuse(message),
  });
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
          onClick={() => selectingAll.mutate()}
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
