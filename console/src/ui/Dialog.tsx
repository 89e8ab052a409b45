/** A native modal dialog: focus stays inside, Escape closes, and focus returns to where it was. */
import { type KeyboardEvent, type MouseEvent, type ReactNode, useContext, useEffect, useReducer, useRef } from 'react';
import { Waiting } from './enter';
import { Icon } from './icons';
import { useQuestionBeforeLeaving } from './leaving';

interface DialogProps {
  className: string;
  label: string;
  /** Something is done whose end it waits for: nothing closes it, or a second act would begin before. */
  isBusy?: boolean;
  /** It shows what is shown this one time: a button closes it, and not a key or a click beside it. */
  isShownOnce?: boolean;
  onClose: () => void;
  children: ReactNode;
}

/** Open as long as it is rendered. */
export function Dialog({ className, label, isBusy = false, isShownOnce = false, onClose, children }: DialogProps) {
  const stays = isBusy || isShownOnce;
  const dialog = useRef<HTMLDialogElement>(null);
  const waiting = useReducer((count: number, one: 1 | -1) => count + one, 0);
  useQuestionBeforeLeaving(isBusy);
  useEffect(() => {
    const opened = dialog.current!;
    const { activeElement } = document;
    opened.showModal();
    return () => {
      opened.close();
      // what opened it may be gone, such as the dock of changes that were applied: then the page has the focus
      const isThere = activeElement?.isConnected && activeElement !== document.body;
      const before = isThere ? activeElement : document.getElementById('main');
      if (before instanceof HTMLElement) before.focus();
    };
  }, []);
  const clickOutside = ({ target }: MouseEvent) => {
    if (target === dialog.current && !stays) onClose();
  };
  return (
    // biome-ignore lint/a11y/useKeyWithClickEvents: Escape closes it, by the browser itself
    <dialog
      ref={dialog}
      className={className}
      aria-label={label}
      onCancel={(event) => {
        event.preventDefault();
        if (!stays) onClose();
      }}
      onClose={() => {
        // the second Escape in a row, and a phone's back, close it without asking
        if (!dialog.current || dialog.current.open) return;
        if (stays) dialog.current.showModal();
        else onClose();
      }}
      onClick={clickOutside}
    >
      <Waiting value={waiting}>{children}</Waiting>
    </dialog>
  );
}

/** What a dialog does: nothing with the choice before the one that a field of it waits for. */
export const DialogFoot = ({ className, children }: { className?: string; children: ReactNode }) => {
  const [waiting] = useContext(Waiting);
  return (
    <footer className={className}>
      <fieldset disabled={waiting > 0}>{children}</fieldset>
    </footer>
  );
};

interface SheetProps {
  title: string;
  /** Under the title. */
  sub?: ReactNode;
  isWide?: boolean;
  onKeyDown?: (event: KeyboardEvent) => void;
  isBusy?: boolean;
  isShownOnce?: boolean;
  onClose: () => void;
  children: ReactNode;
  foot: ReactNode;
}

/** A dialog at the right edge, as high as the window. */
export const Sheet = ({
  title,
  sub,
  isWide = false,
  isBusy = false,
  isShownOnce = false,
  onKeyDown,
  onClose,
  children,
  foot,
}: SheetProps) => (
  <Dialog
    className={`sheet${isWide ? ' wide' : ''}`}
    label={title}
    isBusy={isBusy}
    isShownOnce={isShownOnce}
    onClose={onClose}
  >
    {/* biome-ignore lint/a11y/noStaticElementInteractions: keys of all that is in it */}
    <div onKeyDown={onKeyDown}>
      <header className="sheet-head">
        <div className="grow">
          {/* where a reader begins: the first control would be Close */}
          <h2 tabIndex={-1} ref={(heading) => void heading?.toggleAttribute('autofocus', isWide)}>
            {title}
          </h2>
          {sub && <p className="sub">{sub}</p>}
        </div>
        <button type="button" className="ghost" aria-label="Close" disabled={isBusy} onClick={onClose}>
          <Icon name="x" />
        </button>
      </header>
      {/* biome-ignore lint/a11y/noNoninteractiveTabindex: what scrolls can be scrolled by keys */}
      <div className="sheet-body" tabIndex={0} role="group" aria-label={`${title}: details`}>
        {children}
      </div>
      <DialogFoot className="sheet-foot">{foot}</DialogFoot>
    </div>
  </Dialog>
);

interface SheetActsProps {
  onBack: () => void;
  label: string;
  act: () => void;
  isBusy?: boolean;
  /** Something that it needs is missing. */
  isLacking?: boolean;
  isDanger?: boolean;
}

/** The foot of a sheet that does one thing. */
export const SheetActs = ({
  onBack,
  label,
  act,
  isBusy = false,
  isLacking = false,
  isDanger = false,
}: SheetActsProps) => (
  <>
    <button type="button" className="button" disabled={isBusy} onClick={onBack}>
      Back
    </button>
    <span className="grow" />
    <button
      type="button"
      className={`button ${isDanger ? 'danger' : 'primary'}`}
      disabled={isBusy || isLacking}
      onClick={act}
    >
      {label}
    </button>
  </>
);
