/** Fields of a form, and what they hold. */
import { fieldLabel } from '../../../src/entities/fieldLabels';
import { readDrafts } from '../drafts';
import { ask } from '../graph';
import { recordsWithIds } from '../operations/generated/giving';
import type { SuggestionField } from '../operations/generated/graph';

export interface FormField {
  name: string;
  /** Absent: as everywhere else. */
  label?: string;
  kind?: 'text' | 'area' | 'switch' | 'number' | 'select';
  /** Options of a select. */
  options?: readonly { value: string; label: string }[];
  /** Offers the values that records have already; new ones can be typed. */
  suggest?: SuggestionField;
  hint?: string;
  /** How many of six columns it takes: as much as its values need; absent: all. */
  width?: 2 | 3 | 4;
  /** Its text is the address of an icon. */
  isIcon?: boolean;
  /** For a switch: what *on* means. */
  on?: string;
  isRequired?: boolean;
  charactersMax?: number;
  /** What is wrong with a text, if anything is. */
  check?: (text: string) => string | undefined;
  /** What is wrong with a text, if anything is, where only the service knows it. */
  lookUp?: (text: string, signal: AbortSignal) => Promise<string | undefined>;
}

export const labelOf = ({ name, label }: FormField): string => label ?? fieldLabel(name);

type LookUp = NonNullable<FormField['lookUp']>;

/** The profile and the role that have the id. */
const withId = (id: string, signal: AbortSignal) => ask(recordsWithIds, { id }, signal);

/** Whether the same review makes the profile. */
const isDrafted = (id: string) => readDrafts().some(({ change }) => change.createProfile?.input.profileId === id);

/** What is wrong with the id that is typed of a profile, of a new one, or of a new role. */
export const profileIsThere: LookUp = async (id, signal) =>
  isDrafted(id) || (await withId(id, signal)).profile ? undefined : 'No profile has this id.';
export const profileIsNew: LookUp = async (id, signal) =>
  (await withId(id, signal)).profile ? 'A profile has this id already.' : undefined;
export const roleIsNew: LookUp = async (id, signal) =>
  (await withId(id, signal)).role ? 'A role has this id already.' : undefined;

export type Values = Record<string, unknown>;
