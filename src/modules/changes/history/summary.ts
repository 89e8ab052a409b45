/** Says in one line what a change set did, by the kinds of its records. */
import { LRUCache } from 'lru-cache';
import type { Context } from '../../../context.js';
import { describe } from '../../../entities/description.js';
import { withoutTurns } from '../../../entities/valueForms.js';
import { endWords } from '../../../services/access/grants.js';
import { calledName } from '../../../services/fullName.js';
import { timeText } from '../../../sql.js';
import { capital } from '../words.js';
import { partRecords, recordsWithHistory } from './state.js';

/** The records of a kind that a change set treats alike. */
interface Group {
  guid: string;
  id: string;
  face: string;
  isApplied: boolean;
  subject: string;
  action: string;
  count: number;
  /** The guid, id or number of the record, if it is the only one. */
  only: string;
}

/** What all records of a group have in common, by name; null where they differ. */
interface Common {
  id: string;
  subject: string;
  action: string;
  name: string | null;
  scope: string | null;
  application: string | null;
  profile: string | null;
  person: string | null;
  role: string | null;
  /** When all of them end, ISO 8601. */
  end: string | null;
  blocked: boolean | null;
}

const kinds: Readonly<Record<string, readonly [one: string, many: string]>> = {
  Application: ['application', 'applications'],
  AccessScope: ['access scope', 'access scopes'],
  AccessScopeType: ['access scope type', 'access scope types'],
  AccessScopeApplicationsMapper: ['mapping', 'mappings'],
  AccessScopeTypeApplicationsMapper: ['mapping', 'mappings'],
  Profile: ['profile', 'profiles'],
  ProfileAccessScope: ['access scope of a profile', 'access scopes of profiles'],
  Role: ['role', 'roles'],
  User: ['user', 'users'],
  UserProfile: ['assignment', 'assignments'],
  Client: ['client', 'clients'],
  Connector: ['connector', 'connectors'],
  EventStream: ['event stream', 'event streams'],
  Token: ['session', 'sessions'],
  SigningKey: ['signing key', 'signing keys'],
  Translation: ['text', 'texts'],
  TranslationGroup: ['group of texts', 'groups of texts'],
};
const actions: Readonly<Record<string, string>> = {
  create: 'created',
  update: 'changed',
  delete: 'removed',
  issue: 'started',
  revoke: 'ended',
  rotate: 'rotated',
  test: 'tested',
  replay: 'repeated',
};

/** Kinds that say less about a change set than the records that they are parts of. */
const parts = [...partRecords.map((record) => describe(record).name), 'TranslationGroup', 'Token'];

/** For larger change sets, what their records have in common is not read, because it is read from each record. */
const comparedMax = 10_000;

/** The lines of such change sets by guid: they never change, and counting the events of an import takes long. */
const linesOfLarge = new LRUCache<string, string>({ max: 1_000 });

const countOf = (count: number, one: string, many: string): string =>
  count === 1 ? `1 ${one}` : `${count.toLocaleString('en')} ${many}`;

/** SQL: the name of a record that has a guid and no history. */
const shownNames = `case event.subject_type
    when 'Connector' then (select connector_id from connectors c where c.connector_guid::text = min(event.subject_id))
    when 'EventStream' then (select name from event_streams s where s.event_stream_guid::text = min(event.subject_id)) end`;

const ofChange = 'change.change_set_id, change.change_set_guid, change.face, change.managed_by';

/**
 * SQL: what change sets did to their records, by their guids: the events, and the versions of those without, which were made past
 * the service. Whether there are events is asked of each set, before its versions are read.
 */
const changed = `select ${ofChange}, event.subject_type, event.action, event.subject_id
    from audit_events event join change_sets change using (change_set_id)
    where change.change_set_guid = any($1::uuid[])
  union all
  select ${ofChange}, kind.subject, case when version.before is null then 'create' when version.after is null then 'delete' else 'update' end,
         version.record_key
    from change_sets change join record_versions version using (change_set_id)
    join unnest($3::text[], $4::text[]) as kind (subject, name) on kind.name = version.record_table
    where change.change_set_guid = any($1::uuid[])
      and (select audit_event_id from audit_events event where event.change_set_id = change.change_set_id limit 1) is null`;

