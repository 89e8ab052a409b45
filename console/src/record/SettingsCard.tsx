/** The fields of a record as a card of its page. */
import type { ReactNode } from 'react';
import type { Subject } from '../drafts';
import type { ChangeInput } from '../operations/generated/graph';
import { reviewDrafts } from '../review/reviewing';
import { useMay } from '../session';
import { ManagedNotice } from '../ui/ManagedBy';
import { FieldList } from './FieldList';
import { useFieldDraft } from './fieldDraft';
import type { FormField, Values } from './formField';

interface SettingsCardProps {
  subject: Subject;
  fields: readonly FormField[];
  present: Values;
  isNew?: boolean;
  change: (input: Values) => ChangeInput;
  /** What else belongs to a new record. @param begin makes its draft, if nothing was typed yet */
  more?: ((name: string, begin: () => void) => ReactNode) | undefined;
}

export function SettingsCard({ subject, fields, present, isNew = false, change, more }: SettingsCardProps) {
  const mayChange = useMay('admin:write');
  const { values, changed, faults, lacks, set, begin } = useFieldDraft({ subject, present, isNew, fields, change });
  return (
    <>
      {typeof present.managedBy === 'string' && mayChange && <ManagedNotice name={present.managedBy} />}
      <section className="card" aria-label="Settings">
        <FieldList
          fields={fields}
          values={values}
          changed={changed}
          faults={faults}
          onChange={set}
          isReadOnly={!mayChange}
        />
      </section>
      {more?.(String(values.name || subject.name), begin)}
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
