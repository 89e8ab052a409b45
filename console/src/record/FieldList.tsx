/** The fields of a record as a form. There is no save button: what is changed waits for the review. */
import { useId } from 'react';
import { Fault } from '../ui/Fault';
import { ApplicationTile, ownImage } from '../ui/Tile';
import { type FormField, labelOf, type Values } from './formField';
import { SuggestInput } from './SuggestInput';

interface FieldListProps {
  fields: readonly FormField[];
  values: Values;
  changed: ReadonlySet<string>;
  /** What the service said of them, by their names. */
  faults: ReadonlyMap<string, string>;
  onChange: (field: string, value: unknown) => void;
  isReadOnly?: boolean;
}

export const FieldList = ({ fields, values, changed, faults, onChange, isReadOnly = false }: FieldListProps) => (
  <div className="form-grid">
    {fields.map((field) => (
      <FieldRow
        key={field.name}
        field={field}
        value={values[field.name]}
        isChanged={changed.has(field.name)}
        fault={faults.get(field.name)}
        onChange={(value) => onChange(field.name, value)}
        isReadOnly={isReadOnly}
      />
    ))}
  </div>
);

interface FieldRowProps {
  field: FormField;
  value: unknown;
  isChanged: boolean;
  fault: string | undefined;
  onChange: (value: unknown) => void;
  isReadOnly: boolean;
}

function FieldRow({ field, value, isChanged, fault, onChange, isReadOnly }: FieldRowProps) {
  const id = useId();
  const { kind, isRequired, isIcon, width } = field;
  const label = labelOf(field);
  const icon = isIcon && typeof value === 'string' ? value : '';
  const hint =
    icon !== '' && !ownImage(icon) ? 'Portals load it from another address, so there is no preview.' : field.hint;
  const isMissing = isRequired && isChanged && (value === '' || value === null || value === undefined);
  const refused = isChanged && typeof value === 'string' ? field.check?.(value) : undefined;
  const said = isMissing ? 'This field is required.' : (refused ?? fault);
  return (
    <div className={`field${width ? ` w${width}` : ''}${isChanged ? ' changed' : ''}`}>
      {kind === 'switch' ? <span className="label">{label}</span> : <label htmlFor={id}>{label}</label>}
      <div className={icon ? 'with-icon' : undefined}>
        {icon && <ApplicationTile name={label} icon={icon} />}
        <Control
          id={id}
          field={field}
          value={value}
          describedBy={said || hint ? `${id}-hint` : undefined}
          isFaulty={said !== undefined}
          onChange={onChange}
          isReadOnly={isReadOnly}
        />
        {said ? (
          <Fault id={`${id}-hint`} text={said} />
        ) : (
          hint && (
            <span className="hint" id={`${id}-hint`}>
              {hint}
            </span>
          )
        )}
      </div>
    </div>
  );
}

interface ControlProps {
  id: string;
  field: FormField;
  value: unknown;
  describedBy: string | undefined;
  isFaulty: boolean;
  onChange: (value: unknown) => void;
  isReadOnly: boolean;
}

function Control(props: ControlProps) {
  const { id, field, value, describedBy, isFaulty, onChange, isReadOnly } = props;
  const { kind = 'text', isRequired = false, charactersMax = 2_000 } = field;
  if (kind === 'switch') return <Switch {...props} />;
  if (kind === 'select') return <Select {...props} />;
  const shared = {
    id,
    className: 'input',
    maxLength: charactersMax,
    readOnly: isReadOnly,
    required: isRequired,
    'aria-describedby': describedBy,
    'aria-invalid': isFaulty || undefined,
    value: value === null || value === undefined ? '' : String(value),
  };
  // an empty field has no value, unless it must have one: then the review says that it lacks
  const none = isRequired ? '' : null;
  if (kind === 'area')
    return <textarea {...shared} rows={2} onChange={({ target }) => onChange(target.value || none)} />;
  if (field.suggest) return <SuggestInput {...shared} of={field.suggest} onText={(text) => onChange(text || none)} />;
  const read = (text: string) => (kind === 'number' && /^-?\d{1,10}$/.test(text) ? Number(text) : text || none);
  return (
    <input
      {...shared}
      inputMode={kind === 'number' ? 'numeric' : undefined}
      onChange={({ target }) => onChange(read(target.value))}
    />
  );
}

const Switch = ({ field, value, describedBy, onChange, isReadOnly }: ControlProps) => (
  <label className="switch">
    <input
      type="checkbox"
      role="switch"
      aria-label={labelOf(field)}
      aria-describedby={describedBy}
      aria-checked={value === true}
      checked={value === true}
      disabled={isReadOnly}
      onChange={({ target }) => onChange(target.checked)}
    />
    {value === true ? (field.on ?? 'yes') : 'no'}
  </label>
);

const Select = ({ id, field, value, describedBy, isFaulty, onChange, isReadOnly }: ControlProps) => (
  <select
    id={id}
    className="input"
    aria-describedby={describedBy}
    aria-invalid={isFaulty || undefined}
    required={field.isRequired ?? false}
    disabled={isReadOnly}
    value={typeof value === 'string' ? value : ''}
    onChange={({ target }) => onChange(target.value)}
  >
    <option value="">Choose…</option>
    {field.options?.map((option) => (
      <option key={option.value} value={option.value}>
        {option.label}
      </option>
    ))}
  </select>
);
