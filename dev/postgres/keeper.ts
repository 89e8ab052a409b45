/**
 * The keeper of the embedded PostgreSQL, a process of its own: makes the database where there is none, starts the server, and
 * stops it when nobody has been connected for some seconds. A data directory has one keeper; a second one ends at once.
 * Arguments: the data directory, "fast" for a throwaway cluster or "durable", and those seconds in milliseconds. On standard
 * output what the operator should know, on standard error why there is no server.
 */
import { dirname } from 'node:path';
import { setTimeout as pause } from 'node:timers/promises';
import type pg from 'pg';
import { EmbeddedPostgresError, explain } from './faults.js';
import { checkOwner, clearLeftBehind, exists, type Installation, locate, makeData } from './initData.js';
import { lockName, takeLock } from './lock.js';
import { isInUse, readPassword, refuseUsers, startServer, watchServer } from './server.js';

const [dataDir = '', speed, idleMs] = process.argv.slice(2);
const isFast = speed === 'fast';
const idleTimeoutMs = Number(idleMs);
const pollMs = idleTimeoutMs / 10;
/** The process that started this keeper may be slow to connect. If it comes too late, it starts another keeper. */
const firstUserTimeoutMs = 2 * idleTimeoutMs;

async function prepare(password: string): Promise<Installation> {
  const installation = await locate(dataDir, password, (line) => process.stdout.write(`${line}\n`));
  const { data } = installation;
  const directory = dirname(data);
  if (directory !== dataDir && !(await takeLock(await lockName(directory, password)))) {
    throw new EmbeddedPostgresError(
      `${data} is in use by another DATA_DIR, of which ${dataDir} is a copy: stop that Gatehouse, or remove ${dataDir} and start again.`,
    );
  }
  if (!(await exists(data))) {
    process.stdout.write(`Making an empty database in ${data}.\n`);
    await makeData(installation, password, isFast);
  }
  await checkOwner(installation);
  await clearLeftBehind(data);
  return installation;
}

/** Resolves when nobody has been connected for long enough; from then on nobody can connect. */
async function untilUnused(port: number, password: string): Promise<void> {
  let client: pg.Client | undefined;
  for (let unusedSince = Date.now() + firstUserTimeoutMs - idleTimeoutMs; ; await pause(pollMs)) {
    try {
      client ??= await watchServer(port, password);
      if (await isInUse(client)) unusedSince = Date.now();
      else if (Date.now() - unusedSince > idleTimeoutMs && (await refuseUsers(client))) return;
    } catch {
      client = undefined; // somebody ended it: the next poll connects again
    }
  }
}

async function keep(): Promise<void> {
  process.chdir('/');
  const password = readPassword(dataDir);
  if (!(await takeLock(await lockName(dataDir, password)))) return;
  const server = await startServer(await prepare(password), dataDir, isFast);
  for (const signal of ['SIGINT', 'SIGTERM'] as const) process.on(signal, () => void server.stop());
  await Promise.race([server.ended, untilUnused(server.port, password)]);
  await server.stop();
}

for (const output of [process.stdout, process.stderr]) output.on('error', () => undefined); // the reader of the output has left
await keep().catch((error: unknown) => {
  process.stderr.write(`${explain(error, dataDir).message}\n`);
  process.exitCode = 1;
});
process.exit();
