/** Why, in words: kept with the change for those who read the history. */
import { useId } from 'react';

const noteCharactersMax = 1_000;

export function NoteField({ value, onChange }: { value: string; onChange: (value: string) => void }) {
  const id = useId();
  return (
    <div className="field">
      <label htmlFor={id}>Note</label>
      <div>
        <textarea
          id={id}
          className="input"
          rows={2}
          maxLength={noteCharactersMax}
          placeholder="Why? Others read it in the history."
          value={value}
          onChange={({ target }) => onChange(target.value)}
        />
      </div>
    </div>
  );
}
