/** The fields of a person, as they are made and corrected here. */
import type { FormField, Values } from '../../record/formField';

/** @param providers the names of the configured identity providers, and that which the person has */
export const personFields = (providers: readonly string[]): FormField[] => [
  { name: 'firstName', width: 3 },
  { name: 'lastName', width: 3 },
  { name: 'email', width: 4, charactersMax: 320 },
  { name: 'department', width: 3, suggest: 'DEPARTMENT' },
  { name: 'jobTitle', width: 3 },
  { name: 'telephone', width: 3, charactersMax: 50 },
  {
    name: 'idpname',
    width: 3,
    kind: 'select',
    options: [...new Set(providers)].map((name) => ({ value: name, label: name })),
    hint: 'Its idpname: who signs the person in.',
  },
  {
    name: 'idpid',
    width: 4,
    charactersMax: 255,
    hint: 'The idpid: what the identity provider calls the person.',
  },
];

/** A choice that was taken back is no text. */
export const personInput = (input: Values): Values =>
  Object.fromEntries(Object.entries(input).map(([name, value]) => [name, value === '' ? null : value]));
