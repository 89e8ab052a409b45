/** Says in sentences what changes do: with every field that an approver decides about, and names in the place of ids. */
import type { Context } from '../../context.js';
import { endWords } from '../../services/access/grants.js';
import { fullName } from '../../services/fullName.js';

const titleCharactersMax = 300;
/** Names that a sentence lists; of more it says how many there are. */
const namesMax = 20;
/** Sentences that a title joins; of more kinds of one change it names the fields. */
const joinedMax = 3;

type Values = Record<string, unknown>;
interface Named {
  name: string;
  value: Values;
}
type Config = Pick<Context, 'config'>;

/** The member of `ChangeInput` that a change has. */
export const memberOf = (change: object): Named => {
  const [name, value] = Object.entries(change).find(([, value]) => value !== undefined && value !== null)!;
  return { name, value };
};

interface Sentence {
  text: string;
  /** How many changes it describes. */
  count: number;
}

/** A sentence for all changes that differ only in their subject, in the order of the changes. */
export async function sentencesOf(context: Context, changes: readonly object[]): Promise<Sentence[]> {
  const named = changes.map(memberOf);
  const labels = await readLabels(context, named);
  return alike(named).map((group) => ({ text: sentence(context, group, labels), count: group.length }));
}

/** The title of changes, which describes those with the most frequent member of `ChangeInput`. */
export async function titleOf(context: Context, changes: readonly object[]): Promise<string> {
  const groups = [...Map.groupBy(changes.map(memberOf), ({ name }) => kindOf(name)).values()].sort(
    (one, other) => other.length - one.length,
  );
  const [first, ...others] = groups;
  const rest = others.reduce((sum, group) => sum + group.length, 0);
  const ending = rest > 0 ? `, and ${countOf(rest, 'other change')}` : '';
  const text = describeGroup(context, first!, await readLabels(context, changes.map(memberOf)));
  return `${shorten(text, titleCharactersMax - ending.length)}${ending}`;
}

/** The title of a request for access; undefined if the person or the application is gone. */
export async function titleOfRequest(
  { sql }: Context,
  userGuid: string,
  applicationGuid: string,
): Promise<string | undefined> {
  const [row] = await sql.rows<{ title: string }>(
    `select left(coalesce(${fullName('u.')}, u.email, u.user_guid::text)
       || ' requests ' || a.name, ${titleCharactersMax}) as title
     from applications a, users u where a.application_guid = $1::uuid and u.user_guid = $2::uuid`,
    [applicationGuid, userGuid],
  );
  return row?.title;
}

/** Such as “Give IT auditor to 1,326 people as Deputy until 24 February 2027”. @param group changes of one kind */
export function describeGroup(context: Config, group: readonly Named[], labels: Labels): string {
  const groups = alike(group);
  if (groups.length === 1) return sentence(context, group, labels);
  const { name } = group[0]!;
  const values = group.map(({ value }) => value);
  if (isGrant(name)) return describeGrants(context, name, values, labels);
  if (groups.length <= joinedMax) return groups.map((each) => sentence(context, each, labels)).join('; ');
  if (name === 'mapping') return describeMappings(context, values, labels);
  if (name === 'translation') return `Change ${countOf(values.length, 'text')}`;
  const fields = new Set(values.flatMap((value) => fieldsOf(name, value).map(({ label }) => label)));
  return `${verbOf(name)} ${countOf(values.length, nounOf(name))}${fields.size > 0 ? ` (${[...fields].join(', ')})` : ''}`;
}

const isGrant = (name: string): boolean => ['assignProfile', 'assignProfiles', 'unassignProfile'].includes(name);
const kindOf = (name: string): string => (name === 'assignProfiles' ? 'assignProfile' : name);

/** What the caller has read, so that nobody's change is overwritten: nothing of it is changed. */
const preconditions: ReadonlySet<string> = new Set(['ifRevision', 'ifRevisions']);

/** Changes that one sentence describes: they differ only in the people, the applications or the record. */
function alike(changes: readonly Named[]): Named[][] {
  const keyOf = ({ name, value }: Named): string => {
    const isOfRecord = value.input !== undefined || /^(delete|deactivate)/.test(name);
    const same = isGrant(name)
      ? ['userGuid', 'userGuids']
      : name === 'mapping'
        ? ['applicationGuid', 'from']
        : isOfRecord && !name.endsWith('Mappers')
          ? [subjectOf(value)]
          : [];
    const rest = Object.entries(value).filter(([field]) => !preconditions.has(field) && !same.includes(field));
    return JSON.stringify([kindOf(name), rest.sort(([one], [other]) => (one < other ? -1 : 1))]);
  };
  return [...Map.groupBy(changes, keyOf).values()];
}

