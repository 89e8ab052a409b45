/** The words of which sentences about changes are made: names in the place of ids, values as people read them. */
import type { Context } from '../../context.js';
import { fieldLabel } from '../../entities/fieldLabels.js';
import { endWords } from '../../services/access/grants.js';
import { calledName } from '../../services/fullName.js';

/** Names that a sentence lists; of more it says how many there are. */
const namesMax = 20;
/** Different values that a sentence joins; of more it says how many there are. */
export const joinedMax = 3;

/** The arguments of a change, whichever kind it is of. */
export type ChangeFields = Record<string, unknown>;

/** What a sentence needs to know beside the change. */
export interface Words {
  config: Context['config'];
  labels: Labels;
}

/** What the caller has read, so that nobody's change is overwritten: nothing of it is changed. */
export const preconditions: ReadonlySet<string> = new Set(['ifRevision', 'ifRevisions']);

// ── records ──

interface Reference {
  from: string;
  key: string;
  type: string;
  label: string;
}
const profiles: Reference = { from: 'profiles', key: 'profile_id', type: 'text', label: 'name' };
const users: Reference = { from: 'users', key: 'user_guid', type: 'uuid', label: calledName() };

/** Tables and columns that name a record, by the field of a change that refers to it; what an item of a list is about comes first. */
const references: Readonly<Record<string, Reference>> = {
  userGuid: users,
  applicationGuid: { from: 'applications', key: 'application_guid', type: 'uuid', label: 'name' },
  profileId: profiles,
  roleId: { from: 'roles', key: 'role_id', type: 'text', label: 'name' },
  accessScopeGuid: { from: 'access_scopes', key: 'access_scope_guid', type: 'uuid', label: 'name' },
  accessScopeTypeGuid: { from: 'access_scope_types', key: 'access_scope_type_guid', type: 'uuid', label: 'name' },
  changeSetGuid: {
    from: 'change_sets',
    key: 'change_set_guid',
    type: 'uuid',
    // its note is not for all who read a proposal; who approves its undo must read that there is no way back for them
    label: `to_char(occurred_at at time zone 'UTC', '"of" YYYY-MM-DD HH24:MI "UTC"')
      || coalesce((select ', which removes ' || case count(*) when 1 then '1 person' else count(*) || ' people' end || ' for good'
        from record_versions made where made.change_set_id = change_sets.change_set_id and made.record_table = 'users'
          and made.before is null having count(*) > 0), '')`,
  },
  ownerProfileId: profiles,
  invitedBy: users,
  assignedCustomerSupportGuid: users,
};

/** The reference of a field, or of the items of a list such as `userGuids`. */
const referenceOf = (field: string): Reference | undefined => references[field] ?? references[field.replace(/s$/, '')];
const isReference = (field: string): boolean => referenceOf(field) !== undefined;

/** Names of records, by the table and the key. */
type Labels = ReadonlyMap<string, string>;

/** A record that a change makes; the changes after it may refer to it. */
export interface NewRecord {
  /** The field by which changes refer to such a record. */
  field: string;
  key: string;
  name: string;
}

const labelKey = (field: string, key: unknown): string => `${referenceOf(field)!.from} ${String(key).toLowerCase()}`;

/** The names of the records that changes refer to. @param made those that the changes make */
export async function readLabels(
  { sql }: Context,
  values: readonly ChangeFields[],
  made: readonly NewRecord[],
): Promise<Labels> {
  const labels = new Map<string, string>();
  const keys = new Map<Reference, Set<string>>();
  const collect = (field: string, value: unknown): void => {
    if (Array.isArray(value)) for (const item of value.slice(0, namesMax)) collect(field, item);
    else if (typeof value === 'object' && value !== null)
      for (const [name, inner] of Object.entries(value)) collect(name, inner);
    const reference = typeof value === 'string' ? referenceOf(field) : undefined;
    if (reference) keys.set(reference, (keys.get(reference) ?? new Set()).add(value as string));
  };
  for (const value of values) collect('', value);
  for (const [{ from, key, type, label }, wanted] of keys) {
    const rows = await sql.rows<{ key: string; label: string | null }>(
      `select ${key}::text as key, ${label} as label from ${from} where ${key} = any($1::${type}[])`,
      [[...wanted]],
    );
    for (const row of rows) if (row.label) labels.set(`${from} ${row.key.toLowerCase()}`, row.label);
  }
  for (const { field, key, name } of made) labels.set(labelKey(field, key), name);
  return labels;
}

/** The name of the record; its key if it has no name or is unknown. */
export const findLabel = ({ labels }: Words, field: string, key: unknown): string =>
  (isReference(field) ? labels.get(labelKey(field, key)) : undefined) ?? String(key);

export const refer = (words: Words, field: string, value: ChangeFields): string =>
  findLabel(words, field, value[field]);

// ── values ──

export const capital = (text: string): string => text.charAt(0).toUpperCase() + text.slice(1);
/** `AccessScope` is an “access scope”. */
export const wordsIn = (name: string): string =>
  name
    .replace(/(?=[A-Z])/g, ' ')
    .trim()
    .toLowerCase();

/** As the forms of the console call it; a record by its kind where they only say “Id”. */
function labelOf(field: string): string {
  const label = fieldLabel(field);
  const isKind = isReference(field) && (label === 'Id' || /(Guid|Id)s?$/i.test(label));
  const words = isKind ? wordsIn(field.replace(/(Guid|Id)(s?)$/, '$2')) : label;
  return words.charAt(0).toLowerCase() + words.slice(1);
}

/** Whether it is a list of mappings or texts, which say what they are. */
const isListOfItems = (value: unknown): boolean => Array.isArray(value) && typeof value[0] === 'object';

