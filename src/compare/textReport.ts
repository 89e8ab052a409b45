/** The report for a terminal. */
import { countNotCompared, type Report, type ReportRow } from './report.js';

export function textReport({ requests, same, different, notCompared, rows, noise }: Report): string {
  const lines = rows.map((row) => [headline(row), ...details(row)].join('\n'));
  const left = noise.map(({ operation, path }) => `  ${operation} ${path}`);
  return [
    ...lines,
    ...(left.length > 0 ? [`Left out, because the old service differs so from itself:\n${left.join('\n')}`] : []),
    `${count(requests, 'request')}: ${amount(same)} the same, ${amount(different)} different, ${amount(notCompared)} not compared.`,
  ].join('\n\n');
}

export const amount = (number: number): string => number.toLocaleString('en');

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
