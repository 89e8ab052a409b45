/** Drafts of a record's own fields: what is typed into its form is pending at once, and so never lost. */
import { useQuery } from '@tanstack/react-query';
import { blockingWords } from '../blockingDraft';
import {
  type Draft,
  dropDrafts,
  type FieldChange,
  isSameValue,
  putDrafts,
  readDrafts,
  type Subject,
  useDrafts,
} from '../drafts';
import { useFaults } from '../faults';
import type { ChangeInput } from '../operations/generated/graph';
import { lockOf, withLock } from '../review/changesOf';
import { useDebounced } from '../ui/SearchField';
import { type FormField, labelOf, type Values } from './formField';

interface Target {
  subject: Subject;
  /** The fields as they were read; of a record that is being made what it begins with. */
  present: Values;
  isNew: boolean;
  fields: readonly FormField[];
  /** The change that gives the record these fields. */
  change: (input: Values) => ChangeInput;
}

const keyOf = ({ kind, id }: Subject): string => `fields ${kind} ${id}`;

/** The values that the form shows, which of them are changed, what is wrong with them, and how to change one. */
export function useFieldDraft({ subject, present, isNew, fields: form, change }: Target) {
  const key = keyOf(subject);
  const draft = useDrafts().find((each) => each.key === key);
  const typed = (draft?.fields ?? []).filter(({ isPreset }) => !isPreset);
  const changed: Values = Object.fromEntries(typed.map(({ field, after }) => [field, after]));
  const lookedUp = useLookedUp(form, changed);
  const faults = new Map([...lookedUp.faults, ...useFaults(draft)]);
  const values: Values = { ...present, ...changed };
  // a value goes on from what was read when it was typed: what somebody else has made of it since is a conflict
  const read = { ...present, ...Object.fromEntries(typed.map(({ field, before }) => [field, before])) };
  const lock = draft && lockOf(draft.change);
  const lockedChange = (input: Values): ChangeInput =>
    lock === undefined ? change(input) : withLock(change(input), lock);
  const set = (field: string, value: unknown): void => {
    const next = { ...changed, [field]: value };
    const fields = Object.entries(next)
      .filter(([name, after]) => !isSameValue(present[name], after))
      .map(([name, after]): FieldChange => ({ field: name, before: read[name] ?? null, after }));
    if (fields.length > 0 || (isNew && hasMore())) putDrafts([draftOf(fields, next)]);
    else dropDrafts([key]);
  };
  /** Whether something else is drafted about the record: it would refer to one that is not made. */
  const hasMore = () => readDrafts().some((other) => other.key !== key && other.subject.id === subject.id);
  /** Makes the draft of a new record before anything was typed. */
  const begin = (): void => {
    if (!draft) putDrafts([draftOf([], {})]);
  };
  const draftOf = (fields: FieldChange[], next: Values): Draft => ({
    key,
    subject: { ...subject, name: (isNew && nameOf(next)) || subject.name },
    label: isNew ? 'Will be created' : 'Settings',
    ...(isNew && { isNew }),
    from: '',
    to: '',
    sign: next.isActive === false ? 'loss' : 'change',
    // a person who is corrected after the block was planned
    ...(typeof next.isBlocked === 'boolean' && next.isBlocked !== present.isBlocked && blockingWords(!next.isBlocked)),
    fields: isNew ? [...fields, ...presets(fields)] : fields,
    ...lacksOf({ ...present, ...next }, new Set(fields.map(({ field }) => field)), isNew),
    change: lockedChange(
      isNew ? { ...present, ...next } : Object.fromEntries(fields.map(({ field, after }) => [field, after])),
    ),
  });
  /** What the record gets beside what was typed. */
  const presets = (own: readonly FieldChange[]): FieldChange[] =>
    Object.entries(present)
      .filter(([name, value]) => value !== null && !own.some(({ field }) => field === name))
      .map(([field, after]) => ({ field, before: null, after, isPreset: true }));
  const lacksOf = (next: Values, touched: ReadonlySet<string>, isWhole: boolean) => {
    const found = form.flatMap((field) =>
      isWhole || touched.has(field.name) ? (lackOf(field, next[field.name]) ?? []) : [],
    );
    return found.length > 0 ? { lacks: found.join(', ') } : {};
  };
  const own = draft ? draft.lacks : lacksOf(present, new Set(), true).lacks;
  const lacks = isNew ? [own, ...lookedUp.lacks].filter(Boolean).join(', ') || undefined : undefined;
  return { values, changed: new Set(Object.keys(changed)), faults, lacks, set, begin };
}

/** What the service says of texts that were typed; until it has, a form is not complete. A review asks it again in any case. */
function useLookedUp(form: readonly FormField[], changed: Values) {
  const asked = form.flatMap((field) => {
    const { lookUp } = field;
    const text = changed[field.name];
    return lookUp && typeof text === 'string' && text !== '' ? [{ field, text, lookUp }] : [];
  });
  const key = JSON.stringify(asked.map(({ field, text }) => [field.name, text]));
  const rested = useDebounced(key);
  const { data, isError } = useQuery({
    queryKey: ['looked up', key],
    enabled: asked.length > 0 && rested === key,
    queryFn: ({ signal }) => Promise.all(asked.map(({ text, lookUp }) => lookUp(text, signal))),
  });
  const found = asked.map(({ field }, index) => ({ field, fault: data?.[index] }));
  return {
    faults: found.flatMap(({ field, fault }): [string, string][] => (fault ? [[field.name, fault]] : [])),
    lacks: found.flatMap(({ field, fault }) => {
      const label = labelOf(field).toLowerCase();
      if (data) return fault ? `${label} is not valid` : [];
      return isError ? [] : `${label} is being looked up`;
    }),
  };
}

/** A person has two names. */
const nameOf = ({ name, firstName, lastName }: Values): string =>
  String(name ?? '') || [firstName, lastName].filter(Boolean).join(' ');

const isEmpty = (value: unknown): boolean => value === '' || value === null || value === undefined;

/** Why a field can't be saved so, such as “name is missing”. */
function lackOf(field: FormField, value: unknown): string | undefined {
  const { isRequired, check } = field;
  const label = labelOf(field);
  if (isRequired && isEmpty(value)) return `${label.toLowerCase()} is missing`;
  return typeof value === 'string' && check?.(value) ? `${label.toLowerCase()} is not valid` : undefined;
}

/** A field without a value is empty in its form. */
