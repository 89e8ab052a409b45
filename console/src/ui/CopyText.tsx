/** A small button that copies a text, such as an id. */
import { useState } from 'react';
import { Icon } from './icons';
import { refuse } from './Toasts';

export function CopyText({ text, label }: { text: string; label: string }) {
  const [isCopied, setCopied] = useState(false);
  const copy = async () => {
    try {
      await navigator.clipboard.writeText(text);
      setCopied(true);
    } catch {
      refuse('The browser does not allow copying. Select the text and copy it.');
    }
  };
  return (
    <button type="button" className="ghost small" aria-label={label} title={label} onClick={() => void copy()}>
      <Icon name={isCopied ? 'check' : 'copy'} size={14} />
    </button>
  );
}
