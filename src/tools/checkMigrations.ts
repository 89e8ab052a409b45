/** `npm run check`: no migration that landed after the first ones is dangerous to a database in use. */
import { readFileSync } from 'node:fs';
import { allMigrations } from '../database/migrations/all.js';
import { findDangers } from './migrationRules.js';

/** Landed before there was a database to be careful with. */
const lastOfTheFirst = 'Migration20261121103801';

/** A sentence for each danger. @param folder of the migrations' sources */
export async function checkMigrations(folder: URL): Promise<string[]> {
  const dangers: string[] = [];
  for (const { name, class: Migration } of allMigrations) {
    if (name <= lastOfTheFirst) continue;
    // collecting the statements needs no database
    const migration = new Migration(undefined as never, undefined as never);
    await migration.up();
    const statements = migration.getQueries().map(String);
    for (const { rule, statement, fix } of findDangers(statements, readFileSync(new URL(`${name}.ts`, folder), 'utf8')))
      dangers.push(`${name}: ${rule}: ${fix}; or say // allow ${rule}: why\n    ${statement}`);
  }
  return dangers;
}