/** One sentence. @param group changes that are alike */
function sentence(context: Config, group: readonly Named[], labels: Labels): string {
  const { name, value } = group[0]!;
  const values = group.map((change) => change.value);
  if (isGrant(name)) return describeGrants(context, name, values, labels);
  if (name === 'mapping') return describeMappings(context, values, labels);
  if (name === 'translation') return describeText(value);
  if (name === 'assignAccessScope')
    return `Give the access scope ${refer(labels, 'accessScopeGuid', value)} to the profile ${refer(labels, 'profileId', value)}${untilWords(context, [value])}`;
  if (name === 'setProfileAccessScopes')
    return `Set the access scopes of the profile ${refer(labels, 'profileId', value)} to ${listOf(context, labels, 'accessScopeGuids', value.accessScopeGuids)}`;
  const details = fieldsOf(name, value).map(({ field, label }) => {
    const source = { ...value, ...(value.input as Values | undefined) };
    // the id that a new record gets is its own, not that of another one
    const isOwn = field === ownKeyOf(name);
    const lead = isList(source[field]) ? '' : `${label}: `;
    return `${lead}${isOwn ? String(source[field]) : valueWords(context, labels, field, source[field])}`;
  });
  const more = details.length > 0 ? ` (${details.join('; ')})` : '';
  const records = values.map((each) => nameOfSubject(name, each, labels)).filter((each) => each !== undefined);
  if (group.length === 1) return `${verbOf(name)} the ${nounOf(name)}${records[0] ? ` ${records[0]}` : ''}${more}`;
  return `${verbOf(name)} ${countOf(group.length, nounOf(name))}: ${enumerate(records)}${more}`;
}

const capital = (text: string): string => text.charAt(0).toUpperCase() + text.slice(1);
const wordsIn = (name: string): string => name.replace(/(?=[A-Z])/g, ' ').toLowerCase();
/** `createAccessScope` is “Create” an “access scope”. */
const verbOf = (name: string): string => capital(wordsIn(name).split(' ')[0]!);
/** Whether it is a list of mappings or texts, which say what they are. */
const isList = (value: unknown): boolean => Array.isArray(value) && typeof value[0] === 'object';

/** Of the changes of many mappings: “mappings of the application”. */
function nounOf(name: string): string {
  if (/ApplicationsMappers$/.test(name))
    return `mappings of ${name.includes('ScopeType') ? 'access scope types' : 'access scopes'} for the application`;
  if (name === 'setTranslations') return 'texts of';
  return wordsIn(name).split(' ').slice(1).join(' ');
}

/** The field with the id of the record that a change makes. */
const ownKeyOf = (name: string): string | undefined => {
  const [verb, noun] = [name.slice(0, 6), `${name.charAt(6).toLowerCase()}${name.slice(7)}`];
  return verb === 'create' ? [`${noun}Guid`, `${noun}Id`].find((field) => references[field]) : undefined;
};

/** The name of a record that a change makes. */
const newNameOf = ({ name, firstName, lastName, email }: Values): string | undefined => {
  const person = [firstName, lastName].filter(Boolean).join(' ');
  const [first] = [name, person, email].filter((each) => typeof each === 'string' && each !== '');
  return first as string | undefined;
};

/** The field that names the record of a change. */
const subjectOf = (value: Values | undefined): string | undefined =>
  Object.keys(references).find((field) => typeof value?.[field] === 'string') ??
  (typeof value?.translationGroup === 'string' ? 'translationGroup' : undefined);

function nameOfSubject(name: string, value: Values, labels: Labels): string | undefined {
  const input = value.input as Values | undefined;
  const field = subjectOf(value);
  if (field) return refer(labels, field, value);
  return name.startsWith('create') && input ? newNameOf(input) : undefined;
}

interface Field {
  field: string;
  label: string;
}

/** What a change sets, besides its subject; a name is that of a new record, or the new one of a record. */
function fieldsOf(name: string, value: Values): Field[] {
  const { input, ...own } = value;
  const subject = subjectOf(value);
  const given = { ...own, ...(input as Values | undefined) };
  const isNamed = name.startsWith('create') && typeof (input as Values | undefined)?.name === 'string';
  return Object.keys(given)
    .filter((field) => given[field] !== undefined && field !== subject && !preconditions.has(field))
    .filter((field) => !(isNamed && field === 'name'))
    .map((field) => ({ field, label: labelOf(field) }));
}

