/** Writes a section of bench/results.md, leaving the others as they are. */
import { existsSync, readFileSync, writeFileSync } from 'node:fs';
import { cpus } from 'node:os';
import type { Compared } from './token.js';

const file = 'bench/results.md';

export function writeResults(section: string, rows: Compared[]): void {
  const number = (value: number, digits = 0) => value.toFixed(digits);
  const lines = rows.map(
    ({ work, floor, gatehouse, ratio, p50Ratio }) =>
      `| ${work} | ${number(floor.requestsPerSecond)} | ${number(gatehouse.requestsPerSecond)} | **${number(ratio, 2)}** | ${number(p50Ratio, 2)} | ${number(gatehouse.p99, 1)} | ${gatehouse.statementsPerRequest ? number(gatehouse.statementsPerRequest, 2) : 'none'} |`,
  );
  const table = [
    '| work | floor, requests/s | Gatehouse, requests/s | ratio | p50 ratio | p99, ms | statements per request |',
    '|---|---|---|---|---|---|---|',
    ...lines,
  ];
  replaceSection(
    section,
    `${new Date().toISOString().slice(0, 10)}, ${cpus().length} × ${cpus()[0]?.model}, Node ${process.version}; load generator and PostgreSQL on the same machine.\n\n${table.join('\n')}`,
  );
  process.stdout.write(`${table.join('\n')}\n`);
}

/** Replaces `## section` up to the next heading, or adds it. */
export function replaceSection(section: string, content: string): void {
  const before = existsSync(file)
    ? readFileSync(file, 'utf8')
    : '# Benchmarks\n\nRatios hold, times belong to the machine.\n';
  const sections = before.split(/^(?=## )/m).filter((text) => !text.startsWith(`## ${section}\n`));
  writeFileSync(file, `${[...sections.map((text) => text.trimEnd()), `## ${section}\n\n${content}`].join('\n\n')}\n`);
}
