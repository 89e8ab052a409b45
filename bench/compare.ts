/** Sides measured against each other: interleaved rounds (A, B, then B, A), in closed and then in open loop; medians. */
import pg from 'pg';
import { cpuOf, cpuOfMachine, cpuOfPostgres } from './cpu.js';
import { closedLoop, type Latencies, median, openLoop, percentile, requestsPerSecond } from './load.js';
import type { Contender, Figures, OpenFigures, Share, Stage } from './row.js';
import type { Cluster } from './service.js';
import { countStatements } from './statements.js';

const shares = { p50: 0.5, p99: 0.99, p999: 0.999 };

/** The compiler of V8 is done with a service after some 20,000 requests, and with a floor of a file long before. */
const warmUpSecondsUsual = 6;
const countingSeconds = 0.25;
/** Open loop: the share of the limit's throughput (without a limit, of the slowest side's), and of a closed round's time. */
const openShare = 0.5;
const openTime = 0.75;
const answersExpected = 10_000;
const behindSecondsMax = 0.5;
/** A side that could not carry the rate so often is not asked again. */
const failuresMax = 2;

interface Round {
  latencies: Latencies;
  cpu: Figures['cpu'];
  walBytes: number;
  /** Cores that everything else took. */
  others: number;
}

export async function compare(
  contenders: readonly Contender[],
  options: Stage & { warmUpSeconds?: number },
): Promise<Figures[]> {
  const { cluster, rounds, seconds, warmUpSeconds = warmUpSecondsUsual } = options;
  const statements: number[] = [];
  const answersMax = new Map<Contender, number>();
  for (const contender of contenders) {
    const target = await (contender.warmUp?.() ?? contender.target(answersExpected));
    const warm = await closedLoop(target, warmUpSeconds);
    answersMax.set(contender, Math.ceil(requestsPerSecond(warm) * seconds * 2));
    const counted = await contender.target(answersMax.get(contender)!);
    const work = async () => (await closedLoop(counted, countingSeconds)).values.length;
    statements.push(await countStatements(cluster, work));
  }
  const closed = await interleave(contenders, rounds, async (contender) => {
    const target = await contender.target(answersMax.get(contender)!);
    return measure(contender, cluster, () => closedLoop(target, seconds));
  });
  const speeds = closed.map((all) => all.map(({ latencies }) => requestsPerSecond(latencies)));
  const limit = contenders.findIndex(({ side }) => side.name === 'limit');
  const medians = speeds.map(median);
  const perSecond = (medians[limit] ?? Math.min(...medians)) * openShare;
  const open = await compareAt(perSecond, contenders, { rounds, seconds: seconds * openTime });
  return contenders.map(({ side }, index) => {
    const middle = (process: keyof Figures['cpu']) => median(closed[index]!.map(({ cpu }) => cpu[process]));
    const latency = (share: number) =>
      median(closed[index]!.map(({ latencies }) => percentile(latencies.values, share)));
    return {
      name: side.name,
      requestsPerSecond: medians[index]!,
      rounds: speeds[index]!,
      closed: { p50: latency(shares.p50), p99: latency(shares.p99) },
      statements: statements[index]!,
      cpu: { service: middle('service'), postgres: middle('postgres'), generator: middle('generator') },
      walBytes: median(closed[index]!.map(({ walBytes }) => walBytes)),
      others: median(closed[index]!.map(({ others }) => others)),
      open: open[index]!,
    };
  });
}

/** Latencies of all sides at the same rate, in open loop. */
export async function compareAt(
  perSecond: number,
  contenders: readonly Contender[],
  { rounds, seconds }: Pick<Stage, 'rounds' | 'seconds'>,
): Promise<OpenFigures[]> {
  const failures = new Map<Contender, number>();
  const answered = new Map<Contender, number[]>();
  const all = await interleave(contenders, rounds, async (contender) => {
    const failed = failures.get(contender) ?? 0;
    if (failed === failuresMax) return none;
    const target = await contender.target(Math.ceil(perSecond * seconds));
    const { values, isCarried } = await openLoop(target, seconds, perSecond, behindSecondsMax);
    if (!isCarried) {
      failures.set(contender, failed + 1);
      return none;
    }
    answered.set(contender, [...(answered.get(contender) ?? []), ...values]);
    return mapShares((share) => (values.length * (1 - share) < 1 ? undefined : percentile(values, share)));
  });
  return contenders.map((contender, index) => ({
    perSecond,
    rounds: withPooled(all[index]!, answered.get(contender) ?? []),
  }));
}

