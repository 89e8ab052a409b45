/** The report of a comparison as text and as one HTML page. */
import { escapeHtml } from '../src/html.js';
import { causeOf } from './difference.js';
import { type Cause, countNotCompared, type FoundDifference, type Report, type ReportRow } from './report.js';

/** Maximum number of causes in the summary; the details list all of them. */
const causesShownMax = 50;

export function textReport(report: Report): string {
  const { requests, same, different, notCompared, rows, noise } = report;
  const lines = rows.map((row) => [headline(row), ...details(row)].join('\n'));
  const left = noise.map(({ operation, path }) => `  ${operation} ${path}`);
  return [
    ...causeLines(report),
    ...acceptedLines(report),
    ...lines,
    ...(left.length > 0 ? [`Left out, because the old service differs so from itself:\n${left.join('\n')}`] : []),
    `${count(requests, 'request')}: ${amount(same)} the same, ${amount(different)} different, ${amount(notCompared)} not compared.`,
  ].join('\n\n');
}

function causeLines({ causes }: Report): string[] {
  if (causes.length === 0) return [];
  const lines = causes
    .slice(0, causesShownMax)
    .map(
      ({ kind, path, count: times, operations, clients, example }) =>
        `  ${amount(times)} × ${kind}: ${path}  (${operationsText(operations)}, ${count(clients, 'client')})\n` +
        `      old  ${example.old}\n      new  ${example.new}`,
    );
  return [[`${count(causes.length, 'cause')}, over all operations:`, ...lines, ...moreCauses(causes)].join('\n')];
}

const moreCauses = ({ length }: readonly Cause[]): string[] =>
  length > causesShownMax ? [`  and ${amount(length - causesShownMax)} more, which the details below have`] : [];

function acceptedLines({ accepted }: Report): string[] {
  if (accepted.length === 0) return [];
  const lines = accepted.map(
    ({ name, count: times, operations }) => `  ${amount(times)} × ${name}  (${operationsText(operations)})`,
  );
  return [['Accepted:', ...lines].join('\n')];
}

/** The name of a single operation, or the number of several. */
const operationsText = (operations: readonly string[]): string =>
  operations.length === 1 ? operations[0]! : count(operations.length, 'operation');

const amount = (number: number): string => number.toLocaleString('en');

const count = (number: number, what: string): string => `${amount(number)} ${what}${number === 1 ? '' : 's'}`;

function headline(row: ReportRow): string {
  const name = `${row.operation} · ${row.option} · ${row.client}`;
  const compared = row.requests - countNotCompared(row);
  if (row.verdict === 'different') return `${name}: different, ${amount(row.different)} of ${amount(compared)}`;
  return row.verdict === 'same' ? `${name}: the same, ${amount(compared)}` : `${name}: not compared`;
}

const details = ({ notCompared, differences }: ReportRow): string[] => [
  ...byCause(differences).map(({ kind, path, count: times, example, places }) =>
    [
      `  ${amount(times)} × ${kind}: ${path}${places > 1 ? `  (in ${places} places)` : ''}`,
      `      ${example.request}`,
      `      old  ${example.old}`,
      `      new  ${example.new}`,
    ].join('\n'),
  ),
  ...Object.entries(notCompared).map(([reason, times]) => `  ${amount(times)} not compared: ${reason}`),
];

/** Merges differences with the same cause, in places that are nested differently. Keeps the smallest example. */
function byCause(differences: readonly FoundDifference[]): (FoundDifference & { places: number })[] {
  const causes = new Map<string, FoundDifference & { places: number }>();
  for (const each of differences) {
    const path = causeOf(each.path);
    const cause = causes.get(`${each.kind} ${path}`);
    causes.set(`${each.kind} ${path}`, cause ? { ...cause, path, places: cause.places + 1 } : { ...each, places: 1 });
  }
  return [...causes.values()];
}

export function htmlReport(report: Report, madeAt: Date): string {
  const { requests, same, different, notCompared, rows, noise } = report;
  const madeAtText = madeAt.toISOString().slice(0, 16).replace('T', ' ');
  return `<!doctype html>
<html lang="en">
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<meta http-equiv="Content-Security-Policy" content="default-src 'none'; style-src 'unsafe-inline'">
<title>${different === 0 ? 'The same' : `${amount(different)} different`} · Gatehouse compare</title>
<style>${style}</style>
<main>
<h1>The new service beside the old one</h1>
<p class="made">${madeAtText} UTC</p>
<ul class="figures">
${figure(requests, 'requests', '')}${figure(same, 'the same', 'same')}${figure(different, 'different', 'different')}${figure(notCompared, 'not compared', 'not')}
</ul>
${causesTable(report)}
${acceptedList(report)}
<h2>By operation, option and client</h2>
<table>
<thead><tr><th scope="col">Operation</th><th scope="col">Option</th><th scope="col">Client</th><th scope="col">Verdict</th><th scope="col" class="number">Compared</th><th scope="col" class="number">Different</th></tr></thead>
${rows.map(tableRow).join('\n')}
</table>
${noise.length > 0 ? noiseList(noise) : ''}
</main>
</html>
`;
}

function causesTable({ causes }: Report): string {
  if (causes.length === 0) return '';
  const rows = causes
    .slice(0, causesShownMax)
    .map(
      ({ kind, path, count: times, operations, clients, example }) =>
        `<tr><td class="number">${amount(times)}</td><td>${escapeHtml(kind)} <code>${escapeHtml(path)}</code></td><td><code class="old">${escapeHtml(example.old)}</code></td><td><code class="new">${escapeHtml(example.new)}</code></td><td>${operations.map((name) => `<code>${escapeHtml(name)}</code>`).join('<br>')}</td><td class="number">${amount(clients)}</td></tr>`,
    );
  return `<h2>Causes, over all operations</h2>
<table>
<thead><tr><th scope="col" class="number">Times</th><th scope="col">Difference</th><th scope="col">Old</th><th scope="col">New</th><th scope="col">Operations</th><th scope="col" class="number">Clients</th></tr></thead>
<tbody>${rows.join('\n')}</tbody>
</table>
${moreCauses(causes)
  .map((text) => `<p>${text}</p>`)
  .join('')}`;
}

const acceptedList = ({ accepted }: Report): string =>
  accepted.length === 0
    ? ''
    : `<h2>Accepted</h2>
<ul>${accepted.map(({ name, count: times, operations }) => `<li><b>${amount(times)} ×</b> ${escapeHtml(name)} (${escapeHtml(operations.join(', '))})</li>`).join('')}</ul>`;

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
