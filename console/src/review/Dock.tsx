/** The pending changes, on every page, until they are applied or discarded. */
import { useEffect } from 'react';
import { clearDrafts, countDrafts, type Draft, hasSteps, putBack, takeBack, useDrafts } from '../drafts';
import { Icon } from '../ui/icons';
import { say } from '../ui/Toasts';
import { plural } from '../words';
import { reviewDrafts } from './reviewing';

function discard(drafts: readonly Draft[]): void {
  clearDrafts();
  // the dock goes, and with it what had the focus
  document.getElementById('main')?.focus();
  say({
    text: `${plural(drafts.length, 'change')} discarded.`,
    act: { label: 'Undo', run: () => putBack(drafts) },
  });
}

export function Dock() {
  const drafts = useDrafts();
  const isEmpty = drafts.length === 0;
  useEffect(() => {
    if (isEmpty) return;
    const press = (event: KeyboardEvent) => {
      if (!(event.ctrlKey || event.metaKey) || event.key !== 'Enter' || document.querySelector('dialog[open]')) return;
      event.preventDefault();
      reviewDrafts();
    };
    addEventListener('keydown', press);
    return () => removeEventListener('keydown', press);
  }, [isEmpty]);
  if (isEmpty) return null;
  const { given, removed, changed } = countDrafts(drafts);
  const parts = [given && `${given} given`, removed && `${removed} removed`, changed && `${changed} changed`];
  const lacks = drafts.find((draft) => draft.lacks)?.lacks;
  return (
    <section className="dock" aria-label="Pending changes">
      <span className="pill" aria-hidden="true">
        {drafts.length.toLocaleString('en')}
      </span>
      <b role="status">
        {drafts.length.toLocaleString('en')} <span className="hide-small">pending </span>
        {drafts.length === 1 ? 'change' : 'changes'}
      </b>
      <span className="dim hide-small">{parts.filter(Boolean).join(' · ')}</span>
      <span className="grow" />
      {hasSteps() && (
        <button type="button" className="button on-dark only-touch" aria-label="Undo the last step" onClick={takeBack}>
          <Icon name="undo" size={16} />
        </button>
      )}
      <button type="button" className="button on-dark" onClick={() => discard(drafts)}>
        Discard
      </button>
      <button type="button" className="button bright" disabled={lacks !== undefined} onClick={reviewDrafts}>
        Review{lacks && ` (${lacks})`}
        <kbd>Ctrl ↵</kbd>
      </button>
    </section>
  );
}
