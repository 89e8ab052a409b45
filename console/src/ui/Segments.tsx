/** A choice of few, of which one holds. */
interface SegmentsProps<Value extends string> {
  label: string;
  value: Value;
  options: readonly (readonly [value: Value, label: string])[];
  onChange: (value: Value) => void;
}

export const Segments = <Value extends string>({ label, value, options, onChange }: SegmentsProps<Value>) => (
  <fieldset className="segments" aria-label={label}>
    {options.map(([each, text]) => (
      <button key={each} type="button" aria-pressed={each === value} onClick={() => onChange(each)}>
        {text}
      </button>
    ))}
  </fieldset>
);
