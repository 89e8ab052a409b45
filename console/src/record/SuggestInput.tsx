/** A text field that offers the values which other records have, with how many have each; any other text is as good. */
import { useQuery } from '@tanstack/react-query';
import { type InputHTMLAttributes, type KeyboardEvent, useState } from 'react';
import { ask } from '../graph';
import { suggest } from '../operations/generated/giving';
import type { SuggestionField } from '../operations/generated/graph';
import { useDebounced } from '../ui/SearchField';

interface SuggestInputProps extends Omit<InputHTMLAttributes<HTMLInputElement>, 'onChange'> {
  id: string;
  of: SuggestionField;
  value: string;
  onText: (text: string) => void;
}

const suggestionsMax = 8;

export function SuggestInput({ id, of, value, onText, ...input }: SuggestInputProps) {
  const [isOpen, setOpen] = useState(false);
  /** What was typed since it was opened: at first all values are offered. */
  const [typed, setTyped] = useState('');
  const [at, setAt] = useState(-1);
  const text = useDebounced(typed);
  const { data } = useQuery({
    queryKey: ['suggest', of, text],
    enabled: isOpen && !input.readOnly,
    queryFn: ({ signal }) => ask(suggest, { field: of, text: text || null, first: suggestionsMax }, signal),
  });
  const options = data?.suggestions ?? [];
  const isShown = isOpen && !input.readOnly && options.length > 0;
  const open = () => {
    setOpen(true);
    setTyped('');
    setAt(-1);
  };
  const pick = (option: string | undefined) => {
    setOpen(false);
    if (option !== undefined) onText(option);
  };
  const keys = (event: KeyboardEvent) => {
    if (event.nativeEvent.isComposing) return;
    const acts: Record<string, () => void> = {
      ArrowDown: () => (isShown ? setAt(Math.min(at + 1, options.length - 1)) : open()),
      ArrowUp: () => setAt(Math.max(at - 1, -1)),
      ...(isShown && at >= 0 && { Enter: () => pick(options[at]?.value) }),
      ...(isShown && { Escape: () => setOpen(false) }),
    };
    const act = event.ctrlKey || event.metaKey ? undefined : acts[event.key];
    if (!act) return;
    event.preventDefault();
    event.stopPropagation();
    act();
  };
  return (
    <div className="picker">
      <input
        {...input}
        id={id}
        role="combobox"
        aria-expanded={isShown}
        aria-controls={`${id}-list`}
        aria-autocomplete="list"
        aria-activedescendant={isShown && options[at] ? `${id}-${at}` : undefined}
        autoComplete="off"
        value={value}
        onFocus={open}
        onClick={() => isOpen || open()}
        onBlur={() => setOpen(false)}
        onChange={({ target }) => {
          setTyped(target.value);
          setAt(-1);
          setOpen(true);
          onText(target.value);
        }}
        onKeyDown={keys}
      />
      <div id={`${id}-list`} className="options" role="listbox" aria-label="Values of other records" hidden={!isShown}>
        {options.map((option, index) => (
          // biome-ignore lint/a11y/useKeyWithClickEvents: the text field has the keys
          <div
            key={option.value}
            id={`${id}-${index}`}
            className="option"
            role="option"
            aria-selected={index === at}
            onMouseMove={() => setAt(index)}
            // before the field loses the focus and the list its place
            onMouseDown={(event) => event.preventDefault()}
            onClick={() => pick(option.value)}
          >
            <span>{option.value}</span>
            <small>{option.count.toLocaleString('en')}</small>
          </div>
        ))}
      </div>
    </div>
  );
}
