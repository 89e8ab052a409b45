/** Starts this test run's own PostgreSQL; its keeper stops it when the run ends, also by a kill. */
import { access, chmod, mkdtemp, readdir, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { type EmbeddedPostgres, openEmbeddedPostgres } from '../../dev/postgres/open.js';
import { removeEmbeddedPostgres } from '../../dev/postgres/remove.js';
import { migrate } from '../../src/database/migrate.js';
import { makeSharedKey } from '../auth/localProvider.js';
import { clusterUrlVariable, createDatabase, templateVariable } from './cluster.js';
import { chooseScratchFolder } from './scratchFolder.js';

/** What globalTeardown closes and removes. */
export const running: { cluster?: EmbeddedPostgres; dataDir?: string } = {};

export default async function globalSetup(): Promise<void> {
  const folder = await chooseScratchFolder();
  await Promise.all([...new Set([tmpdir(), folder])].map(sweep));
  process.env.TMPDIR = folder; // the workers' and their children's as well
  running.dataDir = await mkdtemp(join(tmpdir(), `gatehouse-test-${process.pid}-`));
  await chmod(running.dataDir, 0o711); // root's PostgreSQL is run by another user, who has to pass
  running.cluster = await openEmbeddedPostgres({ dataDir: running.dataDir, fast: true, notice: () => {} });
  process.env[clusterUrlVariable] = running.cluster.url;
  const template = await createDatabase();
  await migrate(template.url, 300_000);
  process.env[templateVariable] = template.url;
  makeSharedKey();
}

/** Removes what killed runs, whose process is in the name, left lying. */
async function sweep(folder: string): Promise<void> {
  for (const name of await readdir(folder)) {
    const pid = /^gatehouse-test-(\d+)-/.exec(name)?.[1];
    if (!pid) continue;
    const alive = await access(`/proc/${pid}`).then(
      () => true,
      () => false,
    );
    if (alive) continue;
    const left = join(folder, name);
    const remove = removeEmbeddedPostgres(left).then(() => rm(left, { recursive: true, force: true }));
    await remove.catch(() => {}); // another user's
  }
}
