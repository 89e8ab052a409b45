/** What may be done with the rows that are selected; all that match can be, not only those of a page. */
import type { Selection } from '../../ui/Row';
import { plural } from '../../words';

interface SelectionDockProps {
  selection: Selection;
  total: number;
  one: string;
  /** Until all are, nothing is done with those that are selected already. */
  isSelectingAll: boolean;
  onAll: () => void;
  onGive: () => void;
  onTake: () => void;
}

export function SelectionDock({ selection, total, one, isSelectingAll, onAll, onGive, onTake }: SelectionDockProps) {
  const { size } = selection.keys;
  if (size === 0) return null;
  return (
    <section className="dock over" aria-label="Selection">
      <span className="pill" aria-hidden="true">
        {size}
      </span>
      <b role="status">
        {plural(size, one)}
        <span className="hide-small"> selected</span>
      </b>
      {size < total && (
        <button type="button" className="button on-dark" disabled={isSelectingAll} onClick={onAll}>
          Select all {total.toLocaleString('en')}
        </button>
      )}
      <span className="grow" />
      <button type="button" className="button on-dark" disabled={isSelectingAll} onClick={selection.clear}>
        Clear
      </button>
      <span className="dock-acts">
        <button type="button" className="button on-dark" disabled={isSelectingAll} onClick={onTake}>
          Take access…
        </button>
        <button type="button" className="button bright" disabled={isSelectingAll} onClick={onGive}>
          Give access…
        </button>
      </span>
    </section>
  );
}
