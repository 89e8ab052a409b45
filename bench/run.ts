/**
 * `npm run bench` measures all rows of the common table; `npm run bench -- ROW …` the named ones, `token` those of the token
 * endpoints, `attack`, `effects`, `events`, or `redraw` (what is made of the figures that are kept). --seconds and --rounds of closed
 * loop (2, 5).
 */
import { parseArgs } from 'node:util';
import * as change from './change.js';
import * as exchange from './exchange.js';
import * as graph from './graph.js';
import * as list from './list.js';
import * as loads from './loads.js';
import * as renewal from './renewal.js';
import type { Row, Stage } from './row.js';
import * as servers from './servers.js';
import { openCluster } from './service.js';
import * as validate from './validate.js';
import { writeAll, writeOutcome } from './writeResults.js';

const rowsOf = (...files: { rows: Row[] }[]): Row[] => files.flatMap((file) => file.rows);
const tokenRows = rowsOf(renewal, exchange, validate, loads, change);
const rows = [...tokenRows, ...rowsOf(graph, list, servers)];
/** Names of several rows. */
const groups: Record<string, Row[]> = { token: tokenRows };
/** Beside the table, when asked for. */
const others = ['attack', 'effects', 'events', 'redraw'];

const { values, positionals } = parseArgs({
  allowPositionals: true,
  options: {
    seconds: { type: 'string', default: '2' },
    rounds: { type: 'string', default: '5' },
  },
});

const isSelected = (row: Row): boolean =>
  positionals.some((name) => name === row.name || groups[name]?.includes(row) === true);

async function run(): Promise<void> {
  const unknown = positionals.filter(
    (name) => !others.includes(name) && !groups[name] && !rows.some((row) => row.name === name),
  );
  if (unknown.length > 0) {
    process.stderr.write(`Rows: ${[...rows.map(({ name }) => name), ...Object.keys(groups), ...others].join(', ')}\n`);
    process.exitCode = 2;
    return;
  }
  if (positionals.join() === 'redraw') {
    writeAll(undefined, rows);
    return;
  }
  const selected = positionals.length > 0 ? rows.filter(isSelected) : rows;
  const cluster = await openCluster();
  const stage: Stage = { cluster, seconds: Number(values.seconds), rounds: Number(values.rounds) };
  try {
    for (const row of selected) {
      const outcome = await row.run(stage);
      if (outcome) writeOutcome(row, outcome, stage, rows);
    }
    for (const name of positionals.filter((name) => others.includes(name)))
      await ((await import(`./${name}.js`)) as { run(stage: Stage): Promise<void> }).run(stage);
  } finally {
    await cluster.close();
  }
}

await run();
