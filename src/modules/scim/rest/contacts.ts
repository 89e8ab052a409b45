/** E-mail addresses and telephone numbers: requests name any number of them, of which one is kept (RFC 7643 §2.4, RFC 7644 §3.5.2). */
import { startOf } from '../../../entities/valueForms.js';
import { isJsonObject } from '../../../jsonObject.js';
import { type ScimCondition, scimFault } from '../conditions.js';
import { type AttributePath, isMet, textForm } from './filter.js';
import { membersOf } from './names.js';

export interface Contact {
  value: string;
  type: string;
}

interface Entry {
  /** Null clears. */
  value: string | null;
  type: string | undefined;
  isPrimary: boolean;
}

export type Op = 'add' | 'replace' | 'remove';

const defaultType = 'work';
/** Sub-attributes that are accepted and not kept. */
const unstored = new Set(['display', '$ref']);

/**
 * Returns the contact after an operation of a PATCH; a PUT and a POST replace. Throws `invalidValue` for a value that is not
 * understood, `noTarget` for a filter that selects nothing, `invalidPath`, `mutability`.
 */
export function changeContact(
  stored: Contact | null,
  op: Op,
  { attribute, selects, sub }: AttributePath,
  value: unknown,
): Contact | null {
  const isKnown = sub === undefined || ['value', 'type', 'primary'].includes(sub) || unstored.has(sub);
  if (!isKnown) throw scimFault('invalidPath', `There is no attribute ${attribute}.${startOf(sub, 100)}.`);
  if (selects && !(stored && isMet(selects, { ...stored, primary: true })))
    return addSelected(stored, op, { attribute, selects, sub }, value);
  if (sub === undefined && !selects) return changeWhole(stored, op, attribute, value);
  if (sub === undefined || sub === 'value') {
    if (op === 'remove') return null;
    const entry = chosen(readEntries(attribute, value));
    return entry && { value: entry.value, type: entry.type ?? stored?.type ?? defaultType };
  }
  if (unstored.has(sub)) return stored;
  if (sub === 'primary') return requirePrimary(stored, op, value);
  if (!stored) throw noTarget();
  return { ...stored, type: (op === 'remove' ? undefined : readType(attribute, value)) ?? defaultType };
}

/** An operation on a value that is not stored. A filter that names a type selects the value that is to be of this type, as Entra writes it. */
function addSelected(
  stored: Contact | null,
  op: Op,
  { attribute, selects, sub }: AttributePath & { selects: ScimCondition },
  value: unknown,
): Contact | null {
  const type = namedType(selects);
  if (type === undefined) throw noTarget();
  if (op === 'remove') return stored;
  const entry = sub === undefined || sub === 'value' ? chosen(readEntries(attribute, value)) : null;
  if (!stored && sub !== undefined && sub !== 'value') throw noTarget();
  if (!entry || (stored && !isSameType(type, defaultType))) return stored;
  return { value: entry.value, type };
}

function changeWhole(stored: Contact | null, op: Op, attribute: string, value: unknown): Contact | null {
  if (op === 'remove' && (value === undefined || value === null || value === '')) return null;
  const entries = readEntries(attribute, value);
  const isOfStored = ({ type }: Entry) => type !== undefined && stored !== null && isSameType(type, stored.type);
  if (op === 'remove') {
    const isStored = (entry: Entry) =>
      textForm(entry.value) === textForm(stored?.value) && (entry.type === undefined || isOfStored(entry));
    return entries.some(isStored) ? null : stored;
  }
  // a value of another type than the stored one is added only if it is of type work; an add never clears
  const added =
    op === 'add' && stored
      ? entries.filter(
          (entry) =>
            entry.value !== null &&
            (entry.type === undefined || isSameType(entry.type, defaultType) || isOfStored(entry)),
        )
      : entries;
  if (op === 'add' && stored && added.length === 0) return stored;
  const entry = chosen(added);
  return entry && { value: entry.value, type: entry.type ?? defaultType };
}

/** The value of type work, or else the primary or the first one; null if no entry has a value. */
function chosen(entries: readonly Entry[]): (Entry & { value: string }) | null {
  const values = entries.filter((entry): entry is Entry & { value: string } => entry.value !== null);
  return (
    values.find(({ type }) => type !== undefined && isSameType(type, defaultType)) ??
    values.find(({ isPrimary }) => isPrimary) ??
    values[0] ??
    null
  );
}

/** The type of a value that is to be added, from a filter such as `type eq "mobile"`; undefined for a filter that no new value meets. */
function namedType(selects: ScimCondition): string | undefined {
  const partsOf = (condition: ScimCondition): readonly ScimCondition[] =>
    condition.kind === 'and' ? condition.parts.flatMap(partsOf) : [condition];
  let type = defaultType;
  for (const part of partsOf(selects)) {
    if (part.kind !== 'comparison' || part.operator !== 'eq') return undefined;
    if (part.attribute === 'type' && typeof part.value === 'string' && part.value !== '') type = part.value;
    else if (part.attribute !== 'primary') return undefined;
  }
  return isMet(selects, { type, primary: true }) ? type : undefined;
}

function readEntries(attribute: string, value: unknown): Entry[] {
  const isCleared = value === null || value === undefined || value === '';
  const list: readonly unknown[] = isCleared ? [] : Array.isArray(value) ? value : [value];
  return list.map((each): Entry => {
    if (typeof each === 'string') return { value: each === '' ? null : each, type: undefined, isPrimary: false };
    const members = isJsonObject(each) ? membersOf(each) : undefined;
    if (!members?.has('value')) throw invalidContact(attribute);
    const text = members.get('value');
    if (text !== null && typeof text !== 'string') throw invalidContact(attribute);
    const isPrimary = readsAs(members.get('primary'), true);
    return { value: text === '' ? null : text, type: readType(attribute, members.get('type')), isPrimary };
  });
}

function readType(attribute: string, value: unknown): string | undefined {
  if (value === undefined || value === null || value === '') return undefined;
  if (typeof value !== 'string') throw invalidContact(attribute);
  return value;
}

function requirePrimary(stored: Contact | null, op: Op, value: unknown): Contact | null {
  if (op === 'remove' || !readsAs(value, true))
    throw scimFault('mutability', 'primary is always true, because one value is kept.');
  if (!stored) throw noTarget();
  return stored;
}

export const isSameType = (one: string, other: string): boolean => one.toLowerCase() === other.toLowerCase();

/** Whether the value is the boolean, or its text: Entra sends booleans as texts. */
export const readsAs = (value: unknown, expected: boolean): boolean =>
  value === expected || (typeof value === 'string' && value.toLowerCase() === String(expected));

const noTarget = () => scimFault('noTarget', 'The filter of the path selects no value.');
const invalidContact = (attribute: string) =>
  scimFault('invalidValue', `${attribute} must be a list of objects with the text value, such as [{"value": "x"}].`);
