/**
 * npm run test:failover: the primary is lost again and again under load; nothing acknowledged is lost, and service is back
 * by itself. FAILOVER_KILLS, FAILOVER_FREEZES and FAILOVER_LAGS say how often each; TRIAL_LOGS is a folder to keep logs in.
 */
import { setTimeout as pause } from 'node:timers/promises';
import { type Gatehouses, startGatehouses } from './gatehouses.js';
import { answerLines, type Ledger, longestPause, openLedger } from './ledger.js';
import { type Load, startLoad } from './load.js';
import { requirePrograms } from './operatorFiles.js';
import { type Node, type PatroniCluster, startCluster, untilPromoted } from './patroniCluster.js';
import { startPgbouncer } from './pgbouncer.js';
import { inTrial, type Trial, tell, until } from './trial.js';
import { verify } from './verify.js';

const kills = Number(process.env.FAILOVER_KILLS ?? 10);
const freezes = Number(process.env.FAILOVER_FREEZES ?? 2);
const lags = Number(process.env.FAILOVER_LAGS ?? 2);
const steadyMs = 3_000;
const lagMs = 1_000;
const backWithinSeconds = 120;

interface Outage {
  /** From the kill until another one is the primary, in milliseconds. */
  promotedMs: number;
  /** Between the last acknowledged write before and the first after. */
  writelessMs: number;
  /** From the kill to the last request without success. */
  lastFailureMs: number;
}

interface Fault {
  strike(primary: Node): Promise<void>;
  /** What ends it, when somebody else is the primary. */
  mend(former: Node): Promise<void>;
}

async function failPrimary(cluster: PatroniCluster, { ledger }: Load, { strike, mend }: Fault): Promise<Outage> {
  await pause(steadyMs);
  const primary = (await cluster.primary())!;
  const struckAt = performance.now();
  await strike(primary);
  await untilPromoted(cluster, primary, backWithinSeconds);
  const promotedAt = performance.now();
  await until('writes again', backWithinSeconds, async () => ledger.writes.at(-1)! > promotedAt);
  await pause(steadyMs);
  await mend(primary);
  await cluster.untilWhole();
  const lastFailure = ledger.failures.at(-1) ?? struckAt;
  return {
    promotedMs: promotedAt - struckAt,
    writelessMs: longestPause(ledger, struckAt, performance.now()),
    lastFailureMs: Math.max(0, lastFailure - struckAt),
  };
}

async function failTimes(
  times: number,
  what: string,
  cluster: PatroniCluster,
  load: Load,
  fault: Fault,
): Promise<Outage[]> {
  const outages: Outage[] = [];
  while (outages.length < times) {
    const outage = await failPrimary(cluster, load, fault);
    outages.push(outage);
    tell(
      `${what} ${outages.length}: ${seconds(outage.writelessMs)} s without writes, another primary after ${seconds(outage.promotedMs)} s`,
    );
  }
  return outages;
}

const seconds = (milliseconds: number): string => (milliseconds / 1_000).toFixed(1);

function spread(what: string, values: number[]): string {
  const sorted = values.toSorted((a, b) => a - b);
  const median = (sorted[Math.floor((sorted.length - 1) / 2)]! + sorted[Math.ceil((sorted.length - 1) / 2)]!) / 2;
  return `${what}: min ${seconds(sorted[0]!)} s, median ${seconds(median)} s, max ${seconds(sorted.at(-1)!)} s`;
}

function reportOutages(what: string, outages: Outage[]): void {
  if (outages.length === 0) return;
  tell(`\n${outages.length} times the primary was ${what}`);
  const of = (name: keyof Outage) => outages.map((outage) => outage[name]);
  tell(spread('  time without writes', of('writelessMs')));
  tell(spread('  until another is the primary', of('promotedMs')));
  tell(spread('  until the last request without success', of('lastFailureMs')));
}

function report(ledger: Ledger, verified: string[]): void {
  tell(`answers:\n${answerLines(ledger).join('\n')}`);
  tell(`looked at afterwards:\n${verified.map((line) => `  ${line}`).join('\n')}`);
  for (const [fault, { length }] of Map.groupBy(ledger.faults, (text) => text))
    tell(`FAULT, ${length} times: ${fault}`);
}

/** Whatever it acknowledged in the last moment, nobody else has: it may have acknowledged nothing. */
async function killWhileOthersLag(
  { nodes, freeze, thaw, cutReplication, kill }: PatroniCluster,
  primary: Node,
): Promise<void> {
  const others = nodes.filter((node) => node !== primary);
  await Promise.all(others.map(freeze));
  await pause(lagMs);
  await kill(primary);
  await Promise.all(others.map(cutReplication));
  await Promise.all(others.map(thaw));
}

/** The way through PgBouncer and HAProxy to whoever is the primary now. */
async function tryPgbouncer(trial: Trial, { url }: PatroniCluster, gatehouses: Gatehouses): Promise<void> {
  const alone = await gatehouses.startAlone({
    DATABASE_URL: await startPgbouncer(trial, url, gatehouses.postgresPort),
    DATABASE_DIRECT_URL: url,
    DATABASE_NAMED_STATEMENTS: 'no',
  });
  const load = startLoad({ ...gatehouses, url: alone }, openLedger());
  await pause(steadyMs);
  await load.stop();
  const refused = [...load.ledger.answers.keys()].filter((key) => !key.endsWith(' 200'));
  if (load.ledger.writes.length === 0 || refused.length > 0)
    throw new Error(`through PgBouncer: ${load.ledger.writes.length} writes, and ${refused}`);
  tell(`Through PgBouncer and HAProxy: ${load.ledger.writes.length} writes, none failed.`);
}

async function failOver(trial: Trial): Promise<void> {
  await requirePrograms(['etcd', 'patroni', 'haproxy', 'pgbouncer', 'postgresql']);
  tell(`Starts etcd, three Patroni nodes, three Gatehouse processes and HAProxy in ${trial.folder}.`);
  const cluster = await startCluster(trial);
  const gatehouses = await startGatehouses(trial, cluster.url, cluster.nodes);
  const load = startLoad(gatehouses, openLedger());
  const killed = await failTimes(kills, 'kill', cluster, load, { strike: cluster.kill, mend: cluster.start });
  const frozen = await failTimes(freezes, 'freeze', cluster, load, { strike: cluster.freeze, mend: cluster.wake });
  const lagging = { strike: (primary: Node) => killWhileOthersLag(cluster, primary), mend: cluster.start };
  const ahead = await failTimes(lags, 'kill of one ahead of the others', cluster, load, lagging);
  await load.stop();
  const verified = await verify(gatehouses, load.ledger);
  reportOutages('killed', killed);
  reportOutages('frozen', frozen);
  reportOutages('killed while the others lagged', ahead);
  report(load.ledger, verified);
  await tryPgbouncer(trial, cluster, gatehouses);
  if (load.ledger.faults.length > 0) throw new Error(`${load.ledger.faults.length} faults`);
  tell('Nothing acknowledged is lost, and nothing was refused that should not have been.');
}

await inTrial(failOver);
