/** What `compare` measured, as Markdown. */
import { latencyIn } from './compare.js';
import { median } from './load.js';
import type { Figures } from './row.js';

const number = (value: number | undefined, digits: number): string =>
  value === undefined || Number.isNaN(value) ? '–' : value.toFixed(digits);

/** A table of all sides, the first being what the others are told against. */
export function figuresTable(figures: readonly Figures[]): string {
  const lines = figures.map((each) => {
    const { name, statements, cpu, walBytes } = each;
    const ratios = each.rounds.map((speed, round) => speed / figures[0]!.rounds[round]!);
    const range = `${Math.min(...ratios).toFixed(2)}–${Math.max(...ratios).toFixed(2)}`;
    const speed = number(each.requestsPerSecond, each.requestsPerSecond < 100 ? 1 : 0);
    const cells = [speed, `**${number(median(ratios), 2)}** (${range})`, number(statements, 2)];
    cells.push(number(cpu.service, 0), number(cpu.postgres, 0), number(cpu.generator, 0), number(walBytes, 0));
    cells.push(...latencies(each));
    return `| ${[name, ...cells].join(' | ')} |`;
  });
  const { perSecond } = figures[0]!.open;
  const others = Math.max(...figures.map((each) => each.others ?? Number.NaN));
  return [
    '| | requests/s | of the first (range of rounds) | statements per request | CPU of it, µs | of PostgreSQL | of the load generator | log, bytes | p50, ms | p99 | p99.9 |',
    '|---|---|---|---|---|---|---|---|---|---|---|',
    ...lines,
    '',
    `CPU and write-ahead log are per request. Everything else on the machine took at most ${number(others, 2)} cores (median of a side's rounds). Latencies: open loop, ${number(perSecond, perSecond < 100 ? 1 : 0)} requests/s for all, from the time at which each was due; medians of the rounds (p99.9 of all together where a round has less than 1,000 answers).`,
  ].join('\n');
}

function latencies({ open }: Figures): string[] {
  if (latencyIn(open, 'p50') === undefined) return ["can't", "can't", "can't"];
  return [number(latencyIn(open, 'p50'), 2), number(latencyIn(open, 'p99'), 1), number(latencyIn(open, 'p999'), 1)];
}