/** Where each round by itself had too few answers for its p99.9, that of all together. */
function withPooled(rounds: OpenFigures['rounds'], answered: readonly number[]): OpenFigures['rounds'] {
  if (rounds.some(({ p999 }) => p999 !== undefined) || answered.length * (1 - shares.p999) < 1) return rounds;
  const p999 = percentile(
    answered.toSorted((one, other) => one - other),
    shares.p999,
  );
  return rounds.map((round) => (round.p50 === undefined ? round : { ...round, p999 }));
}

const mapShares = (of: (share: number) => number | undefined) =>
  Object.fromEntries(Object.entries(shares).map(([name, share]) => [name, of(share)])) as OpenFigures['rounds'][number];
const none = mapShares(() => undefined);

/** Gives the rounds of each. */
async function interleave<T>(
  contenders: readonly Contender[],
  rounds: number,
  run: (contender: Contender) => Promise<T>,
): Promise<T[][]> {
  const results: T[][] = contenders.map(() => []);
  for (let round = 0; round < rounds; round++) {
    const order = [...contenders.keys()];
    for (const index of round % 2 ? order.toReversed() : order) results[index]!.push(await run(contenders[index]!));
  }
  return results;
}

async function measure({ side, behind }: Contender, cluster: Cluster, run: () => Promise<Latencies>): Promise<Round> {
  const used = () => {
    const { user, system } = process.cpuUsage();
    const service = cpuOf(side.process.pid!) + (behind ? cpuOf(behind.process.pid!) : 0);
    const postgres = cpuOfPostgres(cluster.directory);
    return { service, postgres, generator: user + system, machine: cpuOfMachine() };
  };
  const begin = await readWal(cluster);
  const before = used();
  const latencies = await run();
  const after = used();
  const walBytes = ((await readWal(cluster)) - begin) / latencies.values.length;
  const each = (process: keyof typeof after) => (after[process] - before[process]) / latencies.values.length;
  const cpu = { service: each('service'), postgres: each('postgres'), generator: each('generator') };
  const others = each('machine') - cpu.service - cpu.postgres - cpu.generator;
  return { latencies, cpu, walBytes, others: (others * requestsPerSecond(latencies)) / 1e6 };
}

/** How many bytes of write-ahead log the cluster has written. */
async function readWal({ url }: Cluster): Promise<number> {
  const client = new pg.Client({ connectionString: url });
  await client.connect();
  try {
    const { rows } = await client.query(`select pg_current_wal_insert_lsn() - '0/0' as bytes`);
    return Number(rows[0].bytes);
  } finally {
    await client.end();
  }
}

/** The median of the ratios of rounds that were run side by side. */
export const speedRatio = (one: Figures, other: Figures): number =>
  median(one.rounds.map((speed, round) => speed / other.rounds[round]!));
/** The same of latencies; null where one of the sides could not carry the rate, or had too few answers to tell. */
export function latencyRatio(one: Figures, other: Figures, share: Share = 'p50'): number | null {
  const ratios = one.open.rounds.map((each, round) => each[share]! / other.open.rounds[round]![share]!);
  return medianOfMost(ratios) ?? null;
}

/** In milliseconds; undefined where it could not carry the rate, or had too few answers. */
export const latencyIn = ({ rounds }: OpenFigures, share: Share): number | undefined =>
  medianOfMost(rounds.map((round) => round[share] ?? Number.NaN));

/** Of those that are numbers, if half of them are. */
function medianOfMost(values: readonly number[]): number | undefined {
  const numbers = values.filter((value) => !Number.isNaN(value));
  return numbers.length > 0 && numbers.length >= values.length / 2 ? median(numbers) : undefined;
}

/** Of the service's process alone. */
export const cpuRatio = (one: Figures, other: Figures): number => one.cpu.service / other.cpu.service;