/** A value as it is read: quoted texts, yes and no, names. */
function valueWords(words: Words, field: string, value: unknown): string {
  const { timeZone } = words.config;
  if (value === null) return 'none';
  if (typeof value === 'boolean') return value ? 'yes' : 'no';
  if (Array.isArray(value)) return listOf(words, field, value);
  if (value instanceof Date) return endWords(value.toISOString(), timeZone);
  if (typeof value === 'object') return itemWords(words, value as ChangeFields);
  if (isReference(field)) return findLabel(words, field, value);
  if (/^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d{3}Z$/.test(String(value))) return endWords(String(value), timeZone);
  return typeof value === 'string' ? `“${value}”` : String(value);
}

export function listOf(words: Words, field: string, items: readonly unknown[]): string {
  if (items.length === 0) return 'none';
  return enumerate(
    items.slice(0, namesMax).map((item) => valueWords(words, field.replace(/s$/, ''), item)),
    items.length,
  );
}

/** An item of a list of mappings or texts. */
function itemWords(words: Words, item: ChangeFields): string {
  if (typeof item.fieldName === 'string')
    return `${item.fieldName} in ${item.languageCode}: “${item.translatedText ?? ''}”`;
  const subject = Object.keys(references).find((field) => typeof item[field] === 'string');
  const details = Object.entries(item)
    .filter(([field, value]) => field !== subject && value !== undefined && !preconditions.has(field))
    .map(([field, value]) => `${labelOf(field)}: ${valueWords(words, field, value)}`);
  const name = subject ? refer(words, subject, item) : '';
  return details.length > 0 ? `${name} (${details.join('; ')})` : name;
}

const numberOf = (count: number): string => count.toLocaleString('en');
export const numbered = (count: number, one: string, many = `${one}s`): string =>
  count === 1 ? `1 ${one}` : `${numberOf(count)} ${many}`;

/** “A, B and C”, or “A, B, C and 12 more”. */
export function enumerate(names: readonly string[], total = names.length, last = 'and'): string {
  const shown = names.slice(0, namesMax);
  const more = total - shown.length;
  const all = more > 0 ? [...shown, `${numberOf(more)} more`] : shown;
  return all.length < 2 ? (all[0] ?? '') : `${all.slice(0, -1).join(', ')} ${last} ${all.at(-1)}`;
}

export const distinct = <Value>(values: readonly Value[]): Value[] => [...new Set(values)];

/** Such as “ until 24 February 2027”; empty where no change has an end. */
export function untilWords({ config }: Words, values: readonly { validUntil?: unknown }[]): string {
  const ends = distinct(
    values.map(({ validUntil }) => (validUntil instanceof Date ? validUntil.toISOString() : validUntil)),
  );
  const words = ends.map((end) =>
    typeof end === 'string' ? `until ${endWords(end, config.timeZone)}` : end === null ? 'without an end' : undefined,
  );
  const said = words.filter((text) => text !== undefined);
  // those without one keep the end that they have, or get none
  const all = said.length > 0 && said.length < words.length ? [...said, 'with no other end'] : said;
  return all.length > joinedMax
    ? ` with ${all.length} different ends`
    : all.length > 0
      ? ` ${enumerate(all, all.length, 'or')}`
      : '';
}

// ── sentences ──

/** How a change of records is said. */
export interface Said {
  verb: string;
  noun: string;
  /** The field that names the record; null for a new one. */
  subject: string | null;
  /** The name of a new record. */
  newName?: (value: ChangeFields) => string | undefined;
  /** The field with the id that a new record gets. */
  ownKey?: string;
}

/** What the change sets, besides its subject; a name is that of a new record, or the new one of a record. */
function detailsOf({ subject, newName }: Said, { input, ...own }: ChangeFields): ChangeFields {
  const given: ChangeFields = { ...own, ...(input as ChangeFields | undefined) };
  const isNamed = newName !== undefined && typeof (input as ChangeFields | undefined)?.name === 'string';
  return Object.fromEntries(
    Object.entries(given)
      .filter(([field, value]) => value !== undefined && field !== subject && !preconditions.has(field))
      .filter(([field]) => !(isNamed && field === 'name')),
  );
}

/** Such as “Update the user Ada Abebe (is blocked: yes)”. @param values changes that differ only in the record */
export function describeAlike(words: Words, said: Said, values: readonly ChangeFields[]): string {
  const { verb, noun, subject, newName, ownKey } = said;
  const details = Object.entries(detailsOf(said, values[0]!)).map(([field, value]) => {
    const lead = isListOfItems(value) ? '' : `${labelOf(field)}: `;
    // the id that a new record gets is its own, not that of another one
    return `${lead}${field === ownKey ? String(value) : valueWords(words, field, value)}`;
  });
  const more = details.length > 0 ? ` (${details.join('; ')})` : '';
  const records = values
    .map((value) => (subject === null ? newName?.(value) : refer(words, subject, value)))
    .filter((name) => name !== undefined);
  if (values.length === 1) return `${capital(verb)} the ${noun}${records[0] ? ` ${records[0]}` : ''}${more}`;
  return `${capital(verb)} ${numbered(values.length, noun)}: ${enumerate(records)}${more}`;
}

/** Such as “Update 12 users (is blocked, department)”. */
export function describeDifferent(said: Said, values: readonly ChangeFields[]): string {
  const fields = new Set(values.flatMap((value) => Object.keys(detailsOf(said, value)).map(labelOf)));
  const which = fields.size > 0 ? ` (${[...fields].join(', ')})` : '';
  return `${capital(said.verb)} ${numbered(values.length, said.noun)}${which}`;
}
