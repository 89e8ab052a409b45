/** What a cached answer must still fit: one small statement on the primary, which requests of the same moment share. */
import { comparableVersion } from '../../entities/CatalogueVersion.js';
import type { SharedStatement, Sql } from '../../sql.js';

export interface CatalogueState {
  /** Equal means the same state of the same history. */
  version: string;
  /** The last change set: changes past the service (`psql`) make one too, and no version. */
  changes: string | null;
  /** Last sign-ins of the users asked about: see `loginsText`. */
  logins: string;
}

// as the lists write times
const loginOf = `to_char(last_login_date at time zone 'UTC', 'YYYY-MM-DD"T"HH24:MI:SS.MS"Z"')`;
const columns = `${comparableVersion} as version, (select max(change_set_id) from change_sets) as changes,
    coalesce((select string_agg(user_guid || ' ' || coalesce(${loginOf}, 'null'), ',' order by user_guid)
      from unnest(string_to_array(asked.users, ',')::uuid[]) as listed (user_guid) join users using (user_guid)), '') as logins`;
const stateOf: SharedStatement = {
  one: `select ${columns} from catalogue_version, (select $1::text as users) asked`,
  many: `select asked.ord, ${columns} from catalogue_version, unnest($1::text[]) with ordinality asked (users, ord)`,
};

/** The state at the call or later. @param users guids, with commas between */
export const readState = (sql: Sql, users: string): Promise<CatalogueState> =>
  sql.batchedRow<CatalogueState>(stateOf, [users]);

/** Last sign-ins by guids, as the statement gives them. */
export const loginsText = (logins: ReadonlyMap<string, string>): string =>
  [...logins]
    .sort(([one], [other]) => (one < other ? -1 : 1))
    .map(([guid, login]) => `${guid} ${login}`)
    .join(',');
