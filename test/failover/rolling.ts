/** npm run test:rolling: processes are killed and replaced under load; callers see no more than a connection of their own that broke. */
import { chmod } from 'node:fs/promises';
import { join } from 'node:path';
import { setTimeout as pause } from 'node:timers/promises';
import { openEmbeddedPostgres } from '../../dev/postgres/open.js';
import { removeEmbeddedPostgres } from '../../dev/postgres/remove.js';
import { type Gatehouses, startGatehouses } from './gatehouses.js';
import { answerLines, type Ledger, openLedger } from './ledger.js';
import { callersCount, type Load, startLoad } from './load.js';
import { requirePrograms } from './operatorFiles.js';
import { inTrial, type Trial, tell } from './trial.js';
import { verify } from './verify.js';

const steadyMs = 3_000;
/** Longer than HAProxy takes to see that a process is back. */
const backMs = 2_000;

/** Requests without success. */
const failuresIn = ({ answers }: Ledger): [string, number][] => [...answers].filter(([key]) => !key.endsWith(' 200'));
const sum = (counts: [string, number][]): number => counts.reduce((total, [, count]) => total + count, 0);

/** kill -9 of each in turn: only requests that it had are lost, and none is told anything else. */
async function killEach(gatehouses: Gatehouses, { ledger }: Load): Promise<void> {
  for (const name of gatehouses.names) {
    await pause(steadyMs);
    const before = sum(failuresIn(ledger));
    await gatehouses.kill(name);
    await pause(steadyMs);
    const lost = sum(failuresIn(ledger)) - before;
    tell(`kill -9 of ${name}: ${lost} of ${callersCount} callers lost the request that was under way`);
    if (lost > callersCount)
      ledger.faults.push(`${lost} requests failed by one kill, and ${callersCount} were under way`);
    await gatehouses.start(name);
    await pause(backMs);
  }
  const strange = failuresIn(ledger).filter(([key]) => !/ (502|broken)$|its answer was lost/.test(key));
  ledger.faults.push(...strange.map(([key, count]) => `${count} times: ${key}`));
}

/** SIGTERM and a new start of each in turn: nobody notices. */
async function replaceEach(gatehouses: Gatehouses, { ledger }: Load): Promise<void> {
  for (const name of gatehouses.names) {
    const code = await gatehouses.stop(name);
    if (code !== 0) ledger.faults.push(`${name} ended with ${code}`);
    await gatehouses.start(name);
    await pause(backMs);
  }
  ledger.faults.push(...failuresIn(ledger).map(([key, count]) => `${count} times: ${key}`));
}

async function underLoad(
  gatehouses: Gatehouses,
  what: string,
  work: (gatehouses: Gatehouses, load: Load) => Promise<void>,
): Promise<number> {
  const load = startLoad(gatehouses, openLedger());
  await pause(steadyMs);
  await work(gatehouses, load);
  await pause(steadyMs);
  await load.stop();
  const verified = await verify(gatehouses, load.ledger);
  tell(`\n${what}\n${answerLines(load.ledger).join('\n')}\n${verified.map((line) => `  ${line}`).join('\n')}`);
  for (const fault of load.ledger.faults) tell(`FAULT: ${fault}`);
  return load.ledger.faults.length;
}

async function roll(trial: Trial): Promise<void> {
  await requirePrograms(['haproxy']);
  const dataDir = join(trial.folder, 'database');
  const database = await openEmbeddedPostgres({ dataDir, notice: () => undefined });
  trial.closers.push(async () => {
    await database.close();
    await removeEmbeddedPostgres(dataDir);
  });
  await chmod(dataDir, 0o711);
  const gatehouses = await startGatehouses(trial, database.url, []);
  const faults =
    (await underLoad(gatehouses, 'Three processes, each killed once', killEach)) +
    (await underLoad(gatehouses, 'Three processes, each replaced once', replaceEach));
  if (faults > 0) throw new Error(`${faults} faults`);
  tell('\nA kill breaks its own requests alone; a replacement breaks none.');
}

await inTrial(roll);
