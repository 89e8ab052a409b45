/** A combobox that finds as one types. Which options there are, the caller asks the graph. */
import { type KeyboardEvent, useEffect, useId, useState } from 'react';
import { Icon } from './icons';
import { Tile } from './Tile';

export interface Option {
  id: string;
  label: string;
  hint?: string;
}

interface PickerProps<Item extends Option> {
  label: string;
  placeholder: string;
  value: Option | null;
  options: readonly Item[];
  /** How many there are in all, of which `options` are the first. */
  total: number | undefined;
  /** The question for the options. */
  found: { isFetching: boolean; error: Error | null };
  /** What is typed; empty when the field is entered. */
  onText: (text: string) => void;
  onPick: (option: Item) => void;
  round?: boolean;
  /** Without tiles, for options that are no records. */
  isPlain?: boolean;
  /** Whether there are more options than these, where nobody counts them. */
  isCut?: boolean;
  autoFocus?: boolean;
  /** Whether the options are there at once. */
  isOpenAtOnce?: boolean;
}

export function Picker<Item extends Option>(props: PickerProps<Item>) {
  const {
    label,
    placeholder,
    value,
    options,
    total = 0,
    found,
    onText,
    onPick,
    round = false,
    isPlain = false,
    isCut = false,
    autoFocus = false,
    isOpenAtOnce = false,
  } = props;
  const id = useId();
  const [isOpen, setOpen] = useState(isOpenAtOnce);
  const [text, setText] = useState('');
  const [at, setAt] = useState(0);
  const type = (next: string, open = true) => {
    setText(next);
    onText(next);
    setAt(0);
    setOpen(open);
  };
  const pick = (option: Item | undefined) => {
    if (!option) return;
    setOpen(false);
    onPick(option);
  };
  useEffect(() => {
    // newer browsers answer a promise, which is no clean-up
    void document.getElementById(`${id}-${at}`)?.scrollIntoView({ block: 'nearest' });
  }, [id, at]);
  const keys = (event: KeyboardEvent) => {
    // this Enter ends the writing of a word, such as a Japanese one
    if (event.nativeEvent.isComposing) return;
    const acts: Record<string, () => void> = {
      ArrowDown: () => (isOpen ? setAt(Math.min(at + 1, options.length - 1)) : type('')),
      ArrowUp: () => setAt(Math.max(at - 1, 0)),
      ...(isOpen && { Enter: () => pick(options[at]), Escape: () => setOpen(false) }),
    };
    const act = acts[event.key];
    if (!act) return;
    event.preventDefault();
    // Escape closes the options alone, not the dialog around them
    event.stopPropagation();
    act();
  };
  return (
    <div className="picker">
      <label htmlFor={id}>{label}</label>
      <div className="picker-box">
        {isPlain ? null : value ? <Tile name={value.label} round={round} /> : <Icon name="search" size={16} />}
        <input
          // React focuses it before its dialog opens, which then would choose what comes first in it
          ref={(field) => void field?.toggleAttribute('autofocus', autoFocus)}
          id={id}
          role="combobox"
          aria-expanded={isOpen}
          aria-controls={`${id}-list`}
          aria-autocomplete="list"
          aria-activedescendant={isOpen && options[at] ? `${id}-${at}` : undefined}
          autoComplete="off"
          // biome-ignore lint/a11y/noAutofocus: the first field of a dialog that asks one thing
          autoFocus={autoFocus}
          placeholder={placeholder}
          maxLength={200}
          value={isOpen ? text : (value?.label ?? '')}
          onFocus={() => type('', !autoFocus || isOpenAtOnce)}
          onClick={() => setOpen(true)}
          onBlur={() => setOpen(false)}
          onChange={({ target }) => type(target.value)}
          onKeyDown={keys}
        />
        <Icon name="down" size={16} />
      </div>
      <div id={`${id}-list`} className="options" role="listbox" aria-label={label} hidden={!isOpen}>
        {options.map((option, index) => (
          // biome-ignore lint/a11y/useKeyWithClickEvents: the text field has the keys
          <div
            key={option.id}
            id={`${id}-${index}`}
            className="option"
            role="option"
            aria-selected={index === at}
            onMouseMove={() => setAt(index)}
            // before the field loses the focus and the list its place
            onMouseDown={(event) => event.preventDefault()}
            onClick={() => pick(option)}
          >
            {!isPlain && <Tile name={option.label} round={round} />}
            <span className="two-lines">
              <b>{option.label}</b>
              {option.hint && <small>{option.hint}</small>}
            </span>
          </div>
        ))}
        {(isCut || total > options.length) && (
          <div className="option none" role="option" aria-selected={false} aria-disabled="true">
            Shown: {options.length}
            {isCut ? ', and there are more' : ` of ${total.toLocaleString('en')}`}. Type more of the name.
          </div>
        )}
        {options.length === 0 && (
          <div className="option none" role="option" aria-selected={false} aria-disabled="true">
            {found.isFetching ? 'Searching…' : (found.error?.message ?? 'Nothing found')}
          </div>
        )}
      </div>
    </div>
  );
}
