/** Says in one line what changes do. */
import type { Context } from '../../context.js';
import { fullName } from '../fullName.js';

const titleCharactersMax = 300;

type Values = Record<string, unknown>;
interface Named {
  name: string;
  value: Values;
}

/** The member of `ChangeInput` that a change has. */
export const memberOf = (change: object): Named => {
  const [name, value] = Object.entries(change).find(([, value]) => value !== undefined && value !== null)!;
  return { name, value };
};

/** The title of changes, which describes those with the most frequent member of `ChangeInput`. */
export async function titleOf(context: Context, changes: readonly object[]): Promise<string> {
  const groups = [...Map.groupBy(changes.map(memberOf), ({ name }) => name).values()].sort(
    (one, other) => other.length - one.length,
  );
  const [first, ...others] = groups;
  const rest = others.reduce((sum, group) => sum + group.length, 0);
  const text = `${describeGroup(context, first!, await readLabels(context, changes.map(memberOf)))}${rest > 0 ? `, and ${countOf(rest, 'other change')}` : ''}`;
  return [...text].slice(0, titleCharactersMax).join('');
}

const countOf = (count: number, one: string, many = `${one}s`): string =>
  count === 1 ? `1 ${one}` : `${count} ${many}`;

/** @param group changes that have the same member */
export function describeGroup(context: Pick<Context, 'config'>, group: readonly Named[], labels: Labels): string {
  const { name } = group[0]!;
  const values = group.map(({ value }) => value);
  if (['assignProfile', 'assignProfiles', 'unassignProfile'].includes(name))
    return describeGrants(name, values, labels);
  if (name === 'mapping') return describeMappings(context, values, labels);
  if (name === 'translation') return `Change ${countOf(values.length, 'text')}`;
  const [verb = 'change', ...nouns] = name.split(/(?=[A-Z])/);
  const noun = nouns.join(' ').toLowerCase();
  const start = verb.charAt(0).toUpperCase() + verb.slice(1);
  if (values.length > 1) return `${start} ${values.length} ${noun.endsWith('s') ? noun : `${noun}s`}`;
  const label = labelOf(values[0]!, labels);
  return `${start} the ${noun}${label ? ` ${label}` : ''}`;
}

const one = <Value>(values: readonly Value[]): Value | undefined =>
  new Set(values).size === 1 ? values[0] : undefined;

function describeGrants(name: string, values: readonly Values[], labels: Labels): string {
  const profileId = one(values.map((value) => value.profileId));
  const users = values.flatMap((value) => (value.userGuids ?? value.userGuid) as string | string[]);
  const userGuid = one(users);
  const profile = profileId
    ? `the profile ${findLabel(labels, 'profileId', profileId)}`
    : countOf(new Set(values.map((value) => value.profileId)).size, 'profile');
  const people = userGuid ? findLabel(labels, 'userGuid', userGuid) : countOf(new Set(users).size, 'person', 'people');
  return name === 'unassignProfile' ? `Remove ${profile} from ${people}` : `Give ${people} ${profile}`;
}

function describeMappings(context: Pick<Context, 'config'>, values: readonly Values[], labels: Labels): string {
  const scope = one(values.map((value) => value.accessScopeGuid ?? null));
  const type = one(values.map((value) => value.accessScopeTypeGuid ?? null));
  const named =
    (scope && findLabel(labels, 'accessScopeGuid', scope)) ||
    (type && findLabel(labels, 'accessScopeTypeGuid', type)) ||
    undefined;
  const applicationGuid = one(values.map((value) => value.applicationGuid));
  const applications = applicationGuid
    ? findLabel(labels, 'applicationGuid', applicationGuid)
    : countOf(new Set(values.map((value) => value.applicationGuid)).size, 'application');
  const active = context.config.mappingActiveStates;
  if (named && values.every(({ to }) => active.includes(String(to)))) return `${named} opens ${applications}`;
  if (named && values.every(({ to }) => to === null || to === undefined))
    return `${named} no longer opens ${applications}`;
  return `Change ${countOf(values.length, 'mapping')} of ${named ?? applications}`;
}

/** Tables and columns that name a record, by the field of a change that refers to it. */
const named: Readonly<Record<string, { from: string; key: string; type: string; label: string }>> = {
  profileId: { from: 'profiles', key: 'profile_id', type: 'text', label: 'name' },
  roleId: { from: 'roles', key: 'role_id', type: 'text', label: 'name' },
  userGuid: {
    from: 'users',
    key: 'user_guid',
    type: 'uuid',
    label: `coalesce(${fullName()}, email)`,
  },
  applicationGuid: { from: 'applications', key: 'application_guid', type: 'uuid', label: 'name' },
  accessScopeGuid: { from: 'access_scopes', key: 'access_scope_guid', type: 'uuid', label: 'name' },
  accessScopeTypeGuid: { from: 'access_scope_types', key: 'access_scope_type_guid', type: 'uuid', label: 'name' },
  changeSetGuid: {
    from: 'change_sets',
    key: 'change_set_guid',
    type: 'uuid',
    label: `to_char(occurred_at at time zone 'UTC', '"of" YYYY-MM-DD HH24:MI "UTC"') || coalesce(': ' || note, '')`,
  },
};

/** Names of records, by the field that refers to them and their key. */
type Labels = ReadonlyMap<string, string>;

const labelKey = (field: string, key: unknown): string => `${field} ${String(key).toLowerCase()}`;

/** The names of the records that the changes refer to, or make. */
export async function readLabels({ sql }: Context, changes: readonly Named[]): Promise<Labels> {
  const labels = new Map<string, string>();
  for (const [field, { from, key, type, label }] of Object.entries(named)) {
    const keys = changes.flatMap(({ value }) => {
      const guids = field === 'userGuid' && Array.isArray(value.userGuids) ? value.userGuids : [];
      return [value[field], ...(guids.length === 1 ? guids : [])].filter((each) => typeof each === 'string');
    });
    if (keys.length === 0) continue;
    const rows = await sql.rows<{ key: string; label: string | null }>(
      `select ${key}::text as key, ${label} as label from ${from} where ${key} = any($1::${type}[])`,
      [[...new Set(keys)]],
    );
    for (const row of rows) if (row.label) labels.set(labelKey(field, row.key), row.label);
  }
  for (const { value } of changes) {
    const input = (value.input ?? {}) as Values;
    const field = Object.keys(named).find((name) => typeof input[name] === 'string');
    if (field && typeof input.name === 'string') labels.set(labelKey(field, input[field]), input.name);
  }
  return labels;
}

function labelOf(value: Values, labels: Labels): string | undefined {
  const input = value.input as Values | undefined;
  if (typeof input?.name === 'string') return input.name;
  const key = Object.keys(named).find((name) => typeof value[name] === 'string');
  return key ? findLabel(labels, key, value[key]) : undefined;
}

/** The name of the record; its key if it has no name or is unknown. */
const findLabel = (labels: Labels, field: string, key: unknown): string =>
  labels.get(labelKey(field, key)) ?? String(key);
