/** bin/gatehouse migrate: migrates the database to the schema of this version; --finish removes what only the previous version needs. */

import type { Config } from '../config/config.js';
import { loadConfig } from '../config/loadConfig.js';
import { loadEmbeddedPostgres } from '../development.js';
import { OperatorError } from '../errors.js';
import { notice, print } from './session.js';

export async function runMigrate(): Promise<void> {
  const config = loadConfig(process.env);
  const { migrate } = await import('../database/migrate.js');
  const names = await withDatabase(config, (url) => migrate(url, config.databaseTimeoutMs, notice));
  for (const name of names) await print(name);
  notice(names.length > 0 ? 'The database is up to date now.' : 'The database was up to date already.');
}

/** Run it when no process of the previous version is left. */
export async function runFinish(): Promise<void> {
  await runMigrate();
  const config = loadConfig(process.env);
  const { finishMigrations, TableLocked } = await import('../database/finish.js');
  const finish = (url: string) =>
    finishMigrations(url, config.databaseTimeoutMs).catch((error: unknown) => {
      if (!(error instanceof TableLocked)) throw error;
      throw new OperatorError(
        'Another transaction, perhaps a backup, keeps a table locked. Nothing was removed; try again later.',
      );
    });
  const names = await withDatabase(config, finish);
  for (const name of names) await print(name);
  notice(names.length > 0 ? 'What the previous version left is removed.' : 'The previous version left nothing.');
}

/** Runs the work on the configured database, or on the embedded one, which it opens and closes. */
export async function withDatabase<T>(config: Config, work: (url: string) => Promise<T>): Promise<T> {
  const own = config.databaseDirectUrl ?? config.databaseUrl;
  if (own) return work(own);
  const { openEmbeddedPostgres } = await loadEmbeddedPostgres();
  const embedded = await openEmbeddedPostgres({ dataDir: config.dataDir, notice });
  try {
    return await work(embedded.url);
  } finally {
    await embedded.close();
  }
}
