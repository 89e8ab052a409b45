/** Sides measured against each other: interleaved rounds (A, B, then B, A), in closed and then in open loop; medians. */
import { cpuOf, cpuOfPostgres } from './cpu.js';
import { closedLoop, type Latencies, median, openLoop, percentile, requestsPerSecond, type Target } from './load.js';
import type { Stage } from './row.js';
import type { Side } from './service.js';
import { countStatements } from './statements.js';

export interface Contender {
  side: Side;
  /** What the next round asks; made before its time begins. @param answersMax at most as many are to be expected */
  target(answersMax: number): Target | Promise<Target>;
}

export interface Figures {
  name: string;
  requestsPerSecond: number;
  /** Of each round, for ratios within rounds. */
  rounds: number[];
  statements: number;
  /** Microseconds per request. */
  cpu: { service: number; postgres: number; generator: number };
  open: { perSecond: number; p50: number; p99: number | undefined; p999: number | undefined; p50s: number[] };
}

export interface Bout extends Pick<Stage, 'cluster' | 'rounds' | 'seconds'> {
  warmUpSeconds?: number;
}

const warmUpSecondsUsual = 2;
const countingSeconds = 0.25;
/** Open loop: the share of the slowest side's throughput, and of a closed round's time. */
const openShare = 0.5;
const openTime = 0.75;
const answersExpected = 20_000;

interface Round {
  latencies: Latencies;
  cpu: Figures['cpu'];
}

export async function compare(contenders: readonly Contender[], bout: Bout): Promise<Figures[]> {
  const { cluster, rounds, seconds, warmUpSeconds = warmUpSecondsUsual } = bout;
  const statements: number[] = [];
  const answersMax = new Map<Contender, number>();
  for (const contender of contenders) {
    const warm = await closedLoop(await contender.target(answersExpected), warmUpSeconds);
    answersMax.set(contender, Math.ceil(requestsPerSecond(warm) * seconds * 2));
    const counted = await contender.target(answersMax.get(contender)!);
    const work = async () => (await closedLoop(counted, countingSeconds)).values.length;
    statements.push(await countStatements(cluster, work));
  }
  const closed = await interleave(contenders, rounds, async (contender) => {
    const target = await contender.target(answersMax.get(contender)!);
    return measure(contender, cluster.directory, () => closedLoop(target, seconds));
  });
  const speeds = closed.map((all) => all.map(({ latencies }) => requestsPerSecond(latencies)));
  const perSecond = Math.min(...speeds.map(median)) * openShare;
  const open = await interleave(contenders, rounds, async (contender) => {
    const target = await contender.target(Math.ceil(perSecond * seconds));
    return openLoop(target, seconds * openTime, perSecond);
  });
  return contenders.map(({ side }, index) => {
    const p50s = open[index]!.map(({ values }) => percentile(values, 0.5) ?? Number.NaN);
    const all = open[index]!.flatMap(({ values }) => values).sort((one, other) => one - other);
    const middle = (process: keyof Figures['cpu']) => median(closed[index]!.map(({ cpu }) => cpu[process]));
    return {
      name: side.name,
      requestsPerSecond: median(speeds[index]!),
      rounds: speeds[index]!,
      statements: statements[index]!,
      cpu: { service: middle('service'), postgres: middle('postgres'), generator: middle('generator') },
      open: { perSecond, p50: median(p50s), p99: percentile(all, 0.99), p999: percentile(all, 0.999), p50s },
    };
  });
}

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

async function measure({ side }: Contender, postgres: string, run: () => Promise<Latencies>): Promise<Round> {
  const used = () => {
    const { user, system } = process.cpuUsage();
    return { service: cpuOf(side.process.pid!), postgres: cpuOfPostgres(postgres), generator: user + system };
  };
  const before = used();
  const latencies = await run();
  const after = used();
  const each = (process: keyof Round['cpu']) => (after[process] - before[process]) / latencies.values.length;
  return {
    latencies,
    cpu: { service: each('service'), postgres: each('postgres'), generator: each('generator') },
  };
}

/** The median of the ratios of rounds that were run side by side. */
export const speedRatio = (one: Figures, other: Figures): number =>
  median(one.rounds.map((speed, round) => speed / other.rounds[round]!));
export const latencyRatio = (one: Figures, other: Figures): number =>
  median(one.open.p50s.map((p50, round) => p50 / other.open.p50s[round]!));

/** A table of what was measured, the first side being what the others are told against. */
export function figuresTable(figures: readonly Figures[]): string {
  const number = (value: number | undefined, digits: number) =>
    value === undefined || Number.isNaN(value) ? '–' : value.toFixed(digits);
  const lines = figures.map((each) => {
    const { name, statements, cpu, open } = each;
    const ratios = each.rounds.map((speed, round) => speed / figures[0]!.rounds[round]!);
    const range = `${Math.min(...ratios).toFixed(2)}–${Math.max(...ratios).toFixed(2)}`;
    const speed = number(each.requestsPerSecond, each.requestsPerSecond < 100 ? 1 : 0);
    const cells = [speed, `**${number(median(ratios), 2)}** (${range})`, number(statements, 2)];
    cells.push(number(cpu.service, 0), number(cpu.postgres, 0), number(cpu.generator, 0));
    cells.push(number(open.p50, 2), number(open.p99, 1), number(open.p999, 1));
    return `| ${[name, ...cells].join(' | ')} |`;
  });
  const perSecond = figures[0]!.open.perSecond;
  return [
    '| | requests/s | of the first (range of rounds) | statements per request | CPU of it, µs | of PostgreSQL | of the load generator | p50, ms | p99 | p99.9 |',
    '|---|---|---|---|---|---|---|---|---|---|',
    ...lines,
    '',
    `CPU is per request. Latencies: open loop, ${number(perSecond, perSecond < 100 ? 1 : 0)} requests/s, from the time at which each was due.`,
  ].join('\n');
}
