/** The fields of a record as a card of its page. */
import type { ReactNode } from 'react';
import type { Subject } from '../drafts';
import type { ChangeInput } from '../operations/generated/graph';
import { reviewDrafts } from '../review/reviewing';
import { useMay } from '../session';
import { Facts } from '../ui/Facts';
import { ManagedNotice } from '../ui/ManagedBy';
import { FieldList } from './FieldList';
import { useFieldDraft } from './fieldDraft';
import { type FormField, labelOf, type Values } from './formField';

interface SettingsCardProps {
  subject: Subject;
  fields: readonly FormField[];
  present: Values;
  isNew?: boolean;
  change: (input: Values) => ChangeInput;
  /** What else belongs to a new record, around its card. */
  frame?: ((form: Form) => ReactNode) | undefined;
}

/** A form as what stands beside it needs it. */
export interface Form {
  card: ReactNode;
  name: string;
  values: Values;
  /** What is missing, in words. */
  lacks: string | undefined;
  set: (field: string, value: unknown) => void;
  /** Makes the draft of a new record, if nothing was typed yet. */
  begin: () => void;
}

export function SettingsCard({ subject, fields, present, isNew = false, change, frame }: SettingsCardProps) {
  const mayChange = useMay('admin:write');
  const { values, changed, faults, lacks, set, begin } = useFieldDraft({ subject, present, isNew, fields, change });
  const card = (
    <section className="card" aria-label={frame ? 'Details' : 'Settings'}>
      {frame && (
        <header>
          <h2>Details</h2>
        </header>
      )}
      {mayChange ? (
        <FieldList fields={fields} values={values} changed={changed} faults={faults} onChange={set} />
      ) : (
        <Facts facts={fields.map((field) => [labelOf(field), factOf(field, present[field.name])])} />
      )}
    </section>
  );
  return (
    <>
      {typeof present.managedBy === 'string' && mayChange && <ManagedNotice name={present.managedBy} />}
      {frame ? frame({ card, name: String(values.name || subject.name), values, lacks, set, begin }) : card}
      {isNew && (
        <p className="form-foot">
          <button type="button" className="button primary" disabled={lacks !== undefined} onClick={reviewDrafts}>
            Review{lacks && ` (${lacks})`}
          </button>
        </p>
      )}
    </>
  );
}

/** The value of a field, in the words of its form. */
function factOf({ kind, on = 'yes', options }: FormField, value: unknown): string {
  if (kind === 'switch') return value === true ? on : 'no';
  return options?.find((option) => option.value === value)?.label ?? String(value ?? '');
}