/** In the order of the guids; null for a change set that says nothing of its records. */
export async function summariesOf(context: Context, guids: readonly string[]): Promise<(string | null)[]> {
  const lines = new Map(guids.map((guid) => [guid, linesOfLarge.get(guid) ?? null]));
  const groups = await context.sql.rows<Group>(
    `select event.change_set_guid::text as guid, event.change_set_id::text as id, event.face,
            event.managed_by is not null as "isApplied", event.subject_type as subject, event.action,
            count(*)::int as count, coalesce(${shownNames}, min(event.subject_id collate "C")) as only
     from (${changed}) event
     group by event.change_set_guid, event.change_set_id, event.face, event.managed_by, event.subject_type, event.action
     order by event.subject_type = any($2::text[]), count(*) desc, event.subject_type, event.action`,
    [guids.filter((guid) => lines.get(guid) === null), parts, ...kindsWithVersions()],
  );
  const bySet = [...Map.groupBy(groups, ({ guid }) => guid)];
  const isLarge = (own: readonly Group[]) => own.reduce((sum, { count }) => sum + count, 0) > comparedMax;
  const small = bySet.flatMap(([, own]) => (isLarge(own) ? [] : own[0]!.id));
  const common = await readCommon(context, small);
  for (const [guid, own] of bySet) {
    const line = withoutTurns(lineOf(own, common, context.config.timeZone));
    if (isLarge(own)) linesOfLarge.set(guid, line);
    lines.set(guid, line);
  }
  return guids.map((guid) => lines.get(guid) ?? null);
}

const keyOf = ({ id, subject, action }: Pick<Common, 'id' | 'subject' | 'action'>) => `${id} ${subject} ${action}`;

/** Their names, and their tables. */
function kindsWithVersions(): [string[], string[]] {
  const records = recordsWithHistory.map(describe);
  return [records.map(({ name }) => name), records.map(({ table }) => table)];
}

async function readCommon({ sql }: Context, ids: readonly string[]): Promise<Map<string, Common>> {
  // the same value in all rows, or null
  const same = (column: string) =>
    `case when min(values->>'${column}') = max(values->>'${column}') and count(values->>'${column}') = count(*) then min(values->>'${column}') end`;
  const rows = await sql.rows<Common>(
    `with versions as (
       select version.change_set_id, kind.subject, coalesce(version.after, version.before) as values,
              case when version.before is null then 'create' when version.after is null then 'delete' else 'update' end as action
       from record_versions version
       join unnest($2::text[], $3::text[]) as kind (subject, name) on kind.name = version.record_table
       where version.change_set_id = any($1::bigint[])
     ), grouped as (
       select change_set_id::text as id, subject, action, case when count(*) = 1 then min(values->>'name') end as name,
              ${same('access_scope_id')} as scope_id, ${same('access_scope_type_id')} as type_id,
              ${same('application_id')} as application_id, ${same('profile_id')} as profile_id, ${same('user_id')} as user_id,
              ${same('role_id')} as role_id, ${same('valid_until')} as valid_until, ${same('is_blocked')}::boolean as blocked
       from versions
       group by change_set_id, subject, action
     )
     select id, subject, action, grouped.name, blocked, coalesce(scope.name, 'All of ' || type.name) as scope,
            application.name as application, profile.name as profile,
            ${calledName('person.')} as person, role.name as role,
            ${timeText('valid_until::timestamptz')} as end
     from grouped
     left join access_scopes scope on scope.access_scope_id = scope_id::int
     left join access_scope_types type on type.access_scope_type_id = type_id::int
       and grouped.subject = 'AccessScopeTypeApplicationsMapper'
     left join applications application on application.application_id = grouped.application_id::int
     left join profiles profile on profile.profile_id = grouped.profile_id
     left join users person on person.user_id = grouped.user_id::int
     left join roles role on role.role_id = grouped.role_id`,
    [ids, ...kindsWithVersions()],
  );
  return new Map(rows.map((row) => [keyOf(row), row]));
}

