/** The end of a grant: shown as its moment with the days left, and set by its day. */
import { useId } from 'react';
import {
  dayIn,
  daysLeft,
  type EditedEnd,
  endPresets,
  exactTime,
  inServiceZone,
  isOver,
  isSoon,
  momentOf,
  noEnd,
  shortDate,
  timeOfEnd,
} from '../grantEnd';
import { Badge } from './Badge';
import '../theme/grantEnd.css';

export const GrantEnd = ({ iso, absent = '—' }: { iso: string | null | undefined; absent?: string }) => {
  if (!iso) return <span>{absent}</span>;
  const time = timeOfEnd(iso);
  return (
    <time dateTime={iso} title={exactTime(iso)} className={time ? 'end-with-time' : 'two-lines'}>
      <span>
        {shortDate(iso)}
        {time && <small>, {time}</small>}
      </span>{' '}
      <small>
        {isSoon(iso) ? (
          <Badge tone={daysLeft(iso) === 'ended' ? 'loss' : 'near'}>{daysLeft(iso)}</Badge>
        ) : (
          daysLeft(iso)
        )}
      </small>
    </time>
  );
};

interface EndFieldProps {
  label: string;
  /** Undefined: those of several grants, which differ. */
  value: EditedEnd | undefined;
  onChange: (value: EditedEnd) => void;
}

/** Another day keeps the time of the end, where it has one. */
export function EndField({ label, value, onChange }: EndFieldProps) {
  const id = useId();
  const { day, time } = value ?? noEnd;
  return (
    <div className="field">
      <label htmlFor={id}>{label}</label>
      <div>
        <span className="end-inputs">
          <input
            id={id}
            type="date"
            className="input"
            aria-describedby={`${id}-hint`}
            min={dayIn(0)}
            value={day}
            onChange={({ target }) => onChange(target.value ? { day: target.value, time } : noEnd)}
          />
          {time && (
            <input
              type="time"
              step={1}
              className="input"
              aria-label={`${label}: time`}
              value={time}
              onChange={({ target }) => onChange({ day, time: target.value })}
            />
          )}
        </span>
        <fieldset className="presets" aria-label="Common choices">
          {endPresets().map(({ label: text, day: preset }) => (
            <button
              key={text}
              type="button"
              aria-pressed={value !== undefined && preset === day}
              onClick={() => onChange(preset ? { day: preset, time } : noEnd)}
            >
              {text}
            </button>
          ))}
          {time && (
            <button type="button" onClick={() => onChange({ day, time: '' })}>
              end of the day
            </button>
          )}
        </fieldset>
        <small id={`${id}-hint`} className="hint">
          {hintOf(value)}
        </small>
      </div>
    </div>
  );
}

function hintOf(value: EditedEnd | undefined): string {
  if (!value) return 'They end at different times: choose one for all.';
  const end = momentOf(value);
  if (end === null) return 'Empty: it does not end.';
  if (isOver(end)) return 'The day has passed: choose a later one.';
  const until = value.time ? `until this time${inServiceZone()}` : `until the end of this day${inServiceZone()}`;
  return `It counts ${until}.${timeOfEnd(end) && inServiceZone() ? ` For you that is ${exactTime(end)}.` : ''}`;
}
