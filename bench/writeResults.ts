/** What is made of the figures that are kept: bench/results.md, the pictures and the tables of documents. */
import { writeFileSync } from 'node:fs';
import { cpus } from 'node:os';
import { writeDocuments } from './documents.js';
import { choicePicture } from './pictures/choice.js';
import { loadsPicture } from './pictures/loads.js';
import { type Kept, keepResults, type Results, readResults, replaceSection } from './results.js';
import type { Outcome, Ratio, Row, Stage } from './row.js';

/** @param rows all, in the table's order */
export function writeOutcome({ name }: Row, outcome: Outcome, stage: Stage, rows: readonly Row[]): void {
  const results = readResults();
  const kept: Kept = {
    date: new Date().toISOString().slice(0, 10),
    machine: `${cpus().length} × ${cpus()[0]?.model}, Node ${process.version}`,
    how: `${stage.rounds} rounds of ${stage.seconds} s`,
    ...outcome,
  };
  results[name] = kept;
  keepResults(results);
  replaceSection(name, `${kept.date}, ${kept.machine}; ${kept.how}.\n\n${kept.details}`);
  writeAll(results, rows);
  const table = outcome.ratios.length > 0 ? `${ratioTable(outcome.ratios)}\n\n` : '';
  process.stdout.write(`\n${name}\n\n${table}${kept.details}\n`);
}

/** What is made of all rows, from what is kept of them. */
export function writeAll(results: Results = readResults(), rows: readonly Row[]): void {
  const ratios = rows.flatMap((row) => results[row.name]?.ratios ?? []);
  const pictures = '![Gatehouse beside others](results.svg)\n\n![Latency against load](loads.svg)';
  replaceSection('Ratios', `${about}\n\n${ratioTable(ratios)}\n\n${pictures}`);
  writePictures(results);
  writeDocuments(results);
}

function writePictures({ renewal, graph, loads }: Results): void {
  const chapters = [
    {
      title: 'Renewing a session: 32 callers, each waits for its answer',
      figures: (renewal?.figures ?? []).filter(({ name }) => name !== 'floor'),
    },
    { title: 'A deep view of the catalogue over GraphQL, 600 kB: 8 callers', figures: graph?.figures ?? [] },
  ].filter(({ figures }) => figures.length > 0);
  if (chapters.length > 0) writeFileSync('bench/results.svg', choicePicture(chapters, captionOf(renewal ?? graph!)));
  if (loads?.loads) writeFileSync('bench/loads.svg', loadsPicture(loads.loads, captionOf(loads)));
}

const captionOf = ({ machine, date }: Kept): string =>
  `${machine}, ${date}. Callers, service and PostgreSQL share the machine, so ratios hold, not times. “By hand” is bare node:http that does this one thing with every trick and checks no client. Rows and figures: bench/results.md.`;

const about =
  'Load generator, Gatehouse (one process, documented policy, logs and metrics as in production) and PostgreSQL (`synchronous_commit` on) share the machine. Sides take turns within a run (A, B, then B, A); each ratio is the median of the ratios of the rounds. p99 and p99.9: open loop, at half of the throughput of the limit.';

function ratioTable(ratios: readonly Ratio[]): string {
  const lines = ratios.map((ratio) => {
    const { work, against, bar, aim, kind } = ratio;
    const sign = kind === 'least' ? '≥' : '≤';
    return `| ${work} | ${against} | ${sign} ${bar} | ${sign} ${aim} | **${valueText(ratio)}** | ${reached(ratio)} |`;
  });
  return ['| work | against | at least | aim | measured | |', '|---|---|---|---|---|---|', ...lines].join('\n');
}

const valueText = ({ value, unit = '×' }: Ratio): string => (value === null ? '–' : `${value.toFixed(2)} ${unit}`);

/** What of the two is met. */
function reached({ value, kind, bar, aim }: Ratio): 'aim' | 'least' | 'below' {
  const meets = (limit: number) => value !== null && (kind === 'least' ? value >= limit : value <= limit);
  if (meets(aim)) return 'aim';
  return meets(bar) ? 'least' : 'below';
}
