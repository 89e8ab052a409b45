/** Removes an embedded PostgreSQL that isn't needed again. */
import { readFile, rm } from 'node:fs/promises';
import { join } from 'node:path';
import { setTimeout as pause } from 'node:timers/promises';
import { EmbeddedPostgresError } from './faults.js';
import { fallbackFolder, readFallback } from './initData.js';
import { isLocked, lockName } from './lock.js';

const pollMs = 50;
const stopTimeoutMs = 30_000;

/** Resolves when nobody keeps the database any more: a few seconds after its last user has gone. Throws while it is in use. */
export async function untilStopped(dataDir: string): Promise<void> {
  const password = await readFile(join(dataDir, 'postgres.password'), 'utf8').catch(() => undefined);
  if (password === undefined) return;
  const name = await lockName(dataDir, password);
  for (const deadline = Date.now() + stopTimeoutMs; await isLocked(name); await pause(pollMs))
    if (Date.now() > deadline)
      throw new EmbeddedPostgresError(`The embedded PostgreSQL in ${dataDir} is still in use.`);
}

/** Waits for its end, and removes all its folders. */
export async function removeEmbeddedPostgres(dataDir: string): Promise<void> {
  await untilStopped(dataDir);
  const fallback = await readFallback(dataDir);
  if (fallback?.startsWith(fallbackFolder)) await rm(fallback, { recursive: true, force: true });
  for (const part of ['', '.password', '.place', '.port', '.log']) {
    await rm(join(dataDir, `postgres${part}`), { recursive: true, force: true });
  }
}
