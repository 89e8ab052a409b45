/** Row `loads`: the latency of renewals at shares of the limit's throughput, Gatehouse's and the limit's. */
import { limitDescription, startBoth } from './besideLimit.js';
import { compareAt, latencyIn } from './compare.js';
import { closedLoop, median, requestsPerSecond } from './load.js';
import { renewalTarget } from './renewal.js';
import type { LoadPoint, OpenFigures, Outcome, Row, Stage } from './row.js';
import { withSides } from './service.js';
import { openTokenBench } from './tokenData.js';

const connections = 32;
const shares = [0.1, 0.25, 0.5, 0.75, 0.9];
const openTime = 0.75;

const run = (stage: Stage): Promise<Outcome> =>
  withSides(openTokenBench(stage.cluster, 'loads'), async (bench, start) => {
    const sides = await startBoth(bench, start);
    const contenders = sides.map((side) => ({ side, target: () => renewalTarget(bench, side, connections) }));
    const speeds: number[] = [];
    for (const { target } of contenders.toReversed()) await closedLoop(await target(), stage.seconds);
    for (let round = 0; round < stage.rounds; round++)
      speeds.push(requestsPerSecond(await closedLoop(await contenders[0]!.target(), stage.seconds)));
    const loads: LoadPoint[] = [];
    for (const share of shares) {
      const perSecond = median(speeds) * share;
      const open = await compareAt(perSecond, contenders, { ...stage, seconds: stage.seconds * openTime });
      for (const [index, { name }] of sides.entries()) loads.push(pointOf(name, share, open[index]!));
    }
    const description = `Renewals on ${connections} connections, open loop at shares of the limit's ${median(speeds).toFixed(0)} requests/s in closed loop; medians of the rounds. ${limitDescription}`;
    return { ratios: [], loads, details: `${description}\n\n${table(loads)}` };
  });

export const rows: Row[] = [{ name: 'loads', run }];

const pointOf = (name: string, share: number, open: OpenFigures): LoadPoint => ({
  name,
  share,
  perSecond: open.perSecond,
  p50: latencyIn(open, 'p50') ?? null,
  p99: latencyIn(open, 'p99') ?? null,
});

function table(loads: readonly LoadPoint[]): string {
  const cell = (value: number | null) => (value === null ? "can't" : value.toFixed(2));
  const lines = shares.map((share) => {
    const points = loads.filter((load) => load.share === share);
    const cells = points.flatMap(({ p50, p99 }) => [cell(p50), cell(p99)]);
    return `| ${(100 * share).toFixed(0)} % | ${[points[0]!.perSecond.toFixed(0), ...cells].join(' | ')} |`;
  });
  return [
    '| load | requests/s | limit: p50, ms | p99 | Gatehouse: p50, ms | p99 |',
    '|---|---|---|---|---|---|',
    ...lines,
  ].join('\n');
}
