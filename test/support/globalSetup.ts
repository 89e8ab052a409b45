/** Starts this test run's own PostgreSQL; its keeper stops it when the run ends, also by a kill. */
import { chmod, mkdtemp } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { type EmbeddedPostgres, openEmbeddedPostgres } from '../../src/dev/embeddedPostgres.js';
import { clusterUrlVariable } from './cluster.js';

/** What globalTeardown closes and removes. */
export const running: { cluster?: EmbeddedPostgres; dataDir?: string } = {};

export default async function globalSetup(): Promise<void> {
  running.dataDir = await mkdtemp(join(tmpdir(), 'gatehouse-test-'));
  await chmod(running.dataDir, 0o711); // root's PostgreSQL is run by another user, who has to pass
  running.cluster = await openEmbeddedPostgres({ dataDir: running.dataDir, fast: true, notice: () => {} });
  process.env[clusterUrlVariable] = running.cluster.url;
}
