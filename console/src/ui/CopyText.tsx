/** A small button that copies a text, such as an id. */
import { useState } from 'react';
import { Icon } from './icons';
import { refuse } from './Toasts';

export const copyRefused = 'The browser does not allow copying. Select the text and copy it.';

/** Whether the text is copied: false where the browser does not allow it, undefined until it was tried. */
export function useCopied(text: string): [isCopied: boolean | undefined, copy: () => Promise<boolean>] {
  const [isCopied, setCopied] = useState<boolean>();
  const copy = async () => {
    const done = await navigator.clipboard.writeText(text).then(
      () => true,
      () => false,
    );
    setCopied(done);
    return done;
  };
  return [isCopied, copy];
}

export function CopyText({ text, label }: { text: string; label: string }) {
  const [isCopied, copy] = useCopied(text);
  const start = async () => {
    if (!(await copy())) refuse(copyRefused);
  };
  return (
    <button type="button" className="ghost small" aria-label={label} title={label} onClick={() => void start()}>
      <Icon name={isCopied ? 'check' : 'copy'} size={14} />
    </button>
  );
}
