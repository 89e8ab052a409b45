/**
 * npm run test:together: several processes on one database, with poolers, wrong clocks, histories that part, migrations
 * that break off. `-- clocks migrations` runs those alone; TRIAL_LOGS is a folder to keep logs in.
 */
import { requirePrograms } from '../failover/operatorFiles.js';
import { inTrial, type Trial, tell } from '../failover/trial.js';
import { tryClocks } from './clocks.js';
import { tryHistories } from './histories.js';
import { tryHousekeeping } from './housekeeping.js';
import { tryMigrations } from './migrations.js';
import { tryPoolers } from './poolers.js';
import { openSubtrial } from './processes.js';
import { tryReadOnly } from './readOnly.js';
import { tryVersions } from './versions.js';
import { tryWorkers } from './workers.js';

/** Each throws with what went wrong, and tells what it saw. */
const trials: Record<string, (trial: Trial) => Promise<string>> = {
  poolers: tryPoolers,
  clocks: tryClocks,
  histories: tryHistories,
  workers: tryWorkers,
  migrations: tryMigrations,
  versions: tryVersions,
  housekeeping: tryHousekeeping,
  readOnly: tryReadOnly,
};

async function tryAll(trial: Trial): Promise<void> {
  await requirePrograms(['pgbouncer', 'postgresql', 'faketime']);
  const asked = process.argv.slice(2);
  const strange = asked.filter((name) => !(name in trials));
  if (strange.length > 0) throw new Error(`There is no ${strange}; there are ${Object.keys(trials).join(', ')}.`);
  let failed = 0;
  for (const [name, work] of Object.entries(trials)) {
    if (asked.length > 0 && !asked.includes(name)) continue;
    try {
      tell(`ok ${name}: ${await work(await openSubtrial(trial, name))}`);
    } catch (error) {
      failed += 1;
      tell(`FAULT ${name}: ${(error as Error).stack ?? error}`);
    }
    await trial.kill(name);
  }
  if (failed > 0) throw new Error(`${failed} trials failed`);
}

await inTrial(tryAll);
