/** The tables of docs/run/sizing.md that tell what was measured, written anew from bench/results.json. */
import { readFileSync, writeFileSync } from 'node:fs';
import type { Results } from './results.js';
import type { Figures } from './row.js';

export function writeDocuments(results: Results): void {
  const file = 'docs/run/sizing.md';
  writeFileSync(file, withTables(readFileSync(file, 'utf8'), results));
}

/** The text with each table that is made of figures as these figures have it; one that lacks a row's figures stays. */
export function withTables(text: string, results: Results): string {
  const tables = { sizing: sizing(results), load: loads(results) };
  return Object.entries(tables).reduce((before, [name, table]) => {
    const [begin, end] = [`<!-- measured: ${name} -->\n`, `<!-- end of ${name} -->`];
    const [from, to] = [before.indexOf(begin), before.indexOf(end)];
    if (table === undefined || from < 0) return before;
    if (to < from) throw new Error(`${name} has no end`);
    return `${before.slice(0, from + begin.length)}\n${table}\n\n${before.slice(to)}`;
  }, text);
}

const own = (results: Results, row: string): Figures | undefined =>
  results[row]?.figures?.find(({ name }) => name === 'Gatehouse');

const requests: [string, string][] = [
  ['renewal', 'renewal, 32 at once (they go to PostgreSQL together)'],
  ['renewal-alone', 'renewal, one after the other'],
  ['exchange', 'exchange, 32 at once'],
  ['validate-new', '`/validate-token`, each token new'],
  ['validate-seen', '`/validate-token`, tokens seen before'],
  ['validate-hardened', '`/validate-token`, hardened: whether the session lives is read'],
  ['introspect-hardened', '`/introspect`, hardened'],
  ['graph', 'GraphQL view of 50 applications × 20 mappings, four levels'],
  ['list', '`GET /api/applications`, 500 applications with everything nested'],
  ['change', 'change of an application over GraphQL'],
];

function sizing(results: Results): string {
  const lines = requests.flatMap(([row, what]) => {
    const figures = own(results, row);
    if (!figures) return [];
    const { cpu, walBytes } = figures;
    const cells = [ms(cpu.service), ms(cpu.postgres), bytes(walBytes), rounded(1e6 / cpu.service)];
    return [`| ${what} | ${cells.join(' | ')} | \`${row}\` |`];
  });
  const head = '| request | CPU of Gatehouse | of PostgreSQL | log | requests a second on one core | row |';
  return [head, '|---|---|---|---|---|---|', ...lines].join('\n');
}

/** Of the users: how many have a session in use in the busiest hour. A session renews once an hour. */
const inUse = 0.2;
/** Each user signs in once a week; in the busiest hour three times as many as on average. */
const signInsPerSecond = 1 / (7 * 86_400);
const busiest = 3;
/** A record stays 30 days, and TOKEN_RETENTION_DAYS; what it takes with its indexes: docs/run/sizing.md. */
const keptSeconds = 37 * 86_400;
const recordBytes = 281;
/** Right after a checkpoint whole ones are written: one by a renewal, which changes no index; one and two of indexes by an exchange. */
const pageBytes = 8_192;

function loads(results: Results): string | undefined {
  const [renewal, exchange] = [own(results, 'renewal'), own(results, 'exchange')];
  if (!renewal || !exchange) return undefined;
  const lines = [1e6, 1e7, 1e8].map((users) => {
    const records = users * signInsPerSecond * keptSeconds;
    const renewals = (users * inUse) / 3_600;
    const exchanges = users * signInsPerSecond * busiest;
    const cores = (process: 'service' | 'postgres') =>
      ((renewals * renewal.cpu[process] + exchanges * exchange.cpu[process]) / 1e6).toFixed(2);
    const log = renewals * renewal.walBytes + exchanges * exchange.walBytes;
    const pages = renewals + 3 * exchanges;
    const cells = [users.toLocaleString('en'), rounded(records), `${((records * recordBytes) / 1e9).toFixed(1)} GB`];
    cells.push(rounded(renewals), rounded(exchanges), cores('service'), cores('postgres'));
    cells.push(megabytes(log), megabytes(log + pages * pageBytes));
    return `| ${cells.join(' | ')} |`;
  });
  const head =
    '| users | token records | with indexes | renewals a second | exchanges a second | cores of Gatehouse | cores of PostgreSQL | log a second | right after a checkpoint |';
  return [head, '|---|---|---|---|---|---|---|---|---|', ...lines].join('\n');
}

const ms = (microseconds: number): string =>
  microseconds < 1 ? 'none' : `${Number((microseconds / 1_000).toPrecision(2))} ms`;
const bytes = (count: number): string =>
  count < 10 ? 'none' : count < 2_000 ? `${count.toFixed(0)} B` : `${(count / 1_000).toFixed(1)} kB`;
const megabytes = (count: number): string => `${(count / 1e6).toFixed(count < 1e6 ? 2 : 1)} MB`;
/** Two digits that count. */
const rounded = (value: number): string => Number(value.toPrecision(2)).toLocaleString('en');
