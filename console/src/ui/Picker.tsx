/** A combobox that finds as one types. Which options there are, the caller asks the graph. */
import { type KeyboardEvent, useEffect, useId, useRef, useState } from 'react';
import { holdsWords } from '../words';
import { useEnter } from './enter';
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
  /** What is typed, once it rests; empty when the field is entered. `options` are what is found by it. */
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

/** How long what is typed rests before it is looked for. */
const restMs = 180;

export function Picker<Item extends Option>(props: PickerProps<Item>) {
  const {
    label,
    placeholder,
    value,
    options: answered,
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
  const [wanted, setWanted] = useState('');
  const rest = useRef<ReturnType<typeof setTimeout>>(undefined);
  useEffect(() => () => clearTimeout(rest.current), []);
  const want = (next: string) => {
    clearTimeout(rest.current);
    setWanted(next);
    onText(next);
  };
  const type = (next: string, open = true) => {
    setText(next);
    setAt(0);
    setOpen(open);
    enter(false);
    clearTimeout(rest.current);
    if (next === '') want(next);
    else rest.current = setTimeout(want, restMs, next);
  };
  const pick = (option: Item | undefined) => {
    if (!option) return;
    setOpen(false);
    enter(false);
    onPick(option);
  };
  const isFound = wanted === text && (answered.length > 0 || !found.isFetching);
  const before = useRef(answered);
  useEffect(() => {
    if (isFound) before.current = answered;
  });
  // what was found before and holds all that is typed stays until the answer, which begins with the same
  const options = isFound
    ? answered
    : before.current.filter(({ label, hint = '' }) => holdsWords(`${label} ${hint}`, text));
  const enter = useEnter(isFound, () => pick(options[at]));
  useEffect(() => {
    // newer browsers answer a promise, which is no clean-up
    void document.getElementById(`${id}-${at}`)?.scrollIntoView({ block: 'nearest' });
  }, [id, at]);
  const choose = () => {
    if (options[at]) return pick(options[at]);
    want(text);
    enter(true);
  };
  const leave = () => {
    setOpen(false);
    enter(false);
  };
  const keys = (event: KeyboardEvent) => {
    // this Enter ends the writing of a word, such as a Japanese one
    if (event.nativeEvent.isComposing) return;
    const acts: Record<string, () => void> = {
      ArrowDown: () => (isOpen ? setAt(Math.min(at + 1, options.length - 1)) : type('')),
      ArrowUp: () => setAt(Math.max(at - 1, 0)),
      ...(isOpen && { Enter: choose, Escape: leave }),
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
        {isFound && (isCut || total > options.length) && (
          <div className="option none" role="option" aria-selected={false} aria-disabled="true">
            Shown: {options.length}
            {isCut ? ', and there are more' : ` of ${total.toLocaleString('en')}`}. Type more of the name.
          </div>
        )}
        {options.length === 0 && (
          <div className="option none" role="option" aria-selected={false} aria-disabled="true">
            {isFound ? (found.error?.message ?? 'Nothing found') : 'Searching…'}
          </div>
        )}
      </div>
    </div>
  );
}