const labelOf = (field: string): string => wordsIn(isReference(field) ? field.replace(/(Guid|Id)(s?)$/, '$2') : field);

/** A value as it is read: quoted texts, yes and no, names. */
function valueWords(context: Config, labels: Labels, field: string, value: unknown): string {
  if (value === null) return 'none';
  if (typeof value === 'boolean') return value ? 'yes' : 'no';
  if (Array.isArray(value)) return listOf(context, labels, field, value);
  if (value instanceof Date) return endWords(value.toISOString(), context.config.timeZone);
  if (typeof value === 'object') return itemWords(context, labels, value as Values);
  if (isReference(field)) return findLabel(labels, field, value);
  if (/^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d{3}Z$/.test(String(value)))
    return endWords(String(value), context.config.timeZone);
  return typeof value === 'string' ? `“${value}”` : String(value);
}

function listOf(context: Config, labels: Labels, field: string, value: unknown): string {
  const items = value as readonly unknown[];
  if (items.length === 0) return 'none';
  return enumerate(
    items.slice(0, namesMax).map((item) => valueWords(context, labels, field.replace(/s$/, ''), item)),
    items.length,
  );
}

/** An item of a list of mappings or texts. */
function itemWords(context: Config, labels: Labels, item: Values): string {
  if (typeof item.fieldName === 'string')
    return `${item.fieldName} in ${item.languageCode}: “${item.translatedText ?? ''}”`;
  const subject = subjectOf(item);
  const details = Object.entries(item)
    .filter(([field, value]) => field !== subject && value !== undefined && !preconditions.has(field))
    .map(([field, value]) => `${labelOf(field)}: ${valueWords(context, labels, field, value)}`);
  const name = subject ? refer(labels, subject, item) : '';
  return details.length > 0 ? `${name} (${details.join('; ')})` : name;
}

const numberOf = (count: number): string => count.toLocaleString('en');
const countOf = (count: number, one: string, many = `${one}s`): string =>
  count === 1 ? `1 ${one}` : `${numberOf(count)} ${many}`;

/** “A, B and C”, or “A, B, C and 12 more”. */
function enumerate(names: readonly string[], total = names.length, last = 'and'): string {
  const shown = names.slice(0, namesMax);
  const more = total - shown.length;
  const all = more > 0 ? [...shown, `${numberOf(more)} more`] : shown;
  return all.length < 2 ? (all[0] ?? '') : `${all.slice(0, -1).join(', ')} ${last} ${all.at(-1)}`;
}

const distinct = <Value>(values: readonly Value[]): Value[] => [...new Set(values)];

