/** A filter of a list: a field that finds values; the one that was chosen is a token, which is removed. */
import { useEffect, useRef, useState } from 'react';
import type { Picks } from '../picks';
import { Icon } from './icons';
import { Picker } from './Picker';

interface FilterFieldProps {
  label: string;
  /** What holds, in words; undefined: nothing. */
  value: string | undefined;
  usePicks: (text: string | undefined) => Picks;
  isPlain?: boolean;
  /** Undefined: the filter is removed. */
  onChange: (id: string | undefined) => void;
}

export function FilterField({ label, value, usePicks, isPlain = true, onChange }: FilterFieldProps) {
  const [text, setText] = useState<string>();
  const picks = usePicks(text);
  const remove = useRef<HTMLButtonElement>(null);
  const isPicked = useRef(false);
  // the field is gone with the choice: the token has the focus
  useEffect(() => {
    if (value !== undefined && isPicked.current) remove.current?.focus();
    isPicked.current = false;
  }, [value]);
  if (value !== undefined)
    return (
      <span className="token">
        <span className="cell-text">
          {label}: <b>{value}</b>
        </span>
        <button
          type="button"
          ref={remove}
          aria-label={`Remove the filter ${label}: ${value}`}
          onClick={() => onChange(undefined)}
        >
          <Icon name="x" size={14} />
        </button>
      </span>
    );
  return (
    <div className="compact filter" style={{ width: `calc(${label.length}ch + 50px)` }}>
      <Picker
        label={label}
        placeholder={label}
        value={null}
        {...picks}
        total={picks.total}
        isPlain={isPlain}
        onText={setText}
        onPick={({ id }) => {
          isPicked.current = true;
          setText(undefined);
          onChange(id);
        }}
      />
    </div>
  );
}
