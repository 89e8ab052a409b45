/** Keeps what was measured in bench/results.json, and writes bench/results.md and bench/results.svg from it. */
import { existsSync, readFileSync, writeFileSync } from 'node:fs';
import { cpus } from 'node:os';
import { picture } from './picture.js';
import type { Outcome, Ratio, Row, Stage } from './row.js';

const file = 'bench/results.md';
const keptFile = 'bench/results.json';

interface Kept extends Outcome {
  date: string;
  machine: string;
  how: string;
}

/** @param rows all, in the table's order */
export function writeOutcome({ name }: Row, outcome: Outcome, stage: Stage, rows: readonly Row[]): void {
  const kept: Record<string, Kept> = existsSync(keptFile) ? JSON.parse(readFileSync(keptFile, 'utf8')) : {};
  const key = stage.data === 'plain' ? name : `${name}, ${stage.data} data`;
  kept[key] = {
    date: new Date().toISOString().slice(0, 10),
    machine: `${cpus().length} × ${cpus()[0]?.model}, Node ${process.version}`,
    how: `${stage.rounds} rounds of ${stage.seconds} s`,
    ...outcome,
  };
  writeFileSync(keptFile, `${JSON.stringify(kept, null, 2)}\n`);
  const ratios = rows.flatMap((row) => kept[row.name]?.ratios ?? []);
  const { date, machine, how, details } = kept[key];
  replaceSection('Ratios', `${about}\n\n${ratioTable(ratios)}\n\n![Ratios, their bar and their aim](results.svg)`);
  replaceSection(key, `${date}, ${machine}; ${how}.\n\n${details}`);
  writeFileSync('bench/results.svg', picture(ratios, `${machine}, ${date}`));
  process.stdout.write(`\n${key}\n\n${ratioTable(outcome.ratios)}\n\n${details}\n`);
}

const about =
  'Load generator, Gatehouse (one process, documented policy, logs and metrics as in production) and PostgreSQL (`synchronous_commit` on) share the machine. Sides take turns within a run (A, B, then B, A); each ratio is the median of the ratios of the rounds.';

function ratioTable(ratios: readonly Ratio[]): string {
  const lines = ratios.map((ratio) => {
    const { work, against, bar, aim, kind } = ratio;
    const sign = kind === 'least' ? '≥' : '≤';
    return `| ${work} | ${against} | ${sign} ${bar} | ${sign} ${aim} | **${valueText(ratio)}** | ${reached(ratio)} |`;
  });
  return ['| work | against | bar | aim | measured | |', '|---|---|---|---|---|---|', ...lines].join('\n');
}

export const valueText = ({ value, unit = '×' }: Ratio): string =>
  value === null ? '–' : `${value.toFixed(2)} ${unit}`;

/** What of the two is met. */
export function reached({ value, kind, bar, aim }: Ratio): 'aim' | 'bar' | 'below' {
  const meets = (limit: number) => value !== null && (kind === 'least' ? value >= limit : value <= limit);
  if (meets(aim)) return 'aim';
  return meets(bar) ? 'bar' : 'below';
}

/** Replaces `## section` up to the next heading, or adds it. */
export function replaceSection(section: string, content: string): void {
  const before = existsSync(file)
    ? readFileSync(file, 'utf8')
    : '# Benchmarks\n\nRatios hold, times belong to the machine.\n';
  const sections = before.split(/^(?=## )/m).map((text) => text.trimEnd());
  const place = sections.findIndex((text) => text.startsWith(`## ${section}\n`));
  const others = sections.filter((text) => !text.startsWith(`## ${section}\n`));
  others.splice(place < 0 ? others.length : place, 0, `## ${section}\n\n${content}`);
  writeFileSync(file, `${others.join('\n\n')}\n`);
}