function lineOf(groups: readonly Group[], common: ReadonlyMap<string, Common>, timeZone: string): string {
  const [first, second, ...others] = groups;
  const isImport =
    first!.face === 'cli' &&
    !first!.isApplied &&
    others.length > 0 &&
    groups.every(({ action }) => action === 'create');
  if (isImport || (second && groups.every(({ action }) => action === first!.action))) {
    const counted = [first!, second!].map(({ subject, count }) => countOf(count, ...namesOf(subject)));
    const [third] = others;
    const rest =
      others.length === 1
        ? countOf(third!.count, ...namesOf(third!.subject))
        : countOf(others.length, 'other kind', 'other kinds');
    const all = others.length > 0 ? `${counted.join(', ')} and ${rest}` : counted.join(' and ');
    return `${all} ${isImport ? 'imported' : (actions[first!.action] ?? first!.action)}`;
  }
  const phrases = groups
    .slice(0, 2)
    .map((group, index) => phraseOf(group, common.get(keyOf(group)), timeZone, index === 0 ? capital : (word) => word));
  const rest = others.length > 0 ? ` and ${countOf(others.length, 'other kind', 'other kinds')}` : '';
  return `${phrases.join(', ')}${rest}`;
}

const namesOf = (subject: string): readonly [string, string] => kinds[subject] ?? [subject, `${subject}s`];

/** Such as “Plant 010 given to 381 applications”. */
function phraseOf(group: Group, common: Common | undefined, timeZone: string, begin: (kind: string) => string): string {
  const { subject, action, count, only } = group;
  const [one, many] = namesOf(subject);
  const done = actions[action] ?? action;
  const link = common && linkOf(group, common, timeZone);
  if (link) return link;
  const name = common?.name ?? (subject === 'User' ? common?.person : undefined);
  if (subject === 'User' && action === 'update' && common?.blocked !== null && common?.blocked !== undefined)
    return `${count === 1 && name ? name : countOf(count, one, many)} ${common.blocked ? 'blocked' : 'unblocked'}`;
  if (count > 1) return `${countOf(count, one, many)} ${done}`;
  const label = name ?? (isNumberOrGuid(only) ? undefined : only);
  return label ? `${begin(one)} ${label} ${done}` : `${begin(one)} ${done}`;
}

/** Numbers and guids are not shown, because people cannot recognize records by them. */
const isNumberOrGuid = (text: string): boolean =>
  Number.isInteger(Number(text)) || (text.length === 36 && text.split('-').length === 5);

const verbs: Readonly<Record<string, string>> = { create: 'given to', delete: 'removed from', update: 'changed for' };

/** What was given to whom; undefined if the links have no record in common, or the records are no links. */
function linkOf(
  { subject, action, count }: Group,
  { scope, application, profile, person, role, end }: Common,
  timeZone: string,
): string | undefined {
  const ends: Readonly<
    Record<string, [what: string | null, many: string, to: string | null, one: string, all: string]>
  > = {
    AccessScopeApplicationsMapper: [scope, 'access scopes', application, 'application', 'applications'],
    AccessScopeTypeApplicationsMapper: [scope, 'types', application, 'application', 'applications'],
    ProfileAccessScope: [scope, 'access scopes', profile, 'profile', 'profiles'],
    UserProfile: [profile, 'profiles', person, 'person', 'people'],
  };
  const own = ends[subject];
  const verb = verbs[action];
  if (!own || !verb) return undefined;
  const [what, many, to, one, all] = own;
  if (!what && !to) return undefined;
  const until = end && action !== 'delete' ? ` until ${endWords(end, timeZone)}` : '';
  return `${what ?? countOf(count, many, many)} ${verb} ${to ?? countOf(count, one, all)}${role ? ` as ${role}` : ''}${until}`;
}
