/** The figures that are kept, in bench/results.json, and the sections of bench/results.md. */
import { readFileSync, writeFileSync } from 'node:fs';
import type { Outcome } from './row.js';

const file = 'bench/results.md';
const keptFile = 'bench/results.json';

export interface Kept extends Outcome {
  date: string;
  machine: string;
  how: string;
}
/** By the row's name. */
export type Results = Record<string, Kept>;

export const readResults = (): Results => JSON.parse(readFileSync(keptFile, 'utf8'));

export const keepResults = (results: Results): void => writeFileSync(keptFile, `${JSON.stringify(results, null, 2)}\n`);

/** Replaces `## section` up to the next heading, or adds it. */
export function replaceSection(section: string, content: string): void {
  const sections = readFileSync(file, 'utf8')
    .split(/^(?=## )/m)
    .map((text) => text.trimEnd());
  const place = sections.findIndex((text) => text.startsWith(`## ${section}\n`));
  const others = sections.filter((text) => !text.startsWith(`## ${section}\n`));
  others.splice(place < 0 ? others.length : place, 0, `## ${section}\n\n${content}`);
  writeFileSync(file, `${others.join('\n\n')}\n`);
}
