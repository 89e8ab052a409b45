/** Writes a list of the console as CSV: every row that its filter finds and the caller may read, with nested lists whole, from one statement. */
import type { Context } from '../../context.js';
import { AccessScope } from '../../entities/AccessScope.js';
import { AccessScopeType } from '../../entities/AccessScopeType.js';
import { Application } from '../../entities/Application.js';
import { Client } from '../../entities/Client.js';
import { describe, type RecordClass } from '../../entities/description.js';
import { Profile } from '../../entities/Profile.js';
import { Role } from '../../entities/Role.js';
import { User } from '../../entities/User.js';
import { UserProfile } from '../../entities/UserProfile.js';
import { timeText } from '../../sql.js';
import { type CsvValue, csvLine, exportMark } from '../csvLine.js';
import { fullName } from '../fullName.js';
import { actorOf, permit } from '../permit.js';
import { conditionSql } from '../read/expression.js';
import { type RecordFilter, type RecordOrder, readRecordFilter, readRecordOrders } from '../read/graphInputs.js';
import { Ordering } from '../read/ordering.js';
import { Rows, Statement } from '../read/select.js';

interface List {
  record: RecordClass;
  /** SQL by the heading of the column. @param open SQL of the states in which a mapping opens */
  columns: (open: string) => Readonly<Record<string, string>>;
}

/** SQL: values of other rows in one cell, each once for each row. */
const joined = (value: string, from: string): string =>
  `(select string_agg(${value}, '; ' order by ${value}) from ${from})`;
const countOf = (from: string): string => `(select count(*) from ${from})`;
const own = (...columns: string[]): Record<string, string> =>
  Object.fromEntries(
    columns.map((name) => [name, `r.${name.replace(/[A-Z]/g, (letter) => `_${letter.toLowerCase()}`)}`]),
  );
const times = (...columns: string[]): Record<string, string> =>
  Object.fromEntries(Object.entries(own(...columns)).map(([name, sql]) => [name, timeText(sql)]));
const stamps = { ...own('managedBy'), ...times('createdDate', 'modifiedDate') };

/** `r` is the row. */
const lists: Readonly<Record<string, List>> = {
  users: {
    record: User,
    columns: () => ({
      ...own('userGuid', 'firstName', 'lastName', 'email', 'jobTitle', 'department', 'isBlocked'),
      ...times('lastLoginDate'),
      profileCount: countOf('user_profiles link where link.user_id = r.user_id'),
      profiles: joined(
        `p.name || ' as ' || role.name || coalesce(' until ' || ${timeText('link.valid_until')}, '')`,
        'user_profiles link join profiles p using (profile_id) join roles role using (role_id) where link.user_id = r.user_id',
      ),
    }),
  },
  applications: {
    record: Application,
    columns: (open) => ({
      ...own('applicationGuid', 'name', 'description', 'appType', 'isActive', 'isRequestable', 'ownerProfileId'),
      ...stamps,
      accessScopes: joined(
        's.name',
        `access_scope_applications_mappers m join access_scopes s using (access_scope_id)
         where m.application_id = r.application_id and m.state = any(${open})`,
      ),
      accessScopeTypes: joined(
        't.name',
        `access_scope_type_applications_mappers m join access_scope_types t using (access_scope_type_id)
         where m.application_id = r.application_id and m.state = any(${open})`,
      ),
    }),
  },
  accessScopes: {
    record: AccessScope,
    columns: (open) => ({
      ...own('accessScopeGuid', 'name', 'accessScopeKey', 'concreteId', 'isWildcard', 'isActive'),
      accessScopeType:
        '(select t.name from access_scope_types t where t.access_scope_type_id = r.access_scope_type_id)',
      ...stamps,
      applicationCount: countOf(
        `access_scope_applications_mappers m where m.access_scope_id = r.access_scope_id and m.state = any(${open})`,
      ),
      profiles: joined(
        'p.name',
        'profile_access_scopes has join profiles p using (profile_id) where has.access_scope_id = r.access_scope_id',
      ),
    }),
  },
  accessScopeTypes: {
    record: AccessScopeType,
    columns: () => ({
      ...own('accessScopeTypeGuid', 'name', 'description', 'isActive'),
      ...stamps,
      accessScopeCount: countOf('access_scopes s where s.access_scope_type_id = r.access_scope_type_id'),
      applicationCount: countOf(
        'access_scope_type_applications_mappers m where m.access_scope_type_id = r.access_scope_type_id',
      ),
    }),
  },
  profiles: {
    record: Profile,
    columns: () => ({
      ...own('profileId', 'name', 'description', 'ownerProfileId'),
      ...stamps,
      grantCount: countOf('user_profiles link where link.profile_id = r.profile_id'),
      accessScopes: joined(
        `s.name || coalesce(' until ' || ${timeText('has.valid_until')}, '')`,
        'profile_access_scopes has join access_scopes s using (access_scope_id) where has.profile_id = r.profile_id',
      ),
    }),
  },
  roles: {
    record: Role,
    columns: () => ({
      ...own('roleId', 'name', 'description'),
      ...stamps,
      grantCount: countOf('user_profiles link where link.role_id = r.role_id'),
    }),
  },
  userProfiles: {
    record: UserProfile,
    columns: () => {
      const ofUser = (column: string) => `(select u.${column} from users u where u.user_id = r.user_id)`;
      return {
        firstName: ofUser('first_name'),
        lastName: ofUser('last_name'),
        email: ofUser('email'),
        department: ofUser('department'),
        isBlocked: ofUser('is_blocked'),
        userGuid: ofUser('user_guid'),
        profile: '(select p.name from profiles p where p.profile_id = r.profile_id)',
        ...own('profileId'),
        role: '(select role.name from roles role where role.role_id = r.role_id)',
        ...own('roleId', 'managedBy'),
        ...times('createdDate', 'validUntil'),
        lastUsed: `to_char(r.last_used_at at time zone 'UTC', 'YYYY-MM-DD')`,
      };
    },
  },
  clients: {
    record: Client,
    columns: () => ({
      ...own('clientId', 'name', 'description', 'isActive'),
      ...times('createdAt', 'secretLastUsedAt', 'keysLastUsedAt', 'previousSecretEndsAt'),
    }),
  },
};

