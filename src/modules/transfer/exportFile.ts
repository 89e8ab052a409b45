/**
 * The inverse of the import: the catalogue as an import file, and users and clients when they are asked for. The same
 * records give the same bytes: lists, rows and properties have one order, and a row is a line, so it can live in git.
 */
import type { Context } from '../../context.js';
import { stamps } from '../../entities/Stamped.js';
import { badInput } from '../../errors.js';
import { reservedTypeGuid } from '../../services/adminScopes/guard.js';
import { reservedScopeKeys } from '../../services/adminScopes/reservedNames.js';
import { permit } from '../../services/permit.js';
import { readMoment } from '../../services/records/input.js';
import type { Sql } from '../../sql.js';
import { inState, requireHistory, type State } from '../changes/history/state.js';
import { type ImportList, importLists } from './importLists.js';
import { selectAll } from './statements.js';

export interface ExportOptions {
  /** Users and their profiles. */
  users?: boolean;
  /** Clients, with the hashes of their secrets. */
  clients?: boolean;
  /** The time of the catalogue to export, in ISO 8601. Not with users and clients, which have no history. */
  asOf?: string | undefined;
}

/** Never exported: use pg_dump. */
const never = new Set(['tokens']);
const withUsers = new Set(['users', 'userProfiles']);
const rowsAtOnce = 5_000;

/** Passes the text to `write` in pieces, all from one snapshot. Returns the number of records, counted as the import counts them. */
export async function exportFile(
  context: Context,
  { users = false, clients = false, asOf: asOfText }: ExportOptions,
  write: (text: string) => Promise<void>,
): Promise<number> {
  permit(context, 'admin:security');
  const asOf = asOfText === undefined ? undefined : readMoment('asOf', asOfText, context.config.timeZone);
  if (asOf !== undefined) {
    if (users || clients) throw badInput({ asOf: ['Of users and clients no earlier values are kept.'] });
    await requireHistory(context, asOf);
  }
  const lists = importLists.filter(
    ({ name }) => !never.has(name) && (users || !withUsers.has(name)) && (clients || name !== 'clients'),
  );
  return context.sql.transaction(async (sql) => {
    await sql.rows('set transaction isolation level repeatable read, read only');
    let count = 0;
    for (const [index, list] of lists.entries()) {
      await write(`${index === 0 ? '{' : ','}\n${JSON.stringify(list.name)}: [`);
      count += await writeRows(sql, list, stateAsOf(asOf), write);
      await write(']');
    }
    await write('\n}\n');
    return count;
  });
}

/** The declaration of a cursor accepts no parameters. */
const stateAsOf = (asOf: string | undefined): State =>
  asOf === undefined ? 'present' : { before: `later.occurred_at > timestamptz '${asOf}'`, at: `timestamptz '${asOf}'` };

async function writeRows(
  sql: Sql,
  list: ImportList,
  state: State,
  write: (text: string) => Promise<void>,
): Promise<number> {
  const cursor = `export_${list.description.table}`;
  await sql.rows(`declare ${cursor} cursor for ${inState(state, selectAll(list))}`);
  let count = 0;
  /** Of profiles to access scopes: the import counts each. */
  let links = 0;
  for (;;) {
    const rows = await sql.rows<Record<string, unknown>>(`fetch ${rowsAtOnce} from ${cursor}`);
    if (rows.length > 0) {
      const lines = rows.map((row) => JSON.stringify(toImportRow(list, row)));
      await write(`${count === 0 ? '\n' : ',\n'}${lines.join(',\n')}`);
    }
    count += rows.length;
    for (const { accessScopeGuids } of rows) if (Array.isArray(accessScopeGuids)) links += accessScopeGuids.length;
    if (rows.length < rowsAtOnce) break;
  }
  if (count > 0) await write('\n');
  return count + links;
}

/** A row in the form that the import reads. */
function toImportRow({ name, key, fields }: ImportList, row: Record<string, unknown>): Record<string, unknown> {
  if (name === 'clients') {
    const { clientSecret: clientSecretHash, ...others } = row;
    return { ...others, clientSecretHash };
  }
  // the format from before grants could end
  for (const property of ['accessScopeEnds', 'validUntil']) if (row[property] === null) delete row[property];
  // each database has the reserved records from its own migration, at its own time
  const guid = String(row[key[0]!]);
  if (guid !== reservedTypeGuid && !reservedScopeKeys.has(guid)) return row;
  const own = new Set(
    fields.filter(({ primary, name: field }) => primary || stamps.has(field)).map((field) => field.name),
  );
  return Object.fromEntries(Object.entries(row).filter(([property]) => !own.has(property)));
}
