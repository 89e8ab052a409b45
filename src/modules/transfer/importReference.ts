/** The tables of docs/import.md. */
import type { FieldDescription } from '../../entities/description.js';
import { type ImportList, importLists } from './importLists.js';
import { isRequired } from './plan.js';

/** Markdown: a heading and a table for each list, in the order in which an export has them. */
export function importReference(): string {
  const others = importLists.filter(({ fields }) => !fields.some(isStamp)).map(({ name }) => `\`${name}\``);
  const of = `Rows of all lists except ${others.join(', ')} may also have:`;
  const stamped = `### Author and times\n\n${of}\n\n${table(scalarRows(importLists[0]!).filter(isStamp))}`;
  return [...importLists.map(section), stamped].map((text) => `${text}\n`).join('\n');
}

/** Properties that most lists have. */
const isStamp = ({ name }: { name: string }) => /^(created|modified)(Date|By)$/.test(name);

function section(list: ImportList): string {
  const { name, description, key } = list;
  const rows = [...references(list), ...scalarRows(list), ...extras(list)].sort(
    (one, other) => rank(list, one.name) - rank(list, other.name),
  );
  const identified = `Key: ${key.map((each) => `\`${each}\``).join(', ')}.`;
  return `### \`${name}\`\n\n${description.doc} ${identified}\n\n${table(rows.filter((row) => !isStamp(row)))}`;
}

const table = (rows: readonly Row[]): string =>
  [
    '| property | form | what |',
    '|---|---|---|',
    ...rows.map(({ name, doc, form, note }) => `| \`${name}\` | ${note ? `${form}, ${note}` : form} | ${doc} |`),
  ].join('\n');

interface Row {
  name: string;
  doc: string;
  form: string;
  note: string;
}

/** The fields that name the record come first; the rest are in the entity's order. */
const rank = ({ key }: ImportList, name: string): number => (key.includes(name) ? key.indexOf(name) : key.length);

/** A property with its own rule is described by that rule. */
const scalarRows = (list: ImportList): Row[] =>
  list.fields
    .filter(({ name }) => !list.extras.includes(name))
    .map((field) => ({ name: field.name, doc: field.doc, form: formOf(field), note: noteOf(list, field) }));

function references(list: ImportList): Row[] {
  return list.references.flatMap(({ field, own, target, byNumber }) => {
    const named = {
      name: field.name,
      doc: `Identifies the ${target.name}.`,
      form: formOf(field),
      note: list.key.includes(field.name) ? 'required' : 'new',
    };
    // the page says once that a number may stand for a guid
    if (own.name === field.name || byNumber) return [named];
    return [named, { name: own.name, doc: `The same as \`${field.name}\`.`, form: formOf(own), note: '' }];
  });
}

const formsOfExtras: Record<string, string> = { Guids: 'guids', Ends: 'times by guid' };

const extras = ({ extras: names, extraDocs }: ImportList): Row[] =>
  names.map((name) => ({
    name,
    doc: extraDocs[name]!,
    form: formsOfExtras[/[A-Z][a-z]{1,9}$/.exec(name)?.[0] ?? ''] ?? 'text',
    note: '',
  }));

const forms: Record<FieldDescription['type'], string> = {
  integer: 'integer',
  bigint: 'number',
  string: 'text',
  boolean: 'boolean',
  uuid: 'guid',
  dateTime: 'time',
  bytes: 'bytes',
  json: 'JSON',
};

function formOf({ type, max, primary, isEnd }: FieldDescription): string {
  if (isEnd) return 'end';
  if (type === 'integer' && primary) return 'number';
  return max === undefined ? forms[type] : `${forms[type]} ${max}`;
}

function noteOf(list: ImportList, field: FieldDescription): string {
  if (list.key.includes(field.name)) return 'required';
  if (isRequired(field)) return 'new';
  if (field.primary) return 'next free';
  if (field.nullable) return 'null';
  if (field.name === 'createdBy') return 'the user who imports';
  return field.default === undefined ? '' : `\`${field.default.replace(/^'(.{0,99})'$/, '$1')}\``;
}