/** Such as “ until 24 February 2027”; empty where no change has an end. */
function untilWords({ config }: Config, values: readonly Values[]): string {
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

function describeGrants(context: Config, name: string, values: readonly Values[], labels: Labels): string {
  const profileIds = distinct(values.map(({ profileId }) => profileId));
  const users = distinct(values.flatMap((value) => (value.userGuids ?? value.userGuid) as string | string[]));
  const roleIds = distinct(values.map(({ roleId }) => roleId));
  const profile =
    profileIds.length === 1 ? findLabel(labels, 'profileId', profileIds[0]) : countOf(profileIds.length, 'profile');
  const people =
    users.length === 1 ? findLabel(labels, 'userGuid', users[0]) : countOf(users.length, 'person', 'people');
  const role =
    roleIds.length <= joinedMax
      ? ` as ${enumerate(
          roleIds.map((id) => findLabel(labels, 'roleId', id)),
          roleIds.length,
          'or',
        )}`
      : ` in ${roleIds.length} roles`;
  if (name === 'unassignProfile') return `Remove ${profile} from ${people}${role}`;
  return `Give ${profile} to ${people}${role}${untilWords(context, values)}`;
}

/** Mappings of one access scope, of one application, or of several of both. */
function describeMappings({ config }: Config, values: readonly Values[], labels: Labels): string {
  const scopes = distinct(
    values.map((value) =>
      value.accessScopeGuid
        ? findLabel(labels, 'accessScopeGuid', value.accessScopeGuid)
        : `All of ${findLabel(labels, 'accessScopeTypeGuid', value.accessScopeTypeGuid)}`,
    ),
  );
  const applicationGuids = distinct(values.map(({ applicationGuid }) => applicationGuid));
  const applications =
    applicationGuids.length === 1
      ? findLabel(labels, 'applicationGuid', applicationGuids[0])
      : countOf(applicationGuids.length, 'application');
  const subject = scopes.length === 1 ? scopes[0]! : countOf(scopes.length, 'access scope');
  const verb = (one: string, many: string) => (scopes.length === 1 ? one : many);
  const active = config.mappingActiveStates;
  const states = distinct(values.map(({ to }) => to ?? null));
  const links = distinct(values.flatMap(({ individualExternalLink: link }) => (link === undefined ? [] : [link])));
  const before = values.length === 1 && typeof values[0]!.from === 'string' ? `; before: “${values[0]!.from}”` : '';
  const linkWords = links.map((link) => (link === null ? 'without an own link' : `with the link ${link}`));
  const more =
    linkWords.length === 0
      ? ''
      : linkWords.length > joinedMax
        ? ', with several links'
        : `, ${enumerate(linkWords, linkWords.length, 'or')}`;
  if (states.every((state) => state === null))
    return `${subject} no longer ${verb('opens', 'open')} ${applications}${before && ` (${before.slice(2)})`}${more}`;
  const stateWords = `state: ${enumerate(
    states.map((state) => (state === null ? 'none' : `“${state}”`)),
    states.length,
    'or',
  )}`;
  const said = `(${stateWords}${before})${more}`;
  if (states.every((state) => active.includes(String(state))))
    return `${subject} ${verb('opens', 'open')} ${applications} ${active.length > 1 || before ? said : more.slice(2)}`.trimEnd();
  return `Change ${countOf(values.length, 'mapping')} of ${subject} for ${applications} ${said}`;
}

function describeText({ translationGroup, fieldName, languageCode, from, to }: Values): string {
  const what = `${fieldName} of ${translationGroup} in ${languageCode}`;
  const before = typeof from === 'string' ? ` (before: “${from}”)` : '';
  return to === null || to === undefined
    ? `Remove the text ${what}${before}`
    : `Set the text ${what} to “${to}”${before}`;
}

const shorten = (text: string, max: number): string => {
  const characters = [...text];
  return characters.length > max ? `${characters.slice(0, max - 1).join('')}…` : text;
};

interface Reference {
  from: string;
  key: string;
  type: string;
  label: string;
}
const profiles: Reference = { from: 'profiles', key: 'profile_id', type: 'text', label: 'name' };
const users: Reference = { from: 'users', key: 'user_guid', type: 'uuid', label: `coalesce(${fullName()}, email)` };

/** Tables and columns that name a record, by the field of a change that refers to it; what a change is about comes first. */
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
    label: `to_char(occurred_at at time zone 'UTC', '"of" YYYY-MM-DD HH24:MI "UTC"') || coalesce(': ' || note, '')`,
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

const labelKey = (field: string, key: unknown): string => `${referenceOf(field)!.from} ${String(key).toLowerCase()}`;

/** The names of the records that the changes refer to, or make. */
export async function readLabels({ sql }: Context, changes: readonly Named[]): Promise<Labels> {
  const labels = new Map<string, string>();
  const keys = new Map<Reference, Set<string>>();
  const collect = (field: string, value: unknown): void => {
    if (Array.isArray(value)) for (const item of value.slice(0, namesMax)) collect(field, item);
    else if (typeof value === 'object' && value !== null)
      for (const [name, inner] of Object.entries(value)) collect(name, inner);
    const reference = typeof value === 'string' ? referenceOf(field) : undefined;
    if (reference) keys.set(reference, (keys.get(reference) ?? new Set()).add(value as string));
  };
  for (const { value } of changes) collect('', value);
  for (const [{ from, key, type, label }, wanted] of keys) {
    const rows = await sql.rows<{ key: string; label: string | null }>(
      `select ${key}::text as key, ${label} as label from ${from} where ${key} = any($1::${type}[])`,
      [[...wanted]],
    );
    for (const row of rows) if (row.label) labels.set(`${from} ${row.key.toLowerCase()}`, row.label);
  }
  for (const { name, value } of changes) {
    const input = (value.input ?? {}) as Values;
    const [field, newName] = [ownKeyOf(name), newNameOf(input)];
    if (field && newName && typeof input[field] === 'string') labels.set(labelKey(field, input[field]), newName);
  }
  return labels;
}

const refer = (labels: Labels, field: string, value: Values): string => findLabel(labels, field, value[field]);

/** The name of the record; its key if it has no name or is unknown. */
const findLabel = (labels: Labels, field: string, key: unknown): string =>
  (isReference(field) ? labels.get(labelKey(field, key)) : undefined) ?? String(key);
