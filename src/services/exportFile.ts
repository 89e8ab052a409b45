/**
 * The inverse of the import: the catalogue as an import file, and users and clients when they are asked for. The same
 * records give the same bytes: lists, rows and properties have one order, and a row is a line, so it can live in git.
 */
import type { Context, Sql } from '../context.js';
import { permit } from './change.js';
import { type ImportList, importLists } from './importLists.js';
import { selectAll } from './importSql.js';
import { reservedScopeKeys, reservedTypeGuid } from './reservedScopes.js';

export interface Wanted {
  /** Users, and which profiles they hold. */
  users?: boolean;
  /** Clients, with the hashes of their secrets. */
  clients?: boolean;
}

/** Never exported: pg_dump is for them. */
const never = new Set(['tokens']);
const withUsers = new Set(['users', 'userProfiles']);
const rowsAtOnce = 5_000;

/** Gives the text to `write`, piece by piece; all of it is of one moment. Gives how many rows there are. */
export function exportFile(
  context: Context,
  { users = false, clients = false }: Wanted,
  write: (text: string) => Promise<void>,
): Promise<number> {
  permit(context, 'admin:security');
  const lists = importLists.filter(
    ({ name }) => !never.has(name) && (users || !withUsers.has(name)) && (clients || name !== 'clients'),
  );
  return context.sql.transaction(async (sql) => {
    await sql.rows('set transaction isolation level repeatable read, read only');
    let count = 0;
    for (const [index, list] of lists.entries()) {
      await write(`${index === 0 ? '{' : ','}\n${JSON.stringify(list.name)}: [`);
      count += await writeRows(sql, list, write);
      await write(']');
    }
    await write('\n}\n');
    return count;
  });
}

async function writeRows(sql: Sql, list: ImportList, write: (text: string) => Promise<void>): Promise<number> {
  const cursor = `export_${list.description.table}`;
  await sql.rows(`declare ${cursor} cursor for ${selectAll(list)}`);
  let count = 0;
  for (;;) {
    const rows = await sql.rows<Record<string, unknown>>(`fetch ${rowsAtOnce} from ${cursor}`);
    if (rows.length > 0) {
      const lines = rows.map((row) => JSON.stringify(shown(list, row)));
      await write(`${count === 0 ? '\n' : ',\n'}${lines.join(',\n')}`);
    }
    count += rows.length;
    if (rows.length < rowsAtOnce) break;
  }
  if (count > 0) await write('\n');
  return count;
}

/** As the import reads it. */
function shown({ name, key, fields }: ImportList, row: Record<string, unknown>): Record<string, unknown> {
  if (name === 'clients') {
    const { clientSecret: clientSecretHash, ...others } = row;
    return { ...others, clientSecretHash };
  }
  // each database has the reserved records from its own migration, at its own time
  const guid = String(row[key[0]!]);
  if (guid !== reservedTypeGuid && !reservedScopeKeys.has(guid)) return row;
  const own = new Set(
    fields.filter(({ primary, name: field }) => primary || stamps.has(field)).map((field) => field.name),
  );
  return Object.fromEntries(Object.entries(row).filter(([property]) => !own.has(property)));
}

const stamps = new Set(['createdDate', 'createdBy', 'modifiedDate', 'modifiedBy']);
