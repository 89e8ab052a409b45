/** Rows of the token endpoints beside the limit: how they are run, and what Gatehouse is asked for. */
import { compare, cpuRatio, latencyRatio, speedRatio } from './compare.js';
import { figuresTable } from './figuresTable.js';
import type { Target } from './load.js';
import type { Contender, Figures, Ratio, Row, Share } from './row.js';
import { type Side, type Start, startGatehouse, startSide, withSides } from './service.js';
import { openTokenBench, type TokenBench } from './tokenData.js';

export const limitDescription =
  'The limit: the same by every trick that we know (signatures in DER, up to 32 requests in a statement and three of a kind at a time, PostgreSQL’s protocol and answers written by hand); it checks no client.';
const against = 'the limit';

/** The same of the limit and of Gatehouse. */
interface Work {
  /** Of the row. */
  name: string;
  /** In the table of ratios. */
  work: string;
  description: string;
  /** Settings of both. */
  settings?: NodeJS.ProcessEnv;
  /** @param answersMax at most as many are to be expected */
  target(bench: TokenBench, side: Side, answersMax: number): Target | Promise<Target>;
  /** What it is warmed up by, where that is more at once than it is measured with. */
  warmUp?(bench: TokenBench, side: Side): Promise<Target>;
  /** Other makes of it. */
  others?(bench: TokenBench, start: Start): Promise<Contender[]>;
  /** @param figures of the limit, of Gatehouse and of the others */
  ratios(work: string, figures: Figures[]): Ratio[];
}

export const besideLimit = ({ name, work, description, settings, others, ratios, ...asked }: Work): Row => ({
  name,
  run: (stage) =>
    withSides(openTokenBench(stage.cluster, name, settings), async (bench, start) => {
      const sides = await startBoth(bench, start);
      const contenders = sides.map((side): Contender => {
        const target = (answersMax: number) => asked.target(bench, side, answersMax);
        return { side, target, ...(asked.warmUp && { warmUp: () => asked.warmUp!(bench, side) }) };
      });
      const figures = await compare([...contenders, ...((await others?.(bench, start)) ?? [])], stage);
      const details = `${description.replace('LIMIT', limitDescription)}\n\n${figuresTable(figures)}`;
      return { ratios: ratios(work, figures), figures, details };
    }),
});

export const startBoth = async ({ environment }: TokenBench, start: Start): Promise<Side[]> => [
  await start(startSide('limit', ['dist/bench/limit/server.js'], environment)),
  await start(startGatehouse(environment)),
];

/** Of the limit's throughput, with tails. */
export const throughput =
  (bar: number, aim: number): Work['ratios'] =>
  (work, figures) => {
    const value = speedRatio(figures[1]!, figures[0]!);
    return [{ work, against, value, kind: 'least', bar, aim }, ...tails(work, figures)];
  };

export const cpuToLimit: Work['ratios'] = (work, [limit, own]) => [
  { work: `${work}, CPU`, against, value: cpuRatio(own!, limit!), kind: 'most', bar: 1.35, aim: 1.15 },
];

export const halfway = (work: string, [limit, own]: Figures[], share: Share, bar: number, aim: number): Ratio => {
  const name = { p50: 'p50', p99: 'p99', p999: 'p99.9' }[share];
  return { work: `${work}, ${name}`, against, value: latencyRatio(own!, limit!, share), kind: 'most', bar, aim };
};

/** At half of the limit's throughput. */
export const tails: Work['ratios'] = (work, figures) =>
  (['p99', 'p999'] as const).map((share) => halfway(work, figures, share, 1.5, 1.2));
