/** Reads the catalogue as it was at an earlier time. */
import type { Context } from '../../../context.js';
import { AccessScopeApplicationsMapper } from '../../../entities/AccessScopeApplicationsMapper.js';
import { AccessScopeTypeApplicationsMapper } from '../../../entities/AccessScopeTypeApplicationsMapper.js';
import { allRecords } from '../../../entities/all.js';
import { describe, type RecordClass, type RecordDescription } from '../../../entities/description.js';
import { ProfileAccessScope } from '../../../entities/ProfileAccessScope.js';
import { Translation } from '../../../entities/Translation.js';
import { User } from '../../../entities/User.js';
import { UserProfile } from '../../../entities/UserProfile.js';
import { badInput } from '../../../errors.js';
import type { Sql } from '../../../sql.js';

/** Records with a history. A group of translations has no fields of its own. Users have a history only of the columns below. */
export const recordsWithHistory: readonly RecordClass[] = allRecords.filter((record) => describe(record).isOfCatalogue);
const userColumns = ['user_id', 'user_guid', 'is_blocked'];

/** SQL: whether an audit event is of a change of a user that has no version. */
export const isPersonal = `subject_type = 'User' and action = 'update' and detail->'fields' <> '["isBlocked"]'::jsonb`;

/** Records that are parts of others: links, mappings and texts. */
export const partRecords: readonly RecordClass[] = [
  ProfileAccessScope,
  UserProfile,
  AccessScopeApplicationsMapper,
  AccessScopeTypeApplicationsMapper,
  Translation,
];

/**
 * The current state, or the state before the change sets `later` that meet the SQL condition. `tables` are those that the sets
 * touched, if known: other tables are read directly, with their indexes.
 */
export type State = 'present' | PastState;

interface PastState {
  before: string;
  tables?: readonly string[];
  /** SQL: the time at which grants may have ended; absent: now. */
  at?: string;
  /** Number of a change set that removed grants because they had ended: before it they count as lasting. */
  ending?: bigint;
}

/** Adds the tables that the sets touched. */
export async function narrowed({ sql }: Pick<Context, 'sql'>, state: PastState): Promise<State> {
  const touched = await sql.rows<{ table: string }>(
    `select distinct version.record_table as table from record_versions version join change_sets later using (change_set_id)
     where ${state.before}`,
  );
  return { ...state, tables: touched.map(({ table }) => table) };
}

/** The field that identifies a record in audit events and histories: its guid, or else its key. */
export const subjectKey = ({ fields, primaryKey }: RecordDescription) =>
  fields.find((field) => field.type === 'uuid' && field.unique) ?? primaryKey;

// biome-ignore lint/plugin: of the tables' names
const names = (statement: string, table: string): boolean => new RegExp(`\\b${table}\\b`).test(statement);

/**
 * SQL: the statement on the tables as they were, which stand before it as common table expressions with the tables' own names.
 * Records that changed since have the values from before the first of these changes; all others are unchanged.
 */
export function inState(state: State, present: string): string {
  if (state === 'present') return present;
  const statement = state.at ? present.replaceAll('now()', state.at) : present;
  const isConcerned = ({ table }: RecordDescription) =>
    (state.tables?.includes(table) ?? true) && names(statement, table);
  const tables = recordsWithHistory.map(describe).filter(isConcerned);
  if (tables.length === 0) return statement;
  const own = /^\s{0,99}with\s/.exec(statement);
  return `with undone as materialized (
      select distinct on (version.record_table, version.record_key) version.record_table, version.record_key,
        ${state.ending === undefined ? 'version.before' : withoutEnd(state.ending)} as before
      from record_versions version join change_sets later using (change_set_id) where ${state.before}
      order by version.record_table, version.record_key, version.record_version_id
    ), ${tables.flatMap((table) => [recordsBefore(table), tableThen(table)]).join(', ')}${own ? `, ${statement.slice(own[0].length)}` : ` ${statement}`}`;
}

/** SQL: the values before; without an end for a grant that the set removed because it had ended. */
const withoutEnd = (ending: bigint): string => `case when version.change_set_id = ${ending} and version.after is null
          and version.before ? 'valid_until' then version.before || '{"valid_until": null}' else version.before end`;

/** The records of a table before the first of the changes, made from their versions once even if they are read several times. */
const recordsBefore = ({ table }: RecordDescription): string => `${table}_before as materialized (
      select was.* from undone cross join lateral jsonb_populate_record(null::${table}, undone.before) was
      where undone.record_table = '${table}' and undone.before is not null)`;

/** A user who still exists has the current personal data, because it has no history. */
function tableThen(description: RecordDescription): string {
  const { table, fields, record } = description;
  const columns = fields.map(({ column }) => column);
  const hasHistory = (column: string) => record !== User || userColumns.includes(column);
  const then = columns.map((column) => `${hasHistory(column) ? 'was' : 'is_now'}.${column}`).join(', ');
  return `${table} as not materialized (
      select ${columns.map((column) => `t.${column}`).join(', ')} from ${table} t where not exists (
        select from undone where undone.record_table = '${table}' and undone.record_key = t.${subjectKey(description).column}::text)
      union all
      select ${then} from ${table}_before was
      ${record === User ? 'left join users is_now on is_now.user_id = was.user_id' : ''})`;
}

/** The migrations from which on a database has histories: the first one is that of a database from before 1.0.0-rc.1. */
const beginnings = ['Migration20261122000206', 'Migration20261125192500'];

/** SQL: since when there are histories; $2 is AUDIT_RETENTION_DAYS. */
export const historiesSince = `(
    select greatest(min(executed_at), case when $2::int > 0 then now() - make_interval(days => $2::int) end)
    from migrations where name in ('${beginnings.join("', '")}'))`;

/**
 * The context, with reads of the records with a history as they were. Throws BAD_USER_INPUT for a time in the future, or without
 * a history: before histories began, or longer ago than AUDIT_RETENTION_DAYS.
 * @param asOf ISO 8601; absent: the current state
 */
export async function contextAsOf(context: Context, asOf: string | null | undefined): Promise<Context> {
  if (!asOf) return context;
  await requireHistory(context, asOf);
  return { ...context, reads: readsAsOf(context.reads, asOf) };
}

export async function requireHistory(
  { reads, config }: Pick<Context, 'reads' | 'config'>,
  asOf: string,
): Promise<void> {
  const [period] = await reads.rows<{ since: string; early: boolean; future: boolean }>(
    `select since::text, $1::timestamptz < since as early, $1::timestamptz > now() as future
     from (select ${historiesSince} as since) histories`,
    [asOf, config.auditRetentionDays],
  );
  if (period!.early) throw badInput({ asOf: [`There is no history before ${new Date(period!.since).toISOString()}.`] });
  if (period!.future) throw badInput({ asOf: ['The time is in the future.'] });
}

function readsAsOf(reads: Sql, asOf: string): Sql {
  const then = (text: string, values: readonly unknown[]) => {
    const moment = `$${values.length + 1}::timestamptz`;
    return inState({ before: `later.occurred_at > ${moment}`, at: moment }, text);
  };
  return {
    ...reads,
    rows: (text, values = []) => reads.rows(then(text, values), [...values, asOf]),
    stream: (text, values, batch, form) => reads.stream(then(text, values), [...values, asOf], batch, form),
  };
}
