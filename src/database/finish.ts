/**
 * What the version before needs in the schema and this one doesn't. Migrations leave it, for they run while that version is at
 * work; an operator has it removed once no process of that version is left. The next version's migrations remove it anyway.
 */
import { setTimeout as pause } from 'node:timers/promises';
import type { Sql } from '../sql.js';
import { connect } from './connect.js';

interface Leftover {
  name: string;
  /** SQL: gives a row where it is there. */
  find: string;
  remove: string[];
}

const leftovers: Leftover[] = [
  {
    name: 'index tokens_token_unique',
    find: `select 1 where to_regclass('tokens_token_unique') is not null`,
    // who went back to the version before has made an index that is no constraint's
    remove: [
      'alter table tokens drop constraint if exists tokens_token_unique',
      'drop index if exists tokens_token_unique',
    ],
  },
];

/** Names of what is there. */
export async function findLeftovers(sql: Sql): Promise<string[]> {
  const found: string[] = [];
  for (const { name, find } of leftovers) if ((await sql.rows(find)).length > 0) found.push(name);
  return found;
}

// whoever wants the table waits behind this lock, so it is not waited for longer than a request may be slow
const lockMs = 500;
const attempts = 20;
const betweenMs = 1_000;

/** Others held a table all the time; nothing was removed. */
export class TableLocked extends Error {}

/** Removes it and gives the names of what was there. Throws TableLocked. */
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

async function removeBesideOthers({ transaction }: Sql, statements: readonly string[]): Promise<void> {
  for (let attempt = 1; ; attempt++) {
    try {
      return await transaction(async ({ rows }) => {
        await rows(`set local lock_timeout = ${lockMs}`);
        for (const statement of statements) await rows(statement);
      });
    } catch (error) {
      if ((error as { code?: unknown }).code !== lockNotAvailable) throw error;
      if (attempt === attempts) throw new TableLocked('others hold the table all the time', { cause: error });
      await pause(betweenMs);
    }
  }
}

// https://www.postgresql.org/docs/18/errcodes-appendix.html
const lockNotAvailable = '55P03';
