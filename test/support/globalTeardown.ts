/** Stops this test run's PostgreSQL and removes what it held. */
import { rm } from 'node:fs/promises';
import { removeEmbeddedPostgres } from '../../dev/postgres/remove.js';
import { running } from './globalSetup.js';

export default async function globalTeardown(): Promise<void> {
  await running.cluster?.close();
  if (!running.dataDir) return;
  await removeEmbeddedPostgres(running.dataDir);
  await rm(running.dataDir, { recursive: true, force: true });
}
