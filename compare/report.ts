/** The report of a comparison: as text, HTML and JSON. */
import { escapeHtml } from '../src/escapeHtml.js';
import { type Difference, type DifferenceKind, familyOf, type IsIgnored, patternOf, placeOf } from './difference.js';
import type { Caller } from './message.js';
import { type Pseudonymizer, placeBelow, Redaction, topPlace } from './redact.js';

interface Example {
  /** Such as `GET /api/applications?$top=2`, with pseudonyms. */
  request: string;
  /** The place in the answer. */
  place: string;
  old: string;
  new: string;
}

interface FoundDifference {
  kind: DifferenceKind;
  path: string;
  count: number;
  example: Example;
}

interface ReportRow extends Caller {
  verdict: 'same' | 'different' | 'not compared';
  requests: number;
  different: number;
  /** Why, and how many. */
  notCompared: Record<string, number>;
  differences: FoundDifference[];
}

export interface Report {
  requests: number;
  same: number;
  different: number;
  notCompared: number;
  rows: ReportRow[];
  /** Differences between two answers of the old service, which are left out. */
  noise: { operation: string; path: string }[];
}

interface Row extends Omit<ReportRow, 'verdict' | 'differences'> {
  found: Map<string, FoundDifference & { noiseKey: string }>;
}

const rowsMax = 2_000;
const differencesPerRowMax = 200;
const noiseMax = 10_000;
const reasonsMax = 20;
const shownLengthMax = 200;

export class ReportBuilder {
  readonly #rows = new Map<string, Row>();
  readonly #noise = new Map<string, { operation: string; path: string }>();
  readonly #redaction: Redaction;
  readonly #isIgnored: IsIgnored;

  constructor(pseudonymizer: Pseudonymizer, isIgnored: IsIgnored) {
    this.#redaction = new Redaction(pseudonymizer);
    this.#isIgnored = isIgnored;
  }

