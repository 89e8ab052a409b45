/** The three ways to say whom: pasted addresses, a department, people one by one. */
import { useId, useState } from 'react';
import { useDepartmentPicks, usePeoplePicks } from '../../picks';
import { Icon } from '../../ui/icons';
import { type Option, Picker } from '../../ui/Picker';
import { plural } from '../../words';

interface PastedFieldProps {
  value: string;
  onChange: (text: string) => void;
  lines: number;
}

export function PastedField({ value, onChange, lines }: PastedFieldProps) {
  const id = useId();
  return (
    <div>
      <label className="field-label" htmlFor={id}>
        E-mail addresses, one a line or from a spreadsheet
      </label>
      <textarea
        id={id}
        className="input mono"
        rows={5}
        spellCheck={false}
        // biome-ignore lint/a11y/noAutofocus: the first field of a dialog that asks one thing
        autoFocus
        ref={(field) => void field?.toggleAttribute('autofocus', true)}
        value={value}
        onChange={({ target }) => onChange(target.value)}
      />
      <small className="hint" role="status">
        {lines > 0 ? `${plural(lines, 'line')} pasted` : ''}
      </small>
    </div>
  );
}

interface DepartmentFieldProps {
  value: string | undefined;
  onChange: (department: string) => void;
}

export function DepartmentField({ value, onChange }: DepartmentFieldProps) {
  const [text, setText] = useState('');
  const departments = useDepartmentPicks(text);
  return (
    <Picker
      label="Department"
      placeholder="Name of the department"
      isPlain
      autoFocus
      isOpenAtOnce
      value={value === undefined ? null : { id: value, label: value }}
      {...departments}
      total={departments.total}
      onText={setText}
      onPick={({ id }) => onChange(id)}
    />
  );
}

interface PeopleFieldProps {
  chosen: readonly Option[];
  onChange: (people: readonly Option[]) => void;
}

export function PeopleField({ chosen, onChange }: PeopleFieldProps) {
  const [text, setText] = useState('');
  const people = usePeoplePicks(text);
  return (
    <div>
      <Picker
        // another one is picked from the start
        key={chosen.length}
        label="Person"
        placeholder="Name or e-mail"
        round
        autoFocus
        value={null}
        {...people}
        total={people.total}
        onText={setText}
        onPick={(person) => !chosen.some(({ id }) => id === person.id) && onChange([...chosen, person])}
      />
      <ul className="chosen">
        {chosen.map(({ id, label, hint }) => (
          <li key={id}>
            <span className="two-lines">
              <b>{label}</b>
              <small>{hint}</small>
            </span>
            <button
              type="button"
              className="ghost small"
              aria-label={`Leave out ${label}, ${hint}`}
              onClick={() => onChange(chosen.filter((each) => each.id !== id))}
            >
              <Icon name="x" size={15} />
            </button>
          </li>
        ))}
      </ul>
    </div>
  );
}
