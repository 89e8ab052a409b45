/** Fields of a form, and what they hold. */
import { fieldLabel } from '../../../src/entities/fieldLabels';
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
}

export const labelOf = ({ name, label }: FormField): string => label ?? fieldLabel(name);

export type Values = Record<string, unknown>;
