/** The state of a mapping: one of those that are customary, or another word. */
import { type KeyboardEvent, useState } from 'react';
import { noAccess } from '../mappingDraft';
import { offeredStates, stateCharactersMax } from '../openingStates';

interface StateSelectProps {
  /** What the state is of, for those who hear it. */
  label: string;
  /** Null: no mapping. */
  value: string | null;
  /** Whether there may be none. */
  isOptional?: boolean;
  onChange: (state: string | null) => void;
}

/** No state: a word has no line break. */
const another = '\n';

export function StateSelect({ label, value, isOptional = false, onChange }: StateSelectProps) {
  const [isTyping, setTyping] = useState(false);
  if (isTyping)
    return (
      <OtherState
        label={label}
        onDone={(state) => {
          setTyping(false);
          if (state) onChange(state);
        }}
      />
    );
  return (
    <label className="select">
      <span className="only-heard">{label}</span>
      <select
        value={value ?? ''}
        onChange={({ target }) => (target.value === another ? setTyping(true) : onChange(target.value || null))}
      >
        {(isOptional || value === null) && <option value="">{noAccess}</option>}
        {offeredStates(value).map((state) => (
          <option key={state}>{state}</option>
        ))}
        <option value={another}>another…</option>
      </select>
    </label>
  );
}

/** ↵, and leaving it, takes the word; Esc does not. */
function OtherState({ label, onDone }: { label: string; onDone: (state: string | undefined) => void }) {
  const [text, setText] = useState('');
  const keys = (event: KeyboardEvent) => {
    if (event.nativeEvent.isComposing || (event.key !== 'Enter' && event.key !== 'Escape')) return;
    event.preventDefault();
    // Esc leaves the word alone, not the dialog around it
    event.stopPropagation();
    onDone(event.key === 'Enter' ? text.trim() : undefined);
  };
  return (
    <input
      className="input short"
      aria-label={`${label}: another`}
      placeholder="State"
      maxLength={stateCharactersMax}
      // biome-ignore lint/a11y/noAutofocus: it takes the place of the list in which it was chosen
      autoFocus
      value={text}
      onChange={({ target }) => setText(target.value)}
      onKeyDown={keys}
      onBlur={() => onDone(text.trim())}
    />
  );
}
