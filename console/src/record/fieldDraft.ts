/** Drafts of a record's own fields: what is typed into its form is pending at once, and so never lost. */
import { type Draft, dropDrafts, type FieldChange, putDrafts, type Subject, useDrafts } from '../drafts';
import { useFaults } from '../faults';
import type { ChangeInput } from '../operations/generated/graph';

export type Values = Record<string, unknown>;

interface Target {
  subject: Subject;
  /** The fields as they were read; of a record that is being made what it begins with. */
  present: Values;
  isNew: boolean;
  /** The change that gives the record these fields. */
  change: (input: Values) => ChangeInput;
}

const keyOf = ({ kind, id }: Subject): string => `fields ${kind} ${id}`;

/** The values that the form shows, which of them are changed, what is wrong with them, and how to change one. */
export function useFieldDraft({ subject, present, isNew, change }: Target) {
  const key = keyOf(subject);
  const draft = useDrafts().find((each) => each.key === key);
  const faults = useFaults(draft);
  const changed: Values = Object.fromEntries((draft?.fields ?? []).map(({ field, after }) => [field, after]));
  const values: Values = { ...present, ...changed };
  const set = (field: string, value: unknown): void => {
    const next = { ...changed, [field]: value };
    const fields = Object.entries(next)
      .filter(([name, after]) => !isSame(present[name], after))
      .map(([name, after]): FieldChange => ({ field: name, before: present[name] ?? null, after }));
    if (fields.length === 0) dropDrafts([key]);
    else putDrafts([draftOf(fields, next)]);
  };
  const draftOf = (fields: FieldChange[], next: Values): Draft => ({
    key,
    subject: { ...subject, name: (isNew && String(next.name ?? '')) || subject.name },
    label: isNew ? 'New' : 'Settings',
    from: '',
    to: '',
    sign: next.isActive === false || next.isBlocked === true ? 'loss' : 'change',
    fields,
    change: change(
      isNew ? { ...present, ...next } : Object.fromEntries(fields.map(({ field, after }) => [field, after])),
    ),
  });
  return { values, changed: new Set(Object.keys(changed)), faults, set };
}

/** A field without a value is empty in its form. */
const isSame = (before: unknown, after: unknown): boolean => (before ?? '') === (after ?? '');