  #row(caller: Caller): Row {
    const name = (each: Caller) => `${each.operation}\n${each.option}\n${each.client}`;
    const isFull = this.#rows.size >= rowsMax && !this.#rows.has(name(caller));
    const { operation, option, client } = isFull ? { operation: 'others', option: 'others', client: 'others' } : caller;
    const key = name({ operation, option, client });
    let row = this.#rows.get(key);
    if (!row) {
      row = { operation, option, client, requests: 0, different: 0, notCompared: {}, found: new Map() };
      this.#rows.set(key, row);
    }
    return row;
  }

  #shownName = (name: string): string => this.#redaction.property(name);

  /** Differences of the old service's answer to the repeated request. */
  addNoise(operation: string, differences: readonly Difference[]): void {
    for (const { kind, path } of differences) {
      const pattern = patternOf(path, this.#shownName);
      if (this.#noise.size < noiseMax)
        this.#noise.set(`${operation} ${pattern} ${familyOf(kind)}`, { operation, path: pattern });
    }
  }

  addNotCompared(caller: Caller, reason: string): void {
    const row = this.#row(caller);
    row.requests++;
    const isNew = !(reason in row.notCompared) && Object.keys(row.notCompared).length >= reasonsMax;
    const named = isNew ? 'other reasons' : reason;
    row.notCompared[named] = (row.notCompared[named] ?? 0) + 1;
  }

  /** @param request with pseudonyms */
  add(caller: Caller, request: string, differences: readonly Difference[]): void {
    const row = this.#row(caller);
    row.requests++;
    let isDifferent = false;
    const counted = new Set<string>();
    for (const difference of differences) {
      const pattern = patternOf(difference.path, this.#shownName);
      const noiseKey = `${caller.operation} ${pattern} ${familyOf(difference.kind)}`;
      if (this.#isIgnored(caller.operation, pattern) || this.#noise.has(noiseKey)) continue;
      isDifferent = true;
      const key = `${difference.kind} ${pattern}`;
      const example = this.#example(request, difference);
      const found = row.found.get(key);
      if (!found && row.found.size < differencesPerRowMax)
        row.found.set(key, { kind: difference.kind, path: pattern, count: 1, example, noiseKey });
      if (found && !counted.has(key)) found.count++;
      if (found && sizeOf(example) < sizeOf(found.example)) found.example = example;
      counted.add(key);
    }
    if (isDifferent) row.different++;
  }

  #example(request: string, { path, old, new: other }: Difference): Example {
    return {
      request: cut(request),
      place: placeOf(path, this.#shownName),
      old: this.#shown(path, old),
      new: this.#shown(path, other),
    };
  }

  #shown(path: Difference['path'], value: unknown): string {
    if (value === undefined) return 'nothing';
    if (path[0] === 'status') return String(value);
    if (path[0] === '$' && path.length === 1 && typeof value === 'string') return cut(this.#redaction.message(value));
    if (path[0] === 'header') return cut(this.#redaction.message(String(value)));
    const place = path
      .slice(1)
      .filter((part) => typeof part === 'string')
      .reduce(placeBelow, topPlace);
    return cut(JSON.stringify(this.#redaction.json(value, place)));
  }

  /** As things stand: what turned out to be noise since it was found is left out too. */
  report(): Report {
    const rows = [...this.#rows.values()].map((row) => this.#toReportRow(row));
    rows.sort((a, b) => verdicts.indexOf(a.verdict) - verdicts.indexOf(b.verdict) || compareNames(a, b));
    const sum = (read: (row: ReportRow) => number) => rows.reduce((total, row) => total + read(row), 0);
    const [requests, different, notCompared] = [
      sum((row) => row.requests),
      sum((row) => row.different),
      sum(countNotCompared),
    ];
    const noise = [
      ...new Map([...this.#noise.values()].map((each) => [`${each.operation} ${each.path}`, each])).values(),
    ];
    return { requests, same: requests - different - notCompared, different, notCompared, rows, noise };
  }

  #toReportRow({ operation, option, client, requests, different, notCompared, found }: Row): ReportRow {
    const differences = [...found.values()]
      .filter(({ noiseKey }) => !this.#noise.has(noiseKey))
      .map(({ kind, path, count, example }) => ({ kind, path, count, example }))
      .sort((a, b) => b.count - a.count || (a.path < b.path ? -1 : 1));
    const counts = differences.reduce((total, { count }) => total + count, 0);
    const row = {
      operation,
      option,
      client,
      requests,
      different: Math.min(different, counts),
      notCompared,
      differences,
    };
    const isCompared = countNotCompared(row) < requests;
    return { ...row, verdict: row.different > 0 ? 'different' : isCompared ? 'same' : 'not compared' };
  }
}

const verdicts = ['different', 'not compared', 'same'];
const compareNames = (a: Caller, b: Caller): number =>
  `${a.operation} ${a.option} ${a.client}` < `${b.operation} ${b.option} ${b.client}` ? -1 : 1;

const countNotCompared = ({ notCompared }: Pick<ReportRow, 'notCompared'>): number =>
  Object.values(notCompared).reduce((total, count) => total + count, 0);

const sizeOf = ({ request, old, new: other }: Example): number => request.length + old.length + other.length;

const cut = (text: string): string => (text.length > shownLengthMax ? `${text.slice(0, shownLengthMax)}…` : text);

export function textReport({ requests, same, different, notCompared, rows, noise }: Report): string {
  const lines = rows.map((row) => [headline(row), ...details(row)].join('\n'));
  const left = noise.map(({ operation, path }) => `  ${operation} ${path}`);
  return [
    ...lines,
    ...(left.length > 0 ? [`Left out, because the old service differs so from itself:\n${left.join('\n')}`] : []),
    `${count(requests, 'request')}: ${amount(same)} the same, ${amount(different)} different, ${amount(notCompared)} not compared.`,
  ].join('\n\n');
}

const amount = (number: number): string => number.toLocaleString('en');

const count = (number: number, what: string): string => `${amount(number)} ${what}${number === 1 ? '' : 's'}`;

function headline(row: ReportRow): string {
  const name = `${row.operation} · ${row.option} · ${row.client}`;
  const compared = row.requests - countNotCompared(row);
  if (row.verdict === 'different') return `${name}: different, ${amount(row.different)} of ${amount(compared)}`;
  return row.verdict === 'same' ? `${name}: the same, ${amount(compared)}` : `${name}: not compared`;
}

const details = ({ notCompared, differences }: ReportRow): string[] => [
  ...differences.map(({ kind, path, count: times, example }) =>
    [
      `  ${amount(times)} × ${kind}: ${path}`,
      `      ${example.request}`,
      `      old  ${example.old}`,
      `      new  ${example.new}`,
    ].join('\n'),
  ),
  ...Object.entries(notCompared).map(([reason, times]) => `  ${amount(times)} not compared: ${reason}`),
];

export function htmlReport(report: Report, madeAt: Date): string {
  const { requests, same, different, notCompared, rows, noise } = report;
  const made = madeAt.toISOString().slice(0, 16).replace('T', ' ');
  return `<!doctype html>
<html lang="en">
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<meta http-equiv="Content-Security-Policy" content="default-src 'none'; style-src 'unsafe-inline'">
<title>${different === 0 ? 'The same' : `${amount(different)} different`} · Gatehouse compare</title>
<style>${style}</style>
<main>
<h1>The new service beside the old one</h1>
<p class="made">${made} UTC</p>
<ul class="figures">
${figure(requests, 'requests', '')}${figure(same, 'the same', 'same')}${figure(different, 'different', 'different')}${figure(notCompared, 'not compared', 'not')}
</ul>
<table>
<thead><tr><th scope="col">Operation</th><th scope="col">Option</th><th scope="col">Client</th><th scope="col">Verdict</th><th scope="col" class="number">Compared</th><th scope="col" class="number">Different</th></tr></thead>
${rows.map(tableRow).join('\n')}
</table>
${noise.length > 0 ? noiseList(noise) : ''}
</main>
</html>
`;
}

const figure = (value: number, name: string, kind: string): string =>
  `<li class="${kind}"><b>${amount(value)}</b> ${name}</li>`;

function tableRow(row: ReportRow): string {
  const kind = { same: 'same', different: 'different', 'not compared': 'not' }[row.verdict];
  const cells = [row.operation, row.option, row.client].map((value, index) =>
    index === 0 ? `<th scope="row"><code>${escapeHtml(value)}</code></th>` : `<td>${escapeHtml(value)}</td>`,
  );
  const inner = [
    ...row.differences.map(difference),
    ...Object.entries(row.notCompared).map(
      ([why, count]) => `<p>${amount(count)} not compared: ${escapeHtml(why)}</p>`,
    ),
  ].join('\n');
  return `<tbody>
<tr>${cells.join('')}<td><span class="verdict ${kind}">${kind === 'same' ? 'the same' : row.verdict}</span></td><td class="number">${amount(row.requests - countNotCompared(row))}</td><td class="number">${amount(row.different)}</td></tr>
${inner ? `<tr class="details"><td colspan="6">${inner}</td></tr>\n` : ''}</tbody>`;
}

const difference = ({ kind, path, count, example }: FoundDifference): string => `<details>
<summary><b>${amount(count)} ×</b> ${escapeHtml(kind)} <code>${escapeHtml(path)}</code></summary>
<dl><dt>request</dt><dd><code>${escapeHtml(example.request)}</code></dd>
<dt>at</dt><dd><code>${escapeHtml(example.place)}</code></dd>
<dt>old</dt><dd><code class="old">${escapeHtml(example.old)}</code></dd>
<dt>new</dt><dd><code class="new">${escapeHtml(example.new)}</code></dd></dl>
</details>`;

const noiseList = (noise: Report['noise']): string =>
  `<h2>Left out</h2>
<p>Here the old service differs from itself when it is asked twice.</p>
<ul>${noise.map(({ operation, path }) => `<li><code>${escapeHtml(operation)} ${escapeHtml(path)}</code></li>`).join('')}</ul>`;

const style = `
:root { color-scheme: light dark; --page: #fff; --text: #1b1f24; --quiet: #57606a; --line: #d8dee4; --band: #f6f8fa;
  --good: #116329; --goodBand: #dafbe1; --bad: #a40e26; --badBand: #ffebe9; --unsure: #7d4e00; --unsureBand: #fff8c5; }
@media (prefers-color-scheme: dark) { :root { --page: #0d1117; --text: #e6edf3; --quiet: #9198a1; --line: #30363d;
  --band: #161b22; --good: #56d364; --goodBand: #12351f; --bad: #ff9492; --badBand: #4a1519; --unsure: #e3b341; --unsureBand: #3a2c05; } }
body { margin: 0; background: var(--page); color: var(--text); font: 15px/1.5 system-ui, sans-serif; }
main { max-width: 72rem; margin: 0 auto; padding: 2rem 1rem; }
h1 { font-size: 1.6rem; margin: 0; }
h2 { font-size: 1.2rem; margin: 2rem 0 0; }
.made { color: var(--quiet); margin: 0 0 1.5rem; }
.figures { display: flex; flex-wrap: wrap; gap: .75rem; list-style: none; padding: 0; }
.figures li { border: 1px solid var(--line); border-radius: .5rem; padding: .5rem 1rem; background: var(--band); }
.figures b { display: block; font-size: 1.5rem; }
.figures .same b { color: var(--good); } .figures .different b { color: var(--bad); } .figures .not b { color: var(--unsure); }
table { width: 100%; border-collapse: collapse; margin-top: 1.5rem; }
th, td { text-align: left; padding: .4rem .6rem; vertical-align: top; font-weight: normal; overflow-wrap: anywhere; }
thead th { color: var(--quiet); border-bottom: 2px solid var(--line); overflow-wrap: normal; }
tbody { border-bottom: 1px solid var(--line); }
.number { text-align: right; }
.verdict { border-radius: 1rem; padding: .1rem .6rem; white-space: nowrap; }
.verdict.same { color: var(--good); background: var(--goodBand); } .verdict.different { color: var(--bad); background: var(--badBand); }
.verdict.not { color: var(--unsure); background: var(--unsureBand); }
.details td { padding: 0 .6rem .6rem 1.6rem; color: var(--quiet); }
.details p { margin: .2rem 0; }
summary { cursor: pointer; color: var(--text); } summary:focus-visible { outline: 2px solid currentColor; outline-offset: 2px; }
dl { display: grid; grid-template-columns: max-content 1fr; gap: .2rem 1rem; margin: .4rem 0 .8rem 1rem; }
dd { margin: 0; overflow-wrap: anywhere; }
code { font: .9em ui-monospace, monospace; } code.old { color: var(--bad); } code.new { color: var(--good); }
`;
