/** Why, in words: kept with the change for those who read the history. */
import { useId } from 'react';
import '../theme/reviewed.css';

const noteCharactersMax = 1_000;

interface NoteFieldProps {
  value: string;
  onChange: (value: string) => void;
  isReadOnly?: boolean;
}

export function NoteField({ value, onChange, isReadOnly = false }: NoteFieldProps) {
  const id = useId();
  return (
    <div className="note-field">
      <label htmlFor={id}>Note for the history</label>
      <textarea
        id={id}
        className="input"
        rows={2}
        readOnly={isReadOnly}
        maxLength={noteCharactersMax}
        placeholder="Why? Others read it in the history; a proposal needs it."
        value={value}
        onChange={({ target }) => onChange(target.value)}
      />
    </div>
  );
}
