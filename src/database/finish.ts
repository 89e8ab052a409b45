/**
 * Removes from the schema what only the previous version needs. Migrations keep it, because they run while that version is at
 * work. An operator removes it when no process of that version is left; the next version's migrations remove it anyway.
 */
import type { Sql } from '../sql.js';
import { besideOthers, lockBriefly } from './besideOthers.js';
import { connect } from './connect.js';

interface Leftover {
  name: string;
  /** SQL: returns a row if it exists. */
  find: string;
  remove: string[];
}

/** Searches folded fewer letters. */
const searchIndexes = [
  'users_folded_text_index',
  ...['applications', 'users', 'profiles', 'access_scopes', 'clients'].map((table) => `${table}_words_index`),
];

const leftovers: Leftover[] = [
  {
    name: 'indexes of the previous text search',
    find: `select 1 from pg_indexes where schemaname = any(current_schemas(false)) and indexname in ('${searchIndexes.join("', '")}') limit 1`,
    remove: searchIndexes.map((name) => `drop index if exists ${name}`),
  },
];

/** Returns the names of what still exists. */
export async function findLeftovers(sql: Sql): Promise<string[]> {
  const findings: string[] = [];
  for (const { name, find } of leftovers) if ((await sql.rows(find)).length > 0) findings.push(name);
  return findings;
}

const attempts = 20;

/** Other transactions kept a table locked; nothing was removed. */
export class TableLocked extends Error {}

/** Removes it and returns the names. Throws TableLocked. */
export async function finishMigrations(url: string, timeoutMs: number): Promise<string[]> {
  const database = await connect({ url, poolMax: 1, timeoutMs });
  try {
    const names = await findLeftovers(database.sql);
    for (const { name, remove } of leftovers) if (names.includes(name)) await removeBesideOthers(database.sql, remove);
    return names;
  } finally {
    await database.close();
  }
}

const removeBesideOthers = ({ transaction }: Sql, statements: readonly string[]): Promise<void> =>
  besideOthers(
    () =>
      transaction(async ({ rows }) => {
        for (const statement of [lockBriefly, ...statements]) await rows(statement);
      }),
    (attempt, cause) => {
      if (attempt === attempts) throw new TableLocked('other transactions keep the table locked', { cause });
    },
  );
