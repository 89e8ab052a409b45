/** Says in one line what the changes of a proposal do. */
import type { Context } from '../../context.js';

const titleCharactersMax = 300;

type Values = Record<string, unknown>;
interface Named {
  name: string;
  value: Values;
}

const memberOf = (change: object): Named => {
  const [name, value] = Object.entries(change).find(([, value]) => value !== undefined && value !== null)!;
  return { name, value };
};

/** The title of changes: by the member that most of them have. */
export async function titleOf(context: Context, changes: readonly object[]): Promise<string> {
  const groups = [...Map.groupBy(changes.map(memberOf), ({ name }) => name).values()].sort(
    (one, other) => other.length - one.length,
  );
  const [first, ...others] = groups;
  const rest = others.reduce((sum, group) => sum + group.length, 0);
  const text = `${await describeGroup(context, first!)}${rest > 0 ? `, and ${countOf(rest, 'other change')}` : ''}`;
  return [...text].slice(0, titleCharactersMax).join('');
}

const countOf = (count: number, one: string, many = `${one}s`): string =>
  count === 1 ? `1 ${one}` : `${count} ${many}`;

async function describeGroup(context: Context, group: readonly Named[]): Promise<string> {
  const { name } = group[0]!;
  const values = group.map(({ value }) => value);
  if (['assignProfile', 'assignProfiles', 'unassignProfile'].includes(name))
    return describeGrants(context, name, values);
  if (name === 'mapping') return describeMappings(context, values);
  if (name === 'translation') return `Change ${countOf(values.length, 'text')}`;
  const [verb = 'change', ...nouns] = name.split(/(?=[A-Z])/);
  const noun = nouns.join(' ').toLowerCase();
  const start = verb.charAt(0).toUpperCase() + verb.slice(1);
  if (values.length > 1) return `${start} ${values.length} ${noun.endsWith('s') ? noun : `${noun}s`}`;
  const label = await labelOf(context, values[0]!);
  return `${start} the ${noun}${label ? ` ${label}` : ''}`;
}

const one = <Value>(values: readonly Value[]): Value | undefined =>
  new Set(values).size === 1 ? values[0] : undefined;

async function describeGrants(context: Context, name: string, values: readonly Values[]): Promise<string> {
  const profileId = one(values.map((value) => value.profileId));
  const users = values.flatMap((value) => (value.userGuids ?? value.userGuid) as string | string[]);
  const userGuid = one(users);
  const profile = profileId
    ? `the profile ${await findLabel(context, { profileId })}`
    : countOf(new Set(values.map((value) => value.profileId)).size, 'profile');
  const people = userGuid ? await findLabel(context, { userGuid }) : countOf(new Set(users).size, 'person', 'people');
  return name === 'unassignProfile' ? `Remove ${profile} from ${people}` : `Give ${people} ${profile}`;
}

async function describeMappings(context: Context, values: readonly Values[]): Promise<string> {
  const scope = one(values.map((value) => value.accessScopeGuid ?? null));
  const type = one(values.map((value) => value.accessScopeTypeGuid ?? null));
  const named =
    (scope && (await findLabel(context, { accessScopeGuid: scope }))) ||
    (type && (await findLabel(context, { accessScopeTypeGuid: type }))) ||
    undefined;
  const applicationGuid = one(values.map((value) => value.applicationGuid));
  const applications = applicationGuid
    ? await findLabel(context, { applicationGuid })
    : countOf(new Set(values.map((value) => value.applicationGuid)).size, 'application');
  const active = context.config.mappingActiveStates;
  if (named && values.every(({ to }) => active.includes(String(to)))) return `${named} opens ${applications}`;
  if (named && values.every(({ to }) => to === null || to === undefined))
    return `${named} no longer opens ${applications}`;
  return `Change ${countOf(values.length, 'mapping')} of ${named ?? applications}`;
}

/** Columns that name a record, by the field of a change that refers to it. */
const labels: Readonly<Record<string, string>> = {
  profileId: 'select name as label from profiles where profile_id = $1::text',
  roleId: 'select name as label from roles where role_id = $1::text',
  userGuid: `select coalesce(nullif(concat_ws(' ', first_name, last_name), ''), email) as label from users where user_guid = $1::uuid`,
  applicationGuid: 'select name as label from applications where application_guid = $1::uuid',
  accessScopeGuid: 'select name as label from access_scopes where access_scope_guid = $1::uuid',
  accessScopeTypeGuid: 'select name as label from access_scope_types where access_scope_type_guid = $1::uuid',
};

async function labelOf(context: Context, value: Values): Promise<string | undefined> {
  const input = value.input as Values | undefined;
  if (typeof input?.name === 'string') return input.name;
  const key = Object.keys(labels).find((name) => typeof value[name] === 'string');
  return key ? findLabel(context, { [key]: value[key] }) : undefined;
}

/** The name of the record; its key where it has none, or is made by the same changes. */
async function findLabel({ sql }: Context, reference: Values): Promise<string> {
  const [[name, key]] = Object.entries(reference) as [[string, unknown]];
  const [row] = await sql.rows<{ label: string | null }>(labels[name]!, [key]);
  return row?.label || String(key);
}
