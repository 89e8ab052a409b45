/** The reference of the import file in docs/import.md: every list and property, from what the import itself reads by. */
import type { FieldDescription } from '../entities/description.js';
import { type ImportList, importLists } from '../services/transfer/fileLists.js';
import { isRequired } from '../services/transfer/plan.js';

/** Markdown: a heading and a table for each list, in the order in which an export has them. */
export function importReference(): string {
  return importLists.map((list) => `${section(list)}\n`).join('\n');
}

function section(list: ImportList): string {
  const { name, description, key } = list;
  const rows = [...references(list), ...scalars(list), ...extras(list)].sort(
    (one, other) => rank(list, one.name) - rank(list, other.name),
  );
  return [
    `### \`${name}\``,
    '',
    `${description.doc} A record is known by ${key.map((each) => `\`${each}\``).join(' and ')}.`,
    '',
    '| property | what | form | |',
    '|---|---|---|---|',
    ...rows.map(({ name: property, doc, form, note }) => `| \`${property}\` | ${doc} | ${form} | ${note} |`),
  ].join('\n');
}

interface Row {
  name: string;
  doc: string;
  form: string;
  note: string;
}

/** What names the record comes first; the rest in the entity's order. */
const rank = ({ key }: ImportList, name: string): number => (key.includes(name) ? key.indexOf(name) : key.length);

/** A text that a rule of its own reads is described by that one. */
const scalars = (list: ImportList): Row[] =>
  list.fields
    .filter(({ name }) => !list.extras.includes(name))
    .map((field) => ({ name: field.name, doc: field.doc, form: formOf(field), note: noteOf(list, field) }));

function references(list: ImportList): Row[] {
  return list.references.flatMap(({ field, own, target, byNumber }) => {
    const named = {
      name: field.name,
      doc: `Of the ${target.name}.`,
      form: formOf(field),
      note: list.key.includes(field.name) ? 'required' : 'required for a new record',
    };
    const instead = byNumber
      ? `Its number, in place of \`${field.name}\` or beside it.`
      : `The same as \`${field.name}\`.`;
    if (own.name === field.name) return [named];
    return [named, { name: own.name, doc: instead, form: formOf({ ...own, primary: byNumber }), note: '' }];
  });
}

const extras = ({ extras: names, extraDocs }: ImportList): Row[] =>
  names.map((name) => ({
    name,
    doc: extraDocs[name]!,
    form: name.endsWith('Guids') ? 'array of guids' : 'text',
    note: '',
  }));

const forms: Record<FieldDescription['type'], string> = {
  integer: 'whole number',
  bigint: 'whole number from 1',
  string: 'text',
  boolean: '`true` or `false`',
  uuid: 'guid',
  dateTime: 'date-time, ISO 8601',
  bytes: 'bytes',
  json: 'JSON',
};

function formOf({ type, max, primary }: FieldDescription): string {
  if (type === 'integer' && primary) return 'whole number from 1';
  return max === undefined ? forms[type] : `${forms[type]}, at most ${max} characters`;
}

function noteOf(list: ImportList, field: FieldDescription): string {
  if (list.key.includes(field.name)) return 'required';
  if (isRequired(field)) return 'required for a new record';
  if (field.primary) return 'absent: the next free one; never changed';
  if (field.nullable) return 'or `null`';
  if (field.name === 'createdBy') return 'absent: who imports';
  return field.default === undefined ? '' : `absent: \`${field.default.replace(/^'(.*)'$/, '$1')}\``;
}
