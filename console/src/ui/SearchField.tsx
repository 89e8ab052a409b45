/** A search field whose text goes into the address, a moment after the last key. */
import { useEffect, useRef, useState } from 'react';
import { Icon } from './icons';

export function useDebounced<Value>(value: Value, milliseconds = 180): Value {
  const [settled, settle] = useState(value);
  useEffect(() => {
    const timer = setTimeout(() => settle(value), milliseconds);
    return () => clearTimeout(timer);
  }, [value, milliseconds]);
  return settled;
}

interface SearchFieldProps {
  label: string;
  placeholder: string;
  value: string;
  onChange: (value: string) => void;
  /** Whether `/` goes here. */
  main?: boolean;
}

export function SearchField({ label, placeholder, value, onChange, main = false }: SearchFieldProps) {
  const [typed, setTyped] = useState(value);
  const settled = useDebounced(typed);
  const reported = useRef(value);
  useEffect(() => {
    if (settled === reported.current) return;
    reported.current = settled;
    onChange(settled);
  }, [settled, onChange]);
  // the address changed by another way, such as back, or that filters were cleared
  useEffect(() => {
    if (value === reported.current) return;
    reported.current = value;
    setTyped(value);
  }, [value]);
  return (
    <div className={`search${main ? '' : ' small'}`}>
      <Icon name="search" size={16} />
      <input
        type="search"
        aria-label={label}
        placeholder={placeholder}
        value={typed}
        maxLength={200}
        data-search={main || undefined}
        onChange={(event) => setTyped(event.target.value)}
      />
      {main && <kbd className="hide-small">/</kbd>}
    </div>
  );
}
