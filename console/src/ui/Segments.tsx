/** A choice of few, of which one holds; a number beside a choice counts the rows that it shows. */
interface SegmentsProps<Value extends string> {
  label: string;
  value: Value;
  options: readonly (readonly [value: Value, label: string, count?: number | undefined])[];
  onChange: (value: Value) => void;
}

export const Segments = <Value extends string>({ label, value, options, onChange }: SegmentsProps<Value>) => (
  <fieldset className="segments" aria-label={label}>
    {options.map(([each, text, count]) => (
      <button key={each} type="button" aria-pressed={each === value} onClick={() => onChange(each)}>
        {text} {count !== undefined && <em>{count.toLocaleString('en')}</em>}
      </button>
    ))}
  </fieldset>
);