/** The record of a list that can be exported; undefined for any other name. */
export const exportedRecord = (name: string): RecordClass | undefined =>
  Object.hasOwn(lists, name) ? lists[name]!.record : undefined;

/** What the list was asked for, as the graph has read it. */
export interface ExportWish {
  filter: RecordFilter | null;
  orderBy: readonly RecordOrder[];
}

/** Rows of one fetch. */
const batchSize = 200;

type ExportRow = Record<string, CsvValue> & { '#': string };

/**
 * Writes the lines in pieces: what the list is, the headings, the rows. Begins to write when the first rows are read. Throws
 * FORBIDDEN and BAD_USER_INPUT.
 */
export async function exportList(
  context: Context,
  name: string,
  { filter, orderBy }: ExportWish,
  write: (text: string) => Promise<void>,
): Promise<void> {
  const { record, columns } = lists[name]!;
  permit(context, describe(record).readWith);
  const { statement, headings } = selectList(context, record, columns, { filter, orderBy });
  const begin = async (count: string | number) =>
    write(csvLine(await introduction(context, name, filter, count)) + csvLine(headings));
  let isBegun = false;
  for await (const rows of context.reads.stream<ExportRow>(statement.text, statement.values, batchSize)) {
    if (!isBegun && rows.length > 0) await begin(rows[0]!['#']);
    isBegun ||= rows.length > 0;
    await write(rows.map((row) => csvLine(headings.map((heading) => row[heading]))).join(''));
  }
  if (!isBegun) await begin(0);
}

/** One statement: the rows and their number are of the same moment. */
function selectList(context: Context, record: RecordClass, columns: List['columns'], { filter, orderBy }: ExportWish) {
  const statement = new Statement((read) => permit(context, describe(read).readWith));
  const rows = new Rows(statement, record);
  const ordering = new Ordering(rows, readRecordOrders(record, orderBy));
  const where = filter
    ? ` where ${conditionSql(readRecordFilter(record, filter, statement.requireReadable), rows)}`
    : '';
  const open = statement.bind(context.config.mappingActiveStates, 'text[]');
  const named = Object.entries(columns(open));
  // `offset 0`: what is nested is read when a row is fetched, not before the rows are sorted
  const chosen = `select ${rows.alias}.*, count(*) over () as "#", ${open} as "open" from ${rows.from()}${where} order by ${ordering.text()} offset 0`;
  const text = `select r."#"::text as "#", ${named.map(([heading, sql]) => `${sql} as "${heading}"`).join(', ')} from (${chosen}) r`;
  return { statement: { text, values: statement.values }, headings: named.map(([heading]) => heading) };
}

/** Which rows these are, of when, for whom, and how times are written. */
async function introduction(context: Context, name: string, filter: RecordFilter | null, count: string | number) {
  const [row] = await context.sql.rows<{ at: string; person: string | null }>(
    `select ${timeText('now()')} as at,
       (select concat_ws(', ', ${fullName()}, email) from users where user_guid = $1::uuid) as person`,
    [actorOf(context)],
  );
  const filterText = filter ? JSON.stringify(filter) : 'none';
  return [
    ...[exportMark, name, 'filter', filterText, 'rows', String(count), 'made', row!.at, 'times in', 'UTC'],
    ...['days end in', context.config.timeZone, 'by', row!.person ?? actorOf(context)],
  ];
}
