/** The end of a grant: shown as its date with the days left, and set by a date. */
import { useId } from 'react';
import { dayOf, daysLeft, endDate, endPresets, isSoon } from '../grantEnd';
import { Badge } from './Badge';
import { exactTime } from './Time';

export const GrantEnd = ({ iso, absent = '—' }: { iso: string | null | undefined; absent?: string }) =>
  iso ? (
    <time dateTime={iso} title={exactTime(iso)} className="two-lines">
      <span>{endDate(iso)}</span>
      <small>
        {isSoon(iso) ? (
          <Badge tone={daysLeft(iso) === 'ended' ? 'loss' : 'near'}>{daysLeft(iso)}</Badge>
        ) : (
          daysLeft(iso)
        )}
      </small>
    </time>
  ) : (
    <span>{absent}</span>
  );

interface EndFieldProps {
  label: string;
  hint?: string;
  /** The value of the date input; empty: no end. */
  value: string;
  onChange: (value: string) => void;
}

export function EndField({ label, hint, value, onChange }: EndFieldProps) {
  const id = useId();
  return (
    <div className="field">
      <label htmlFor={id}>{label}</label>
      <div>
        <input
          id={id}
          type="date"
          className="input"
          aria-describedby={hint && `${id}-hint`}
          min={dayOf(new Date().toISOString())}
          value={value}
          onChange={({ target }) => onChange(target.value)}
        />
        <fieldset className="presets" aria-label="Common choices">
          {endPresets().map(({ label: text, day }) => (
            <button key={text} type="button" aria-pressed={day === value} onClick={() => onChange(day)}>
              {text}
            </button>
          ))}
        </fieldset>
        {hint && (
          <small id={`${id}-hint`} className="hint">
            {hint}
          </small>
        )}
      </div>
    </div>
  );
}
