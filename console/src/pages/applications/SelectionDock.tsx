/** What may be done with the rows that are selected; all that match can be, not only those of a page. */
import type { Selection } from '../../ui/Rows';
import { plural } from '../../words';

interface SelectionDockProps {
  selection: Selection;
  total: number;
  one: string;
  onAll: () => void;
  onGive: () => void;
  onTake: () => void;
}

export function SelectionDock({ selection, total, one, onAll, onGive, onTake }: SelectionDockProps) {
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
        <button type="button" className="button on-dark" onClick={onAll}>
          Select all {total.toLocaleString('en')}
        </button>
      )}
      <span className="grow" />
      <button type="button" className="button on-dark" onClick={selection.clear}>
        Clear
      </button>
      <button type="button" className="button on-dark" onClick={onTake}>
        Take access…
      </button>
      <button type="button" className="button bright" onClick={onGive}>
        Give access…
      </button>
    </section>
  );
}
